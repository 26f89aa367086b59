package pockets

import (
	"math"

	"toolkit/store/pockets"
)

// Constants of the moment.
const (
	minuteMillis     = 60 * 1000
	hourMillis       = 60 * minuteMillis
	dayMillis        = 24 * hourMillis
	windowMillis     = 15 * minuteMillis // a reading stands until the next is due
	fullHalfLife     = 72                // minutes of a calm moment without signals
	fullAttention    = 10                // attention events an hour that saturate
	notable          = 0.10              // a change that counts
	neutral          = 0.50              // a factor without evidence
	minTrendReadings = 3                 // for a trend
	minAggregateSize = 5                 // readings or outlets behind an aggregate
)

// clamp keeps a number within 0 and 1.
func clamp(x float64) float64 { return math.Max(0, math.Min(1, x)) }

// round2 rounds to two decimals, for output only.
func round2(x float64) float64 { return math.Round(x*100) / 100 }

// calmProbability is the mean calm of the readings of an hour, the latest
// included. There must be a reading.
func calmProbability(hour []pockets.Reading) float64 {
	sum := 0.0
	for _, r := range hour {
		sum += r.Calm
	}
	return sum / float64(len(hour))
}

// movementFriction is what was recorded, else (stress + 1 − calm) / 2.
func movementFriction(r pockets.Reading) float64 {
	if r.Friction != nil {
		return *r.Friction
	}
	return (r.Stress + 1 - r.Calm) / 2
}

// signalSaturation is what was recorded, else the attention events of an hour in
// tenths, at most 1.
func signalSaturation(recorded *float64, attention int) float64 {
	if recorded != nil {
		return *recorded
	}
	return math.Min(1, float64(attention)/fullAttention)
}

// fragility is (1 − calm probability + friction + social energy) / 3.
func fragility(calm, friction, socialEnergy float64) float64 {
	return (1 - calm + friction + socialEnergy) / 3
}

// halfLife is 72 · calm probability · (1 − saturation), in whole minutes.
func halfLife(calm, saturation float64) int {
	return int(math.Round(fullHalfLife * calm * (1 - saturation)))
}

// environmentalAlignment is the geometric mean of calm probability, easy
// movement and robustness.
func environmentalAlignment(calm, friction, fragility float64) float64 {
	return math.Cbrt(calm * (1 - clamp(friction)) * (1 - clamp(fragility)))
}

// Directions of a trend.
const (
	risingCalm   = "rising_calm"
	risingStress = "rising_stress"
	stable       = "stable"
	mixed        = "mixed"
)

// computeTrend tells where calm and stress go over the readings, oldest first: their
// rises along the line of least squares. Fewer than three readings show none.
func computeTrend(list []pockets.Reading) (direction string, magnitude float64) {
	if len(list) < minTrendReadings {
		return stable, 0
	}
	calm := regressionRise(list, func(r pockets.Reading) float64 { return r.Calm })
	stress := regressionRise(list, func(r pockets.Reading) float64 { return r.Stress })
	larger := math.Max(math.Abs(calm), math.Abs(stress))
	const enough = notable - tiny
	switch {
	case calm >= enough && stress < enough:
		return risingCalm, calm
	case stress >= enough && calm < enough:
		return risingStress, stress
	case larger < enough:
		return stable, larger
	}
	return mixed, larger // both rise, or one falls and nothing rises
}

// regressionRise is the slope of the least-squares line, times the time from the first
// reading to the last.
func regressionRise(readings []pockets.Reading, value func(pockets.Reading) float64) float64 {
	n := float64(len(readings))
	first := readings[0].CapturedAt
	var meanX, meanY float64
	for _, r := range readings {
		meanX += float64(r.CapturedAt-first) / n
		meanY += value(r) / n
	}
	var xy, xx float64
	for _, r := range readings {
		dx := float64(r.CapturedAt-first) - meanX
		xy += dx * (value(r) - meanY)
		xx += dx * dx
	}
	if xx == 0 {
		return 0
	}
	return xy / xx * float64(readings[len(readings)-1].CapturedAt-first)
}
