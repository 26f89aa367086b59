package pockets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"toolkit/fixtures"
	"toolkit/internal/toolstest"
	"toolkit/store/pockets"
)

func TestSingleReadingHasNoTrendAndCountOne(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("cluny", published.Add(-time.Minute), .74)}})
	out := b.Call(atmosphereName, args{"pocket_id": "cluny"})
	same(t, "the trend", text(out["trend"]), `{"direction":"stable","magnitude":0}`)
	same(t, "the count", out["reading_count"], 1)
	moment := b.CallAllowingRefusal(momentName, args{"pocket_id": "cluny"})
	if moment.Hints.Confidence > 0.1 {
		t.Errorf("one reading of five gives a confidence of %v", moment.Hints.Confidence)
	}
}

func TestAnEmptyLedgerAsksForEntriesOfTheLedger(t *testing.T) {
	b := newBench(t)
	h := b.CallAllowingRefusal(sustainabilityName, args{"pocket_id": "cluny"}).Hints
	same(t, "what is needed", h.ContextNeeded, []string{"entries of the ledger"})
	same(t, "what to record", h.SuggestedNextActions[0].Data, args{"kind": "ledger"})
}

func TestReadingOlderThanAnHourIsInsufficientData(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: steps("cluny", published.Add(-61*time.Minute), .7, .7, .7)})
	same(t, "the moment", b.Call(momentName, args{"pocket_id": "cluny"})["status"], "insufficient_data")
	out := b.Call(silenceName, args{"pocket_id": "cluny"})
	same(t, "the silence", out["signal_status_code"], statusWithhold)
	same(t, "the reason", out["justification"], "latest reading of 15:17 SGT is older than an hour")
	score := b.Call(legitimacyName, args{"pocket_id": "cluny", "candidate_action": "surface_deal"})
	same(t, "the neutral factors", score["reasoning"].([]any)[2:], []any{"environmental alignment has no evidence, neutral 0.50.", "saturation has no evidence, neutral 0.50.", "expected value has no evidence, neutral 0.50."})
	same(t, "the place", text(score["gates"].(args)["why_this_place"]), `{"passed":false,"score":0}`)
	// Exactly an hour is still a moment, and its hour is counted from it.
	b.put(city, rowBatch{Readings: []pockets.Reading{reading("cluny", published.Add(-60*time.Minute), .7)}})
	same(t, "the moment", b.Call(momentName, args{"pocket_id": "cluny"})["calm_probability"], 0.7)
}

func TestAReadingFromTheFutureCountsOnlyOnceItsTimeHasCome(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{
		Readings:  []pockets.Reading{reading("cluny", published.Add(-time.Minute), .74), reading("cluny", published.Add(3*time.Minute), .10)},
		Quality:   []pockets.Quality{{Pocket: "cluny", ComputedAt: published.Add(time.Hour).UnixMilli(), Usefulness: 1, Urgency: 1, Calmness: 1, MerchantFit: 1, UserNeed: 1}},
		Attention: []pockets.Attention{{Pocket: "cluny", OccurredAt: published.Add(time.Hour).UnixMilli(), Kind: "surfaced", User: "u"}},
	})
	same(t, "the moment", b.Call(momentName, args{"pocket_id": "cluny"})["calm_probability"], 0.74)
	same(t, "the noise", b.Call(momentName, args{"pocket_id": "cluny"})["signal_saturation"], 0)
	same(t, "the count", b.Call(atmosphereName, args{"pocket_id": "cluny"})["reading_count"], 1)
	same(t, "the quality", b.Call(qualityName, args{"pocket_id": "cluny"})["status"], "insufficient_data")
	b.Clock.Set(published.Add(5 * time.Minute))
	same(t, "the moment later", b.Call(momentName, args{"pocket_id": "cluny"})["calm_probability"], 0.42)
	// A clock that runs ahead a little is forgiven, one that runs wild is not.
	ahead := args{"pocket_id": "serene", "stress": .1, "calm": .9, "social_energy": .2, "productive": .5, "primary_state": "calm", "captured_at": "2026-06-06T08:26:00Z"}
	same(t, "a clock ahead", b.Call(recordName, args{"kind": "atmosphere", "records": []any{ahead}})["recorded"], 1)
	ahead["captured_at"] = "2026-06-07T08:26:00Z"
	if r := b.CallAllowingRefusal(recordName, args{"kind": "atmosphere", "records": []any{ahead}}); !r.IsError || !strings.Contains(r.Text, "in the future") {
		t.Errorf("a reading of tomorrow: %s", r.Text)
	}
}

