package memory

import (
	"math"
	"strings"
)

const (
	// goldenDepth is the k of precision at five.
	goldenDepth = 5
	// driftThreshold is the absolute fall below the baseline that counts as
	// drift; driftSlack keeps a fall of exactly that much from counting by
	// rounding.
	driftThreshold = 0.05
	driftSlack     = 1e-12
)

// queryLengthClass sorts queries by length: short ones have up to 10 words, long ones 30 and more.
func queryLengthClass(words int) string {
	switch {
	case words <= 10:
		return "short"
	case words < 30:
		return "medium"
	}
	return "long"
}

func countWords(text string) int { return len(strings.Fields(text)) }

// queryMetrics is how well one query was answered.
type queryMetrics struct {
	Precision  float64 // hits among the first five / 5
	Recall     float64 // hits / expected documents
	Reciprocal float64 // 1 / rank of the first hit, 0: none among the first five
	NDCG       float64 // discounted gain / the best attainable with these labels
	Attainable float64 // the best precision that the documents allow
}

// measureQuery compares the first five results with the expected documents.
// attainable is how many of those exist today. Documents beyond the labels count
// as irrelevant.
func measureQuery(results []int64, expected map[int64]bool, labels, attainable int) queryMetrics {
	var m queryMetrics
	hits, gain, ideal := 0, 0.0, 0.0
	for i, id := range results[:min(goldenDepth, len(results))] {
		if !expected[id] {
			continue
		}
		hits++
		gain += rankDiscount(i)
		if m.Reciprocal == 0 {
			m.Reciprocal = 1 / float64(i+1)
		}
	}
	for i := range min(goldenDepth, labels) {
		ideal += rankDiscount(i)
	}
	m.Precision = float64(hits) / goldenDepth
	m.Attainable = float64(min(goldenDepth, attainable)) / goldenDepth
	if labels > 0 {
		m.Recall = float64(hits) / float64(labels)
		m.NDCG = gain / ideal
	}
	return m
}

// rankDiscount is the weight of a hit at index i of a ranking.
func rankDiscount(i int) float64 { return 1 / math.Log2(float64(i)+2) }

// average is the arithmetic mean; nil of nothing.
func average(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	m := sum / float64(len(values))
	return &m
}

// hasDrifted reports whether today's precision fell too far below the baseline.
func hasDrifted(baseline *float64, today float64) bool {
	return baseline != nil && *baseline-today > driftThreshold+driftSlack
}
