package pockets

import "math"

// Fatigue: what an event weighs, and how fast it is forgotten.
const (
	fatigueHalfLife   = 24 * hourMillis
	dismissalHalfLife = 12 * hourMillis
	freshDismissal    = 0.60
)

var fatigueWeights = map[string]float64{"surfaced": 0.10, "dismissed": 0.30, "accepted": -0.15}

// computeFatigue weighs a user's events, added up by kind with the half-life of
// fatigue; it is at least what the last dismissal leaves, nil when there was
// none. No evidence: 0.
func computeFatigue(events map[string]float64, lastDismissal *int64, now int64) float64 {
	sum := 0.0
	for kind, weight := range fatigueWeights {
		sum += weight * events[kind]
	}
	if lastDismissal != nil {
		sum = math.Max(sum, freshDismissal*decay(now-*lastDismissal, dismissalHalfLife))
	}
	return clamp(sum)
}

// decay is what is left after a time; what lies ahead has not decayed.
func decay(age, halfLife int64) float64 {
	return math.Pow(0.5, math.Max(0, float64(age))/float64(halfLife))
}

// legitimacyFactors are what a score is made of, each 0..1.
type legitimacyFactors struct {
	environment float64
	fatigue     float64
	saturation  float64
	pressure    float64
	value       float64 // moment quality
	urgency     float64
}

// legitimacyScore is 100·(env·(1−fatigue)·(1−saturation)·mqs)^0.30, lowered by a
// tenth of the merchant pressure above one half.
func legitimacyScore(f legitimacyFactors) int {
	core := math.Pow(f.environment*(1-f.fatigue)*(1-f.saturation)*f.value, qualityExponent)
	score := math.Round(100 * core * (1 - 0.10*(f.pressure-0.5)))
	return int(math.Max(0, math.Min(100, score)))
}

// Bands and recommendations of legitimacy.
const (
	bandLegitimate       = "legitimate"
	bandBorderline       = "borderline"
	bandRemainSilent     = "remain_silent"
	recommendEmit        = "emit"
	recommendBorderline  = "borderline_remain_silent"
	recommendSilence     = "remain_silent"
	legitimateFrom       = 70
	borderlineFrom       = 40
	maxFatigue           = 0.85
	overTalkedAbove      = 0.80
	gatePass             = 0.50
	worthAttentionPass   = 0.25
	saturationPerQuality = 0.40
)

func legitimacyBand(score int) string {
	switch {
	case score >= legitimateFrom:
		return bandLegitimate
	case score >= borderlineFrom:
		return bandBorderline
	}
	return bandRemainSilent
}

// findHardOverrides returns the rules that forbid speech whatever the score.
func findHardOverrides(f legitimacyFactors, silent bool) []string {
	var fired []string
	if silent {
		fired = append(fired, "hard override: the moment itself asks for silence.")
	}
	if f.fatigue > maxFatigue {
		fired = append(fired, "hard override: fatigue "+formatNumber(f.fatigue)+", above 0.85.")
	}
	if f.saturation > overTalkedAbove {
		fired = append(fired, "hard override: saturation "+formatNumber(f.saturation)+", above 0.80.")
	}
	return fired
}

func recommend(band string, overridden bool) string {
	switch {
	case overridden || band == bandRemainSilent:
		return recommendSilence
	case band == bandBorderline:
		return recommendBorderline
	}
	return recommendEmit
}

// findMostLimitingFactor names the factor that lowers the score most, as it was
// measured.
func findMostLimitingFactor(f legitimacyFactors) string {
	name, least, raw := "environmental alignment", f.environment, f.environment
	for _, other := range []struct {
		name      string
		size, raw float64
	}{{"fatigue", 1 - f.fatigue, f.fatigue}, {"signal saturation", 1 - f.saturation, f.saturation}, {"expected value", f.value, f.value}} {
		if other.size < least {
			name, least, raw = other.name, other.size, other.raw
		}
	}
	return name + " " + formatNumber(raw)
}

// channelEfforts are how little a channel asks of a person.
var channelEfforts = map[string]float64{"": 1, "none": 1, "in_app": 1, "push": 0.8, "email": 0.7, "sms": 0.5}

// rateChannelEase is the effort of a channel; one that is not known is neutral.
func rateChannelEase(channel string) float64 {
	if effort, known := channelEfforts[channel]; known {
		return effort
	}
	return neutral
}

// worthAttention is moment quality less what the noise costs.
func worthAttention(mqs, saturation float64) float64 {
	return math.Max(0, mqs-saturationPerQuality*saturation)
}
