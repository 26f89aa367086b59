package transcripts

import (
	"html"
	"strings"
	"testing"
)

func TestWhatPeopleSayOfTagsStays(t *testing.T) {
	for _, text := range []string{
		"Look at `<system-reminder>` handling; we decided to drop it. Keep this", "Look at <system-reminder> handling, keep this", "what is `<hook_context>`? Keep this",
		"see &lt;toolkit-recall, keep this", "The tag <toolkit-recall> is what you look for.\nKeep this", "`<toolkit-recall>` opens and `</toolkit-recall>` closes",
		"# AGENTS.md instructions are wrong, keep this", "Stop hook feedback: keep this", "[Request interrupted by user] is what I see", "<command-name> is a tag, keep this",
		"PostToolUse: when does it run?", "UserPromptSubmit hook fails", "I wrote <skill>baking</skill> there", "What does </toolkit-recall> end?",
	} {
		if got := spoken(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestWhatNobodySaidGoesHoweverItIsWritten(t *testing.T) {
	notes := "<" + Tag + ">\nNotes: rye\n- more rye\n</" + Tag + ">"
	once := html.EscapeString(notes)
	for name, written := range map[string]string{
		"as it is": notes, "escaped": once, "escaped twice": html.EscapeString(once), "in upper case": strings.ToUpper(notes), "in numbers": strings.NewReplacer("<", "&#60;", ">", "&#x3E;").Replace(notes),
		"in JSON": strings.NewReplacer("<", `\u003c`, ">", `\u003E`, "\n", `\n`).Replace(notes), "quoted": "\n> " + strings.ReplaceAll(notes, "\n", "\n> "),
		"with spaces": strings.NewReplacer("<", "< ", ">", " >").Replace(notes), "of a client": "<System-Reminder why='x'>rye</system-reminder>", "two": notes + notes,
		"in one of a client": "<hook_context>" + once + "</hook_context>", "with characters that nobody sees": strings.ReplaceAll(notes, "toolkit", "tool\u200bkit"),
	} {
		got := spoken("real " + written + " words")
		if strings.Contains(strings.ToLower(got), "rye") || !strings.HasPrefix(got, "real") || !strings.HasSuffix(got, "words") {
			t.Errorf("%s: %q", name, got)
		}
	}
	for text, want := range map[string]string{
		"real words\n<system-reminder>\nrye": "real words", "rye\n</toolkit-recall> words": "words", "<ide_opened_file>rye</ide_opened_file> words": "words",
		"<command-name>/rye</command-name>\n<command-args>rye</command-args>": "", "<turn_aborted>\nrye": "", "Stop hook feedback:\n- rye": "",
		"# AGENTS.md instructions for /srv/rye\n\n<INSTRUCTIONS>\nrye": "", "[Request interrupted by user for tool use]": "", "PostToolUse:Edit hook additional context: rye": "",
	} {
		if got := spoken(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestATextOfManyTagsTakesNoLongTime(t *testing.T) {
	for _, text := range []string{strings.Repeat("<system-reminder>", 1<<16), strings.Repeat("</toolkit-recall>\n", 1<<16), strings.Repeat("<skill>\n", 1<<16), strings.Repeat("<", 1<<20)} {
		if got := spoken(text); len(got) > len(text) {
			t.Errorf("%d bytes of %d", len(got), len(text))
		}
	}
}
