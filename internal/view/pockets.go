package view

import (
	"context"
	"slices"
	"time"

	"toolkit/fixtures"
	"toolkit/store"
	pocketsrows "toolkit/store/pockets"
	"toolkit/tools"
	"toolkit/tools/pockets"
)

// maxReadings bounds a day of readings: one a minute.
const maxReadings = 24 * 60

// pocket is a place with readings.
type pocket struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	LastReading time.Time `json:"last_reading"`
	Source      string    `json:"source,omitempty"` // the data set the readings came with
}

// listPockets lists the pockets that have readings, the last one read first.
func (s *Server) listPockets(ctx context.Context, q *query) (any, error) {
	var list []pocket
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) (err error) {
		list, err = readPockets(tx, s.o.Store.Now())
		return err
	})
	return map[string]any{"pockets": tools.OrEmpty(list)}, err
}

func readPockets(tx *store.Tx, now time.Time) (list []pocket, err error) {
	var ids []string
	names := map[string]string{}
	for _, p := range fixtures.Pockets() {
		ids = append(ids, p.ID)
		names[p.ID] = p.Name
	}
	datasets, err := pocketsrows.In(tx).Datasets()
	if err != nil {
		return nil, err
	}
	sources := map[int64]string{}
	for _, d := range datasets {
		if sources[d.Seq] = d.Source; d.Synthetic {
			sources[d.Seq] += " (made up for demonstration)"
		}
	}
	latest, err := pocketsrows.In(tx).ReadingsUpToEachLatest(ids, now.UnixMilli(), 0, len(ids))
	for _, r := range latest {
		list = append(list, pocket{ID: r.Pocket, Name: names[r.Pocket], LastReading: time.UnixMilli(r.CapturedAt).UTC(), Source: sources[r.Dataset]})
	}
	slices.SortStableFunc(list, func(x, y pocket) int { return y.LastReading.Compare(x.LastReading) })
	return list, err
}

// readPocketDay returns the readings of a pocket within a day of 24 hours, the first first.
func (s *Server) readPocketDay(ctx context.Context, q *query) (any, error) {
	pocket, from := q.readRequiredText("pocket"), q.readRequiredText("from")
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		q.reject("from must be a time such as 2026-01-31T00:00:00Z.")
	}
	if q.fault != nil {
		return nil, q.fault
	}
	list, err := pockets.ReadSeries(ctx, s.o.Store, pocket, start, start.Add(24*time.Hour))
	return map[string]any{"pocket": pocket, "from": start, "readings": tools.OrEmpty(list[:min(len(list), maxReadings)])}, err
}
