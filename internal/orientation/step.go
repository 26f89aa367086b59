package orientation

// Step judges the title of an action step: a result that can be seen to be there. It refuses
// governing problem verbs, a leading activity ("Writing chapter one"), and words that only
// set one going or keep it up: "try to", "start …ing", "go on …ing", "keep …ing", "still …ing". It never asks for a creative verb: "Choose DAW" is a
// result. A word in -ing that names a thing ("Building permit obtained", "Marketing plan")
// is no activity; see [Finding] rule step.process and namesResult.
func Step(written string) *Finding {
	t := read(written)
	rule, p, from, to := judgeStep(t)
	switch rule {
	case RuleStepProblem:
		return problemFinding(t, p, rule)
	case RuleStepProcess:
		s := t.sentences[0]
		word := t.slice(s, from, to)
		return &Finding{
			Rule: rule,
			Message: "“" + word + "” names an activity, and an activity is never finished. " +
				"Name the result that is there when it is done.",
			Words:       []string{word},
			Suggestions: frameStep(t, s, from, to),
		}
	}
	return nil
}

// judgeStep returns the rule that a step breaks, or "", with the governing problem or the
// words of the first sentence that name an activity.
func judgeStep(t text) (rule string, p *problem, from, to int) {
	if p := refusedProblem(t, false); p != nil {
		return RuleStepProblem, p, 0, 0
	}
	if len(t.sentences) == 0 || !isEnglish(t) {
		return "", nil, 0, 0
	}
	s := t.sentences[0]
	if from, to, ok := process(s, stepStart(s)); ok {
		return RuleStepProcess, nil, from, to
	}
	return "", nil, 0, 0
}

// stepStart steps over list numbers, labels and small words before a step.
func stepStart(s sentence) int {
	i := afterLabel(s)
	for i < len(s)-1 {
		w := s.word(i)
		if s[i].mark || w == "please" || w == "just" || w == "then" || w == "first" || w == "now" || w == "next" || w == "finally" ||
			w == "and" || w == "to" || w == "i" || w == "we" || modals[w] && w != "may" && w != "might" || isAdverb(w) {
			i++
			continue
		}
		break
	}
	return i
}

// process reports whether an activity leads at i, and which words name it.
func process(s sentence, i int) (from, to int, ok bool) {
	if i >= len(s) || s[i].quoted {
		return 0, 0, false
	}
	if next := duringWords(s, i); next > i {
		if _, to, ok := process(s, next); ok {
			return i, to, true
		}
	}
	switch w := s.word(i); {
	case (w == "try" || w == "trying") && s.word(i+1) == "to" && !s.ends(i+2):
		return i, i + 2, true
	case lasting.is(w, base|gerund) || lastingOn[w] && s.word(i+1) == "on":
		j := i + 1
		if s.word(j) == "on" {
			j++
		}
		if s.word(j) == "to" && w != "keep" && w != "keeping" && !s.ends(j+1) && !noVerb[s.word(j+1)] && !determiners[s.word(j+1)] {
			return i, j + 1, true
		}
		if isActivity(s, j) {
			return i, j + 1, true
		}
	}
	return i, i + 1, isActivity(s, i)
}

// lasting verbs say of an activity that it begins or lasts, never that it is done.
var lasting = conjugate("keep continue start begin+ resume")

// noVerb follows "start to" as a noun: "start to finish".
var noVerb = wordSet("finish end")

// lastingOn are the verbs that do so together with "on": "go on practising".
var lastingOn = wordSet("go going carry carrying")

// duringWords steps over what says that an activity is going on: "still", "always be".
func duringWords(s sentence, i int) int {
	if s.word(i) == "still" || s.word(i) == "always" {
		i++
	}
	if s.word(i) == "be" {
		i++
	}
	return i
}

// nominalGerunds name things in the first place: alone, before a noun or a preposition
// they are no activity.
var nominalGerunds = wordSet(`meeting funding housing lighting heating plumbing wiring roofing flooring branding pricing bedding seating
	catering opening hearing listing filing briefing landing parking scaffolding packaging clothing accounting engineering
	wedding warning booking ruling greeting dwelling footing framing fencing decking tiling glazing
	bookkeeping staffing signing rating sibling ceiling covering offering grouting guttering spring-cleaning blessing
	backing casting closing timing lodging mailing stuffing topping coating paneling panelling timing shelving padding`)

// transitiveGerunds are those of them that are an activity before a plural: "Booking flights".
var transitiveGerunds = wordSet("meeting booking listing filing signing opening closing funding greeting framing covering hearing rating offering")

