package redact

import (
	"context"
	"strings"
	"unicode"
)

// RemoveKeys is a text without private keys, whole or cut off. Take them out before a passage is cut from the
// text: a part from within a key is not recognised. Where there is none it costs a search.
func RemoveKeys(whole string) string {
	if !strings.Contains(whole, "PRIVATE KEY") && !strings.Contains(whole, "PuTTY-User-Key-File-") {
		return whole
	}
	t := newText(context.Background(), whole)
	found := findPrivateKeys(t)
	sortSpans(found)
	clean, _ := t.removeSpans(found)
	return clean
}

// findPrivateKeys finds keys in the form of PEM, of SSH2 and of PuTTY. One that is cut off
// goes to the end, or from the beginning.
func findPrivateKeys(t *text) []span {
	found := append(findKeyBlocks(t, "-----begin ", "-----end ", "-----"), findKeyBlocks(t, "---- begin ", "---- end ", " ----")...)
	if start := strings.Index(t.lower, "putty-user-key-file-"); start >= 0 {
		found = append(found, span{start, len(t.whole), "private key"})
	}
	return found
}

// findKeyBlocks finds private keys between two lines.
func findKeyBlocks(t *text, begin, finish, dashes string) (found []span) {
	for at := 0; ; {
		start := indexAfter(t.lower, at, begin)
		if start < 0 {
			return append(found, t.findKeyTails(at, len(t.lower), finish)...)
		}
		found = append(found, t.findKeyTails(at, start, finish)...)
		head, _, _ := strings.Cut(t.lower[start:min(len(t.lower), start+200)], "\n")
		if !strings.Contains(head, "private key") {
			at = start + 1
			continue
		}
		end := indexAfter(t.lower, start, finish)
		if end < 0 {
			end = len(t.whole)
		} else if n := strings.Index(t.lower[end+len(finish):], dashes); n >= 0 && n < 200 {
			end += len(finish) + n + len(dashes)
		}
		found = append(found, span{start, end, "private key"})
		at = end
	}
}

// minKeyLine is how many characters a line of a key has, but for its last two.
const minKeyLine = 40

// findKeyTails finds, between two places, keys whose beginning is missing: lines of base64 before the mark.
func (t *text) findKeyTails(from, to int, finish string) (found []span) {
	for {
		end := indexAfter(t.lower[:to], from, finish)
		if end < 0 {
			return found
		}
		name, _, _ := strings.Cut(t.lower[end+len(finish):min(to, end+200)], "-----")
		if start := t.keyTailStart(from, end); start < end && strings.Contains(name, "private key") {
			end += len(finish) + len(name)
			dashes := t.lower[end:min(to, end+5)]
			found = append(found, span{start, end + len(dashes) - len(strings.TrimLeft(dashes, "-")), "private key"})
		}
		from = min(to, end+len(finish))
	}
}

// keyTailStart is where the lines of a key that end at a place begin; the place itself where none does.
func (t *text) keyTailStart(from, end int) int {
	start, short := end, 0
	for at := end; at > from && short < 2; {
		line := strings.TrimRightFunc(t.lower[from:at], func(c rune) bool { return unicode.IsSpace(c) || c == '>' || c == '|' })
		rest := strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz+/=\\"+digits)
		at = from + len(rest)
		switch length := len(line) - len(rest); {
		case length >= minKeyLine, length > 0 && (rest == "" || strings.HasSuffix(rest, "…")) && (start < end || strings.ContainsAny(line[len(rest):], digits)):
			start = at
		case length == 0 || start < end:
			return start
		default:
			short++
		}
	}
	return start
}

func indexAfter(text string, from int, what string) int {
	if i := strings.Index(text[min(from, len(text)):], what); i >= 0 {
		return from + i
	}
	return -1
}
