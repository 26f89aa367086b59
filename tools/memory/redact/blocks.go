package redact

import "strings"

// private finds what the user marked, also escaped as in HTML. Marks may stand
// inside each other; what is never closed goes to the end.
func private(t *text) []span {
	var found []span
	depth, start := 0, 0
	for at := 0; at < len(t.lower); {
		next := strings.IndexAny(t.lower[at:], "<&")
		if next < 0 {
			break
		}
		at += next
		length, closes := mark(t.lower[at:])
		switch {
		case length == 0:
			at++
			continue
		case !closes:
			if depth++; depth == 1 {
				start = at
			}
		case depth > 0:
			if depth--; depth == 0 {
				found = append(found, span{start, at + length, "private"})
			}
		}
		at += length
	}
	if depth > 0 {
		found = append(found, span{start, len(t.whole), "private"})
	}
	return found
}

// mark is the length of the mark that a text begins with, 0 when it is none.
func mark(text string) (length int, closes bool) {
	for _, m := range []struct {
		text   string
		closes bool
	}{{"<private>", false}, {"</private>", true}, {"&lt;private&gt;", false}, {"&lt;/private&gt;", true}} {
		if strings.HasPrefix(text, m.text) {
			return len(m.text), m.closes
		}
	}
	return 0, false
}

// privateKeys finds keys in the form of PEM and of PuTTY. One that is cut off
// goes to the end.
func privateKeys(t *text) []span {
	var found []span
	for at := 0; ; {
		start := indexAfter(t.lower, at, "-----begin ")
		if start < 0 {
			break
		}
		head, _, _ := strings.Cut(t.lower[start:min(len(t.lower), start+200)], "\n")
		if !strings.Contains(head, "private key") {
			at = start + 1
			continue
		}
		end := indexAfter(t.lower, start, "-----end ")
		if end < 0 {
			end = len(t.whole)
		} else if close := strings.Index(t.lower[end+9:], "-----"); close >= 0 && close < 200 {
			end += 9 + close + 5
		}
		found = append(found, span{start, end, "private key"})
		at = end
	}
	if start := strings.Index(t.lower, "putty-user-key-file-"); start >= 0 {
		found = append(found, span{start, len(t.whole), "private key"})
	}
	return found
}

func indexAfter(text string, from int, what string) int {
	if i := strings.Index(text[min(from, len(text)):], what); i >= 0 {
		return from + i
	}
	return -1
}
