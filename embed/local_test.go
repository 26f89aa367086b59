package embed

import (
	"context"
	"crypto/sha256"
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
		sum := sha256.Sum256(EncodeFloat32(localVector(text)))
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("vector of %.40q has hash %s, want %s", text, got, want)
		}
	}
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
		if len(vectors[i]) != LocalDimension || math.Abs(Norm(vectors[i])-1) > 1e-6 || vectors[i][slackDimension] != 0 {
			t.Errorf("vector %d: length %d, norm %g, slack %g", i, len(vectors[i]), Norm(vectors[i]), vectors[i][slackDimension])
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

func TestAccumulateMixesTextsByWeight(t *testing.T) {
	var mixed Vector
	Accumulate(&mixed, "boats in the harbour", 1, nil)
	Accumulate(&mixed, "bread in the oven", 0.3, nil)
	boats, bread := Cosine(mixed.Unit(), localVector("boats")), Cosine(mixed.Unit(), localVector("bread"))
	if !(boats > bread && bread > 0.05) {
		t.Errorf("boats %.3f, bread %.3f: the heavier text must be closer, the lighter one present", boats, bread)
	}
}

func TestAccumulateAsksForStems(t *testing.T) {
	asked := map[string]bool{}
	var v Vector
	Accumulate(&v, "The boats were running", 1, func(token string) float64 {
		asked[token] = true
		if token == "boat" {
			return 3
		}
		return 0.1
	})
	if !asked["boat"] || !asked["run"] || asked["boats"] {
		t.Errorf("asked for %v", asked)
	}
	if boats, run := Cosine(v.Unit(), localVector("boats")), Cosine(v.Unit(), localVector("running")); boats < 5*run {
		t.Errorf("boats %.3f, running %.3f: rarity must weigh", boats, run)
	}
}

func TestAccumulateIgnoresWhatHasNoWeight(t *testing.T) {
	for name, add := range map[string]func(v *Vector){
		"no text":         func(v *Vector) { Accumulate(v, "", 1, nil) },
		"no weight":       func(v *Vector) { Accumulate(v, "text", 0, nil) },
		"NaN as weight":   func(v *Vector) { Accumulate(v, "text", math.NaN(), nil) },
		"Inf as weight":   func(v *Vector) { Accumulate(v, "text", math.Inf(1), nil) },
		"no rarity":       func(v *Vector) { Accumulate(v, "text", 1, func(string) float64 { return 0 }) },
		"NaN as rarity":   func(v *Vector) { Accumulate(v, "text", 1, func(string) float64 { return math.NaN() }) },
		"negative rarity": func(v *Vector) { Accumulate(v, "text", 1, func(string) float64 { return -1 }) },
	} {
		var v Vector
		add(&v)
		if !v.Empty() || v.Unit() != nil || v.UnitWithLength(10) != nil {
			t.Errorf("%s: the vector is not empty", name)
		}
	}
}

func TestLengthSurvivesInTheSlackDimension(t *testing.T) {
	var short, long Vector
	Accumulate(&short, "harbour", 1, nil)
	Accumulate(&long, "harbour", 3, nil)
	query := short.Unit()
	shortScore, longScore := Dot(query, short.UnitWithLength(10)), Dot(query, long.UnitWithLength(10))
	if math.Abs(float64(longScore/shortScore)-3) > 1e-3 {
		t.Errorf("scores %g and %g, want a ratio of 3", shortScore, longScore)
	}
	for _, scale := range []float64{0.5, 2, 10, 1e6} {
		if v := long.UnitWithLength(scale); math.Abs(Norm(v)-1) > 1e-6 {
			t.Errorf("scale %g: norm %g, want 1", scale, Norm(v))
		}
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
