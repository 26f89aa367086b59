package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead holds for any input: reading does not panic, the report fits the
// document, and an export read again gives the document and the same export.
func FuzzRead(f *testing.F) {
	for _, sample := range samples(f) {
		text, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(checkStable)
}

// Files made of few names and keys with values of any type collide in every
// way that bytes changed at random hardly reach.
func TestAnyMixOfLinesIsReadStably(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range uint64(3000) {
		m := mixer{random: rand.New(rand.NewPCG(seed, 11))}
		input := m.file()
		checkStable(t, []byte(input))
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, input)
		}
	}
}

func checkStable(t *testing.T, input []byte) {
	document, report, err := Read(bytes.NewReader(input))
	if errors.Is(err, errUTF16) {
		return
	}
	if err != nil && !errors.Is(err, ErrNoRecords) {
		t.Fatalf("Read: %v", err)
	}
	checkReport(t, input, document, report)
	first := written(t, document, Coaia)
	again, _, err := Read(bytes.NewReader(first))
	if err != nil {
		t.Fatalf("Read of the export: %v\n%s", err, first)
	}
	if !sameDocument(document, again) {
		t.Fatalf("input:\n%s\nexport:\n%s\n-document +again:\n%s", input, first, cmp.Diff(document, again, sameContent))
	}
	if second := written(t, again, Coaia); !bytes.Equal(first, second) {
		t.Fatalf("the second export differs:\n%s\n%s", first, second)
	}
	plain := written(t, document, Memory)
	if _, _, err := Read(bytes.NewReader(plain)); err != nil {
		t.Fatalf("Read of the memory export: %v\n%s", err, plain)
	}
}

func checkReport(t *testing.T, input []byte, document *Document, report *Report) {
	t.Helper()
	lines := bytes.Count(input, []byte{'\n'})
	if len(input) > 0 && !bytes.HasSuffix(input, []byte{'\n'}) {
		lines++
	}
	steps, skipped, ties := 0, 0, 0
	for _, chart := range document.Charts {
		steps += len(chart.Steps)
		ties += len(chart.Ties)
	}
	last := 1
	for _, problem := range report.Problems {
		if problem.Line < last || problem.Line > lines || problem.Message == "" {
			t.Errorf("problem out of order or place: %+v", problem)
		}
		last = problem.Line
		if problem.Skipped {
			skipped++
		}
	}
	got := [...]int{report.Lines, report.Entities, report.Charts, report.Steps, report.Beats, report.Foreign, report.Skipped}
	want := [...]int{lines, len(document.Entities), len(document.Charts), steps, len(document.Beats), len(document.Foreign), skipped}
	if got != want {
		t.Errorf("report says %v, the document is %v", got, want)
	}
	if report.Relations != len(document.Relations) || report.Implied < ties {
		t.Errorf("report counts %d relations and %d implied, the document holds %d and %d ties", report.Relations, report.Implied, len(document.Relations), ties)
	}
}

// mixer makes files of lines that are valid JSON and little else.
type mixer struct{ random *rand.Rand }

func (m *mixer) pick(choices ...string) string { return choices[m.random.IntN(len(choices))] }

func (m *mixer) id() string { return m.pick("a", "a", "b", "b", "c", "a_chart") }

func (m *mixer) name() string {
	return m.id() + m.pick("", "", "_chart", "_desired_outcome", "_current_reality",
		"_action_1", "_action_2", "_beat_1", "_beat_2", "_beat_1_beat_1")
}

func (m *mixer) value() string {
	quoted := func(s string) string { return `"` + s + `"` }
	return m.pick("null", "5", "true", "false", "{}", "[]", `""`, `"t"`, `"t"`, `["t"]`, `["t","u"]`, "1.0", "0", "-0", "1e3", "0.5",
		"123456789012345678901234567890", `{"description":"d","score":1,"x":2,"lessons":[1]}`, `{"score":2.50,"assessed":true,"north_vision":"n\u2028"}`,
		quoted(m.name()), quoted(m.name()), quoted(m.id()), quoted(m.id()), quoted(m.id()))
}

func (m *mixer) object(most int, keys ...string) string {
	var members []string
	for range m.random.IntN(most + 1) {
		members = append(members, `"`+m.pick(keys...)+`":`+m.value())
	}
	return strings.Join(members, ",")
}

func (m *mixer) metadata() string {
	return "{" + m.object(5, "chartId", "chartId", "parentChart", "parentActionStep", "parentBeat", "dueDate", "createdAt", "updatedAt", "completedAt",
		"completionStatus", "level", "desiredOutcome", "currentReality", "actionSteps", "completedActions", "title", "act", "type_dramatic", "universes",
		"perspective_types", "timestamp", "narrative", "relationalAlignment", "fourDirections", "unknown") + "}"
}

