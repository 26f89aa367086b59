package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/tools"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

const (
	// depth is how many results are asked for, as a user would: recall is taken at
	// 1, 5 and 10, the reciprocal rank within ten.
	depth = 10
	// recallTokens leaves room for ten hits of any length.
	recallTokens = 20000
)

// channel is a way of searching that is measured beside the others. A hit is the
// references that are told together, such as dialogue:7.
type channel struct {
	name   string
	search func(context.Context, *index, string) (hits [][]string, err error)
}

// channels are measured by every run.
var channels = []channel{
	{"BM25", func(_ context.Context, x *index, text string) (hits [][]string, _ error) {
		for _, at := range x.plain.search(text, depth) {
			hits = append(hits, []string{x.refs[at]})
		}
		return hits, nil
	}},
	{"keyword", newHybridSearch(search.Weights{Keyword: 1})},
	{"semantic", newHybridSearch(search.Weights{Semantic: 1})},
	{"hybrid_search", newHybridSearch(search.DefaultWeights)},
	{"recall", func(ctx context.Context, x *index, text string) (hits [][]string, err error) {
		out, err := x.callRecall(ctx, text)
		for _, hit := range out.Found {
			hits = append(hits, append([]string{hit.Kind + ":" + hit.ID}, hit.Also...))
		}
		return hits, err
	}},
}

func newHybridSearch(weights search.Weights) func(context.Context, *index, string) ([][]string, error) {
	return func(ctx context.Context, x *index, text string) (hits [][]string, err error) {
		found, err := x.search.Search(ctx, memory.Query{Text: text, TopK: depth, Weights: weights, Sources: []memoryrows.Source{memoryrows.SourceDialogue, memoryrows.SourceInsight}})
		for _, hit := range found.Hits {
			hits = append(hits, []string{rowRef(hit.Row)})
		}
		return hits, err
	}
}

// Summary is how all questions went in one channel.
type Summary struct {
	Questions                       int
	Recall1, Recall5, Recall10, MRR float64
	took                            []time.Duration
}

