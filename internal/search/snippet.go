package search

import (
	"slices"
	"strings"

	"toolkit/internal/language"
)

// FindMatchedWords gives the words of the query that a text contains, under any of their
// forms, in the order of the query. Similar words are not matches.
func FindMatchedWords(query *Query, text string) []string {
	found := make([]bool, len(query.Terms))
	for _, term := range language.Terms(text) {
		for _, p := range query.places[term] {
			found[p] = true
		}
	}
	matched := []string{}
	for i, term := range query.Terms {
		if found[i] {
			matched = append(matched, term.Word)
		}
	}
	return matched
}

// ellipsis marks where a snippet leaves text out.
const ellipsis = "…"

// Snippet gives the passage of at most limit runes, besides the ellipses, that
// contains the most different words of the query, the first such. It begins and ends at words
// and is the text itself when that is short enough. White space becomes single
// blanks.
func Snippet(query *Query, text string, limit int) string {
	fields := strings.Fields(text)
	if runeCount(fields) <= limit {
		return strings.Join(fields, " ")
	}
	first, last := bestPassage(findTermsInFields(query, text, fields), fields, limit)
	passage := strings.Join(fields[first:last], " ")
	if runes := []rune(passage); len(runes) > limit { // a single word too long
		passage, last = string(runes[:max(limit, 0)]), min(last, len(fields)-1)
	}
	if first > 0 {
		passage = ellipsis + passage
	}
	if last < len(fields) {
		passage += ellipsis
	}
	return passage
}

// runeCount is the length of fields joined by single blanks.
func runeCount(fields []string) int {
	count := max(len(fields)-1, 0)
	for _, field := range fields {
		count += len([]rune(field))
	}
	return count
}

// findTermsInFields gives, for each field, the query terms in it. Stemming takes most of the time, so
// each different field is read once: long texts repeat their words.
func findTermsInFields(query *Query, text string, fields []string) [][]int {
	stem := language.DetectLanguage(language.SurfaceWords(text)).Stemmer()
	marks := make([][]int, len(fields))
	known := make(map[string][]int)
	for i, field := range fields {
		if earlier, seen := known[field]; seen {
			marks[i] = earlier
			continue
		}
		for _, word := range language.SurfaceWords(field) {
			for _, p := range query.places[stem(word)] {
				if !slices.Contains(marks[i], p) {
					marks[i] = append(marks[i], p)
				}
			}
		}
		known[field] = marks[i]
	}
	return marks
}

// InformationShareOfSpans is the share of a query's information that each part of a text has, in any form of a
// word; information tells that of a term by its place.
func InformationShareOfSpans(query *Query, information func(term int) float64, text string, spans []language.Span) []float64 {
	asked := 0.0
	for term := range query.Terms {
		asked += information(term)
	}
	shares := make([]float64, len(spans))
	if asked == 0 {
		return shares
	}
	for i, s := range spans {
		fields := strings.Fields(text[s.Start:s.End])
		held := make([]bool, len(query.Terms))
		for _, marks := range findTermsInFields(query, text[s.Start:s.End], fields) {
			for _, term := range marks {
				if !held[term] {
					held[term], shares[i] = true, shares[i]+information(term)/asked
				}
			}
		}
	}
	return shares
}

// bestPassage slides over the fields and returns the first of the best half-open
// ranges that fit the limit, or one field where none fits.
func bestPassage(marks [][]int, fields []string, limit int) (first, last int) {
	counts := make(map[int]int)
	value, best, runes, start := 0, -1, -1, 0
	for end, field := range fields {
		runes += len([]rune(field)) + 1
		for _, p := range marks[end] {
			if counts[p]++; counts[p] == 1 {
				value++
			}
		}
		for runes > limit && start < end {
			runes -= len([]rune(fields[start])) + 1
			for _, p := range marks[start] {
				if counts[p]--; counts[p] == 0 {
					value--
				}
			}
			start++
		}
		if value > best {
			best, first, last = value, start, end+1
		}
	}
	if best > 0 {
		for len(marks[first]) == 0 {
			first++
		}
	}
	return extendPassage(fields, first, last, limit)
}

// extendPassage fills a passage up to the limit, first behind it, then before it.
func extendPassage(fields []string, first, last, limit int) (int, int) {
	runes := runeCount(fields[first:last])
	for last < len(fields) && runes+1+len([]rune(fields[last])) <= limit {
		runes += 1 + len([]rune(fields[last]))
		last++
	}
	for first > 0 && runes+1+len([]rune(fields[first-1])) <= limit {
		first--
		runes += 1 + len([]rune(fields[first]))
	}
	return first, last
}
