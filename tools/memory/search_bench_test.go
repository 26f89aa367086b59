package memory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

// everyday words come first in the vocabulary, so that stop words and words with
// many relatives are as common as in speech.
const everyday = `the i to a and you it that of is in was for my on have so me but be we with just this like are at do what they can how all really not good about out
	one work day time love great family friend kid dog home school help think know feel want see new life year week music book food trip beach dance paint`

// vocabulary makes texts whose words are as unevenly common as those of people.
type vocabulary struct {
	words  []string
	random *rand.Rand
	zipf   *rand.Zipf
}

func newVocabulary() *vocabulary {
	v := &vocabulary{words: strings.Fields(everyday), random: rand.New(rand.NewPCG(7, 7))}
	for i := len(v.words); i < 30000; i++ {
		var word []byte
		for x, n := i, 0; n < 2 || x > 0; n++ {
			word = append(word, "bcdfglmnprst"[x%12], "aeiou"[x/12%5])
			x /= 13
		}
		v.words = append(v.words, string(word))
	}
	v.zipf = rand.NewZipf(v.random, 1.1, 2, uint64(len(v.words)-1))
	return v
}

func (v *vocabulary) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = v.words[v.zipf.Uint64()]
	}
	return strings.Join(list, " ")
}

// question has everyday words and a rarer one, as questions do.
func (v *vocabulary) question() string {
	return "when did " + v.text(4) + " " + v.words[60+v.random.IntN(300)]
}

// sizes are how many insights the benchmarks hold; TOOLKIT_BENCH_ROWS=100000
// asks for more.
func sizes() []int {
	if n, err := strconv.Atoi(os.Getenv("TOOLKIT_BENCH_ROWS")); err == nil {
		return []int{n}
	}
	return []int{10_000}
}

// filled is a database of n insights with their dialogue left out.
func filled(b *testing.B, n int) (string, *vocabulary) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.db")
	v := newVocabulary()
	db, err := store.Open(context.Background(), store.Options{Path: path})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	search := NewSearch(db, embed.Off())
	defer search.Close()
	start := time.Now()
	for done := 0; done < n; {
		err := db.Write(context.Background(), func(tx *store.Tx) error {
			for range min(1000, n-done) {
				insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.text(8 + v.random.IntN(28)), SourceIDs: []int64{}, Metadata: []byte("{}")})
				if err != nil {
					return err
				}
				if _, err := search.Index(tx, insight.Row()); err != nil {
					return err
				}
				done++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d insights: %.0f µs each in transactions of 1000", n, float64(time.Since(start).Microseconds())/float64(n))
	return path, v
}

func openFilled(b *testing.B, path string) (*store.DB, *Search) {
	b.Helper()
	db, err := store.Open(context.Background(), store.Options{Path: path})
	if err != nil {
		b.Fatal(err)
	}
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
				query(b, search, v.question())
			}
		})
		b.Run(fmt.Sprintf("first search of %d with an unknown word", n), func(b *testing.B) {
			for range b.N {
				_, search := openFilled(b, path)
				query(b, search, "misspellled "+v.question())
			}
		})
		b.Run(fmt.Sprintf("search of %d by words", n), func(b *testing.B) { percentiles(b, path, query, v.question) })
		b.Run(fmt.Sprintf("search of %d with an unknown word", n), func(b *testing.B) {
			percentiles(b, path, query, func() string { return "misspellled " + v.question() })
		})
		b.Run(fmt.Sprintf("insert into %d", n), func(b *testing.B) {
			db, search := openFilled(b, path)
			for range b.N {
				err := db.Write(context.Background(), func(tx *store.Tx) error {
					insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.text(20), SourceIDs: []int64{}, Metadata: []byte("{}")})
					if err == nil {
						_, err = search.Index(tx, insight.Row())
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
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
			b.Run(fmt.Sprintf("%s of %d", name, n), func(b *testing.B) { percentiles(b, path, query, v.question) })
			b.Run(fmt.Sprintf("%s of %d by words of a third of them", name, n), func(b *testing.B) {
				percentiles(b, path, query, func() string { return "family dance paint friend" })
			})
		}
	}
}

// inheriting is a database of n turns in sessions of 50, and as many insights that cite one
// each. Four words stand in a third of the turns.
func inheriting(b *testing.B, n int) (string, *vocabulary) {
	b.Helper()
	path, v := filepath.Join(b.TempDir(), "bench.db"), newVocabulary()
	db, err := store.Open(context.Background(), store.Options{Path: path})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	search := NewSearch(db, embed.Off())
	defer search.Close()
	for done := 0; done < n; {
		err := db.Write(context.Background(), func(tx *store.Tx) error {
			for range min(1000, n-done) {
				text := v.text(8 + v.random.IntN(20))
				if done%3 == 0 {
					text += " family dance paint friend"
				}
				turn := memory.Dialogue{SessionID: fmt.Sprint("s", done/50), Speaker: []string{"Ann", "Ben"}[done%2], Content: text, Metadata: []byte("{}"), At: time.Date(2025, 1, 1, 0, done, 0, 0, time.UTC)}
				var err error
				if turn.ID, err = memory.In(tx).InsertDialogue(turn); err != nil {
					return err
				}
				if _, err := search.Index(tx, turn.Row()); err != nil {
					return err
				}
				insight, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: v.text(8 + v.random.IntN(10)), SourceIDs: []int64{turn.ID}, Metadata: []byte("{}")})
				if err != nil {
					return err
				}
				if _, err := search.Index(tx, insight.Row()); err != nil {
					return err
				}
				done++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
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
