package pockets

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/store/pockets"
)

// Spans of the demonstration.
const (
	demoStep     = 15 * 60 * 1000
	demoDays     = 14
	demoLedger   = 30
	demoUsers    = 4
	demoForecast = 3 * hourMillis // between two sealed forecasts of a pocket
)

// MakeDemo invents two weeks of readings that end now, for every pocket, with
// outlets, a ledger, attention events, factors and forecasts. Every value
// follows from its pocket and its moment alone, so a later demonstration
// continues an earlier one. The rows are made up and their data set says so.
func MakeDemo(now int64) *FilePart {
	p := &FilePart{Dataset: DemoDataset}
	last := now - now%demoStep
	for _, pocket := range fixtures.PocketIDs() {
		place := demoPlace{pocket}
		outlets := place.inventOutlets()
		p.Batch.Outlets = append(p.Batch.Outlets, outlets...)
		for at := last - demoDays*dayMillis; at <= last; at += demoStep {
			p.Batch.Readings = append(p.Batch.Readings, place.inventReading(at))
		}
		for at := last - last%dayMillis - demoLedger*dayMillis; at <= last; at += dayMillis {
			p.Batch.Ledger = append(p.Batch.Ledger, place.inventLedger(at, outlets)...)
		}
		for at := last - last%hourMillis - demoDays*dayMillis; at <= last; at += hourMillis {
			p.Batch.Attention = append(p.Batch.Attention, place.inventAttention(at, now, outlets)...)
		}
		for at := last - last%hourMillis - dayMillis; at < last; at += hourMillis {
			p.Batch.Quality = append(p.Batch.Quality, place.inventMomentQuality(at))
		}
		for at := last - last%demoForecast - demoDays*dayMillis; at < last; at += demoForecast {
			p.Batch.Predictions = append(p.Batch.Predictions, place.inventPrediction(at, now))
		}
	}
	return p
}

// demoPlace invents what happens in a pocket.
type demoPlace struct{ pocket string }

// pseudoRandomFraction returns a number from 0 to 1 that depends on what it is asked about alone.
func (d demoPlace) pseudoRandomFraction(what string, n int64) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s/%d", d.pocket, what, n)
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// crowdingAt returns how full the pocket is at a moment: breakfast, lunch and evening.
func (d demoPlace) crowdingAt(at int64) float64 {
	local := timeFromMillis(at).In(singaporeZone)
	hour := float64(local.Hour()) + float64(local.Minute())/60 + d.pseudoRandomFraction("shift", 0) - 0.5
	peak := func(centre, width, height float64) float64 {
		return height * math.Exp(-(hour-centre)*(hour-centre)/(2*width*width))
	}
	b := peak(8.5, 1, 0.5) + peak(12.7, 0.9, 0.9) + peak(19, 1.4, 0.5+0.5*d.pseudoRandomFraction("nightlife", 0))
	if day := local.Weekday(); day == time.Saturday || day == time.Sunday {
		b = 0.8*b + peak(15, 2.5, 0.5)
	}
	return math.Min(1, b*(0.6+0.5*d.pseudoRandomFraction("lively", 0)))
}

func clampAndRound(x float64) float64 { return math.Round(100*math.Max(0.02, math.Min(0.98, x))) / 100 }

func (d demoPlace) inventReading(at int64) pockets.Reading {
	noise := func(what string) float64 { return 0.08 * (d.pseudoRandomFraction(what, at) - 0.5) }
	busy := d.crowdingAt(at)
	hour := float64(timeFromMillis(at).In(singaporeZone).Hour())
	r := pockets.Reading{Pocket: d.pocket, CapturedAt: at, Stress: clampAndRound(0.12 + 0.6*busy + noise("stress")), Calm: clampAndRound(0.86 - 0.65*busy + noise("calm")),
		SocialEnergy: clampAndRound(0.1 + 0.75*busy + noise("social")), Saturation: new(clampAndRound(0.08 + 0.62*busy*busy + noise("saturation")))}
	work := 0.15
	if hour >= 9 && hour < 18 {
		work = 0.75
	}
	r.Productive = clampAndRound(work*(1-0.5*busy) + noise("productive"))
	r.Anomaly = d.pseudoRandomFraction("anomaly", at) > 0.995
	switch {
	case r.Calm >= 0.6 && r.Productive >= 0.5:
		r.PrimaryState = "calm-productive"
	case r.Calm >= 0.6:
		r.PrimaryState = "calm-quiet"
	case r.Stress >= 0.5:
		r.PrimaryState = "crowded"
	default:
		r.PrimaryState = "lively"
	}
	return r
}

// demoOutlets are made-up outlets; each pocket has some of them.
var demoOutlets = []struct{ name, category, opens, closes string }{
	{"Quiet Crumb", "bakery", "08:00", "20:00"}, {"Second Cup Corner", "cafe", "07:30", "22:00"}, {"Leaf and Kettle", "tea-house", "10:00", "21:00"},
	{"Long Table", "restaurant", "11:30", "22:30"}, {"Lantern Bar", "bar", "17:00", "01:00"}, {"Paper Boat Books", "bookshop", "10:00", "20:00"},
	{"Cold Spoon", "dessert", "12:00", "23:00"}, {"Still Room", "wellness", "09:00", "21:00"},
}