// modifyingGerunds often stand before a noun that they describe: "marketing plan", "writing desk".
var modifyingGerunds = wordSet(`marketing building training testing planning writing reading recording running working teaching
	learning cooking painting drawing swimming sewing knitting selling hiring onboarding advertising operating shipping packing
	shopping filming editing mixing mastering publishing banking billing dining living waiting hosting fishing hiking cycling
	climbing sailing dancing singing riding saving earning finding walking driving camping baking gardening knitting coaching mentoring fundraising
	networking engineering purchasing licensing rendering staging monitoring tracking scheduling budgeting drafting printing
	cleaning washing drying sleeping breathing speaking listening counselling counseling consulting trading investing
	brewing roasting gaming modelling modeling coding programming typing tuning casting meeting mailing funding pricing
	booking landing welding sculpting quilting weaving yachting skating skiing surfing boxing wrestling bowling coworking
	warming freezing boiling starting finishing closing opening guiding governing steering voting leading winning`)

// describedThings are nouns that such a word describes. They leave out what one may
// well write, read, build or learn: "writing books" stays an activity.
var describedThings = wordSet(`plan plans page pages list permit permits licence license licenses course courses class classes
	studio room rooms table board deck kit set schedule calendar budget strategy system process pipeline workflow space
	desk chair pool machine tool tools platform group team partner coach contract agreement campaign event session
	sessions workshop workshops program programme certificate site lot ground grounds shoes gear equipment suit bag water prototype
	draft model order account capital round policy environment framework lab venue area kitchen hall club circle buddy corner nook
	station retreat trip method techniques routine schedule habit practice sample samples materials material inspection
	loan plot society guide manual booth license wall boat bike trail trails guide pond rod gear days day week season contest
	competition competitions exam test score goals target targets phase phases principle principles point points line lines
	agency company firm department director manager editor engineer assistant consultant committee council body rights cost costs
	data centre center hub network lessons certificate award awards ceremony date time area hours staff needs style`)

// isActivity reports whether an activity leads at i: a gerund that does not name a thing.
func isActivity(s sentence, i int) bool {
	w := s.word(i)
	if !isGerund(w) || s[i].quoted {
		return false
	}
	return !namesResult(s, i)
}

// namesResult decides what a leading word in -ing is part of. In this order:
//
//   - the phrase closes with a word of completion ("Writing chapter one done") or the next
//     word is a participle or a state ("Meeting scheduled", "Training complete"): a result;
//   - a word that names things (meeting, funding): a result, unless an article follows;
//   - an article, pronoun, number or adverb follows ("Building a deck"): an activity;
//   - the phrase closes with a participle ("Building permit obtained"): a result, if the
//     word can describe a noun or nothing stands between but the noun;
//   - a word that often describes a noun stands before a thing it describes
//     ("Marketing plan", "Reading list"): a result;
//   - anything else: an activity.
func namesResult(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	last := len(s) - 1
	for last > i && s[last].mark {
		last--
	}
	if end := s.word(last); last > i && completions[end] || isDone(next) && endsPhrase(s, i+2) {
		return true
	}
	transitive := determiners[next] || pronouns[next] || objectPronouns[next] || vaguePronouns[next] || s.number(i+1) || numberWords[next]
	if nominalGerunds[w] {
		listing := transitiveGerunds[w] && isPlural(next) && s.ends(i+2) && !describedThings[next]
		return !transitive && !listing
	}
	if transitive || s.ends(i+1) || adverbs[next] || isAdverb(next) || frequencies[next] {
		return false
	}
	if prepositions[next] {
		return modifyingGerunds[w] && isDone(s.word(last)) && s.word(last-1) != "to"
	}
	for j := i + 2; j <= last && !s[j].mark; j++ {
		if isDone(s.word(j)) && endsPhrase(s, j+1) && (modifyingGerunds[w] || j == last) {
			return true
		}
		if prepositions[s.word(j)] {
			break
		}
	}
	return modifyingGerunds[w] && describesThing(s, i+1)
}

// isDone recognises what ends a named result in a step. Unlike an outcome, a step may
// name what was repaired.
func isDone(word string) bool {
	return isResultWord(word) || word == "planned" || problems.is(word, past) && !problems.is(word, base)
}

// completions close a named result whatever its words are.
var completions = wordSet("done complete completed finished over live ordered concluded accomplished")

// describesThing reports whether the noun phrase at i ends in a thing.
func describesThing(s sentence, i int) bool {
	last := ""
	for ; !s.ends(i); i++ {
		w := s.word(i)
		if prepositions[w] || determiners[w] || s[i].number {
			break
		}
		last = w
	}
	return describedThings[last]
}
