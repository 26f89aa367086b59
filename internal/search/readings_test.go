package search

import (
	"slices"
	"strings"
	"testing"

	"toolkit/fixtures"
	"toolkit/internal/language"
)

func TestAmbiguousFormMatchesBothWords(t *testing.T) {
	for _, test := range []struct {
		name, question, word, text string
		want                       bool
	}{
		{"a verb meets what is a noun's plural as well", "Where does Lena live?", "live", "Lena lives in Gothenburg", true},
		{"so does its past", "Where has Lena lived?", "lived", "Lena lives in Gothenburg", true},
		{"so does its participle", "Where is Lena living?", "living", "Lena lives in Gothenburg", true},
		{"and the form itself meets the verb", "Where Lena lives", "lives", "I live in Gothenburg", true},
		{"the noun still meets its plural", "the life of cats", "life", "cats have nine lives", true},
		{"the plural still meets the noun", "the nine lives of cats", "lives", "the life of a cat", true},
		{"leave meets leaves", "When does the train leave?", "leave", "the train leaves at nine", true},
		{"leaving meets leaves", "Why is Ben leaving?", "leaving", "Ben leaves in May", true},
		{"left meets leaves", "When has Ben left?", "left", "Ben leaves in May", true},
		{"leaves meets left", "when Ben leaves", "leaves", "Ben left in May", true},
		{"leaves meets leave", "when Ben leaves", "leaves", "they leave in May", true},
		{"leaves meets leaf", "the yellow leaves", "leaves", "a yellow leaf", true},
		{"leaf meets leaves", "the yellow leaf", "leaf", "yellow leaves", true},
		{"halved meets halves", "Who has halved the price?", "halved", "it halves the price", true},
		{"shelved meets shelves", "How are the books shelved?", "shelved", "she shelves the books", true},
		{"a plural meets the noun that is a past as well", "the roses in the garden", "roses", "there was a rose for Mia", true},
		{"that noun meets its plural", "Which rose is for Mia?", "rose", "these are roses for Mia", true},
		{"and the past still meets the verb", "When did the prices rise?", "rise", "prices rose in May", true},
		{"shots meets shot", "When are the flu shots?", "shots", "he had a flu shot", true},
		{"shot meets shots", "When is the flu shot?", "shot", "flu shots are free", true},
		{"thoughts meets thought", "what are her thoughts", "thoughts", "this is a thought", true},
		{"saws meets saw", "Where are the saws?", "saws", "this is a saw", true},
		{"the past of one verb is not the past of another", "Who founded the firm?", "founded", "the keys were found", false},
		{"nor its participle", "Who is sawing the wood?", "sawing", "we saw the wood", false},
		{"nor another word of its stem", "What is a thoughtful gift?", "thoughtful", "we thought of a gift", false},
		{"a German past meets its plural", "Wo lagen die Schlüssel von Karin?", "lagen", "Der Schlüssel lag in der Küche", true},
		{"a German noun meets the past of its spelling", "Was ist mit der Tür des Standes?", "standes", "Das ist der Stand von Karin", true},
		{"and the other way about", "Wo ist der Stand von Karin?", "stand", "Das sind die Stände von Karin", true},
		{"another German word of the stem does not", "Was ist in dem Lager?", "lager", "Der Schlüssel lag auf der Bank", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := slices.Contains(FindMatchedWords(AnalyseQuery(test.question), test.text), test.word); got != test.want {
				t.Errorf("%q of %q in %q: %v", test.word, test.question, test.text, got)
			}
		})
	}
}

func TestIrregularFormMatchesItself(t *testing.T) {
	lists := fixtures.WordLists("language")
	forms := strings.Fields(strings.Join(slices.Concat(lists["irregular"], lists["irregular in the index"]), " "))
	if len(forms) < 100 {
		t.Fatalf("%d irregular forms", len(forms))
	}
	for _, form := range forms {
		if q := AnalyseQuery("the " + form); !language.IsStopWord(form) && !slices.Contains(FindMatchedWords(q, "the "+form), form) {
			t.Errorf("%q is not found by itself", form)
		}
	}
}
