package telemetry

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"toolkit/store"
	"toolkit/store/telemetry"
)

// errorWindow is the time that the exposed share of failing calls looks back.
const errorWindow = 5 * time.Minute

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
	registry := prometheus.NewRegistry()
	var failed error
	exposed := 0
	for _, r := range all() {
		if err := r.Flush(ctx); err != nil {
			r.o.Logger.Debug("measurements were not written", "error", err.Error())
		}
		metrics, err := r.collectMetrics(ctx)
		if err != nil {
			r.o.Logger.Warn("the metrics of a space were not read", "space", r.o.Space, "error", err.Error())
			failed = err
			continue
		}
		labels := prometheus.Labels{}
		if r.o.Space != "" {
			labels["space"] = r.o.Space
		}
		if err := prometheus.WrapRegistererWith(labels, registry).Register(metrics); err != nil {
			return err
		}
		exposed++
	}
	if exposed == 0 {
		return failed
	}
	families, err := registry.Gather()
	if err != nil {
		return err
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return err
		}
	}
	return nil
}

// collected are the metrics of a recorder at one moment.
type collected []prometheus.Metric

// Describe says nothing, since labels that have no value are left out.
func (c collected) Describe(chan<- *prometheus.Desc) {}

// Collect hands them over.
func (c collected) Collect(metrics chan<- prometheus.Metric) {
	for _, m := range c {
		metrics <- m
	}
}

func (r *Recorder) collectMetrics(ctx context.Context) (collected, error) {
	readings, err := r.readAllGauges(ctx)
	if err != nil {
		return nil, err
	}
	var series []telemetry.Series
	err = r.o.Store.Read(ctx, func(tx *store.Tx) error {
		if series, err = telemetry.In(tx).Series(); err != nil {
			return err
		}
		share, err := recentErrorShare(telemetry.In(tx), series, r.o.Store.Now().UnixMilli())
		readings[errorRate] = share
		return err
	})
	if err != nil {
		return nil, err
	}
	var all collected
	for i := range catalog {
		m := &catalog[i]
		if m.Kind == Gauge {
			desc := prometheus.NewDesc(m.Name, m.Description, nil, nil)
			all = append(all, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, readings[m.Name]))
			continue
		}
		all = append(all, m.sumTotalsByLabels(series)...)
	}
	return all, nil
}

// Covers reports whether samples of a series belong to the metric.
func (m *Metric) Covers(key telemetry.SeriesKey) bool {
	if !m.CountsCalls() {
		return key.Name == m.Name
	}
	return key.Name == callSeries && (m.tools == nil || slices.Contains(m.tools, key.Tool)) &&
		(m.status == "" || key.Status == m.status) && (!m.cached || key.Cached)
}

// IsFailed reports whether a series is of calls that failed.
func IsFailed(key telemetry.SeriesKey) bool { return key.Status == "error" }

// LabelValue returns the value of a label in a series.
func (m *Metric) LabelValue(label string, key telemetry.SeriesKey) string {
	switch label {
	case "tool":
		return key.Tool
	case "error_code":
		return key.ErrorCode
	}
	return key.Status
}

// total is what the calls of some labels sum up to.
type total struct {
	labels  []string
	count   uint64
	sum     float64
	buckets map[float64]uint64 // calls up to a bound
}

// sumTotalsByLabels sums the series of a counter or histogram by labels.
func (m *Metric) sumTotalsByLabels(series []telemetry.Series) (metrics []prometheus.Metric) {
	totals := map[string]*total{}
	for _, s := range series {
		if !m.Covers(s.SeriesKey) {
			continue
		}
		values := make([]string, len(m.Labels))
		for i, label := range m.Labels {
			values[i] = strings.ToValidUTF8(m.LabelValue(label, s.SeriesKey), "")
		}
		key := strings.Join(values, "\x00")
		if totals[key] == nil {
			totals[key] = &total{labels: values, buckets: map[float64]uint64{}}
		}
		totals[key].addSeries(s)
	}
	for _, t := range totals {
		metrics = append(metrics, m.toPrometheus(t))
	}
	return metrics
}

func (t *total) addSeries(s telemetry.Series) {
	t.count += uint64(s.Count)
	t.sum += float64(s.Sum) / 1000
	below := uint64(0)
	for i, bound := range Bounds {
		if i < len(s.Buckets) {
			below += uint64(s.Buckets[i])
		}
		t.buckets[bound] += below
	}
}

func (m *Metric) toPrometheus(t *total) prometheus.Metric {
	var labels, values []string
	for i, value := range t.labels {
		if value != "" {
			labels, values = append(labels, m.Labels[i]), append(values, value)
		}
	}
	desc := prometheus.NewDesc(m.Name, m.Description, labels, nil)
	if m.Kind == Counter {
		return prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(t.count), values...)
	}
	return prometheus.MustNewConstHistogram(desc, t.count, t.sum, t.buckets, values...)
}

// recentErrorShare returns the share of calls that failed of late.
func recentErrorShare(tx telemetry.Rows, series []telemetry.Series, now int64) (float64, error) {
	failing := map[int64]bool{}
	var ids []int64
	for _, s := range series {
		if s.Name == callSeries {
			ids = append(ids, s.ID)
			failing[s.ID] = IsFailed(s.SeriesKey)
		}
	}
	from := now - errorWindow.Milliseconds()
	var all, failed float64
	err := tx.EachChunk(ids, from, now, func(c *telemetry.Chunk) error {
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
