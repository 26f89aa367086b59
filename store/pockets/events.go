package pockets

import (
	"toolkit/store/internal/query"
)

// LedgerEntry is a row of the sustainability ledger; what it does not state is
// nil.
type LedgerEntry struct {
	Pocket     string `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	OccurredAt int64  `json:"-"`
	Outlet     string `json:"outlet_id,omitempty" jsonschema:"format=uuid"`                                                                                    // empty: the pocket as a whole
	Entry      string `json:"entry_id,omitempty" jsonschema:"maxLength=80,pattern=^[^\\p{C}]*$" jsonschema_description:"no characters that cannot be printed"` // tells entries of one moment apart
	Dataset    int64  `json:"-"`
	LedgerSums
}

// LedgerSums are the measures of the ledger, of an entry or of many.
type LedgerSums struct {
	WasteAvoided   *float64 `json:"waste_avoided_units,omitempty" jsonschema:"minimum=-1e12,maximum=1e12"`
	IdleReclaimed  *float64 `json:"idle_reclaimed_hours,omitempty" jsonschema:"minimum=-1e12,maximum=1e12"`
	Trips          *float64 `json:"purposeful_trips,omitempty" jsonschema:"minimum=-1e12,maximum=1e12"`
	AttentionSaved *float64 `json:"attention_saved_count,omitempty" jsonschema:"minimum=-1e12,maximum=1e12"`
	Dollars        *float64 `json:"dollar_value_sgd,omitempty" jsonschema:"minimum=-1e12,maximum=1e12"`
}

// PutLedgerEntry adds an entry or corrects it; changed is false when it stood so
// already, or is another data set's.
func (tx Rows) PutLedgerEntry(e LedgerEntry) (changed bool, err error) {
	return tx.execAndTouch(`INSERT INTO pocket_ledger AS t(pocket, occurred_at, outlet, entry, dataset, waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, dollar_value_sgd)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(pocket, occurred_at, outlet, entry) DO UPDATE SET
		waste_avoided_units = excluded.waste_avoided_units, idle_reclaimed_hours = excluded.idle_reclaimed_hours, purposeful_trips = excluded.purposeful_trips,
		attention_saved_count = excluded.attention_saved_count, dollar_value_sgd = excluded.dollar_value_sgd
		WHERE t.dataset = excluded.dataset AND (t.waste_avoided_units, t.idle_reclaimed_hours, t.purposeful_trips, t.attention_saved_count, t.dollar_value_sgd) IS DISTINCT FROM
		(excluded.waste_avoided_units, excluded.idle_reclaimed_hours, excluded.purposeful_trips, excluded.attention_saved_count, excluded.dollar_value_sgd)`,
		e.Pocket, e.OccurredAt, e.Outlet, e.Entry, e.Dataset, e.WasteAvoided, e.IdleReclaimed, e.Trips, e.AttentionSaved, e.Dollars)
}

// LedgerTotal is what a pocket's ledger amounts to over a window.
type LedgerTotal struct {
	LedgerSums
	Entries  int
	Outlets  int     // how many stand behind it
	Latest   int64   // newest entry
	Datasets []int64 // where the entries came from, at most ten
}

// SumLedger adds up the entries of a pocket after from, up to and with to.
func (tx Rows) SumLedger(pocket string, from, to int64) (LedgerTotal, error) {
	var t LedgerTotal
	const where = ` FROM pocket_ledger WHERE pocket = ? AND occurred_at > ? AND occurred_at <= ?`
	err := tx.sql.Row(`SELECT count(*), count(DISTINCT nullif(outlet, '')), coalesce(max(occurred_at), 0), sum(waste_avoided_units), sum(idle_reclaimed_hours),
		sum(purposeful_trips), sum(attention_saved_count), sum(dollar_value_sgd)`+where, pocket, from, to).
		Scan(&t.Entries, &t.Outlets, &t.Latest, &t.WasteAvoided, &t.IdleReclaimed, &t.Trips, &t.AttentionSaved, &t.Dollars)
	if err != nil || t.Entries == 0 {
		return t, err
	}
	t.Datasets, err = tx.sql.IDs(`SELECT DISTINCT dataset`+where+` ORDER BY dataset LIMIT 10`, pocket, from, to)
	return t, err
}

// Attention is something surfaced to somebody, or how that was taken.
type Attention struct {
	Pocket     string `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	OccurredAt int64  `json:"-"`
	Kind       string `json:"event" jsonschema:"required,enum=surfaced,enum=dismissed,enum=accepted"`
	User       string `json:"user_id,omitempty" jsonschema:"maxLength=80,pattern=^[^\\p{C}]*$" jsonschema_description:"no characters that cannot be printed"`
	Outlet     string `json:"outlet_id,omitempty" jsonschema:"format=uuid"`
	Event      string `json:"event_id,omitempty" jsonschema:"maxLength=80,pattern=^[^\\p{C}]*$" jsonschema_description:"no characters that cannot be printed"` // tells events of one moment apart
	Dataset    int64  `json:"-"`
}

