package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADocumentNoFileCouldHoldIsRefusedAndNothingWritten(t *testing.T) {
	chart := Chart{ID: "c", DesiredOutcome: "o"}
	for name, c := range map[string]struct {
		document Document
		message  string
	}{
		"two entities of a name":    {Document{Entities: []Entity{{Name: "a"}, {Name: "a"}}}, `both need the name "a"`},
		"an entity without a name":  {Document{Entities: []Entity{{Name: ""}}}, "has no name"},
		"a chart without an ID":     {Document{Charts: []Chart{{}}}, "has no ID"},
		"a name a chart needs":      {Document{Charts: []Chart{chart}, Entities: []Entity{{Name: "c_desired_outcome"}}}, "export again"},
		"metadata that is cut off":  {Document{Relations: []Relation{{From: "a", To: "b", Metadata: json.RawMessage("{")}}}, "no JSON"},
		"a foreign line of no JSON": {Document{Foreign: []json.RawMessage{json.RawMessage("{}"), json.RawMessage("oops")}}, "no JSON"},
		"a beat named as a step":    {Document{Charts: []Chart{{ID: "c", Steps: []Step{{ID: "s"}}}}, Beats: []Beat{{Name: "s"}}}, `"s"`},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := Write(&out, &c.document, Coaia)
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v, want a word of %q", err, c.message)
			}
			if out.Len() > 0 {
				t.Errorf("written: %s", out.String())
			}
		})
	}
}

func TestAnUnknownFormatIsRefused(t *testing.T) {
	if err := Write(&bytes.Buffer{}, &Document{}, "yaml"); err == nil || !strings.Contains(err.Error(), `"memory" or "coaia"`) {
		t.Errorf("got %v", err)
	}
	for _, format := range []Format{Memory, Coaia} {
		if got, err := ParseFormat(string(format)); err != nil || got != format {
			t.Errorf("ParseFormat(%q) = %q, %v", format, got, err)
		}
	}
}

func TestAFaultOfTheDestinationIsAnError(t *testing.T) {
	fault := errors.New("disk full")
	document := &Document{Entities: []Entity{{Name: "a", Observations: []string{strings.Repeat("x", 1<<20)}}, {Name: "b"}}}
	if err := Write(brokenWriter{fault}, document, Coaia); !errors.Is(err, fault) {
		t.Errorf("got %v, want %v", err, fault)
	}
}

type brokenWriter struct{ fault error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.fault }

func TestTheOfficialFormatHasNothingButItsOwnFields(t *testing.T) {
	allowed := map[string][]string{
		"entity":   {"type", "name", "entityType", "observations"},
		"relation": {"type", "from", "to", "relationType"},
	}
	for _, sample := range samples(t) {
		document, _ := readFile(t, sample)
		for line := range strings.Lines(string(written(t, document, Memory))) {
			var record map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				t.Fatal(err)
			}
			keys := allowed[strings.Trim(string(record["type"]), `"`)]
			if len(keys) != len(record) {
				t.Errorf("%s: %s", sample, line)
			}
			for _, key := range keys {
				if _, ok := record[key]; !ok {
					t.Errorf("%s: no %s in %s", sample, key, line)
				}
			}
		}
	}
}

