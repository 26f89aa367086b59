package embed

import "bytes"

// Stem reduces a folded English word to its stem by Porter's algorithm (M. F.
// Porter, An algorithm for suffix stripping, 1980), after looking the word up
// in a table of irregular forms. Words with characters outside a-z are
// returned as they are.
func Stem(word string) string {
	if base, ok := irregular[word]; ok {
		word = base
	}
	return string(stem([]byte(word)))
}

// stem works in place and returns a prefix of word (possibly with changed last
// letters); it never grows beyond len(word)+1.
func stem(word []byte) []byte {
	if len(word) <= 2 {
		return word
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return word
		}
	}
	word = stemPlural(word)
	word = stemPast(word)
	if bytes.HasSuffix(word, []byte("y")) && hasVowel(word[:len(word)-1]) {
		word[len(word)-1] = 'i'
	}
	word = replaceSuffix(word, stepTwo, 0)
	word = replaceSuffix(word, stepThree, 0)
	word = stemResidue(word)
	return stemFinalE(word)
}

// suffixRule replaces suffix from by to.
type suffixRule struct{ from, to string }

var stepTwo = []suffixRule{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}, {"logi", "log"},
}

var stepThree = []suffixRule{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

// stepFour is ordered so that a longer suffix comes before one it ends with.
var stepFour = []suffixRule{
	{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
	{"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""}, {"ion", ""}, {"al", ""},
	{"er", ""}, {"ic", ""}, {"ou", ""},
}

// stemPlural is step 1a.
func stemPlural(word []byte) []byte {
	switch {
	case bytes.HasSuffix(word, []byte("sses")), bytes.HasSuffix(word, []byte("ies")):
		return word[:len(word)-2]
	case bytes.HasSuffix(word, []byte("ss")):
		return word
	case bytes.HasSuffix(word, []byte("s")):
		return word[:len(word)-1]
	}
	return word
}

// stemPast is step 1b.
func stemPast(word []byte) []byte {
	if bytes.HasSuffix(word, []byte("eed")) {
		if measure(word[:len(word)-3]) > 0 {
			word = word[:len(word)-1]
		}
		return word
	}
	switch {
	case bytes.HasSuffix(word, []byte("ed")) && hasVowel(word[:len(word)-2]):
		word = word[:len(word)-2]
	case bytes.HasSuffix(word, []byte("ing")) && hasVowel(word[:len(word)-3]):
		word = word[:len(word)-3]
	default:
		return word
	}
	last := len(word) - 1
	switch {
	case bytes.HasSuffix(word, []byte("at")), bytes.HasSuffix(word, []byte("bl")), bytes.HasSuffix(word, []byte("iz")):
		return append(word, 'e')
	case endsDouble(word) && word[last] != 'l' && word[last] != 's' && word[last] != 'z':
		return word[:last]
	case measure(word) == 1 && endsShort(word):
		return append(word, 'e')
	}
	return word
}

// replaceSuffix applies the first rule whose suffix fits, if the measure of
// what precedes it exceeds least.
func replaceSuffix(word []byte, rules []suffixRule, least int) []byte {
	for _, rule := range rules {
		if len(word) <= len(rule.from) || string(word[len(word)-len(rule.from):]) != rule.from {
			continue
		}
		if rest := word[:len(word)-len(rule.from)]; measure(rest) > least {
			return append(rest, rule.to...)
		}
		return word
	}
	return word
}

// stemResidue is step 4; "ion" goes only after s or t.
func stemResidue(word []byte) []byte {
	if bytes.HasSuffix(word, []byte("ion")) {
		if n := len(word) - 4; n < 0 || word[n] != 's' && word[n] != 't' {
			return word
		}
	}
	return replaceSuffix(word, stepFour, 1)
}

// stemFinalE is step 5.
func stemFinalE(word []byte) []byte {
	if last := len(word) - 1; last > 0 && word[last] == 'e' {
		rest := word[:last]
		if m := measure(rest); m > 1 || m == 1 && !endsShort(rest) {
			word = rest
		}
	}
	if last := len(word) - 1; last > 0 && word[last] == 'l' && endsDouble(word) && measure(word) > 1 {
		word = word[:last]
	}
	return word
}

// isConsonant treats y as a consonant at the start and after a vowel.
func isConsonant(word []byte, i int) bool {
	switch word[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !isConsonant(word, i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences of a word.
func measure(word []byte) int {
	m, vowel := 0, false
	consonant := false
	for i := range word {
		switch word[i] {
		case 'a', 'e', 'i', 'o', 'u':
			consonant = false
		case 'y':
			consonant = i == 0 || !consonant
		default:
			consonant = true
		}
		if consonant && vowel {
			m++
		}
		vowel = !consonant
	}
	return m
}

func hasVowel(word []byte) bool {
	for i := range word {
		if !isConsonant(word, i) {
			return true
		}
	}
	return false
}

func endsDouble(word []byte) bool {
	last := len(word) - 1
	return last > 0 && word[last] == word[last-1] && isConsonant(word, last)
}

// endsShort tells whether the word ends consonant-vowel-consonant, the last
// one not w, x or y.
func endsShort(word []byte) bool {
	last := len(word) - 1
	if last < 2 || !isConsonant(word, last) || isConsonant(word, last-1) || !isConsonant(word, last-2) {
		return false
	}
	return word[last] != 'w' && word[last] != 'x' && word[last] != 'y'
}
