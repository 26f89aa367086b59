package recall

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/tools"
)

// Whether anything that is remembered fits a question, and what is told where nothing does.
const (
	// minRelevance is what the best must answer of a question for anything to fit it, and
	// minPoorRelevance what it must for anything to be told at all, as a poor match.
	minRelevance, minPoorRelevance = 0.4, 0.2
	// maxSilentRelevance is how much of a question seems answered at most by what has no word of it and
	// stands beside others that have.
	maxSilentRelevance = 0.45
	// maxNearest is how many of the nearest in meaning are told behind what words found
	// where nothing fits, maxExtraNearest where something does, and minNear how like they are
	// at least where the question may not concern the person's own world.
	maxNearest, maxExtraNearest, minNear = 5, 2, 0.05
	// minShareOfNearest is the share of the likeness of the nearest that others must have.
	minShareOfNearest = 0.5
)

// selectNearest returns the candidates that are nearest in meaning of those that are not told yet.
func selectNearest(q *tools.Question, list, shown []ranked, fits float64) []ranked {
	known := map[string]bool{}
	count, least := maxNearest, minNear
	if q.Meaning.IsPersonal {
		least = 0 // as beside a prompt
	}
	for _, r := range shown {
		for _, ref := range append([]string{r.Ref()}, r.Covers...) {
			known[ref] = true
		}
		if r.relevance >= r.lowerFloorForOrder(fits) {
			count = maxExtraNearest
		}
	}
	var near []ranked
	for _, r := range list {
		if r.Similarity > 0 && r.Similarity >= least && r.intent != intentFiller && !r.beginsWithQuestion() && r.ReplacedBy == "" && !known[r.Ref()] {
			r.shown = min(r.relevance, minPoorRelevance)
			near = append(near, r)
		}
	}
	slices.SortFunc(near, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), b.At.Compare(a.At), cmp.Compare(a.Ref(), b.Ref()))
	})
	near = mergeDuplicates(near)
	near = near[:min(len(near), count)]
	near = slices.DeleteFunc(near, func(r ranked) bool { return r.Similarity < minShareOfNearest*near[0].Similarity })
	for i := range near {
		near[i].near = true
	}
	return near
}

// beginsWithQuestion reports whether a candidate asks, or is an answer with its question before it: that is
// near to every question of its form.
func (r ranked) beginsWithQuestion() bool {
	return r.intent >= intentQuestion || len(r.Turns) > 1 && turnIntent(r.Turns[0]) >= intentQuestion
}

// relevanceFloor is what must be answered of a question. One of words of work alone ("run the
// tests") is answered by what has all of them.
func relevanceFloor(q *tools.Question) float64 {
	if slices.ContainsFunc(q.Terms, func(t search.Term) bool { return !language.IsStopWord(t.Word) && !isWorkWord(t) }) {
		return minRelevance
	}
	return duplicateShare
}

// isWorthShowing reports whether a candidate fits, or comes near with a rare word of the
// question or more than one: any other may stand somewhere by chance.
func (r ranked) isWorthShowing(q *tools.Question, fits float64) bool {
	return r.relevance >= r.lowerFloorForOrder(fits) || r.relevance >= minPoorRelevance && (len(r.matched) > 1 || r.matchesRareWord(q))
}

// isAnswer reports whether a candidate answers enough of a question. One word of several, be it
// a name, is not what was asked of it.
func (r ranked) isAnswer(q *tools.Question, fits float64) bool {
	if fits == minRelevance && len(r.matched) == 1 && q.Scorer.CountInformativeTerms() > 1 {
		fits = search.PoorMatch
	}
	return r.discountRelevance(r.relevance) >= r.lowerFloorForOrder(fits)
}

// lowerFloorForOrder is what a candidate must answer where a statement must answer so much. An order weighs less; one that has
// every word of the question is what was looked for.
func (r ranked) lowerFloorForOrder(fits float64) float64 {
	if r.intent == intentOrder {
		return min(fits, orderWeight*duplicateShare)
	}
	return fits
}

