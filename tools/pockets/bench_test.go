package pockets

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"toolkit/fixtures"
)

// benchRows is how many readings the benchmark imports: TOOLKIT_BENCH_ROWS, or
// few, so that nobody waits by accident.
func benchRows(b *testing.B) int {
	rows, err := strconv.Atoi(os.Getenv("TOOLKIT_BENCH_ROWS"))
	if err != nil {
		rows = 20_000
	}
	b.Logf("%d readings", rows)
	return rows
}

// writeReadings writes readings of all pockets, fifteen minutes apart, the last
// at a moment.
func writeReadings(w io.Writer, rows int, last time.Time) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintln(out, `{"dataset":{"name":"bench","source":"a benchmark","license":"none","attribution_required":false}}`)
	ids := fixtures.PocketIDs()
	for i := range rows {
		when := last.Add(-time.Duration(i/len(ids)) * 15 * time.Minute)
		fmt.Fprintf(out, `{"kind":"atmosphere","pocket_id":%q,"captured_at":%q,"stress":%.2f,"calm":%.2f,"social_energy":0.42,"productive":0.68,"primary_state":"calm-productive"}`+"\n",
			ids[i%len(ids)], when.Format(time.RFC3339), float64(i*7%60)/100, 0.4+float64(i*11%60)/100)
	}
	return out.Flush()
}

// BenchmarkPockets imports readings as a file would bring them and then times
// every reading tool, through the whole pipeline.
func BenchmarkPockets(b *testing.B) {
	rows := benchRows(b)
	x := newBench(b)
	demo := MakeDemo(published.UnixMilli()) // outlets, ledger, attention and forecasts to go with the readings
	demo.Dataset = city
	demo.Batch.Readings, demo.Batch.Quality = nil, nil
	if _, err := ImportData(context.Background(), x.Store, []*FilePart{demo}, false, nil); err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(writeReadings(writer, rows, at("2026-06-06T08:15:00Z"))) }()
	file, err := ReadFile(reader, FormatJSONL, published.UnixMilli(), nil)
	if err != nil || file.Bad > 0 {
		b.Fatal(err, file.Problems)
	}
	checked := time.Since(began)
	if _, err := ImportData(context.Background(), x.Store, file.Parts, false, nil); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	b.Run("import", func(b *testing.B) {
		for b.Loop() { // it was timed above: a second import finds all rows there
		}
		b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
		b.ReportMetric(checked.Seconds(), "s-reading")
		b.ReportMetric(took.Seconds(), "s-in-all")
	})
	x.Call(loopName, args{})
	outlet := demo.Batch.Outlets[0].ID
	for _, c := range []oneCall{
		{listName, args{}}, {momentName, args{"pocket_id": "cluny"}}, {outletName, args{"outlet_id": outlet}}, {sustainabilityName, args{"pocket_id": "cluny"}},
		{qualityName, args{"pocket_id": "cluny"}}, {lookupName, args{"query": "holand vilage"}}, {atmosphereName, args{"pocket_id": "cluny", "hours": 24}},
		{predictionsName, args{"since": "30d"}}, {silenceName, args{"pocket_id": "cluny"}}, {silenceName, args{}}, {intentName, args{"pocket_id": "cluny", "slug": "calm-work"}},
		{legitimacyName, args{"pocket_id": "cluny", "candidate_action": "surface_deal", "user_context": args{"user_id": "demo-user-1"}}}, {loopName, args{}},
	} {
		name := c.tool
		if c.tool == silenceName && c.in["pocket_id"] == nil {
			name += "-overview"
		}
		b.Run(name, func(b *testing.B) {
			var all []time.Duration
			for b.Loop() {
				began := time.Now()
				if r := x.CallAllowingRefusal(c.tool, c.in); r.IsError {
					b.Fatal(r.Text)
				}
				all = append(all, time.Since(began))
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}
