package payloads

import "math"

// lexicalPivot is the cosine of two local vectors that counts as a similarity of
// 0.7, the threshold of the source document.
//
// The document's threshold is meant for a model that understands meaning. Local
// vectors are hashed words, whose cosine falls as soon as a text has words that
// the other lacks, so that 0.7 as it is would pass hardly more than copies. The
// pivot was set between two distributions, measured over generated records
// (TestTheThresholdSeparatesNearDuplicatesFromTheRest measures others of the same
// kind again): texts with one word dropped, replaced, misspelt, inflected or
// moved, and those of other records that share the type, a currency, a status
// and the year.
const lexicalPivot = 0.55

// defaultThreshold is the source document's.
const defaultThreshold = 0.7

// lexicalSimilarity is the similarity, 0 to 1, of two local vectors by their
// cosine. It grows with the cosine, so it changes no order.
func lexicalSimilarity(cosine float64) float64 {
	if cosine < lexicalPivot {
		return rounded(defaultThreshold * cosine / lexicalPivot)
	}
	return rounded(defaultThreshold + (1-defaultThreshold)*(cosine-lexicalPivot)/(1-lexicalPivot))
}

// cosineSimilarity is the similarity, 0 to 1, of two vectors of a model.
func cosineSimilarity(cosine float64) float64 { return rounded(cosine) }

// rounded drops what stored vectors cannot tell, so that equal texts have a
// similarity of 1 and what is printed is what was compared with the threshold.
func rounded(similarity float64) float64 {
	return max(0, min(1, math.Round(similarity*1e4)/1e4))
}
