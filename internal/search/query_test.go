package search

import (
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/language"
)

func wordsOf(q *Query) string {
	var words []string
	for _, term := range q.Terms {
		words = append(words, term.Word)
	}
	return strings.Join(words, " ")
}

func TestAnalyse(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		when             bool
	}{
		{"function words fall away", "What did Anna do with the dog?", "anna dog", false},
		{"words of one stem are one term", "painting paints painted", "painting", false},
		{"nothing but function words stays", "who is it", "who is it", false},
		{"a question for a time is one", "When was the launch?", "launch", true},
		{"so is a German one", "Wann war der Start?", "start", true},
		{"German function words fall away", "Was haben wir über die Datenbank entschieden?", "datenbank entschieden", false},
		{"a negation stays", "which tests do not pass", "tests not pass", false},
		{"signs are no terms", "*** \"\" ^", "", false},
		{"operators are ordinary words", "NEAR OR anna", "near anna", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := AnalyseQuery(test.text)
			if got := wordsOf(q); got != test.want || q.AsksWhen != test.when {
				t.Errorf("Analyse(%q) = %q, when %v; want %q, %v", test.text, got, q.AsksWhen, test.want, test.when)
			}
		})
	}
}

func TestAnEnglishQuestionHasEnglishStemsOnly(t *testing.T) {
	if forms := AnalyseQuery("who are the players").Terms[0].Forms; !slices.Equal(forms, []string{"player"}) {
		t.Errorf("forms %v", forms)
	}
	// but for a name, which stands in notes of any language
	if forms := AnalyseQuery("who is Sophie?").Terms[0].Forms; !slices.Equal(forms, []string{"sophi", "soph"}) {
		t.Errorf("forms %v", forms)
	}
	if forms := AnalyseQuery("Migrationen").Terms[0].Forms; !slices.Equal(forms, []string{"migrationen", "migration"}) {
		t.Errorf("forms %v", forms)
	}
}

func TestVocabularyHoldsEveryFormOnce(t *testing.T) {
	vocabulary := AnalyseQuery("car cars vehicle").Vocabulary()
	if !slices.IsSorted(vocabulary) || len(slices.Compact(slices.Clone(vocabulary))) != len(vocabulary) {
		t.Errorf("vocabulary %v", vocabulary)
	}
	for _, want := range []string{"car", "vehicl"} {
		if !slices.Contains(vocabulary, want) {
			t.Errorf("vocabulary %v lacks %s", vocabulary, want)
		}
	}
}

func TestALongQueryIsBounded(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		text.WriteString(" x")
		text.WriteString(strings.Repeat("y", i%50))
		text.WriteString(strings.Repeat("z", i/50))
	}
	if n := len(AnalyseQuery(text.String()).Terms); n != MaxQueryTerms {
		t.Errorf("%d terms", n)
	}
}

func TestSpeakerNamed(t *testing.T) {
	for _, test := range []struct {
		name, query string
		speakers    []string
		want        []string
	}{
		{"one is named", "What did Anna paint?", []string{"Anna", "Ben"}, []string{"Anna"}},
		{"a possessive names", "Where is Ben's bike?", []string{"Anna", "Ben"}, []string{"Ben"}},
		{"both named is none", "Do Anna and Ben agree?", []string{"Anna", "Ben"}, nil},
		{"nobody named", "Who paints?", []string{"Anna", "Ben"}, nil},
		{"spellings of one speaker are one", "what did ANNA say", []string{"anna", "Anna", "ben"}, []string{"anna", "Anna"}},
		{"the first name is enough", "what did Anna say", []string{"Anna Roth", "Ben Roth"}, []string{"Anna Roth"}},
		{"the whole name goes before the first", "what did Anna Roth say", []string{"Anna Roth", "Anna Meier"}, []string{"Anna Roth"}},
		{"a first name shared is none", "what did Anna say", []string{"Anna Roth", "Anna Meier"}, nil},
		{"a part of a word does not name", "the banana", []string{"Ana"}, nil},
		{"a speaker without letters is nobody", "?", []string{"?", ""}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := AnalyseQuery(test.query).FindNamedSpeaker(test.speakers); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestEveryDayIsFoundByItsNames(t *testing.T) {
	for day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2024; day = day.AddDate(0, 0, 1) {
		terms := language.DateTerms(day)
		for _, text := range []string{day.Format("2006-01-02"), day.Format("on the 2 January, 2006"), day.Format("Monday, January 2")} {
			found := 0
			for _, term := range AnalyseQuery(text).Terms {
				if slices.ContainsFunc(term.Forms, func(form string) bool { return slices.Contains(terms, form) }) {
					found++
				}
			}
			if found != 3 {
				t.Errorf("%q finds %d of 3 among %v", text, found, terms)
			}
		}
	}
}
