package integrations

import (
	"context"
	"math"
	"slices"

	"toolkit/store"
	telemetryrows "toolkit/store/telemetry"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

// bucket gathers the samples of one step of time, in thousandths.
type bucket struct {
	count, sum  int64
	least, most int64
	values      []int64 // for quantiles only
}

// gatherer puts samples into buckets.
type gatherer struct {
	q         *metricsQuery
	quantile  int // in per cent; 0: none is wanted
	buckets   []bucket
	failing   map[int64]bool // series of calls that failed
	occasions bool           // whether a call failed counts, not how long it took
}

// computeLocalMetrics answers from what was recorded here.
func (f *family) computeLocalMetrics(ctx context.Context, q *metricsQuery) ([]metricValue, int64, error) {
	f.flushRecorder(ctx)
	g := &gatherer{q: q, quantile: quantiles[q.aggregation], buckets: make([]bucket, q.countBuckets()), failing: map[int64]bool{}, occasions: q.metric.IsErrorShare()}
	err := f.Store.Read(ctx, func(tx *store.Tx) error {
		all, err := telemetryrows.In(tx).Series()
		if err != nil {
			return err
		}
		var ids []int64
		for _, s := range all {
			if q.metric.Covers(s.SeriesKey) && q.matchesLabels(s.SeriesKey) {
				ids = append(ids, s.ID)
				g.failing[s.ID] = telemetry.IsFailed(s.SeriesKey)
			}
		}
		if len(ids) == 0 {
			return nil
		}
		return telemetryrows.In(tx).EachChunk(ids, q.window.from, q.window.to, g.addWithinWindow)
	})
	if err == nil && !q.metric.CountsCalls() {
		err = f.addGaugeReading(ctx, g)
	}
	if err != nil {
		return nil, 0, err
	}
	values, samples := g.aggregateBuckets()
	return values, samples, nil
}

// addGaugeReading adds what a gauge shows at this moment, if it is asked about.
func (f *family) addGaugeReading(ctx context.Context, g *gatherer) error {
	now := f.Store.Now().UnixMilli()
	if now < g.q.window.from || now > g.q.window.to {
		return nil
	}
	value, err := f.Measure.Recorder.ReadGauge(ctx, g.q.metric.Name)
	if err == nil {
		g.addSample(now, int64(math.Round(value*1000)))
	}
	return err
}

// matchesLabels reports whether a series has the labels that are asked for.
func (q *metricsQuery) matchesLabels(key telemetryrows.SeriesKey) bool {
	for label, value := range q.labels {
		if q.metric.LabelValue(label, key) != value {
			return false
		}
	}
	return true
}

// addWithinWindow takes the samples of a chunk that lie within the window.
func (g *gatherer) addWithinWindow(c *telemetryrows.Chunk) error {
	var failure int64 // in thousandths
	if g.failing[c.Series] {
		failure = 1000
	}
	return c.Each(func(at, value int64) {
		if g.occasions {
			value = failure
		}
		if at >= g.q.window.from && at <= g.q.window.to {
			g.addSample(at, value)
		}
	})
}

// addSample takes a sample of a time within the window, whose end belongs to the last bucket.
func (g *gatherer) addSample(at, value int64) {
	b := &g.buckets[min((at-g.q.window.from)/g.q.step, int64(len(g.buckets))-1)]
	if b.count == 0 {
		b.least, b.most = value, value
	}
	b.count, b.sum = b.count+1, b.sum+value
	b.least, b.most = min(b.least, value), max(b.most, value)
	if g.quantile > 0 {
		b.values = append(b.values, value)
	}
}

// quantiles are the per cents of the aggregations that are quantiles.
var quantiles = map[string]int{"p50": 50, "p95": 95, "p99": 99}

// aggregateBuckets aggregates every bucket that has samples.
func (g *gatherer) aggregateBuckets() ([]metricValue, int64) {
	values := []metricValue{}
	samples := int64(0)
	for i := range g.buckets {
		b := &g.buckets[i]
		if b.count == 0 {
			continue
		}
		samples += b.count
		start := g.q.window.from + int64(i)*g.q.step
		length := min(g.q.step, g.q.window.to-start)
		values = append(values, metricValue{Timestamp: tools.FormatTimestamp(start), Value: g.aggregate(b, length)})
	}
	return values, samples
}

// aggregate is the value of a bucket of a length in milliseconds.
func (g *gatherer) aggregate(b *bucket, length int64) float64 {
	if g.q.metric.Kind == telemetry.Counter {
		if g.q.aggregation == "avg" {
			return float64(b.count) / (float64(length) / 1000)
		}
		return float64(b.count)
	}
	if g.quantile > 0 {
		return float64(NearestRank(b.values, g.quantile)) / 1000
	}
	switch g.q.aggregation {
	case "count":
		return float64(b.count)
	case "sum":
		return float64(b.sum) / 1000
	case "max":
		return float64(b.most) / 1000
	case "min":
		return float64(b.least) / 1000
	}
	return float64(b.sum) / float64(b.count) / 1000
}

// NearestRank is the exact quantile of some values by the nearest rank: the smallest
// value that at least the given per cent of them do not exceed. It sorts the values, of
// which there must be one.
func NearestRank(values []int64, percent int) int64 {
	slices.Sort(values)
	return values[(len(values)*percent+99)/100-1]
}
