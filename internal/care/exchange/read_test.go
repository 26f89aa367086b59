package exchange

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const (
	adaLine   = `{"type":"entity","name":"Ada","entityType":"person","observations":["Builds organs"]}`
	organLine = `{"type":"entity","name":"Organ","entityType":"project","observations":[]}`
	buildLine = `{"type":"relation","from":"Ada","to":"Organ","relationType":"builds"}`
)

var adaAndOrgan = &Document{
	Entities: []Entity{
		{Name: "Ada", EntityType: "person", Observations: []string{"Builds organs"}},
		{Name: "Organ", EntityType: "project"},
	},
	Relations: []Relation{{From: "Ada", To: "Organ", RelationType: "builds"}},
}

func TestTheSameGraphIsReadFromEveryFormAndLayout(t *testing.T) {
	wrapped := func(line string) string {
		kind, fields, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "{"), "}"), ",")
		return "{" + kind + `,"data":{` + fields + "}}"
	}
	untyped := func(line string) string {
		_, fields, _ := strings.Cut(strings.TrimPrefix(line, "{"), ",")
		return "{" + fields
	}
	lines := []string{adaLine, organLine, buildLine}
	graph := `{"entities":[` + untyped(adaLine) + "," + untyped(organLine) + `],"relations":[` + untyped(buildLine) + "]}"
	forms := map[string]string{
		"plain lines":             strings.Join(lines, "\n"),
		"relation first":          strings.Join([]string{buildLine, adaLine, organLine}, "\n"),
		"wrapped lines":           strings.Join([]string{wrapped(adaLine), wrapped(organLine), wrapped(buildLine)}, "\n"),
		"mixed lines":             strings.Join([]string{adaLine, wrapped(organLine), buildLine}, "\n"),
		"whole graph":             graph,
		"whole graph then lines":  `{"entities":[` + untyped(adaLine) + "]}\n" + organLine + "\n" + buildLine,
		"whole graph over lines":  strings.NewReplacer("[", "[\n  ", ",", ",\n\t", "]", "\n]").Replace(graph),
		"spread graph then lines": "{\n\"entities\":[" + untyped(adaLine) + "]\n}\n" + organLine + "\n" + buildLine,
		"space around values":     strings.Join([]string{"  " + adaLine + "\t", organLine, " " + buildLine}, "\n"),
	}
	layouts := map[string]func(string) string{
		"as it is":                func(s string) string { return s },
		"final newline":           func(s string) string { return s + "\n" },
		"CRLF":                    func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") + "\r\n" },
		"byte order mark":         func(s string) string { return "\uFEFF" + s },
		"blank lines":             func(s string) string { return "\n \n" + strings.ReplaceAll(s, "\n", "\n\n\t\n") + "\n\n" },
		"mark, CRLF, blank lines": func(s string) string { return "\uFEFF\r\n" + strings.ReplaceAll(s, "\n", "\r\n\r\n") },
	}
	for form, text := range forms {
		for layout, change := range layouts {
			t.Run(form+" "+layout, func(t *testing.T) {
				document, report := readText(t, change(text))
				if diff := cmp.Diff(adaAndOrgan, document, sameContent); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if len(report.Problems) > 0 {
					t.Errorf("problems: %v", report.Problems)
				}
			})
		}
	}
}

func TestProblemsCarryTheLineOfTheirRecord(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		skipped    bool
		message    string
	}{
		{"a line cut off", adaLine + "\n\n" + `{"type":"entity","name":"x`, 3, true, "not valid JSON"},
		{"a first line cut off", `{"type":"entity",` + "\n" + adaLine, 1, true, "not valid JSON"},
		{"two records on a line", adaLine + organLine + "\n" + buildLine, 1, true, "not valid JSON"},
		{"a list", adaLine + "\n[]", 2, true, "not a JSON object"},
		{"an entity without a name", adaLine + "\n" + `{"type":"entity","entityType":"x"}`, 2, true, "without a name"},
		{"an entity with a number for a name", adaLine + "\n" + `{"type":"entity","name":5}`, 2, true, "without a name"},
		{"a relation without an end", adaLine + "\n" + `{"type":"relation","from":"Ada","relationType":"x"}`, 2, true, "without both ends"},
		{"an entity that comes again", adaLine + "\n" + organLine + "\n" + adaLine, 3, false, "merged into that of line 1"},
		{"a key that comes again", `{"type":"entity","name":"x","entityType":"a","entityType":"b"}`, 1, false, `the key "entityType" comes more than once`},
		{"a key that comes again in the metadata", `{"type":"entity","name":"x","entityType":"a","metadata":{"k":1,"k":2}}`, 1, false, `the key "k" comes more than once`},
		{"a relation to nothing", adaLine + "\n" + buildLine, 2, false, `no entity "Organ"`},
		{"an element of a spread graph", "{\"entities\":[\n\n" + adaLine + ",\n\n{}]}", 5, true, "without a name"},
		{"bytes that are not UTF-8", adaLine + "\n" + `{"type":"x","y":"` + "\xff" + `"}`, 2, false, "not UTF-8"},
		{"a step without a chart", adaLine + "\n" + `{"type":"entity","name":"s","entityType":"action_step","observations":["t"]}`, 2, false, "kept as a plain entity"},
		{
			"a chart that only counts its complete steps",
			`{"type":"entity","name":"c","entityType":"structural_tension_chart","metadata":{"desiredOutcome":"o","currentReality":"r","actionSteps":["s","t"],"completedActions":1}}`,
			1, false, "which 1 of them",
		},
		{"a beat without a chart", `{"type":"narrative_beat","name":"s","entityType":"narrative_beat"}`, 1, false, "kept as a plain entity"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report := readText(t, c.text)
			if len(report.Problems) == 0 {
				t.Fatal("no problem reported")
			}
			got := report.Problems[0]
			if got.Line != c.line || got.Skipped != c.skipped || !strings.Contains(got.Message, c.message) {
				t.Errorf("got %+v, want line %d, skipped %v, %q", got, c.line, c.skipped, c.message)
			}
		})
	}
}

func TestAnInputWithoutAnyRecordIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":           {"", nil},
		"blank":           {"\uFEFF\r\n \n", nil},
		"prose":           {"Dear diary\n", ErrNoRecords},
		"nameless":        {`{"type":"entity"}`, ErrNoRecords},
		"empty graph":     {`{"entities":[],"relations":[]}`, nil},
		"an unknown type": {`{"type":"other"}`, nil},
		"no member":       {`{}`, ErrNoRecords},
		"no type":         {`{"name":"Ada"}` + "\n" + `{"type":"","x":1}`, ErrNoRecords},
		"a settings file": {"{\n  \"port\": 80\n}\n", ErrNoRecords},
		"a bare graph":    {`{"entities":[],"version":1}`, ErrNoRecords},
		"UTF-16":          {"\xff\xfe{\x00}\x00", errUTF16},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Read(strings.NewReader(c.text)); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAFaultOfTheSourceIsAnError(t *testing.T) {
	fault := errors.New("disk gone")
	for name, text := range map[string]string{"between lines": adaLine + "\n", "in a spread value": "{\n"} {
		t.Run(name, func(t *testing.T) {
			source := iotest.DataErrReader(strings.NewReader(text))
			_, _, err := Read(&faultySource{source, fault})
			if !errors.Is(err, fault) {
				t.Errorf("got %v, want %v", err, fault)
			}
		})
	}
}

// faultySource ends with a fault in place of io.EOF.
type faultySource struct {
	source interface{ Read([]byte) (int, error) }
	fault  error
}

func (s *faultySource) Read(p []byte) (int, error) {
	n, err := s.source.Read(p)
	if err != nil {
		err = s.fault
	}
	return n, err
}

