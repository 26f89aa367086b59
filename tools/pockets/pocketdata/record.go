package pocketdata

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/store/pockets"
)

// Kinds of rows.
const (
	Atmosphere = "atmosphere"
	Outlet     = "outlet"
	Ledger     = "ledger"
	Attention  = "attention"
	Quality    = "quality"
	Prediction = "prediction"
)

// Kinds lists the kinds of rows in the order they are written.
var Kinds = []string{Outlet, Atmosphere, Ledger, Attention, Quality, Prediction}

// kindFields are the fields of each kind of row.
var kindFields = map[string][]string{
	Atmosphere: {"pocket_id", "captured_at", "stress", "calm", "social_energy", "productive", "primary_state", "anomaly_flag", "signal_saturation", "movement_friction"},
	Outlet:     {"outlet_id", "pocket_id", "name", "category", "unit", "opens_at", "closes_at", "active", "rain_sensitivity", "dna"},
	Ledger:     {"pocket_id", "occurred_at", "outlet_id", "entry_id", "waste_avoided_units", "idle_reclaimed_hours", "purposeful_trips", "attention_saved_count", "dollar_value_sgd"},
	Attention:  {"pocket_id", "occurred_at", "event", "user_id", "outlet_id", "event_id"},
	Quality:    {"pocket_id", "computed_at", "usefulness", "urgency", "calmness", "merchant_fit", "user_need"},
	Prediction: {"pocket_id", "generator", "prediction_key", "prediction_id", "sealed_at", "reveal_at", "prediction_payload", "revealed_at", "actual_observation", "seal"},
}

// clockSkew is how far a source's clock may run ahead of ours.
const clockSkew = 5 * 60 * 1000

// Batch is rows that were checked, to be stored together.
type Batch struct {
	Readings    []pockets.Reading
	Outlets     []pockets.Outlet
	Ledger      []pockets.LedgerEntry
	Attention   []pockets.Attention
	Quality     []pockets.Quality
	Predictions []pockets.Prediction
}

// Rows is how many rows the batch holds.
func (b *Batch) Rows() int {
	return len(b.Readings) + len(b.Outlets) + len(b.Ledger) + len(b.Attention) + len(b.Quality) + len(b.Predictions)
}

// Checker checks rows.
type Checker struct {
	Now int64 // unix milliseconds
	// Here means that rows are recorded where they happen: a time that is not
	// given is Now, and predictions are sealed at this moment.
	Here bool
}

// Add checks a row of a kind, adds it to the batch and says which pocket it concerns.
func (c Checker) Add(b *Batch, kind string, row map[string]any) (pocket string, err error) {
	known, ok := kindFields[kind]
	if !ok {
		return "", fmt.Errorf("kind %q is not one of %s", kind, quoted(Kinds))
	}
	f := &fields{values: row}
	f.only(known, "kind "+kind)
	switch kind {
	case Atmosphere:
		b.Readings = append(b.Readings, c.reading(f))
	case Outlet:
		b.Outlets = append(b.Outlets, c.outlet(f))
	case Ledger:
		b.Ledger = append(b.Ledger, c.ledger(f))
	case Attention:
		b.Attention = append(b.Attention, c.attention(f))
	case Quality:
		b.Quality = append(b.Quality, c.quality(f))
	case Prediction:
		b.Predictions = append(b.Predictions, c.prediction(f))
	}
	return f.pocket, f.err()
}

// pocket reads the id of a pocket, which may be written in any known way.
func (c Checker) pocket(f *fields) string {
	name := f.text("pocket_id", maxShort)
	if name == "" {
		f.require("pocket_id")
		return ""
	}
	p, ok := fixtures.PocketByName(name)
	if !ok {
		f.fail("pocket_id %q is not registered; the pockets are %s", name, quoted(fixtures.PocketIDs()))
	}
	f.pocket = p.ID
	return p.ID
}

// past reads the time of something that has happened.
func (c Checker) past(f *fields, name string) int64 {
	ms := f.instant(name)
	if _, there := f.value(name); !there {
		if !c.Here {
			f.fail("%s is missing", name)
		}
		return c.Now
	}
	if ms > c.Now+clockSkew {
		f.fail("%s lies in the future; check the clock of the source", name)
	}
	return ms
}

var stateForm = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

