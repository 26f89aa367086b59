package recall

import (
	"toolkit/internal/language"
	"toolkit/tools"
)

// manner is how something was said.
type manner int

const (
	states   manner = iota
	answered        // it asks, and its answer stands beside it
	fills           // it says nothing: "Good.", "Committed."
	asks            // it only asks or orders
)

// askedBefore is what a question with its answer is worth beside a statement.
const askedBefore = 0.9

// fewWords are too few to say anything in words that stand everywhere.
const fewWords = 4

// assistant is the speaker whose orders are advice.
const assistant = "assistant"

// mannerOf finds how a candidate was said. What is no dialogue states.
func mannerOf(c tools.Candidate) manner {
	if c.Said == nil {
		return states
	}
	first := turnManner(c.Said[0])
	if first == asks && len(c.Said) > 1 && turnManner(c.Said[len(c.Said)-1]) == states {
		return answered
	}
	return first
}

func turnManner(s tools.Said) manner {
	told := fills
	for _, sentence := range language.Sentences(s.Text) {
		switch {
		case !language.Informs(sentence) && len(language.Words(sentence)) <= fewWords:
		case language.Asks(sentence) || s.Speaker != assistant && language.Orders(sentence):
			told = asks
		default:
			return states
		}
	}
	return told
}
