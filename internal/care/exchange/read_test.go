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
		{"an entity that comes again", adaLine + "\n" + organLine + "\n" + adaLine, 1, true, "comes again on line 3"},
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
			document, report, err := readLimited(strings.NewReader(text), 150_000)
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

func TestADocumentSpreadBeyondTheLimitIsAnError(t *testing.T) {
	text := "{\n\"entities\": [\n" + strings.Repeat("  {\"name\": \"x\"},\n", 1000) + "  {}\n]}\n"
	if _, _, err := readLimited(strings.NewReader(text), 5000); !errors.Is(err, errValueTooLarge) {
		t.Errorf("got %v, want %v", err, errValueTooLarge)
	}
}

func TestWhatIsNotUnderstoodIsKeptAsItIs(t *testing.T) {
	for name, line := range map[string]string{
		"an unknown type": `{"type":"pde_session","id": 12345678901234567890, "deep":{"a":[1.50,"<&>"]}}`,
		"no type":         `{"note":"x"}`,
		"control characters, as JavaScript writes them": `{"type":"entity","name":"x","entityType":"y","observations":["\b\f\u0001` + "\x7f" + `"]}`,
		"a type that is no string":                      `{"type":5,"name":"x"}`,
		"data with a type of its own":                   `{"type":"entity","data":{"name":"x","type":"person"}}`,
		"a beat line of another type":                   `{"type":"narrative_beat","name":"x","entityType":"person"}`,
		"a relation with a missing end":                 `{"type":"relation","from":"Ada","to":"Ghost","relationType":"sees","metadata":{"n":9007199254740993},"x":1}`,
		"an entity with unknown fields":                 `{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":{"b":9007199254740993,"a":1e400},"z":[null]}`,
		"an entity with odd metadata":                   `{"type":"entity","name":"x","entityType":"y","observations":[],"metadata":[1]}`,
		"an entity with an odd entityType":              `{"type":"entity","name":"x","observations":[],"entityType":7}`,
		"a relation with an odd type":                   `{"type":"relation","from":"Ada","to":"Ada","relationType":[1]}`,
	} {
		t.Run(name, func(t *testing.T) {
			document, _ := readText(t, adaLine+"\n"+line+"\n")
			if export := string(written(t, document, Coaia)); export != adaLine+"\n"+line+"\n" {
				t.Errorf("got %s", export)
			}
		})
	}
}

func TestTheLastOfEqualKeysAndNamesWins(t *testing.T) {
	document, report := readText(t, strings.Join([]string{
		`{"type":"entity","name":"Ada","entityType":"a","entityType":"person","observations":["old"]}`,
		organLine,
		`{"type":"entity","name":"Ada","entityType":"a","entityType":"person","observations":["x"],"observations":["Builds organs"]}`,
		`{"type":"relation","from":"Ada","to":"Organ","relationType":"builds","metadata":{"strength":1}}`,
		buildLine,
	}, "\n"))
	if diff := cmp.Diff(adaAndOrgan, document, sameContent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if report.Skipped != 2 || document.Entities[0].Line != 3 {
		t.Errorf("skipped %d, line %d", report.Skipped, document.Entities[0].Line)
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
