package retrieval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/memories"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
	"toolkit/tools/memory"
	"toolkit/tools/memory/extract"
	"toolkit/tools/recall"
)

// injectedTokens is what a prompt hook may put beside a prompt.
const injectedTokens = 400

// Injected is what stands beside the questions of a conversation when they are
// prompts: how much of their evidence, in means over the questions.
type Injected struct {
	Conversation string  `json:"conversation"` // or all
	Way          string  `json:"way"`          // hook, or whole turns by rank
	Questions    int     `json:"questions"`
	Evidence     Measure `json:"evidence"`  // share of the turns that answer, told or shortened
	Something    Measure `json:"something"` // questions with at least one of them
	Answering    Measure `json:"answering"` // like Evidence; a turn that lost words of the answer does not count
	Silent       float64 `json:"silent"`    // questions that got nothing
	Bytes        float64 `json:"bytes"`
}

// told is what one question got.
type told struct {
	evidence, answering float64
	bytes               int
}

// captured runs f over a database for each conversation, as captured sessions with
// what is extracted from them.
func captured(ctx context.Context, corpus *Corpus, embedder embed.Embedder, f func(*filled) error) error {
	for _, c := range corpus.Collections {
		err := inDatabase(ctx, embedder, c, func(in *filled) error {
			if err := in.learn(ctx); err != nil {
				return err
			}
			return f(in)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// RunPrompts stores each conversation as sessions that were captured, with what is
// extracted from them, and asks its questions as prompts: beside what the hook tells
// stand whole turns by rank, in as many characters.
func RunPrompts(ctx context.Context, corpus *Corpus, embedder embed.Embedder) ([]Injected, error) {
	ways := []string{"hook", "whole turns by rank"}
	outcomes := map[string][][]told{}
	var names []string
	err := captured(ctx, corpus, embedder, func(in *filled) error {
		names = append(names, in.Name)
		outcomes[in.Name] = make([][]told, len(ways))
		for _, q := range in.Questions {
			for i, tell := range []func(context.Context, string) (string, []string, error){in.hooked, in.whole} {
				text, refs, err := tell(ctx, q.Text)
				if err != nil {
					return fmt.Errorf("question %q: %w", q.Text, err)
				}
				outcomes[in.Name][i] = append(outcomes[in.Name][i], in.tell(q, text, refs))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []Injected
	for i, way := range ways {
		var all []told
		for _, name := range names {
			list = append(list, injectedOf(name, way, outcomes[name][i]))
			all = append(all, outcomes[name][i]...)
		}
		list = append(list, injectedOf("all", way, all))
	}
	return list, nil
}

// learn stores what is extracted from a conversation. Both speakers are people, so
// each is heard as the user.
func (f *filled) learn(ctx context.Context) error {
	var seen []extract.Sighting
	for i, t := range f.Turns {
		var before []extract.Turn
		if i > 0 && f.Turns[i-1].Session == t.Session {
			before = []extract.Turn{{Speaker: extract.Assistant, Text: f.Turns[i-1].Text, At: f.Turns[i-1].At.Time}}
		}
		for _, found := range extract.From(extract.Turn{Speaker: extract.User, Text: t.Text, At: t.At.Time}, before) {
			found.Subject = t.Speaker + " " + found.Subject // two people prefer different things
			seen = append(seen, extract.Sighting{Candidate: found, Session: fmt.Sprint(t.Session), Turn: i, At: t.At.Time})
		}
	}
	return f.db.Write(ctx, func(tx *store.Tx) error {
		for _, s := range extract.Settle(seen) {
			if !s.Stored || s.SupersededBy >= 0 {
				continue
			}
			n := memories.NewInsight{Content: s.Text, Metadata: json.RawMessage("{}")}
			for _, at := range s.Sightings {
				n.SourceIDs = append(n.SourceIDs, f.turnRows[at.Turn])
			}
			insight, err := memories.In(tx).InsertInsight(n)
			if err != nil {
				return err
			}
			if _, err := f.search.Index(tx, insight.Row()); err != nil {
				return err
			}
		}
		return nil
	})
}

// hooked is what the prompt hook tells.
func (f *filled) hooked(ctx context.Context, prompt string) (string, []string, error) {
	told, err := recall.ForPrompt(ctx, f.db, []tools.Recaller{memory.Recaller()}, recall.Ask{Prompt: prompt, Tokens: injectedTokens})
	return told.Text, told.Refs, err
}

// whole fills as many characters with whole turns, the best first.
func (f *filled) whole(ctx context.Context, prompt string) (text string, refs []string, err error) {
	found, err := f.search.Search(ctx, memory.Query{Text: prompt, TopK: 50, Weights: retrieval.DefaultWeights, Sources: []memories.Source{memories.SourceDialogue}})
	for _, hit := range found.Hits {
		line := hit.Row.Speaker + ": " + hit.Row.Content + "\n"
		if tools.Tokens(len(text)+len(line)) > injectedTokens {
			break
		}
		text, refs = text+line, append(refs, fmt.Sprint(kept.Dialogue, ":", hit.Row.ID))
	}
	return text, refs, err
}

// tell finds how much of the evidence for a question stands in a text.
func (f *filled) tell(q Question, text string, refs []string) (t told) {
	shown, answer := language.Terms(text), language.Terms(q.Answer)
	share := 1 / float64(len(q.Evidence))
	for i, turn := range f.Turns {
		if !slices.Contains(q.Evidence, turn.ID) || !slices.Contains(refs, fmt.Sprint(kept.Dialogue, ":", f.turnRows[i])) {
			continue
		}
		t.evidence += share
		said := language.Terms(turn.Text)
		lost := slices.ContainsFunc(answer, func(word string) bool {
			return !language.IsStopWord(word) && slices.Contains(said, word) && !slices.Contains(shown, word)
		})
		if !lost {
			t.answering += share
		}
	}
	t.bytes = len(text)
	return t
}

func injectedOf(conversation, way string, list []told) Injected {
	r := Injected{Conversation: conversation, Way: way, Questions: len(list)}
	var evidence, something, answering []float64
	for _, t := range list {
		evidence, answering = append(evidence, t.evidence), append(answering, t.answering)
		any := 0.0
		if t.evidence > 0 {
			any = 1
		}
		something = append(something, any)
		if t.bytes == 0 {
			r.Silent += 1 / float64(len(list))
		}
		r.Bytes += float64(t.bytes) / float64(len(list))
	}
	r.Evidence, r.Something, r.Answering = measured(evidence), measured(something), measured(answering)
	return r
}
