package recall

import (
	"slices"
	"strings"

	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// intent is how something was said.
type intent int

const (
	intentStatement intent = iota
	intentTentative        // it leaves open what it says, or asks and its answer stands beside it
	intentFiller           // it says nothing: "Good.", "Committed."
	intentOrder            // it only says what is to be done
	intentQuestion         // it asks
)

// What such is worth beside a statement: an order that has all the words of a question
// may be what is looked for.
const tentativeWeight, orderWeight = 0.8, 0.5

// fewWords are too few to say anything in words that stand everywhere.
const fewWords = 4

// assistant is the speaker whose orders are advice.
const assistant = "assistant"

// user is the speaker whose words need no name.
const user = "user"

// candidateIntent finds how a candidate was said. What is no dialogue states.
func candidateIntent(c tools.Candidate) intent {
	if c.Turns == nil {
		if c.Kind == kinds.Insight && c.Note != "" && language.AsksOnly(c.Text) { // noticed by mistake
			return intentQuestion
		}
		return intentStatement
	}
	first := turnIntent(c.Turns[0])
	if len(c.Turns) > 1 && first != intentFiller && (turnIntent(c.Turns[len(c.Turns)-1]) <= intentTentative || answersInAWord(c.Turns)) {
		return intentTentative
	}
	return first
}

// answersInAWord reports whether turns are a question and a filler that answers it: "Nein.", but not "Noted."
func answersInAWord(turns []tools.DialogueTurn) bool {
	last := turns[len(turns)-1]
	return len(turns) > 1 && turnIntent(turns[0]) == intentQuestion && turnIntent(last) == intentFiller && !language.IsAcknowledgement(last.Text) && !language.DeniesKnowing(last.Text)
}

// maxBareWords is how many words of content an answer has at most that informs of nothing without its question:
// "Thursday.", "Clock or secret."
const maxBareWords = 2

// isBareAnswer reports whether a candidate is a turn that says nothing by itself: an answer of a word or two.
func (r ranked) isBareAnswer() bool {
	return len(r.Turns) == 1 && (r.Reply || r.Speaker == assistant) && isBare(r.Turns[0].Text)
}

// isBare reports whether a text has no more than maxBareWords.
func isBare(text string) bool {
	count := 0
	for _, word := range language.Words(truncate(text, maxCandidateLength)) {
		if !language.IsStopWord(word) {
			count++
		}
	}
	return count <= maxBareWords
}

// statesFact reports whether something may replace what was stated: it is an insight, or a turn of somebody that
// states something surely enough. A question, an order and a filler do not.
func statesFact(s *search.Statement) bool {
	if kind, _ := parseRef(s.Ref); kind == kinds.Insight {
		return true
	}
	_, isPair := cutAnswer(s.Text)
	return !isPair && s.Speaker != assistant && turnIntent(tools.DialogueTurn{Speaker: s.Speaker, Text: s.Text}) == intentStatement && notice.ScoreStatement(s.Text, s.Vector) >= minFoundTurnScore
}

func turnIntent(s tools.DialogueTurn) intent {
	asked, ordered, doubted := false, false, false
	for _, sentence := range language.Sentences(truncate(s.Text, maxCandidateLength)) {
		switch {
		case !language.IsInformative(sentence) && len(language.Words(sentence)) <= fewWords, language.DeniesKnowing(sentence):
		case language.IsQuestion(sentence):
			asked = true
		case s.Speaker != assistant && language.IsInstruction(sentence):
			ordered = true
		case s.Speaker != assistant && language.IsUncertain(sentence):
			doubted = true
		default:
			return intentStatement
		}
	}
	switch {
	case doubted:
		return intentTentative
	case asked:
		return intentQuestion
	case ordered:
		return intentOrder
	}
	return intentFiller
}

// pastQuestion is what a question about earlier days asks of somebody's own people:
// "which port do we use", "what did I decide".
type pastQuestion struct {
	asksAboutPast bool
	subjectWords  []string // its words behind we and I
	decisionWords []string // those of deciding and preferring among its words
}

func parsePastQuestion(q *tools.Question) (b pastQuestion) {
	for _, sentence := range language.Sentences(q.Text) {
		if after, back := language.AsksAboutPast(sentence); back {
			b.asksAboutPast = true
			for _, word := range after {
				i := slices.IndexFunc(q.Terms, func(t search.Term) bool { return t.Word == word })
				if i < 0 {
					continue
				}
				if language.IsDecisionWord(word) {
					b.decisionWords = append(b.decisionWords, word)
				}
				if !isCommonWord(q.Terms[i]) || language.IsDecisionWord(word) || isWorkWord(q.Terms[i]) {
					b.subjectWords = append(b.subjectWords, word)
				}
			}
		}
	}
	return b
}

// matchesSubject reports whether a candidate has a word of what is asked: of "which car do I
// drive" the car alone is no answer.
func (b pastQuestion) matchesSubject(r ranked) bool {
	return len(b.subjectWords) == 0 || slices.ContainsFunc(r.matched, func(word string) bool {
		return slices.Contains(b.subjectWords, strings.TrimPrefix(word, "~"))
	})
}

// isDecision reports whether a candidate decides or prefers, as is asked.
func (b pastQuestion) isDecision(r ranked) bool {
	return r.intent == intentStatement && r.Speaker != assistant && slices.ContainsFunc(b.decisionWords, func(word string) bool { return slices.Contains(r.matched, word) })
}

// correctionBonus is by how much what changed something comes before what it may have changed.
const correctionBonus = 0.01

// promoteCorrections lets what changed something answer as much as what it may have changed, and
// a little more. They were said by the same in one project, and share a word that is not in every
// conversation.
func promoteCorrections(list []ranked) {
	for i := range list {
		later := &list[i]
		if later.Turns == nil || later.Project == 0 || later.intent != intentStatement || later.Speaker == assistant || !language.AnnouncesChange(truncate(later.Turns[0].Text, maxCandidateLength)) {
			continue
		}
		for _, old := range list {
			if old.intent == intentStatement && old.Speaker == later.Speaker && old.Project == later.Project && old.At.Before(later.At) && haveSharedTopic(old, *later) && later.mayPrecede(old) {
				later.relevance = max(later.relevance, old.relevance+correctionBonus)
				later.Ranked = true // it need not repeat what is asked
				if later.kind == old.kind {
					later.kindRank = min(later.kindRank, old.kindRank)
				}
			}
		}
	}
}

func haveSharedTopic(a, b ranked) bool {
	return slices.ContainsFunc(a.Terms, func(term string) bool {
		return slices.Contains(b.Terms, term) && !language.IsStopWord(term) && !language.IsEveryday(term)
	})
}
