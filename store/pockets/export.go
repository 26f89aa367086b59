package pockets

import "toolkit/store/internal/query"

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
