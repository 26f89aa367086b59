package recall

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"toolkit/internal/language"
)

// What a session was shown before is not told to it again: neither a note, by its fingerprint, nor
// a sentence of one.

// wasShown reports whether a note was shown before.
func (t *noteWriter) wasShown(n note) bool {
	return t.request.Shown != nil && slices.ContainsFunc(n.fingerprints, t.request.Shown)
}

// normalizeText returns a text as it is compared with another.
func normalizeText(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// removeShownSentences returns the sentences of a text that were not told.
func removeShownSentences(shown map[string]bool, text string) string {
	var rest []string
	for _, sentence := range language.Sentences(text) {
		if !isShown(shown, sentence) {
			rest = append(rest, sentence)
		}
	}
	return strings.Join(rest, " ")
}

// isShown reports whether all of a text stands in one that was told.
func isShown(shown map[string]bool, text string) bool {
	text = normalizeText(text)
	for other := range shown {
		if strings.Contains(other, strings.TrimRight(text, ".!")) {
			return true
		}
	}
	return false
}

// fingerprint stands for what a note says.
func fingerprint(r ranked) string { return hashText(r.Ref(), r.Text) }

// Fingerprint stands for a thing that is shown whole and never changes, such as an
// insight, by its ref.
func Fingerprint(ref string) string { return hashText(ref, "") }

func hashText(ref, text string) string {
	h := fnv.New64a()
	fmt.Fprint(h, ref, "\x00", text)
	return fmt.Sprintf("%016x", h.Sum64())
}
