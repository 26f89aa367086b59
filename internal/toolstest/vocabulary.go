package toolstest

import (
	"math/rand/v2"
	"strings"
)

// everyday words come first in a vocabulary, so that stop words and words with many relatives
// are as common as in speech.
const everyday = `the i to a and you it that of is in was for my on have so me but be we with just this like are at do what they can how all really not good about out
	one work day time love great family friend kid dog home school help think know feel want see new life year week music book food trip beach dance paint`

// Vocabulary makes texts whose words are as unevenly common as those of people.
type Vocabulary struct {
	Words  []string // the most common ones first
	Random *rand.Rand
	zipf   *rand.Zipf
}

// NewVocabulary makes one of 30,000 words, the same each time.
func NewVocabulary() *Vocabulary {
	v := &Vocabulary{Words: strings.Fields(everyday), Random: rand.New(rand.NewPCG(7, 7))}
	for i := len(v.Words); i < 30_000; i++ {
		var word []byte
		for x, n := i, 0; n < 2 || x > 0; n++ {
			word = append(word, "bcdfglmnprst"[x%12], "aeiou"[x/12%5])
			x /= 13
		}
		v.Words = append(v.Words, string(word))
	}
	v.zipf = rand.NewZipf(v.Random, 1.1, 2, uint64(len(v.Words)-1))
	return v
}

// RandomText is so many words of a speech.
func (v *Vocabulary) RandomText(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = v.Words[v.zipf.Uint64()]
	}
	return strings.Join(list, " ")
}

// RandomQuestion has everyday words and a rarer one, as questions do.
func (v *Vocabulary) RandomQuestion() string {
	return "when did " + v.RandomText(4) + " " + v.Words[60+v.Random.IntN(300)]
}
