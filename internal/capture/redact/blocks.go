package redact

import (
	"context"
	"strings"

	"toolkit/internal/lazyregexp"
)

// RedactPrivateKeys returns a text without private keys, whole or cut off. Take them out before a passage is cut from the
// text: a part from within a key is not recognised. Where there is none it costs a search.
func RedactPrivateKeys(whole string) string {
	if !strings.Contains(whole, "PRIVATE KEY") && !strings.Contains(whole, "PuTTY-User-Key-File-") {
		return whole
	}
	t := newText(context.Background(), whole)
	found := findPrivateKeys(t)
	sortSpans(found)
	clean, _ := t.redactSpans(found)
	return clean
}

// findPrivateKeys finds keys in the form of PEM, of SSH2 and of PuTTY. One that is cut off
// goes to the end, or from the beginning.
func findPrivateKeys(t *text) []span {
	found := append(findKeyBlocks(t, "-----begin ", "-----end ", "-----"), findKeyBlocks(t, "---- begin ", "---- end ", " ----")...)
	if strings.Contains(t.lower, "private key") {
		for _, m := range keyTail().FindAllStringIndex(t.lower, -1) {
			found = append(found, span{m[1] - len(strings.TrimPrefix(t.lower[m[0]:m[1]], "…")), m[1], "private key"})
		}
	}
	if start := strings.Index(t.lower, "putty-user-key-file-"); start >= 0 {
		found = append(found, span{start, len(t.whole), "private key"})
	}
	return found
}

// findKeyBlocks finds private keys between two lines.
func findKeyBlocks(t *text, begin, finish, dashes string) (found []span) {
	for at := 0; ; {
		start := indexFrom(t.lower, at, begin)
		if start < 0 {
			return found
		}
		head, _, _ := strings.Cut(t.lower[start:min(len(t.lower), start+200)], "\n")
		if !strings.Contains(head, "private key") {
			at = start + 1
			continue
		}
		end := indexFrom(t.lower, start, finish)
		if end < 0 {
			end = len(t.whole)
		} else if n := strings.Index(t.lower[end+len(finish):], dashes); n >= 0 && n < 200 {
			end += len(finish) + n + len(dashes)
		}
		found = append(found, span{start, end, "private key"})
		at = end
	}
}

// keyTail is a key whose beginning is missing: lines of base64 before the mark that ends one, the first of which
// may be cut off where the text begins, or all that there is.
var keyTail = lazyregexp.New(`(?:(?:^|…)[a-z0-9+/=\\]+[\s>|]*)?(?:[a-z0-9+/=\\]{40,}[\s>|]*)+(?:[a-z0-9+/=\\]{1,39}[\s>|]*){0,2}` + keyEnd + `|(?:^|…)[a-z+/=]*[0-9][a-z0-9+/=]*\s+` + keyEnd)

const keyEnd = `-{4,5} ?end [a-z0-9 ]{0,40}private key(?: block)?(?: ?-{4,5})?`

func indexFrom(text string, from int, what string) int {
	if i := strings.Index(text[min(from, len(text)):], what); i >= 0 {
		return from + i
	}
	return -1
}
