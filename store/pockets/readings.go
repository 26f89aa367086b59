package pockets

import "toolkit/store/internal/query"

// Reading is the atmosphere of a pocket at a moment; numbers are 0..1.
type Reading struct {
	Pocket       string   `json:"pocket_id" jsonschema:"required,minLength=1,maxLength=200"`
	CapturedAt   int64    `json:"-"`
	Dataset      int64    `json:"-"`
	Stress       float64  `json:"stress" jsonschema:"required,minimum=0,maximum=1"`
	Calm         float64  `json:"calm" jsonschema:"required,minimum=0,maximum=1"`
	SocialEnergy float64  `json:"social_energy" jsonschema:"required,minimum=0,maximum=1"`
	Productive   float64  `json:"productive" jsonschema:"required,minimum=0,maximum=1"`
	Saturation   *float64 `json:"signal_saturation,omitempty" jsonschema:"minimum=0,maximum=1"` // nil: not recorded
	Friction     *float64 `json:"movement_friction,omitempty" jsonschema:"minimum=0,maximum=1"` // nil: not recorded
	PrimaryState string   `json:"primary_state" jsonschema:"required,maxLength=40,pattern=^[a-z0-9]+([_-][a-z0-9]+)*$" jsonschema_description:"lowercase words joined by hyphens"`
	Anomaly      bool     `json:"anomaly_flag"`
}

// PutReading adds a reading or corrects it; changed is false when it stood so
// already, or is another data set's: of two sources the first keeps its word.
func (tx Rows) PutReading(r Reading) (changed bool, err error) {
	return tx.execAndTouch(`INSERT INTO pocket_readings AS t(pocket, captured_at, dataset, stress, calm, social_energy, productive, signal_saturation, movement_friction, primary_state, anomaly)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(pocket, captured_at) DO UPDATE SET
		stress = excluded.stress, calm = excluded.calm, social_energy = excluded.social_energy, productive = excluded.productive,
		signal_saturation = excluded.signal_saturation, movement_friction = excluded.movement_friction, primary_state = excluded.primary_state, anomaly = excluded.anomaly
		WHERE t.dataset = excluded.dataset AND (t.stress, t.calm, t.social_energy, t.productive, t.signal_saturation, t.movement_friction, t.primary_state, t.anomaly) IS DISTINCT FROM
		(excluded.stress, excluded.calm, excluded.social_energy, excluded.productive, excluded.signal_saturation, excluded.movement_friction, excluded.primary_state, excluded.anomaly)`,
		r.Pocket, r.CapturedAt, r.Dataset, r.Stress, r.Calm, r.SocialEnergy, r.Productive, r.Saturation, r.Friction, r.PrimaryState, r.Anomaly)
}

const readingColumns = `r.pocket, r.captured_at, r.dataset, r.stress, r.calm, r.social_energy, r.productive, r.signal_saturation, r.movement_friction, r.primary_state, r.anomaly`

func (r *Reading) fields() []any {
	return []any{&r.Pocket, &r.CapturedAt, &r.Dataset, &r.Stress, &r.Calm, &r.SocialEnergy, &r.Productive, &r.Saturation, &r.Friction, &r.PrimaryState, &r.Anomaly}
}

// ReadingsUpToEachLatest returns, of each pocket, the latest reading up to now and those
// of the span before it, both ends included, oldest first and at most limit in
// all.
func (tx Rows) ReadingsUpToEachLatest(pockets []string, now, span int64, limit int) ([]Reading, error) {
	return query.Select(tx.sql, (*Reading).fields, `SELECT `+readingColumns+` FROM
		(SELECT p.value AS pocket, (SELECT max(captured_at) FROM pocket_readings WHERE pocket = p.value AND captured_at <= ?2) AS latest FROM json_each(?1) p) l
		JOIN pocket_readings r ON r.pocket = l.pocket AND r.captured_at BETWEEN l.latest - ?3 AND l.latest
		ORDER BY r.pocket, r.captured_at LIMIT ?4`, query.List(pockets), now, span, limit)
}

// ReadingsBetween returns the readings of a pocket after from, up to and with
// to, oldest first; of more than limit the newest.
func (tx Rows) ReadingsBetween(pocket string, from, to int64, limit int) ([]Reading, error) {
	return query.Select(tx.sql, (*Reading).fields, `SELECT * FROM (SELECT `+readingColumns+` FROM pocket_readings r WHERE r.pocket = ? AND r.captured_at > ? AND r.captured_at <= ?
		ORDER BY r.captured_at DESC LIMIT ?) ORDER BY captured_at`, pocket, from, to, limit)
}

// NearestReading returns the reading of a pocket nearest to a moment and at most
// within away from it, none of them after now; of two as near the earlier.
func (tx Rows) NearestReading(pocket string, at, within, now int64) (Reading, bool, error) {
	return query.Find(tx.sql, (*Reading).fields, `SELECT `+readingColumns+` FROM pocket_readings r
		WHERE r.pocket = ?1 AND r.captured_at BETWEEN ?2 - ?3 AND min(?2 + ?3, ?4) ORDER BY abs(r.captured_at - ?2), r.captured_at LIMIT 1`, pocket, at, within, now)
}

// CountReadingsAndActive is how many readings the pockets have after from, up to and with
// to, and how many pockets have any.
func (tx Rows) CountReadingsAndActive(pockets []string, from, to int64) (readings, active int, err error) {
	err = tx.sql.Row(`SELECT coalesce(sum(n), 0), coalesce(sum(n > 0), 0) FROM
		(SELECT (SELECT count(*) FROM pocket_readings r WHERE r.pocket = p.value AND r.captured_at > ?2 AND r.captured_at <= ?3) AS n FROM json_each(?1) p)`,
		query.List(pockets), from, to).Scan(&readings, &active)
	return readings, active, err
}

// SlotMean is what the readings of one part of the day amount to.
type SlotMean struct {
	Slot       int // parts of the day since local midnight
	Readings   int
	Calm       float64
	Stress     float64
	Saturation float64
}

// SlotMeans averages the readings of a pocket after from, up to and with to, by
// part of the local day. A saturation that was not recorded is the attention
// events of the hour before, in tenths.
func (tx Rows) SlotMeans(pocket string, from, to, slot, zone int64) ([]SlotMean, error) {
	const day = 24 * 60 * 60 * 1000
	return query.Select(tx.sql, func(s *SlotMean) []any { return []any{&s.Slot, &s.Readings, &s.Calm, &s.Stress, &s.Saturation} }, `SELECT ((r.captured_at + ?5) % ?6) / ?4 AS slot, count(*), avg(r.calm), avg(r.stress),
		avg(coalesce(r.signal_saturation, min(1.0, (SELECT count(*) FROM pocket_attention a
			WHERE a.pocket = r.pocket AND a.occurred_at > r.captured_at - 3600000 AND a.occurred_at <= r.captured_at) / 10.0)))
		FROM pocket_readings r WHERE r.pocket = ?1 AND r.captured_at > ?2 AND r.captured_at <= ?3 GROUP BY slot ORDER BY slot`,
		pocket, from, to, slot, zone, day)
}