// The day changes at midnight in Singapore, 16:00 UTC.
func TestTheDayTurnsAtMidnightInSingapore(t *testing.T) {
	b := newBench(t)
	b.Clock.Set(at("2026-06-06T16:20:00Z"))
	b.put(city, rowBatch{Readings: steps("cluny", at("2026-06-06T16:15:00Z"), .5, .6, .7, .8)}) // 23:30 to 00:15
	r, err := ScoreAndPredict(context.Background(), b.Store, []string{"cluny"})
	if err != nil || r.Sealed != 1 {
		t.Fatal(r, err)
	}
	out := b.Call(predictionsName, args{"pocket_id": "cluny"})
	same(t, "the key", out["entries"].([]any)[0].(args)["prediction_key"], "cluny:2026-06-07:01:20")
}

func TestNullReadingIsNotCountedAsZero(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Ledger: []pockets.LedgerEntry{{Pocket: "cluny", OccurredAt: published.UnixMilli() - 1, LedgerSums: pockets.LedgerSums{Trips: new(0.0)}}}})
	r := b.CallAllowingRefusal(sustainabilityName, args{"pocket_id": "cluny"})
	sameJSON(t, "the sums", b.Call(sustainabilityName, args{"pocket_id": "cluny"}), `{"pocket_id":"cluny","window":"30d","waste_avoided_units":null,"idle_reclaimed_hours":null,"purposeful_trips":0,"attention_saved_count":null,"dollar_value_sgd":null}`)
	same(t, "the text", r.Text, "pocket cluny · last 30d · 0 purposeful trips")
}

func TestAggregatesNeedFiveReadings(t *testing.T) {
	b := newBench(t)
	batch := rowBatch{Outlets: []pockets.Outlet{bakery(plainVanilla, "Plain Vanilla")}}
	for i := range 4 {
		batch.Readings = append(batch.Readings, reading("cluny", at("2026-06-06T06:00:00Z").AddDate(0, 0, -i), .9))
		batch.Ledger = append(batch.Ledger, pockets.LedgerEntry{Pocket: "cluny", OccurredAt: published.UnixMilli() - int64(i), Outlet: fmt.Sprint(i), LedgerSums: pockets.LedgerSums{Dollars: new(10.0)}})
	}
	b.put(city, batch)
	out := b.Call(outletName, args{"outlet_id": strings.ToUpper(plainVanilla)})
	same(t, "patterns and support", fmt.Sprint(out["patterns"], out["decision_support"]), "[] []")
	inactive := bakery(plainVanilla, "Plain Vanilla")
	inactive.Active = false
	b.put(city, rowBatch{Outlets: []pockets.Outlet{inactive}})
	same(t, "an inactive outlet", b.Call(outletName, args{"outlet_id": plainVanilla})["message"], "outlet not found or inactive.")
}

func TestAttributionIsTheDataSetsAndComputedNumbersAreOurs(t *testing.T) {
	b := newBench(t)
	b.put(city, rowBatch{Readings: publishedReadings()})
	meta := b.CallAllowingRefusal(atmosphereName, args{"pocket_id": "cluny"}).Meta
	block := args{"source": city.Source, "source_url": city.SourceURL, "license": city.License, "license_url": city.LicenseURL, "attribution_required": true,
		"tool": atmosphereName, "computed_at": "2026-06-06T08:18:42.000Z"}
	for key, want := range block {
		same(t, "imported rows' "+key, meta[key], want)
	}
	meta = b.CallAllowingRefusal(momentName, args{"pocket_id": "cluny"}).Meta
	same(t, "computed numbers' source", meta["source"], "local")
	same(t, "computed numbers' licence", meta["license"], "")
	same(t, "what they were computed from", text(meta["datasets"]), text([]any{attributionBlock(city)}))
	same(t, "whether to cite", meta["attribution_required"], true)
	empty := newBench(t)
	for _, c := range everyCall() {
		r := empty.CallAllowingRefusal(c.tool, c.in)
		same(t, c.tool+" of an empty store", r.Meta["source"], "local")
		if r.Meta["metadata"] == nil {
			t.Errorf("%s has no metadata", c.tool)
		}
	}
	demo := demoBench(t)
	for _, c := range everyCall() {
		if r := demo.CallAllowingRefusal(c.tool, c.in); strings.Contains(r.Text, "0.") && c.tool != lookupName && c.in["pocket_id"] != "atlantis" && r.Meta["source"] != "local-demo" {
			t.Errorf("%s(%v) of the demonstration says %v: %s", c.tool, c.in, r.Meta["source"], r.Text)
		}
	}
}