// discountRelevance is how much of a relevance may be told of a candidate. Its place may come from what stands
// around it or from what its family knows; how much it answers is what it says itself.
func (r ranked) discountRelevance(relevance float64) float64 {
	relevance *= 1 - (1-derivedWeight)*r.derived
	if r.lacksName {
		relevance *= missingNameWeight
	}
	switch {
	case r.nameAlone:
		return relevance * nameAloneWeight
	case r.silent:
		return min(relevance, max(r.own, maxSilentRelevance))
	}
	return relevance
}

// markDerivedMatches marks the words of a question that a candidate has only as words made of them, such as
// production for product: the stem ranks, and the word itself is what is sure.
func (r *ranked) markDerivedMatches(q *tools.Question) {
	has, derived, text := 0.0, 0.0, truncate(r.Text, maxCandidateLength)
	for i, t := range q.Terms {
		at := slices.Index(r.stated, t.Word)
		if at < 0 {
			continue
		}
		has += q.Scorer.TermInformation(i)
		if language.HasOnlyDerivation(text, t.Word) {
			r.stated[at] = "~" + t.Word
			derived += q.Scorer.TermInformation(i)
		}
	}
	if has > 0 {
		r.derived = derived / has
	}
}

// matchesNameOnly reports whether a candidate has nothing of a question but a name, of which something is
// asked: "what is Lena allergic to" is not answered by where she lives. Upper are the capitalizedWords of the
// question.
func (r ranked) matchesNameOnly(q *tools.Question, upper map[string]bool) bool {
	named, lacks, found := false, false, r.stated
	if r.Reply {
		found = r.matched
	}
	for i, t := range q.Terms {
		if q.Scorer.TermInformation(i) <= 0 || language.IsStopWord(t.Word) || language.IsEveryday(t.Forms[0]) {
			continue
		}
		has := slices.Contains(found, t.Word) || slices.Contains(found, "~"+t.Word)
		if has && !(t.IsName() && (upper[t.Word] || capitalizedWords(truncate(r.Text, maxCandidateLength))[t.Word])) {
			return false
		}
		named, lacks = named || has, lacks || !has
	}
	return named && lacks
}

// findNames returns the words of a question that name whom or what it asks about: first names of
// persons, else names in general. German writes every noun with a large first letter.
func findNames(q *tools.Question, upper map[string]bool) []string {
	isGerman := language.DetectLanguage(language.SurfaceWords(q.Text)) == language.German
	var persons, others []string
	for _, t := range q.Terms {
		isInner, isUpper := upper[t.Word]
		switch {
		case q.CanNameDay(t):
		case language.IsFirstName(t.Word) && (t.IsName() || isUpper):
			persons = append(persons, t.Word)
		case t.IsName() && isInner && !isGerman:
			others = append(others, t.Word)
		}
	}
	if len(persons) > 0 {
		return persons
	}
	return others
}

// lacksEveryName reports whether a candidate has none of the names of whom a question asks,
// also not around it or as the name of its project: it may be about somebody else.
func (r ranked) lacksEveryName(names []string) bool {
	project := language.Words(r.Place.Project)
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(r.matched, name) || slices.Contains(r.matched, "~"+name) || slices.Contains(project, name)
	})
}

// capitalizedWords are the folded words of a text that have a large first letter somewhere, true for those
// that have it where no sentence begins.
func capitalizedWords(text string) map[string]bool {
	words := map[string]bool{}
	for _, sentence := range language.Sentences(text) {
		for i, written := range language.SurfaceWords(sentence) {
			if first, _ := utf8.DecodeRuneInString(written); unicode.IsUpper(first) {
				word := language.Fold(written)
				words[word] = words[word] || i > 0
			}
		}
	}
	return words
}

// matchesRareWord reports whether a candidate has a word of the question that few rows have,
// or, of a question in a sentence, which words a thing as its speaker would, any that
// says what it is about.
func (r ranked) matchesRareWord(q *tools.Question) bool {
	rare := q.Scorer.InformationOfRows(maxRareRows)
	if slices.ContainsFunc(language.Sentences(q.Text), language.IsQuestion) {
		rare = 0
	}
	for i, t := range q.Terms {
		if isSpecific(t) && q.Scorer.TermInformation(i) >= rare && slices.Contains(r.matched, t.Word) {
			return true
		}
	}
	return false
}
