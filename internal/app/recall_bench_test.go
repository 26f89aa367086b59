package app

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// spoken makes texts whose words are as unevenly common as those of people.
type spoken struct {
	words  []string
	random *rand.Rand
	zipf   *rand.Zipf
}

func newSpoken() *spoken {
	s := &spoken{random: rand.New(rand.NewPCG(7, 7))}
	s.words = strings.Fields("the i to a and you it that of is in was for my on have so me but we with work day time home help think know week year music book food trip")
	for i := len(s.words); i < 30_000; i++ {
		var word []byte
		for x, n := i, 0; n < 2 || x > 0; n++ {
			word = append(word, "bcdfglmnprst"[x%12], "aeiou"[x/12%5])
			x /= 13
		}
		s.words = append(s.words, string(word))
	}
	s.zipf = rand.NewZipf(s.random, 1.1, 2, uint64(len(s.words)-1))
	return s
}

func (s *spoken) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = s.words[s.zipf.Uint64()]
	}
	return strings.Join(list, " ")
}

func (s *spoken) name() string { return s.words[100+s.random.IntN(20_000)] }

// questions are of the kinds that people ask.
var questions = []struct {
	name string
	ask  func(s *spoken) string
}{
	{"a sentence", func(s *spoken) string { return "when did " + s.text(4) + " " + s.words[60+s.random.IntN(300)] }},
	{"a rare word", func(s *spoken) string { return "what about " + s.name() }},
	{"frequent words", func(s *spoken) string { return s.words[40] + " " + s.words[41+s.random.IntN(20)] }},
	{"a frequent word", func(s *spoken) string { return s.words[34+s.random.IntN(10)] }},
	{"a misspelt name", func(s *spoken) string { return "where does " + s.name() + "xq live" }},
	{"a long prompt", func(s *spoken) string { return s.text(60) }},
}

// fillSpoken writes n turns, n/10 entities with two observations each, and n/100
// documents, past the tools, as an import would.
func fillSpoken(b *testing.B, a *App, s *spoken, n int) {
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
		d := memory.Dialogue{SessionID: "session " + strconv.Itoa(i/40), Speaker: []string{"user", "assistant"}[i%2], Content: s.text(8 + s.random.IntN(28)), At: time.UnixMilli(1_700_000_000_000 + int64(i)*60_000)}
		id, err := memory.In(tx).InsertDialogue(d)
		if err != nil {
			return err
		}
		d.ID = id
		_, err = a.Search.Index(tx, d.Row())
		return err
	})
	writes(n/10, func(tx *store.Tx, i int) error {
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: s.name() + " " + strconv.Itoa(i), Type: "person", Observations: []string{s.text(12), s.text(12)}})
		return err
	})
	writes(n/100, func(tx *store.Tx, i int) error {
		raw, err := json.Marshal(map[string]any{"title": s.text(5), "content": s.text(300)})
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
	s := newSpoken()
	start := time.Now()
	fillSpoken(b, a, s, n)
	stored := time.Now()
	for _, refresh := range []func(context.Context, func(int)) (int, error){a.Search.Refresh, a.Records.Refresh, a.Nodes.Refresh} {
		if _, err := refresh(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d turns, %d entities and %d documents in %v, their vectors in %v", n, n/10, n/100, stored.Sub(start).Round(time.Second), time.Since(stored).Round(time.Second))
	call := func(b *testing.B, tool string, in map[string]any) time.Duration {
		raw := []byte(toolstest.JSON(in))
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
