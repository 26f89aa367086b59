package search

import (
	"testing"
	"time"

	"toolkit/internal/language"
)

// asking is a Tuesday.
var asking = time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)

// saidOn is how relevant a text is that was said on a day, of a hundred others.
func saidOn(t *testing.T, question, text, day string) float64 {
	t.Helper()
	said, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	q := AnalyseQueryAt(question, asking)
	statistics := Statistics{Rows: 100, Words: 500, Body: map[string]int{"call": 3, "happen": 2, "issu": 4}, Day: map[string]int{}}
	for _, term := range language.CalendarTerms(text, said) {
		statistics.Day[term] = 4
	}
	s := NewScorer(q, statistics)
	return s.RelevanceForQuestion(alone(s.CountEvidence(language.Terms(text), language.CalendarTerms(text, said))), "")
}

func TestANumberIsADayOrAYearOnlyInADate(t *testing.T) {
	for question, day := range map[string]string{
		"room 7": "2026-06-07", "7": "2026-06-07", "chapter 3": "2026-06-03", "port 2026": "2026-06-03", "issue #12": "2026-05-12",
		"5 centuries ago": "2026-05-05", "-1": "2026-03-01", "which bus is number 7?": "2026-06-07", "What may happen?": "2026-05-12",
		"29 February 2023": "2024-02-29", "31 April": "2026-04-30", "5 May 2026": "2026-06-05", "on 5 May": "2026-05-06", "in May 2025": "2026-05-05",
	} {
		if got := saidOn(t, question, "The parrot was loud", day); got > 0 {
			t.Errorf("%q is answered by %v of what was said on %s", question, got, day)
		}
	}
}

func TestMatchingDayAddsEvidence(t *testing.T) {
	for question, day := range map[string]string{
		"what happened yesterday?": "2026-11-23", "who called yesterday?": "2026-11-23", "hace dos semanas": "2026-11-12", "il y a deux semaines": "2026-11-12",
		"vorgestern": "2026-11-22", "what was last month?": "2026-10-14", "last Friday": "2026-11-20", "12 August 2026": "2026-08-12", "on May 1st": "2024-05-01",
		"what was in May 2026?": "2026-05-30", "in spring 2026": "2026-04-11", "in 2025": "2025-07-01", "2026-05-03": "2026-05-03", "the September budget": "2026-09-03",
	} {
		if got := saidOn(t, question, "The parrot was loud", day); got < PoorMatch {
			t.Errorf("%q is answered by only %v of what was said on %s", question, got, day)
		}
	}
}

func TestRelativeDayWordsAreNotMatched(t *testing.T) {
	for question, text := range map[string]string{
		"what did I do last month?": "This was the last cookie of the month", "last Friday": "The last cookie went on a Friday", "two weeks ago": "Two weeks ago we met",
	} {
		if got := saidOn(t, question, text, "2025-01-15"); got > 0 {
			t.Errorf("%q is answered by %v of %q", question, got, text)
		}
	}
	if got := saidOn(t, "what did I do last month?", "A month ago we ate cookies", "2026-11-20"); got < PoorMatch {
		t.Errorf("what speaks of the month answers %v", got)
	}
}
