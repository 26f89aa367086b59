package readings

import "toolkit/store/internal/query"

// The rows of one data set, each handed to f in a fixed order. They read whole
// tables, so they are for exports only.

// EachReading hands out readings by pocket and time.
func (tx Rows) EachReading(dataset int64, f func(Reading) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		r, err := scanReading(scan)
		if err != nil {
			return err
		}
		return f(r)
	}, `SELECT `+readingColumns+` FROM pocket_readings r WHERE r.dataset = ? ORDER BY r.pocket, r.captured_at`, dataset)
}

// EachOutlet hands out outlets by id.
func (tx Rows) EachOutlet(dataset int64, f func(Outlet) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		o, err := scanOutlet(scan)
		if err != nil {
			return err
		}
		return f(o)
	}, `SELECT `+outletColumns+` FROM pocket_outlets WHERE dataset = ? ORDER BY id`, dataset)
}

// EachLedgerEntry hands out ledger entries by pocket and time.
func (tx Rows) EachLedgerEntry(dataset int64, f func(LedgerEntry) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		var e LedgerEntry
		if err := scan(&e.Pocket, &e.OccurredAt, &e.Outlet, &e.Entry, &e.Dataset, &e.WasteAvoided, &e.IdleReclaimed, &e.Trips, &e.AttentionSaved, &e.Dollars); err != nil {
			return err
		}
		return f(e)
	}, `SELECT pocket, occurred_at, outlet, entry, dataset, waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, dollar_value_sgd
		FROM pocket_ledger WHERE dataset = ? ORDER BY pocket, occurred_at, outlet, entry`, dataset)
}

// EachAttention hands out attention events by pocket and time.
func (tx Rows) EachAttention(dataset int64, f func(Attention) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		var a Attention
		if err := scan(&a.Pocket, &a.OccurredAt, &a.Kind, &a.User, &a.Outlet, &a.Event, &a.Dataset); err != nil {
			return err
		}
		return f(a)
	}, `SELECT pocket, occurred_at, kind, "user", outlet, event, dataset FROM pocket_attention WHERE dataset = ? ORDER BY pocket, occurred_at, kind, "user", outlet, event`, dataset)
}

// EachImportedQuality hands out the factors that were imported, not those that
// were derived here, by pocket and time.
func (tx Rows) EachImportedQuality(dataset int64, f func(Quality) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		var q Quality
		var neutral string
		if err := scan(&q.Pocket, &q.ComputedAt, &q.Dataset, &q.Computed, &q.Usefulness, &q.Urgency, &q.Calmness, &q.MerchantFit, &q.UserNeed, &neutral); err != nil {
			return err
		}
		return f(q)
	}, `SELECT `+qualityColumns+` FROM pocket_quality q WHERE q.dataset = ? AND q.computed = 0 ORDER BY q.pocket, q.computed_at`, dataset)
}

// EachPrediction hands out predictions in the order they were stored.
func (tx Rows) EachPrediction(dataset int64, f func(Prediction) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		p, err := scanPrediction(scan)
		if err != nil {
			return err
		}
		return f(p)
	}, `SELECT `+predictionColumns+` FROM pocket_predictions p WHERE p.dataset = ? ORDER BY p.seq`, dataset)
}
