package telemetry

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"toolkit/internal/storetest"
	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/store"
	"toolkit/store/telemetry"
	"toolkit/tools"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// fixture is a recorder over a database of its own, with a clock that tests set.
type fixture struct {
	t  testing.TB
	at time.Time
	db *store.DB
	*Recorder
}

func newFixture(t testing.TB, change func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, at: noon}
	var err error
	if f.db, err = store.Open(context.Background(), store.Options{Path: filepath.Join(t.TempDir(), "t.db"), Now: func() time.Time { return f.at }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.db.Close() })
	o := Options{Store: f.db, Config: DefaultConfig()}
	if change != nil {
		change(&o)
	}
	f.Recorder = NewRecorder(o)
	t.Cleanup(func() { f.Recorder.Close() })
	return f
}

// byHand keeps the recorder from writing in the background: the test flushes.
func (f *fixture) byHand() {
	f.Recorder.mu.Lock()
	defer f.Recorder.mu.Unlock()
	f.Recorder.timer.Stop()
	f.Recorder.timer = time.AfterFunc(time.Hour, func() {})
}

func (f *fixture) call(tool string, after time.Duration) tools.CallRecord {
	return tools.CallRecord{Tool: tool, Category: tools.Query, AgentID: "agent", Started: noon.Add(after), Duration: time.Millisecond}
}

