package pockets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/store"
	"toolkit/store/pockets"
)

var dataNow = time.Date(2026, 6, 6, 8, 18, 42, 0, time.UTC)

func openStore(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), store.Options{Path: filepath.Join(t.TempDir(), "test.db"), Now: func() time.Time { return dataNow }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func readText(t testing.TB, format, text string) *DataFile {
	t.Helper()
	f, err := ReadFile(strings.NewReader(text), format, dataNow.UnixMilli(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const datasetHeader = `{"dataset":{"name":"city-sensors","source":"city sensors","source_url":"https://sensors.example","license":"CC BY 4.0","attribution_required":true}}` + "\n"

const goodLine = `{"kind":"atmosphere","pocket_id":"Holland V","captured_at":"2026-06-06T16:15:00+08:00","stress":0.18,"calm":0.74,"social_energy":0.42,"productive":0.68,"primary_state":"calm-productive","signal_saturation":0.18}` + "\n"

// Both formats say the same, so they read the same.
func TestBothFormatsReadAlike(t *testing.T) {
	document := `{"dataset":` + strings.TrimSuffix(strings.TrimPrefix(datasetHeader, `{"dataset":`), "}\n") + `,"records":[` + goodLine + `]}`
	want := readText(t, FormatJSONL, datasetHeader+goodLine)
	if want.Bad != 0 || want.Rows != 1 || want.Parts[0].Batch.Readings[0].Pocket != "holland-village" || want.Parts[0].Batch.Readings[0].Friction != nil {
		t.Fatalf("JSON lines read as %+v", want)
	}
	for format, text := range map[string]string{FormatJSON: document, FormatJSONL: "\xEF\xBB\xBF" + strings.ReplaceAll(datasetHeader+"\n"+goodLine, "\n", "\r\n")} {
		got := readText(t, format, text)
		if diff := cmp.Diff(want.Parts, got.Parts); diff != "" || got.Bad != 0 {
			t.Errorf("%s: %v\n%s", format, got.Problems, diff)
		}
	}
}

func TestFormatsAreRecognised(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"a.JSON", "x", FormatJSON}, {"a.ndjson", "", FormatJSONL}, {"-", datasetHeader + goodLine, FormatJSONL}, {"-", "{\n \"dataset\": {", FormatJSON}, {"a.csv", "# name: x\n", FormatJSON},
	} {
		if got := DetectFormat(c.name, []byte(c.start)); got != c.want {
			t.Errorf("%s %q is %s, want %s", c.name, c.start, got, c.want)
		}
	}
}

func TestBadRowsAreReportedByTheirNumber(t *testing.T) {
	with := func(from, to string) string { return strings.Replace(goodLine, from, to, 1) }
	for _, c := range []struct{ name, line, want string }{
		{"a number too large", with(`"calm":0.74`, `"calm":74`), "calm must be at most 1"},
		{"a number as text", with(`"calm":0.74`, `"calm":"0.74"`), "calm must be a number, not string"},
		{"a missing number", with(`"calm":0.74,`, ``), "calm is required"},
		{"null for a number", with(`"calm":0.74`, `"calm":null`), "calm is required"},
		{"a pocket nobody knows", with("Holland V", "Atlantis"), `pocket_id "Atlantis" is not registered`},
		{"a time without a zone", with("+08:00", ""), "captured_at is not a valid date-time: a time with its zone"},
		{"a time in the future", with("2026-06-06T16:15", "2026-06-06T17:15"), "lies in the future"},
		{"a time long ago", with("2026-06-06", "1926-06-06"), "outside the years"},
		{"a typing error", with("signal_saturation", "signal_saturatoin"), `"signal_saturatoin" is no field; the fields are anomaly_flag`},
		{"a state that shouts", with("calm-productive", "CALM!"), "primary_state"},
		{"no kind", with(`"kind":"atmosphere",`, ""), `kind "" is not one of`},
		{"no JSON", "oops\n", "not a JSON object"},
		{"a list", "[1]\n", "not a JSON object"},
		{"a name with a line break", `{"kind":"outlet","pocket_id":"cluny","outlet_id":"5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11","name":"a\nb","category":"cafe"}` + "\n", "cannot be printed"},
		{"an outlet without a UUID", `{"kind":"outlet","pocket_id":"cluny","outlet_id":"7","name":"a","category":"cafe"}` + "\n", "outlet_id is not a valid uuid"},
		{"half an opening", `{"kind":"outlet","pocket_id":"cluny","outlet_id":"5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11","name":"a","category":"cafe","opens_at":"08:00"}` + "\n", "go together"},
		{"an empty entry", `{"kind":"ledger","pocket_id":"cluny","occurred_at":"2026-06-06T08:00:00Z"}` + "\n", "states no measure"},
		{"an unknown event", `{"kind":"attention","pocket_id":"cluny","occurred_at":"2026-06-06T08:00:00Z","event":"liked"}` + "\n", "event must be one of surfaced"},
		{"a forecast of the past", `{"kind":"prediction","pocket_id":"cluny","generator":"g","sealed_at":"2026-06-06T08:00:00Z","reveal_at":"2026-06-06T07:00:00Z","prediction_payload":{"calm":0.5}}` + "\n", "reveal_at is not after sealed_at"},
	} {
		f := readText(t, FormatJSONL, datasetHeader+goodLine+c.line+goodLine)
		if f.Bad != 1 || f.Rows != 3 || f.Problems[0].Row != 3 || !strings.Contains(f.Problems[0].Message, c.want) {
			t.Errorf("%s: %d bad of %d, %+v; want %q", c.name, f.Bad, f.Rows, f.Problems, c.want)
		}
	}
}

func TestAFileWithoutProvenanceIsRefused(t *testing.T) {
	for _, c := range []struct{ name, format, text, want string }{
		{"lines without a header", FormatJSONL, goodLine, "does not begin with its provenance"},
		{"an empty file", FormatJSONL, "\n", "no provenance header"},
		{"a table", FormatJSON, "# name: a\nkind,pocket_id\n", "a table has to be converted first"},
		{"no licence", FormatJSONL, strings.Replace(datasetHeader, `"license":"CC BY 4.0",`, "", 1), "license is missing"},
		{"nothing about attribution", FormatJSONL, strings.Replace(datasetHeader, `,"attribution_required":true`, "", 1), "attribution_required is missing"},
		{"an address that is none", FormatJSONL, strings.Replace(datasetHeader, "https://", "javascript:", 1), "source_url is not a web address"},
		{"a name with spaces", FormatJSONL, strings.Replace(datasetHeader, "city-sensors", "City Sensors", 1), "lowercase letters, digits, dots and hyphens"},
		{"our own name", FormatJSONL, strings.Replace(datasetHeader, "city-sensors", "local", 1), "reserved"},
		{"the demonstration's name", FormatJSONL, strings.Replace(datasetHeader, "city-sensors", "local-demo", 1), "reserved"},
		{"records before their source", FormatJSON, `{"records":[],"dataset":{}}`, "must come before records"},
		{"half a document", FormatJSON, `{"dataset":{"name":"a","source":"b","license":"c","attribution_required":false},"records":[{`, "not valid JSON"},
		{"something after it", FormatJSON, `{"dataset":{"name":"a","source":"b","license":"c","attribution_required":false},"records":[]} x`, "follows the end"},
		{"a line that never ends", FormatJSONL, datasetHeader + strings.Repeat("x", maxFileLine+1), "longer than"},
	} {
		_, err := ReadFile(strings.NewReader(c.text), c.format, dataNow.UnixMilli(), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestImportingAgainChangesNothing(t *testing.T) {
	db := openStore(t)
	run := func(text string, dryRun bool) string {
		t.Helper()
		f := readText(t, FormatJSONL, text)
		if f.Bad > 0 {
			t.Fatal(f.Problems)
		}
		r, err := ImportData(t.Context(), db, f.Parts, dryRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r[KindAtmosphere])
	}
	for _, step := range []struct {
		name, text string
		dryRun     bool
		want       string
	}{
		{"a dry run", datasetHeader + goodLine, true, "{1 1 0 0}"},
		{"the first time", datasetHeader + goodLine, false, "{1 1 0 0}"},
		{"again", datasetHeader + goodLine, false, "{1 0 0 1}"},
		{"corrected", datasetHeader + strings.Replace(goodLine, "0.74", "0.75", 1), false, "{1 0 1 0}"},
		{"from another source", strings.Replace(datasetHeader, "city-sensors", "others", 1) + goodLine, false, "{1 0 0 1}"},
	} {
		if got := run(step.text, step.dryRun); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	relabelled := readText(t, FormatJSONL, strings.Replace(datasetHeader, "CC BY 4.0", "mine", 1)+goodLine)
	if _, err := ImportData(t.Context(), db, relabelled.Parts, false, nil); err == nil || !strings.Contains(err.Error(), "another provenance") {
		t.Errorf("another licence under the same name: %v", err)
	}
}

func TestMadeUpAndRealDataDoNotMix(t *testing.T) {
	db := openStore(t)
	real, demo := readText(t, FormatJSONL, datasetHeader+goodLine).Parts, []*FilePart{{Dataset: DemoDataset}}
	if _, err := ImportData(t.Context(), db, real, false, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ImportData(t.Context(), db, demo, false, nil); !errors.Is(err, ErrMixedData) {
		t.Errorf("a demonstration among real data: %v", err)
	}
	other := openStore(t)
	if _, err := ImportData(t.Context(), other, demo, false, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ImportData(t.Context(), other, real, false, nil); !errors.Is(err, ErrMixedData) {
		t.Errorf("real data in a demonstration: %v", err)
	}
}

func TestASealedPredictionIsNotImportedOverAnother(t *testing.T) {
	db := openStore(t)
	sealed := `{"kind":"prediction","pocket_id":"cluny","generator":"g","sealed_at":"2026-06-06T05:00:00Z","reveal_at":"2026-06-06T06:00:00Z","prediction_payload":{"calm_probability":0.71}}` + "\n"
	run := func(text string) (ImportTally, error) {
		f := readText(t, FormatJSONL, datasetHeader+text)
		if f.Bad > 0 {
			t.Fatal(f.Problems)
		}
		r, err := ImportData(t.Context(), db, f.Parts, false, nil)
		return r[KindPrediction], err
	}
	for _, step := range []struct{ name, text, want string }{
		{"first", sealed, "{1 1 0 0}"}, {"again", sealed, "{1 0 0 1}"},
		{"its outcome", strings.Replace(sealed, `}}`, `},"actual_observation":{"calm_probability":0.68}}`, 1), "{1 0 1 0}"},
	} {
		if got, err := run(step.text); err != nil || fmt.Sprint(got) != step.want {
			t.Errorf("%s: %v %v, want %s", step.name, got, err, step.want)
		}
	}
	if _, err := run(strings.Replace(sealed, "0.71", "0.68", 1)); !errors.Is(err, ErrAlreadySealed) {
		t.Errorf("other content under the same key: %v", err)
	}
}

// lastDays is the demonstration without what happened more than two days before now.
func lastDays(moment time.Time) *FilePart {
	p, first := MakeDemo(moment.UnixMilli()), dataNow.Add(-48*time.Hour).UnixMilli()
	p.Batch.Readings = slices.DeleteFunc(p.Batch.Readings, func(r pockets.Reading) bool { return r.CapturedAt < first })
	p.Batch.Attention = slices.DeleteFunc(p.Batch.Attention, func(a pockets.Attention) bool { return a.OccurredAt < first })
	p.Batch.Predictions = slices.DeleteFunc(p.Batch.Predictions, func(p pockets.Prediction) bool { return p.SealedAt < first })
	return p
}

func TestAnExportComesBackAsItWas(t *testing.T) {
	db, copied := openStore(t), openStore(t)
	if _, err := ImportData(t.Context(), db, []*FilePart{lastDays(dataNow)}, false, nil); err != nil {
		t.Fatal(err)
	}
	export := func(db *store.DB) string {
		t.Helper()
		var b bytes.Buffer
		if _, err := ExportData(t.Context(), db, "", &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := export(db)
	f := readText(t, FormatJSONL, first)
	if f.Bad > 0 {
		t.Fatal(f.Problems[0])
	}
	if _, err := ImportData(t.Context(), copied, f.Parts, false, nil); err != nil {
		t.Fatal(err)
	}
	if second := export(copied); second != first {
		t.Error("the export of the copy differs")
	}
	forged := readText(t, FormatJSONL, strings.Replace(first, `"prediction_payload":{"calm_probability":0.`, `"prediction_payload":{"calm_probability":0.9`, 1))
	if forged.Bad != 1 || !strings.Contains(forged.Problems[0].Message, "does not match its seal") {
		t.Errorf("a forged forecast: %v", forged.Problems)
	}
	if _, err := ExportData(t.Context(), db, "nothing", &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "local-demo") {
		t.Errorf("an unknown data set: %v", err)
	}
}

func TestALaterDemonstrationContinuesAnEarlierOne(t *testing.T) {
	db := openStore(t)
	if _, err := ImportData(t.Context(), db, []*FilePart{lastDays(dataNow)}, false, nil); err != nil {
		t.Fatal(err)
	}
	r, err := ImportData(t.Context(), db, []*FilePart{lastDays(dataNow.Add(2 * time.Hour))}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := r[KindAtmosphere]; got.New != 18*8 || got.Updated != 0 {
		t.Errorf("two hours later: %+v", got)
	}
	if got := r[KindQuality]; got.Updated != 0 {
		t.Errorf("factors change: %+v", got)
	}
	checker := rowChecker{Now: dataNow.UnixMilli()}
	for _, r := range MakeDemo(dataNow.UnixMilli()).Batch.Readings {
		if r.CapturedAt > checker.Now || r.Calm < 0 || r.Calm > 1 || r.Stress < 0 || r.Stress > 1 {
			t.Fatalf("an impossible reading: %+v", r)
		}
	}
}

func TestNoTwoPredictionsShareASeal(t *testing.T) {
	base := pockets.Prediction{ID: "a", Pocket: "b", Generator: "c", Key: "d", SealedAt: 1, RevealAt: 2, Payload: []byte(`{}`)}
	seen := map[string]bool{sealOf(base): true}
	for _, change := range []func(*pockets.Prediction){
		func(p *pockets.Prediction) { p.ID = "ab"; p.Pocket = "" }, func(p *pockets.Prediction) { p.Generator = "" }, func(p *pockets.Prediction) { p.Key = "e" },
		func(p *pockets.Prediction) { p.SealedAt = 12 }, func(p *pockets.Prediction) { p.RevealAt = 3 }, func(p *pockets.Prediction) { p.Payload = []byte(`{"a":1}`) },
	} {
		p := base
		change(&p)
		if seal := sealOf(p); seen[seal] {
			t.Errorf("%+v has a seal of another", p)
		} else {
			seen[seal] = true
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(FormatJSONL, datasetHeader+goodLine)
	f.Add(FormatJSON, `{"dataset":{"name":"a","source":"b","license":"c","attribution_required":false},"records":[null,1,{}]}`)
	f.Fuzz(func(t *testing.T, format, text string) {
		file, err := ReadFile(strings.NewReader(text), format, dataNow.UnixMilli(), nil)
		if err != nil {
			return
		}
		kept := 0
		for _, p := range file.Parts {
			kept += p.Batch.Rows()
			for _, r := range p.Batch.Readings {
				if file.Bad == 0 && (r.Pocket == "" || r.Calm < 0 || r.Calm > 1 || r.CapturedAt > dataNow.UnixMilli()+clockSkew) {
					t.Errorf("a reading that passed: %+v", r)
				}
			}
		}
		if file.Bad == 0 && kept != file.Rows {
			t.Errorf("%d rows kept of %d", kept, file.Rows)
		}
	})
}
