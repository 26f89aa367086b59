package pockets

import (
	"context"
	"time"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

// maxHourReadings bounds what is read of an hour of all pockets: a reading a
// second of each fits.
const maxHourReadings = 100_000

// evidence is what is known of a pocket at a moment.
type evidence struct {
	pocket    string
	now       int64
	readings  []pockets.Reading // of the hour up to the latest one, oldest first
	attention int               // events of the last hour
	quality   *pockets.Quality  // latest row
	previous  *pockets.Quality  // the one before
	datasets  []pockets.Dataset // all there are
}

// loadEvidence reads what is known of pockets at a moment, in a fixed number of
// queries. Nothing that lies after now counts.
func loadEvidence(tx pockets.Rows, pocketIDs []string, now int64) (map[string]*evidence, error) {
	found := map[string]*evidence{}
	datasets, err := tx.Datasets()
	if err != nil {
		return nil, err
	}
	counts, err := tx.AttentionCounts(pocketIDs, now-hourMillis, now)
	if err != nil {
		return nil, err
	}
	for _, p := range pocketIDs {
		found[p] = &evidence{pocket: p, now: now, attention: counts[p], datasets: datasets}
	}
	readings, err := tx.ReadingsUpToEachLatest(pocketIDs, now, hourMillis, maxHourReadings)
	if err != nil {
		return nil, err
	}
	for _, r := range readings {
		found[r.Pocket].readings = append(found[r.Pocket].readings, r)
	}
	quality, err := tx.LatestQuality(pocketIDs, now)
	if err != nil {
		return nil, err
	}
	for i := range quality {
		e := found[quality[i].Pocket]
		if e.quality == nil {
			e.quality = &quality[i]
		} else {
			e.previous = &quality[i]
		}
	}
	return found, nil
}

// loadPocketEvidence reads what is known of one pocket.
func loadPocketEvidence(tx pockets.Rows, pocket string, now int64) (*evidence, error) {
	found, err := loadEvidence(tx, []string{pocket}, now)
	return found[pocket], err
}

// readPocket resolves what a caller gave as pocket_id and reads what is known of it now.
func (f *family) readPocket(ctx context.Context, name string) (place, *evidence, error) {
	p, err := resolvePlace(name)
	if err != nil {
		return p, nil, err
	}
	e, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (*evidence, error) { return loadPocketEvidence(pockets.In(tx), p.ID, f.now()) })
	return p, e, err
}

// moment is the composed read of a pocket, unrounded.
type moment struct {
	latest     pockets.Reading
	calm       float64
	saturation float64
	friction   float64
	fragility  float64
	halfLife   int
	expires    int64
	reasons    []string // for silence
}

// computeMoment composes the read of the pocket; false when the latest reading is older
// than an hour, or there is none.
func (e *evidence) computeMoment() (moment, bool) {
	if len(e.readings) == 0 || e.now-e.latest().CapturedAt > hourMillis {
		return moment{}, false
	}
	m := moment{latest: e.latest(), calm: calmProbability(e.readings)}
	m.saturation = signalSaturation(m.latest.Saturation, e.attention)
	m.friction = movementFriction(m.latest)
	m.fragility = fragility(m.calm, m.friction, m.latest.SocialEnergy)
	m.halfLife = halfLife(m.calm, m.saturation)
	m.expires = m.latest.CapturedAt + windowMillis
	m.reasons = silenceReasons(m.saturation, m.calm)
	return m, true
}

// latest is the newest reading; there must be one.
func (e *evidence) latest() pockets.Reading { return e.readings[len(e.readings)-1] }

// qualityScore returns the latest moment quality with its band; false when there is none, or
// none of the last hour and it has to be fresh.
func (e *evidence) qualityScore(onlyLastHour bool) (mqs float64, band string, ok bool) {
	if e.quality == nil || (onlyLastHour && e.now-e.quality.ComputedAt > hourMillis) {
		return 0, "", false
	}
	mqs = momentQuality(*e.quality)
	return mqs, qualityBand(mqs, e.previousScore()), true
}

// previousScore is the score before the latest; nil when there is none.
func (e *evidence) previousScore() *float64 {
	if e.previous == nil {
		return nil
	}
	return new(momentQuality(*e.previous))
}

// origin is whose rows the evidence consists of.
func (e *evidence) origin() origin {
	rows := make([]int64, len(e.readings))
	for i, r := range e.readings {
		rows[i] = r.Dataset
	}
	if e.quality != nil {
		rows = append(rows, e.quality.Dataset)
	}
	return selectOrigin(e.datasets, true, rows...)
}

// readingsAnHour is how many readings an hour should have, both ends included.
const readingsAnHour = 5

// rateEvidence returns how far the evidence carries hints. Rows as imported are high, what
// was computed from them medium, made-up or old ones low.
func rateEvidence(o origin, age int64, n, expected int) tools.Evidence {
	e := tools.Evidence{
		Quality: tools.QualityHigh, Present: n, Expected: expected, Age: time.Duration(max(0, age)) * time.Millisecond,
		Validity: tools.MediumTerm, Samples: n, Sampled: true,
	}
	switch {
	case n == 0:
		e.Quality = tools.QualityUnknown
	case o.synthetic() || age > hourMillis:
		e.Quality = tools.QualityLow
	case o.computed:
		e.Quality = tools.QualityMedium
	}
	return e
}

// rateMomentEvidence is rateEvidence for what rests on the readings of the last hour.
func (e *evidence) rateMomentEvidence() tools.Evidence {
	if len(e.readings) == 0 {
		return rateEvidence(origin{}, 0, 0, readingsAnHour)
	}
	return rateEvidence(e.origin(), e.now-e.latest().CapturedAt, len(e.readings), readingsAnHour)
}