// counts reads how much is kept.
func (f *fixture) counts() (samples, list int64) {
	f.t.Helper()
	err := f.db.Read(context.Background(), func(tx *store.Tx) error {
		rows := telemetry.In(tx)
		series, err := rows.Series()
		if err != nil {
			return err
		}
		var ids []int64
		for _, s := range series {
			if s.Name == callSeries {
				ids = append(ids, s.ID)
			}
		}
		if err := rows.EachChunk(ids, 0, math.MaxInt64/2, func(c *telemetry.Chunk) error { samples += c.Count; return nil }); err != nil {
			return err
		}
		return rows.EachCall(0, 1<<30, func(int64, telemetry.Call) error { list++; return nil })
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return samples, list
}

func (f *fixture) wantCounts(samples, events int64) {
	f.t.Helper()
	if s, e := f.counts(); s != samples || e != events {
		f.t.Errorf("%d samples and %d rows are kept, want %d and %d", s, e, samples, events)
	}
}

func TestCallsAreWrittenInTheBackgroundOnceThereAreMany(t *testing.T) {
	flushed := make(chan int)
	f := newFixture(t, func(o *Options) { o.Flushed = func(n int) { flushed <- n } })
	for i := range flushAt {
		f.Record(f.call("a", time.Duration(i)*time.Millisecond))
	}
	if n := <-flushed; n != flushAt {
		t.Errorf("%d calls were written, want %d", n, flushAt)
	}
	f.wantCounts(flushAt, flushAt)
}

func TestClosingWritesTheRestAndEndsTheWork(t *testing.T) {
	f := newFixture(t, nil)
	f.Record(f.call("a", 0))
	if err := f.Recorder.Close(); err != nil {
		t.Fatal(err)
	}
	f.Record(f.call("a", 0)) // too late, and no harm
	if err := f.Recorder.Close(); err != nil {
		t.Fatal(err)
	}
	f.wantCounts(1, 1)
}

func TestARecorderWithoutCallsWritesNothing(t *testing.T) {
	f := newFixture(t, nil)
	var before, after string
	read := func(to *string) {
		storetest.Read(t, f.db, func(tx *store.Tx) error {
			n, err := tx.SizeBytes()
			*to = fmt.Sprint(n)
			return err
		})
	}
	read(&before)
	if err := f.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := f.Recorder.Close(); err != nil {
		t.Fatal(err)
	}
	read(&after)
	f.wantCounts(0, 0)
	if before != after {
		t.Errorf("the database grew from %s to %s bytes", before, after)
	}
}

func TestRecordingMovesNoSequenceAndWakesNoSubscriber(t *testing.T) {
	f := newFixture(t, nil)
	f.db.OnCommit(func(topics []store.Topic) { t.Errorf("a write to %v was announced", topics) })
	all := []store.Topic{store.TopicGraph, store.TopicCharts}
	before, err := f.db.SumSequences(context.Background(), all...)
	if err != nil {
		t.Fatal(err)
	}
	f.Record(f.call("a", 0))
	if err := f.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	after, err := f.db.SumSequences(context.Background(), all...)
	if err != nil || before != after {
		t.Errorf("the sequence went from %d to %d, %v", before, after, err)
	}
	f.wantCounts(1, 1)
}

// A writer that holds the database makes recording wait, never calls fail.
func TestADatabaseThatIsHeldLosesNothingUntilTheBufferIsFull(t *testing.T) {
	f := newFixture(t, nil)
	held, release := make(chan struct{}), make(chan struct{})
	finished := make(chan error)
	go func() {
		finished <- f.db.Write(context.Background(), func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	f.byHand()
	for i := range maxPending + 7 {
		f.Record(f.call("a", time.Duration(i)*time.Millisecond))
	}
	if n := f.Dropped(); n != 7 {
		t.Errorf("%d calls were dropped, want 7", n)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := f.Flush(ctx); err == nil {
		t.Error("a flush went through a database that is held")
	}
	close(release)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	if err := f.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	f.wantCounts(maxPending, maxPending)
}

func TestOldAndSuperfluousMeasurementsGo(t *testing.T) {
	f := newFixture(t, func(o *Options) {
		o.Config.MetricsRetention, o.Config.AnalyticsRetention = 48*time.Hour, 72*time.Hour
		o.Config.MaxSamples, o.Config.MaxEvents = 1000, 1000
	})
	f.byHand()
	flush := func() {
		t.Helper()
		if err := f.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	f.Record(f.call("a", 0))
	flush()
	f.at = noon.Add(49 * time.Hour)
	f.Record(f.call("a", 49*time.Hour))
	flush()
	f.wantCounts(1, 2)
	f.at = noon.Add(73 * time.Hour)
	const anHour = 1800
	for i := range 4 * anHour {
		f.Record(f.call("a", 73*time.Hour+time.Duration(i)*2*time.Second))
	}
	for range 5 { // each write removes some of the rows
		f.at = f.at.Add(time.Second)
		f.Record(f.call("b", 78*time.Hour))
		flush()
	}
	if samples, events := f.counts(); samples < 1000 || samples > 1000+anHour+5 || events < 1000 || events > 1004 {
		t.Errorf("%d samples and %d rows are kept of some 1000 each", samples, events)
	}
}

func TestSamplingThinsDurationsAndCountsEveryCall(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Config.Sampling = 0.25 })
	for i := range 100 {
		f.Record(f.call("a", time.Duration(i)*time.Second))
	}
	if err := f.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	f.wantCounts(25, 100)
	var text bytes.Buffer
	if err := f.Expose(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	if want := `toolkit_tool_calls_total{status="success",tool="a"} 100`; !strings.Contains(text.String(), want) {
		t.Errorf("%q is missing in\n%s", want, text.String())
	}
}

func TestWhatIsExposedIsPrometheusText(t *testing.T) {
	f := newFixture(t, nil)
	slow := f.call("submit_payload", 0)
	slow.Duration = 30 * time.Millisecond
	broken := f.call("submit_payload", 0)
	broken.Kind, broken.Code, broken.Duration = tools.System, "A\"\n\\", 2*time.Minute
	f.Record(slow)
	f.Record(broken)
	var text bytes.Buffer
	if err := f.Expose(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		t.Fatal(err)
	}
	uploads := families["neotoma_record_upload_duration_ms"]
	if uploads == nil || len(uploads.Metric) != 2 {
		t.Fatalf("uploads are %v", uploads)
	}
	for _, m := range uploads.Metric {
		h := m.GetHistogram()
		if h.GetSampleCount() != 1 || len(h.Bucket) != len(Bounds)+1 || h.Bucket[len(Bounds)].GetCumulativeCount() != 1 {
			t.Errorf("a histogram is %v", h)
		}
	}
	if got := families["neotoma_mcp_error_rate"].Metric[0].GetGauge().GetValue(); got != 0.5 {
		t.Errorf("the error rate is %v", got)
	}
	if got := families["neotoma_extraction_errors_total"].Metric[0].GetLabel()[0].GetValue(); got != broken.Code {
		t.Errorf("the code is %q", got)
	}
}

func TestMetricsOfSeveralSpacesAreOneTextWithALabelEach(t *testing.T) {
	anna, bert := newFixture(t, func(o *Options) { o.Space = "anna" }), newFixture(t, func(o *Options) { o.Space = "bert" })
	anna.Record(anna.call("search_nodes", 0))
	anna.Record(anna.call("search_nodes", 0))
	bert.Record(bert.call("search_nodes", 0))
	bert.Record(bert.call("store_record", 0)) // what only one of them has called
	var text bytes.Buffer
	if err := Recorders(func() []*Recorder { return []*Recorder{anna.Recorder, bert.Recorder} }).Expose(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text.Bytes())) // which names no metric twice
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	calls := map[string]float64{}
	for _, m := range families["toolkit_tool_calls_total"].Metric {
		labels := map[string]string{}
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		calls[labels["space"]+" "+labels["tool"]] += m.GetCounter().GetValue()
	}
	if want := map[string]float64{"anna search_nodes": 2, "bert search_nodes": 1, "bert store_record": 1}; !maps.Equal(calls, want) {
		t.Errorf("the calls are %v, want %v", calls, want)
	}
	for name, f := range families {
		for _, m := range f.Metric {
			if !slices.ContainsFunc(m.GetLabel(), func(l *dto.LabelPair) bool { return l.GetName() == "space" }) {
				t.Errorf("%s says nothing of the space", name)
			}
		}
	}
}

func TestMetricsAreForThisMachineUnlessExposed(t *testing.T) {
	f := newFixture(t, nil)
	tests := []struct {
		method, path, host string
		exposed            bool
		want               int
	}{
		{"GET", "/metrics", "127.0.0.1:9464", false, 200},
		{"GET", "/metrics", "localhost", false, 200},
		{"GET", "/metrics", "[::1]:9464", false, 200},
		{"GET", "/metrics", "evil.example:9464", false, 403},
		{"GET", "/metrics", "127.0.0.1.evil.example", false, 403},
		{"GET", "/metrics", "evil.example", true, 200},
		{"POST", "/metrics", "localhost", false, 405},
		{"GET", "/", "localhost", false, 404},
	}
	for _, test := range tests {
		q := httptest.NewRequest(test.method, "http://"+test.host+test.path, nil)
		w := httptest.NewRecorder()
		Recorders(func() []*Recorder { return []*Recorder{f.Recorder} }).Handler(slog.New(slog.DiscardHandler), test.exposed).ServeHTTP(w, q)
		if w.Code != test.want {
			t.Errorf("%s %s of %s gives %d, want %d", test.method, test.path, test.host, w.Code, test.want)
		}
		if w.Code == http.StatusOK && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Errorf("the type is %s", w.Header().Get("Content-Type"))
		}
	}
	for address, exposed := range map[string]bool{"127.0.0.1:1": false, "localhost:1": false, "[::1]:1": false, "0.0.0.0:1": true, ":1": true, "192.168.0.2:1": true} {
		if err := CheckListenAddress(address, false); (err != nil) != exposed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if CheckListenAddress("nonsense", true) == nil || CheckListenAddress("0.0.0.0:1", true) != nil {
		t.Error("an address is judged wrongly")
	}
}

func TestSettingsAreReadAndMistakesNamed(t *testing.T) {
	env := map[string]string{"TOOLKIT_METRICS": "off", "TOOLKIT_METRICS_RETENTION": "7d", "TOOLKIT_METRICS_SAMPLING": "0.5", "TOOLKIT_ANALYTICS_EVENTS": "5000"}
	c, err := ReadConfig(func(name string) string { return env[name] })
	want := DefaultConfig()
	want.Metrics, want.MetricsRetention, want.Sampling, want.MaxEvents = false, 7*24*time.Hour, 0.5, 5000
	if err != nil || c != want {
		t.Errorf("the configuration is %+v, %v", c, err)
	}
	for name, value := range map[string]string{"TOOLKIT_METRICS": "maybe", "TOOLKIT_ANALYTICS": "?", "TOOLKIT_METRICS_RETENTION": "1s", "TOOLKIT_METRICS_SAMPLES": "3", "TOOLKIT_METRICS_SAMPLING": "NaN", "TOOLKIT_ANALYTICS_RETENTION": "x", "TOOLKIT_ANALYTICS_EVENTS": "-1"} {
		_, err := ReadConfig(func(n string) string {
			if n == name {
				return value
			}
			return ""
		})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s gives %v", name, value, err)
		}
	}
}

func TestUsersAndSessionsAreKeptAsHashesOnly(t *testing.T) {
	f := newFixture(t, nil)
	c := f.call("a", 0)
	c.UserID, c.SessionID, c.AgentID = "anna@example.com", "secret-session", strings.Repeat("ä", 100)
	f.Record(c)
	if err := f.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	storetest.Read(t, f.db, func(tx *store.Tx) error {
		for name, want := range map[string]bool{c.UserID: false, c.SessionID: false, strings.Repeat("ä", 32): true} {
			id, err := telemetry.In(tx).FindName(name)
			if err != nil || (id != 0) != want {
				t.Errorf("%s is number %d, %v", name, id, err)
			}
		}
		return nil
	})
}
