package recall

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/tools"
)

const (
	// minShareOfBest is the share of what the best answers that others must answer.
	minShareOfBest = 0.25
	// overtakeMargin more of the question than what its family puts before it, and a candidate
	// comes first in any case.
	overtakeMargin = 0.3
	// otherProjectPenalty is what it costs to stand in no project, or, for dialogue, in another than
	// that at hand.
	otherProjectPenalty = 0.1
	// relevanceSteps is how many degrees of relevance are told apart.
	relevanceSteps = 20
	// maxRankedRows is how many of the best are compared with each other.
	maxRankedRows = 100
	// outdatedFactor is what is worth that a later statement replaced.
	outdatedFactor = 0.5
	// maxRepeatedQuestionAge is how long ago a prompt was typed that is the one being answered: what is
	// said in a session is there at once.
	maxRepeatedQuestionAge = 15 * time.Minute
	// minMeaningSimilarity is the likeness up to which two meanings have nothing in common; from there
	// what is answered grows by meaningSlope, to maxMeaningScore.
	minMeaningSimilarity, meaningSlope, maxMeaningScore = 0.1, 1.0, 0.8
	// derivedWeight is what a word is worth that is made of one of the question.
	derivedWeight = 0.5
	// nameAloneWeight is how sure a candidate is that has nothing of the question but a name.
	nameAloneWeight = 0.5
	// missingNameWeight is how sure a candidate is that lacks the name of whom the question asks about.
	missingNameWeight = 0.5
	// duplicateShare is the share of words from which two texts say the same.
	duplicateShare = 0.9
)

// ranked is a candidate with its place in the order of everything.
type ranked struct {
	tools.Candidate
	matched   []string // words of the question, also those that stand around it
	stated    []string // those that its own text has
	relevance float64  // by words and by meaning, those that stand around it too
	own       float64  // what of this its own text answers
	meaning   float64  // what its likeness answers
	shown     float64  // relevance that is told, the same in every project
	placed    float64  // relevance by which it has its place among others
	intent    intent
	newer     string  // note of what the user stated on its topic after it
	near      bool    // near in meaning only
	nameAlone bool    // it has nothing of the question but a name
	silent    bool    // it has no word of the question
	lacksName bool    // it names nobody of whom the question asks
	derived   float64 // share of what it has of the question that are words made of the question's
	kind      int     // place of its kind among the kinds
	kindRank  int     // place among its kind
	words     map[string]bool
	wordMask  uint64 // a bit for each hashed word, to dismiss most pairs quickly
}

// rankCandidates puts candidates of the kinds asked for into one order, best first, and folds
// what says the same. What does not answer the question is left out; where nothing
// is as relevant as the floor, what is told is poor.
func rankCandidates(q *tools.Question, candidates []tools.Candidate) []ranked {
	// Days count for who asks: one may be meant. In a note it is one word of many.
	dated := slices.ContainsFunc(language.Sentences(q.Text), language.IsQuestion) || slices.ContainsFunc(q.Days, func(day language.DateQuery) bool { return day.Counted })
	back, list, best, fits := parsePastQuestion(q), omitSilent(q, scoreCandidates(q, candidates, dated)), 0.0, relevanceFloor(q)
	for i := range list {
		r := &list[i]
		if back.matchesSubject(*r) && r.isWorthShowing(q, fits) {
			best = max(best, r.relevance)
		}
	}
	var shown []ranked
	if best > 0 {
		shown = sortAndMergeDuplicates(q, slices.DeleteFunc(slices.Clone(list), func(r ranked) bool {
			return r.intent == intentFiller || r.relevance < minShareOfBest*best
		}))
	}
	near := selectNearest(q, list, shown, fits)
	if slices.ContainsFunc(shown, func(r ranked) bool { return r.relevance >= r.lowerFloorForOrder(fits) }) {
		return append(shown, near...)
	}
	// What only asks the same answers nothing, and must not stand before what may.
	asking := func(r ranked) bool { return r.intent >= intentQuestion }
	answers := slices.DeleteFunc(slices.Clone(shown), asking)
	questions := slices.DeleteFunc(slices.Clone(shown), func(r ranked) bool { return !asking(r) })
	return slices.Concat(answers, near, questions)
}

