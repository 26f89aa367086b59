package memory

const (
	// relevant is the score above which a document counts as relevant.
	relevant = 0.5
	// reliableDocuments is how many documents kappa needs to say something.
	reliableDocuments = 10
)

// cohenKappa computes how far two judges agree beyond chance: Cohen's kappa over the documents that both
// scored, each score read as relevant or not. It is meaningful when documents is above 0.
//
// With n documents, a of them judged alike, and y1, y2 judged relevant by each:
// kappa = (po − pe) / (1 − pe), po = a/n, pe = (y1·y2 + (n−y1)(n−y2)) / n². Both
// sides times n² are whole numbers, so one division gives the exact value and
// the bands have no rounding at their edges. Identical judgements agree
// perfectly, also where pe is 1; otherwise such a degenerate case is 0.
func cohenKappa(scores []JudgeScore) (kappa float64, documents int) {
	n, alike, y1, y2 := 0, 0, 0, 0
	for _, s := range scores {
		if s.First == nil || s.Second == nil {
			continue
		}
		n++
		first, second := *s.First > relevant, *s.Second > relevant
		if first == second {
			alike++
		}
		if first {
			y1++
		}
		if second {
			y2++
		}
	}
	expected := y1*y2 + (n-y1)*(n-y2)
	switch {
	case n > 0 && alike == n:
		return 1, n
	case n*n == expected:
		return 0, n
	}
	return float64(alike*n-expected) / float64(n*n-expected), n
}

// kappaBand names a kappa after Landis and Koch.
func kappaBand(kappa float64) string {
	switch {
	case kappa < 0:
		return "poor"
	case kappa <= 0.20:
		return "slight"
	case kappa <= 0.40:
		return "fair"
	case kappa <= 0.60:
		return "moderate"
	case kappa <= 0.80:
		return "substantial"
	}
	return "almost perfect"
}
