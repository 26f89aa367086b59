package pockets

import (
	"context"
	"time"

	"toolkit/store"
	"toolkit/store/pockets"
)

// maxDayRows bounds what is read of two days.
const maxDayRows = 6000

// Point is a reading of a pocket with the moment quality that held then: the
// last one computed up to a quarter of an hour after it and at most an hour
// before; nil: there is none.
type Point struct {
	At     time.Time `json:"at"`
	Calm   float64   `json:"calm"`
	Stress float64   `json:"stress"`
	MQS    *float64  `json:"mqs"`
}

// pointSpan is how long after its reading a quality may be computed, in
// milliseconds.
const pointSpan = 15 * 60 * 1000

// ReadSeries reads what was observed in a pocket from a moment on and before
// another, oldest first, at most some thousand readings.
func ReadSeries(ctx context.Context, db *store.DB, pocket string, from, until time.Time) ([]Point, error) {
	var points []Point
	err := db.Read(ctx, func(tx *store.Tx) error {
		first, last := from.UnixMilli()-1, until.UnixMilli()-1
		list, err := pockets.In(tx).ReadingsBetween(pocket, first, last, maxDayRows)
		if err != nil {
			return err
		}
		for _, r := range list {
			points = append(points, Point{At: time.UnixMilli(r.CapturedAt).UTC(), Calm: r.Calm, Stress: r.Stress})
		}
		rows, err := pockets.In(tx).QualityBetween(pocket, first-hourMillis, last+pointSpan, maxDayRows)
		if err != nil {
			return err
		}
		addQualityToPoints(points, rows)
		return nil
	})
	return points, err
}

// addQualityToPoints gives each point the quality that held.
func addQualityToPoints(points []Point, rows []pockets.Quality) {
	next := 0
	for i := range points {
		at := points[i].At.UnixMilli()
		for next < len(rows) && rows[next].ComputedAt <= at+pointSpan {
			next++
		}
		if next > 0 && at-rows[next-1].ComputedAt <= hourMillis {
			points[i].MQS = new(momentQuality(rows[next-1]))
		}
	}
}
