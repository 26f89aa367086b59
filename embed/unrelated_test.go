package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRelatedRowsDoNotMoveWhatUnrelatedOnesReach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		mean, deviation, related float64
		rows                     int
	}{
		"a model to which everything is alike": {0.8, 0.05, 0.95, 500},
		"a model to which nothing is":          {0.1, 0.08, 0.6, 500},
		"few rows":                             {0.3, 0.1, 0.9, 40},
	} {
		similarities := make([]float64, c.rows)
		for i := range similarities {
			similarities[i] = c.mean + c.deviation*r.NormFloat64()
			if i%10 == 0 {
				similarities[i] = c.related
			}
		}
		u := UnrelatedOf(similarities)
		if math.Abs(u.Similarity-c.mean) > c.deviation/2 || u.Deviation < c.deviation*0.6 || u.Deviation > c.deviation*1.6 {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

func TestFewRowsAreToldApart(t *testing.T) {
	for name, c := range map[string]struct {
		similarities []float64
		want         Unrelated
	}{
		"none":             {nil, Unrelated{0, leastDeviation}},
		"one":              {[]float64{0.9}, Unrelated{0.9, leastDeviation}},
		"one of two fits":  {[]float64{1, 0}, Unrelated{0, leastDeviation}},
		"all are the same": {[]float64{0.5, 0.5, 0.5}, Unrelated{0.5, leastDeviation}},
	} {
		if got := UnrelatedOf(c.similarities); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAnIndexKnowsWhatItsUnrelatedRowsReach(t *testing.T) {
	index, rows := filled(t, 3000, 64)
	query := rows[7]
	u := index.Unrelated(query)
	if above := u.Above(1); above < 5 || math.Abs(u.Similarity) > 0.5 {
		t.Errorf("%+v: a row is %.1f above others for itself", u, above)
	}
	if other := index.Unrelated(query[:10]); other != (Unrelated{0, leastDeviation}) {
		t.Errorf("a vector of another length: %+v", other)
	}
}
