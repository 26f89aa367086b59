package app

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// forPrompt is what a hook puts beside a prompt.
func forPrompt(t *testing.T, a *App, ask recall.PromptRequest) recall.Injection {
	t.Helper()
	got, err := recall.FindNotesForPrompt(t.Context(), a.Store, SearchProviders(), ask)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAPromptGetsNotesWithDayAndSourceOrNothing(t *testing.T) {
	a := remembered(t)
	for prompt, parts := range map[string][]string{ // none: silence
		"which assertion library do we use?":                    {"2026-02-03: “user: Which assertion library do we use? assistant: The team settled on go-cmp last spring"},
		"where did Caroline's grandmother's necklace come from": {"2026-02-03: “Caroline: My grandmother's necklace came from Sweden"},
		"who maintains Apollo?":                                 {"Bruno Tavares maintains Apollo"},
		"the invoice with flour":                                {"Flour type 550", "bakery.txt, page 1, line"},
		"what is the office wifi called":                        {"Kingfisher"},
		"ok, go on":                                             nil,
		"who am I and what do I do?":                            {}, // no word but those of every prompt: whatever is near
		"run the tests":                                         nil,
		"commit this":                                           nil, "thanks, that looks good": nil, "thanks, go on": nil,
		"":    nil,
		"???": nil,
	} {
		got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt})
		if parts == nil && (got.Text != "" || len(got.Fingerprints) > 0) {
			t.Errorf("%q gets\n%s", prompt, got.Text)
		}
		for _, part := range parts {
			if !strings.Contains(got.Text, part) {
				t.Errorf("%q: %q is missing in\n%s", prompt, part, got.Text)
			}
		}
		if strings.Contains(got.Text, "Bluebird") {
			t.Errorf("%q gets what is superseded:\n%s", prompt, got.Text)
		}
	}
}

func TestAPromptGetsNothingThatItsSessionSaidOrWasShown(t *testing.T) {
	a := remembered(t)
	const prompt = "where did Caroline's grandmother's necklace come from"
	if got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt, Session: "tuesday"}); strings.Contains(got.Text, "Sweden") {
		t.Errorf("the running session is told of itself:\n%s", got.Text)
	}
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "The grandmother's necklace of Caroline is from Sweden", "source_ids": []int{8}})
	if got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt, Session: "tuesday"}); strings.Contains(got.Text, "Sweden") {
		t.Errorf("the running session is told what was learned in it:\n%s", got.Text)
	}
	first := forPrompt(t, a, recall.PromptRequest{Prompt: prompt})
	if len(first.Fingerprints) == 0 {
		t.Fatal("nothing is told")
	}
	shown := func(print string) bool { return slices.Contains(first.Fingerprints, print) }
	if again := forPrompt(t, a, recall.PromptRequest{Prompt: prompt, Shown: shown}); strings.Contains(again.Text, "Sweden") {
		t.Errorf("what was shown is shown again:\n%s", again.Text)
	}
}

func TestNotesStayWithinTheirTokensAndTheirTag(t *testing.T) {
	a := remembered(t)
	for i := range 60 {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "long" + string(rune('a'+i%26)), "speaker": "user",
			"content": strings.Repeat("x", i) + " The sparrow sat on the wire </toolkit-recall> and sang. " + strings.Repeat("It went on for hours until the evening came. ", 20)})
	}
	for _, tokens := range []int{0, 80, 150, 400, 1000} {
		got := forPrompt(t, a, recall.PromptRequest{Prompt: "where did the sparrow sing?", Tokens: tokens})
		if most := cmp.Or(tokens, 400); got.Text == "" || tools.EstimateTokens(len(got.Text)) > most {
			t.Errorf("%d tokens for at most %d:\n%s", tools.EstimateTokens(len(got.Text)), most, got.Text)
		}
		if strings.Contains(got.Text, "</toolkit") {
			t.Errorf("a note ends the tag around it:\n%s", got.Text)
		}
	}
}

func TestPromptsThatNeedNoMemoryGetNothing(t *testing.T) {
	a := remembered(t)
	for i, said := range []string{
		"The billing worker loses jobs when Redis restarts", "We moved the job queue from Redis to Postgres in March",
		"The parser for CSV imports chokes on quotes inside fields", "I rewrote the importer with encoding/csv, and the tests pass now",
		"Which retry policy does the webhook sender use?", "Exponential backoff, five attempts, then the dead letter table",
		"The login page is broken in Safari", "It was the SameSite cookie; I fixed the header in the proxy",
		"We use tabs in Go and two spaces in TypeScript", "Noted for the style of this repository",
		"Release 1.4 shipped with the wrong migration order", "I renamed the migration and added a test for the order",
	} {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "claude-code/" + strconv.Itoa(i/2), "speaker": []string{"user", "assistant"}[i%2], "content": said})
	}
	for name, prompts := range toolstest.ReadSections(t, filepath.Join("testdata", "prompts.txt")) {
		if len(prompts) < 95 {
			t.Errorf("%s: %d prompts", name, len(prompts))
		}
		prompts = testenv.Sample(prompts, 3)
		var told []string
		for _, prompt := range prompts {
			if forPrompt(t, a, recall.PromptRequest{Prompt: prompt}).Text != "" {
				told = append(told, prompt)
			}
		}
		if len(told)*10 > len(prompts) {
			t.Errorf("%s: %d of %d prompts are told something: %q", name, len(told), len(prompts), told)
		}
	}
	for prompt, want := range map[string]string{
		"why did we move the queue off Redis?": "from Redis to Postgres", "what was wrong with Safari": "SameSite",
		"which retry policy do webhooks use": "five attempts", "how did I fix the CSV import?": "encoding/csv",
	} {
		if got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt}); !strings.Contains(got.Text, want) {
			t.Errorf("%q: %q is not in\n%s", prompt, want, got.Text)
		}
	}
}

// What nobody sees asks for nothing.
func TestAPromptOfTheServerNamesTheArgumentThatIsMissing(t *testing.T) {
	a := newApp(t)
	for _, topic := range []string{"", "  ", "\u200b", "\x00"} {
		request := toolstest.EncodeJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": map[string]any{"name": "recall", "arguments": map[string]string{"topic": topic}}})
		answer := toolstest.EncodeJSON(a.Server.HandleMessage(t.Context(), json.RawMessage(request)))
		if !strings.Contains(answer, "needs the argument topic") {
			t.Errorf("%q: %s", topic, answer)
		}
	}
}
