package extract

import (
	"regexp"
	"strings"
	"sync"
)

// span is a part of a text, in bytes.
type span struct{ from, to int }

// said gives the parts of a turn that its speaker says: without code, quoted lines, logs,
// output of commands, mails and letters.
func said(text string) (parts []span) {
	lines := cutLines(text)
	for i := 0; i < len(lines); i++ {
		switch line := lines[i]; {
		case mailHead().MatchString(line.text): // a mail is pasted to the end
			return parts
		case fence(line.text) != "":
			i = skipTo(lines, i, func(next string) bool { return fence(next) == fence(line.text) })
		case strings.HasPrefix(line.text, "$ "):
			i = skipTo(lines, i, func(next string) bool { return next == "" })
		case greets(line.text):
			i = letterEnd(lines, i)
			if i < len(lines) && !closes(lines[i].text) {
				parts = append(parts, line.span)
			}
		case line.text != "" && !pasted(line):
			parts = append(parts, line.span)
		}
	}
	return join(text, parts)
}

// line is a line without the blanks around it.
type line struct {
	span
	text   string
	indent bool
}

func cutLines(text string) (lines []line) {
	at := 0
	for raw := range strings.Lines(text) {
		lines = append(lines, line{
			span: span{at, at + len(raw)}, text: strings.TrimSpace(raw),
			indent: strings.HasPrefix(raw, "\t") || strings.HasPrefix(raw, "    "),
		})
		at += len(raw)
	}
	return lines
}

// skipTo finds the line that ends a block which begins at i, or the last one.
func skipTo(lines []line, i int, ends func(string) bool) int {
	for i++; i < len(lines) && !ends(lines[i].text); i++ {
	}
	return i
}

// join makes one part of neighbouring lines.
func join(text string, parts []span) (joined []span) {
	for _, part := range parts {
		if last := len(joined) - 1; last >= 0 && joined[last].to == part.from {
			joined[last].to = part.to
		} else {
			joined = append(joined, part)
		}
	}
	return joined
}

func fence(line string) string {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		return line[:3]
	}
	return ""
}

var mailHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(-{3,} ?(original|forwarded|urspr)|(from|subject|von|betreff|de|objet|asunto): \S|(on|am|le|el) .{6,80} (wrote|schrieb|a écrit|escribió):$)`)
})

var logLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[0-9a-f]{7,40} |at \S+\(|goroutine \d|panic: |Traceback|File "|\w+(Error|Exception): |\S+ ERR! |(\S+ ){0,4}(ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b)`)
})

// pasted tells a line that was not typed to somebody.
func pasted(l line) bool {
	if l.indent || logLine().MatchString(l.text) {
		return true
	}
	for _, opening := range []string{">", "|", "//", "/*", "#!", "<", "{", "}", "%", "+ ", "+\t", "@@", "-  ", "- //", "--- ", "+++ "} {
		if strings.HasPrefix(l.text, opening) {
			return true
		}
	}
	return strings.HasSuffix(l.text, "{") || strings.HasSuffix(l.text, "}") || strings.HasSuffix(l.text, ";")
}

// Bounds of a letter: a greeting and a closing are short lines, and a letter is not a book.
const (
	longestGreeting = 60
	longestLetter   = 200
)

// greets reports whether a line may open a letter: "Dear all,".
func greets(line string) bool { return opensWith(line, "greetings") && strings.HasSuffix(line, ",") }

func closes(line string) bool { return opensWith(line, "closings") }

func opensWith(line, list string) bool {
	if len(line) > longestGreeting {
		return false
	}
	read := sentences(line, 0, len(line))
	return len(read) > 0 && read[0].phraseAt(0, list) > 0
}

// letterEnd finds the closing of the letter that may begin at i; i itself when it is no letter.
func letterEnd(lines []line, i int) int {
	for k := i + 1; k < min(len(lines), i+longestLetter); k++ {
		if greets(lines[k].text) { // that one has its own closing
			return i
		}
		if closes(lines[k].text) {
			return k
		}
	}
	return i
}
