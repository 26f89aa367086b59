package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/memories"
	"toolkit/tools/engines/retrieval"
	"toolkit/tools/memory"
)

// depth is how many results are asked for, as a user would: recall is taken at 1,
// 5 and 10, the reciprocal rank within ten.
const depth = 10

// Channel is a way of searching that is measured beside the others.
type Channel struct {
	Name    string
	Weights retrieval.Weights
}

// Channels are measured by every run. The last one is what hybrid_search does.
var Channels = []Channel{
	{"keyword", retrieval.Weights{Keyword: 1}},
	{"semantic", retrieval.Weights{Semantic: 1}},
	{"fusion", retrieval.DefaultWeights},
}

// Outcome is how one question went in one channel.
type Outcome struct {
	Conversation string
	Category     int
	Recall1      float64
	Recall5      float64
	Recall10     float64
	Reciprocal   float64
}

// Run stores each conversation in a database of its own, in a temporary folder,
// and asks its questions. Outcomes come by channel name, questions in order.
func Run(ctx context.Context, corpus *Corpus, embedder embed.Embedder, report func(done, all int)) (map[string][]Outcome, error) {
	all, done := 0, 0
	for _, c := range corpus.Conversations {
		all += len(c.Questions)
	}
	outcomes := map[string][]Outcome{}
	for _, c := range corpus.Conversations {
		err := inDatabase(ctx, embedder, func(db *store.DB, search *memory.Search) error {
			turns, err := fill(ctx, db, search, c)
			if err != nil {
				return err
			}
			for _, q := range c.Questions {
				for _, channel := range Channels {
					o, err := ask(ctx, search, channel, q, turns)
					if err != nil {
						return fmt.Errorf("question %q: %w", q.Text, err)
					}
					o.Conversation = c.Name
					outcomes[channel.Name] = append(outcomes[channel.Name], o)
				}
				if done++; report != nil {
					report(done, all)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// inDatabase runs f over a database that exists for its duration.
func inDatabase(ctx context.Context, embedder embed.Embedder, f func(*store.DB, *memory.Search) error) error {
	dir, err := os.MkdirTemp("", "toolkit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover temporary folder harms nobody
	db, err := store.Open(ctx, store.Options{Path: filepath.Join(dir, "bench.db")})
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing to keep
	search := memory.NewSearch(db, embedder)
	defer search.Close() //nolint:errcheck // it has nothing to report
	return f(db, search)
}

// fill stores a conversation as store_raw_dialogue does and returns the names of
// its turns by their ids.
func fill(ctx context.Context, db *store.DB, search *memory.Search, c Conversation) (map[int64]string, error) {
	names := make(map[int64]string, len(c.Turns))
	err := db.Write(ctx, func(tx *store.Tx) error {
		for _, t := range c.Turns {
			d := memories.Dialogue{SessionID: fmt.Sprintf("claude-code/%08d-0000-4000-8000-000000000000", t.Session), Speaker: t.Speaker, Content: t.Text, At: t.At}
			id, err := memories.In(tx).InsertDialogue(d)
			if err != nil {
				return err
			}
			d.ID = id
			names[id] = t.ID
			if _, err := search.Index(tx, d.Row()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = search.Refresh(ctx, nil) // remote models answer after the commit
	return names, err
}

func ask(ctx context.Context, search *memory.Search, channel Channel, q Question, turns map[int64]string) (Outcome, error) {
	o := Outcome{Category: q.Category}
	found, err := search.Search(ctx, memory.Query{Text: q.Text, TopK: depth, Weights: channel.Weights, Sources: []memories.Source{memories.SourceDialogue}})
	if err != nil {
		return o, err
	}
	wanted := map[string]bool{}
	for _, id := range q.Evidence {
		wanted[id] = true
	}
	share := 1 / float64(len(wanted))
	for i, hit := range found.Hits {
		if !wanted[turns[hit.Row.ID]] {
			continue
		}
		if o.Reciprocal == 0 {
			o.Reciprocal = 1 / float64(i+1)
		}
		if i < 1 {
			o.Recall1 += share
		}
		if i < 5 {
			o.Recall5 += share
		}
		if i < 10 {
			o.Recall10 += share
		}
	}
	return o, nil
}
