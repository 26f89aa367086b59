package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tyler-smith/go-bip39/wordlists"
	"golang.org/x/text/unicode/norm"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
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
	for _, row := range t.mnemonicRows() {
		run := span{kind: "seed phrase"}
		var phrase []string
		for _, at := range append(row, span{start: len(t.lower), end: len(t.lower)}) {
			word, gap := t.lower[at.start:at.end], t.lower[run.end:at.start]
			known := mnemonicWords()[strings.ToLower(word)]
			if !known || len(gap) > maxMnemonicGap || strings.ContainsAny(gap, "!?(){}=+") || strings.HasPrefix(gap, ":") {
				if isMnemonic(phrase) {
					found = append(found, run)
				}
				phrase = nil
			}
			if known && phrase == nil {
				run.start = at.start
			}
			if known {
				phrase, run.end = append(phrase, word), at.end
			}
		}
	}
	return found
}

// mnemonicRows are the rows of as many words as the shortest phrase has, and more, in which each
// is as long as those of phrases are. Hardly a text has one, and to make the list of words takes
// some milliseconds.
func (t *text) mnemonicRows() (rows [][]span) {
	var row []span
	endRow := func() {
		if len(row) >= minMnemonicWords {
			rows = append(rows, slices.Clone(row))
		}
		row = row[:0]
	}
	start, letters := -1, 0 // of the word at hand
	endWord := func(at int) {
		if start < 0 {
			return
		}
		if letters < minMnemonicLetters || letters > maxMnemonicLetters {
			endRow()
		} else {
			row = append(row, span{start: start, end: at})
		}
		start, letters = -1, 0
	}
	for at, r := range t.lower {
		switch {
		case 'a' <= r && r <= 'z':
			letters++
		case r < utf8.RuneSelf || !unicode.IsLetter(r):
			endWord(at)
			continue
		case unicode.Is(unicode.Hangul, r):
			letters += minMnemonicLetters - 1
		default:
			letters++
		}
		if start < 0 {
			start = at
		}
	}
	endWord(len(t.lower))
	endRow()
	return rows
}

var letterRun = lazyregexp.New(`\pL+`)

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