// measureRetrieval stores each collection in a database of its own, in a temporary folder,
// and asks its questions in all channels.
func measureRetrieval(ctx context.Context, corpus *Corpus, embedder embed.Embedder) ([]Summary, error) {
	summaries := make([]Summary, len(channels))
	for _, c := range corpus.Collections {
		err := withCollectionDatabase(ctx, embedder, c, func(x *index) error {
			for _, q := range c.Questions {
				for i, channel := range channels {
					begun := time.Now()
					hits, err := channel.search(ctx, x, q.Text)
					if err != nil {
						return fmt.Errorf("question %q: %w", q.Text, err)
					}
					summaries[i].took = append(summaries[i].took, time.Since(begun))
					summaries[i].addResult(x, q, hits)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if summaries[0].Questions == 0 {
		return nil, errors.New("nothing could be asked: there is no question with evidence")
	}
	for i := range summaries {
		s := &summaries[i]
		for _, sum := range []*float64{&s.Recall1, &s.Recall5, &s.Recall10, &s.MRR} {
			*sum /= float64(s.Questions)
		}
	}
	return summaries, nil
}

// addResult adds what was found of the evidence for a question.
func (s *Summary) addResult(x *index, q Question, hits [][]string) {
	s.Questions++
	share, found := 1/float64(len(q.Evidence)), map[string]bool{}
	for rank, hit := range hits[:min(len(hits), depth)] {
		for _, ref := range hit {
			for _, id := range x.answers[ref] {
				if found[id] || !slices.Contains(q.Evidence, id) {
					continue
				}
				if len(found) == 0 {
					s.MRR += 1 / float64(rank+1)
				}
				found[id] = true
				if rank < 1 {
					s.Recall1 += share
				}
				if rank < 5 {
					s.Recall5 += share
				}
				s.Recall10 += share
			}
		}
	}
}

// printSummaries prints a table.
func printSummaries(w io.Writer, corpus *Corpus, summaries []Summary) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "channel\tquestions\trecall@1\trecall@5\trecall@10\tMRR\tp50\tp95")
	for i, s := range summaries {
		p50, p95 := percentiles(s.took)
		fmt.Fprintf(table, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%v\t%v\n", channels[i].name, s.Questions, s.Recall1, s.Recall5, s.Recall10, s.MRR,
			p50.Round(100*time.Microsecond), p95.Round(100*time.Microsecond))
	}
	fmt.Fprintf(table, "\nQuestions left out, for their evidence does not exist: %d. Evidence that names nothing: %d.\n", corpus.Unanswerable, corpus.Unknown)
	return table.Flush()
}

// index is a database that holds a collection.
type index struct {
	Collection
	db       *store.DB
	search   *memory.Search
	recall   *tools.Definition
	turnRows []int64 // in the order of the collection

	refs    []string            // of all turns and notes
	answers map[string][]string // ids of evidence that a reference counts for
	plain   *bm25Index
}

func rowRef(row memoryrows.Row) string {
	if row.Source == memoryrows.SourceInsight {
		return fmt.Sprint(kinds.Insight, ":", row.ID)
	}
	return fmt.Sprint(kinds.Dialogue, ":", row.ID)
}

// withCollectionDatabase runs f over a database that exists for its duration, with the turns and
// notes of a collection in it as the tools store them.
func withCollectionDatabase(ctx context.Context, embedder embed.Embedder, c Collection, f func(*index) error) error {
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
	x := &index{Collection: c, db: db, search: search, answers: map[string][]string{}}
	x.recall = recall.New(recall.Deps{Store: db, SearchProviders: []tools.SearchProvider{memory.SearchProvider(search)}, Understand: func(ctx context.Context, question string) (m tools.Meaning, err error) {
		if !embed.IsOff(embedder) {
			m.Vector, err = embedder.Query(ctx, question)
		}
		return m, err
	}}).Tools[0]
	if err := db.Write(ctx, x.storeCollection); err != nil {
		return err
	}
	if _, err := search.EmbedAll(ctx, nil); err != nil { // remote models answer after the commit
		return err
	}
	return f(x)
}

// storeCollection stores turns as store_raw_dialogue does, and notes as compress_to_l2_insight.
func (x *index) storeCollection(tx *store.Tx) error {
	rows, texts := map[string]int64{}, []string{}
	add := func(row memoryrows.Row, text string, answers []string) error {
		ref := rowRef(row)
		x.refs, x.answers[ref], texts = append(x.refs, ref), answers, append(texts, text)
		_, err := x.search.IndexRow(tx, row)
		return err
	}
	for _, t := range x.Turns {
		d := memoryrows.Dialogue{SessionID: fmt.Sprintf("claude-code/%08d-0000-4000-8000-000000000000", t.Session), Speaker: t.Speaker, Content: t.Text, At: t.At, Metadata: t.Metadata}
		var err error
		if d.ID, err = memoryrows.In(tx).InsertDialogue(d); err != nil {
			return err
		}
		rows[t.ID], x.turnRows = d.ID, append(x.turnRows, d.ID)
		if err := add(d.Row(), t.Text, x.Answers[t.ID]); err != nil {
			return err
		}
	}
	for _, n := range x.Notes {
		insight := memoryrows.NewInsight{Content: n.Text, Metadata: json.RawMessage("{}"), At: unknownTime}
		for _, id := range n.Sources {
			insight.SourceIDs = append(insight.SourceIDs, rows[id])
		}
		stored, err := memoryrows.In(tx).InsertInsight(insight)
		if err != nil {
			return err
		}
		if err := add(stored.Row(), n.Text, x.Answers[n.ID]); err != nil {
			return err
		}
	}
	var words []string // of all questions: one alone may be too short to tell its language
	for _, q := range x.Questions {
		words = append(words, language.Words(q.Text)...)
	}
	x.plain = newBM25Index(language.DetectLanguage(words), texts)
	return nil
}

// callRecall asks the tool recall, with room for what is measured.
func (x *index) callRecall(ctx context.Context, text string) (out recall.Output, err error) {
	input, err := json.Marshal(recall.Input{Query: text, MaxTokens: recallTokens, Limit: depth})
	if err != nil {
		return out, err
	}
	result, err := x.recall.Handle(ctx, input)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(result.Data, &out)
}
