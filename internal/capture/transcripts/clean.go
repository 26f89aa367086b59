package transcripts

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/capture/redact"
	"toolkit/internal/lazyregexp"
)

// Tag is the one tag around everything that this program puts into a session by
// itself, so that it is never captured as something said.
const Tag = "toolkit-recall"

// blocks are tags whose content nobody said: ours, and what clients add.
var blocks = []string{Tag, "system-reminder", "hook_context", "environment_context", "user_instructions", "permissions instructions", "session_context",
	"ide_opened_file", "ide_selection", "ide_diagnostics"}

var commands, injected, leading = redact.NewTagFinder("command-name", "command-message", "command-args"), redact.NewTagFinder(blocks...), redact.NewTagFinder(
	"local-command-*", "task-notification", "bash-input", "bash-stdout", "bash-stderr", "user-prompt-submit-hook",
	"session-start-hook", "ide_*", "turn_aborted", "user_shell_command", "subagent_notification", "skill",
	"teammate-message", "cross-session-message", "agent-message", "collaboration_mode", "skills_instructions", "plugins_instructions", "apps_instructions", "model_switch", "user_action") // at the beginning of a text only: people write such tags too

// noise is a text of type user in a file that nobody typed, as clients write it.
var noise = lazyregexp.New(`^(?:\[Request interrupted by user[^\n]*\]$|` +
	`Stop hook feedback:\s*(?:\n|[-\[])|PostToolUse:\S+ hook |UserPromptSubmit hook (?:success|additional context|blocking error)|SessionStart(?::\S+)? hook (?:success|additional context)|` +
	`# AGENTS\.md instructions[^\n]*\s*<INSTRUCTIONS>|# Context from my IDE setup:\n|` +
	`(?:Another Claude|A peer) session sent a message[^\n]*:\s*\n|The coordinator sent a message while you were working:\s*\n|` +
	`Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context)|` +
	`Another language model started to solve this problem and produced a summary)`)

// relayed begins a message of another session, with what its client says of it.
var relayed = lazyregexp.New(`^[^\n]{0,80}session sent a message[^\n]{0,80}:\s*<(?:cross-session|teammate|agent)-message[\s>]`)

// instructions are those of a project, and what an editor shows, before what was typed.
var (
	instructions = lazyregexp.New(`^(?s:# AGENTS\.md instructions[^\n]*\s*<INSTRUCTIONS>.*?</INSTRUCTIONS>)`)
	editor       = lazyregexp.New(`^(?s:# Context from my IDE setup:\s.*?\n#+ My request for Codex:)`)
)

// continued begins the summary that stands for turns before a compaction.
const continued = "This session is being continued from a previous conversation"

// CleanPrompt is what remains of a text that a hook heard when all that nobody said is
// taken away. What a client writes only into a file, somebody typed here.
func CleanPrompt(text string) string {
	return strings.ToValidUTF8(stripInjected(text), "\uFFFD")
}

// maxTagPasses bounds how often a text is looked through: what is taken away may
// leave a tag that was none before.
const maxTagPasses = 8

// stripInjected returns what remains of a text when all that nobody said is taken away.
func stripInjected(text string) string {
	text = strings.TrimSpace(text)
	for range maxTagPasses {
		before := text
		if relayed().MatchString(text) {
			return ""
		}
		text = strings.TrimSpace(removeTagBlocks(restoreTypedCommand(text), injected))
		if tag, ok := leading.FindLeadingTag(text); ok && !tag.Closes {
			text = removeLeadingTagBlocks(text, leading)
		}
		text = strings.TrimSpace(editor().ReplaceAllString(instructions().ReplaceAllString(text, ""), ""))
		if text == before {
			break
		}
	}
	if bareCommand().MatchString(text) {
		return ""
	}
	return text
}

// bareCommand is a command to the client, such as /compact. What stands behind one
// is the user's words.
var bareCommand = lazyregexp.New(`^/[\pL\pN_:-]+$`)

// restoreTypedCommand is a text that begins with a command, as a client writes it into a file,
// as it was typed: the command, its arguments and what follows.
func restoreTypedCommand(text string) string {
	if tag, ok := commands.FindLeadingTag(text); !ok || tag.Closes {
		return text
	}
	given, end := map[string]string{}, 0
	for _, b := range redact.PairTags(commands.FindTags(text)) {
		if b.Open.End > 0 && b.Close.End > 0 {
			given[b.Open.Name], end = strings.TrimSpace(text[b.Open.End:b.Close.Start]), max(end, b.Close.End)
		}
	}
	return strings.TrimSpace(strings.TrimSpace(given["command-name"]+" "+given["command-args"]) + text[end:])
}

// removeTagBlocks takes blocks out of a text. Of one of our own whose end is missing all
// goes, where it begins as a client writes it. Others whose end is missing stay: the
// user pasted or talks about them.
func removeTagBlocks(text string, f redact.TagFinder) string {
	type part struct{ start, end int }
	var parts []part
	for _, b := range redact.PairTags(f.FindTags(text)) {
		switch {
		case b.Open.End > 0 && b.Close.End > 0:
			parts = append(parts, part{b.Open.Start, b.Close.End})
		case b.Open.Name == Tag && isAtLineStart(text, b.Open) && isAtLineEnd(text, b.Open):
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

func isAtLineStart(text string, t redact.Tag) bool {
	before := strings.TrimRight(text[:t.Start], " \t")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, `\n`) // also in JSON
}

func isAtLineEnd(text string, t redact.Tag) bool {
	after := strings.TrimLeft(text[t.End:], " \t\r")
	return after == "" || after[0] == '\n' || strings.HasPrefix(after, `\n`)
}

// removeLeadingTagBlocks takes away the blocks that a text begins with, like without.
func removeLeadingTagBlocks(text string, f redact.TagFinder) string {
	ends := map[int]int{} // of blocks, by where they begin
	for _, b := range redact.PairTags(f.FindTags(text)) {
		if b.Open.End > 0 && b.Close.End > 0 {
			ends[b.Open.Start] = b.Close.End
		}
	}
	at := 0
	for end, ok := ends[0]; ok; end, ok = ends[at] {
		rest := strings.TrimLeft(text[end:], " \t\r\n")
		at = len(text) - len(rest)
	}
	return text[at:]
}
