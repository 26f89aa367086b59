package pockets

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/store/pockets"
)

// feature is a quality of the moment that an intent may weigh: how good it is,
// and the measurement it follows from, as it is shown.
type feature struct {
	label string
	raw   float64
	good  float64
	low   bool // the measurement should be small
}

// momentFeatures are the features of a moment by name.
func momentFeatures(latest pockets.Reading, saturation float64) map[string]feature {
	friction := movementFriction(latest)
	return map[string]feature{
		"calm":           {"calm", latest.Calm, latest.Calm, false},
		"productive":     {"productive", latest.Productive, latest.Productive, false},
		"social":         {"social energy", latest.SocialEnergy, latest.SocialEnergy, false},
		"low_stress":     {"stress", latest.Stress, 1 - latest.Stress, true},
		"quiet":          {"social energy", latest.SocialEnergy, 1 - latest.SocialEnergy, true},
		"low_saturation": {"saturation", saturation, 1 - saturation, true},
		"low_friction":   {"movement friction", friction, 1 - clamp(friction), true},
	}
}

// intentAlignment is the weighted sum of an intent's features, with the
// measurements behind it, the weightiest first.
func intentAlignment(intent fixtures.Intent, features map[string]feature) (alignment float64, reasons []string) {
	names := slices.SortedFunc(maps.Keys(intent.Features), func(a, b string) int {
		return cmp.Or(cmp.Compare(intent.Features[b], intent.Features[a]), strings.Compare(a, b))
	})
	for _, name := range names {
		f := features[name]
		alignment += intent.Features[name] * f.good
		reasons = append(reasons, f.lowPrefix()+f.label+" "+formatNumber(f.raw))
	}
	return alignment, reasons
}

// lowPrefix says low of what should be low and is: a high stress is not called a
// low one.
func (f feature) lowPrefix() string {
	if f.low && f.raw < neutral {
		return "low "
	}
	return ""
}

// outletAlignment is the geometric mean of the moment's alignment and the
// outlet's affinity.
func outletAlignment(moment, affinity float64) float64 { return math.Sqrt(moment * affinity) }

// isOpenAt reports whether an outlet is open at a minute of the local day. One
// that closes after midnight is open across it; one whose hours are not known
// is not said to be open.
func isOpenAt(o pockets.Outlet, minute int) bool {
	opens, closes := parseMinuteOfDay(o.OpensAt), parseMinuteOfDay(o.ClosesAt)
	switch {
	case opens < 0 || closes < 0:
		return false
	case opens == closes:
		return true // around the clock
	case opens < closes:
		return minute >= opens && minute < closes
	}
	return minute >= opens || minute < closes
}

// parseMinuteOfDay returns the minute of the day of HH:MM, or -1.
func parseMinuteOfDay(text string) int {
	if len(text) != 5 {
		return -1
	}
	digit := func(i int) int { return int(text[i] - '0') }
	return (10*digit(0)+digit(1))*60 + 10*digit(3) + digit(4)
}
