package app

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// maxInstructions is how much of a server's instructions every client passes on whole.
const maxInstructions = 500

func TestARememberedTextIsRecalledBesidePromptsAndForgotten(t *testing.T) {
	a := openCore(t, tools.Access{}, "")
	const text = "The bakery on Quay Street closes on Mondays"
	call(t, a, "remember", toolstest.EncodeJSON(arguments{"text": text}))
	if found := string(call(t, a, "recall", `{"query":"When is the bakery on Quay Street closed?"}`)); !strings.Contains(found, text) {
		t.Errorf("recall answers %s", found)
	}
	if told := forPrompt(t, a, recall.PromptRequest{Prompt: "When is the bakery on Quay Street closed?"}); !strings.Contains(told.Text, text) {
		t.Errorf("beside the prompt stands %q", told.Text)
	}
	preview := string(call(t, a, "forget", `{"text":"Quay Street"}`))
	if !strings.Contains(preview, "insight:1") {
		t.Errorf("forget shows %s", preview)
	}
	call(t, a, "forget", toolstest.EncodeJSON(arguments{"text": "Quay Street", "confirm": field(t, []byte(preview), "confirm")}))
	if found := string(call(t, a, "recall", `{"query":"When is the bakery on Quay Street closed?"}`)); strings.Contains(found, text) {
		t.Errorf("after forgetting, recall answers %s", found)
	}
	if again := string(call(t, a, "remember", toolstest.EncodeJSON(arguments{"text": text}))); strings.Contains(again, "already") {
		t.Errorf("what was forgotten counts as remembered: %s", again)
	}
}

func TestInstructionsSayWhenToRememberAndToRecall(t *testing.T) {
	for name, tc := range map[string]struct {
		access tools.Access
		says   []string
		not    string
	}{
		"all":          {tools.Access{}, []string{"Call remember", "Call recall", "not for"}, "find_tools"},
		"core":         {tools.Access{Toolset: tools.CoreTools}, []string{"Call remember", "Call recall", "find_tools", "call_read_tool", "call_tool"}, "hybrid_search"},
		"core to read": {tools.Access{Toolset: tools.CoreTools, ReadOnly: true}, []string{"Call recall", "find_tools", "call_read_tool"}, "call_tool"},
		"read only":    {tools.Access{ReadOnly: true}, []string{"Call recall"}, "Call remember"},
		"charts":       {tools.Access{Families: []string{"charts"}}, nil, "Call recall"},
	} {
		t.Run(name, func(t *testing.T) {
			a := openWith(t, Settings{Access: tc.access})
			_, text := a.Server.About()
			t.Logf("%d bytes: %s", len(text), text)
			if len(text) > maxInstructions {
				t.Errorf("they have %d bytes, more than %d", len(text), maxInstructions)
			}
			for _, part := range tc.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q is missing in %q", part, text)
				}
			}
			if strings.Contains(text, tc.not) {
				t.Errorf("%q stands in %q", tc.not, text)
			}
		})
	}
}

func TestRecallReturnsTheProjectOfAFact(t *testing.T) {
	a := openCore(t, tools.Access{}, "off")
	call(t, a, "remember", `{"text":"Flour comes by rail from Ghent","project":"bakery"}`)
	call(t, a, "remember", `{"text":"Flour is weighed in grams"}`)
	for question, want := range map[string]string{"How does flour come from Ghent?": `"where":{"project":"bakery"}`, "In what is flour weighed?": ""} {
		found := string(call(t, a, "recall", toolstest.EncodeJSON(arguments{"query": question, "limit": 1})))
		if !strings.Contains(found, want) || (want == "") == strings.Contains(found, "where") {
			t.Errorf("%s: %s", question, found)
		}
	}
}

func TestRememberAnswersInALine(t *testing.T) {
	a := openCore(t, tools.Access{}, "off")
	for _, tc := range []struct {
		in      arguments
		says    string
		refused bool
	}{
		{in: arguments{"text": "We deploy on Tuesdays"}, says: `"message":"Remembered as insight 1, in every project."`},
		{in: arguments{"text": "we deploy on Tuesdays!"}, says: `"message":"Remembered before, as insight 1, in every project; nothing was stored."`},
		{in: arguments{"text": "Flour comes by rail", "project": "bakery", "kind": "decision"}, says: `"message":"Remembered as insight 2, in the project bakery."`},
		{in: arguments{"text": "The password is hunter2xyz, for staging"}, says: `Left out: password."`},
		{in: arguments{"text": " \n"}, says: "text must not be blank", refused: true},
		{in: arguments{}, says: "text is required", refused: true},
		{in: arguments{"text": "We bake", "kind": "gossip"}, says: "kind must be one of", refused: true},
		{in: arguments{"text": strings.Repeat("bread ", 2000)}, says: "at most 10000 characters", refused: true},
	} {
		r := respond(t, a, "remember", tc.in)
		if r.IsError != tc.refused || !strings.Contains(r.Text, tc.says) || strings.Contains(r.Text, "hunter2") {
			t.Errorf("%.80v: %.400s", tc.in, r.Text)
		}
	}
}

func TestWhatANewTextMakesUntrueIsSaid(t *testing.T) {
	a := openCore(t, tools.Access{}, "")
	call(t, a, "remember", `{"text":"We use Stripe for payments in the shop."}`)
	call(t, a, "remember", `{"text":"Mara owns the shop and signs off the design."}`)
	if got := string(call(t, a, "remember", `{"text":"The shop closes on Mondays."}`)); strings.Contains(got, "outdated") {
		t.Errorf("what stands beside it is called untrue: %s", got)
	}
	year := strconv.Itoa(time.Now().Year() + 2)
	if got := string(call(t, a, "remember", `{"text":"From 1 January `+year+` on we use Mollie for payments, no longer Stripe."}`)); strings.Contains(got, "outdated") {
		t.Errorf("what still holds is called outdated: %s", got)
	}
	if got := string(call(t, a, "remember", `{"text":"We moved to Mollie for payments."}`)); !strings.Contains(got, "insight 1 says") || !strings.Contains(got, "Stripe") {
		t.Errorf("what it makes untrue is not said: %s", got)
	}
}

func TestANewTextInThePlaceOfAnotherHasTheDayOfTheChange(t *testing.T) {
	a := heard(t, [][4]string{{"/srv/kiosk", "2026-03-01", "user", "We deploy on Fridays in this project."}})
	call(t, a, "update_insight", `{"id":1,"content":"We deploy on Wednesdays in this project.","reason":"it moved"}`)
	told := forPrompt(t, a, recall.PromptRequest{Prompt: "on which day do we deploy?", Project: []string{"folder:/srv/kiosk"}}).Text
	if !strings.Contains(told, "Wednesdays") || strings.Contains(told, "2026-03-01: “We deploy on Wednesdays") {
		t.Error(told)
	}
}
