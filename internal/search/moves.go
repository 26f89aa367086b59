package search

import (
	"slices"

	"toolkit/internal/language"
)

// move is a plan that a later one puts on another day, by their places.
type move struct{ earlier, later int }

// findMoves returns the plans that later ones move: one that says so, and whose every word about its subject stands
// in the earlier. Of several the newest earlier one is meant. What is told in other words is left to Changes.
func findMoves(list []Statement) (moves []move) {
	for later := range list {
		l := &list[later]
		if l.Due == "" || !language.AnnouncesMove(l.Text) {
			continue
		}
		moved := slices.DeleteFunc(language.TermsOfMoved(l.Text, l.At.Local()), func(term string) bool { return !isSubjectTerm(term) })
		earlier := -1
		for i := range list {
			e := &list[i]
			if e.Due != "" && e.Due != l.Due && e.At.Before(l.At) && e.hasAllWords(moved) && (earlier < 0 || e.At.After(list[earlier].At)) {
				earlier = i
			}
		}
		if earlier >= 0 && !slices.ContainsFunc(moves, func(m move) bool { return m.earlier == earlier }) {
			moves = append(moves, move{earlier, later})
		}
	}
	return moves
}

// isSubjectTerm reports whether a term tells what is spoken of, as those of contentWords do.
func isSubjectTerm(term string) bool {
	return len(term) >= minWordLength && !language.IsStopWord(term) && !language.IsEveryday(term) && !language.IsWork(term) && !language.IsTime(term)
}

// hasAllWords reports whether a statement has all of some words, of which there is one at least.
func (s *Statement) hasAllWords(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !s.contentWords()[word] })
}
