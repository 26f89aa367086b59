package search

import (
	"slices"
	"strings"

	"toolkit/internal/language"
)

// FindNamedSpeaker gives the one of the speakers whom the query names, in every
// spelling in which it stands among them; none when the query names nobody, or
// more than one. A speaker is named by the whole name or, where that finds
// nobody, by its first word.
func (q *Query) FindNamedSpeaker(speakers []string) []string {
	if named, ok := findOnlySpeaker(speakers, func(name []string) bool { return q.containsWords(name...) }); ok {
		return named
	}
	named, _ := findOnlySpeaker(speakers, func(name []string) bool { return q.containsWords(name[0]) })
	return named
}

// MarkSpeakerNames gives the spellings of the one speaker whom the query names, and from here
// on weighs the words of the name as such.
func (s *Scorer) MarkSpeakerNames(speakers []string) []string {
	named := s.query.FindNamedSpeaker(speakers)
	for _, speaker := range named {
		for _, word := range language.Words(speaker) {
			for t, term := range s.query.Terms {
				s.name[t] = s.name[t] || term.Word == word
			}
		}
	}
	return named
}

func (q *Query) containsWords(words ...string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(q.Words, word) })
}

// findOnlySpeaker gives the spellings of the only speaker whose name fits. It is not
// ok when no name fits.
func findOnlySpeaker(speakers []string, fits func(name []string) bool) (spellings []string, ok bool) {
	found := ""
	for _, speaker := range speakers {
		name := language.Words(speaker)
		if len(name) == 0 || !fits(name) {
			continue
		}
		if folded := strings.Join(name, " "); found == "" {
			found = folded
		} else if folded != found {
			return nil, true
		}
		if !slices.Contains(spellings, speaker) {
			spellings = append(spellings, speaker)
		}
	}
	return spellings, found != ""
}