func (m *mixer) record() string {
	switch m.random.IntN(10) {
	case 0, 1:
		relation := fmt.Sprintf(`"type":"relation","from":"%s","to":"%s","relationType":"%s"`, m.name(), m.name(),
			m.pick(relationContains, relationTension, relationAdvances, relationTelescopes, relationDocuments, "knows", ""))
		if m.random.IntN(2) == 0 {
			relation += `,"metadata":` + m.metadata()
		}
		return relation
	case 2:
		return fmt.Sprintf(`"type":"narrative_beat","name":"%s","metadata":%s`, m.name(), m.pick(m.metadata(), m.value())) +
			m.pick("", `,"title":`+m.value(), `,"narrative":`+m.value(), `,"four_directions":`+m.value(), `,"entityType":`+m.value())
	case 3:
		return m.object(4, "type", "name", "data", "entities", "relations", "from", "to", "metadata", "observations", "unknown")
	}
	name := m.name()
	entityType := m.pick(typeChart, typeChart, typeStep, typeBeat, "thing")
	switch {
	case strings.HasSuffix(name, outcomeSuffix):
		entityType = m.pick(typeOutcome, typeOutcome, typeOutcome, entityType)
	case strings.HasSuffix(name, realitySuffix):
		entityType = m.pick(typeReality, typeReality, typeReality, entityType)
	}
	entity := fmt.Sprintf(`"name":"%s","entityType":"%s","observations":%s`, name, entityType, m.pick(`["t"]`, `["t","u"]`, "[]", m.value()))
	switch m.random.IntN(8) {
	case 0:
		return `"type":"entity","data":{` + entity + `,"metadata":` + m.metadata() + "}," + `"x":` + m.value()
	case 1:
		return `"type":"entity",` + entity + `,"metadata":` + m.value() + "," + `"y":` + m.value()
	case 2:
		return `"type":"entity",` + entity
	}
	return `"type":"entity",` + entity + `,"metadata":` + m.metadata()
}

// chart makes the lines of a chart that is mostly complete.
func (m *mixer) chart() []string {
	id := m.id()
	if m.random.IntN(4) == 0 {
		return []string{fmt.Sprintf(`{"type":"entity","name":"%s","entityType":"%s","observations":["t","%s"],"metadata":{"desiredOutcome":"t","currentReality":"t; u","actionSteps":["t","u"],%s"x":%s}}`,
			m.pick(id, id+chartSuffix), typeChart, id, m.parent(), m.value())}
	}
	lines := []string{
		fmt.Sprintf(`{"type":"entity","name":"%s_chart","entityType":"%s","observations":["t"],"metadata":{%s"x":%s}}`, id, typeChart, m.parent(), m.value()),
		fmt.Sprintf(`{"type":"entity","name":"%s_desired_outcome","entityType":"%s","observations":["t","u"],"metadata":%s}`, id, typeOutcome, m.metadata()),
		fmt.Sprintf(`{"type":"entity","name":"%s_current_reality","entityType":"%s","observations":["t"],"metadata":%s}`, id, typeReality, m.metadata()),
	}
	if m.random.IntN(2) == 0 {
		lines = append(lines, fmt.Sprintf(`{"type":"entity","name":"%s_action_1","entityType":"%s","observations":["t"],"metadata":{"completionStatus":%s}}`, id, typeStep, m.value()))
	}
	return lines
}

func (m *mixer) parent() string {
	parent := ""
	if m.random.IntN(2) == 0 {
		parent += fmt.Sprintf(`"parentChart":"%s",`, m.id())
	}
	if m.random.IntN(3) == 0 {
		parent += fmt.Sprintf(`"parentActionStep":"%s_action_1",`, m.id())
	}
	return parent
}

func (m *mixer) beat() string {
	return fmt.Sprintf(`{"type":"entity","name":"%s","entityType":"%s","observations":[],"metadata":{"%s":"%s","%s":%s,"%s":%s}}`,
		m.id()+m.pick("_beat_1", "_beat_2", "_beat_1_beat_1"), typeBeat, m.pick("chartId", "parentChart", "parentBeat", "x"), m.name(),
		m.pick("parentBeat", "narrative", "fourDirections", "relationalAlignment"), m.value(), m.pick("act", "universes", "perspective_types"), m.value())
}

func (m *mixer) file() string {
	var lines []string
	for range m.random.IntN(4) {
		lines = append(lines, m.chart()...)
	}
	for range m.random.IntN(4) {
		lines = append(lines, m.beat())
	}
	for range m.random.IntN(25) {
		lines = append(lines, "{"+strings.Trim(m.record(), ",")+"}")
	}
	m.random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	if m.random.IntN(10) == 0 {
		return `{"relations":[` + strings.Join(lines, ",\n") + `],` + "\n" + `"entities":[` + m.value() + `],"x":1}`
	}
	return strings.Join(lines, m.pick("\n", "\r\n", "\n\n"))
}
