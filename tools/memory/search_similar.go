package memory

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store/memory"
)

const (
	// minWordSimilarity is how like a word of the query an index term must be, and
	// besideBest how much less than the one most like it.
	minWordSimilarity = 0.5
	maxSimilarityGap  = 0.1
	// maxSimilarTerms is how many index terms may stand for a word.
	maxSimilarTerms = 10
	// minComparedLength is the length from which a word is compared with others.
	minComparedLength = 4
	// minPartLength is the length from which a part of a word is looked for.
	minPartLength = 5
	// maxScannedVocabulary is how many words a source may hold for all its terms to be
	// compared, which takes up to 50 ms; see findSimilarTerms.
	maxScannedVocabulary = 300_000
)

// similarTerm is an index term that resembles a word of the query.
type similarTerm struct {
	term       string
	rows       int
	similarity float64
}

// addRowsOfSimilarWords looks for rows that hold words like those of the query: for those that no
// row holds, which may be misspelt or stand there in another form or in a
// compound, or for all of them.
func (c *candidates) addRowsOfSimilarWords(tx memory.Rows, all bool) error {
	near, err := c.findSimilarTerms(tx, all)
	if err != nil {
		return err
	}
	var found []search.Candidate
	spent := 0
	for i, terms := range near {
		slices.SortFunc(terms, func(a, b similarTerm) int {
			return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.rows, b.rows), cmp.Compare(a.term, b.term))
		})
		for _, t := range terms[:min(len(terms), maxSimilarTerms)] {
			if spent+t.rows > matchBudget || t.similarity < terms[0].similarity-maxSimilarityGap {
				continue
			}
			spent += t.rows
			c.scorer.AddSimilarTerm(i, t.term, t.similarity)
			found = append(found, search.Candidate{Column: search.BodyColumn, Term: t.term})
		}
	}
	if len(found) == 0 || c.all {
		return nil
	}
	ids, err := tx.Match(c.source, search.BuildMatchExpression(found), c.Filter, minMatches)
	for _, id := range ids {
		c.addRow(id)
	}
	return err
}

// firstUnspacedLetter is where the scripts without spaces begin among index terms.
const firstUnspacedLetter = "\u0e00"

// findCharacterPairs returns the index terms of which a single character of the query is a part:
// texts hold pairs of them.
func (c *candidates) findCharacterPairs(tx memory.Rows) (list []search.Candidate, err error) {
	for _, term := range c.analysed.Terms {
		if !language.IsUnspacedCharacter(term.Word) {
			continue
		}
		err = tx.EachVocabularyTerm(c.source, firstUnspacedLetter, "", func(other, column string, rows int) {
			if column == string(search.BodyColumn) && other != term.Word && strings.Contains(other, term.Word) && len(list) < maxSimilarTerms*maxSimilarTerms {
				list = append(list, search.Candidate{Column: search.BodyColumn, Term: other})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// findSimilarTerms returns the index terms that resemble the words of the query, by their
// places. Of a large source only those are compared that begin with the same two
// letters, differ in one of these, or are a part of the word.
func (c *candidates) findSimilarTerms(tx memory.Rows, all bool) (map[int][]similarTerm, error) {
	near := map[int][]similarTerm{}
	wanted := map[int]string{}
	for i, term := range c.analysed.Terms {
		form := term.Forms[0]
		known := slices.ContainsFunc(term.Forms, func(form string) bool { return c.statistics.Body[form]+c.statistics.Day[form] > 0 })
		if (all || !known) && !c.analysed.CanNameDay(term) && utf8.RuneCountInString(form) >= minComparedLength {
			wanted[i] = form
		}
	}
	compare := func(term, column string, rows int) {
		if column != string(search.BodyColumn) || len(term) < minComparedLength {
			return
		}
		for i, form := range wanted {
			if similarity := search.TermSimilarity(form, term); similarity >= minWordSimilarity && term != form {
				near[i] = append(near[i], similarTerm{term, rows, similarity})
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	if c.statistics.Words <= maxScannedVocabulary {
		return near, tx.EachVocabularyTerm(c.source, "", "", compare)
	}
	var parts []string
	for _, form := range wanted {
		beginning := string([]rune(form)[:2])
		if err := tx.EachVocabularyTerm(c.source, beginning, beginning+"\U0010ffff", compare); err != nil {
			return nil, err
		}
		parts = append(parts, alternativePrefixes(form)...)
	}
	known, err := tx.Statistics(c.source, parts)
	if err != nil {
		return nil, err
	}
	for term, rows := range known.Body {
		compare(term, string(search.BodyColumn), rows)
	}
	return near, nil
}

// alternativePrefixes are the words that differ from one by a letter among its first
// two, and its parts that begin elsewhere.
func alternativePrefixes(word string) (list []string) {
	runes := []rune(word)
	insert := func(at int, letter rune, rest []rune) {
		list = append(list, string(runes[:at])+string(letter)+string(rest))
	}
	for at := range 2 {
		list = append(list, string(runes[:at])+string(runes[at+1:]))
		for letter := 'a'; letter <= 'z'; letter++ {
			insert(at, letter, runes[at+1:])
			insert(at, letter, runes[at:])
		}
	}
	list = append(list, string([]rune{runes[1], runes[0]})+string(runes[2:]))
	for at := 1; at <= len(runes)-minPartLength; at++ {
		list = append(list, string(runes[at:]))
	}
	return slices.DeleteFunc(list, func(w string) bool { return strings.HasPrefix(w, string(runes[:2])) })
}
