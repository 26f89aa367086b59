package pockets

import "toolkit/store/pockets"

// Signal status codes.
const (
	statusStableCalm = "STABLE_CALM"
	statusWithhold   = "WITHHOLD_INTENTIONAL"
	statusForming    = "FORMING_WINDOW"
	statusActive     = "ACTIVE_INTERVENTION"
	statusDecay      = "DECAY_WINDOW"
)

const (
	silentAbove  = 0.70 // saturation
	silentBelow  = 0.20 // calm probability
	noiseCeiling = 0.40
	calmHolds    = 0.60
	calmWindow   = 0.50
	slotMillis   = 30 * minuteMillis
	outlookSpan  = 14 * dayMillis
)

// silenceReasons says why nothing should be surfaced; none: nothing forbids it.
func silenceReasons(saturation, calm float64) []string {
	reasons := []string{}
	if saturation > silentAbove {
		reasons = append(reasons, "signal saturation "+formatNumber(saturation)+", above the 0.70 ceiling")
	}
	if calm < silentBelow {
		reasons = append(reasons, "calm "+formatNumber(calm)+", below the 0.20 floor")
	}
	return reasons
}

// silenceInput is what decides between speech and silence. band is empty when
// nothing is known of moment quality.
type silenceInput struct {
	band       string
	mqs        float64
	previous   *float64
	saturation float64
	calm       float64
	reasons    []string // of the moment, for silence
}

// silenceStatus is the first rule that fits, with its justification.
func silenceStatus(s silenceInput) (code, justification string) {
	switch {
	case s.band == bandDecaying:
		return statusDecay, "moment quality fell from " + formatNumber(*s.previous) + " to " + formatNumber(s.mqs)
	case s.saturation > noiseCeiling:
		return statusWithhold, "noise saturation " + formatNumber(s.saturation) + ", above the 0.40 ceiling"
	case len(s.reasons) > 0:
		return statusWithhold, s.reasons[0]
	case s.band == bandHigh, s.band == bandPeak:
		return statusActive, "moment quality " + formatNumber(s.mqs) + ", a window is open"
	case s.band == bandForming:
		return statusForming, "moment quality " + formatNumber(s.mqs) + ", a window is forming"
	case s.calm >= calmHolds:
		return statusStableCalm, "calm " + formatNumber(s.calm) + " holds, nothing needs saying"
	}
	return statusWithhold, "calm " + formatNumber(s.calm) + ", below the 0.60 that would hold"
}

// findNextQuietWindow returns the first half hour after now whose readings of fourteen days
// were quiet and calm on average; 0 when none was, or too little is known.
func findNextQuietWindow(slots []pockets.SlotMean, now, zone int64) int64 {
	open := map[int]bool{}
	for _, s := range slots {
		open[s.Slot] = s.Readings >= minAggregateSize && s.Saturation <= noiseCeiling && s.Calm >= calmWindow
	}
	start := now - now%slotMillis + slotMillis
	for at := start; at < start+dayMillis; at += slotMillis {
		if open[int((at+zone)%dayMillis/slotMillis)] {
			return at
		}
	}
	return 0
}
