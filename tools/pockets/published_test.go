package pockets

import (
	"fmt"
	"testing"
	"time"

	"toolkit/store/pockets"
)

// The source's example answers, from data from which they follow.
func TestAnswersEqualThePublishedExamples(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: publishedReadings(), Outlets: []pockets.Outlet{bakery(plainVanilla, "Plain Vanilla")}})

	r := b.CallAllowingRefusal(momentName, args{"pocket_id": "cluny"})
	same(t, "the moment's text", r.Text, "pocket cluny · atmosphere: calm-productive · calm: 0.71 · saturation: 0.18 · movement friction: 0.22 · fragility: 0.31 · window expires: 2026-06-06T08:30:00Z")
	sameJSON(t, "the moment", b.Call(momentName, args{"pocket_id": "cluny"}), `{ "pocket_id": "cluny", "primary_state": "calm-productive", "calm_probability": 0.71, "signal_saturation": 0.18,
		"movement_friction": 0.22, "fragility": 0.31, "half_life_minutes": 42, "expires_at": "2026-06-06T08:30:00Z", "should_stay_silent": false, "silence_reasons": [] }`)
	sameJSON(t, "the atmosphere", b.Call(atmosphereName, args{"pocket_id": "cluny"}), `{ "pocket_id": "cluny", "window_hours": 4, "latest": { "stress": 0.18, "calm": 0.74, "social_energy": 0.42,
		"productive": 0.68, "primary_state": "calm-productive", "anomaly_flag": false, "captured_at": "2026-06-06T08:15:00Z" }, "trend": { "direction": "rising_calm", "magnitude": 0.22 }, "reading_count": 16 }`)
	out := b.Call(intentName, args{"pocket_id": "cluny", "slug": "calm-work"})
	sameJSON(t, "the intent", out, `{ "pocket_id": "cluny", "slug": "calm-work", "intent_description": "a quiet seat with power for focused work",
		"matched_outlets": [ { "id": "`+plainVanilla+`", "name": "Plain Vanilla", "alignment": 0.81, "reasons": ["productive 0.68", "low stress 0.18"] } ],
		"current_moment_alignment": 0.74, "narrative_line": "one calm-work option at Cluny right now; alignment 0.74." }`)
	sameJSON(t, "the match", b.Call(lookupName, args{"query": "Holland Village"}), `{ "query": "Holland Village", "matches": [ { "pocket_id": "holland-village", "display_name": "Holland Village",
		"lat": 1.3115, "lng": 103.7956, "region": "queenstown", "confidence": 1.0 } ] }`)
}

func TestThreeBakeriesAreThreeOptions(t *testing.T) {
	b := newBench(t)
	outlets := []pockets.Outlet{}
	for i := range 3 {
		outlets = append(outlets, bakery(fmt.Sprintf("5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a1%d", i), "Bakery"))
	}
	b.put(city, rowBatch{Readings: publishedReadings(), Outlets: outlets})
	r := b.CallAllowingRefusal(intentName, args{"pocket_id": "cluny", "slug": "calm-work"})
	same(t, "the text", r.Text, "three calm-work options at Cluny right now; alignment 0.74.")
}

func TestMomentQualityEqualsThePublishedExample(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Quality: []pockets.Quality{
		{Pocket: "cluny", ComputedAt: at("2026-06-06T07:50:00Z").UnixMilli(), Usefulness: .60, Urgency: .50, Calmness: .80, MerchantFit: .713, UserNeed: .62, Neutral: []string{}},
		{Pocket: "cluny", ComputedAt: at("2026-06-06T08:05:00Z").UnixMilli(), Usefulness: .78, Urgency: .55, Calmness: .81, MerchantFit: .70, UserNeed: .84, Neutral: []string{}},
	}})
	out := b.Call(qualityName, args{"pocket_id": "cluny"})
	sameJSON(t, "the quality", out, `{ "pocket_id": "cluny", "computed_at": "2026-06-06T08:05:00Z", "mqs": 0.62, "band": "high_resonance", "factors": { "usefulness": 0.78, "urgency": 0.55,
		"calmness": 0.81, "merchant_fit": 0.70, "user_need": 0.84 }, "previous_mqs": 0.51, "reasons": ["calmness leading at 0.81", "user_need rising from 0.62"], "source": "cache" }`)
	b.put(city, rowBatch{Quality: []pockets.Quality{
		{Pocket: "tiong-bahru", ComputedAt: published.UnixMilli(), Usefulness: .5, Urgency: .5, Calmness: .5, MerchantFit: .5, UserNeed: .5},
		{Pocket: "holland-village", ComputedAt: published.UnixMilli(), Usefulness: .5, Urgency: .5, Calmness: .5, MerchantFit: .5, UserNeed: .5},
	}})
	same(t, "the list", b.CallAllowingRefusal(listName, args{}).Text, "observed pockets: cluny, holland-village, tiong-bahru.")
	sameJSON(t, "the list", b.Call(listName, args{}), `{ "pockets": ["cluny", "holland-village", "tiong-bahru"] }`)
}

