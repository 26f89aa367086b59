package language

import (
	"slices"
	"testing"
)

func TestLettersHaveTheirOtherSpellings(t *testing.T) {
	for word, want := range map[string][]string{
		"Mühle": {"muehle"}, "Muehle": {"muhle"}, "Strasse": nil, "sœur": {"soeur"}, "soeur": {"sœur"}, "Baeume": {"bæume", "baume"},
		"neuen": nil, "Quelle": nil, "bauen": nil, "Haus": nil, "Mu\u0308hle": {"muehle"},
	} {
		if got := OtherSpellings(word, Unknown); !slices.Equal(got, want) {
			t.Errorf("%s: %q", word, got)
		}
	}
	if got := OtherSpellings("value", English); got != nil {
		t.Errorf("English has no umlauts: %q", got)
	}
}
