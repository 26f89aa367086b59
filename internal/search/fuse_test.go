package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func hits(ids ...int64) []Hit {
	var list []Hit
	for i, id := range ids {
		list = append(list, Hit{ID: id, Time: id, Score: float64(len(ids) - i)})
	}
	return list
}

func TestRank(t *testing.T) {
	list := []Hit{
		{ID: 1, Time: 10, Score: 1}, {ID: 2, Time: 20, Score: 1}, {ID: 4, Time: 20, Score: 1}, {ID: 3, Time: 20, Score: 2},
		{ID: 5, Score: 0}, {ID: 6, Score: -1}, {ID: 7, Score: math.NaN()},
	}
	for _, test := range []struct {
		name  string
		depth int
		want  []int64
	}{
		{"by score, newer, lower id", 10, []int64{3, 2, 4, 1}},
		{"to a depth", 2, []int64{3, 2}},
		{"to no depth", 0, []int64{}},
		{"to a depth below zero", -1, []int64{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := []int64{}
			for _, h := range RankHits(slices.Clone(list), test.depth) {
				got = append(got, h.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestFuse(t *testing.T) {
	fused := FuseRankedHits(hits(1, 2), hits(3, 1), DefaultWeights)
	want := []struct {
		id         int64
		score      float64
		sem, words int
	}{
		{1, 0.7/61 + 0.3/62, 1, 2},
		{2, 0.7 / 62, 2, 0},
		{3, 0.3 / 61, 0, 1},
	}
	if len(fused) != len(want) {
		t.Fatalf("got %+v", fused)
	}
	for i, w := range want {
		f := fused[i]
		if f.ID != w.id || f.SemanticRank != w.sem || f.KeywordRank != w.words {
			t.Errorf("place %d: %+v, want %+v", i, f, w)
		}
		near(t, "score", f.Score, w.score)
	}
}

func TestEqualScoresComeNewerFirstThenByLowerID(t *testing.T) {
	half := Weights{0.5, 0.5}
	got := FuseRankedHits([]Hit{{ID: 1, Time: 1}}, []Hit{{ID: 2, Time: 2}}, half)
	if got[0].ID != 2 {
		t.Errorf("older first: %+v", got)
	}
	got = FuseRankedHits([]Hit{{ID: 9, Time: 1}}, []Hit{{ID: 2, Time: 1}}, half)
	if got[0].ID != 2 {
		t.Errorf("higher id first: %+v", got)
	}
}

func TestAChannelWithoutWeightFindsNothing(t *testing.T) {
	got := FuseRankedHits(hits(1, 2), hits(3), Weights{Semantic: 1})
	if len(got) != 2 || got[0].ID != 1 || got[1].ID != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestARepeatedIDCountsOnce(t *testing.T) {
	got := FuseRankedHits(hits(1, 1, 2), nil, Weights{Semantic: 1})
	if len(got) != 2 || got[0].SemanticRank != 1 || got[1].SemanticRank != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestFusionDoesNotDependOnTheOrderOfEqualHits(t *testing.T) {
	var list []Hit
	for id := range int64(40) {
		list = append(list, Hit{ID: id, Time: id / 4, Score: float64(id % 3)})
	}
	want := FuseRankedHits(RankHits(slices.Clone(list), 30), RankHits(slices.Clone(list), 20), DefaultWeights)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := FuseRankedHits(RankHits(slices.Clone(list), 30), RankHits(slices.Clone(list), 20), DefaultWeights); !slices.Equal(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

func TestResolveWeights(t *testing.T) {
	given := func(x float64) *float64 { return &x }
	for _, test := range []struct {
		name              string
		semantic, keyword *float64
		want              Weights
		refusal           string
	}{
		{"none is the default", nil, nil, Weights{0.7, 0.3}, ""},
		{"both", given(0.2), given(0.8), Weights{0.2, 0.8}, ""},
		{"one fixes the other", given(0.25), nil, Weights{0.25, 0.75}, ""},
		{"the other fixes the one", nil, given(1), Weights{0, 1}, ""},
		{"rounding is forgiven", given(0.1 + 0.2), given(0.7), Weights{0.1 + 0.2, 0.7}, ""},
		{"a wrong sum", given(0.5), given(0.75), Weights{}, "Weights must sum to 1.0, got 1.25"},
		{"a negative weight", given(-0.5), given(1.5), Weights{}, "weights must be between 0 and 1, got semantic -0.5 and keyword 1.5"},
		{"not a number", given(math.NaN()), nil, Weights{}, "Weights must sum to 1.0, got NaN"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ResolveWeights(test.semantic, test.keyword)
			refusal := ""
			if err != nil {
				refusal = err.Error()
			}
			if got != test.want || refusal != test.refusal {
				t.Errorf("got %v, %q; want %v, %q", got, refusal, test.want, test.refusal)
			}
		})
	}
}

func TestTheFirstOfBothChannelsHasANormalizedScoreOfExactlyOne(t *testing.T) {
	for percent := range 101 {
		semantic := float64(percent) / 100
		weights, err := ResolveWeights(&semantic, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := FuseRankedHits(hits(1), hits(1), weights)[0].NormalizedScore(); got != 1 {
			t.Errorf("weights %v: %v", weights, got)
		}
	}
	semantic, keyword := 0.5, 0.5000000001
	weights, _ := ResolveWeights(&semantic, &keyword)
	if got := FuseRankedHits(hits(1), hits(1), weights)[0].NormalizedScore(); got != 1 {
		t.Errorf("weights a little above 1: %v", got)
	}
}
