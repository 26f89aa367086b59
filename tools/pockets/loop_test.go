package pockets

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/store/pockets"
)

func TestTheLoopDerivesFactorsFromTheLatestReading(t *testing.T) {
	b := newBench(t)
	batch := rowBatch{Readings: publishedReadings(), Outlets: []pockets.Outlet{bakery(plainVanilla, "Plain Vanilla")}}
	for i := range 5 { // at four in the afternoon of five days, of which three were accepted
		kind := "dismissed"
		if i < 3 {
			kind = "accepted"
		}
		batch.Attention = append(batch.Attention, pockets.Attention{Pocket: "cluny", OccurredAt: published.AddDate(0, 0, -i-1).UnixMilli(), Kind: kind})
	}
	b.put(city, batch)
	out := b.Call(loopName, args{"pocket_id": "cluny"})
	same(t, "the round", text(out), `{"revealed":0,"scored":["cluny"],"sealed":1}`)
	q := b.Call(qualityName, args{"pocket_id": "cluny"})
	f := q["factors"].(args)
	same(t, "calmness = (calm + 1 − stress) / 2", f["calmness"], 0.78)
	same(t, "urgency = 1 − 42/72", f["urgency"], 0.42)
	same(t, "user_need = 3 of 5", f["user_need"], 0.6)
	same(t, "merchant_fit = a bakery's best affinity", f["merchant_fit"], 0.95)
	if u := f["usefulness"].(float64); u < 0.8 || u > 0.9 {
		t.Errorf("usefulness is %v", u)
	}
	same(t, "the reasons", q["reasons"], []any{"merchant_fit leading at 0.95"})
}

func TestFactorsWithoutEvidenceAreNeutralAndSaidSo(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: publishedReadings()})
	b.Call(loopName, args{})
	q := b.Call(qualityName, args{"pocket_id": "cluny"})
	same(t, "merchant_fit and user_need", fmt.Sprint(q["factors"].(args)["merchant_fit"], q["factors"].(args)["user_need"]), "0.5 0.5")
	same(t, "the reasons", q["reasons"].([]any)[1:], []any{"merchant_fit has no evidence, neutral 0.50", "user_need has no evidence, neutral 0.50"})
}

func TestImportedFactorsWinOverDerivedOnes(t *testing.T) {
	b := newBench(t)
	imported := pockets.Quality{Pocket: "cluny", ComputedAt: published.UnixMilli(), Usefulness: .9, Urgency: .9, Calmness: .9, MerchantFit: .9, UserNeed: .9}
	b.put(city, rowBatch{Readings: publishedReadings(), Quality: []pockets.Quality{imported}})
	out := b.Call(loopName, args{"pocket_id": "cluny"})
	same(t, "imported", text(out["imported"]), `["cluny"]`)
	same(t, "the score", b.Call(qualityName, args{"pocket_id": "cluny"})["mqs"], 0.85)
	// Derived first, imported later for the same moment.
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("serene", published, .7)}})
	b.Call(loopName, args{"pocket_id": "serene"})
	imported.Pocket = "serene"
	b.put(city, rowBatch{Quality: []pockets.Quality{imported}})
	same(t, "the score", b.Call(qualityName, args{"pocket_id": "serene"})["mqs"], 0.85)
}

