package pockets

import (
	"math"
	"slices"

	"toolkit/store/pockets"
)

// qualityExponent keeps five factors below one from vanishing in their product.
const qualityExponent = 0.30

// Bands of moment quality.
const (
	bandSilent   = "silent"
	bandWeak     = "weak"
	bandForming  = "forming"
	bandHigh     = "high_resonance"
	bandPeak     = "peak"
	bandDecaying = "decaying"
)

// momentQuality is (usefulness·urgency·calmness·merchant_fit·user_need)^0.30.
func momentQuality(q pockets.Quality) float64 {
	return math.Pow(q.Usefulness*q.Urgency*q.Calmness*q.MerchantFit*q.UserNeed, qualityExponent)
}

// qualityBand names a score. previous is nil when there was none.
func qualityBand(mqs float64, previous *float64) string {
	if previous != nil && *previous >= 0.40 && *previous-mqs >= notable-tiny && mqs < 0.60 {
		return bandDecaying
	}
	switch {
	case mqs < 0.20:
		return bandSilent
	case mqs < 0.40:
		return bandWeak
	case mqs < 0.60:
		return bandForming
	case mqs < 0.80:
		return bandHigh
	}
	return bandPeak
}

// tiny is what binary fractions may lack of a decimal.
const tiny = 1e-9

// namedFactor is a factor with its name.
type namedFactor struct {
	name  string
	value float64
}

// listFactors returns the factors of a row in their documented order.
func listFactors(q pockets.Quality) []namedFactor {
	return []namedFactor{
		{"usefulness", q.Usefulness}, {"urgency", q.Urgency}, {"calmness", q.Calmness}, {"merchant_fit", q.MerchantFit}, {"user_need", q.UserNeed},
	}
}

// qualityReasons says which factor leads and which has risen most, and which
// had no evidence. previous is nil when there was none.
func qualityReasons(q pockets.Quality, previous *pockets.Quality) []string {
	riser, from := "", 0.0
	if previous != nil {
		before, most := listFactors(*previous), notable-tiny
		for i, f := range listFactors(q) {
			known := !slices.Contains(q.Neutral, f.name) && !slices.Contains(previous.Neutral, f.name)
			if up := f.value - before[i].value; known && up >= most && (riser == "" || up > most) {
				riser, from, most = f.name, before[i].value, up
			}
		}
	}
	reasons := []string{}
	leader := namedFactor{value: -1}
	for _, f := range listFactors(q) {
		if f.name != riser && f.value > leader.value && !slices.Contains(q.Neutral, f.name) {
			leader = f
		}
	}
	if leader.name != "" {
		reasons = append(reasons, leader.name+" leading at "+formatNumber(leader.value))
	}
	if riser != "" {
		reasons = append(reasons, riser+" rising from "+formatNumber(from))
	}
	for _, name := range q.Neutral {
		reasons = append(reasons, name+" has no evidence, neutral 0.50")
	}
	return reasons
}
