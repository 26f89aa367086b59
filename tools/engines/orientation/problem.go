package orientation

import (
	"strings"
	"sync"
)

// attack is one way to aim at the absence of something: a verb, or several words of
// which the first is inflected.
type attack struct {
	class    string
	verb     map[string]form
	rest     []string
	troubled bool // only when it acts on a trouble: "cut costs", not "cut an album"
}

var attacks = sync.OnceValue(func() []attack {
	var words, single []attack
	for _, troubled := range []string{"", "troubled "} {
		for _, class := range classes {
			for _, line := range lists()[troubled+class+" phrases"] {
				phrase, first := strings.Fields(line), map[string]form{}
				addForms(first, phrase[0])
				words = append(words, attack{class, first, phrase[1:], troubled != ""})
			}
			single = append(single, attack{class, inflect(troubled + class), nil, troubled != ""})
		}
	}
	return append(words, single...) // "cut down on" before "cut"
})

// at returns the index after the attack, when it stands at i.
func (a attack) at(s sentence, i int) (to int, ok bool) {
	to = i + 1 + len(a.rest)
	switch {
	case a.verb[s.word(i)] == 0 || !s.has(i+1, a.rest):
		return 0, false
	case a.troubled:
		return to, in("troubles", s.lastNoun(s.after(to, "particles")))
	}
	return to, len(a.rest) > 0 || !namesThing(s, i)
}

// problem is what governs a refused text: which words, of which class, and what they act on.
type problem struct {
	class    string
	sentence sentence
	from, to int // the deciding words
	object   int // where what they act on begins
}

// governingProblem returns the problem verb that governs the text, or nil. A sentence
// after one that creates may speak of problems: the first has set the direction.
// With passive, results of problem verbs ("Debt eliminated") govern too.
func governingProblem(t text, passive bool) *problem {
	for _, s := range t.sentences {
		h := findHead(s)
		p := problemAt(s, h)
		if p == nil && passive {
			p = passiveProblem(s, h.at)
		}
		if p != nil || creative.is(s.word(h.at), base|gerund) {
			return p
		}
	}
	return nil
}

func problemAt(s sentence, h head) *problem {
	if h.negated >= 0 && (!h.subject || s.word(h.negated-1) == "will" || isForm("desiring", s.word(h.negated+1), base)) {
		return &problem{class: "stopping", sentence: s, from: h.negated, to: h.negated + 1, object: len(s)}
	}
	if p := plannedProblem(s, h.at); p != nil {
		return p
	}
	for _, a := range attacks() {
		if to, ok := a.at(s, h.at); ok {
			p := &problem{class: a.class, sentence: s, from: h.at, to: to, object: to}
			if len(a.rest) == 0 {
				p.object = s.after(to, "particles")
			}
			return p
		}
	}
	return othersStop(s, h.at)
}

// othersStop finds somebody else who shall stop doing something: "My son stops hitting".
func othersStop(s sentence, from int) *problem {
	if w := s.word(from); creative.is(w, base) && w != "make" && w != "get" {
		return nil
	}
	for i := from + 1; i < from+6 && (s.word(i-1) == "to" || !in("prepositions", s.word(i-1))); i++ {
		if isForm("stopping", s.word(i), base|third) && (isGerund(s.word(i+1)) || s.ends(i+1)) {
			return &problem{class: "stopping", sentence: s, from: i, to: i + 1, object: i + 1}
		}
	}
	return nil
}

// namesThing reports whether the problem word at i only helps to name a thing: "Stop signs
// installed", "Fix deployed", "Solved cases documented".
func namesThing(s sentence, i int) bool {
	w := s.word(i)
	switch {
	case s.longest(i, "compounds") > 0:
		return true
	case in("determiners", s.word(i+1)) || !in("noun verbs", w) && classes.is(w, base):
		return false
	}
	return s.later(i+1, func(j int) bool { return isResult(s.word(j)) && endsPhrase(s, j+1) })
}

// passiveProblem finds a problem verb that governs as a result: "Debt eliminated", "All
// bugs are fixed", "Costs reduced by 20%".
func passiveProblem(s sentence, from int) *problem {
	if creative.is(s.word(from), base) {
		return nil
	}
	for i := from + 1; !s.ends(i) && !in("relatives", s.word(i)); i++ {
		if !endsPhrase(s, i+1) {
			continue
		}
		for _, a := range attacks() {
			if len(a.rest) == 0 && !a.troubled && a.verb[s.word(i)]&past != 0 {
				return &problem{class: a.class, sentence: s, from: i, to: i + 1, object: from}
			}
		}
	}
	return nil
}

// plannedProblem finds a problem behind a verb that brings into being nothing but
// the fight against it: "Create a plan to eliminate waste", "Achieve a reduction in costs".
// What exists and works in its own right stands: "Design a system that prevents data loss".
func plannedProblem(s sentence, verb int) *problem {
	for i := verb + 1; !s.ends(i) && i < verb+7 && !in("prepositions", s.word(i)); i++ {
		w, next := s.word(i), s.word(i+1)
		if in("losses", w) && (next == "in" || next == "of") {
			return &problem{class: "reducing", sentence: s, from: i, to: i + 1, object: i + 2}
		}
		if in("vehicles", w) && in("prepositions", next) {
			if p := problemAt(s, head{at: i + 2, negated: -1}); p != nil {
				return p
			}
		}
	}
	return nil
}