func TestSilenceEqualsThePublishedExample(t *testing.T) {
	b := newBench(t)
	now := at("2026-06-06T08:18:42Z")
	noisy := reading("holland-village", at("2026-06-06T08:15:00Z"), .55)
	noisy.Saturation = new(.62)
	list := []pockets.Reading{noisy}
	for day := range 5 { // five in the afternoon was quiet on five days
		quiet := reading("holland-village", at("2026-06-05T09:10:00Z").AddDate(0, 0, -day), .6)
		quiet.Saturation = new(.3)
		list = append(list, quiet)
	}
	for i, pocket := range []string{"cluny", "dempsey", "serene", "sunset", "siglap"} {
		n := 4
		if i < 3 { // 24 readings in all with the one above
			n = 5
		}
		for k := range n {
			list = append(list, reading(pocket, now.Add(-time.Duration(10*k+1)*time.Minute), .5))
		}
	}
	var predictions []pockets.Prediction
	for i := range 4 {
		p := pockets.Prediction{ID: fmt.Sprint("p", i), Pocket: "cluny", Generator: "g", Key: fmt.Sprint("k", i), SealedAt: now.UnixMilli(), RevealAt: now.UnixMilli() + hourMillis, Payload: []byte(`{"calm":0.5}`)}
		p.Seal = sealOf(p)
		predictions = append(predictions, p)
	}
	b.put(city, rowBatch{Readings: list, Predictions: predictions})
	sameJSON(t, "the silence", b.Call(silenceName, args{"pocket_id": "holland-village"}), `{ "pocket_id": "holland-village", "signal_status_code": "WITHHOLD_INTENTIONAL",
		"justification": "noise saturation 0.62, above the 0.40 ceiling", "outlook": ["window may form by ~17:00 SGT"], "next_possible_window": "2026-06-06T09:00:00Z",
		"substrate_vitals": { "pockets_watched": 6, "readings_per_hour": 24, "open_predictions": 4 } }`)
}

func TestOutletAndLedgerEqualThePublishedExamples(t *testing.T) {
	b := newBench(t)
	var batch rowBatch
	batch.Outlets = append(batch.Outlets, bakery(plainVanilla, "Plain Vanilla"))
	for i := range 22 { // two o'clock in Singapore is the calmest hour
		batch.Readings = append(batch.Readings, reading("cluny", at("2026-06-06T06:00:00Z").AddDate(0, 0, -i/2).Add(time.Duration(i%2)*15*time.Minute), .9))
	}
	for i := range 7 {
		batch.Readings = append(batch.Readings, reading("cluny", at("2026-06-06T04:00:00Z").AddDate(0, 0, -i), .5))
		batch.Ledger = append(batch.Ledger, pockets.LedgerEntry{Pocket: "cluny", OccurredAt: published.UnixMilli() - dayMillis, Outlet: fmt.Sprint("outlet-", i), LedgerSums: pockets.LedgerSums{Dollars: new(45.9)}})
	}
	b.put(city, batch)
	sameJSON(t, "the outlet", b.Call(outletName, args{"outlet_id": plainVanilla}), `{ "outlet": { "id": "`+plainVanilla+`", "name": "Plain Vanilla", "pocket_id": "cluny", "unit": "#01-15",
		"opens_at": "08:00", "closes_at": "20:00", "category": "bakery" }, "patterns": [ "calmest hour: 14:00–15:00 (n=22 atmosphere readings)" ],
		"decision_support": [ "the pocket's recovery ledger shows ~$321 over 30d across 5+ outlets" ] }`)

	b.put(city, rowBatch{Ledger: []pockets.LedgerEntry{{Pocket: "serene", OccurredAt: published.UnixMilli() - 29*dayMillis, LedgerSums: pockets.LedgerSums{
		WasteAvoided: new(340.0), IdleReclaimed: new(14.5), Trips: new(88.0), AttentionSaved: new(412.0), Dollars: new(1284.0)}}}})
	sameJSON(t, "the ledger", b.Call(sustainabilityName, args{"pocket_id": "serene", "window_days": 30}), `{ "pocket_id": "serene", "window": "30d", "waste_avoided_units": 340,
		"idle_reclaimed_hours": 14.5, "purposeful_trips": 88, "attention_saved_count": 412, "dollar_value_sgd": 1284.0 }`)
}

func TestLegitimacyEqualsThePublishedExample(t *testing.T) {
	b := newBench(t)
	b.Clock.Set(at("2026-06-07T06:42:00Z"))
	list := steps("cluny", at("2026-06-07T06:40:00Z"), .67, .69, .70, .73, .74)
	list[4].Saturation = new(.61)
	// Factors whose product gives a moment quality of 0.42.
	b.put(city, rowBatch{Readings: list, Quality: []pockets.Quality{{Pocket: "cluny", ComputedAt: at("2026-06-07T06:40:00Z").UnixMilli(), Usefulness: .5, Urgency: .55, Calmness: .5, MerchantFit: .6, UserNeed: .67}}})
	in := args{"pocket_id": "cluny", "candidate_action": "surface_deal", "user_context": args{"fatigue_score": .30}, "merchant_context": args{"idle_pressure": .55}}
	same(t, "the text", b.CallAllowingRefusal(legitimacyName, in).Text,
		"pocket cluny · candidate surface_deal · score 47 (borderline) · recommendation borderline_remain_silent · dominant factor signal saturation 0.61")
	sameJSON(t, "the score", b.Call(legitimacyName, in), `{ "pocket_id": "cluny", "candidate_action": "surface_deal", "channel": null, "legitimacy_score": 47, "band": "borderline",
		"recommendation": "borderline_remain_silent", "reasoning": [ "dominant factor signal saturation 0.61.", "borderline · agent defaults to silence at band borderline." ],
		"factors": { "environmental_alignment": 0.72, "fatigue": 0.30, "saturation": 0.61, "merchant_pressure": 0.55, "expected_value": 0.42 },
		"gates": { "resonance": { "passed": true, "score": 0.72 }, "moment_silence": { "passed": true, "score": 1 }, "why_this_place": { "passed": true, "score": 1 },
		"why_now": { "passed": true, "score": 0.55 }, "why_this_person": { "passed": true, "score": 0.70 }, "why_worth_attention": { "passed": false, "score": 0.18 },
		"why_low_effort": { "passed": true, "score": 1 } }, "vindication_window_end": "2026-06-07T07:42:00.000Z", "computed_at": "2026-06-07T06:42:00.000Z" }`)
}
