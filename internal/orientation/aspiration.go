package orientation

// aspiring verbs speak of what is not there yet: "hope to", "aim to". Their past forms tell
// what was, and pass: "I planned to finish in May".
var aspiring = conjugate("hope plan+ want aspire intend aim wish")

// eagerFor adjectives do the same before "to": "excited to begin".
var eagerFor = wordSet("excited eager keen thrilled determined impatient itching")

// aspiredNouns name a wish; "is to" says what it is: "Our plan is to launch".
var aspiredNouns = wordSet("plan hope aim wish goal dream intention ambition")

// aspiration reports whether the words from i on speak of readiness, wish or future, and
// where what they speak of begins.
func aspiration(s sentence, i int) (to int, ok bool) {
	if s[i].mark || s[i].quoted {
		return 0, false
	}
	for _, speaks := range []func(sentence, int) (int, bool){readiness, wish, eagerness, future} {
		if to, ok := speaks(s, i); ok {
			return to, true
		}
	}
	return 0, false
}

// readiness: "ready to", "prepared to", "all set".
func readiness(s sentence, i int) (to int, ok bool) {
	next, after := s.word(i+1), s.word(i+2)
	switch s.word(i) {
	case "ready":
		return i + 2, next == "to" || next == "for"
	case "prepared":
		return i + 2, next == "to" && !determiners[after] && after != "date" && after != "order"
	case "all":
		// "all set of", "all set pieces": set belongs to the noun.
		return i + 2, next == "set" && after != "of" && !isPlural(after)
	}
	return 0, false
}

// wish: "hope to", "hoping for", "I wish I had", "we want a studio".
func wish(s sentence, i int) (to int, ok bool) {
	w, next, after := s.word(i), s.word(i+1), s.word(i+2)
	name := aspiring[w].base
	switch {
	case w == "hopefully":
		return i + 1, true
	case w == "hoped" && (next == "to" || next == "for"):
		return i + 2, s.word(i-1) != "had" && !tellsOutcome(s, i+2)
	case aspiredNouns[w] && next == "is" && after == "to":
		return i + 3, true
	case !aspiring.is(w, base|third|gerund) || s.word(i-1) == "who":
		return 0, false
	case next == "to":
		return i + 2, after != "scale" && !settledNoun(s, i)
	case (name == "hope" || name == "wish") && (next == "for" || next == "that"):
		return i + 2, !namedNoun(s, i)
	case (name == "hope" || name == "wish") && pronouns[next]:
		return i + 1, !namedNoun(s, i)
	case name == "plan" && next == "on", name == "intend":
		gerundAt := i + 1
		if next == "on" {
			gerundAt++
		}
		return gerundAt, isGerund(s.word(gerundAt))
	case name == "want":
		return i + 1, spokenByAuthor(s, i) && !s.ends(i+1)
	}
	return 0, false
}

// eagerness: "would like to", "looking forward to", "about to", "excited to", "can't wait to".
func eagerness(s sentence, i int) (to int, ok bool) {
	w, next, after := s.word(i), s.word(i+1), s.word(i+2)
	switch {
	case w == "would":
		j := pastAdverbs(s, i+1)
		if s.word(j) != "like" && s.word(j) != "love" {
			return 0, false
		}
		if s.word(j+1) == "to" {
			return j + 2, true
		}
		return j + 1, spokenByAuthor(s, i) && !s.ends(j+1)
	case w == "look" || w == "looks" || w == "looking":
		return i + 3, next == "forward" && after == "to"
	case w == "about":
		// "a talk about to-do lists", "think about to whom": no verb follows.
		return i + 2, next == "to" && !s.ends(i+2) && !determiners[after]
	case eagerFor[w]:
		return i + 2, next == "to" && !s.ends(i+2)
	case w == "can":
		return i + 4, next == "not" && after == "wait" && (s.word(i+3) == "to" || s.word(i+3) == "for")
	}
	return 0, false
}