func TestAProjectionIsRevealedAgainstTheNearestReading(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: publishedReadings()})
	b.Call(loopName, args{"pocket_id": "cluny"})
	same(t, "the same minute seals once", b.Call(loopName, args{"pocket_id": "cluny"})["sealed"], 0)
	entry := func() args {
		return b.Call(predictionsName, args{"pocket_id": "cluny", "generator": projectionGenerator})["entries"].([]any)[0].(args)
	}
	e := entry()
	same(t, "the key", e["prediction_key"], "cluny:2026-06-06:17:18")
	same(t, "the payload", text(e["prediction_payload"]), `{"calm_probability":0.71}`)
	same(t, "the outcome", fmt.Sprint(e["revealed"], e["actual_observation"], e["accuracy_score"]), "false <nil> <nil>")

	// Time passes without a reading near the reveal: it waits.
	b.Clock.Set(published.Add(3 * time.Hour))
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("cluny", at("2026-06-06T09:34:00Z"), .1)}})
	same(t, "revealed without a reading", b.Call(loopName, args{"pocket_id": "cluny"})["revealed"], 0)
	// The source delivers late.
	b.put(city, rowBatch{Readings: steps("cluny", at("2026-06-06T09:15:00Z"), .68, .68, .68, .68)})
	same(t, "revealed late", b.Call(loopName, args{"pocket_id": "cluny"})["revealed"], 1)
	e = entry()
	same(t, "the observation", text(e["actual_observation"]), `{"calm_probability":0.69}`) // with 08:15 and its 0.74, the hour's mean
	same(t, "the accuracy", e["accuracy_score"], 0.96)
	same(t, "revealed again", b.Call(loopName, args{"pocket_id": "cluny"})["revealed"], 0)
}

func TestAccuracyIsTheMeanByGenerator(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("cluny", published.Add(-time.Minute), .68)}})
	seal := func(generator string, calm float64) {
		b.Call(recordName, args{"kind": "prediction", "records": []any{args{"pocket_id": "cluny", "generator": generator, "reveal_at": "2026-06-06T09:00:00Z",
			"prediction_key": fmt.Sprint("k:", calm), "prediction_payload": args{"calm": calm, "rain": 1}}}})
	}
	seal("a", .71)
	seal("a", .98)
	seal("b", .08)
	b.Clock.Set(at("2026-06-06T09:10:00Z"))
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("cluny", at("2026-06-06T09:05:00Z"), .68)}})
	b.Call(loopName, args{"pocket_id": "cluny"})
	out := b.Call(predictionsName, args{"revealed_only": true, "limit": 1})
	same(t, "accuracy", text(out["accuracy_by_generator"]), `[{"accuracy":0.67,"generator":"a","n":2},{"accuracy":0,"generator":"b","n":1}]`)
	same(t, "count beyond the limit", fmt.Sprint(out["count"], len(out["entries"].([]any))), "3 1")
	r := b.CallAllowingRefusal(predictionsName, args{"revealed_only": true, "generator": "a"})
	same(t, "the text", r.Text, "2 predictions over 7d\na · accuracy 0.67 · n=2")
	same(t, "published accuracy", round2(*predictionAccuracy(json.RawMessage(`{"calm_probability":0.71}`), json.RawMessage(`{"calm_probability":0.68}`))), .94)
}

func TestWhatIsSealedHereSpeaksOfTheFutureAndOfWhatCanBeMeasured(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct {
		record args
		want   string
	}{
		"the past":            {args{"reveal_at": "2026-06-06T08:00:00Z", "prediction_payload": args{"calm": .5}}, "not in the future"},
		"a seal of one's own": {args{"sealed_at": "2026-06-01T08:00:00Z", "prediction_payload": args{"calm": .5}}, "leave them out"},
		"nothing to measure":  {args{"prediction_payload": args{"mood": "fine"}}, "no number that a reading can be compared with"},
		"no payload":          {args{}, "prediction_payload is required"},
		"an outcome":          {args{"prediction_payload": args{"calm": .5}, "actual_observation": args{"calm": .5}}, "leave them out"},
	} {
		c.record["pocket_id"] = "cluny"
		if r := b.CallAllowingRefusal(recordName, args{"kind": "prediction", "records": []any{c.record}}); !r.IsError || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s: %s", name, r.Text)
		}
	}
	good := args{"pocket_id": "cluny", "prediction_key": "k", "prediction_payload": args{"calm": .5}}
	out := b.Call(recordName, args{"kind": "prediction", "records": []any{good}})
	if seal := out["sealed"].([]any)[0].(args)["seal"].(string); len(seal) != 64 {
		t.Errorf("the seal is %q", seal)
	}
	good["prediction_payload"] = args{"calm": .9}
	if r := b.CallAllowingRefusal(recordName, args{"kind": "prediction", "records": []any{good}}); !r.IsError || !strings.Contains(r.Text, "sealed already") {
		t.Errorf("a second seal of one key: %s", r.Text)
	}
}

