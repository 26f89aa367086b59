package memory

const (
	// relevant is the score above which a document counts as relevant.
	relevant = 0.5
	// reliableDocuments is how many documents kappa needs to say something.
	reliableDocuments = 10
)

// agreement is how far two judges agree beyond chance.
type agreement struct {
	Documents int     // with both scores
	Kappa     float64 // meaningful when Documents > 0
}

// cohenKappa computes Cohen's kappa over the documents that both judges scored, each
// score read as relevant or not.
//
// With n documents, a of them judged alike, and y1, y2 judged relevant by each:
// kappa = (po − pe) / (1 − pe), po = a/n, pe = (y1·y2 + (n−y1)(n−y2)) / n². Both
// sides times n² are whole numbers, so one division gives the exact value and
// the bands have no rounding at their edges. Identical judgements agree
// perfectly, also where pe is 1; otherwise such a degenerate case is 0.
func cohenKappa(scores []JudgeScore) agreement {
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
	a := agreement{Documents: n}
	switch {
	case n > 0 && alike == n:
		a.Kappa = 1
	case n*n == expected:
		a.Kappa = 0
	default:
		a.Kappa = float64(alike*n-expected) / float64(n*n-expected)
	}
	return a
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
