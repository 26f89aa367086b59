package embed

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func wordsOf(text string) (words []string) {
	eachWord(text, func(word []byte) { words = append(words, string(word)) })
	return words
}

func TestTheWordsOfATextForVectors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"words are lower case, punctuation is dropped", "Hello, World! (again)", []string{"hello", "world", "again"}},
		{"digits belong to words", "v2 of RFC6570", []string{"v2", "of", "rfc6570"}},
		{"contractions lose their tail", "it's John's, they've don't", []string{"it", "john", "they", "don"}},
		{"the typographic apostrophe is one too", "it’s", []string{"it"}},
		{"other apostrophes separate", "rock'n'roll o'clock", []string{"rock", "n", "roll", "o", "clock"}},
		{"accents fold, composed or not", "Café Cafe\u0301 naïve", []string{"cafe", "cafe", "naive"}},
		{"German letters fold", "Straße ÄÖÜ", []string{"strasse", "aou"}},
		{"letters without decomposition fold", "Øre Łódź œuvre", []string{"ore", "lodz", "oeuvre"}},
		{"ideographs stand alone", "東京 tower", []string{"東", "京", "tower"}},
		{"emoji are tokens", "well 🎉", []string{"well", "🎉"}},
		{"Cyrillic and Greek are lowered", "Привет ΑΒΓ", []string{"привет", "αβγ"}},
		{"nothing but punctuation gives nothing", " \t…—!?'\"", nil},
		{"invalid bytes separate", "a\xffb", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, wordsOf(c.text)); diff != "" {
				t.Errorf("the words of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func FuzzTokensAreBoundedValidAndStable(f *testing.F) {
	for _, seed := range []string{"", "it's", strings.Repeat("é", 100), "a\u0301\u0301", "東京'", "\xf0\x9f", "ﬁ Å ǆ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range wordsOf(text) {
			if word == "" || len(word) > maxWordBytes || !utf8.ValidString(word) {
				t.Fatalf("token %q of %q", word, text)
			}
		}
		if v := localVector(text); v != nil && !Normalize(v) {
			t.Fatalf("the vector of %q has no direction", text)
		}
	})
}
