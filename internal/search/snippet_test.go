package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatched(t *testing.T) {
	for _, test := range []struct {
		name, query, text string
		want              []string
	}{
		{"in the order and spelling of the query", "Why did Anna adopt dogs?", "The dog was adopted by Anna", []string{"anna", "adopt", "dogs"}},
		{"nothing matches nothing", "", "text", []string{}},
		{"across German forms", "Welche Entscheidung?", "Die Entscheidungen sind gefallen", []string{"entscheidung"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := FindMatchedWords(AnalyseQuery(test.query), test.text); got == nil || !slices.Equal(got, test.want) {
				t.Errorf("got %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestSnippet(t *testing.T) {
	for _, test := range []struct {
		name, query, text string
		limit             int
		want              string
	}{
		{"a short text is whole", "dog", "a  dog\nhere", 20, "a dog here"},
		{"the passage with the words", "dog cat", "one two three four five dog six cat seven", 13, "…dog six cat…"},
		{"room is filled behind first", "dog", "one two three dog four five", 12, "…dog four…"},
		{"the beginning where nothing matches", "zebra", "one two three four", 7, "one two…"},
		{"the end is reached", "five", "one two three four five", 9, "…four five"},
		{"a word too long is cut", "x", "Donaudampfschifffahrt", 5, "Donau…"},
		{"no room at all", "x", "one two", 0, "…"},
		{"an empty text", "x", " ", 10, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Snippet(AnalyseQuery(test.query), test.text, test.limit); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("dog cat", "one two three four five dog six cat seven", 13)
	f.Add("größe", "ä ö ü\xff größe", 3)
	f.Add("", "", -1)
	f.Fuzz(func(t *testing.T, query, text string, limit int) {
		limit %= 500
		got := Snippet(AnalyseQuery(query), text, limit)
		if n := utf8.RuneCountInString(strings.Trim(got, ellipsis)); n > max(limit, 0) {
			t.Fatalf("%d runes of at most %d: %q", n, limit, got)
		}
	})
}
