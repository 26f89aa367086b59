package transcripts

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"toolkit/tools/memory/tags"
)

// Tag is the one tag around everything that this program puts into a session by
// itself, so that it is never captured as something said.
const Tag = "toolkit-recall"

// blocks are tags whose content nobody said: ours, and what clients add.
var blocks = []string{Tag, "system-reminder", "hook_context", "environment_context", "user_instructions", "permissions instructions", "session_context"}

var commands, injected, leading = tags.Of("command-name", "command-message", "command-args"), tags.Of(blocks...), tags.Of(
	"local-command-*", "task-notification", "bash-input", "bash-stdout", "bash-stderr", "user-prompt-submit-hook",
	"session-start-hook", "ide_*", "turn_aborted", "user_shell_command", "subagent_notification", "skill") // at the beginning of a text only: people write such tags too

// noise is a text of type user in a file that nobody typed, as clients write it.
var noise = regexp.MustCompile(`^(?:\[Request interrupted by user[^\n]*\]$|` +
	`Stop hook feedback:\s*(?:\n|[-\[])|PostToolUse:\S+ hook |UserPromptSubmit hook (?:success|additional context|blocking error)|SessionStart(?::\S+)? hook (?:success|additional context)|` +
	`# AGENTS\.md instructions[^\n]*\s*<INSTRUCTIONS>)`)

// continued begins the summary that stands for turns before a compaction.
const continued = "This session is being continued from a previous conversation"

// Prompt is what remains of a text that a hook heard when all that nobody said is
// taken away. What a client writes only into a file, somebody typed here.
func Prompt(text string) string {
	return strings.ToValidUTF8(spoken(text), "\uFFFD")
}

// mostNested bounds how often a text is looked through: what is taken away may
// leave a tag that was none before.
const mostNested = 8

// spoken is what remains of a text when all that nobody said is taken away.
func spoken(text string) string {
	text = strings.TrimSpace(text)
	for range mostNested {
		before := text
		text = strings.TrimSpace(without(typed(text), injected))
		if tag, ok := leading.First(text); ok && !tag.Closes {
			text = strings.TrimSpace(withoutFirst(text, leading))
		}
		if text == before {
			break
		}
	}
	if bareCommand.MatchString(text) {
		return ""
	}
	return text
}

// bareCommand is a command to the client, such as /compact. What stands behind one
// is the user's words.
var bareCommand = regexp.MustCompile(`^/[\pL\pN_:-]+$`)

// typed is a text that begins with a command, as a client writes it into a file,
// as it was typed: the command, its arguments and what follows.
func typed(text string) string {
	if tag, ok := commands.First(text); !ok || tag.Closes {
		return text
	}
	given, end := map[string]string{}, 0
	for _, b := range tags.Blocks(commands.In(text)) {
		if b.Open.End > 0 && b.Close.End > 0 {
			given[b.Open.Name], end = strings.TrimSpace(text[b.Open.End:b.Close.Start]), max(end, b.Close.End)
		}
	}
	return strings.TrimSpace(strings.TrimSpace(given["command-name"]+" "+given["command-args"]) + text[end:])
}

// without takes blocks out of a text. Of one of our own whose end is missing all
// goes, where it begins as a client writes it. Others whose end is missing stay: the
// user pasted or talks about them.
func without(text string, f tags.Finder) string {
	type part struct{ start, end int }
	var parts []part
	for _, b := range tags.Blocks(f.In(text)) {
		switch {
		case b.Open.End > 0 && b.Close.End > 0:
			parts = append(parts, part{b.Open.Start, b.Close.End})
		case b.Open.Name == Tag && startsLine(text, b.Open) && endsLine(text, b.Open):
			parts = append(parts, part{b.Open.Start, len(text)})
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	var kept strings.Builder
	end := 0
	for _, p := range parts {
		if p.start > end || p.start == 0 {
			kept.WriteString(text[end:max(p.start, end)] + "\n") // so that what stood around it does not join to a tag
		}
		end = max(end, p.end)
	}
	kept.WriteString(text[end:])
	return kept.String()
}

func startsLine(text string, t tags.Tag) bool {
	before := strings.TrimRight(text[:t.Start], " \t")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, `\n`) // also in JSON
}

func endsLine(text string, t tags.Tag) bool {
	after := strings.TrimLeft(text[t.End:], " \t\r")
	return after == "" || after[0] == '\n' || strings.HasPrefix(after, `\n`)
}

// withoutFirst takes away the block that a text begins with, like without.
func withoutFirst(text string, f tags.Finder) string {
	for _, b := range tags.Blocks(f.In(text)) {
		if b.Open.End > 0 && b.Open.Start == 0 && b.Close.End > 0 {
			return text[b.Close.End:]
		}
	}
	return text
}
