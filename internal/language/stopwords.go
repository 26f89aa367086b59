package language

// Language is what a text is written in.
type Language int

// Languages.
const (
	Unknown Language = iota
	English
	German
)

// Of counts the function words that only one of the languages has.
func Of(words []string) Language {
	votes, k := 0, known()
	for _, word := range words {
		english, german := k.english[word], k.german[word]
		switch {
		case english && !german:
			votes++
		case german && !english && !k.undecided[word]:
			votes--
		}
	}
	switch {
	case votes > 0:
		return English
	case votes < 0:
		return German
	}
	return Unknown
}

// IsGrammar reports whether a folded word of a text carries no content at all:
// stop words, and those that only a question cannot spare.
func (l Language) IsGrammar(word string) bool { return l.IsStopWord(word) || known().grammar[word] }

// IsStopWord reports whether a folded word carries grammar rather than content in
// a text of the language, an unknown one taken as English.
func (l Language) IsStopWord(word string) bool {
	if l == German {
		return known().german[word]
	}
	return known().english[word]
}

// IsStopWord reports whether a folded word carries grammar rather than content,
// in English or in German.
func IsStopWord(word string) bool {
	return known().english[word] || known().german[word]
}

// IsLight reports whether a folded word weighs little in a local vector.
func IsLight(word []byte) bool { return known().light[string(word)] }
