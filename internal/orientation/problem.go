package orientation

import "strings"

// class groups the problem verbs by what they leave behind, for reframing.
type class int

const (
	repairing class = iota + 1
	stopping
	reducing
	removing
	preventing
)

// The verbs that aim at the absence of something. They are refused as governing verbs.
var problemClasses = map[class]verbs{
	repairing: conjugate("fix repair solve resolve debug+ troubleshoot:troubleshot rectify remedy mend cure"),
	stopping:  conjugate("stop+ quit+:quit cease halt avoid discontinue refrain abstain"),
	reducing:  conjugate("reduce minimize minimise decrease lessen diminish mitigate alleviate curb"),
	removing: conjugate(`eliminate remove rid+:rid eradicate abolish overcome:overcame,overcome combat combat+ fight:fought tackle
		counteract`),
	preventing: conjugate("prevent"),
}

var problems = joined(problemClasses[repairing], problemClasses[stopping], problemClasses[reducing],
	problemClasses[removing], problemClasses[preventing])

// troubled verbs are problem-solving only when what they act on is a problem: "cut costs",
// not "cut an album"; "end hunger", not "end the year with 10 clients".
var troubled = map[class]verbs{
	repairing: conjugate("correct patch+ address handle treat heal ease relieve manage control counter"),
	reducing:  conjugate("cut+:cut lower limit restrict suppress contain drop+ shrink:shrank,shrunk trim+"),
	removing: conjugate(`end kill destroy erase clear beat:beat,beaten conquer defeat battle break:broke,broken kick escape ditch
		shed+:shed lose:lost banish block ban+ dissolve face deal:dealt cope shake:shook,shaken unlearn forget+:forgot,forgotten`),
}

// troubles are the nouns that name a problem.
var troubles = wordSet(`debt debts cost costs expense expenses spending overspending waste wastage stress anxiety fear fears
	procrastination pain pains habit habits addiction addictions error errors bug bugs defect defects problem problems issue issues
	trouble troubles difficulty difficulties crime poverty hunger homelessness violence bullying racism sexism discrimination
	inequality injustice corruption conflict conflicts fighting arguing arguments depression insomnia smoking drinking overeating
	snacking snoring churn turnover absenteeism emissions pollution noise clutter mess chaos delay delays downtime outage outages
	complaint complaints risk risks loss losses pressure cholesterol illness disease diseases symptom symptoms burnout loneliness
	overwhelm sadness grief anger resentment jealousy guilt shame shyness perfectionism distraction distractions boredom fatigue
	exhaustion suffering war wars failure failures mistake mistakes crash crashes leak leaks vulnerability vulnerabilities friction
	bottleneck bottlenecks overhead latency bureaucracy headache headaches migraine migraines allergies acne obesity spam fraud theft
	accident accidents injury injuries scar scars regret regrets doubt doubts self-doubt negativity abuse neglect misery ignorance
	unemployment deforestation extinction malaria cancer diabetes tuberculosis cravings temptation temptations backlog weaknesses
	weakness worry worries rumination isolation dependency dependence overtime deficit shortage shortages`)

// problemPhrases are problem verbs of several words; the first is inflected.
var problemPhrases = []struct {
	verb  verbs
	rest  []string
	class class
}{
	{conjugate("get+:got,gotten"), []string{"rid", "of"}, removing},
	{conjugate("be:been"), []string{"rid", "of"}, removing},
	{conjugate("do:did,done"), []string{"away", "with"}, removing},
	{conjugate("give:gave,given"), []string{"up"}, stopping},
	{conjugate("cut+:cut"), []string{"down", "on"}, reducing},
	{conjugate("cut+:cut"), []string{"back", "on"}, reducing},
	{conjugate("cut+:cut"), []string{"down"}, reducing},
	{conjugate("cut+:cut"), []string{"back"}, reducing},
	{conjugate("cut+:cut"), []string{"out"}, removing},
	{conjugate("put+:put"), []string{"an", "end", "to"}, removing},
	{conjugate("put+:put"), []string{"a", "stop", "to"}, removing},
	{conjugate("bring:brought"), []string{"an", "end", "to"}, removing},
	{conjugate("break:broke,broken"), []string{"free", "from"}, removing},
	{conjugate("break:broke,broken"), []string{"free", "of"}, removing},
	{conjugate("break:broke,broken"), []string{"the", "cycle", "of"}, removing},
	{conjugate("wipe"), []string{"out"}, removing},
	{conjugate("stamp"), []string{"out"}, removing},
	{conjugate("root"), []string{"out"}, removing},
	{conjugate("weed"), []string{"out"}, removing},
	{conjugate("stay"), []string{"away", "from"}, stopping},
	{conjugate("keep:kept"), []string{"away", "from"}, stopping},
	{conjugate("steer"), []string{"clear", "of"}, stopping},
	{conjugate("clean"), []string{"up", "the", "mess"}, removing},
	{conjugate("go:went,gone"), []string{"away"}, removing},
	{conjugate("disappear"), nil, removing},
	{conjugate("vanish"), nil, removing},
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
		if p := problemAt(s, h); p != nil {
			return p
		}
		if passive {
			if p := passiveProblem(s, h.at); p != nil {
				return p
			}
		}
		if creative.stemIs(s.word(h.at), base|gerund) {
			return nil
		}
	}
	return nil
}

