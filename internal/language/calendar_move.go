package language

import (
	"slices"
	"strings"
	"time"
)

// AnnouncesMove reports whether a text says that something takes place on another day than was said before.
func AnnouncesMove(text string) bool { return hasListedWord(text, "moving words") }

// TermsOfMoved are the index terms of what a text moves to another day: those of its words but for days, times and
// what says that it is moved.
func TermsOfMoved(text string, reference time.Time) []string {
	days := readPlanDays(text, midnight(reference))
	var words []string
	for _, word := range SurfaceWords(text) {
		folded := Fold(word)
		named := slices.ContainsFunc(days, func(n DateRange) bool { return slices.Contains(strings.Fields(n.words), folded) })
		if !named && !isWeekdayName(folded) && !isListed("moving words", folded) && !strings.ContainsAny(folded, "0123456789") {
			words = append(words, word)
		}
	}
	return Terms(strings.Join(words, " "))
}
