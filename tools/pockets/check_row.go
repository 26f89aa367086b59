package pockets

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/store/pockets"
	"toolkit/tools"
)

// Kinds of rows.
const (
	KindAtmosphere = "atmosphere"
	KindOutlet     = "outlet"
	KindLedger     = "ledger"
	KindAttention  = "attention"
	KindQuality    = "quality"
	KindPrediction = "prediction"
)

// RowKinds lists the kinds of rows in the order they are written.
var RowKinds = []string{KindOutlet, KindAtmosphere, KindLedger, KindAttention, KindQuality, KindPrediction}

// fileTime is a time in a file, with its zone; 0: none is given.
type fileTime int64

// MarshalJSON writes the time in UTC.
func (m fileTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(timeFromMillis(int64(m)).Format(time.RFC3339Nano))
}

// UnmarshalJSON reads a time of RFC 3339.
func (m *fileTime) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("%q is not a time with its zone, such as 2026-06-06T16:15:00+08:00", text)
	}
	if t.Year() < 2000 || t.Year() > 2099 {
		return fmt.Errorf("%q lies outside the years 2000 to 2099", text)
	}
	*m = fileTime(t.UnixMilli())
	return nil
}

// Rows as files have them: those of the store with their times as text.
type (
	readingRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.Reading
		CapturedAt fileTime `json:"captured_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
	}
	outletRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.Outlet
		Active *bool `json:"active,omitempty"`
	}
	ledgerRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.LedgerEntry
		OccurredAt fileTime `json:"occurred_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
	}
	attentionRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.Attention
		OccurredAt fileTime `json:"occurred_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
	}
	qualityRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.Quality
		ComputedAt fileTime `json:"computed_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
	}
	predictionRow struct {
		Kind string `json:"kind,omitempty"`
		pockets.Prediction
		SealedAt   fileTime `json:"sealed_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
		RevealAt   fileTime `json:"reveal_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
		RevealedAt fileTime `json:"revealed_at,omitzero" jsonschema:"type=string,format=date-time" jsonschema_description:"a time with its zone, such as 2026-06-06T16:15:00+08:00"`
	}
)

var (
	decodeReading    = tools.NewObjectDecoder[readingRow]()
	decodeOutlet     = tools.NewObjectDecoder[outletRow]()
	decodeLedger     = tools.NewObjectDecoder[ledgerRow]()
	decodeAttention  = tools.NewObjectDecoder[attentionRow]()
	decodeQuality    = tools.NewObjectDecoder[qualityRow]()
	decodePrediction = tools.NewObjectDecoder[predictionRow]()
)

// clockSkew is how far a source's clock may run ahead of ours.
const clockSkew = 5 * 60 * 1000

// rowBatch is rows that were checked, to be stored together.
type rowBatch struct {
	Readings    []pockets.Reading
	Outlets     []pockets.Outlet
	Ledger      []pockets.LedgerEntry
	Attention   []pockets.Attention
	Quality     []pockets.Quality
	Predictions []pockets.Prediction
}

// Rows is how many rows the batch holds.
func (b *rowBatch) Rows() int {
	return len(b.Readings) + len(b.Outlets) + len(b.Ledger) + len(b.Attention) + len(b.Quality) + len(b.Predictions)
}

// rowChecker checks rows.
type rowChecker struct {
	Now int64 // unix milliseconds
	// Here means that rows are recorded where they happen: a time that is not
	// given is Now, and predictions are sealed at this moment.
	Here bool
}