// future: "going to write", "will have", "we'll launch".
func future(s sentence, i int) (to int, ok bool) {
	w := s.word(i)
	if w == "going" && s.word(i+1) == "to" {
		return i + 2, !motion(s, i+2)
	}
	before := s.word(i - 1)
	if w != "will" && w != "shall" || possessives[before] || articles[before] {
		return 0, false
	}
	j := pastAdverbs(s, i+1)
	next := s.word(j)
	if next == "have" || next == "be" {
		return j + 1, true
	}
	switch {
	case next == "" || next == "not" || next == "never" || before == "who" || before == "which":
		return 0, false
	case w == "shall" || pronouns[before] || before == "there":
		return j, true
	}
	return j, futureVerbs.is(next, base) && !nameWill(s, i) && !namedWill[before] && !scheduled(s, j)
}

// futureVerbs tell "the team will launch" from "last will signed".
var futureVerbs = joined(actions, conjugate("go:went,gone happen help remain last try change need"))

// nameWill tells the name: "Will Smith", "our mentor Will". In a text in capitals
// throughout it is the verb.
func nameWill(s sentence, i int) bool {
	if !s[i].capital || i > 0 && s[i-1].start == s[i].start { // opened from "we'll"
		return false
	}
	if i+1 >= len(s) || i > 0 && !s[i-1].mark && !s[i+1].capital {
		return true
	}
	if !s[i+1].capital {
		return false
	}
	for _, tok := range s {
		if !tok.mark && !tok.capital {
			return true
		}
	}
	return len(s) <= 2
}

var articles = wordSet("a an the any every each no another")

// namedWill are the words before a will that is a thing: "our last will lies with the notary".
var namedWill = wordSet("last free good political")

// scheduled reports that what will happen has a date: "The shop will open in May" is a
// fact of the calendar, as long as nobody says it of themselves.
func scheduled(s sentence, i int) bool {
	for j := i + 1; !s.ends(j + 1); j++ {
		switch s.word(j) {
		case "in", "on", "at", "from", "until":
			if w := s.word(j + 1); s.number(j+1) || calendar[w] && !determiners[w] {
				return true
			}
		}
	}
	return false
}

// pastAdverbs steps over adverbs.
func pastAdverbs(s sentence, i int) int {
	for adverbs[s.word(i)] || isAdverb(s.word(i)) {
		i++
	}
	return i
}

// spokenByAuthor reports that the verb at i is said by the author of themselves: "I really want".
func spokenByAuthor(s sentence, i int) bool {
	j := i - 1
	for adverbs[s.word(j)] || isAdverb(s.word(j)) {
		j--
	}
	return s.word(j) == "i" || s.word(j) == "we"
}

// tellsOutcome reports that the sentence goes on to what came of a hope.
func tellsOutcome(s sentence, i int) bool {
	for ; i < len(s); i++ {
		if w := s.word(i); w == "and" || w == "but" || w == "yet" || w == "which" {
			return true
		}
	}
	return false
}

// namedNoun tells the hope in "there is hope for the project" from hoping.
func namedNoun(s sentence, i int) bool {
	before := s.word(i - 1)
	return determiners[before] || copulas[before] || before == "little" || before == "of" || before == "with" || before == "without"
}

// settledNoun tells the plan in "our plan to expand was rejected" from planning.
func settledNoun(s sentence, i int) bool {
	switch aspiring[s.word(i)].base {
	case "plan", "hope", "aim", "wish":
	default:
		return false
	}
	if !determiners[s.word(i-1)] {
		return false
	}
	for j := i + 3; j < len(s) && !s[j].mark; j++ {
		if w := s.word(j); w == "was" || w == "were" || w == "has" || w == "had" || w == "is" || w == "failed" || w == "got" {
			return true
		}
	}
	return false
}

// places one goes to without an article.
var places = wordSet(`school work bed therapy church college university town physiotherapy court hospital class classes counselling
	counseling rehearsals meetings lectures kindergarten mosque synagogue temple`)

// motion tells going to a place from going to do something. "Going to plan" is on course.
func motion(s sentence, i int) bool {
	w := s.word(i)
	return determiners[w] || places[w] || isGerund(w) || w == "plan" && s.ends(i+1) || i < len(s) && s[i].capital && s[i-1].word == "to" && !s[i-1].capital
}
