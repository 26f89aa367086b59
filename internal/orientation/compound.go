package orientation

import "strings"

// namesThing reports whether the problem word at i only helps to name a thing: "Stop signs
// installed", "Fixed income portfolio", "Fix deployed", "Solved cases documented".
func namesThing(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	if compounds[w][next] || problems[w].forms&base != 0 && compounds[problems[w].base][next] {
		return true
	}
	nominal := nounVerbs[w] || isGerund(w) || problems.is(w, past) && !problems.is(w, base)
	if !nominal || next == "" || determiners[next] || pronouns[next] || objectPronouns[next] ||
		isGerund(next) || vaguePronouns[next] || particles[next] && next != "for" {
		return false
	}
	for j := i + 1; !s.ends(j); j++ {
		if isResultWord(s.word(j)) && (j > i+1 || nounVerbs[w] || isGerund(w)) && endsPhrase(s, j+1) {
			return true
		}
	}
	return false
}

// compounds are fixed expressions that begin with a problem word.
var compounds = map[string]map[string]bool{
	"stop":     wordSet("motion sign signs loss word words"),
	"fixed":    wordSet("income price prices rate rates term gear wheel wing asset assets point deposit mortgage salary schedule"),
	"fight":    wordSet("scene scenes night choreography club for"),
	"fighting": wordSet("fit for game games"),
	"repair":   wordSet("shop café cafe manual kit workshop"),
	"quit":     wordSet("claim"),
	"reduced":  wordSet("fat sugar salt price"),
	"reducing": wordSet("agent valve"),
	"debug":    wordSet("build mode"),
	"cure":     wordSet("time"),
}

// nounVerbs are problem verbs that are nouns as well.
var nounVerbs = wordSet("fix stop repair debug fight cure halt remedy tackle")

var vaguePronouns = wordSet("everything anything something things it them")

// isResultWord recognises what ends a named result: "published", "written", "live".
func isResultWord(word string) bool { return stateWords[word] || isParticiple(word) }

// isParticiple recognises past participles, regular and irregular, and leaves out words
// that only look like one or that name damage instead of a result.
func isParticiple(word string) bool {
	if at := strings.LastIndexByte(word, '-'); at >= 0 {
		word = word[at+1:]
	}
	if notResults[word] || problems.is(word, past) {
		return false
	}
	return len(word) > 4 && strings.HasSuffix(word, "ed") || irregularParticiples[word]
}

var irregularParticiples = wordSet(`written built rebuilt drawn redrawn sung run won taught found sold bought made become spoken
	grown given brought begun led got done set cut put hit read paid kept held sent shot cast met known shown taken seen
	chosen frozen sewn woven hung laid lit spun spent bred fed felt cleared learnt lent bound dug hidden shorn sown
	mown swept told thought understood worn rewritten redone upheld dealt built-in drunk eaten`)

// stateWords say that something has arrived.
var stateWords = wordSet(`done complete live ready online open finished public final available agreed booked approved
	operational functional stable clean clear full green in-place`)

// notResults end like a participle and name no result.
var notResults = wordSet(`red bed shed need seed speed feed weed breed bleed deed reed hundred kindred sacred naked wicked rugged
	embed indeed exceed proceed succeed agreed-upon moped biped steed greed creed screed
	called named titled entitled based located focused focussed dedicated aimed related situated geared targeted themed
	broken damaged failed cracked torn lost stolen chipped outdated delayed overlooked neglected missed rejected cancelled
	canceled overwhelmed stressed tired bored depressed confused frustrated interested excited needed wanted desired required
	planned intended expected proposed unfinished unused limited advanced detailed dated aged beloved talented gifted
	used supposed concerned involved excluded unplanned unwanted undecided blocked stuck`)

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	w := s.word(i)
	return s.ends(i) || prepositions[w] || adverbs[w] || isAdverb(w) || s[i].number || determiners[w] || pronouns[w]
}

// passiveProblem finds a problem verb that governs as a result: "Debt eliminated", "All
// bugs are fixed", "Costs reduced by 20%".
func passiveProblem(s sentence, from int) *problem {
	if stating.stemIs(s.word(from), base|gerund) && !determiners[s.word(from)] && !endsNoun(s, from) {
		return nil
	}
	for i := from; i < len(s); i++ {
		w := s.word(i)
		if s[i].mark || relatives[w] {
			return nil
		}
		before := s.word(i - 1)
		if i == from || s[i].quoted || !problems.is(w, past) || problems.is(w, base) && !copulas[before] ||
			determiners[before] || prepositions[before] || !endsPhrase(s, i+1) {
			continue
		}
		if w == "fixed" && agreedOn[s.word(from)] || w == "fixed" && agreedOn[subjectNoun(s, i)] {
			return nil
		}
		for c, list := range problemClasses {
			if list.is(w, past) {
				return &problem{class: c, sentence: s, from: i, to: i + 1, object: from}
			}
		}
	}
	return nil
}

// agreedOn are things that are fixed by being agreed, not by being repaired.
var agreedOn = wordSet("date dates price prices rate rates time times salary schedule venue fee fees budget scope deadline term terms")

// subjectNoun returns the word before i and before any form of be.
func subjectNoun(s sentence, i int) string {
	for i--; i > 0 && (copulas[s.word(i)] || s.word(i) == "be" || s.word(i) == "been"); i-- {
	}
	return s.word(i)
}

// endsNoun reports whether the word at i is used as a noun: a participle or be follows.
func endsNoun(s sentence, i int) bool {
	w := s.word(i + 1)
	return copulas[w] && w != "have" || isResultWord(w) || problems.is(w, past)
}
