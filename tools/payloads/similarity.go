package payloads

import "math"

// lexicalPivot is the cosine of two local vectors that counts as a similarity of
// 0.7, the threshold of the source document.
//
// The document's threshold is meant for a model that understands meaning. Local
// vectors are hashed words, whose cosine falls as soon as a text has words that
// the other lacks. The pivot lies between two distributions, measured over 2000
// generated records: texts in which one word in eight was dropped, replaced,
// misspelt, inflected or moved have cosines from 0.68 (one in a hundred is below
// 0.74), and those of other records, of which many share the type, the currency,
// the status and the year, up to 0.55 (one in a thousand is above 0.47).
// TestTheThresholdSeparatesNearDuplicatesFromTheRest measures other records.
const lexicalPivot = 0.6

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

// rounded is the similarity, 0 to 1, of two vectors of a model by their cosine. It
// drops what stored vectors cannot tell, so that equal texts have a similarity of 1
// and what is printed is what was compared with the threshold.
func rounded(similarity float64) float64 {
	return max(0, min(1, math.Round(similarity*1e4)/1e4))
}
