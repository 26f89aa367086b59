package memory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
)

// sizes are how many insights the benchmarks hold; TOOLKIT_BENCH_ROWS=100000
// asks for more.
func sizes() []int {
	if n, err := strconv.Atoi(os.Getenv("TOOLKIT_BENCH_ROWS")); err == nil {
		return []int{n}
	}
	return []int{10_000}
}

// filled is a database of n insights with their dialogue left out.
func filled(b *testing.B, n int) (string, *toolstest.Vocabulary) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.db")
	v := toolstest.NewVocabulary()
	db := storetest.Open(b, path)
	search := NewSearch(db, embed.Off())
	defer search.Close()
	start := time.Now()
	for done := 0; done < n; {
		storetest.Write(b, db, func(tx *store.Tx) error {
			for range min(1000, n-done) {
				insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.RandomText(8 + v.Random.IntN(28)), SourceIDs: []int64{}, Metadata: []byte("{}")})
				if err != nil {
					return err
				}
				if _, err := search.IndexRow(tx, insight.Row()); err != nil {
					return err
				}
				done++
			}
			return nil
		})
	}
	b.Logf("%d insights: %.0f µs each in transactions of 1000", n, float64(time.Since(start).Microseconds())/float64(n))
	return path, v
}

func openFilled(b *testing.B, path string) (*store.DB, *Search) {
	b.Helper()
	db := storetest.Open(b, path)
	search := NewSearch(db, embed.Off())
	b.Cleanup(func() { search.Close(); db.Close() })
	return db, search
}

func BenchmarkMemory(b *testing.B) {
	for _, n := range sizes() {
		path, v := filled(b, n)
		query := func(b *testing.B, s *Search, text string) {
			found, err := s.Search(context.Background(), Query{Text: text, TopK: 5, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceInsight}})
			if err != nil || len(found.Hits) == 0 {
				b.Fatalf("%q: %d hits, %v", text, len(found.Hits), err)
			}
		}
		b.Run(fmt.Sprintf("first search of %d by words", n), func(b *testing.B) {
			for range b.N {
				_, search := openFilled(b, path)
				query(b, search, v.RandomQuestion())
			}
		})
		b.Run(fmt.Sprintf("first search of %d with an unknown word", n), func(b *testing.B) {
			for range b.N {
				_, search := openFilled(b, path)
				query(b, search, "misspellled "+v.RandomQuestion())
			}
		})
		b.Run(fmt.Sprintf("search of %d by words", n), func(b *testing.B) { percentiles(b, path, query, v.RandomQuestion) })
		b.Run(fmt.Sprintf("search of %d with an unknown word", n), func(b *testing.B) {
			percentiles(b, path, query, func() string { return "misspellled " + v.RandomQuestion() })
		})
		b.Run(fmt.Sprintf("insert into %d", n), func(b *testing.B) {
			db, search := openFilled(b, path)
			for range b.N {
				storetest.Write(b, db, func(tx *store.Tx) error {
					insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.RandomText(20), SourceIDs: []int64{}, Metadata: []byte("{}")})
					if err == nil {
						_, err = search.IndexRow(tx, insight.Row())
					}
					return err
				})
			}
		})
		if info, err := os.Stat(path); err == nil {
			b.Logf("the database has %.1f MB", float64(info.Size())/(1<<20))
		}
	}
}

// BenchmarkInherited searches insights that are each known by a turn of dialogue too, and
// that dialogue, by rare words and by words that stand everywhere.
func BenchmarkInherited(b *testing.B) {
	for _, n := range sizes() {
		path, v := inheriting(b, n)
		for name, sources := range map[string][]memory.Source{"insights": {memory.SourceInsight}, "turns": {memory.SourceDialogue}, "both": {memory.SourceInsight, memory.SourceDialogue}} {
			query := func(b *testing.B, s *Search, text string) {
				if _, err := s.Search(context.Background(), Query{Text: text, TopK: 5, Weights: search.DefaultWeights, Sources: sources}); err != nil {
					b.Fatal(err)
				}
			}
			b.Run(fmt.Sprintf("%s of %d", name, n), func(b *testing.B) { percentiles(b, path, query, v.RandomQuestion) })
			b.Run(fmt.Sprintf("%s of %d by words of a third of them", name, n), func(b *testing.B) {
				percentiles(b, path, query, func() string { return "family dance paint friend" })
			})
		}
	}
}

// inheriting is a database of n turns in sessions of 50, and as many insights that cite one
// each. Four words stand in a third of the turns.
func inheriting(b *testing.B, n int) (string, *toolstest.Vocabulary) {
	b.Helper()
	path, v := filepath.Join(b.TempDir(), "bench.db"), toolstest.NewVocabulary()
	db := storetest.Open(b, path)
	search := NewSearch(db, embed.Off())
	defer search.Close()
	for done := 0; done < n; {
		storetest.Write(b, db, func(tx *store.Tx) error {
			for range min(1000, n-done) {
				text := v.RandomText(8 + v.Random.IntN(20))
				if done%3 == 0 {
					text += " family dance paint friend"
				}
				turn := memory.Dialogue{SessionID: fmt.Sprint("s", done/50), Speaker: []string{"Ann", "Ben"}[done%2], Content: text, Metadata: []byte("{}"), At: time.Date(2025, 1, 1, 0, done, 0, 0, time.UTC)}
				var err error
				if turn.ID, err = memory.In(tx).InsertDialogue(turn); err != nil {
					return err
				}
				if _, err := search.IndexRow(tx, turn.Row()); err != nil {
					return err
				}
				insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.RandomText(8 + v.Random.IntN(10)), SourceIDs: []int64{turn.ID}, Metadata: []byte("{}")})
				if err != nil {
					return err
				}
				if _, err := search.IndexRow(tx, insight.Row()); err != nil {
					return err
				}
				done++
			}
			return nil
		})
	}
	return path, v
}

// percentiles reports the middle and the slow end, which a mean hides.
func percentiles(b *testing.B, path string, query func(*testing.B, *Search, string), text func() string) {
	_, search := openFilled(b, path)
	for range 5 {
		query(b, search, text())
	}
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		start := time.Now()
		query(b, search, text())
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
