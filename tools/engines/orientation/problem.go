package orientation

import (
	"slices"
	"strings"
	"sync"
)

// class groups the ways to fight a problem by what they leave behind, for reframing.
type class string

const (
	repairing  class = "repairing"
	ceasing    class = "stopping"
	reducing   class = "reducing"
	removing   class = "removing"
	preventing class = "preventing"
)

// attack is one way to aim at the absence of something: a verb, or several words of
// which the first is inflected.
type attack struct {
	class    class
	verb     verbs
	rest     []string
	troubled bool // only when it acts on a trouble: "cut costs", not "cut an album"
}

var attacks = sync.OnceValue(func() []attack {
	var words, single []attack
	for _, troubled := range []string{"", "troubled "} {
		for _, c := range []class{repairing, ceasing, reducing, removing, preventing} {
			name := troubled + string(c)
			for _, line := range lists()[name+" phrases"] {
				phrase, first := strings.Fields(line), inflections{}
				first.conjugate(phrase[0])
				words = append(words, attack{c, func() inflections { return first }, phrase[1:], troubled != ""})
			}
			if lists()[name] != nil {
				single = append(single, attack{c, conjugate(name), nil, troubled != ""})
			}
		}
	}
	return append(words, single...) // "cut down on" before "cut"
})

// at returns the index after the attack, when it stands at i.
func (a attack) at(s sentence, i int) (to int, ok bool) {
	to = i + 1 + len(a.rest)
	switch {
	case !a.verb.is(s.word(i), base|third|gerund|past) || !s.has(i+1, a.rest):
		return 0, false
	case a.troubled:
		return to, actsOnTrouble(s, to)
	}
	return to, len(a.rest) > 0 || !namesThing(s, i)
}

// problem is what governs a refused text: which words, of which class, and what they act on.
type problem struct {
	class    class
	sentence sentence
	from, to int  // the deciding words
	object   int  // where what they act on begins
	quote    bool // what they act on is no English noun phrase: a verb, another language
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
	i := h.at
	if absence(s, h) {
		return &problem{class: ceasing, sentence: s, from: h.negated, to: h.negated + 1, object: i, quote: true}
	}
	if next := s.word(i + 1); s.word(i) == "no" && (next == "more" || next == "longer" && !h.subject) {
		return &problem{class: removing, sentence: s, from: i, to: i + 2, object: i + 2, quote: next == "longer"}
	}
	if i >= len(s) || s[i].quoted {
		return nil
	}
	if p := plannedProblem(s, i); p != nil {
		return p
	}
	for _, a := range attacks() {
		if to, ok := a.at(s, i); ok {
			p := problem{class: a.class, sentence: s, from: i, to: to, object: to}
			if len(a.rest) == 0 {
				p.object = afterParticle(s, to)
			}
			return &p
		}
	}
	return othersStop(s, i)
}

// absence reports an outcome that only says what shall not be: "Don't smoke", "I do
// not want to …", "I will not …". A state such as "I never miss a workout" stands.
func absence(s sentence, h head) bool {
	if h.negated < 0 || !h.subject {
		return h.negated >= 0
	}
	return s.word(h.negated-1) == "will" || desiring.is(s.word(h.negated+1), base)
}

var particles = wordSet("particles")

func afterParticle(s sentence, i int) int {
	for particles(s.word(i)) {
		i++
	}
	return i
}

var (
	troubles = wordSet("troubles")
	scales   = wordSet("scales")
)

// actsOnTrouble reports whether the noun that the verb before i acts on names a problem. Only
// the last word of the noun phrase counts: "manage a pain clinic" is about a clinic.
func actsOnTrouble(s sentence, i int) bool {
	last := ""
	for i = afterParticle(s, i); !s.ends(i); i++ {
		w := s.word(i)
		if prepositions(w) || isAdverb(w) || w == "better" {
			break
		}
		if !scales(w) {
			last = w
		}
	}
	return troubles(last)
}

// othersStop finds a third person that stops doing something: "My son stops hitting".
func othersStop(s sentence, from int) *problem {
	for i := from + 1; i < from+6 && !prepositions(s.word(i-1)); i++ {
		if stopping.is(s.word(i), third) && isGerund(s.word(i+1)) {
			return &problem{class: ceasing, sentence: s, from: i, to: i + 1, object: i + 1}
		}
	}
	return nil
}

var (
	// nounVerbs are problem verbs that are nouns as well.
	nounVerbs = wordSet("noun verbs")
	compounds = phrases("compounds")
)

// namesThing reports whether the problem word at i only helps to name a thing: "Repair café",
// "Stop signs installed", "Fix deployed", "Solved cases documented".
func namesThing(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	if slices.ContainsFunc(compounds(), func(phrase []string) bool { return s.has(i, phrase) }) {
		return true
	}
	if determiners(next) || isGerund(next) || !nounVerbs(w) && problems.is(w, base) {
		return false
	}
	return s.later(i+1, func(j int) bool { return isResultWord(s.word(j)) && endsPhrase(s, j+1) })
}

// passiveProblem finds a problem verb that governs as a result: "Debt eliminated", "All
// bugs are fixed", "Costs reduced by 20%".
func passiveProblem(s sentence, from int) *problem {
	if creative.is(s.word(from), base) {
		return nil
	}
	for i := from + 1; !s.ends(i) && !relatives(s.word(i)); i++ {
		for _, a := range attacks() {
			if len(a.rest) == 0 && !a.troubled && a.verb.is(s.word(i), past) && endsPhrase(s, i+1) {
				return &problem{class: a.class, sentence: s, from: i, to: i + 1, object: from}
			}
		}
	}
	return nil
}

var (
	vehicles = wordSet("vehicles")
	losses   = wordSet("losses")
)

// plannedProblem finds a problem behind a verb that brings into being nothing but
// the fight against it: "Create a plan to eliminate waste", "Achieve a reduction in costs".
// What exists and works in its own right stands: "Design a system that prevents data loss",
// "Learn to fix bikes".
func plannedProblem(s sentence, verb int) *problem {
	if w := s.word(verb); w == "learn" || w == "learning" {
		return learntProblem(s, verb+1)
	}
	for i := verb + 1; !s.ends(i) && i < verb+7 && !prepositions(s.word(i)); i++ {
		w, next := s.word(i), s.word(i+1)
		if losses(w) && (next == "in" || next == "of") {
			return &problem{class: reducing, sentence: s, from: i, to: i + 1, object: i + 2}
		}
		if vehicles(w) && prepositions(next) {
			if p := problemAt(s, head{at: i + 2, negated: -1}); p != nil {
				return p
			}
		}
	}
	return nil
}

// learntProblem finds what somebody learns to stop. Repairing is a skill like others.
func learntProblem(s sentence, i int) *problem {
	if s.word(i) == "how" {
		i++
	}
	p := problemAt(s, head{at: i + 1, negated: -1})
	if p == nil || p.class == repairing || p.class == preventing {
		return nil
	}
	return p
}
