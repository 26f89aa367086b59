package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/records"
	"toolkit/tools"
	"toolkit/tools/entities"
	"toolkit/tools/recall"
)

// aName is a rare word.
func aName(s *toolstest.Vocabulary) string { return s.Words[100+s.Random.IntN(20_000)] }

// questions are of the kinds that people ask.
var questions = []struct {
	name string
	ask  func(s *toolstest.Vocabulary) string
}{
	{"a sentence", func(s *toolstest.Vocabulary) string { return s.RandomQuestion() }},
	{"a rare word", func(s *toolstest.Vocabulary) string { return "what about " + aName(s) }},
	{"frequent words", func(s *toolstest.Vocabulary) string { return s.Words[40] + " " + s.Words[41+s.Random.IntN(20)] }},
	{"a frequent word", func(s *toolstest.Vocabulary) string { return s.Words[34+s.Random.IntN(10)] }},
	{"a misspelt name", func(s *toolstest.Vocabulary) string { return "where does " + aName(s) + "xq live" }},
	{"a long prompt", func(s *toolstest.Vocabulary) string { return s.RandomText(60) }},
}

// fillSpoken writes n turns, n/10 entities with two observations each, and n/100
// documents, past the tools, as an import would.
func fillSpoken(b *testing.B, a *App, s *toolstest.Vocabulary, n int) {
	b.Helper()
	writes := func(n int, write func(tx *store.Tx, i int) error) {
		for start := 0; start < n; start += 1000 {
			storetest.Write(b, a.Store, func(tx *store.Tx) error {
				for i := start; i < min(n, start+1000); i++ {
					if err := write(tx, i); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	writes(n, func(tx *store.Tx, i int) error {
		d := memory.Dialogue{SessionID: "session " + strconv.Itoa(i/40), Speaker: []string{"user", "assistant"}[i%2], Content: s.RandomText(8 + s.Random.IntN(28)), At: time.UnixMilli(1_700_000_000_000 + int64(i)*60_000)}
		id, err := memory.In(tx).InsertDialogue(d)
		if err != nil {
			return err
		}
		d.ID = id
		_, err = a.Search.IndexRow(tx, d.Row())
		return err
	})
	writes(n/10, func(tx *store.Tx, i int) error {
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: aName(s) + " " + strconv.Itoa(i), Type: "person", Observations: []string{s.RandomText(12), s.RandomText(12)}})
		return err
	})
	writes(n/100, func(tx *store.Tx, i int) error {
		raw, err := json.Marshal(map[string]any{"title": s.RandomText(5), "content": s.RandomText(300)})
		if err != nil {
			return err
		}
		_, _, _, err = entities.Intake{}.Add(tx, records.Record{ID: fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), Type: "note", Properties: raw, CreatedAt: int64(i), UpdatedAt: int64(i)}, int64(i), true)
		return err
	})
}

// BenchmarkRecall measures the whole call with all vectors made, for each kind of question
// and over all, and that of hybrid_search beside it:
// TOOLKIT_BENCH_ROWS=100000 go test ./internal/app -run xxx -bench Recall -benchtime 100x
func BenchmarkRecall(b *testing.B) {
	n := 5000
	if rows, err := strconv.Atoi(os.Getenv("TOOLKIT_BENCH_ROWS")); err == nil {
		n = rows
	}
	a, err := Open(b.Context(), Settings{DB: filepath.Join(b.TempDir(), "t.db"), TimeoutFactor: 20, Getenv: func(string) string { return "" }})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close() //nolint:errcheck // the benchmark is over
	s := toolstest.NewVocabulary()
	start := time.Now()
	fillSpoken(b, a, s, n)
	stored := time.Now()
	for _, refresh := range []func(context.Context, func(int)) (int, error){a.Search.EmbedAll, a.Records.EmbedAll, a.Nodes.EmbedAll} {
		if _, err := refresh(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d turns, %d entities and %d documents in %v, their vectors in %v", n, n/10, n/100, stored.Sub(start).Round(time.Second), time.Since(stored).Round(time.Second))
	call := func(b *testing.B, tool string, in map[string]any) time.Duration {
		raw := []byte(toolstest.EncodeJSON(in))
		start := time.Now()
		r, err := a.Server.Pipeline.Call(b.Context(), tools.Request{Tool: tool, Arguments: raw})
		if err != nil || r.IsError {
			b.Fatal(err, r)
		}
		return time.Since(start)
	}
	ask := func(b *testing.B, question string) time.Duration {
		return call(b, recall.Name, map[string]any{"query": question})
	}
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = append(took, ask(b, q.ask(s)))
			}
			reportTook(b, took)
		})
	}
	b.Run("all in turn", func(b *testing.B) {
		var took []time.Duration
		for i := 0; b.Loop(); i++ {
			took = append(took, ask(b, questions[i%len(questions)].ask(s)))
		}
		reportTook(b, took)
	})
	b.Run("hybrid_search, all in turn", func(b *testing.B) {
		var took []time.Duration
		for i := 0; b.Loop(); i++ {
			took = append(took, call(b, "hybrid_search", map[string]any{"query_text": questions[i%len(questions)].ask(s), "source_types": []string{"l0"}}))
		}
		reportTook(b, took)
	})
}

func reportTook(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
