package recall

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/language/calendar"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
)

const (
	// floor is what the best must answer of a question for anything to fit it, and
	// least what the others must: beside an answer stand the turns it was given in.
	floor, least = 0.4, 0.25
	// near is what it is worth to stand in the project at hand.
	near = 0.1
	// shades is how many degrees of relevance are told apart.
	shades = 20
	// passage is in how many words those of a question stand close together.
	passage = 60
	// mostRanked is how many of the best are compared with each other.
	mostRanked = 100
	// bystander is what a turn is worth that is known by those around it alone, and
	// answers none of them.
	bystander = 0.7
	// outdated is what is worth that a later statement replaced.
	outdated = 0.5
	// alike is the share of words from which two texts say the same.
	alike = 0.9
)

// ranked is a candidate with its place in the order of everything.
type ranked struct {
	tools.Candidate
	matched   []string
	relevance float64
	close     float64 // relevance of its best passage
	shown     float64 // relevance by which it has its place among others
	order     float64 // the same, or more where the order of its kind counts
	manner    manner
	kind      int // place of its kind among the kinds
	within    int // place among its kind
	words     map[string]bool
	marks     uint64 // a bit for each hashed word, to dismiss most pairs quickly
}

// rank puts candidates of the kinds asked for into one order, best first, and folds
// what says the same. What does not fit the question is left out.
func rank(q *tools.Question, candidates []tools.Candidate) []ranked {
	back, list := looksBack(q), weighed(q, candidates)
	for i := range list {
		if r := &list[i]; r.standsBy() {
			r.relevance *= bystander
		}
	}
	list = slices.DeleteFunc(list, func(r ranked) bool { return r.relevance < least })
	if !slices.ContainsFunc(list, func(r ranked) bool { return r.relevance >= floor && back.meets(r) }) {
		return nil
	}
	return inOrder(q, list, false)
}

// standsBy reports whether a turn has no word of the question itself and answers no
// one.
func (r ranked) standsBy() bool { return r.Said != nil && !r.Ranked && !r.Reply }

// inOrder sorts candidates, best first, and folds them. Of what answers as much the
// newest comes first: it may have replaced the others. By kind, the order in which a
// family offers counts more: it finds more, but shows no reason.
func inOrder(q *tools.Question, list []ranked, byKind bool) []ranked {
	place(q, list, byKind)
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(shade(b.order), shade(a.order)), cmp.Compare(shade(b.close), shade(a.close)),
			newest(a, b, byKind), cmp.Compare(a.within, b.within), cmp.Compare(a.kind, b.kind), b.At.Compare(a.At), cmp.Compare(a.Ref(), b.Ref()))
	})
	return fold(list[:min(len(list), mostRanked)])
}

func newest(a, b ranked, byKind bool) int {
	if byKind {
		return 0
	}
	return b.At.Compare(a.At)
}

// weighed are the candidates of the kinds asked for, in the order in which they
// are offered.
func weighed(q *tools.Question, candidates []tools.Candidate) (list []ranked) {
	back, places := looksBack(q), map[string]int{}
	for _, c := range candidates {
		kind := slices.Index(q.Kinds, c.Kind)
		if kind < 0 {
			continue
		}
		r := ranked{Candidate: c, kind: kind, within: places[c.Kind]}
		places[c.Kind]++
		r.weigh(q.Scorer)
		if back.settles(r) {
			r.relevance = max(r.relevance, floor)
		}
		if r.close = r.relevance; len(r.Terms) > passage {
			r.close = closeness(q.Scorer, r.Terms)
		}
		list = append(list, r)
	}
	renew(list)
	return list
}

// place gives candidates the relevance by which they are put among others: by kind,
// what a family offers before something counts for as relevant. What was said in the project at hand comes before what was said
// anywhere, and that before what was said in other projects.
func place(q *tools.Question, list []ranked, byKind bool) {
	most := map[int]float64{} // from here on within the kind
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		r.shown = r.relevance
		switch {
		case q.Prefer == 0 || r.Project == 0:
		case r.Project == q.Prefer:
			r.shown += near
		case r.Said != nil: // in another project; what was learned there may hold everywhere
			r.shown -= near
		}
		most[r.kind] = max(most[r.kind], r.relevance)
		if r.order = r.shown; r.Ranked && byKind {
			r.order, r.close = r.shown-r.relevance+most[r.kind], most[r.kind]
		}
	}
}

func shade(relevance float64) float64 { return math.Round(relevance * shades) }

// weigh finds how much of the question a candidate answers.
func (r *ranked) weigh(s *retrieval.Scorer) {
	if r.Terms == nil {
		r.Terms = language.Terms(r.Text)
	}
	var w retrieval.Window
	w[retrieval.Neighbours] = s.Evidence(r.Terms, calendar.Terms(r.Text, r.At))
	if len(r.Around) > 0 {
		w[retrieval.Neighbours-1] = s.Context(r.Around)
	}
	r.relevance, r.matched = s.Answers(w, r.Speaker), s.Answered(w, r.Speaker)
	r.manner = mannerOf(r.Candidate)
	switch {
	case r.manner == asks && r.relevance >= alike:
		r.relevance = 0 // it repeats the question
	case r.manner == asks:
		r.relevance *= asking
	case r.manner == weaker:
		r.relevance *= weakerWorth
	}
	if r.Replaced != "" {
		r.relevance *= outdated
	}
}

// closeness is what the best passage of a long text answers: in a long text words
// may stand together by chance.
func closeness(scorer *retrieval.Scorer, terms []string) (best float64) {
	for at := 0; at < len(terms); at += passage / 2 {
		var w retrieval.Window
		w[retrieval.Neighbours] = scorer.Evidence(terms[at:min(at+passage, len(terms))], nil)
		best = max(best, scorer.Answers(w, ""))
	}
	return best
}

// fold joins what says the same as something better: it is named beside that, and
// lends it its place where it has none.
func fold(list []ranked) (kept []ranked) {
	for _, r := range list {
		r.read()
		at := slices.IndexFunc(kept, func(k ranked) bool { return k.same(r) })
		if at < 0 {
			kept = append(kept, r)
			continue
		}
		k := &kept[at]
		k.Also = append(append(k.Also, r.Ref()), r.Also...)
		k.Same = append(k.Same, r.Same...)
		if k.Place == (tools.Place{}) {
			k.Place = r.Place
		}
	}
	return kept
}

// read notes which words a candidate has.
func (r *ranked) read() {
	r.words = make(map[string]bool, len(r.Terms))
	h := fnv.New32a()
	for _, t := range r.Terms {
		if !r.words[t] {
			r.words[t] = true
			h.Reset()
			h.Write([]byte(t)) //nolint:errcheck // a hash takes everything
			r.marks |= 1 << (h.Sum32() & 63)
		}
	}
}

// same reports whether two candidates say the same: one is the source of the other,
// or their words are nearly all the same, and every number.
func (r ranked) same(other ranked) bool {
	if slices.Contains(r.Same, other.Ref()) || slices.Contains(other.Same, r.Ref()) {
		return true
	}
	few, many := r.words, other.words
	if len(few) > len(many) {
		few, many = many, few
	}
	apart := bits.OnesCount64(r.marks ^ other.marks) // so many words at least are in one only
	if float64(len(few)) < alike*float64(len(many)) || float64(apart) > (1-alike)*float64(len(few)+len(many)) {
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
	return float64(shared) >= alike*float64(len(few)+len(many)-shared)
}

func isNumber(word string) bool { return strings.ContainsAny(word, "0123456789") }
