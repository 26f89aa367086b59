package orientation

import "strings"

var frequencies = wordSet("frequencies")

var (
	irregularParticiples = wordSet("participles")
	arrived              = wordSet("arrived")
	notResults           = wordSet("not results")
)

// isResultWord recognises what ends a named result: "published", "written", "live".
func isResultWord(word string) bool { return arrived(word) || isParticiple(word) }

// isParticiple recognises past participles, regular and irregular, and leaves out words
// that only look like one or that name damage instead of a result.
func isParticiple(word string) bool {
	word = word[strings.LastIndexByte(word, '-')+1:]
	return !notResults(word) && (len(word) > 4 && strings.HasSuffix(word, "ed") || irregularParticiples(word))
}

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	w := s.word(i)
	return s.ends(i) || prepositions(w) || isAdverb(w) || determiners(w)
}