// checkAndAddRow checks a row of a kind, adds it to the batch and says which pocket it concerns.
func (c rowChecker) checkAndAddRow(b *rowBatch, kind string, row map[string]any) (pocket string, err error) {
	switch kind {
	case KindAtmosphere:
		r, err := decodeReading(row)
		if err == nil {
			r.Reading.CapturedAt, err = c.resolvePocketAndTime(&r.Pocket, "captured_at", r.CapturedAt)
		}
		b.Readings = append(b.Readings, r.Reading)
		return r.Pocket, err
	case KindOutlet:
		o, err := decodeOutlet(row)
		if err == nil {
			err = checkAndNormalizeOutlet(&o)
		}
		b.Outlets = append(b.Outlets, o.Outlet)
		return o.Pocket, err
	case KindLedger:
		e, err := decodeLedger(row)
		if err == nil {
			e.LedgerEntry.OccurredAt, err = c.resolvePocketAndTime(&e.Pocket, "occurred_at", e.OccurredAt)
		}
		if err == nil && e.LedgerSums == (pockets.LedgerSums{}) {
			err = fmt.Errorf("the entry states no measure; give at least one of waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, dollar_value_sgd")
		}
		b.Ledger = append(b.Ledger, e.LedgerEntry)
		return e.Pocket, err
	case KindAttention:
		a, err := decodeAttention(row)
		if err == nil {
			a.Attention.OccurredAt, err = c.resolvePocketAndTime(&a.Pocket, "occurred_at", a.OccurredAt)
		}
		b.Attention = append(b.Attention, a.Attention)
		return a.Pocket, err
	case KindQuality:
		q, err := decodeQuality(row)
		if err == nil {
			q.Quality.ComputedAt, err = c.resolvePocketAndTime(&q.Pocket, "computed_at", q.ComputedAt)
		}
		q.Neutral = []string{}
		b.Quality = append(b.Quality, q.Quality)
		return q.Pocket, err
	case KindPrediction:
		p, err := decodePrediction(row)
		if err == nil {
			err = c.checkAndSealPrediction(&p)
		}
		b.Predictions = append(b.Predictions, p.Prediction)
		return p.Pocket, err
	}
	return "", fmt.Errorf("kind %q is not one of %s", kind, strings.Join(RowKinds, ", "))
}

// resolvePocketAndTime resolves the name of a pocket, which may be written in any known way, and reads the
// time of something that has happened there.
func (c rowChecker) resolvePocketAndTime(pocket *string, field string, at fileTime) (int64, error) {
	if err := resolvePocket(pocket); err != nil {
		return 0, err
	}
	switch {
	case at == 0 && !c.Here:
		return 0, fmt.Errorf("%s is missing", field)
	case at == 0:
		return c.Now, nil
	case int64(at) > c.Now+clockSkew:
		return 0, fmt.Errorf("%s lies in the future; check the clock of the source", field)
	}
	return int64(at), nil
}

func resolvePocket(pocket *string) error {
	p, known := fixtures.PocketByName(*pocket)
	if !known {
		return fmt.Errorf("pocket_id %q is not registered; the pockets are %s", *pocket, strings.Join(fixtures.PocketIDs(), ", "))
	}
	*pocket = p.ID
	return nil
}

// maxTraits bounds what is kept of an outlet's character.
const maxTraits = 20

var traitForm = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

func checkAndNormalizeOutlet(o *outletRow) error {
	if err := resolvePocket(&o.Pocket); err != nil {
		return err
	}
	o.ID = uuid.MustParse(o.ID).String()
	o.Outlet.Active = o.Active == nil || *o.Active
	if o.DNA == nil {
		o.DNA = map[string]float64{}
	}
	if (o.OpensAt == "") != (o.ClosesAt == "") {
		return fmt.Errorf("opens_at and closes_at go together")
	}
	if len(o.DNA) > maxTraits {
		return fmt.Errorf("dna is not an object of at most %d numbers", maxTraits)
	}
	for _, trait := range slices.Sorted(maps.Keys(o.DNA)) {
		if v := o.DNA[trait]; v < 0 || v > 1 || len(trait) > 40 || !traitForm.MatchString(trait) {
			return fmt.Errorf("dna %q is not a lowercase trait with a number from 0 to 1", trait)
		}
	}
	return nil
}
