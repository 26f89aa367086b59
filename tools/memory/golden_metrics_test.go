package memory

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Discounts of ranks 1 to 5 by hand: 1, 1/log2(3), 1/2, 1/log2(5), 1/log2(6).
var gains = []float64{1, 1 / math.Log2(3), 0.5, 1 / math.Log2(5), 1 / math.Log2(6)}

func TestMetricsOfOneQuery(t *testing.T) {
	tests := map[string]struct {
		results            []int64
		expected           []int64
		labels, attainable int
		want               queryMetrics
	}{
		"the one document first": {
			[]int64{1, 2, 3, 4, 5}, []int64{1}, 1, 1,
			queryMetrics{Precision: 0.2, Recall: 1, Reciprocal: 1, NDCG: 1, Attainable: 0.2}},
		"the one document third": {
			[]int64{7, 8, 1, 9, 10}, []int64{1}, 1, 1,
			queryMetrics{Precision: 0.2, Recall: 1, Reciprocal: 1.0 / 3, NDCG: 0.5, Attainable: 0.2}},
		"two of three, ranks 2 and 5": {
			[]int64{9, 1, 8, 7, 2}, []int64{1, 2, 3}, 3, 3,
			queryMetrics{Precision: 0.4, Recall: 2.0 / 3, Reciprocal: 0.5, NDCG: (gains[1] + gains[4]) / (gains[0] + gains[1] + gains[2]), Attainable: 0.6}},
		"all five": {
			[]int64{5, 4, 3, 2, 1}, []int64{1, 2, 3, 4, 5}, 5, 5,
			queryMetrics{Precision: 1, Recall: 1, Reciprocal: 1, NDCG: 1, Attainable: 1}},
		"five of seven": {
			[]int64{1, 2, 3, 4, 5}, []int64{1, 2, 3, 4, 5, 6, 7}, 7, 7,
			queryMetrics{Precision: 1, Recall: 5.0 / 7, Reciprocal: 1, NDCG: 1, Attainable: 1}},
		"the sixth result does not count": {
			[]int64{11, 12, 13, 14, 15, 1}, []int64{1}, 1, 1, queryMetrics{Attainable: 0.2}},
		"fewer than five results": {
			[]int64{1}, []int64{1, 2}, 2, 2,
			queryMetrics{Precision: 0.2, Recall: 0.5, Reciprocal: 1, NDCG: gains[0] / (gains[0] + gains[1]), Attainable: 0.4}},
		"no result": {nil, []int64{1}, 1, 1, queryMetrics{Attainable: 0.2}},
		"one of two documents was deleted": {
			[]int64{1}, []int64{1}, 2, 1,
			queryMetrics{Precision: 0.2, Recall: 0.5, Reciprocal: 1, NDCG: gains[0] / (gains[0] + gains[1]), Attainable: 0.2}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			expected := map[int64]bool{}
			for _, id := range tc.expected {
				expected[id] = true
			}
			got := measureQuery(tc.results, expected, tc.labels, tc.attainable)
			for _, pair := range [][2]float64{
				{got.Precision, tc.want.Precision}, {got.Recall, tc.want.Recall}, {got.Reciprocal, tc.want.Reciprocal},
				{got.NDCG, tc.want.NDCG}, {got.Attainable, tc.want.Attainable},
			} {
				if math.Abs(pair[0]-pair[1]) > 1e-12 {
					t.Fatalf("got %+v, want %+v", got, tc.want)
				}
			}
		})
	}
}

// Design: short ≤ 10 words, medium 11–29, long ≥ 30.
func TestQueriesAreClassedByWords(t *testing.T) {
	tests := map[int]string{0: "short", 1: "short", 10: "short", 11: "medium", 29: "medium", 30: "long", 500: "long"}
	for n, want := range tests {
		if got := queryLengthClass(countWords(strings.Repeat("word ", n))); got != want {
			t.Errorf("%d words are class %s, want %s", n, got, want)
		}
	}
}

// Design: baseline − today > 0.05 absolute, with a slack of 1e-12.
func TestDrift(t *testing.T) {
	tests := []struct {
		baseline *float64
		today    float64
		want     bool
	}{
		{nil, 0, false},
		{ptr(0.82), 0.78, false},
		{ptr(0.8), 0.75, false},  // 0.05000000000000004 in floating point
		{ptr(0.85), 0.8, false},  // 0.04999999999999993
		{ptr(0.3), 0.25, false},  // 0.04999999999999999
		{ptr(0.65), 0.6, false},  // 0.050000000000000044
		{ptr(0.8), 0.7499, true}, // 0.0501
		{ptr(0.8), 0.4, true},
		{ptr(0.4), 0.8, false},
	}
	for _, tc := range tests {
		if got := hasDrifted(tc.baseline, tc.today); got != tc.want {
			t.Errorf("from %v to %v: drift is %v", tc.baseline, tc.today, got)
		}
	}
}

func TestAverage(t *testing.T) {
	if average(nil) != nil {
		t.Error("nothing has an average")
	}
	if got := fmt.Sprint(*average([]float64{0.2, 0.4, 0.6, 1})); got != "0.55" {
		t.Errorf("the average is %s", got)
	}
}
