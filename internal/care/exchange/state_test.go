package exchange

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAMemoryExportKeepsDatesAndCompletion(t *testing.T) {
	for seed := range uint64(300) {
		g := newGenerator(seed)
		document := g.document()
		for i := range document.Charts {
			chart := &document.Charts[i]
			chart.ChartEntity.Observations = append(chart.ChartEntity.Observations, g.misleading()...)
			for j := range chart.Steps {
				chart.Steps[j].Observations = append(chart.Steps[j].Observations, g.misleading()...)
			}
		}
		first := written(t, document, Memory)
		again, _, err := Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(states(document), states(again), cmp.AllowUnexported(state{})); diff != "" {
			t.Fatalf("seed %d (-document +again):\n%s\n%s", seed, diff, first)
		}
		if second := written(t, again, Memory); !bytes.Equal(entityLines(first), entityLines(second)) {
			t.Fatalf("seed %d: the second export differs:\n%s", seed, cmp.Diff(string(first), string(second)))
		}
	}
}

// misleading are observations that look like the state of a chart or step.
func (g *generator) misleading() []string {
	samples := []string{"Due date: 2020-02-02", "Completed on: 2020-03-03", "Status: completed", "Status: open", "Due date: none", "Due date: soon"}
	var texts []string
	for range g.random.IntN(3) {
		texts = append(texts, samples[g.random.IntN(len(samples))])
	}
	return texts
}

// states are the dates and completion of charts and steps. The completion date
// of what is open is text only.
func states(document *Document) map[string]state {
	all := map[string]state{}
	add := func(id string, s state) {
		if !s.completed {
			s.completedAt = ""
		}
		all[id] = s
	}
	for _, chart := range document.Charts {
		add(chart.ID, state{chart.DueDate, chart.Completed, chart.CompletedAt})
		for _, step := range chart.Steps {
			add(step.ID, state{step.DueDate, step.Completed, step.CompletedAt})
		}
	}
	return all
}

func entityLines(export []byte) []byte {
	var lines []byte
	for line := range bytes.Lines(export) {
		if bytes.Contains(line, []byte(`"type":"entity"`)) && !bytes.Contains(line, []byte(`"narrative_beat"`)) {
			lines = append(lines, line...)
		}
	}
	return lines
}

func TestOnlyTheLastObservationsOfAnEntityWithoutMetadataAreItsState(t *testing.T) {
	for name, c := range map[string]struct {
		observations []string
		rest         []string
		want         state
	}{
		"due date and completion date": {[]string{"a", "Due date: 2026-06-30", "Completed on: 2026-05-01T10:00:00.000Z"}, []string{"a"}, state{"2026-06-30", true, "2026-05-01T10:00:00.000Z"}},
		"due date and status":          {[]string{"Due date: 2026-06-30T00:00:00+02:00", "Status: completed"}, nil, state{"2026-06-30T00:00:00+02:00", true, ""}},
		"another order":                {[]string{"Status: completed", "Due date: 2026-06-30"}, []string{"Status: completed"}, state{"2026-06-30", false, ""}},
		"not last":                     {[]string{"Due date: 2026-06-30", "noted"}, []string{"Due date: 2026-06-30", "noted"}, state{}},
		"no date":                      {[]string{"Due date: when the leather is here"}, []string{"Due date: when the leather is here"}, state{}},
		"text behind the date":         {[]string{"Completed on: 2026-06-30, nearly"}, []string{"Completed on: 2026-06-30, nearly"}, state{}},
		"another status":               {[]string{"Status: waiting"}, []string{"Status: waiting"}, state{}},
		"nothing":                      {nil, nil, state{}},
	} {
		t.Run(name, func(t *testing.T) {
			rest, got, _ := splitState(c.observations)
			if got != c.want || !slices.Equal(rest, c.rest) {
				t.Errorf("got %+v and %q, want %+v and %q", got, rest, c.want, c.rest)
			}
		})
	}
}

func TestStateLinesOfAnEntityWithMetadataStayObservations(t *testing.T) {
	document, _ := readText(t, strings.ReplaceAll(chartLines("c", ""), `"noted"`, `"Status: completed"`))
	step := document.Charts[0].Steps[0]
	if step.Completed || !slices.Equal(step.Observations, []string{"Status: completed"}) {
		t.Errorf("%+v", step)
	}
}

func TestAChartWithoutMetadataAndStateIsReported(t *testing.T) {
	text := `{"type":"entity","name":"c_chart","entityType":"structural_tension_chart","observations":["made"]}
{"type":"entity","name":"c_desired_outcome","entityType":"desired_outcome","observations":["o"]}
{"type":"entity","name":"c_current_reality","entityType":"current_reality","observations":["r"]}
`
	_, report := readText(t, text)
	want := []Problem{{Line: 1, Message: `the due date and completion of chart "c" are not in this file`}}
	if diff := cmp.Diff(want, report.Problems); diff != "" {
		t.Error(diff)
	}
	if _, report = readText(t, strings.Replace(text, `"made"`, `"made","Due date: 2026-06-30"`, 1)); len(report.Problems) > 0 {
		t.Errorf("%+v", report.Problems)
	}
}
