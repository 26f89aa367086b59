package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// koreanForms are a Korean noun alone and with each of its particles, whether the word
// has one or not; of a word in another script there are none. Words without a particle
// that end like one (어린이) are taken for both.
func koreanForms(word string) (forms []string) {
	if first, _ := utf8.DecodeRuneInString(word); !unicode.Is(unicode.Hangul, first) {
		return nil
	}
	word = norm.NFC.String(word)
	nouns := []string{word}
	for _, line := range eastern()["particles"] {
		for particle := range strings.FieldsSeq(line) {
			noun, found := strings.CutSuffix(word, particle)
			if found && noun != "" && chooseParticle(noun, line) == particle && !makesOtherWord(noun, particle) {
				nouns = append(nouns, noun)
			}
		}
	}
	for _, noun := range nouns {
		forms = append(forms, noun)
		for _, line := range eastern()["particles"] {
			if particle := chooseParticle(noun, line); particle == "이" || particle == "가" || !makesOtherWord(noun, particle) {
				forms = append(forms, noun+particle)
			}
		}
	}
	return forms
}

// makesOtherWord reports whether a particle of a noun of one syllable makes another word.
func makesOtherWord(noun, particle string) bool {
	return utf8.RuneCountInString(noun) == 1 && slices.Contains(strings.Fields(eastern()["endings"][0]), particle)
}

// chooseParticle returns the one of a line that follows a noun, by its last sound.
func chooseParticle(noun, line string) string {
	const first, finals, rieul = 0xAC00, 28, 8 // how Unicode orders syllables
	particles := strings.Fields(line)
	vowel := particles[len(particles)-1]
	syllable, _ := utf8.DecodeLastRuneInString(noun)
	if final := (syllable - first) % finals; final == 0 || final == rieul && strings.HasPrefix(vowel, "로") {
		return vowel
	}
	return particles[0]
}
