package memory

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/store/memories"
	"toolkit/tools/engines/retrieval"
)

const (
	// leastLike is how like a word of the query an index term must be, and
	// besideBest how much less than the one most like it.
	leastLike  = 0.5
	besideBest = 0.1
	// mostLike is how many index terms may stand for a word.
	mostLike = 10
	// leastCompared is the length from which a word is compared with others.
	leastCompared = 4
	// leastPart is the length from which a part of a word is looked for.
	leastPart = 5
	// wholeVocabulary is how many words a source may hold for all its terms to be
	// compared, which takes up to 50 ms; see nearTerms.
	wholeVocabulary = 300_000
)

// alike is an index term that resembles a word of the query.
type alike struct {
	term     string
	rows     int
	likeness float64
}

// widen looks for rows that hold words like those of the query: for those that no
// row holds, which may be misspelt or stand there in another form or in a
// compound, or for all of them.
func (c *candidates) widen(tx memories.Rows, all bool) error {
	near, err := c.nearTerms(tx, all)
	if err != nil {
		return err
	}
	var found []retrieval.Candidate
	spent := 0
	for i, terms := range near {
		slices.SortFunc(terms, func(a, b alike) int {
			return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.rows, b.rows), cmp.Compare(a.term, b.term))
		})
		for _, t := range terms[:min(len(terms), mostLike)] {
			if spent+t.rows > matchBudget || t.likeness < terms[0].likeness-besideBest {
				continue
			}
			spent += t.rows
			c.scorer.Resembles(i, t.term, t.likeness)
			found = append(found, retrieval.Candidate{Column: retrieval.BodyColumn, Term: t.term})
		}
	}
	if len(found) == 0 || c.all {
		return nil
	}
	ids, err := tx.Match(c.source, retrieval.MatchExpression(found), c.Filter, leastMatches)
	for _, id := range ids {
		c.add(id)
	}
	return err
}

// unspaced is where the scripts without spaces begin among index terms.
const unspaced = "\u0e00"

// characters are the index terms of which a single character of the query is a part:
// texts hold pairs of them.
func (c *candidates) characters(tx memories.Rows) (list []retrieval.Candidate, err error) {
	for _, term := range c.analysed.Terms {
		if !language.IsCharacter(term.Word) {
			continue
		}
		err = tx.Vocabulary(c.source, unspaced, "", func(other, column string, rows int) {
			if column == string(retrieval.BodyColumn) && other != term.Word && strings.Contains(other, term.Word) && len(list) < mostLike*mostLike {
				list = append(list, retrieval.Candidate{Column: retrieval.BodyColumn, Term: other})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// nearTerms are the index terms that resemble the words of the query, by their
// places. Of a large source only those are compared that begin with the same two
// letters, differ in one of these, or are a part of the word.
func (c *candidates) nearTerms(tx memories.Rows, all bool) (map[int][]alike, error) {
	near := map[int][]alike{}
	wanted := map[int]string{}
	for i, term := range c.analysed.Terms {
		form := term.Forms[0]
		known := slices.ContainsFunc(term.Forms, func(form string) bool { return c.statistics.Body[form]+c.statistics.Day[form] > 0 })
		if (all || !known) && !c.analysed.NamesDay(term) && utf8.RuneCountInString(form) >= leastCompared {
			wanted[i] = form
		}
	}
	compare := func(term, column string, rows int) {
		if column != string(retrieval.BodyColumn) || len(term) < leastCompared {
			return
		}
		for i, form := range wanted {
			if likeness := retrieval.Likeness(form, term); likeness >= leastLike && term != form {
				near[i] = append(near[i], alike{term, rows, likeness})
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	if c.statistics.Words <= wholeVocabulary {
		return near, tx.Vocabulary(c.source, "", "", compare)
	}
	var parts []string
	for _, form := range wanted {
		beginning := string([]rune(form)[:2])
		if err := tx.Vocabulary(c.source, beginning, beginning+"\U0010ffff", compare); err != nil {
			return nil, err
		}
		parts = append(parts, otherBeginnings(form)...)
	}
	known, err := tx.Statistics(c.source, parts)
	if err != nil {
		return nil, err
	}
	for term, rows := range known.Body {
		compare(term, string(retrieval.BodyColumn), rows)
	}
	return near, nil
}

// otherBeginnings are the words that differ from one by a letter among its first
// two, and its parts that begin elsewhere.
func otherBeginnings(word string) (list []string) {
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
	for at := 1; at <= len(runes)-leastPart; at++ {
		list = append(list, string(runes[at:]))
	}
	return slices.DeleteFunc(list, func(w string) bool { return strings.HasPrefix(w, string(runes[:2])) })
}