// PutAttention adds an event unless it is there.
func (tx Rows) PutAttention(a Attention) (changed bool, err error) {
	return tx.execAndTouch(`INSERT INTO pocket_attention(pocket, occurred_at, kind, "user", outlet, event, dataset) VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		a.Pocket, a.OccurredAt, a.Kind, a.User, a.Outlet, a.Event, a.Dataset)
}

// AttentionCounts counts the events of each pocket after from, up to and with to.
func (tx Rows) AttentionCounts(pockets []string, from, to int64) (map[string]int, error) {
	return query.Map[string, int](tx.sql, `SELECT p.value, (SELECT count(*) FROM pocket_attention a WHERE a.pocket = p.value AND a.occurred_at > ?2 AND a.occurred_at <= ?3) FROM json_each(?1) p`,
		query.List(pockets), from, to)
}

// AttentionShare is how many events there were, of them how many were accepted,
// and how many outlets they concern.
type AttentionShare struct{ Events, Accepted, Outlets int }

// AttentionAtHour counts the events of a pocket after from, up to and with to,
// at one hour of the local day; at hour -1, of all hours.
func (tx Rows) AttentionAtHour(pocket string, from, to int64, hour int, zone int64) (AttentionShare, error) {
	var s AttentionShare
	err := tx.sql.Row(`SELECT count(*), coalesce(sum(kind = 'accepted'), 0), count(DISTINCT nullif(outlet, '')) FROM pocket_attention
		WHERE pocket = ?1 AND occurred_at > ?2 AND occurred_at <= ?3 AND (?4 < 0 OR ((occurred_at + ?5) / 3600000) % 24 = ?4)`, pocket, from, to, hour, zone).
		Scan(&s.Events, &s.Accepted, &s.Outlets)
	return s, err
}

// DecayedAttention adds up the events of a user after from, up to and with to,
// by kind. Each counts less the older it is: half after every half-life.
func (tx Rows) DecayedAttention(user string, from, to, halfLife int64) (map[string]float64, error) {
	return query.Map[string, float64](tx.sql, `SELECT kind, sum(pow(0.5, (?3 - occurred_at) * 1.0 / ?4)) FROM pocket_attention WHERE "user" = ?1 AND "user" <> '' AND occurred_at > ?2 AND occurred_at <= ?3 GROUP BY kind`,
		user, from, to, halfLife)
}

// Quality is a row of moment quality: five factors, 0..1.
type Quality struct {
	Pocket      string   `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	ComputedAt  int64    `json:"-"`
	Dataset     int64    `json:"-"`
	Computed    bool     `json:"-"` // derived here
	Usefulness  float64  `json:"usefulness" jsonschema:"required,minimum=0,maximum=1"`
	Urgency     float64  `json:"urgency" jsonschema:"required,minimum=0,maximum=1"`
	Calmness    float64  `json:"calmness" jsonschema:"required,minimum=0,maximum=1"`
	MerchantFit float64  `json:"merchant_fit" jsonschema:"required,minimum=0,maximum=1"`
	UserNeed    float64  `json:"user_need" jsonschema:"required,minimum=0,maximum=1"`
	Neutral     []string `json:"-"` // factors that had no evidence
}

// PutQuality adds factors. Imported ones replace those derived here; changed is
// false when they stood so already or may not be replaced.
func (tx Rows) PutQuality(q Quality) (changed bool, err error) {
	return tx.execAndTouch(`INSERT INTO pocket_quality AS t(pocket, computed_at, dataset, computed, usefulness, urgency, calmness, merchant_fit, user_need, neutral)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(pocket, computed_at) DO UPDATE SET dataset = excluded.dataset, computed = excluded.computed,
		usefulness = excluded.usefulness, urgency = excluded.urgency, calmness = excluded.calmness, merchant_fit = excluded.merchant_fit, user_need = excluded.user_need, neutral = excluded.neutral
		WHERE ((t.computed = 1 AND excluded.computed = 0) OR t.dataset = excluded.dataset AND t.computed = excluded.computed) AND (t.dataset, t.computed, t.usefulness, t.urgency, t.calmness, t.merchant_fit, t.user_need, t.neutral) IS DISTINCT FROM
		(excluded.dataset, excluded.computed, excluded.usefulness, excluded.urgency, excluded.calmness, excluded.merchant_fit, excluded.user_need, excluded.neutral)`,
		q.Pocket, q.ComputedAt, q.Dataset, q.Computed, q.Usefulness, q.Urgency, q.Calmness, q.MerchantFit, q.UserNeed, query.List(q.Neutral))
}

const qualityColumns = `q.pocket, q.computed_at, q.dataset, q.computed, q.usefulness, q.urgency, q.calmness, q.merchant_fit, q.user_need, q.neutral`

// LatestQuality returns, of each pocket, the two newest rows up to now, the
// newest first.
func (tx Rows) LatestQuality(pockets []string, now int64) ([]Quality, error) {
	return query.Select(tx.sql, (*Quality).fields, `SELECT `+qualityColumns+` FROM json_each(?1) p JOIN pocket_quality q ON q.pocket = p.value AND q.computed_at IN
		(SELECT computed_at FROM pocket_quality WHERE pocket = p.value AND computed_at <= ?2 ORDER BY computed_at DESC LIMIT 2)
		ORDER BY q.pocket, q.computed_at DESC`, query.List(pockets), now)
}

// QualityBetween returns the rows of a pocket after from, up to and with to,
// oldest first, at most limit.
func (tx Rows) QualityBetween(pocket string, from, to int64, limit int) ([]Quality, error) {
	return query.Select(tx.sql, (*Quality).fields, `SELECT `+qualityColumns+` FROM pocket_quality q WHERE q.pocket = ? AND q.computed_at > ? AND q.computed_at <= ? ORDER BY q.computed_at LIMIT ?`, pocket, from, to, limit)
}

func (q *Quality) fields() []any {
	return []any{&q.Pocket, &q.ComputedAt, &q.Dataset, &q.Computed, &q.Usefulness, &q.Urgency, &q.Calmness, &q.MerchantFit, &q.UserNeed, query.FromJSON(&q.Neutral)}
}
