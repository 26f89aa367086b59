package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
)

// findMnemonics finds phrases of wallets, in one line, in a list or one word a line.
func findMnemonics(t *text) (found []span) {
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
