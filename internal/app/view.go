package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"toolkit/fixtures"
	"toolkit/internal/view"
	"toolkit/store"
	pocketsrows "toolkit/store/pockets"
	"toolkit/store/telemetry"
	"toolkit/tools/pockets"
)

// ViewOptions are what the page of toolkit view shows, and changes where the app is
// not open read-only.
func (a *App) ViewOptions() (view.Options, error) {
	reader, err := a.Server.Pipeline.ReadOnly()
	o := view.Options{
		Store: a.Store, Pipeline: reader, Version: Version, Files: a.files,
		Pockets: viewedPockets{a.Store}, Calls: viewedCalls{a.Store},
	}
	if a.Server.Pipeline.Writes() {
		o.Writer = a.Server.Pipeline
	}
	return o, err
}

// viewedPockets shows the days of pockets.
type viewedPockets struct{ db *store.DB }

// Pockets lists the pockets that have readings.
func (v viewedPockets) Pockets(ctx context.Context) ([]view.Pocket, error) {
	var ids []string
	names := map[string]string{}
	for _, p := range fixtures.Pockets() {
		ids = append(ids, p.ID)
		names[p.ID] = p.Name
	}
	var list []view.Pocket
	err := v.db.Read(ctx, func(tx *store.Tx) error {
		datasets, err := pocketsrows.In(tx).Datasets()
		if err != nil {
			return err
		}
		sources := map[int64]string{}
		for _, d := range datasets {
			if sources[d.Seq] = d.Source; d.Synthetic {
				sources[d.Seq] += " (made up for demonstration)"
			}
		}
		latest, err := pocketsrows.In(tx).LatestReadings(ids, v.db.Now().UnixMilli(), 0, len(ids))
		for _, r := range latest {
			list = append(list, view.Pocket{ID: r.Pocket, Name: names[r.Pocket], LastReading: time.UnixMilli(r.CapturedAt).UTC(), Source: sources[r.Dataset]})
		}
		return err
	})
	slices.SortStableFunc(list, func(x, y view.Pocket) int { return y.LastReading.Compare(x.LastReading) })
	return list, err
}

// Day is a day of a pocket.
func (v viewedPockets) Day(ctx context.Context, pocket string, from time.Time) ([]view.PocketReading, error) {
	points, err := pockets.ReadSeries(ctx, v.db, pocket, from, from.Add(24*time.Hour))
	list := make([]view.PocketReading, len(points))
	for i, p := range points {
		list[i] = view.PocketReading{At: p.At, Calm: &p.Calm, Stress: &p.Stress, MQS: p.MQS}
	}
	return list, err
}

// viewedCalls shows what calls cost.
type viewedCalls struct{ db *store.DB }

var outcomes = []string{"success", "validation", "business", "system"}

// Report sums up the recorded calls since a time. Durations are measured per
// tool; the log of single calls has none.
func (v viewedCalls) Report(ctx context.Context, since time.Time, recent int) (view.CallReport, error) {
	var report view.CallReport
	err := v.db.Read(ctx, func(tx *store.Tx) error {
		newest, err := telemetry.In(tx).NewestCalls(recent)
		if err != nil {
			return err
		}
		for _, c := range newest {
			outcome := "unknown"
			if c.Outcome >= 0 && int(c.Outcome) < len(outcomes) {
				outcome = outcomes[c.Outcome]
			}
			report.Recent = append(report.Recent, view.RecentCall{At: time.UnixMilli(c.At).UTC(), Tool: c.Tool, Agent: c.Agent, Outcome: outcome})
		}
		report.Tools, err = sumToolCalls(telemetry.In(tx), since.UnixMilli(), v.db.Now().UnixMilli())
		return err
	})
	return report, err
}

// sumToolCalls sums up the samples of each tool's calls in a range of time.
func sumToolCalls(tx telemetry.Rows, from, to int64) ([]view.ToolCalls, error) {
	series, err := tx.Series()
	if err != nil {
		return nil, err
	}
	known := map[int64]telemetry.Series{}
	var ids []int64
	for _, s := range series {
		if s.Name == "call" {
			known[s.ID] = s
			ids = append(ids, s.ID)
		}
	}
	sums, values := map[string]*view.ToolCalls{}, map[string][]int64{}
	err = tx.EachChunk(ids, from, to, func(c *telemetry.Chunk) error {
		s := known[c.Series]
		sum := sums[s.Tool]
		if sum == nil {
			sum = &view.ToolCalls{Tool: s.Tool}
			sums[s.Tool] = sum
		}
		return c.Each(func(at, value int64) {
			if at < from || at > to {
				return
			}
			sum.Calls++
			if s.Status != "success" {
				sum.Errors++
			}
			if s.Cached {
				sum.Cached++
			}
			if moment := time.UnixMilli(at).UTC(); moment.After(sum.Last) {
				sum.Last = moment
			}
			values[s.Tool] = append(values[s.Tool], value)
		})
	})
	if err != nil {
		return nil, err
	}
	var list []view.ToolCalls
	for tool, sum := range sums {
		if sum.Calls == 0 {
			continue
		}
		slices.Sort(values[tool])
		sum.P50, sum.P95 = percentileInMilliseconds(values[tool], 50), percentileInMilliseconds(values[tool], 95)
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(x, y view.ToolCalls) int {
		if x.Calls != y.Calls {
			return y.Calls - x.Calls
		}
		return strings.Compare(x.Tool, y.Tool)
	})
	return list, nil
}

// percentileInMilliseconds is the nearest rank of sorted thousandths of milliseconds.
func percentileInMilliseconds(sorted []int64, percent int) float64 {
	return float64(sorted[max(0, (len(sorted)*percent+99)/100-1)]) / 1000
}
