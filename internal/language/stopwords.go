package language

import "strings"

// Language is what a text is written in.
type Language int

// Languages.
const (
	Unknown Language = iota
	English
	German
	French
	Spanish
	languages
)

// DetectLanguage returns the language that has the most function words of a text, whose words may be
// folded or, better, as they are written: French and Spanish are told by their accents
// too. Those take two signs: English has La Paz and Los Angeles.
func DetectLanguage(words []string) Language {
	var votes [languages]int
	for _, word := range words {
		addLanguageVotes(&votes, word)
	}
	for l := French; l < languages; l++ {
		if votes[l] < 2 {
			votes[l] = 0
		}
	}
	most := Unknown
	for l := English; l < languages; l++ {
		if votes[l] > votes[most] {
			most = l
		}
	}
	for l := English; l < languages; l++ {
		if l != most && votes[l] == votes[most] {
			return Unknown
		}
	}
	return most
}

func addLanguageVotes(votes *[languages]int, word string) {
	k := known()
	if !IsASCII(word) {
		if strings.ContainsAny(word, "àâçèêëîïôûùœ") {
			votes[French]++
		}
		if strings.ContainsAny(word, "ñáíóú") {
			votes[Spanish]++
		}
	}
	word = normalizeWord(word)
	for l := English; l < languages; l++ {
		if k.stopWords[l][word] && (l == English || !k.undecided[word]) {
			votes[l]++
		}
	}
}

// IsGrammar reports whether a folded word of a text carries no content at all:
// stop words, and those that only a question cannot spare.
func (l Language) IsGrammar(word string) bool { return l.IsStopWord(word) || known().grammar[word] }

// IsStopWord reports whether a folded word carries grammar rather than content in
// a text of the language, an unknown one taken as English.
func (l Language) IsStopWord(word string) bool {
	return known().stopWords[max(l, English)][word]
}

// IsStopWord reports whether a folded word carries grammar rather than content,
// in English or in German.
func IsStopWord(word string) bool {
	return English.IsStopWord(word) || German.IsStopWord(word)
}
