package redact

import "strings"

// findPrivateKeys finds keys in the form of PEM, of SSH2 and of PuTTY. One that is cut off
// goes to the end.
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
			return found
		}
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

func indexAfter(text string, from int, what string) int {
	if i := strings.Index(text[min(from, len(text)):], what); i >= 0 {
		return from + i
	}
	return -1
}
