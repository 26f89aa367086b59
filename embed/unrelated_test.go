package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestUnrelatedIgnoresRelatedRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		mean, deviation, related float64
		rows                     int
	}{
		"a model to which everything is alike": {0.8, 0.05, 0.95, 500},
		"a model to which nothing is":          {0.1, 0.08, 0.6, 500},
		"some rows":                            {0.3, 0.1, 0.9, 200},
	} {
		similarities := make([]float64, c.rows)
		for i := range similarities {
			similarities[i] = c.mean + c.deviation*r.NormFloat64()
			if i%10 == 0 {
				similarities[i] = c.related
			}
		}
		u := EstimateUnrelatedSimilarity(similarities)
		if math.Abs(u.Similarity-c.mean) > c.deviation/2 || u.Deviation < c.deviation*0.6 || u.Deviation > c.deviation*1.6 {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

func TestUnrelatedOfFewRowsLetsMatchesStandOut(t *testing.T) {
	many := make([]float64, 500)
	for i := range many {
		many[i] = 0.5
	}
	for name, c := range map[string]struct {
		similarities []float64
		similarity   float64
		found        bool
	}{
		"the only row fits":            {[]float64{0.9}, 0.9, true},
		"the only row does not":        {[]float64{0.1}, 0.1, false},
		"one of two fits":              {[]float64{0.9, 0}, 0.9, true},
		"the other does not":           {[]float64{0.9, 0}, 0, false},
		"each of three fits":           {[]float64{0.8, 0.8, 0.8}, 0.8, true},
		"as near as all of very many":  {many, 0.5, false},
		"nearer than all of very many": {many, 0.8, true},
	} {
		if above := EstimateUnrelatedSimilarity(c.similarities).DeviationsAbove(c.similarity); above > 2 != c.found {
			t.Errorf("%s: %.2f deviations above unrelated rows", name, above)
		}
	}
}

func TestUnrelatedMeasuresSampleOfIndex(t *testing.T) {
	index, rows := filled(t, 3000, 64)
	query := rows[7]
	u := index.SampleUnrelatedSimilarity(query)
	if above := u.DeviationsAbove(1); above < 5 || math.Abs(u.Similarity) > 0.5 {
		t.Errorf("%+v: a row is %.1f above others for itself", u, above)
	}
	if other := index.SampleUnrelatedSimilarity(query[:10]); other != (UnrelatedSimilarity{0, priorDeviation}) {
		t.Errorf("a vector of another length: %+v", other)
	}
}