func TestTheOfficialFormatKeepsTheTextOfChartsAndBeats(t *testing.T) {
	document := &Document{
		Charts: []Chart{{
			ID: "c", DesiredOutcome: "outcome text", CurrentReality: []string{"fact text"}, DueDate: "2026-06-30", Completed: true,
			Steps: []Step{{ID: "c_action_1", Title: "step text", Observations: []string{"progress text"}, Completed: true, CompletedAt: "2026-02-01"}},
		}},
		Beats: []Beat{{
			Name: "c_beat_1", ParentChart: "c", Title: "title text", Act: 2, TypeDramatic: "Crisis", Universes: []string{"u1", "u2"},
			Narrative:           json.RawMessage(`{"description":"description text","prose":"prose text","lessons":["lesson text"]}`),
			RelationalAlignment: json.RawMessage(`{"principles":["principle text"]}`),
			FourDirections:      json.RawMessage(`{"north_vision":"a full nave"}`),
		}},
		Relations: []Relation{{From: "c_beat_1", To: "c", RelationType: "evaluates"}},
	}
	got := string(written(t, document, Memory))
	want := `{"type":"entity","name":"c_chart","entityType":"structural_tension_chart","observations":["Due date: 2026-06-30","Status: completed"]}
{"type":"entity","name":"c_desired_outcome","entityType":"desired_outcome","observations":["outcome text"]}
{"type":"entity","name":"c_current_reality","entityType":"current_reality","observations":["fact text"]}
{"type":"entity","name":"c_action_1","entityType":"action_step","observations":["step text","progress text","Completed on: 2026-02-01"]}
{"type":"entity","name":"c_beat_1","entityType":"narrative_beat","observations":["Act 2 Crisis","Universe: u1, u2","Title: title text","Description: description text","Prose: prose text","Lesson: lesson text","Principle: principle text","Vision: a full nave"]}
{"type":"relation","from":"c_chart","to":"c_desired_outcome","relationType":"contains"}
{"type":"relation","from":"c_chart","to":"c_current_reality","relationType":"contains"}
{"type":"relation","from":"c_current_reality","to":"c_desired_outcome","relationType":"creates_tension_with"}
{"type":"relation","from":"c_chart","to":"c_action_1","relationType":"contains"}
{"type":"relation","from":"c_action_1","to":"c_desired_outcome","relationType":"advances_toward"}
{"type":"relation","from":"c_beat_1","to":"c_chart","relationType":"documents"}
{"type":"relation","from":"c_beat_1","to":"c_chart","relationType":"evaluates"}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATypedFieldThatIsSetWinsOverTheMetadata(t *testing.T) {
	document := &Document{Charts: []Chart{{
		ID: "c", DesiredOutcome: "o", DueDate: "2027-01-01",
		ChartEntity: Part{Metadata: json.RawMessage(`{"dueDate":5,"x":1}`)},
		Steps:       []Step{{ID: "s", Title: "t", Completed: true, Metadata: json.RawMessage(`{"completionStatus":"no"}`)}},
	}}}
	got := string(written(t, document, Coaia))
	for _, want := range []string{
		`"metadata":{"chartId":"c","dueDate":"2027-01-01","level":0,"x":1}`,
		`"metadata":{"chartId":"c","completionStatus":true}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestARelationThatAChartImpliesIsWrittenOnce(t *testing.T) {
	document := &Document{
		Charts:    []Chart{{ID: "c", DesiredOutcome: "o", Steps: []Step{{ID: "s", Title: "t"}}}},
		Relations: []Relation{{From: "c", To: "s", RelationType: relationContains, Metadata: json.RawMessage(`{"strength":1}`)}},
	}
	got := string(written(t, document, Coaia))
	if n := strings.Count(got, `"from":"c_chart","to":"s"`); n != 1 || !strings.Contains(got, `"strength":1`) {
		t.Errorf("written %d times:\n%s", n, got)
	}
}

func ExampleWrite() {
	document, report, err := Read(strings.NewReader(`{"type":"entity","name":"Ada","entityType":"person","observations":["Builds organs"],"metadata":{"since":2019}}
not a record
`))
	if err != nil {
		panic(err)
	}
	for _, problem := range report.Problems {
		os.Stdout.WriteString(problem.Message + "\n")
	}
	if err := Write(os.Stdout, document, Memory); err != nil {
		panic(err)
	}
	// Output:
	// not valid JSON: invalid character 'o' in literal null (expecting 'u')
	// {"type":"entity","name":"Ada","entityType":"person","observations":["Builds organs"]}
}
