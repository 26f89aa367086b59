// Package pockets keeps what was measured and forecast of pockets: outlets, readings,
// the sustainability ledger, attention, moment quality and sealed predictions, each
// with the data set it came from.
package pockets

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Dataset says where rows about pockets came from. Times of this and all other
// rows of pockets are unix milliseconds.
type Dataset struct {
	Seq                 int64  `json:"-"`
	Name                string `json:"name" jsonschema:"required,maxLength=80,pattern=^[a-z0-9][a-z0-9._-]*$" jsonschema_description:"lowercase letters, digits, dots and hyphens"`
	Source              string `json:"source" jsonschema:"required,maxLength=200"`
	SourceURL           string `json:"source_url" jsonschema:"maxLength=500"`
	License             string `json:"license" jsonschema:"maxLength=200"`
	LicenseURL          string `json:"license_url" jsonschema:"maxLength=500"`
	AttributionRequired bool   `json:"attribution_required"`
	Synthetic           bool   `json:"synthetic"`
}

// EnsureDataset returns the data set of a name as it stands, adding it when it is
// new. Whether it has the provenance that was meant is for the caller to see.
func (tx Rows) EnsureDataset(d Dataset) (Dataset, error) {
	err := tx.sql.Exec(`INSERT INTO pocket_datasets(name, source, source_url, license, license_url, attribution_required, synthetic, created_at)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(name) DO NOTHING`,
		d.Name, d.Source, d.SourceURL, d.License, d.LicenseURL, d.AttributionRequired, d.Synthetic, tx.sql.Now())
	if err != nil {
		return Dataset{}, err
	}
	tx.sql.Touch(store.TopicPockets)
	return query.Read(tx.sql, (*Dataset).fields, `SELECT `+datasetColumns+` FROM pocket_datasets WHERE name = ?`, d.Name)
}

const datasetColumns = `seq, name, source, source_url, license, license_url, attribution_required, synthetic`

func (d *Dataset) fields() []any {
	return []any{&d.Seq, &d.Name, &d.Source, &d.SourceURL, &d.License, &d.LicenseURL, &d.AttributionRequired, &d.Synthetic}
}

// maxDatasets bounds what is listed of the data sets.
const maxDatasets = 1000

// Datasets lists the data sets in the order they came, at most a thousand.
func (tx Rows) Datasets() ([]Dataset, error) {
	return query.Select(tx.sql, (*Dataset).fields, `SELECT `+datasetColumns+` FROM pocket_datasets ORDER BY seq LIMIT ?`, maxDatasets)
}

// Counts is how many rows of a kind there are.
type Counts struct{ Readings, Outlets, Ledger, Attention, Quality, Predictions int }

// Count counts the rows of each kind. It reads whole tables, so it is
// for imports only.
func (tx Rows) Count() (Counts, error) {
	var n Counts
	err := tx.sql.Row(`SELECT (SELECT count(*) FROM pocket_readings), (SELECT count(*) FROM pocket_outlets), (SELECT count(*) FROM pocket_ledger),
		(SELECT count(*) FROM pocket_attention), (SELECT count(*) FROM pocket_quality), (SELECT count(*) FROM pocket_predictions)`).
		Scan(&n.Readings, &n.Outlets, &n.Ledger, &n.Attention, &n.Quality, &n.Predictions)
	return n, err
}

// execAndTouch runs a statement and reports whether it changed a row.
func (tx Rows) execAndTouch(query string, args ...any) (bool, error) {
	n, err := tx.sql.ExecAndCountRows(query, args...)
	if n > 0 {
		tx.sql.Touch(store.TopicPockets)
	}
	return n > 0, err
}

