package search

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/internal/language"
)

// ContentWords is a text without the words that ask or carry grammar only; the whole text
// where it has no others.
func ContentWords(text string) string {
	spoken := language.DetectLanguage(language.Words(text))
	content := language.WithoutWords(language.WithoutQuestionWords(text), func(word string, clitic bool) bool {
		return spoken.IsStopWord(word) || spoken.IsGrammar(word) && (clitic || utf8.RuneCountInString(word) > 1)
	})
	return cmp.Or(strings.Join(strings.Fields(content), " "), text)
}

// RemoveDates returns a text without the words of the days that it names, where it has others; it
// is read at a time, as [AnalyseQueryAt] does.
func RemoveDates(text string, now time.Time) string {
	days := language.ParseDateQuestion(text, now)
	named := func(word string) bool {
		return slices.ContainsFunc(days, func(day language.DateQuery) bool { return slices.Contains(day.Words, word) })
	}
	fields := slices.DeleteFunc(strings.Fields(text), func(field string) bool {
		words := language.Words(field)
		return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !named(word) })
	})
	undated := strings.Join(fields, " ")
	if len(days) == 0 || len(language.Words(ContentWords(undated))) == 0 {
		return text
	}
	return undated
}