func TestRecordingAgainChangesNothing(t *testing.T) {
	b := newBench(t)
	record := args{"kind": "atmosphere", "records": []any{args{"pocket_id": "holland v", "stress": .1, "calm": .9, "social_energy": .2, "productive": .5, "primary_state": "calm", "captured_at": "2026-06-06T16:15:00+08:00"}}}
	same(t, "first", text(b.Call(recordName, record)), `{"kind":"atmosphere","pockets":["holland-village"],"recorded":1,"unchanged":0}`)
	same(t, "again", text(b.Call(recordName, record)), `{"kind":"atmosphere","pockets":["holland-village"],"recorded":0,"unchanged":1}`)
	record["records"].([]any)[0].(args)["calm"] = .8
	same(t, "corrected", b.Call(recordName, record)["recorded"], 1)
	if r := b.CallAllowingRefusal(recordName, args{"kind": "atmosphere", "records": []any{record["records"].([]any)[0], args{"pocket_id": "cluny"}}}); !r.IsError {
		t.Error("a half good call is taken")
	}
	same(t, "the calm", b.Call(momentName, args{"pocket_id": "hollandvillage"})["calm_probability"], .8)
}

func TestScoringWritesNothing(t *testing.T) {
	b := demoBench(t)
	before, err := b.Store.SumSequences(context.Background(), store.TopicPockets)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range everyCall() {
		b.CallAllowingRefusal(c.tool, c.in)
	}
	after, err := b.Store.SumSequences(context.Background(), store.TopicPockets)
	if err != nil || after != before {
		t.Errorf("the sequence went from %d to %d, %v", before, after, err)
	}
}

func TestFatigueComesFromTheUsersOwnEventsUnlessItIsGiven(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: publishedReadings(), Attention: []pockets.Attention{
		{Pocket: "serene", OccurredAt: published.UnixMilli(), Kind: "dismissed", User: "u"}, {Pocket: "cluny", OccurredAt: published.Add(-24 * time.Hour).UnixMilli(), Kind: "surfaced", User: "u"},
		{Pocket: "cluny", OccurredAt: published.UnixMilli(), Kind: "dismissed", User: "somebody else"},
	}})
	fatigue := func(user args) any {
		return b.Call(legitimacyName, args{"pocket_id": "cluny", "candidate_action": "surface_deal", "user_context": user})["factors"].(args)["fatigue"]
	}
	for _, c := range []struct {
		name string
		user args
		want float64
	}{
		{"nobody", args{}, 0}, {"a user without events", args{"user_id": "v"}, 0}, {"a user with two", args{"user_id": "u"}, .35}, {"given", args{"user_id": "u", "fatigue_score": .1}, .1},
		{"given as none at all", args{"user_id": "u", "fatigue_score": 0}, 0}, {"a dismissal twelve hours ago", args{"last_dismissal_at": "2026-06-06T04:18:42+08:00"}, .3},
	} {
		same(t, c.name, fatigue(c.user), c.want)
	}
	out := b.Call(legitimacyName, args{"pocket_id": "cluny", "candidate_action": "surface_deal", "user_context": args{"fatigue_score": .86}})
	same(t, "too tired", out["recommendation"], recommendSilence)
	same(t, "the reason", out["reasoning"].([]any)[2], "hard override: fatigue 0.86, above 0.85.")
}

func TestLookupsForgiveTypingErrors(t *testing.T) {
	for query, want := range map[string]string{
		"cluny court": "cluny 1.00", "HOLLANDVILLAGE": "holland-village 1.00", "tiong bharu": "tiong-bahru", "joo chiat road": "joo-chiat 1.00", "haji": "haji-lane 1.00",
		"upper thomson rd": "upper-thomson", "Bukit Timah": "cluny 0.60",
	} {
		found := matchPockets(query)
		if len(found) == 0 || len(found) > 3 || !strings.HasPrefix(found[0].PocketID+" "+formatNumber(found[0].Confidence), want) {
			t.Errorf("%s finds %v, want %s", query, found, want)
		}
	}
}
