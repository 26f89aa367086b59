package embed

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"sync"
	"testing"
)

// Stored vectors depend on every bit of these: a change needs a new model name.
func TestLocalVectorsNeverChange(t *testing.T) {
	for text, want := range map[string]string{
		"The harbour was quiet in the morning.":                                                "c004ff7ae884288c",
		"Wir haben über die Straße gesprochen, nicht wahr?":                                    "75491f3a1ec3e6a5",
		"42 東京 🎉 naïve café it's":                                                              "31864639d4ed66de",
		strings.Repeat("structural tension between current reality and desired outcome; ", 20): "d1920bec0f7024df",
	} {
		sum := sha256.Sum256(bytesOf(t, localVector(text)))
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("vector of %.40q has hash %s, want %s", text, got, want)
		}
	}
}

// bytesOf are the numbers as they are stored.
func bytesOf(t testing.TB, v []float32) []byte {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLocalEmbedsEveryTextInOrder(t *testing.T) {
	vectors, err := Local().Embed(t.Context(), []string{"one harbour", "", " ?! ", "two boats"})
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 4 || vectors[1] != nil || vectors[2] != nil {
		t.Fatalf("texts without words must have nil vectors, got %d vectors, %v, %v", len(vectors), vectors[1], vectors[2])
	}
	for _, i := range []int{0, 3} {
		if len(vectors[i]) != LocalDimension || math.Abs(Norm(vectors[i])-1) > 1e-6 || vectors[i][hashedDimensions] != 0 {
			t.Errorf("vector %d: length %d, norm %g, the last component is %g", i, len(vectors[i]), Norm(vectors[i]), vectors[i][hashedDimensions])
		}
	}
	if Local().Model() != LocalModel || Local().Dimension() != LocalDimension {
		t.Error("model and dimension are not the documented ones")
	}
}

func TestLocalStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Local().Embed(ctx, []string{"a"}); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestLocalIsTheSameInEveryGoroutine(t *testing.T) {
	want := localVector("the same text, many times at once")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				localVector("another text in between, to disturb the scratch space")
				if got := localVector("the same text, many times at once"); Cosine(got, want) != Cosine(want, want) || got[7] != want[7] {
					t.Error("the vector differs")
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestLocalRanksSharedWordsHigher(t *testing.T) {
	for _, c := range []struct{ name, query, near, far string }{
		{"shared words", "harbour boats at night", "boats in the harbour", "a recipe for bread"},
		{"inflected words", "running children", "the child runs", "the parrot sings"},
		{"misspelled words", "accommodation", "acommodation", "transportation of goods"},
		{"word order breaks ties", "dog bites man", "dog bites man today", "man bites dog today"},
		{"function words count little", "what is the harbour", "harbour", "what is the bread"},
	} {
		t.Run(c.name, func(t *testing.T) {
			query := localVector(c.query)
			near, far := Cosine(query, localVector(c.near)), Cosine(query, localVector(c.far))
			if near <= far {
				t.Errorf("%q: %.3f for %q, %.3f for %q", c.query, near, c.near, far, c.far)
			}
		})
	}
}

func BenchmarkLocalEmbed(b *testing.B) {
	texts := []string{"I went to a support group at the harbour yesterday and it was so powerful, thank you for asking."}
	embedder := Local()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := embedder.Embed(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
}