func TestALineBeyondTheLimitIsSkippedAndTheRestRead(t *testing.T) {
	long := `{"type":"entity","name":"long","observations":["` + strings.Repeat("x", 200_000) + `"]}`
	for name, text := range map[string]string{
		"first":  long + "\n" + adaLine + "\n" + organLine + "\n" + buildLine,
		"middle": adaLine + "\r\n" + long + "\r\n" + organLine + "\r\n" + buildLine + "\r\n",
		"last":   adaLine + "\n" + organLine + "\n" + buildLine + "\n" + long,
	} {
		t.Run(name, func(t *testing.T) {
			document, report, err := readLimited([]byte(text), 150_000)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(adaAndOrgan, document, sameContent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if report.Skipped != 1 || report.Lines != 4 || !strings.Contains(report.Problems[0].Message, "longer than") {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

func TestALineOfManyMegabytesIsRead(t *testing.T) {
	observation := strings.Repeat("0123456789abcdef", 1<<19)
	document, _ := readText(t, fmt.Sprintf(`{"type":"entity","name":"long","entityType":"x","observations":["%s"]}`, observation))
	if len(document.Entities) != 1 || document.Entities[0].Observations[0] != observation {
		t.Error("the observation is not the one written")
	}
}

func TestWhatIsNotUnderstoodIsKept(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"an unknown type": {`{"type":"session", "id": 12345678901234567890, "deep":{"a":[1.50,"<&>"]}}`, `{"deep":{"a":[1.50,"<&>"]},"id":12345678901234567890,"type":"session"}`},
		"no type":         {`{"note":"x"}`, `{"note":"x"}`},
		"control characters, as JavaScript writes them": {`{"type":"entity","name":"x","entityType":"y","observations":["\b\f\u0001` + "\x7f" + `"]}`, `{"type":"entity","name":"x","entityType":"y","observations":["\b\f\u0001` + "\x7f" + `"]}`},
		"a type that is no string":                      {`{"type":5,"name":"x"}`, `{"name":"x","type":5}`},
		"data with a type of its own":                   {`{"type":"entity","data":{"name":"x","type":"person"}}`, `{"data":{"name":"x","type":"person"},"type":"entity"}`},
		"a beat line of another type":                   {`{"type":"narrative_beat","name":"x","entityType":"person"}`, `{"entityType":"person","name":"x","type":"narrative_beat"}`},
		"a relation with a missing end":                 {`{"type":"relation","from":"Ada","to":"Ghost","relationType":"sees","metadata":{"n":9007199254740993},"x":1}`, `{"type":"relation","from":"Ada","to":"Ghost","relationType":"sees","metadata":{"n":9007199254740993},"x":1}`},
		"an entity with unknown members":                {`{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":{"b":9007199254740993,"a":1e400},"z":[null]}`, `{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":{"a":1e400,"b":9007199254740993},"z":[null]}`},
		"an entity with odd metadata":                   {`{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":[1]}`, `{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":{"value":[1]}}`},
		"an entity with an odd entityType":              {`{"type":"entity","name":"x","observations":[],"entityType":7}`, `{"type":"entity","name":"x","entityType":"7","observations":[]}`},
		"a relation with an odd type":                   {`{"type":"relation","from":"Ada","to":"Ada","relationType":[1]}`, `{"type":"relation","from":"Ada","to":"Ada","relationType":"[1]"}`},
	} {
		t.Run(name, func(t *testing.T) {
			document, _ := readText(t, adaLine+"\n"+c.line+"\n")
			if export := string(written(t, document, Coaia)); export != adaLine+"\n"+c.want+"\n" {
				t.Errorf("got %s", export)
			}
		})
	}
}

func TestLinesOfOneNameAreMerged(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
		notes []Problem
	}{
		"observations and members are added": {
			[]string{
				`{"type":"entity","name":"Ada","entityType":"person","observations":["one"],"metadata":{"a":1},"x":1}`,
				`{"type":"entity","name":"Ada","observations":["one","two"],"metadata":{"b":2},"y":2}`,
				`{"type":"entity","name":"Ada","entityType":"person","observations":["two","three"]}`,
			},
			`{"type":"entity","name":"Ada","entityType":"person","observations":["one","two","three"],"metadata":{"a":1,"b":2},"x":1,"y":2}`,
			[]Problem{
				{Line: 2, Message: `entity "Ada" has no entityType`},
				{Line: 2, Message: `entity "Ada" was merged into that of line 1`},
				{Line: 3, Message: `entity "Ada" was merged into that of line 1`},
			},
		},
		"what differs stays as it was": {
			[]string{
				`{"type":"entity","name":"Ada","entityType":"person","observations":[],"metadata":{"a":1}}`,
				`{"type":"entity","name":"Ada","entityType":"organist","observations":[],"metadata":{"a":2}}`,
			},
			`{"type":"entity","name":"Ada","entityType":"person","observations":[],"metadata":{"a":1}}`,
			[]Problem{{Line: 2, Message: `entity "Ada" was merged into that of line 1; it has another a, entityType there, which was kept`}},
		},
		"relations": {
			[]string{
				adaLine,
				`{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"strength":1}}`,
				`{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"strength":2,"since":3}}`,
			},
			adaLine + "\n" + `{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"since":3,"strength":1}}`,
			[]Problem{{Line: 3, Message: `the relation "knows" from "Ada" to "Ada" was merged into that of line 2; it has another strength there, which was kept`}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			document, report := readText(t, strings.Join(c.lines, "\n"))
			if diff := cmp.Diff(c.want+"\n", string(written(t, document, Coaia))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.notes, report.Problems); diff != "" || report.Skipped > 0 {
				t.Errorf("%d skipped\n%s", report.Skipped, diff)
			}
		})
	}
}

func TestAnObjectWithoutATypeCountsOnlyBesideRecords(t *testing.T) {
	document, report, err := Read(strings.NewReader("{}\n" + `{"note":"x"}`))
	if !errors.Is(err, ErrNoRecords) || len(document.Foreign) != 0 || report.Skipped != 2 || report.Foreign != 0 {
		t.Errorf("alone: %v, %+v, %+v", err, document, report)
	}
	document, report = readText(t, "{}\n"+`{"note":"x"}`+"\n"+adaLine)
	want := []Problem{
		{Line: 1, Message: `an object without a "type" is no record`, Skipped: true},
		{Line: 2, Message: `an object without a "type" is no record; it is kept for export only`},
	}
	if diff := cmp.Diff(want, report.Problems); diff != "" || len(document.Foreign) != 1 || len(document.Entities) != 1 {
		t.Errorf("beside a record: %+v\n%s", document, diff)
	}
}
