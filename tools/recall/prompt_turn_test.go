package recall

import (
	"testing"
	"time"

	"toolkit/store/kinds"
	"toolkit/tools"
)

func TestThePromptJustTypedIsNoHitForItself(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	answer := tools.DialogueTurn{Speaker: assistant, Text: "Priya does."}
	for name, test := range map[string]struct {
		speaker, text string
		age           time.Duration
		answered      bool
		want          bool
	}{
		"a question":                    {user, "who signs off API changes?", time.Minute, false, true},
		"a question behind a statement": {user, "I need to write to the client. Who signs off API changes?", time.Minute, false, true},
		"an order":                      {user, "show me who signs off API changes", time.Minute, false, true},
		"one with its answer":           {user, "who signs off API changes?", time.Minute, true, false},
		"one of yesterday":              {user, "who signs off API changes?", 24 * time.Hour, false, false},
		"a statement":                   {user, "Priya signs off API changes.", time.Minute, false, false},
		"of the assistant":              {assistant, "Shall I ask Priya?", time.Minute, false, false},
	} {
		turns := []tools.DialogueTurn{{Speaker: test.speaker, Text: test.text}}
		if test.answered {
			turns = append(turns, answer)
		}
		r := ranked{Candidate: tools.Candidate{Kind: kinds.Dialogue, Speaker: test.speaker, Turns: turns, At: now.Add(-test.age)}}
		if got := r.isBeingAnswered(now); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAReplyIsToldWhereItAddsSomething(t *testing.T) {
	turn := func(number int, speaker, text string) tools.Candidate {
		return tools.Candidate{Kind: kinds.Dialogue, Speaker: speaker, Turns: []tools.DialogueTurn{{Number: number, Speaker: speaker, Text: text}}, Place: tools.Place{Session: "s"}}
	}
	for name, test := range map[string]struct {
		said, reply tools.Candidate
		want        string
	}{
		"what was wrong":             {turn(1, user, "The login page is broken in Safari"), turn(2, assistant, "It was the SameSite cookie; I fixed the header"), "assistant: It was the SameSite cookie; I fixed the header"},
		"an echo":                    {turn(1, user, "Tomasz is our product owner and signs off every API change."), turn(2, assistant, "Understood, Tomasz is the product owner and signs off API changes."), ""},
		"the user's next topic":      {turn(1, assistant, "Understood, Tomasz is the product owner."), turn(2, user, "We release on Fridays."), ""},
		"what stands further behind": {turn(1, user, "The login page is broken in Safari"), turn(4, assistant, "It was the SameSite cookie"), ""},
	} {
		if got := findReply(ranked{Candidate: test.said}, []tools.Candidate{test.said, test.reply}); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestNamesOfFieldsAloneFindNoDocument(t *testing.T) {
	const invoice = "Nordlicht 7 (invoice)\ncustomer name: Nordlicht GmbH\nline items unit price: 149"
	for name, test := range map[string]struct {
		kind    string
		matched []string
		want    bool
	}{
		"a label":             {kinds.TruthEntity, []string{"customer"}, true},
		"nearly a label":      {kinds.Record, []string{"~customers"}, true},
		"a value":             {kinds.TruthEntity, []string{"customer", "nordlicht"}, false},
		"the title":           {kinds.Record, []string{"invoice"}, false},
		"something else said": {kinds.Insight, []string{"customer"}, false},
	} {
		r := ranked{Candidate: tools.Candidate{Kind: test.kind, Text: invoice}, matched: test.matched}
		if got := r.matchesOnlyLabels(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
