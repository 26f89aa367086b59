package embed

import (
	"context"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"toolkit/internal/testenv"
)

// prose returns n different paragraphs of the comments in Go's standard
// library, spread evenly, or skips the test where its source is missing.
func prose(t testing.TB, n int) []string {
	t.Helper()
	var found []string
	seen := make(map[string]bool)
	err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil // testdata holds broken files on purpose
		}
		for _, comment := range file.Comments {
			for paragraph := range strings.SplitSeq(comment.Text(), "\n\n") {
				words := strings.Fields(paragraph)
				text := strings.Join(words[:min(len(words), 100)], " ")
				if len(words) >= 5 && !seen[text] {
					seen[text] = true
					found = append(found, text)
				}
			}
		}
		return nil
	})
	if err != nil || len(found) < n {
		t.Skipf("the standard library's source gives %d of %d texts (%v)", len(found), n, err)
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = found[i*len(found)/n]
	}
	return texts
}

// corpus embeds the first words of texts as rows and as queries: every second query is
// shorter still.
func corpus(t testing.TB, rows int) (vectors, queries [][]float32) {
	t.Helper()
	const count = 60
	texts := prose(t, rows+count)
	for i, text := range texts {
		words := strings.Fields(text)
		limit := 16
		if i < count && i%2 == 0 {
			limit = 8
		}
		texts[i] = strings.Join(words[:min(len(words), limit)], " ")
	}
	for batch := range slices.Chunk(texts, 64) {
		embedded, err := BuiltIn().Embed(t.Context(), batch)
		if err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, embedded...)
	}
	return vectors[count:], vectors[:count]
}

// dense returns rows and queries of a low effective dimension, as trained
// models give them: a mixture of a few of many topics, a common part and noise.
func dense(rows int) (vectors, queries [][]float32) {
	const dimension, topics, count = 1536, 300, 60
	r := rand.New(rand.NewPCG(8, 8))
	directions := make([][]float32, topics)
	for i := range directions {
		directions[i] = randomVector(r, dimension, false)
	}
	common := randomVector(r, dimension, false)
	for range rows + count {
		v := randomVector(r, dimension, false)
		for i := range v {
			v[i] = 0.5*v[i] + 0.3*common[i]
		}
		for range 4 {
			weight, direction := float32(r.Float64()), directions[int(float64(topics)*math.Pow(r.Float64(), 2))]
			for i := range v {
				v[i] += weight * direction[i]
			}
		}
		Normalize(v)
		vectors = append(vectors, v)
	}
	return vectors[count:], vectors[:count]
}

// slice is a source and a reader of stored vectors; ids count from 1.
type slice [][]float32

func (s slice) Changes(_ context.Context, after int64, limit int) ([]Change, error) {
	var changes []Change
	for i := after; i < int64(len(s)) && len(changes) < limit; i++ {
		changes = append(changes, Change{Seq: i + 1, ID: i + 1, Vector: s[i]})
	}
	return changes, nil
}

func (s slice) Vectors(_ context.Context, ids []int64) (map[int64][]float32, error) {
	found := make(map[int64][]float32, len(ids))
	for _, id := range ids {
		found[id] = s[id-1]
	}
	return found, nil
}

// follows returns an index of all rows.
func follows(t testing.TB, rows slice) *Index {
	t.Helper()
	index := NewIndex(rows.Vectors)
	if err := index.Sync(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	return index
}

// recall is the share of the k truly nearest rows that searches find. Rows as
// similar as the k-th count as nearest, whichever of them is found.
func recall(t testing.TB, index *Index, vectors, queries [][]float32, k int) float64 {
	t.Helper()
	found := 0
	similarities := make([]float32, len(vectors))
	for _, query := range queries {
		runInParallel(len(vectors), 1024, func(start, end int) {
			for i := start; i < end; i++ {
				similarities[i] = Dot(query, vectors[i])
			}
		})
		sorted := slices.Clone(similarities)
		slices.Sort(sorted)
		minimum := sorted[len(sorted)-k] - 1e-6
		hits, err := index.Search(t.Context(), query, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range hits {
			if similarities[hit.ID-1] >= minimum {
				found++
			}
		}
	}
	return float64(found) / float64(k*len(queries))
}

func TestSearchFindsTheNearestRowsOfRealText(t *testing.T) {
	if testing.Short() {
		t.Skip("embeds many texts")
	}
	if raceDetector {
		t.Skip("takes minutes")
	}
	vectors, queries := corpus(t, testenv.Choose(300, 2200))
	r := rand.New(rand.NewPCG(9, 9))
	for len(vectors) <= exactRows { // these are not near to any text
		vector := randomVector(r, len(vectors[0]), false)
		Normalize(vector)
		vectors = append(vectors, vector)
	}
	checkRecall(t, "text", vectors, queries)
	vectors, queries = dense(testenv.Choose(3000, 10_000))
	checkRecall(t, "dense vectors", vectors, queries)
}

func checkRecall(t *testing.T, name string, vectors, queries [][]float32) {
	t.Helper()
	rows := slice(vectors)
	index := follows(t, rows)
	for _, k := range []int{10, 50} {
		if share := recall(t, index, vectors, queries, k); share < 0.98 {
			t.Errorf("%s: recall@%d is %.4f, want at least 0.98", name, k, share)
		}
	}
}

// BenchmarkIndexSearch also reports what is found.
func BenchmarkIndexSearch(b *testing.B) {
	for _, rows := range []int{2_000, 10_000, 100_000} {
		vectors, queries := dense(rows)
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			source := slice(vectors)
			index := follows(b, source)
			at10, at50 := recall(b, index, vectors, queries, 10), recall(b, index, vectors, queries, 50)
			for i := 0; b.Loop(); i++ {
				if _, err := index.Search(b.Context(), queries[i%len(queries)], 10, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(at10, "recall@10")
			b.ReportMetric(at50, "recall@50")
		})
	}
}
