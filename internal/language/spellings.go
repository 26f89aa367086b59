package language

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Letters that are written as two where a keyboard lacks them.
var (
	separateLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "œ", "oe", "æ", "ae")
	ligature        = strings.NewReplacer("oe", "œ", "ae", "æ")
)

// minDigraphRunes is the shortest word in which two letters are read as one.
const minDigraphRunes = 4

// OtherSpellings are the other ways to write a word: Muehle and Mühle, coeur and cœur.
func OtherSpellings(written string, lang Language) (list []string) {
	lower := norm.NFC.String(strings.ToLower(written))
	if other := separateLetters.Replace(lower); other != lower {
		return []string{other}
	}
	if utf8.RuneCountInString(lower) < minDigraphRunes || !strings.Contains(lower, "e") {
		return nil
	}
	if other := ligature.Replace(lower); other != lower {
		list = append(list, other)
	}
	if other := withoutDigraphs(lower); other != lower && (lang == German || lang == Unknown) {
		list = append(list, other)
	}
	return list
}

// withoutDigraphs writes ae, oe and ue as the folded ä, ö and ü. Beside a vowel, as in
// neue and sœur, and behind q the letters stand for themselves; Baeume are Bäume.
func withoutDigraphs(word string) string {
	var b strings.Builder
	for i := range len(word) {
		if word[i] != 'e' || i == 0 || !isDigraph(word[:i], word[i+1:]) {
			b.WriteByte(word[i])
		}
	}
	return b.String()
}

// isDigraph reports whether the letters before an e make an umlaut with it.
func isDigraph(before, behind string) bool {
	const vowels = "aeiouyq"
	letter, before := before[len(before)-1], before[:len(before)-1]
	return strings.IndexByte("aou", letter) >= 0 && (before == "" || strings.IndexByte(vowels, before[len(before)-1]) < 0) &&
		(behind == "" || strings.IndexByte(vowels, behind[0]) < 0 || letter == 'a' && behind[0] == 'u')
}
