package entities

import (
	"maps"
	"slices"
	"strings"

	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	words "toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

// passage is the part of a file's text that answers a question best.
type passage struct {
	text       string
	page, line int // from 1
	similarity float64
}

// nearPassages are the passages near to a question in meaning, with their likeness, by the rows of
// their records.
func nearPassages(q *tools.Question) map[int64]map[int]float64 {
	near := map[int64]map[int]float64{}
	for id, similarity := range q.Meaning.Passages {
		record, number := records.PassageOf(id)
		if near[record] == nil {
			near[record] = map[int]float64{}
		}
		near[record][number] = similarity
	}
	return near
}

// findPassage is the passage of a record's file that has most of what is asked, by words of the
// question and by meaning; empty when no passage has any.
func findPassage(tx *store.Tx, q *tools.Question, record int64, near map[int]float64) (p passage, err error) {
	text, err := records.In(tx).Text(record)
	if err != nil || text == "" {
		return p, err
	}
	text = redact.RemoveKeys(text)
	spans := records.Passages(text)
	shares := words.ShareOfSpans(q.Query, q.Scorer.TermInformation, text, spans)
	best, most := 0, 0.0
	for n, share := range shares {
		if share += max(0, near[n]); share > most {
			best, most = n, share
		}
	}
	if most == 0 {
		return p, nil
	}
	at := spans[best]
	p = passage{text: text[at.Start:at.End], similarity: near[best]}
	before := text[:at.Start+bestSentenceStart(q, p.text)]
	p.page = 1 + strings.Count(before, "\f")
	p.line = 1 + strings.Count(before[1+strings.LastIndex(before, "\f"):], "\n")
	return p, nil
}

// bestSentenceStart is where the sentence of a text begins that has most of what is asked.
func bestSentenceStart(q *tools.Question, text string) int {
	spans := language.SentenceSpans(text)
	shares := words.ShareOfSpans(q.Query, q.Scorer.TermInformation, text, spans)
	best := 0
	for i, share := range shares {
		if share > shares[best] {
			best = i
		}
	}
	return spans[best].Start
}

// isIn reports whether a text has all words of the question that the passage has.
func (p passage) isIn(q *tools.Question, text string) bool {
	shown := words.Matched(q.Query, text)
	return !slices.ContainsFunc(words.Matched(q.Query, p.text), func(word string) bool { return !slices.Contains(shown, word) })
}

// addPassage adds to a document what its file says to the question beyond the fields that were read of
// it, and where. What is near in meaning alone is added where the record has no text and no field that answers.
func addPassage(c *tools.Candidate, q *tools.Question, p passage, properties object) {
	if p.text == "" {
		return
	}
	c.Similarity = max(c.Similarity, p.similarity)
	if _, shows := properties[contentField]; p.isIn(q, c.Text) && (shows || c.Place.Line > 0 || p.similarity == 0) {
		return
	}
	c.Text += "\n" + p.text
	c.Place.Page, c.Place.Line = p.page, p.line
}

// foundRows are the rows of records that have words of a question or are near to it, each once.
func foundRows(matched []int64, q *tools.Question, near map[int64]map[int]float64) []int64 {
	rows := slices.Concat(matched, slices.Collect(maps.Keys(q.Meaning.Records)), slices.Collect(maps.Keys(near)))
	slices.Sort(rows)
	return slices.Compact(rows)
}
