package pockets

import (
	"math"
	"testing"

	"toolkit/fixtures"
	"toolkit/store/pockets"
)

// close2 compares numbers as they are shown.
func close2(t *testing.T, what string, got, want float64) {
	t.Helper()
	if round2(got) != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The source's examples, formula by formula.
func TestFormulasReproduceThePublishedNumbers(t *testing.T) {
	q := pockets.Quality{Usefulness: .78, Urgency: .55, Calmness: .81, MerchantFit: .70, UserNeed: .84}
	close2(t, "mqs", momentQuality(q), .62)
	same(t, "band", qualityBand(momentQuality(q), new(.51)), "high_resonance")
	before := pockets.Quality{Usefulness: .75, Urgency: .50, Calmness: .79, MerchantFit: .70, UserNeed: .62}
	same(t, "reasons", qualityReasons(q, &before), []string{"calmness leading at 0.81", "user_need rising from 0.62"})

	hour := publishedReadings()[11:]
	calm := calmProbability(hour)
	latest := hour[4]
	close2(t, "calm_probability", calm, .71)
	friction := movementFriction(latest)
	close2(t, "movement_friction", friction, .22)
	fragile := fragility(calm, friction, latest.SocialEnergy)
	close2(t, "fragility", fragile, .31)
	same(t, "half_life_minutes", halfLife(calm, .18), 42)
	close2(t, "environmental_alignment", environmentalAlignment(calm, friction, fragile), .72)
	direction, magnitude := computeTrend(publishedReadings())
	same(t, "trend", direction, "rising_calm")
	close2(t, "trend", magnitude, .22)

	f := legitimacyFactors{environment: .72, fatigue: .30, saturation: .61, pressure: .55, value: .42}
	same(t, "legitimacy_score", legitimacyScore(f), 47)
	same(t, "band", legitimacyBand(47), "borderline")
	same(t, "recommendation", recommend("borderline", false), "borderline_remain_silent")
	same(t, "dominant factor", findMostLimitingFactor(f), "signal saturation 0.61")
	close2(t, "why_worth_attention", worthAttention(.42, .61), .18)

	intent, _ := fixtures.IntentBySlug("calm-work")
	alignment, reasons := intentAlignment(intent, momentFeatures(latest, .18))
	close2(t, "calm-work alignment", alignment, .74)
	same(t, "reasons", reasons, []string{"productive 0.68", "low stress 0.18"})
	close2(t, "outlet alignment", outletAlignment(alignment, .90), .81)

	code, why := silenceStatus(silenceInput{saturation: .62, calm: .5})
	same(t, "silence", code+": "+why, "WITHHOLD_INTENTIONAL: noise saturation 0.62, above the 0.40 ceiling")
}

func TestBandsChangeWhereTheyShould(t *testing.T) {
	for _, c := range []struct {
		name     string
		mqs      float64
		previous *float64
		want     string
	}{
		{"nothing", 0, nil, "silent"},
		{"just below weak", .1999, nil, "silent"},
		{"weak", .20, nil, "weak"},
		{"forming", .40, nil, "forming"},
		{"high", .60, nil, "high_resonance"},
		{"peak", .80, nil, "peak"},
		{"a drop of a tenth from forming", .40, new(.50), "decaying"},
		{"a drop of less", .41, new(.50), "forming"},
		{"a drop from below forming", .20, new(.39), "weak"},
		{"a drop that stays high", .60, new(.95), "high_resonance"},
		{"a rise", .50, new(.30), "forming"},
	} {
		if got := qualityBand(c.mqs, c.previous); got != c.want {
			t.Errorf("%s: %v is %s, want %s", c.name, c.mqs, got, c.want)
		}
	}
}

func TestTrendsFollowTheLineOfLeastSquares(t *testing.T) {
	make := func(calm, stress []float64) []pockets.Reading {
		list := steps("cluny", published, calm...)
		for i := range list {
			list[i].Stress = stress[i]
		}
		return list
	}
	for _, c := range []struct {
		name         string
		calm, stress []float64
		direction    string
		magnitude    float64
	}{
		{"two readings show nothing", []float64{.1, .9}, []float64{.1, .1}, "stable", 0},
		{"calm rises", []float64{.4, .5, .6}, []float64{.2, .2, .2}, "rising_calm", .2},
		{"stress rises", []float64{.5, .5, .5}, []float64{.2, .3, .4}, "rising_stress", .2},
		{"a rise of exactly a tenth counts", []float64{.4, .45, .5}, []float64{.2, .2, .2}, "rising_calm", .1},
		{"little changes", []float64{.5, .52, .54}, []float64{.2, .22, .21}, "stable", .04},
		{"both rise", []float64{.4, .5, .6}, []float64{.2, .3, .5}, "mixed", .3},
		{"calm falls and nothing rises", []float64{.7, .5, .4}, []float64{.2, .2, .2}, "mixed", .3},
	} {
		direction, magnitude := computeTrend(make(c.calm, c.stress))
		if direction != c.direction || round2(magnitude) != c.magnitude {
			t.Errorf("%s: %s %v, want %s %v", c.name, direction, magnitude, c.direction, c.magnitude)
		}
	}
	same1 := reading("cluny", published, .5)
	if direction, magnitude := computeTrend([]pockets.Reading{same1, same1, same1}); direction != "stable" || magnitude != 0 {
		t.Errorf("readings of one moment show %s %v", direction, magnitude)
	}
}

func TestFatigueDecaysAndIsForgiven(t *testing.T) {
	now := published.UnixMilli()
	// Events as the store adds them up: one now is 1, one a day ago a half.
	type events = map[string]float64
	hoursAgo := func(h int64) *int64 { return new(now - h*hourMillis) }
	for _, c := range []struct {
		name      string
		events    events
		dismissed *int64
		want      float64
	}{
		{"nothing is known", nil, nil, 0},
		{"one surfaced now", events{"surfaced": 1}, nil, .10},
		{"one dismissed a day ago", events{"dismissed": 0.5}, nil, .15},
		{"accepting rests", events{"surfaced": 1, "dismissed": 1, "accepted": 1}, nil, .25},
		{"never below zero", events{"accepted": 1}, nil, 0},
		{"never above one", events{"dismissed": 4}, nil, 1},
		{"a dismissal just now", nil, hoursAgo(0), .60},
		{"a dismissal half a day ago", nil, hoursAgo(12), .30},
		{"a dismissal that a wrong clock puts ahead", nil, hoursAgo(-48), .60},
	} {
		if got := round2(computeFatigue(c.events, c.dismissed, now)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestScoresStayWithinTheirBandsAndOverridesWin(t *testing.T) {
	perfect := legitimacyFactors{environment: 1, value: 1}
	same(t, "the best score", legitimacyScore(perfect), 100)
	same(t, "no value", legitimacyScore(legitimacyFactors{environment: 1}), 0)
	for score, band := range map[int]string{100: "legitimate", 70: "legitimate", 69: "borderline", 40: "borderline", 39: "remain_silent", 0: "remain_silent"} {
		same(t, "the band", legitimacyBand(score), band)
	}
	for _, c := range []struct {
		name   string
		f      legitimacyFactors
		silent bool
		fired  int
	}{
		{"nothing", perfect, false, 0},
		{"the moment", perfect, true, 1},
		{"fatigue at the limit", legitimacyFactors{fatigue: .85}, false, 0},
		{"fatigue above it", legitimacyFactors{fatigue: .86}, false, 1},
		{"saturation at the limit", legitimacyFactors{saturation: .80}, false, 0},
		{"saturation above it", legitimacyFactors{saturation: .81}, false, 1},
	} {
		if got := findHardOverrides(c.f, c.silent); len(got) != c.fired {
			t.Errorf("%s fires %v", c.name, got)
		}
	}
	same(t, "an override", recommend("legitimate", true), "remain_silent")
	same(t, "no override", recommend("legitimate", false), "emit")
	for channel, want := range map[string]float64{"": 1, "none": 1, "in_app": 1, "push": .8, "email": .7, "sms": .5, "carrier-pigeon": .5} {
		same(t, "the effort of "+channel, rateChannelEase(channel), want)
	}
}

func TestSilenceIsTheFirstRuleThatFits(t *testing.T) {
	for _, c := range []struct {
		name string
		in   silenceInput
		want string
	}{
		{"decay comes first", silenceInput{band: bandDecaying, mqs: .4, previous: new(.6), saturation: .9}, statusDecay},
		{"noise", silenceInput{band: bandPeak, saturation: .41, calm: .9}, statusWithhold},
		{"a moment that asks for silence", silenceInput{band: bandPeak, calm: .1, reasons: []string{"calm 0.10, below the 0.20 floor"}}, statusWithhold},
		{"an open window", silenceInput{band: bandHigh, saturation: .4, calm: .5}, statusActive},
		{"a forming one", silenceInput{band: bandForming, calm: .9}, statusForming},
		{"calm holds", silenceInput{band: bandWeak, calm: .6}, statusStableCalm},
		{"quality is not known", silenceInput{calm: .7}, statusStableCalm},
		{"nothing in particular", silenceInput{calm: .5}, statusWithhold},
	} {
		if code, why := silenceStatus(c.in); code != c.want || why == "" {
			t.Errorf("%s: %s (%s), want %s", c.name, code, why, c.want)
		}
	}
}

func TestTheNextWindowIsCountedInHalfHoursOfSingapore(t *testing.T) {
	const zone = 8 * hourMillis
	now := at("2026-06-06T08:18:42Z").UnixMilli() // 16:18 in Singapore
	quiet := func(slot, n int) pockets.SlotMean {
		return pockets.SlotMean{Slot: slot, Readings: n, Calm: .5, Saturation: .4}
	}
	for _, c := range []struct {
		name  string
		slots []pockets.SlotMean
		want  string
	}{
		{"at five in the afternoon", []pockets.SlotMean{quiet(34, 5)}, "2026-06-06T09:00:00Z"},
		{"the half hour under way is over", []pockets.SlotMean{quiet(32, 9)}, "2026-06-07T08:00:00Z"},
		{"across midnight in Singapore", []pockets.SlotMean{quiet(1, 5)}, "2026-06-06T16:30:00Z"},
		{"four readings are too few", []pockets.SlotMean{quiet(34, 4), quiet(40, 5)}, "2026-06-06T12:00:00Z"},
		{"a noisy one does not count", []pockets.SlotMean{{Slot: 34, Readings: 9, Calm: .9, Saturation: .41}}, ""},
		{"a tense one does not count", []pockets.SlotMean{{Slot: 34, Readings: 9, Calm: .49}}, ""},
		{"nothing is known", nil, ""},
	} {
		got := ""
		if next := findNextQuietWindow(c.slots, now, zone); next != 0 {
			got = isoSeconds(next)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOutletsAreOpenAcrossMidnight(t *testing.T) {
	for _, c := range []struct {
		opens, closes string
		minute        int
		want          bool
	}{
		{"08:00", "20:00", 8 * 60, true}, {"08:00", "20:00", 20 * 60, false}, {"17:00", "01:00", 0, true}, {"17:00", "01:00", 60, false},
		{"17:00", "01:00", 17*60 - 1, false}, {"00:00", "00:00", 700, true}, {"", "", 700, false},
	} {
		if got := isOpenAt(pockets.Outlet{OpensAt: c.opens, ClosesAt: c.closes}, c.minute); got != c.want {
			t.Errorf("%s–%s at minute %d is open: %v", c.opens, c.closes, c.minute, got)
		}
	}
}

func TestSaturationIsCountedWhenItWasNotRecorded(t *testing.T) {
	same(t, "recorded", signalSaturation(new(.33), 99), .33)
	same(t, "three events", signalSaturation(nil, 3), .3)
	same(t, "many events", signalSaturation(nil, 40), 1)
	same(t, "recorded friction", movementFriction(pockets.Reading{Friction: new(.9), Calm: 1}), .9)
	if math.IsNaN(environmentalAlignment(0, 0, 2)) {
		t.Error("a fragility above one gives no number")
	}
}
