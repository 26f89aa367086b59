package exchange

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chartLines is a complete chart with more metadata for its chart entity.
func chartLines(id, metadata string) string {
	return fmt.Sprintf(`{"type":"entity","name":"%[1]s_chart","entityType":"structural_tension_chart","observations":["made"],"metadata":{"chartId":"%[1]s"%[2]s}}
{"type":"entity","name":"%[1]s_desired_outcome","entityType":"desired_outcome","observations":["outcome of %[1]s"],"metadata":{"chartId":"%[1]s"}}
{"type":"entity","name":"%[1]s_current_reality","entityType":"current_reality","observations":["one","two"],"metadata":{"chartId":"%[1]s"}}
{"type":"entity","name":"%[1]s_action_1","entityType":"action_step","observations":["step of %[1]s","noted"],"metadata":{"chartId":"%[1]s"}}
`, id, metadata)
}

func TestAChartIsReadFromItsEntities(t *testing.T) {
	document, report := readText(t, `{"type":"entity","name":"c_chart","entityType":"structural_tension_chart","observations":["Chart created on 2026-01-01T00:00:00Z"],"metadata":{"chartId":"c","dueDate":"2026-06-30","level":7,"createdAt":"2026-01-01T00:00:00Z","completionStatus":true,"phase":"germination"},"pinned":true}
{"type":"entity","name":"c_desired_outcome","entityType":"desired_outcome","observations":["The organ plays","said so in May"],"metadata":{"chartId":"c","dueDate":"2026-07-01","completedAt":"2026-05-05"}}
{"type":"entity","name":"c_current_reality","entityType":"current_reality","observations":["Pipes","No bellows"],"metadata":{"chartId":"c","source":"visit"}}
{"type":"entity","name":"c_action_3","entityType":"action_step","observations":["Tight bellows","Leather came"],"metadata":{"chartId":"c","dueDate":"2026-02-30","completionStatus":true,"completedAt":"2026-02-01","assignedTo":"Ada"}}
{"type":"entity","name":"prelude","entityType":"action_step","observations":["Tuned pipes"],"metadata":{"chartId":"c","completionStatus":"yes"}}
{"type":"relation","from":"c_chart","to":"c_current_reality","relationType":"contains","metadata":{"strength":2}}
{"type":"relation","from":"c_chart","to":"c_desired_outcome","relationType":"contains","metadata":{"createdAt":"2026-01-01T00:00:00Z"}}
`)
	want := &Document{Charts: []Chart{{
		ID: "c", DesiredOutcome: "The organ plays", CurrentReality: []string{"Pipes", "No bellows"},
		DueDate: "2026-06-30", CreatedAt: "2026-01-01T00:00:00Z", CompletedAt: "2026-05-05",
		Steps: []Step{
			{
				ID: "c_action_3", Title: "Tight bellows", Observations: []string{"Leather came"}, DueDate: "2026-02-30",
				CompletedAt: "2026-02-01", Completed: true, Metadata: json.RawMessage(`{"assignedTo":"Ada"}`),
			},
			{ID: "prelude", Title: "Tuned pipes", Metadata: json.RawMessage(`{"completionStatus":"yes"}`)},
		},
		ChartEntity:   Part{Metadata: json.RawMessage(`{"completionStatus":true,"phase":"germination"}`), Extra: json.RawMessage(`{"pinned":true}`)},
		OutcomeEntity: Part{Observations: []string{"said so in May"}, Metadata: json.RawMessage(`{"dueDate":"2026-07-01"}`)},
		RealityEntity: Part{Metadata: json.RawMessage(`{"source":"visit"}`)},
		Ties: []Relation{{
			From: "c_chart", To: "c_current_reality", RelationType: "contains", Metadata: json.RawMessage(`{"strength":2}`),
		}},
	}}}
	if diff := cmp.Diff(want, document, sameContent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	problems := []Problem{{Line: 5, Message: `the completionStatus "yes" of action step "prelude" is not understood; it is kept for export only`}}
	if report.Charts != 1 || report.Steps != 2 || report.Implied != 2 || !slices.Equal(report.Problems, problems) {
		t.Errorf("report: %+v", report)
	}
}

func TestAChartInOneEntityIsReadWithTheStepsItLists(t *testing.T) {
	document, _ := readText(t, `{"type":"entity","name":"c","entityType":"structural_tension_chart","observations":["The organ plays","a; b","33 %"],"metadata":{"chartId":"c","desiredOutcome":"The organ plays","currentReality":"a; b","dueDate":"2026-06-30T00:00:00Z","actionSteps":["one","child","two","three"],"progress":0.25,"completedActions":1,"totalActions":4,"mood":"calm"}}
{"type":"entity","name":"c_action_1","entityType":"action_step","observations":["one"],"metadata":{"chartId":"c","completionStatus":true}}
{"type":"entity","name":"c_action_2","entityType":"structural_tension_chart","observations":[],"metadata":{"chartId":"c_action_2","desiredOutcome":"child","currentReality":["x; y"],"parentChart":"c","completionStatus":true,"completedAt":"2026-02-02"}}
{"type":"relation","from":"c","to":"c_action_1","relationType":"admires"}
`)
	want := &Document{
		Charts: []Chart{
			{
				ID: "c", DesiredOutcome: "The organ plays", CurrentReality: []string{"a", "b"}, DueDate: "2026-06-30T00:00:00Z",
				Steps: []Step{
					{ID: "c_action_1", Title: "one", Completed: true},
					{ID: "c_action_3", Title: "two"}, {ID: "c_action_4", Title: "three"},
				},
				ChartEntity: Part{Observations: []string{"33 %"}, Metadata: json.RawMessage(`{"mood":"calm"}`)},
			},
			{
				ID: "c_action_2", Level: 1, ParentChart: "c", DesiredOutcome: "child", CurrentReality: []string{"x; y"},
				Completed: true, CompletedAt: "2026-02-02",
			},
		},
		Relations: []Relation{{From: "c", To: "c_action_1", RelationType: "admires"}},
	}
	if diff := cmp.Diff(want, document, sameContent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParentsAndLevelsAreRecomputed(t *testing.T) {
	text := chartLines("a", `,"parentChart":"b","parentActionStep":"b_action_1","level":0`) +
		chartLines("b", `,"parentChart":"c","level":9`) + chartLines("c", "") +
		chartLines("lost", `,"parentChart":"gone"`) +
		chartLines("x", `,"parentChart":"y"`) + chartLines("y", `,"parentChart":"x"`) + chartLines("z", `,"parentChart":"y"`) +
		chartLines("byOutcome", "") + chartLines("byStep", "") +
		`{"type":"relation","from":"byOutcome_desired_outcome","to":"c_desired_outcome","relationType":"advances_toward"}
{"type":"relation","from":"a_action_1","to":"byStep_desired_outcome","relationType":"telescopes_into"}
`
	document, _ := readText(t, text)
	type place struct {
		level       int
		chart, step string
	}
	want := map[string]place{
		"a": {2, "b", "b_action_1"}, "b": {1, "c", ""}, "c": {}, "lost": {},
		"x": {}, "y": {}, "z": {1, "y", ""}, "byOutcome": {1, "c", ""}, "byStep": {3, "a", "a_action_1"},
	}
	got := map[string]place{}
	for _, chart := range document.Charts {
		got[chart.ID] = place{chart.Level, chart.ParentChart, chart.ParentStep}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if export := string(written(t, document, Coaia)); !strings.Contains(export, `"parentChart":"gone"`) {
		t.Errorf("the export lost a parent that is not in the file:\n%s", export)
	}
}

func TestAnIncompleteChartBecomesPlainEntities(t *testing.T) {
	complete := chartLines("c", "")
	lines := strings.SplitAfter(strings.TrimSuffix(complete, "\n"), "\n")
	for name, text := range map[string]string{
		"no chart entity":            strings.Join(lines[1:], ""),
		"no desired outcome":         lines[0] + lines[2] + lines[3],
		"no current reality":         lines[0] + lines[1] + lines[3],
		"an empty outcome":           strings.Replace(complete, `["outcome of c"]`, "[]", 1),
		"an outcome of another type": strings.Replace(complete, `"desired_outcome","observations"`, `"thing","observations"`, 1),
		"another name":               strings.ReplaceAll(complete, `"c_chart"`, `"chart of c"`),
		"its ID taken":               complete + `{"type":"entity","name":"c","entityType":"thing","observations":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			document, report := readText(t, text)
			if len(document.Charts) > 0 {
				t.Errorf("charts: %+v", document.Charts)
			}
			if want := strings.Count(text, `"type":"entity"`); len(document.Entities) != want {
				t.Errorf("%d entities, want %d", len(document.Entities), want)
			}
			if len(report.Problems) == 0 || report.Skipped > 0 {
				t.Errorf("report: %+v", report)
			}
		})
	}
}

func TestABeatIsReadFromBothForms(t *testing.T) {
	beat := Beat{
		Name: "first", ParentChart: "c", Title: "First sound", Act: 2, TypeDramatic: "anything", Universes: []string{"story"},
		Timestamp: "2025-03-01", Narrative: json.RawMessage(`{"description":"d","prose":"p","lessons":["l"],"voice":"Ada"}`),
		RelationalAlignment: json.RawMessage(`{"assessed":true,"score":0.8,"principles":["care"]}`),
		FourDirections:      json.RawMessage(`{"north_vision":"nave","east_intention":null,"south_emotion":null,"west_introspection":null}`),
		Metadata:            json.RawMessage(`{"mood":"quiet"}`), Extra: json.RawMessage(`{"shelf":"B"}`),
	}
	common := `"act":2.0,"type_dramatic":"anything","universes":["story"],"timestamp":"2025-03-01","mood":"quiet"`
	narrative := `{"description":"d","voice":"Ada","prose":"p","lessons":["l"]}`
	alignment := `{"assessed":true,"score":0.8,"principles":["care"]}`
	directions := `{"north_vision":"nave","east_intention":null,"south_emotion":null,"west_introspection":null}`
	for name, line := range map[string]string{
		"old line": `{"type":"narrative_beat","name":"first","title":"First sound","metadata":{"parentChart":"c",` + common + `},"narrative":` + narrative +
			`,"relational_alignment":` + alignment + `,"four_directions":` + directions + `,"shelf":"B"}`,
		"entity": `{"type":"entity","name":"first","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c","title":"First sound",` + common +
			`,"narrative":` + narrative + `,"relationalAlignment":` + alignment + `,"fourDirections":` + directions + `},"shelf":"B"}`,
	} {
		t.Run(name, func(t *testing.T) {
			document, _ := readText(t, chartLines("c", "")+line)
			if diff := cmp.Diff([]Beat{beat}, document.Beats, sameContent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestABeatFindsItsChartAndParentBeat(t *testing.T) {
	beat := func(name, metadata string) string {
		return fmt.Sprintf(`{"type":"entity","name":"%s","entityType":"narrative_beat","observations":["o"],"metadata":{%s}}`+"\n", name, metadata)
	}
	text := chartLines("c", "") +
		beat("by id", `"chartId":"c"`) +
		beat("by entity name", `"chartId":"c_chart"`) +
		beat("by parent beat in chartId", `"chartId":"by id"`) +
		beat("by parentBeat", `"parentBeat":"by parent beat in chartId"`) +
		beat("by both", `"chartId":"c","parentBeat":"by id"`) +
		beat("c_beat_9", "") + beat("c_beat_9_beat_1", "") +
		beat("by relation", "") +
		beat("circle one", `"chartId":"circle two"`) + beat("circle two", `"chartId":"circle one"`) +
		beat("astray", `"chartId":"gone"`) +
		`{"type":"relation","from":"by relation","to":"c_chart","relationType":"documents"}`
	document, _ := readText(t, text)
	want := map[string]string{
		"by id": "", "by entity name": "", "by parent beat in chartId": "by id", "by parentBeat": "by parent beat in chartId",
		"by both": "by id", "c_beat_9": "", "c_beat_9_beat_1": "c_beat_9", "by relation": "",
	}
	got := map[string]string{}
	for _, beat := range document.Beats {
		got[beat.Name] = beat.ParentBeat
		if beat.ParentChart != "c" {
			t.Errorf("%s belongs to chart %q", beat.Name, beat.ParentChart)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var plain []string
	for _, entity := range document.Entities {
		plain = append(plain, entity.Name)
	}
	if want := []string{"circle one", "circle two", "astray"}; !slices.Equal(plain, want) {
		t.Errorf("plain entities %v, want %v", plain, want)
	}
}
