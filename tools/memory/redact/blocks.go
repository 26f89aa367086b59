package redact

import "strings"

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
