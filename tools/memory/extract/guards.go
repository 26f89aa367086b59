package extract

import "strings"

// takenBack reports whether anything around a match says that it is not meant, or not meant to
// last. clause is where the clause begins.
func (r *reading) takenBack(s sentence, m match, clause int) bool {
	end := s.clauseEnd(m.end)
	order := m.kind == Preference && m.manner == "explicit"
	kept := m.kind == Fact && m.manner == "explicit"
	switch {
	case s.question() && !s.statesBeforeAsking(m, end):
		return true
	case s.conditional(m, order || kept), s.reported(m), s.announcedAt(m.start):
		return true
	case s.requested(m, order):
		return true
	case !order && !kept && s.hedged(clause, end):
		return true
	case m.kind != Fact && s.hasPhrase(m.end, len(s), "passing") >= 0:
		return true
	}
	return s.empty(m, order, end)
}

// statesBeforeAsking tells "I'm vegetarian, what can I cook?" from a question.
func (s sentence) statesBeforeAsking(m match, end int) bool {
	return m.kind == Fact && m.manner != "explicit" && m.start == 0 && end < len(s)-1
}

// conditional reports whether the sentence hangs on an if. What is ordered or told to be kept may
// have one behind it.
func (s sentence) conditional(m match, order bool) bool {
	end := len(s)
	if order {
		end = m.start
	}
	return s.hasWord(0, end, "conditions") >= 0 || s.hasPhrase(0, end, "condition phrases") >= 0
}

// reported reports whether the sentence tells what others say.
func (s sentence) reported(m match) bool {
	for i := range s {
		if i >= m.start && i < m.end || s.hasWord(i, i+1, "reports") < 0 {
			continue
		}
		if i == 0 || !words("told of oneself")[s[i-1].word] {
			return true
		}
	}
	return s.hasPhrase(0, len(s), "report phrases") >= 0
}

// requested reports whether the sentence opens with a request, so that the rest is its matter.
func (s sentence) requested(m match, order bool) bool {
	first, _ := s.opening(0, false)
	return s.hasWord(first, first+1, "requests") == first && !((order || m.kind == Promise) && m.start == first)
}

func (s sentence) hedged(from, to int) bool {
	return s.hasWord(from, to, "hedges") >= 0 || s.hasPhrase(from, to, "hedge phrases") >= 0
}

// empty reports whether what follows the wording says nothing that holds in another session.
func (s sentence) empty(m match, order bool, end int) bool {
	first := func(list string) bool { return s.hasWord(m.end, m.end+1, list) == m.end }
	alone := m.end == m.start+1
	last := s[m.end-1]
	switch {
	case m.object == noObject:
		return false
	case order && words("told of oneself")[s[m.start].word]: // "I always forget"
		return first("complaints") || past(s[m.end])
	case order && alone && !s.leads(m.start): // "they are kind and always smile"
		return true
	case order && (last.is("always") || last.is("never")): // "never worked", "always fails"
		return first("not orders") || past(s[m.end]) || third(s[m.end])
	case order && alone: // "immer noch"
		return first("not orders")
	case order:
		return last.is("you") && first("offers")
	case m.kind == Preference:
		return first("vague") || first("articles") && (s.hasWord(m.end+1, m.end+2, "vague") > 0 || last.is("love") || last.is("like"))
	case m.kind == Decision && s.undecided(m, end):
		return true
	case m.kind == Decision:
		return first("pronouns") || s.hasWord(m.end, end, "addressed") >= 0 || m.manner == "implicit" && first("vague decisions")
	case m.kind == Fact && m.manner == "explicit":
		return first("not remembered")
	case m.kind == Fact:
		return first("vague facts") || m.named && s.hasWord(m.start, m.end, "of the moment") >= 0 && s.hasWord(m.start, m.end, "equals") > 0
	case m.kind == Promise:
		return m.manner == "due" && first("said not done") || m.manner == "explicit" && !words("given")[last.word] && first("weak promises")
	}
	return m.manner == "reply" && s.hasWord(m.start, end, "not corrected") >= 0
}

// undecided reports whether what was decided is to decide nothing: "we decided to sleep on it".
func (s sentence) undecided(m match, end int) bool {
	deed := m.end
	for deed < end && s.hasWord(deed, deed+1, "leads to a deed") == deed {
		deed++
	}
	return s.hasWord(deed, deed+1, "nothing decided") == deed || s.hasPhrase(m.end, end, "nothing settled") >= 0
}

// leads reports whether an order of one word begins the sentence, or follows the clause that says
// when it holds.
func (s sentence) leads(i int) bool {
	first, _ := s.opening(0, true)
	return i <= first || s.hasWord(first, first+1, "leads") == first
}

// past takes an English word for a past tense.
func past(t token) bool {
	return !t.aside && strings.HasSuffix(t.word, "ed") && !words("orders in -ed")[t.word]
}

// third takes an English word for a verb in the third person: an order has none.
func third(t token) bool {
	stem, ends := strings.CutSuffix(t.word, "s")
	return ends && !t.aside && !strings.HasSuffix(stem, "s") && !strings.HasSuffix(stem, "u")
}
