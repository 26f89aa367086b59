package notice

import (
	"slices"
	"testing"
)

func TestTrimRequestRemovesAskingWords(t *testing.T) {
	for text, want := range map[string]string{
		"Remember that the harbour office closes at four.":          "the harbour office closes at four.",
		"remember: I take the 7:40 ferry":                           "I take the 7:40 ferry",
		"please remember my sister's name is Ines":                  "my sister's name is Ines",
		"Merk dir bitte, dass der Schlüssel bei Frau Oertel liegt.": "der Schlüssel bei Frau Oertel liegt.",
		"Souviens-toi que le dépôt ferme à midi.":                   "le dépôt ferme à midi.",
		"Recuerda que el gato se llama Lino.":                       "el gato se llama Lino.",
		"remember to breathe":                                       "",
		"don't forget the closing bracket":                          "",
		"Rappelle-toi la formule du dessus":                         "",
		"do you remember that?":                                     "",
		"please remember to escape the quotes":                      "",
	} {
		got, asked := cutRequest(text)
		if asked != (want != "") || asked && got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, asked, want)
		}
	}
}

func TestSentenceBetweenQuotationMarksIsQuoted(t *testing.T) {
	for text, want := range map[string]bool{
		"Put that in: 'I never write after lunch.' Thanks for it.": true,
		"Put that in: \"I never write after lunch.\" Thanks.":      true,
		"I don't eat nuts, and the kids don't either.":             false,
		"rock 'n' roll on Fridays, that's our rule":                false,
	} {
		most := float32(0)
		for _, part := range Split(text) {
			most = max(most, part.Quoted)
		}
		if (most > 0.5) != want {
			t.Errorf("%q: %.2f of a sentence is quoted", text, most)
		}
	}
}

func TestSentencesBesideAPrivatePartAreJudgedWithoutIt(t *testing.T) {
	plain, err := ScoreSentences(t.Context(), "We decided to write this app in Swift.")
	if err != nil || len(plain) != 1 {
		t.Fatal(plain, err)
	}
	for _, text := range []string{"We decided to write this app in Swift. <private>My rent is 900 euros.</private>", "[redacted: private] We decided to write this app in Swift."} {
		beside, err := ScoreSentences(t.Context(), text)
		if err != nil || len(beside) != 1 || beside[0].Score != plain[0].Score || beside[0].Text != plain[0].Text {
			t.Errorf("%q: %+v, want the score %.3f of the sentence alone; %v", text, beside, plain[0].Score, err)
		}
	}
}

func TestNoteMapTakesOfEachInputWhatItsRowSays(t *testing.T) {
	m := NoteMap{Inputs: 2, Weights: []float32{1, 0.5, 0, -2}}
	if moved := m.Apply([]float32{3, 4}); !slices.Equal(moved, []float32{5, -8}) {
		t.Errorf("moved to %v", moved)
	}
}

func TestHeadsAreRefusedWithoutAllTheirWeights(t *testing.T) {
	if _, err := ReadHeads(headsFile, weightsFile); err != nil {
		t.Error(err)
	}
	for name, weights := range map[string][]byte{"none": nil, "cut": weightsFile[:len(weightsFile)-4], "too many": append(slices.Clone(weightsFile), 0, 0, 0, 0)} {
		if _, err := ReadHeads(headsFile, weights); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