var (
	times   = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|~?\d\d:\d\d(–\d\d:\d\d)?|SGT`)
	acronym = regexp.MustCompile(`\bMQS\b`)
)

// guard checks every line of a text against the voice: lowercase but for names
// and times, at most eighteen words, no exclamation marks.
func guard(t *testing.T, what, said string, names []string) {
	t.Helper()
	for _, l := range strings.Split(said, "\n") {
		plain := acronym.ReplaceAllString(times.ReplaceAllString(l, ""), "")
		for _, name := range names {
			plain = strings.ReplaceAll(plain, name, "")
		}
		if plain != strings.ToLower(plain) {
			t.Errorf("%s is not lowercase: %q", what, l)
		}
		if strings.Contains(l, "!") {
			t.Errorf("%s shouts: %q", what, l)
		}
		n := 0
		for _, w := range strings.Fields(l) {
			if strings.Trim(w, "·—") != "" {
				n++
			}
		}
		if n == 0 || n > maxWords {
			t.Errorf("%s has %d words: %q", what, n, l)
		}
	}
}

// voices are the sentences of an answer, in its text and in its data.
func voices(v any, found *[]string) {
	switch x := v.(type) {
	case map[string]any:
		for key, inner := range x {
			switch key {
			case "justification", "narrative_line", "message":
				if s, ok := inner.(string); ok {
					*found = append(*found, s)
				}
			case "reasons", "reasoning", "outlook", "patterns", "decision_support", "silence_reasons":
				for _, s := range inner.([]any) {
					*found = append(*found, s.(string))
				}
			default:
				voices(inner, found)
			}
		}
	case []any:
		for _, inner := range x {
			voices(inner, found)
		}
	}
}

func TestVoiceLinesFollowStyleRules(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	var names []string
	for _, p := range fixtures.Pockets() {
		names = append(names, p.Name)
	}
	for _, o := range MakeDemo(published.UnixMilli()).Batch.Outlets {
		names = append(names, o.Name)
	}
	names = append(names, "BUY NOW")
	speak := func(b *bench, tool string, in args) {
		r := b.CallAllowingRefusal(tool, in)
		if r.IsError {
			t.Fatalf("%s(%v): %s", tool, in, r.Text)
		}
		guard(t, tool, r.Text, names)
		var found []string
		var data args
		toolstest.Decode(t, r.Data, &data)
		voices(data, &found)
		for _, s := range found {
			guard(t, tool, s, names)
		}
	}
	for _, b := range []*bench{newBench(t), demoBench(t)} {
		for _, c := range everyCall() {
			speak(b, c.tool, c.in)
		}
		for _, loud := range []string{"BUY NOW!!! click\nhere", strings.Repeat("very ", 40), "ÄÖÜ!", "a\u2028b"} {
			speak(b, momentName, args{"pocket_id": loud})
			speak(b, legitimacyName, args{"pocket_id": loud, "candidate_action": loud, "channel": loud})
			speak(b, intentName, args{"pocket_id": loud, "slug": loud})
			speak(b, lookupName, args{"query": string([]rune(loud)[:min(80, len([]rune(loud)))])})
		}
	}
	random := rand.New(rand.NewPCG(7, 7))
	for range toolstest.RoundCount(8) {
		b := newBench(t)
		b.put(city, randomState(random))
		for _, c := range everyCall() {
			speak(b, c.tool, c.in)
		}
	}
}

// randomState invents what may be known of two pockets, sense or not.
func randomState(random *rand.Rand) rowBatch {
	var batch rowBatch
	maybe := func() *float64 {
		if random.IntN(2) == 0 {
			return nil
		}
		return new(random.Float64())
	}
	for _, pocket := range []string{"cluny", "holland-village"} {
		for i := range random.IntN(40) {
			r := reading(pocket, published.Add(-time.Duration(random.IntN(30*(i+1)))*time.Minute), random.Float64())
			r.Stress, r.SocialEnergy, r.Productive, r.Saturation, r.Friction = random.Float64(), random.Float64(), random.Float64(), maybe(), maybe()
			batch.Readings = append(batch.Readings, r)
		}
		for i := range random.IntN(3) {
			batch.Quality = append(batch.Quality, pockets.Quality{Pocket: pocket, ComputedAt: published.UnixMilli() - int64(i)*hourMillis/3, Usefulness: random.Float64(), Urgency: random.Float64(),
				Calmness: random.Float64(), MerchantFit: random.Float64(), UserNeed: random.Float64(), Neutral: []string{"user_need", "merchant_fit"}[:random.IntN(3)]})
		}
		for range random.IntN(30) {
			batch.Attention = append(batch.Attention, pockets.Attention{Pocket: pocket, OccurredAt: published.UnixMilli() - random.Int64N(3*hourMillis), User: "demo-user-1",
				Kind: []string{"surfaced", "dismissed", "accepted"}[random.IntN(3)], Outlet: fmt.Sprint(random.IntN(9))})
		}
		for i := range random.IntN(9) {
			batch.Ledger = append(batch.Ledger, pockets.LedgerEntry{Pocket: pocket, OccurredAt: published.UnixMilli() - int64(i), Outlet: fmt.Sprint(i),
				LedgerSums: pockets.LedgerSums{Dollars: maybe(), Trips: maybe(), WasteAvoided: maybe(), IdleReclaimed: maybe(), AttentionSaved: maybe()}})
		}
	}
	o := bakery(plainVanilla, "BUY NOW")
	o.RainSensitivity, o.DNA = maybe(), map[string]float64{"calm": random.Float64()}
	batch.Outlets = append(batch.Outlets, o)
	return batch
}
