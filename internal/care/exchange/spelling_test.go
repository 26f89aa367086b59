package exchange

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObviousSpellingsAreUnderstood(t *testing.T) {
	for name, c := range map[string]struct{ metadata, want string }{
		"an act as text":          {`"act":"2"`, `"act":2`},
		"an act with zeros":       {`"act":2.50`, `"act":2.5`},
		"one universe as text":    {`"universes":"one"`, `"universes":["one"]`},
		"universes with numbers":  {`"universes":["one",2]`, `"universes":["one","2"]`},
		"one lesson as text":      {`"narrative":{"lessons":"listen"}`, `"lessons":["listen"]`},
		"an assessment as text":   {`"relationalAlignment":{"assessed":"True","score":" 7.5 ","principles":"care"}`, `{"assessed":true,"score":7.5,"principles":["care"]}`},
		"an assessment in digits": {`"relationalAlignment":{"assessed":1}`, `"assessed":true`},
	} {
		t.Run(name, func(t *testing.T) {
			document, report := readText(t, chartLines("c", "")+`{"type":"entity","name":"b","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c",`+c.metadata+`}}`)
			if len(report.Problems) > 0 {
				t.Errorf("%+v", report.Problems)
			}
			if export := string(written(t, document, Coaia)); !strings.Contains(export, c.want) {
				t.Errorf("%s is not in %s", c.want, export)
			}
		})
	}
}

func TestACompletionStatusAsTextIsUnderstood(t *testing.T) {
	for raw, completed := range map[string]bool{`"true"`: true, `"True"`: true, `1`: true, `"false"`: false, `0`: false, `true`: true, `null`: false} {
		t.Run(raw, func(t *testing.T) {
			text := strings.ReplaceAll(chartLines("c", ""), `"metadata":{"chartId":"c"}}`, `"metadata":{"chartId":"c","completionStatus":`+raw+`}}`)
			document, report := readText(t, text)
			chart := document.Charts[0]
			if chart.Completed != completed || chart.Steps[0].Completed != completed || len(report.Problems) > 0 {
				t.Errorf("chart %v, step %v, problems %+v", chart.Completed, chart.Steps[0].Completed, report.Problems)
			}
			chart.Steps[0].Completed = true
			if export := string(written(t, document, Coaia)); !strings.Contains(export, `"completionStatus":true`) {
				t.Errorf("a change since is not written:\n%s", export)
			}
		})
	}
}

func TestWhatASpellingDoesNotTellIsReported(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"an act":             {`"b","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c","act":"second"}`, `the act "second" of narrative beat "b" is not understood; it is kept for export only`},
		"an act beyond all":  {`"b","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c","act":1e400}`, `the act 1e400 of narrative beat "b" is not understood; it is kept for export only`},
		"universes":          {`"b","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c","universes":{"one":1}}`, `the universes {"one":1} of narrative beat "b" is not understood; it is kept for export only`},
		"a score":            {`"b","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"c","relationalAlignment":{"score":"high"}}`, `the score "high" of narrative beat "b" is not understood; it is kept for export only`},
		"no metadata":        {`"c_beat_1","entityType":"narrative_beat","observations":["Act 2"]`, `narrative beat "c_beat_1" has no metadata in this file; its act, universes and narrative are read from there only`},
		"a completionStatus": {`"s","entityType":"action_step","observations":["t"],"metadata":{"chartId":"c","completionStatus":"nearly"}`, `the completionStatus "nearly" of action step "s" is not understood; it is kept for export only`},
		"a due date":         {`"s","entityType":"action_step","observations":["t"],"metadata":{"chartId":"c","dueDate":20260630}`, `the dueDate 20260630 of action step "s" is not understood; it is kept for export only`},
	} {
		t.Run(name, func(t *testing.T) {
			_, report := readText(t, chartLines("c", "")+`{"type":"entity","name":`+c.line+"}")
			if diff := cmp.Diff([]Problem{{Line: 5, Message: c.want}}, report.Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnEmptyDueDateAndNoneComeBackAsTheyWere(t *testing.T) {
	for _, raw := range []string{`null`, `""`} {
		line := `"dueDate":` + raw
		document, report := readText(t, chartLines("c", ","+line))
		if document.Charts[0].DueDate != "" || len(report.Problems) > 0 {
			t.Errorf("%s: %+v, %+v", raw, document.Charts[0], report.Problems)
		}
		if export := string(written(t, document, Coaia)); strings.Count(export, "dueDate") != 1 || !strings.Contains(export, line) {
			t.Errorf("%s: %s", raw, export)
		}
	}
	document, _ := readText(t, chartLines("c", ""))
	for _, format := range []Format{Coaia, Memory} {
		if export := string(written(t, document, format)); strings.Contains(strings.ToLower(export), "due") {
			t.Errorf("a date appeared: %s", export)
		}
	}
}

func TestAParentStepNamedByItsTitleIsFound(t *testing.T) {
	second := `{"type":"entity","name":"c_action_2","entityType":"action_step","observations":["%s"],"metadata":{"chartId":"c"}}` + "\n"
	for name, c := range map[string]struct{ more, named, step, problem string }{
		"by title":            {"", "step of c", "c_action_1", ""},
		"case and space":      {"", " Step  OF c ", "c_action_1", ""},
		"the ID comes first":  {fmt.Sprintf(second, "c_action_1"), "c_action_1", "c_action_1", ""},
		"a title of two":      {fmt.Sprintf(second, "STEP of c"), "step of c", "", `chart "d" names "step of c" as its parent step, a title that 2 steps of chart "c" have; it became a step of its own`},
		"no such step":        {"", "gone", "", `chart "d" names the parent step "gone", which chart "c" does not have; it became a step of its own`},
		"its own outcome":     {"", "Outcome of d", "", ""},
		"a step of its own":   {"", "step of d", "", `chart "d" names the parent step "step of d", which chart "c" does not have; it became a step of its own`},
		"nothing but a space": {"", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := chartLines("d", `,"parentChart":"c","parentActionStep":"`+c.named+`"`) + c.more + chartLines("c", "")
			document, report := readText(t, text)
			child := document.Charts[slices.IndexFunc(document.Charts, func(c Chart) bool { return c.ID == "d" })]
			if child.ParentChart != "c" || child.ParentStep != c.step {
				t.Errorf("below %q, %q", child.ParentChart, child.ParentStep)
			}
			var problems []string
			for _, p := range report.Problems {
				problems = append(problems, p.Message)
			}
			if strings.Join(problems, "\n") != c.problem {
				t.Errorf("problems %q, want %q", problems, c.problem)
			}
		})
	}
}
