package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

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
// what is extracted from them. Turns are the names of its turns by their ids.
func captured(ctx context.Context, corpus *Corpus, embedder embed.Embedder, f func(c Conversation, db *store.DB, search *memory.Search, turns map[int64]string) error) error {
	for _, c := range corpus.Conversations {
		err := inDatabase(ctx, embedder, func(db *store.DB, search *memory.Search) error {
			turns, err := fill(ctx, db, search, c)
			if err != nil {
				return err
			}
			if err := learn(ctx, db, search, c, turns); err != nil {
				return err
			}
			return f(c, db, search, turns)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Needless asks prompts that need no memory beside each conversation, and returns
// the share of them that were told something, over all.
func Needless(ctx context.Context, corpus *Corpus, embedder embed.Embedder, prompts []string) (share float64, err error) {
	err = captured(ctx, corpus, embedder, func(_ Conversation, db *store.DB, search *memory.Search, _ map[int64]string) error {
		for _, prompt := range prompts {
			text, _, err := hooked(ctx, db, search, Question{Text: prompt})
			if err != nil {
				return err
			}
			if text != "" {
				share += 1 / float64(len(prompts)*len(corpus.Conversations))
			}
		}
		return nil
	})
	return share, err
}

// RunPrompts stores each conversation as sessions that were captured, with what is
// extracted from them, and asks its questions as prompts: beside what the hook tells
// stand whole turns by rank, in as many characters.
func RunPrompts(ctx context.Context, corpus *Corpus, embedder embed.Embedder) ([]Injected, error) {
	ways := []string{"hook", "whole turns by rank"}
	outcomes := map[string][][]told{}
	var names []string
	err := captured(ctx, corpus, embedder, func(c Conversation, db *store.DB, search *memory.Search, turns map[int64]string) error {
		names = append(names, c.Name)
		outcomes[c.Name] = make([][]told, len(ways))
		for _, q := range c.Questions {
			for i, tell := range []func(context.Context, *store.DB, *memory.Search, Question) (string, []string, error){hooked, whole} {
				text, refs, err := tell(ctx, db, search, q)
				if err != nil {
					return fmt.Errorf("question %q: %w", q.Text, err)
				}
				outcomes[c.Name][i] = append(outcomes[c.Name][i], c.tell(q, text, refs, turns))
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
func learn(ctx context.Context, db *store.DB, search *memory.Search, c Conversation, names map[int64]string) error {
	ids := map[string]int64{}
	for id, name := range names {
		ids[name] = id
	}
	var seen []extract.Sighting
	for i, t := range c.Turns {
		var before []extract.Turn
		if i > 0 && c.Turns[i-1].Session == t.Session {
			before = []extract.Turn{{Speaker: extract.Assistant, Text: c.Turns[i-1].Text, At: c.Turns[i-1].At}}
		}
		for _, found := range extract.From(extract.Turn{Speaker: extract.User, Text: t.Text, At: t.At}, before) {
			found.Subject = t.Speaker + " " + found.Subject // two people prefer different things
			seen = append(seen, extract.Sighting{Candidate: found, Session: fmt.Sprint(t.Session), Turn: i, At: t.At})
		}
	}
	return db.Write(ctx, func(tx *store.Tx) error {
		for _, s := range extract.Settle(seen) {
			if !s.Stored || s.SupersededBy >= 0 {
				continue
			}
			n := memories.NewInsight{Content: s.Text, Metadata: json.RawMessage("{}")}
			for _, at := range s.Sightings {
				n.SourceIDs = append(n.SourceIDs, ids[c.Turns[at.Turn].ID])
			}
			insight, err := memories.In(tx).InsertInsight(n)
			if err != nil {
				return err
			}
			if _, err := search.Index(tx, insight.Row()); err != nil {
				return err
			}
		}
		return nil
	})
}

// hooked is what the prompt hook tells.
func hooked(ctx context.Context, db *store.DB, _ *memory.Search, q Question) (string, []string, error) {
	told, err := recall.ForPrompt(ctx, db, []tools.Recaller{memory.Recaller()}, recall.Ask{Prompt: q.Text, Tokens: injectedTokens})
	return told.Text, told.Refs, err
}

// whole fills as many characters with whole turns, the best first.
func whole(ctx context.Context, _ *store.DB, search *memory.Search, q Question) (text string, refs []string, err error) {
	found, err := search.Search(ctx, memory.Query{Text: q.Text, TopK: 50, Weights: retrieval.DefaultWeights, Sources: []memories.Source{memories.SourceDialogue}})
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
func (c Conversation) tell(q Question, text string, refs []string, names map[int64]string) (t told) {
	shown, answer := language.Terms(text), language.Terms(q.Answer)
	said := map[string][]string{}
	for _, turn := range c.Turns {
		said[turn.ID] = language.Terms(turn.Text)
	}
	share := 1 / float64(len(q.Evidence))
	for id, name := range names {
		if !slices.Contains(q.Evidence, name) || !slices.Contains(refs, fmt.Sprint(kept.Dialogue, ":", id)) {
			continue
		}
		t.evidence += share
		lost := slices.ContainsFunc(answer, func(word string) bool {
			return !language.IsStopWord(word) && slices.Contains(said[name], word) && !slices.Contains(shown, word)
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

// WriteInjected prints what prompts get as text.
func WriteInjected(w io.Writer, list []Injected) error {
	fmt.Fprintf(w, "What stands beside a prompt, in at most %d tokens\n\n", injectedTokens)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "conversation\tquestions\tway\tevidence\tsomething of it\twith the answer's words\tsilent\tbytes")
	for _, r := range list {
		fmt.Fprintln(table, strings.Join([]string{r.Conversation, fmt.Sprint(r.Questions), r.Way, r.Evidence.String(), r.Something.String(), r.Answering.String(),
			fmt.Sprintf("%.3f", r.Silent), fmt.Sprintf("%.0f", r.Bytes)}, "\t"))
	}
	return table.Flush()
}
