package embed

import "slices"

const (
	// sampleSize is how many rows tell how similar unrelated ones are.
	sampleSize = 512
	// minDeviation is the least that similarities of unrelated rows are taken to
	// differ by, where a coarse model says less.
	minDeviation = 0.02
	// priorRows is how many rows the assumption weighs that unrelated ones have no
	// similarity, give or take priorDeviation: in a small collection all rows may be
	// about what is asked.
	priorRows, priorDeviation = 20, 0.1
)

// UnrelatedSimilarity is what similarity rows have to a vector that have nothing to do with
// it, and its standard deviation. Of every model it is another one.
type UnrelatedSimilarity struct{ Similarity, Deviation float64 }

// SampleUnrelatedSimilarity measures it on a sample of the rows.
func (x *Index) SampleUnrelatedSimilarity(vector []float32) UnrelatedSimilarity {
	x.mu.RLock()
	defer x.mu.RUnlock()
	unit := slices.Clone(vector)
	if !Normalize(unit) || len(unit) != x.space.from {
		return EstimateUnrelatedSimilarity(nil)
	}
	query := quantizeQuery(unit, 2)
	similarities := make([]float64, min(sampleSize, len(x.ids)))
	for i := range similarities {
		similarities[i] = float64(x.full.approximateDot(&query, int32(i*len(x.ids)/len(similarities))))
	}
	return EstimateUnrelatedSimilarity(similarities)
}

// EstimateUnrelatedSimilarity measures it on similarities, most of which are of unrelated rows: the
// middle one, and how far five of six stay from it upwards. Rows that are related
// are fewer, and how far short texts lie below says nothing. The fewer there are, the
// more counts what is assumed.
func EstimateUnrelatedSimilarity(similarities []float64) UnrelatedSimilarity {
	if len(similarities) == 0 {
		return UnrelatedSimilarity{Deviation: priorDeviation}
	}
	slices.Sort(similarities)
	last := len(similarities) - 1
	median := similarities[last/2]
	deviation := max(minDeviation, similarities[last*5/6]-median)
	share := float64(len(similarities)) / float64(len(similarities)+priorRows)
	return UnrelatedSimilarity{share * median, share*deviation + (1-share)*priorDeviation}
}

// DeviationsAbove returns by how many standard deviations a similarity exceeds that of unrelated
// rows.
func (u UnrelatedSimilarity) DeviationsAbove(similarity float64) float64 {
	return (similarity - u.Similarity) / u.Deviation
}
