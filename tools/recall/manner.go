package recall

import (
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
)

// manner is how something was said.
type manner int

const (
	states manner = iota
	weaker        // it leaves open what it says, or asks and its answer stands beside it
	fills         // it says nothing: "Good.", "Committed."
	orders        // it only says what is to be done
	asks          // it asks
)

// What such is worth beside a statement: an order that has all the words of a question
// may be what is looked for.
const weakerWorth, orderWorth = 0.8, 0.5

// fewWords are too few to say anything in words that stand everywhere.
const fewWords = 4

// assistant is the speaker whose orders are advice.
const assistant = "assistant"

// user is the speaker whose words need no name.
const user = "user"

// mannerOf finds how a candidate was said. What is no dialogue states.
func mannerOf(c tools.Candidate) manner {
	if c.Said == nil {
		return states
	}
	first := turnManner(c.Said[0])
	if len(c.Said) > 1 && first != fills && turnManner(c.Said[len(c.Said)-1]) <= weaker {
		return weaker
	}
	return first
}

func turnManner(s tools.Said) manner {
	asked, ordered, doubted := false, false, false
	for _, sentence := range language.Sentences(beginning(s.Text, maxCandidateLength)) {
		switch {
		case !language.Informs(sentence) && len(language.Words(sentence)) <= fewWords:
		case language.Asks(sentence):
			asked = true
		case s.Speaker != assistant && language.Orders(sentence):
			ordered = true
		case s.Speaker != assistant && language.Doubts(sentence):
			doubted = true
		default:
			return states
		}
	}
	switch {
	case doubted:
		return weaker
	case asked:
		return asks
	case ordered:
		return orders
	}
	return fills
}

// lookingBack is what a question about earlier days asks of somebody's own people:
// "which port do we use", "what did I decide".
type lookingBack struct {
	asked   bool
	after   []string // its words behind we and I
	settled []string // those of deciding and preferring among its words
}

func looksBack(q *tools.Question) (b lookingBack) {
	for _, sentence := range language.Sentences(q.Text) {
		if after, back := language.AsksBack(sentence); back {
			b.asked = true
			for _, word := range after {
				i := slices.IndexFunc(q.Terms, func(t retrieval.Term) bool { return t.Word == word })
				if i < 0 {
					continue
				}
				if language.Settles(word) {
					b.settled = append(b.settled, word)
				}
				if !saysLittle(q.Terms[i]) || language.Settles(word) || isWork(q.Terms[i]) {
					b.after = append(b.after, word)
				}
			}
		}
	}
	return b
}

// meets reports whether a candidate has a word of what is asked: of "which car do I
// drive" the car alone is no answer.
func (b lookingBack) meets(r ranked) bool {
	return len(b.after) == 0 || slices.ContainsFunc(r.matched, func(word string) bool {
		return slices.Contains(b.after, strings.TrimPrefix(word, "~"))
	})
}

// settles reports whether a candidate decides or prefers, as is asked.
func (b lookingBack) settles(r ranked) bool {
	return r.manner == states && r.Speaker != assistant && slices.ContainsFunc(b.settled, func(word string) bool { return slices.Contains(r.matched, word) })
}

// newer is by how much what changed something comes before what it may have changed.
const newer = 0.01

// renew lets what changed something answer as much as what it may have changed, and
// a little more. They were said by the same in one project,
// and share a word that is not in every conversation.
func renew(list []ranked) {
	for i := range list {
		later := &list[i]
		if later.Said == nil || later.Project == 0 || later.manner != states || later.Speaker == assistant || !language.Changes(beginning(later.Said[0].Text, maxCandidateLength)) {
			continue
		}
		for _, old := range list {
			if old.manner == states && old.Speaker == later.Speaker && old.Project == later.Project && old.At.Before(later.At) && shareTopic(old, *later) {
				later.relevance = max(later.relevance, old.relevance+newer)
				later.close = max(later.close, old.close)
				later.Ranked = true // it need not repeat what is asked
				if later.kind == old.kind {
					later.within = min(later.within, old.within)
				}
			}
		}
	}
}

func shareTopic(a, b ranked) bool {
	return slices.ContainsFunc(a.Terms, func(term string) bool {
		return slices.Contains(b.Terms, term) && !language.IsStopWord(term) && !language.IsEveryday(term)
	})
}
