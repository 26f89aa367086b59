package search

import (
	"maps"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

// MaxQueryTerms bounds the work of a search. Of a longer query (a pasted
// document) the first distinct terms count.
const MaxQueryTerms = 64

// Query is a question or a few keywords, analysed.
type Query struct {
	// Terms are the distinct content terms in the order of the text. Where the
	// text has function words only, they are those.
	Terms []Term

	// Words are the folded words of the text; a speaker is recognised by them.
	Words []string

	// Days are those that the text names, as index terms of a row's day.
	Days []language.DateQuery

	// AsksWhen says that the answer is a point in time.
	AsksWhen bool

	// Cut says that the text has more terms than are looked for.
	Cut bool

	identifiers [][]int // the terms of each
	numbers     []number

	places map[string][]int // the terms that an index term is a form of
	days   map[string][]int // of Days that hold an index term
}

// Term is one content word of a query.
type Term struct {
	// Word is the folded word as it stands in the query.
	Word string

	// Forms are the index terms of the word: its English stem, its German one
	// where the query may be German, and those of its other readings.
	Forms []string

	common float64 // the share of texts anywhere that have it
	day    int     // which of Query.Days its word belongs to, from 1 on; 0: none
}

// IsName reports whether the term is a name or a rare word: no list of everyday words has it.
func (t Term) IsName() bool { return t.common == 0 }

// isEverydayWord says that the term stands in every conversation and names no day.
func (t Term) isEverydayWord() bool { return t.common >= language.EverydayFrequency && t.day == 0 }

// whenWords are the words of a question whose answer is a point in time.
var whenWords = []string{"when", "wann", "quand", "cuando"}

// AnalyseQuery reads a query. Every text is a query; one without letters and digits
// has no terms.
func AnalyseQuery(text string) *Query { return AnalyseQueryAt(text, time.Time{}) }

// AnalyseQueryAt reads a query that is asked at a time, from which "last week" counts.
func AnalyseQueryAt(text string, now time.Time) *Query {
	q := &Query{Words: language.Words(text), Days: language.ParseDateQuestion(text, now)}
	q.AsksWhen = slices.ContainsFunc(q.Words, func(word string) bool { return slices.Contains(whenWords, word) })
	spoken := language.DetectLanguage(language.SurfaceWords(text))
	q.addTerms(language.WithoutQuestionWords(text), spoken, true)
	if len(q.Terms) == 0 {
		q.addTerms(text, spoken, false)
	}
	for i := range q.Terms {
		term := &q.Terms[i]
		term.day = 1 + slices.IndexFunc(q.Days, func(day language.DateQuery) bool { return slices.Contains(day.Words, term.Word) })
		if term.day == 0 {
			continue
		}
		if name := q.Days[term.day-1].Names[term.Word]; name != "" && !slices.Contains(term.Forms, name) {
			term.Forms = append(term.Forms, name) // a day has its name in few languages
		}
	}
	q.identifiers = q.findIdentifiers(text)
	q.addNumbers(text)
	q.buildTermLookup()
	return q
}

// identifier is a name that ends in a number, or a version: E0277, JIRA-1234, v2.4.1.
// Behind a hyphen a short number may be missing: COVID-19 is called COVID, too.
var identifier = lazyregexp.New(`\pL+\d[\pL\pN]*(?:[-._:/#][\pL\pN]+)*|\pL+[-_/#:]?\d{3,}|\d+(?:\.\d+){2,}`)

func (q *Query) findIdentifiers(text string) (list [][]int) {
	for _, name := range identifier().FindAllString(text, MaxQueryTerms) {
		var terms []int
		for i, term := range q.Terms {
			if term.day == 0 && slices.Contains(language.Words(name), term.Word) {
				terms = append(terms, i)
			}
		}
		list = append(list, terms)
	}
	return list
}

// CanNameDay reports whether a term may be the name of the day on which a row was said:
// a number is none unless it stands in a date.
func (q *Query) CanNameDay(term Term) bool {
	return term.day > 0 && !q.isRelativeDay(term) || slices.ContainsFunc(term.Forms, language.IsWeekday)
}

// DayTerms are the index terms of the days that the query names: of what speaks of them
// and of what was said then.
func (q *Query) DayTerms() (terms []string) {
	for _, day := range q.Days {
		terms = append(terms, day.Terms()...)
	}
	for _, term := range q.Terms {
		if term.day > 0 && q.Days[term.day-1].Named || slices.ContainsFunc(term.Forms, language.IsWeekday) {
			terms = append(terms, slices.DeleteFunc(slices.Clone(term.Forms), func(form string) bool { return form[0] <= '9' })...)
		}
	}
	return terms
}

// isRelativeDay reports whether a term belongs to words that count from today.
func (q *Query) isRelativeDay(term Term) bool { return term.day > 0 && q.Days[term.day-1].Counted }

func (q *Query) addTerms(text string, spoken language.Language, contentOnly bool) {
	seen := make(map[string]bool)
	written := language.SurfaceWords(text)
	for i, word := range language.Words(text) {
		if contentOnly && spoken.IsStopWord(word) {
			continue
		}
		forms := language.StemForms(written[i], spoken)
		common := commonness(word, forms, spoken)
		if common == 0 { // a name stands in texts of any language, cut short as each would
			forms = language.StemForms(written[i], language.Unknown)
		}
		if seen[forms[0]] {
			continue
		}
		if len(q.Terms) == MaxQueryTerms {
			q.Cut = true
			return
		}
		seen[forms[0]] = true
		all := language.AppendOtherReadings(forms, word, spoken)
		for _, other := range language.OtherSpellings(written[i], spoken) {
			for _, form := range language.StemForms(other, spoken) {
				if !slices.Contains(all, form) {
					all = append(all, form)
				}
			}
		}
		q.Terms = append(q.Terms, Term{Word: word, Forms: all, common: common})
	}
}

func (q *Query) buildTermLookup() {
	q.places = make(map[string][]int)
	for i, term := range q.Terms {
		for _, form := range term.Forms {
			q.places[form] = append(q.places[form], i)
		}
	}
	q.days = make(map[string][]int)
	for i, day := range q.Days {
		for _, term := range append(slices.Clone(day.Spoken), day.Said...) {
			q.days[term] = append(q.days[term], i)
		}
	}
}

// Vocabulary gives every index term whose document frequency scoring this query
// needs, each once, sorted.
func (q *Query) Vocabulary() []string {
	terms := slices.AppendSeq(slices.Collect(maps.Keys(q.places)), maps.Keys(q.days))
	slices.Sort(terms)
	return slices.Compact(terms)
}