func problemAt(s sentence, h head) *problem {
	if absence(s, h) {
		return &problem{class: stopping, sentence: s, from: h.negated, to: h.negated + 1, object: h.at, quote: true}
	}
	i := h.at
	if s.word(i) == "no" && (s.word(i+1) == "more" || s.word(i+1) == "longer" && (h.modal || !h.subject)) {
		return &problem{class: removing, sentence: s, from: i, to: i + 2, object: i + 2, quote: s.word(i+1) == "longer"}
	}
	if i >= len(s) || s[i].quoted {
		return nil
	}
	if p := plannedProblem(s, i); p != nil {
		return p
	}
	for _, phrase := range problemPhrases {
		if phrase.verb.is(s.word(i), base|third|gerund|past) && matches(s, i+1, phrase.rest) {
			to := i + 1 + len(phrase.rest)
			return &problem{class: phrase.class, sentence: s, from: i, to: to, object: to}
		}
	}
	for _, c := range []class{repairing, stopping, reducing, removing, preventing} {
		if problemClasses[c].is(s.word(i), base|third|gerund|past) && !namesThing(s, i) {
			return &problem{class: c, sentence: s, from: i, to: i + 1, object: afterParticle(s, i+1)}
		}
		if troubled[c].is(s.word(i), base|third|gerund) && actsOnTrouble(s, i+1) {
			return &problem{class: c, sentence: s, from: i, to: i + 1, object: afterParticle(s, i+1)}
		}
	}
	for _, phrase := range troubledPhrases {
		if to := i + len(phrase); matches(s, i, phrase) && actsOnTrouble(s, to) {
			return &problem{class: removing, sentence: s, from: i, to: to, object: to}
		}
	}
	return othersStop(s, i)
}

// troubledPhrases are problem-solving when a problem follows.
var troubledPhrases = [][]string{
	{"get", "out", "of"}, {"getting", "out", "of"}, {"get", "over"}, {"getting", "over"}, {"recover", "from"}, {"recovering", "from"},
	{"let", "go", "of"}, {"letting", "go", "of"}, {"move", "past"}, {"rise", "above"}, {"become", "free", "of"}, {"become", "free", "from"},
	{"be", "free", "of"}, {"be", "free", "from"}, {"free", "myself", "from"}, {"free", "ourselves", "from"},
}

// absence reports an outcome that only says what shall not be: "Don't smoke", "I do
// not want to …", "I will not …". A state such as "I never miss a workout" stands.
func absence(s sentence, h head) bool {
	if h.negated < 0 || h.at >= len(s) {
		return false
	}
	if !h.subject {
		return true
	}
	before, after := s.word(h.negated-1), s.word(h.negated+1)
	return before == "will" || before == "must" || before == "to" || after == "to" || desiring.is(after, base) || s.word(len(s)-1) == "again"
}

// particles may stand between a problem verb and what it acts on.
var particles = wordSet("off down back out of up with from against on away over through for")

func afterParticle(s sentence, i int) int {
	for particles[s.word(i)] {
		i++
	}
	return i
}

// actsOnTrouble reports whether the noun that the verb before i acts on names a problem. Only
// the last word of the noun phrase counts: "manage a pain clinic" is about a clinic.
func actsOnTrouble(s sentence, i int) bool {
	last := ""
	for i = afterParticle(s, i); !s.ends(i); i++ {
		w := s.word(i)
		if prepositions[w] || adverbs[w] || isAdverb(w) || w == "better" || w == "faster" || w == "well" {
			break
		}
		if last == "" || !scales[w] {
			last = w
		}
	}
	if at := strings.LastIndexByte(last, '-'); at >= 0 && !troubles[last] {
		last = last[at+1:]
	}
	return troubles[last]
}

// scales measure the noun before them: "the crime rate" is about crime.
var scales = wordSet("rate rates level levels risk score symptoms attacks")

// othersStop finds a third person that stops doing something: "My son stops hitting".
func othersStop(s sentence, from int) *problem {
	for i := from + 1; i < len(s) && i < from+6; i++ {
		w := s.word(i)
		if relatives[w] || prepositions[s.word(i-1)] {
			return nil
		}
		if (w == "stops" || w == "quits" || w == "ceases") && isGerund(s.word(i+1)) {
			return &problem{class: stopping, sentence: s, from: i, to: i + 1, object: i + 1}
		}
	}
	return nil
}
