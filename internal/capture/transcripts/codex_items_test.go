package transcripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Lines of a rollout.
func codexEvent(second int, speaker, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:%02d.500Z","type":"event_msg","payload":{"type":%q,"message":%q}}`, second, map[string]string{User: "user_message", Assistant: "agent_message"}[speaker], text) + "\n"
}

func codexMessage(second int, role string, parts ...string) string {
	kind := map[string]string{Assistant: "output_text"}[role]
	if kind == "" {
		kind = "input_text"
	}
	var list []string
	for _, part := range parts {
		list = append(list, fmt.Sprintf(`{"type":%q,"text":%q}`, kind, part))
	}
	return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:%02d.000Z","type":"response_item","payload":{"type":"message","role":%q,"content":[%s]}}`, second, role, strings.Join(list, ",")) + "\n"
}

func TestMessageOfCodexIsReadOnceInWhateverForm(t *testing.T) {
	const head = `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"c1","cwd":"/srv/shop"}}` + "\n"
	const environment = "<environment_context>\n  <cwd>/srv/shop</cwd>\n</environment_context>"
	const agents = "# AGENTS.md instructions for /srv/shop\n\n<INSTRUCTIONS>\nBe brief\n</INSTRUCTIONS>"
	const summary = "The user wants rye bread; flour is bought and the oven is hot."
	call := `{"timestamp":"2026-03-02T09:00:02.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}"}}` + "\n"
	compacted := `{"timestamp":"2026-03-02T09:00:20.000Z","type":"compacted","payload":{"message":"Another language model started to solve this problem and produced a summary.\n` + summary + `"}}` + "\n"
	both := codexMessage(1, User, "Bake") + codexEvent(1, User, "Bake") + call + codexEvent(3, Assistant, "Baked.") + codexMessage(3, Assistant, "Baked.")
	for name, tc := range map[string]struct {
		content string
		want    []string
	}{
		"items only":                      {codexMessage(1, "developer", "Sandbox") + codexMessage(1, User, agents, environment) + codexMessage(1, User, "Bake") + call + codexMessage(3, Assistant, "Baked."), []string{"user: Bake", "assistant: Baked. [ls]"}},
		"items with context before words": {codexMessage(1, User, environment, "Bake"), []string{"user: Bake"}},
		"events only":                     {codexEvent(1, User, "Bake") + call + codexEvent(3, Assistant, "Baked."), []string{"user: Bake", "assistant: Baked. [ls]"}},
		"both":                            {both, []string{"user: Bake", "assistant: Baked. [ls]"}},
		"both, twice the same":            {both + strings.ReplaceAll(both, "09:00:", "09:01:"), []string{"user: Bake", "assistant: Baked. [ls]", "user: Bake", "assistant: Baked. [ls]"}},
		"both, the answer's item first":   {codexEvent(1, User, "Bake") + codexMessage(1, User, "Bake") + codexMessage(3, Assistant, "Baked.") + codexEvent(3, Assistant, "Baked."), []string{"user: Bake", "assistant: Baked."}},
		"the item holds more":             {codexMessage(1, User, "Bake", "<image name=x>") + codexEvent(1, User, "Bake"), []string{"user: Bake\n<image name=x>"}},
		"events of the user only":         {codexMessage(1, User, "Bake") + codexEvent(1, User, "Bake") + codexMessage(3, Assistant, "Baked.") + codexMessage(4, Assistant, "Done."), []string{"user: Bake", "assistant: Baked.", "assistant: Done."}},
		"items, then both":                {codexMessage(1, User, "Bake") + codexMessage(3, Assistant, "Baked.") + codexMessage(30, User, "More") + codexEvent(30, User, "More") + codexEvent(31, Assistant, "Yes.") + codexMessage(31, Assistant, "Yes."), []string{"user: Bake", "assistant: Baked.", "user: More", "assistant: Yes."}},
		"the summary of a compaction":     {codexMessage(1, User, "Bake") + codexMessage(3, Assistant, "Baked.") + codexMessage(19, Assistant, summary) + compacted + codexMessage(21, User, "More"), []string{"user: Bake", "assistant: Baked.", ": ", "user: More"}},
	} {
		t.Run(name, func(t *testing.T) {
			content := head + tc.content
			read := func(turns []Turn) (got []string) {
				for _, turn := range turns {
					text := turn.Speaker + ": " + turn.Text
					if len(turn.Commands) > 0 {
						text += fmt.Sprint(" ", turn.Commands)
					}
					got = append(got, text)
				}
				return got
			}
			turns, report := readAll(t, write(t, "rollout-1.jsonl", []byte(content)), 0)
			if diff := cmp.Diff(tc.want, read(turns)); diff != "" {
				t.Fatalf("%s%+v", diff, report)
			}
			if strings.Contains(tc.content, "compacted") { // that an item is a summary is seen when it is used
				return
			}
			lines := strings.SplitAfter(content, "\n")
			for n := 1; n < len(lines); n++ { // a reading may end anywhere
				first, report := readAll(t, write(t, "rollout-1.jsonl", []byte(strings.Join(lines[:n], ""))), 0)
				rest, _ := readAll(t, write(t, "rollout-1.jsonl", []byte(content)), report.Offset)
				if diff := cmp.Diff(tc.want, read(append(first, rest...))); diff != "" {
					t.Errorf("after %d lines: %s", n, diff)
				}
			}
		})
	}
}
