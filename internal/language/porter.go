package language

import porter "github.com/blevesearch/go-porterstemmer"

// The text index stems by Porter's second algorithm, local vectors by his first:
// both are stored, so neither can take the other's place in an existing database.
// The first is a library's. Of all 4.6 million words tried (the 49,779 of the
// standard library's comments, every word of one to four letters, and 20
// beginnings with up to three endings behind them) it differs from the stemmer
// that made the vectors of earlier versions in the words below, which are nothing
// but endings. Snowball's own version of the first algorithm differs in 67 words
// of those comments (technology, possibly, grokking).
var bareEndings = map[string]string{"eed": "eed", "eeds": "eed", "ies": "i", "sses": "ss"}

// AppendVectorStem appends the stem under which local vectors know a folded word:
// that of its base form where it is irregular. Words with other characters than a
// to z stay as they are.
func AppendVectorStem(dst, word []byte) []byte {
	if base, irregular := known().vectorBases[string(word)]; irregular {
		word = []byte(base)
	}
	if stem, bare := bareEndings[string(word)]; bare {
		return append(dst, stem...)
	}
	letters := make([]rune, 0, maxWordRunes)
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return append(dst, word...)
		}
		letters = append(letters, rune(c))
	}
	for _, letter := range porter.StemWithoutLowerCasing(letters) {
		dst = append(dst, byte(letter))
	}
	return dst
}