// omitSilent leaves out what has no word of a question where a statement has what all of it asks for, and is as near
// to it in meaning. Beside what is looked for by a name stands what was said around it.
func omitSilent(q *tools.Question, list []ranked) []ranked {
	if !slices.ContainsFunc(language.Sentences(q.Text), language.IsQuestion) {
		return list
	}
	nearest := -1.0
	for _, r := range list {
		if !r.silent && r.intent == intentStatement && r.own >= minWholeAnswer {
			nearest = max(nearest, r.Similarity)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(r ranked) bool { return r.silent && r.Similarity <= nearest && !r.repliesToMatch(list) })
}

// repliesToMatch reports whether a turn comes right behind one of somebody else that has a word of the question.
func (r ranked) repliesToMatch(list []ranked) bool {
	return r.Turns != nil && slices.ContainsFunc(list, func(before ranked) bool {
		return before.Turns != nil && !before.silent && before.Place.Session == r.Place.Session && before.Place.Turn == r.Place.Turn-1 && before.Speaker != r.Speaker
	})
}

// isBeingAnswered reports whether a turn is the prompt for which somebody asks: one of just now that asks
// or orders something and has no answer yet.
func (r ranked) isBeingAnswered(now time.Time) bool {
	return len(r.Turns) == 1 && r.Speaker == user && now.Sub(r.At) < maxRepeatedQuestionAge && (hasQuestion(r.Turns[0].Text) || turnIntent(r.Turns[0]) == intentOrder)
}

// isContextOnly reports whether a turn has no word of the question itself and answers no
// one.
func (r ranked) isContextOnly() bool { return r.Turns != nil && !r.Ranked && !r.Reply }

// sortAndMergeDuplicates sorts candidates, best first, and folds them. Of kinds that answer as much
// the newest comes first: it may have replaced the others.
func sortAndMergeDuplicates(q *tools.Question, list []ranked) []ranked {
	assignShownRelevance(q, list)
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(compareRelevance(a, b), cmp.Compare(a.kindRank, b.kindRank), b.At.Compare(a.At), cmp.Compare(a.Ref(), b.Ref()))
	})
	kinds := make([][]ranked, len(q.Kinds))
	for _, r := range list {
		kinds[r.kind] = append(kinds[r.kind], r)
	}
	for i := range list {
		next := -1
		for k, rest := range kinds {
			if len(rest) > 0 && (next < 0 || cmp.Or(compareRelevance(rest[0], kinds[next][0]), cmp.Compare(rest[0].kindRank, kinds[next][0].kindRank), kinds[next][0].At.Compare(rest[0].At)) < 0) {
				next = k
			}
		}
		list[i], kinds[next] = kinds[next][0], kinds[next][1:]
	}
	return mergeDuplicates(list[:min(len(list), maxRankedRows)])
}

func compareRelevance(a, b ranked) int {
	return cmp.Compare(roundRelevance(b.placed), roundRelevance(a.placed))
}

// scoreCandidates are the candidates of the kinds asked for, in the order in which they
// are offered.
func scoreCandidates(q *tools.Question, candidates []tools.Candidate, dated bool) (list []ranked) {
	back, places, upper := parsePastQuestion(q), map[string]int{}, capitalizedWords(q.Text)
	names := findNames(q, upper)
	for _, c := range candidates {
		kind := slices.Index(q.Kinds, c.Kind)
		if kind < 0 {
			continue
		}
		r := ranked{Candidate: c, kind: kind, kindRank: places[c.Kind]}
		places[c.Kind]++
		if !q.AskedByPerson && r.isBeingAnswered(q.Now) {
			continue
		}
		r.scoreRelevance(q.Scorer, dated)
		r.markDerivedMatches(q)
		r.nameAlone, r.silent = r.matchesNameOnly(q, upper), len(r.stated) == 0 && !r.Reply
		r.lacksName = r.lacksEveryName(names)
		if r.isReadFromFile() { // after it was compared with the question: its words stand
			r.Text = omitRepeatedLines(r.Text)
		}
		if back.isDecision(r) {
			r.relevance = max(r.relevance, minRelevance)
		}
		list = append(list, r)
	}
	promoteCorrections(list)
	return mergeBareAnswers(list)
}

// mergeBareAnswers leaves out answers that say nothing by themselves. With its question such an answer answers as
// much as alone.
func mergeBareAnswers(list []ranked) []ranked {
	bare := map[string]ranked{}
	list = slices.DeleteFunc(list, func(r ranked) bool {
		if r.isBareAnswer() {
			bare[r.Ref()] = r
		}
		return r.isBareAnswer()
	})
	for i := range list {
		r := &list[i]
		if len(r.Turns) < 2 || len(r.Covers) == 0 {
			continue
		}
		if answer, found := bare[r.Covers[0]]; found && answer.relevance > r.relevance {
			r.relevance, r.own, r.kindRank = answer.relevance, max(answer.own, r.own), min(answer.kindRank, r.kindRank)
		}
	}
	return list
}

