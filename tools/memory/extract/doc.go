// Package extract finds, without a model, what is worth keeping in what
// somebody says: decisions, preferences, corrections, facts about people and
// things, and promises with their day.
//
// From reads one turn of a session together with the turns before it and gives
// Candidates: clauses of the turn in its own words. Only what the user says
// counts, and what the assistant said when the user's turn does nothing but
// confirm it. Settle takes the candidates of many sessions, in any order, and
// says which of them stand: an explicit one at once, and what nobody says
// twice, such as an allergy; an implicit one when it was seen in two sessions, and which a later one on the same subject has superseded.
//
// Precision comes before number. A clause is kept only when it opens with a known
// wording (a pattern, never a word somewhere inside) and nothing around it takes
// it back: a question, a condition, a hedge, a report of what others say, a
// quotation, code, a pasted log or letter, a request for the task in hand,
// sarcasm that words betray. A turn that speaks to the assistant about its
// instructions gives nothing at all.
//
// Patterns and guards are data, under fixtures/words/extract. Everything here is
// deterministic, takes time in proportion to the text, keeps no state and knows
// no store.
package extract

import "time"

// Speaker says who spoke a turn.
type Speaker string

// Speakers; a turn of anybody else gives nothing.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
)

// Turn is what one speaker said at a time. Dates are counted from At, in its
// own time zone.
type Turn struct {
	Speaker Speaker
	Text    string
	At      time.Time
}

// Kind is what a candidate is.
type Kind string

// Kinds of candidates.
const (
	Decision   Kind = "decision"
	Preference Kind = "preference"
	Correction Kind = "correction"
	Fact       Kind = "fact"
	Promise    Kind = "promise"
)

// Candidate is a clause that may become an insight.
type Candidate struct {
	Kind Kind
	Text string // the clause in the turn's own words
	// Confirmed says that Text stands in the turn before, the assistant's, which
	// this one confirms.
	Confirmed bool
	// Subject is what the candidate is about, as sorted stems: a later candidate
	// of the same kind and subject supersedes it.
	Subject string
	// Value is what is said of the subject, as sorted stems: with it two wordings
	// of the same are known. Empty where all that is said is the subject.
	Value string
	// OnDay says that Value is a day or a time, which many things share.
	OnDay bool
	// Replaces is the subject or value given up for this one ("instead of …").
	Replaces string
	// Against says that it is said in the negative: never, hates, decided against.
	Against bool
	// Explicit says that the speaker said it to be kept, or as settled: it needs
	// no second sighting.
	Explicit bool
	// Personal says that it is about the speaker, whatever the project.
	Personal bool
	// Due is the day of a promise, or of what was to be kept, at midnight in the time zone of the turn.
	Due time.Time
}
