package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tyler-smith/go-bip39/wordlists"
	"golang.org/x/text/unicode/norm"

	"toolkit/internal/language"
)

// mnemonicWords are the words of which the phrase of a wallet is made (BIP-39).
var mnemonicWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, word := range slices.Concat(wordlists.English, wordlists.Spanish, wordlists.French, wordlists.Italian, wordlists.Czech, wordlists.Japanese, wordlists.Korean) {
		all[norm.NFC.String(word)] = true
	}
	return all
})

const (
	// minMnemonicWords is how many words the shortest phrase has.
	minMnemonicWords = 12
	// maxMnemonicGap bounds in bytes what stands between two of them: a number, a mark, the end of a line.
	maxMnemonicGap = 12
	// minMnemonicLetters and maxMnemonicLetters bound the words; those of Korean are shorter.
	minMnemonicLetters, maxMnemonicLetters = 3, 8
)

// findMnemonics finds phrases of wallets, in one line, in a list or one word a line.
func findMnemonics(t *text) (found []span) {
	if !mayHoldMnemonic(t.lower) {
		return nil
	}
	run := span{kind: "seed phrase"}
	var phrase []string
	for at := 0; !t.stopsAfterSteps(); {
		next := letterRun.FindStringIndex(t.lower[at:])
		if next == nil {
			next = []int{len(t.lower) - at, len(t.lower) - at}
		}
		start, end := at+next[0], at+next[1]
		word, gap := t.lower[start:end], t.lower[run.end:start]
		known := mnemonicWords()[strings.ToLower(word)]
		if !known || len(gap) > maxMnemonicGap || strings.ContainsAny(gap, "!?(){}=+") || strings.HasPrefix(gap, ":") {
			if isMnemonic(phrase) {
				found = append(found, run)
			}
			phrase = nil
		}
		if known && phrase == nil {
			run.start = start
		}
		if known {
			phrase, run.end = append(phrase, word), end
		}
		if at = end; word == "" {
			break
		}
	}
	return found
}

// mayHoldMnemonic reports whether so many words stand in a row that are as long as those of
// phrases. Hardly a text does, and to make the list of words takes some milliseconds.
func mayHoldMnemonic(text string) bool {
	inRow, letters := 0, 0
	for _, r := range text + " " {
		switch {
		case unicode.Is(unicode.Hangul, r):
			letters += minMnemonicLetters - 1
		case unicode.IsLetter(r):
			letters++
		case letters > 0:
			if inRow++; letters < minMnemonicLetters || letters > maxMnemonicLetters {
				inRow = 0
			}
			if letters = 0; inRow >= minMnemonicWords {
				return true
			}
		}
	}
	return false
}

var letterRun = regexp.MustCompile(`\pL+`)

// isMnemonic reports whether words are a phrase: three of four are rare, and three of four are different.
func isMnemonic(phrase []string) bool {
	common, different := 0, map[string]bool{}
	for _, word := range phrase {
		different[word] = true
		if language.IsStopWord(word) {
			common++
		}
	}
	return len(phrase) >= minMnemonicWords && 4*common <= len(phrase) && 4*len(different) >= 3*len(phrase)
}