// Outlet is a shop or venue of a pocket.
type Outlet struct {
	ID              string             `json:"outlet_id" jsonschema:"required,format=uuid"`
	Dataset         int64              `json:"-"`
	Pocket          string             `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	Name            string             `json:"name" jsonschema:"required,minLength=1,maxLength=200,pattern=^[^\\p{C}]*$" jsonschema_description:"no characters that cannot be printed"`
	Unit            string             `json:"unit,omitempty" jsonschema:"maxLength=40,pattern=^[^\\p{C}]*$" jsonschema_description:"no characters that cannot be printed"`
	Category        string             `json:"category" jsonschema:"required,maxLength=40,pattern=^[a-z0-9]+([_-][a-z0-9]+)*$" jsonschema_description:"lowercase words joined by hyphens"`
	OpensAt         string             `json:"opens_at,omitempty" jsonschema:"pattern=^([01][0-9]|2[0-3]):[0-5][0-9]$" jsonschema_description:"a time of day such as 08:30"` // HH:MM in Singapore, or empty
	ClosesAt        string             `json:"closes_at,omitempty" jsonschema:"pattern=^([01][0-9]|2[0-3]):[0-5][0-9]$" jsonschema_description:"a time of day such as 08:30"`
	Active          bool               `json:"-"`
	RainSensitivity *float64           `json:"rain_sensitivity,omitempty" jsonschema:"minimum=0,maximum=1"`
	DNA             map[string]float64 `json:"dna,omitempty"` // trait to 0..1
}

// PutOutlet adds an outlet or brings it up to date; changed is false when it
// stood so already, or is another data set's.
func (tx Rows) PutOutlet(o Outlet) (changed bool, err error) {
	if o.DNA == nil {
		o.DNA = map[string]float64{}
	}
	dna, err := json.Marshal(o.DNA)
	if err != nil {
		return false, err
	}
	return tx.execAndTouch(`INSERT INTO pocket_outlets AS t(id, dataset, pocket, name, unit, category, opens_at, closes_at, active, rain_sensitivity, dna)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET
		pocket = excluded.pocket, name = excluded.name, unit = excluded.unit, category = excluded.category, opens_at = excluded.opens_at,
		closes_at = excluded.closes_at, active = excluded.active, rain_sensitivity = excluded.rain_sensitivity, dna = excluded.dna
		WHERE t.dataset = excluded.dataset AND (t.pocket, t.name, t.unit, t.category, t.opens_at, t.closes_at, t.active, t.rain_sensitivity, t.dna) IS DISTINCT FROM
		(excluded.pocket, excluded.name, excluded.unit, excluded.category, excluded.opens_at, excluded.closes_at, excluded.active, excluded.rain_sensitivity, excluded.dna)`,
		o.ID, o.Dataset, o.Pocket, o.Name, o.Unit, o.Category, o.OpensAt, o.ClosesAt, o.Active, o.RainSensitivity, string(dna))
}

const outletColumns = `id, dataset, pocket, name, unit, category, opens_at, closes_at, active, rain_sensitivity, dna`

func (o *Outlet) fields() []any {
	return []any{&o.ID, &o.Dataset, &o.Pocket, &o.Name, &o.Unit, &o.Category, &o.OpensAt, &o.ClosesAt, &o.Active, &o.RainSensitivity, query.FromJSON(&o.DNA)}
}

// OutletByID returns an outlet, and false when there is none of this id.
func (tx Rows) OutletByID(id string) (Outlet, bool, error) {
	return query.Find(tx.sql, (*Outlet).fields, `SELECT `+outletColumns+` FROM pocket_outlets WHERE id = ?`, id)
}

// ActiveOutlets lists active outlets of a pocket by id.
func (tx Rows) ActiveOutlets(pocket string, limit int) ([]Outlet, error) {
	return query.Select(tx.sql, (*Outlet).fields, `SELECT `+outletColumns+` FROM pocket_outlets WHERE pocket = ? AND active = 1 ORDER BY id LIMIT ?`, pocket, limit)
}

// The rows of one data set, each handed to f in a fixed order. They read whole
// tables, so they are for exports only.

// EachReading hands out readings by pocket and time.
func (tx Rows) EachReading(dataset int64, f func(Reading) error) error {
	return query.EachRow(tx.sql, (*Reading).fields, f, `SELECT `+readingColumns+` FROM pocket_readings r WHERE r.dataset = ? ORDER BY r.pocket, r.captured_at`, dataset)
}

// EachOutlet hands out outlets by id.
func (tx Rows) EachOutlet(dataset int64, f func(Outlet) error) error {
	return query.EachRow(tx.sql, (*Outlet).fields, f, `SELECT `+outletColumns+` FROM pocket_outlets WHERE dataset = ? ORDER BY id`, dataset)
}

// EachLedgerEntry hands out ledger entries by pocket and time.
func (tx Rows) EachLedgerEntry(dataset int64, f func(LedgerEntry) error) error {
	return query.EachRow(tx.sql, func(e *LedgerEntry) []any {
		return []any{&e.Pocket, &e.OccurredAt, &e.Outlet, &e.Entry, &e.Dataset, &e.WasteAvoided, &e.IdleReclaimed, &e.Trips, &e.AttentionSaved, &e.Dollars}
	}, f, `SELECT pocket, occurred_at, outlet, entry, dataset, waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, dollar_value_sgd
		FROM pocket_ledger WHERE dataset = ? ORDER BY pocket, occurred_at, outlet, entry`, dataset)
}

// EachAttention hands out attention events by pocket and time.
func (tx Rows) EachAttention(dataset int64, f func(Attention) error) error {
	return query.EachRow(tx.sql, func(a *Attention) []any {
		return []any{&a.Pocket, &a.OccurredAt, &a.Kind, &a.User, &a.Outlet, &a.Event, &a.Dataset}
	}, f, `SELECT pocket, occurred_at, kind, "user", outlet, event, dataset FROM pocket_attention WHERE dataset = ? ORDER BY pocket, occurred_at, kind, "user", outlet, event`, dataset)
}

// EachImportedQuality hands out the factors that were imported, not those that
// were derived here, by pocket and time.
func (tx Rows) EachImportedQuality(dataset int64, f func(Quality) error) error {
	return query.EachRow(tx.sql, (*Quality).fields, f, `SELECT `+qualityColumns+` FROM pocket_quality q WHERE q.dataset = ? AND q.computed = 0 ORDER BY q.pocket, q.computed_at`, dataset)
}

// EachPrediction hands out predictions in the order they were stored.
func (tx Rows) EachPrediction(dataset int64, f func(Prediction) error) error {
	return query.EachRow(tx.sql, (*Prediction).fields, f, `SELECT `+predictionColumns+` FROM pocket_predictions p WHERE p.dataset = ? ORDER BY p.seq`, dataset)
}
