package redact

import "toolkit/tools/memory/tags"

const privateKind = "private"

var marks = tags.Of("private")

// private finds what the user marked. Where a mark is missing, what was opened
// goes to the end, and what was closed goes from the beginning.
func private(t *text) (found []span) {
	for _, b := range tags.Blocks(marks.In(t.whole)) {
		s := span{b.Open.Start, b.Close.End, privateKind}
		if s.end == 0 {
			s.end = len(t.whole)
		}
		found = append(found, s)
	}
	return found
}

// Private tells whether something private is open behind a text, when it is told
// whether it was before: what follows in the same conversation belongs to it.
func Private(whole string, open bool) bool {
	found := marks.In(whole)
	if len(found) > 0 {
		open = !found[len(found)-1].Closes
	}
	return open
}
