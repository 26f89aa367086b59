package reader

import "testing"

func TestAWordingNamesOneKindOfColumnAndOneKindOfTitle(t *testing.T) {
	for _, of := range []string{"column ", "title "} {
		phrases := indexPhrases[string](lists(), of)
		if len(phrases) < 200 {
			t.Errorf("%d wordings of a %s, want those of fixtures/words/documents", len(phrases), of)
		}
		for phrase, kinds := range phrases {
			if len(kinds) != 1 {
				t.Errorf("%s%q names %v", of, phrase, kinds)
			}
		}
	}
}