// assignShownRelevance gives candidates the relevance that is told: that of their own, or what they
// share with what their family, which knows more than words, offers before or after them.
// They are put among others by the same, but what was said in the project at hand comes
// before what was said anywhere, and that before what was said in other projects.
func assignShownRelevance(q *tools.Question, list []ranked) {
	offered := map[int][]*ranked{}
	for i := range list {
		r := &list[i]
		r.shown = r.relevance
		if r.Ranked && (r.intent == intentStatement || r.intent == intentTentative && len(r.Turns) > 1) {
			offered[r.kind] = append(offered[r.kind], r)
		}
	}
	for _, kind := range offered {
		slices.SortStableFunc(kind, func(a, b *ranked) int { return cmp.Or(cmp.Compare(a.kindRank, b.kindRank), b.At.Compare(a.At)) })
		levelShownRelevance(kind)
	}
	for i := range list {
		r, away := &list[i], 0.0
		switch {
		case q.CurrentProject == 0 || r.Project == q.CurrentProject:
		case r.Project != 0 && r.Turns != nil: // what was learned there may hold everywhere
			away = 2 * otherProjectPenalty
		default:
			away = otherProjectPenalty
		}
		r.placed = r.shown - away
	}
	demoteOtherDays(q, list)
}

// demoteOtherDays puts behind the best of the days that a question counts from today what is of no known day, and
// what is of other days and answers about as much.
func demoteOtherDays(q *tools.Question, list []ranked) {
	best := -1
	for i, r := range list {
		if r.isOfAskedDays(q) && r.relevance >= minPoorRelevance && (best < 0 || r.placed > list[best].placed) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	first := list[best]
	for i := range list {
		r := &list[i]
		if !r.isOfAskedDays(q) && (r.At.IsZero() || r.placed <= first.placed+overtakeMargin) {
			r.placed, r.shown = min(r.placed, first.placed-1.0/relevanceSteps), min(r.shown, first.shown)
		}
	}
}

// isOfAskedDays reports whether a candidate was said on days that a question counts from today, or speaks of them.
func (r ranked) isOfAskedDays(q *tools.Question) bool {
	return slices.ContainsFunc(q.Days, func(day language.DateQuery) bool {
		return day.Counted && slices.ContainsFunc(day.Words, func(word string) bool { return slices.Contains(r.matched, word) })
	})
}

// levelShownRelevance lets nothing be shown less relevant than what comes after it: what answers
// much more goes before, and what else stands the wrong way round shares the mean.
func levelShownRelevance(offered []*ranked) {
	var list []*ranked
	for _, r := range offered {
		at := len(list)
		for at > 0 && r.relevance > list[at-1].relevance+overtakeMargin {
			at--
		}
		list = slices.Insert(list, at, r)
	}
	type run struct {
		sum     float64
		members []*ranked
	}
	mean := func(r run) float64 { return r.sum / float64(len(r.members)) }
	var runs []run
	for _, r := range list {
		runs = append(runs, run{r.relevance, []*ranked{r}})
		for n := len(runs); n > 1 && mean(runs[n-2]) < mean(runs[n-1]); n-- {
			runs[n-2].sum += runs[n-1].sum
			runs[n-2].members = append(runs[n-2].members, runs[n-1].members...)
			runs = runs[:n-1]
		}
	}
	at := 0
	for _, run := range runs {
		for _, r := range run.members {
			r.shown, r.kindRank = mean(run), at
			list[at] = r
			at++
		}
	}
	least := 0.0
	for _, r := range slices.Backward(list) {
		least = max(least, r.discountRelevance(r.shown))
		r.shown = least
	}
}

func roundRelevance(relevance float64) float64 { return math.Round(relevance * relevanceSteps) }

// scoreRelevance finds how much of the question a candidate answers.
func (r *ranked) scoreRelevance(s *search.Scorer, dated bool) {
	if r.Terms == nil {
		r.Terms = language.Terms(r.Text)
	}
	var w search.Window
	var day []string
	if r.Day == nil && !r.At.IsZero() {
		r.Day = language.CalendarTerms("", r.At)
	}
	if dated {
		day = r.Day
	}
	w[search.Neighbours] = s.CountEvidence(r.Terms, day)
	r.stated, r.own = s.MatchedWords(w, r.Speaker), s.RelevanceForQuestion(w, r.Speaker)
	if len(r.Around) > 0 {
		w[search.Neighbours-1] = s.CountContextEvidence(r.Around)
	}
	r.relevance, r.matched = s.RelevanceForQuestion(w, r.Speaker), s.MatchedWords(w, r.Speaker)
	r.meaning = relevanceOfSimilarity(r.Similarity)
	r.relevance += (1 - r.relevance) * r.meaning
	r.own += (1 - r.own) * r.meaning
	r.intent = candidateIntent(r.Candidate)
	switch {
	case r.intent == intentQuestion:
		r.relevance *= questionWeight
	case r.intent == intentOrder:
		r.relevance *= orderWeight
	case r.intent == intentTentative:
		r.relevance *= tentativeWeight
	}
	if r.ReplacedBy != "" {
		r.relevance *= outdatedFactor
	}
}

// relevanceOfSimilarity is how much of a question is taken for answered by what is so like it in
// meaning. A likeness tells what is nearest and not whether it fits: nothing fits by its
// meaning alone unless it is very near.
func relevanceOfSimilarity(similarity float64) float64 {
	return max(0, min(maxMeaningScore, (similarity-minMeaningSimilarity)*meaningSlope))
}

// mergeDuplicates joins what says the same as something better: it is named beside that, and
// lends it its place where it has none.
func mergeDuplicates(list []ranked) (kept []ranked) {
	for _, r := range list {
		r.buildWordSet()
		at := slices.IndexFunc(kept, func(k ranked) bool { return k.isDuplicate(r) })
		if at < 0 {
			kept = append(kept, r)
			continue
		}
		k := &kept[at]
		for _, ref := range append([]string{r.Ref()}, r.Covers...) {
			if !slices.Contains(k.Covers, ref) {
				k.Covers = append(k.Covers, ref)
			}
		}
		if k.Place == (tools.Place{}) {
			k.Place = r.Place
		}
	}
	return kept
}

// buildWordSet notes which words a candidate has.
func (r *ranked) buildWordSet() {
	r.words = make(map[string]bool, len(r.Terms))
	h := fnv.New32a()
	for _, t := range r.Terms {
		if !r.words[t] {
			r.words[t] = true
			h.Reset()
			h.Write([]byte(t)) //nolint:errcheck // a hash takes everything
			r.wordMask |= 1 << (h.Sum32() & 63)
		}
	}
}

// isDuplicate reports whether what is told says what another would: one is the only source of the
// other, or their words are nearly all the same, and every number. Of dialogue it must
// tell all turns of the other.
func (r ranked) isDuplicate(other ranked) bool {
	turns := r.Turns != nil && other.Turns != nil
	if turns && len(r.Turns) == 1 && slices.Contains(other.Covers, r.Ref()) && !other.hasExtraQueryWord(r) {
		return true // the answer with its question
	}
	if other.isListOf(r) {
		return true
	}
	if !other.hasExtraQueryWord(r) && (slices.Contains(r.DuplicateOf, other.Ref()) && (!turns || len(other.Turns) == 1) || slices.Contains(other.DuplicateOf, r.Ref()) && !turns && len(other.DuplicateOf) == 1) {
		return true
	}
	few, many := r.words, other.words
	if len(few) > len(many) {
		few, many = many, few
	}
	apart := bits.OnesCount64(r.wordMask ^ other.wordMask) // so many words at least are in one only
	if float64(len(few)) < duplicateShare*float64(len(many)) || float64(apart) > (1-duplicateShare)*float64(len(few)+len(many)) {
		return false
	}
	shared := 0
	for word := range many {
		if few[word] {
			shared++
		} else if isNumber(word) {
			return false
		}
	}
	for word := range few {
		if isNumber(word) && !many[word] {
			return false
		}
	}
	return float64(shared) >= duplicateShare*float64(len(few)+len(many)-shared)
}

// hasExtraQueryWord reports whether a candidate has a word of the question that another lacks: of
// what says more than what was learned from it both are told.
func (r ranked) hasExtraQueryWord(other ranked) bool {
	return slices.ContainsFunc(r.matched, func(word string) bool { return !strings.HasPrefix(word, "~") && !slices.Contains(other.matched, word) })
}

func isNumber(word string) bool { return strings.ContainsAny(word, "0123456789") }
