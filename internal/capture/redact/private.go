package redact

const privateKind = "private"

var privateTags = NewTagFinder("private")

// findPrivateBlocks finds what the user marked. Where a mark is missing, what was opened
// goes to the end, and what was closed goes from the beginning.
func findPrivateBlocks(t *text) (found []span) {
	for _, b := range PairTags(privateTags.FindTags(t.whole)) {
		s := span{b.Open.Start, b.Close.End, privateKind}
		if s.end == 0 {
			s.end = len(t.whole)
		}
		found = append(found, s)
	}
	return found
}

// IsPrivateOpen tells whether something private is open behind a text, when it is told
// whether it was before: what follows in the same conversation belongs to it.
func IsPrivateOpen(whole string, open bool) bool {
	found := privateTags.FindTags(whole)
	if len(found) > 0 {
		open = !found[len(found)-1].Closes
	}
	return open
}