func (c Checker) reading(f *fields) pockets.Reading {
	r := pockets.Reading{
		Pocket: c.pocket(f), CapturedAt: c.past(f, "captured_at"),
		Stress: f.needUnit("stress"), Calm: f.needUnit("calm"), SocialEnergy: f.needUnit("social_energy"), Productive: f.needUnit("productive"),
		Saturation: f.unit("signal_saturation"), Friction: f.unit("movement_friction"),
		PrimaryState: f.text("primary_state", 40), Anomaly: f.flag("anomaly_flag", false),
	}
	if f.require("primary_state"); r.PrimaryState != "" && !stateForm.MatchString(r.PrimaryState) {
		f.fail("primary_state %q is not lowercase words joined by hyphens", r.PrimaryState)
	}
	return r
}

var hourForm = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// maxTraits bounds what is kept of an outlet's character.
const maxTraits = 20

func (c Checker) outlet(f *fields) pockets.Outlet {
	o := pockets.Outlet{
		ID: c.outletID(f), Pocket: c.pocket(f), Name: f.text("name", maxShort), Category: f.text("category", 40), Unit: f.text("unit", 40),
		OpensAt: f.text("opens_at", 5), ClosesAt: f.text("closes_at", 5), Active: f.flag("active", true), RainSensitivity: f.unit("rain_sensitivity"),
		DNA: map[string]float64{},
	}
	f.require("outlet_id", "name", "category")
	if o.Category != "" && !stateForm.MatchString(o.Category) {
		f.fail("category %q is not lowercase words joined by hyphens", o.Category)
	}
	if (o.OpensAt == "") != (o.ClosesAt == "") {
		f.fail("opens_at and closes_at go together")
	}
	for _, hour := range []struct{ name, value string }{{"opens_at", o.OpensAt}, {"closes_at", o.ClosesAt}} {
		if hour.value != "" && !hourForm.MatchString(hour.value) {
			f.fail("%s is not a time of day such as 08:30", hour.name)
		}
	}
	if raw := f.object("dna"); raw != nil {
		if json.Unmarshal(raw, &o.DNA) != nil || len(o.DNA) > maxTraits {
			f.fail("dna is not an object of at most %d numbers", maxTraits)
			return o
		}
		for _, trait := range slices.Sorted(maps.Keys(o.DNA)) {
			if v := o.DNA[trait]; v < 0 || v > 1 || len(trait) > 40 || !stateForm.MatchString(trait) {
				f.fail("dna %q is not a lowercase trait with a number from 0 to 1", trait)
				break
			}
		}
	}
	return o
}

// outletID reads the UUID of an outlet; "" when it is not there.
func (c Checker) outletID(f *fields) string {
	text := f.text("outlet_id", 64)
	if text == "" {
		return ""
	}
	id, err := uuid.Parse(text)
	if err != nil {
		f.fail("outlet_id is not a UUID")
	}
	return id.String()
}

func (c Checker) ledger(f *fields) pockets.LedgerEntry {
	e := pockets.LedgerEntry{
		Pocket: c.pocket(f), OccurredAt: c.past(f, "occurred_at"), Outlet: c.outletID(f), Entry: f.text("entry_id", 80),
		LedgerSums: pockets.LedgerSums{
			WasteAvoided: f.amount("waste_avoided_units"), IdleReclaimed: f.amount("idle_reclaimed_hours"), Trips: f.amount("purposeful_trips"),
			AttentionSaved: f.amount("attention_saved_count"), Dollars: f.amount("dollar_value_sgd"),
		},
	}
	if e.LedgerSums == (pockets.LedgerSums{}) && len(f.wrong) == 0 {
		f.fail("the entry states no measure; give at least one of waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, dollar_value_sgd")
	}
	return e
}

// attentionKinds are what may happen to attention.
var attentionKinds = []string{"surfaced", "dismissed", "accepted"}

func (c Checker) attention(f *fields) pockets.Attention {
	a := pockets.Attention{
		Pocket: c.pocket(f), OccurredAt: c.past(f, "occurred_at"), Kind: f.text("event", 20),
		User: f.text("user_id", 80), Outlet: c.outletID(f), Event: f.text("event_id", 80),
	}
	if !slices.Contains(attentionKinds, a.Kind) {
		f.fail("event is not one of %s", strings.Join(attentionKinds, ", "))
	}
	return a
}

func (c Checker) quality(f *fields) pockets.Quality {
	return pockets.Quality{
		Pocket: c.pocket(f), ComputedAt: c.past(f, "computed_at"), Usefulness: f.needUnit("usefulness"), Urgency: f.needUnit("urgency"),
		Calmness: f.needUnit("calmness"), MerchantFit: f.needUnit("merchant_fit"), UserNeed: f.needUnit("user_need"), Neutral: []string{},
	}
}