func (d demoPlace) inventOutlets() []pockets.Outlet {
	var list []pockets.Outlet
	for i, o := range demoOutlets {
		if i >= 5 && d.pseudoRandomFraction("outlet", int64(i)) < 0.4 {
			continue
		}
		list = append(list, pockets.Outlet{
			ID:     uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s/%s/%d", DemoDataset.Name, d.pocket, i)).String(),
			Pocket: d.pocket, Name: o.name, Category: o.category, Unit: fmt.Sprintf("#01-%02d", 1+int(40*d.pseudoRandomFraction("unit", int64(i)))), OpensAt: o.opens, ClosesAt: o.closes, Active: true,
			RainSensitivity: new(clampAndRound(d.pseudoRandomFraction("rain", int64(i)))), DNA: map[string]float64{"calm": clampAndRound(0.3 + 0.6*d.pseudoRandomFraction("dna", int64(i)))},
		})
	}
	return list
}

func (d demoPlace) inventLedger(day int64, outlets []pockets.Outlet) []pockets.LedgerEntry {
	var list []pockets.LedgerEntry
	for i, o := range outlets[:5] {
		luck := func(what string) float64 { return d.pseudoRandomFraction(what, day+int64(i)) }
		list = append(list, pockets.LedgerEntry{Pocket: d.pocket, OccurredAt: day, Outlet: o.ID, LedgerSums: pockets.LedgerSums{
			WasteAvoided: new(math.Round(6 * luck("waste"))), IdleReclaimed: new(math.Round(10*luck("idle")) / 10), Trips: new(math.Round(2 * luck("trips"))),
			AttentionSaved: new(math.Round(5 * luck("attention"))), Dollars: new(math.Round(2000*luck("dollars")) / 100),
		}})
	}
	return list
}

func (d demoPlace) inventAttention(hour, now int64, outlets []pockets.Outlet) []pockets.Attention {
	var list []pockets.Attention
	for i := range int64(1 + 3*d.crowdingAt(hour)) {
		at := hour + int64(float64(hourMillis)*d.pseudoRandomFraction("when", hour+i))
		who := fmt.Sprintf("demo-user-%d", 1+int(demoUsers*d.pseudoRandomFraction("who", hour+i)))
		outlet := outlets[int(float64(len(outlets))*d.pseudoRandomFraction("which", hour+i))].ID
		kind := "dismissed"
		if d.pseudoRandomFraction("taken", hour+i) < 0.75-0.6*d.crowdingAt(hour) {
			kind = "accepted"
		}
		for k, event := range []string{"surfaced", kind} {
			if a := (pockets.Attention{Pocket: d.pocket, OccurredAt: at + int64(k)*60_000, Kind: event, User: who, Outlet: outlet}); a.OccurredAt <= now {
				list = append(list, a)
			}
		}
	}
	return list
}

func (d demoPlace) inventMomentQuality(at int64) pockets.Quality {
	r := d.inventReading(at)
	return pockets.Quality{Pocket: d.pocket, ComputedAt: at, Calmness: clampAndRound((r.Calm + 1 - r.Stress) / 2), Usefulness: clampAndRound(0.3 + 0.6*r.Calm),
		Urgency: clampAndRound(0.4 + 0.3*d.crowdingAt(at+hourMillis)), MerchantFit: 0.7, UserNeed: clampAndRound(0.75 - 0.5*d.crowdingAt(at)), Neutral: []string{}}
}

// averageCalm returns what the readings of an hour amount to.
func (d demoPlace) averageCalm(at int64) float64 {
	sum := 0.0
	for i := range int64(5) {
		sum += d.inventReading(at - i*demoStep).Calm
	}
	return math.Round(20*sum) / 100
}

// inventPrediction invents a naive one: an hour from now it will be as it is.
func (d demoPlace) inventPrediction(at, now int64) pockets.Prediction {
	p := pockets.Prediction{Pocket: d.pocket, Generator: "pocket-persistence-60m", SealedAt: at, RevealAt: at + hourMillis, Payload: calmPayload(d.averageCalm(at))}
	p.Key = revealKey(d.pocket, p.RevealAt)
	p.ID = uuid.NewSHA1(uuid.NameSpaceURL, []byte(DemoDataset.Name+"/"+p.Key)).String()
	p.Seal = sealOf(p)
	if p.RevealAt <= now {
		p.RevealedAt, p.Observation = p.RevealAt, calmPayload(d.averageCalm(p.RevealAt))
		p.Accuracy = predictionAccuracy(p.Payload, p.Observation)
	}
	return p
}

func calmPayload(calm float64) json.RawMessage {
	return fmt.Appendf(nil, `{"calm_probability":%v}`, calm)
}
