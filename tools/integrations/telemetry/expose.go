package telemetry

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"toolkit/store/events"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"toolkit/store"
)

// errorWindow is the time that the exposed share of failing calls looks back.
const errorWindow = 5 * time.Minute

// spaceLabel tells the metrics of one space from those of another.
var spaceLabel = "space"

// ContentType is the media type of what Expose writes.
var ContentType = string(expfmt.NewFormat(expfmt.TypeTextPlain))

// Expose writes all metrics in Prometheus' text format: totals of the database,
// whichever process the calls came through, and the state of this process.
func (r *Recorder) Expose(ctx context.Context, w io.Writer) error {
	return Recorders(func() []*Recorder { return []*Recorder{r} }).Expose(ctx, w)
}

// Recorders are the recorders of a server at this moment, one for each of its
// spaces. Where there are several, each has a name of its own.
type Recorders func() []*Recorder

// Expose writes the metrics of all of them as one text, which the label space
// keeps apart. A space that cannot be read, perhaps because it is being closed,
// takes nothing from the others; it fails where none can be read.
func (all Recorders) Expose(ctx context.Context, w io.Writer) error {
	var together []*dto.MetricFamily
	var failed error
	for _, r := range all() {
		if err := r.Flush(ctx); err != nil {
			r.logger.Debug("measurements were not written", "error", err.Error())
		}
		families, err := r.families(ctx)
		if err != nil {
			r.logger.Warn("the metrics of a space were not read", "space", r.space, "error", err.Error())
			failed = err
			continue
		}
		together = r.join(together, families)
	}
	if together == nil {
		return failed
	}
	for _, f := range together {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return err
		}
	}
	return nil
}

// join adds the metrics of a space to those of others: the text names each
// metric once.
func (r *Recorder) join(together, families []*dto.MetricFamily) []*dto.MetricFamily {
	for _, f := range families {
		for _, m := range f.Metric {
			if r.space != "" {
				m.Label = append(m.Label, &dto.LabelPair{Name: &spaceLabel, Value: &r.space})
			}
		}
		i := slices.IndexFunc(together, func(have *dto.MetricFamily) bool { return have.GetName() == f.GetName() })
		if i < 0 {
			together = append(together, f)
			continue
		}
		together[i].Metric = append(together[i].Metric, f.Metric...)
	}
	return together
}

func (r *Recorder) families(ctx context.Context) ([]*dto.MetricFamily, error) {
	readings, err := r.readings(ctx)
	if err != nil {
		return nil, err
	}
	var series []events.Series
	err = r.store.Read(ctx, func(tx *store.Tx) error {
		if series, err = events.In(tx).Series(); err != nil {
			return err
		}
		share, err := recentErrors(events.In(tx), series, r.store.Now().UnixMilli())
		readings[errorRate] = share
		return err
	})
	if err != nil {
		return nil, err
	}
	var families []*dto.MetricFamily
	for i := range catalog {
		m := &catalog[i]
		var metrics []*dto.Metric
		if m.Kind == Gauge {
			value := readings[m.Name]
			metrics = []*dto.Metric{{Gauge: &dto.Gauge{Value: &value}}}
		} else {
			metrics = m.totals(series)
		}
		if len(metrics) > 0 {
			families = append(families, &dto.MetricFamily{Name: &m.Name, Help: &m.Description, Type: m.Kind.exposed(), Metric: metrics})
		}
	}
	return families, nil
}

func (k Kind) exposed() *dto.MetricType {
	switch k {
	case Histogram:
		return dto.MetricType_HISTOGRAM.Enum()
	case Counter:
		return dto.MetricType_COUNTER.Enum()
	}
	return dto.MetricType_GAUGE.Enum()
}

// Covers reports whether samples of a series belong to the metric.
func (m *Metric) Covers(key events.SeriesKey) bool {
	if !m.Calls() {
		return key.Name == m.Name
	}
	return key.Name == callSeries && (m.tools == nil || slices.Contains(m.tools, key.Tool)) &&
		(m.status == "" || key.Status == m.status) && (!m.cached || key.Cached)
}

// Failed reports whether a series is of calls that failed.
func Failed(key events.SeriesKey) bool { return key.Status == "error" }

// Value is the value of a label in a series.
func (m *Metric) Value(label string, key events.SeriesKey) string {
	switch label {
	case "tool":
		return key.Tool
	case "error_code":
		return key.ErrorCode
	}
	return key.Status
}

// totals sums the series of a counter or histogram by labels.
func (m *Metric) totals(series []events.Series) []*dto.Metric {
	type group struct {
		labels  []string
		count   int64
		sum     float64
		buckets []int64
	}
	groups := map[string]*group{}
	var order []string
	for _, s := range series {
		if !m.Covers(s.SeriesKey) {
			continue
		}
		values := make([]string, len(m.Labels))
		for i, label := range m.Labels {
			values[i] = m.Value(label, s.SeriesKey)
		}
		key := strings.Join(values, "\x00")
		g := groups[key]
		if g == nil {
			g = &group{labels: values, buckets: make([]int64, len(Bounds)+1)}
			groups[key] = g
			order = append(order, key)
		}
		g.count += s.Count
		g.sum += float64(s.Sum) / 1000
		for i, n := range s.Buckets[:min(len(s.Buckets), len(g.buckets))] {
			g.buckets[i] += n
		}
	}
	slices.Sort(order)
	metrics := make([]*dto.Metric, 0, len(order))
	for _, key := range order {
		g := groups[key]
		metric := &dto.Metric{Label: m.pairs(g.labels)}
		if m.Kind == Counter {
			n := float64(g.count)
			metric.Counter = &dto.Counter{Value: &n}
		} else {
			metric.Histogram = histogram(g.count, g.sum, g.buckets)
		}
		metrics = append(metrics, metric)
	}
	return metrics
}

func (m *Metric) pairs(values []string) []*dto.LabelPair {
	var pairs []*dto.LabelPair
	for i, value := range values {
		if value = strings.ToValidUTF8(value, ""); value != "" {
			pairs = append(pairs, &dto.LabelPair{Name: &m.Labels[i], Value: &value})
		}
	}
	return pairs
}

// histogram turns counts by range into Prometheus' cumulative buckets.
func histogram(count int64, sum float64, buckets []int64) *dto.Histogram {
	n := uint64(count)
	h := &dto.Histogram{SampleCount: &n, SampleSum: &sum}
	below := uint64(0)
	for i, c := range buckets {
		below += uint64(c)
		bound, total := math.Inf(1), below
		if i < len(Bounds) {
			bound = Bounds[i]
		}
		h.Bucket = append(h.Bucket, &dto.Bucket{UpperBound: &bound, CumulativeCount: &total})
	}
	return h
}

// recentErrors is the share of calls that failed of late.
func recentErrors(tx events.Rows, series []events.Series, now int64) (float64, error) {
	failing := map[int64]bool{}
	var ids []int64
	for _, s := range series {
		if s.Name == callSeries {
			ids = append(ids, s.ID)
			failing[s.ID] = Failed(s.SeriesKey)
		}
	}
	from := now - errorWindow.Milliseconds()
	var all, failed float64
	err := tx.EachChunk(ids, from, now, func(c *events.Chunk) error {
		return c.Each(func(at, _ int64) {
			if at < from || at > now {
				return
			}
			all++
			if failing[c.Series] {
				failed++
			}
		})
	})
	if all == 0 {
		return 0, err
	}
	return failed / all, err
}
