package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameContent compares documents but for the lines they were read from, and
// takes nil and empty for the same.
var sameContent = cmp.Options{
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(Entity{}, "Line"),
	cmpopts.IgnoreFields(Relation{}, "Line"),
	cmpopts.IgnoreFields(Chart{}, "Line"),
	cmpopts.IgnoreFields(Step{}, "Line"),
	cmpopts.IgnoreFields(Beat{}, "Line"),
}

// sameDocument is sameContent for documents that have nil for empty, as Read
// makes them, and much faster.
func sameDocument(a, b *Document) bool { return reflect.DeepEqual(withoutLines(a), withoutLines(b)) }

// withoutLines copies a document but for the lines it was read from.
func withoutLines(document *Document) *Document {
	stripped := *document
	stripped.Entities = slices.Clone(document.Entities)
	for i := range stripped.Entities {
		stripped.Entities[i].Line = 0
	}
	stripped.Relations = relationsWithoutLines(document.Relations)
	slices.SortStableFunc(stripped.Relations, func(a, b Relation) int {
		return strings.Compare(a.From+a.To+a.RelationType, b.From+b.To+b.RelationType)
	})
	stripped.Charts = slices.Clone(document.Charts)
	for i := range stripped.Charts {
		chart := &stripped.Charts[i]
		chart.Line, chart.Ties, chart.Steps = 0, relationsWithoutLines(chart.Ties), slices.Clone(chart.Steps)
		slices.SortStableFunc(chart.Ties, func(a, b Relation) int {
			return strings.Compare(a.From+a.To+a.RelationType, b.From+b.To+b.RelationType)
		})
		for j := range chart.Steps {
			chart.Steps[j].Line = 0
		}
	}
	stripped.Beats = slices.Clone(document.Beats)
	for i := range stripped.Beats {
		stripped.Beats[i].Line = 0
	}
	return &stripped
}

func relationsWithoutLines(relations []Relation) []Relation {
	relations = slices.Clone(relations)
	for i := range relations {
		relations[i].Line = 0
	}
	return relations
}

func TestReadingACoaiaExportGivesTheDocumentAgain(t *testing.T) {
	for seed := range uint64(400) {
		document := newGenerator(seed).document()
		first := written(t, document, Coaia)
		again, _, err := Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !sameDocument(document, again) {
			t.Fatalf("seed %d (-document +again):\n%s\n%s", seed, cmp.Diff(document, again, sameContent), first)
		}
		if second := written(t, again, Coaia); !bytes.Equal(first, second) {
			t.Fatalf("seed %d: the second export differs:\n%s", seed, cmp.Diff(string(first), string(second)))
		}
	}
}

func TestReadingAMemoryExportGivesAPlainDocumentAgain(t *testing.T) {
	for seed := range uint64(200) {
		document := newGenerator(seed).plainDocument()
		again, report, err := Read(bytes.NewReader(written(t, document, Memory)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !sameDocument(document, again) {
			t.Fatalf("seed %d (-document +again):\n%s", seed, cmp.Diff(document, again, sameContent))
		}
		if report.Skipped > 0 {
			t.Errorf("seed %d: %d records skipped", seed, report.Skipped)
		}
	}
}

func TestAMemoryExportKeepsChartsStepsAndTheirPlaces(t *testing.T) {
	for seed := range uint64(200) {
		document := newGenerator(seed).document()
		first := written(t, document, Memory)
		again, _, err := Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		type place struct{ id, parentChart, parentStep, outcome string }
		places := func(d *Document) (all []place) {
			for _, chart := range d.Charts {
				all = append(all, place{chart.ID, chart.ParentChart, chart.ParentStep, chart.DesiredOutcome})
				for _, step := range chart.Steps {
					all = append(all, place{step.ID, chart.ID, "", step.Title})
				}
			}
			return all
		}
		if before, after := places(document), places(again); !slices.Equal(before, after) {
			t.Fatalf("seed %d (-document +again):\n%s", seed, cmp.Diff(before, after, cmp.AllowUnexported(place{})))
		}
		if second := written(t, again, Memory); len(second) < len(first) {
			t.Fatalf("seed %d: the second export is shorter", seed)
		}
	}
}

// generator makes documents as Read could return them.
type generator struct {
	random *rand.Rand
	count  int
	nodes  []string
}

func newGenerator(seed uint64) *generator {
	return &generator{random: rand.New(rand.NewPCG(seed, 7))}
}

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g *generator) text() string {
	samples := []string{"plain", "with \"quotes\" & <tags>", "Größe 木製", "two\nlines\t", "line\u2028separator", "a\\b", "; semi", "\x01\x7f"}
	g.count++
	return fmt.Sprintf("%s %d", samples[g.random.IntN(len(samples))], g.count)
}

func (g *generator) texts(most int) []string {
	var texts []string
	for range g.random.IntN(most + 1) {
		texts = append(texts, g.text())
	}
	return texts
}

func (g *generator) maybe(text string) string {
	if g.chance(50) {
		return ""
	}
	return text
}

func (g *generator) date() string { g.count++; return fmt.Sprintf("2026-01-%02d", g.count%28+1) }

// rest is an object of unknown keys, or nil.
func (g *generator) rest(more ...string) json.RawMessage {
	members := object{}
	for i := 0; i < len(more); i += 2 {
		members[more[i]] = json.RawMessage(more[i+1])
	}
	for range g.random.IntN(3) {
		g.count++
		values := []string{"null", "9007199254740993", `{"b":[1,2.50,{"c":"\u00e9<"}],"a":1e400}`, `"text"`, "[]", "true"}
		members[fmt.Sprintf("x %d", g.count)] = json.RawMessage(values[g.random.IntN(len(values))])
	}
	return members.encode()
}

func (g *generator) plainDocument() *Document {
	document := &Document{}
	for range 1 + g.random.IntN(6) {
		entity := Entity{Name: g.text(), EntityType: g.maybe("person"), Observations: g.texts(3)}
		g.nodes = append(g.nodes, entity.Name)
		document.Entities = append(document.Entities, entity)
	}
	for range g.random.IntN(6) {
		document.Relations = append(document.Relations, Relation{From: g.node(), To: g.node(), RelationType: g.text()})
	}
	return document
}

func (g *generator) node() string { return g.nodes[g.random.IntN(len(g.nodes))] }

func (g *generator) document() *Document {
	document := g.plainDocument()
	for i := range document.Entities {
		entity := &document.Entities[i]
		entity.Metadata, entity.Extra = g.rest(), g.rest()
	}
	for i := range document.Relations {
		document.Relations[i].Metadata, document.Relations[i].Extra = g.rest(), g.rest()
	}
	for range g.random.IntN(5) {
		document.Charts = append(document.Charts, g.chart(document))
	}
	if len(document.Charts) > 0 {
		for range g.random.IntN(4) {
			document.Beats = append(document.Beats, g.beat(document))
		}
	}
	for range g.random.IntN(4) {
		document.Relations = append(document.Relations, Relation{From: g.node(), To: g.node(), RelationType: g.text(), Metadata: g.rest()})
	}
	for range g.random.IntN(3) {
		if g.chance(50) {
			document.Relations = append(document.Relations, Relation{From: g.node(), To: "missing " + g.text(), RelationType: g.text(), Metadata: g.rest()})
			continue
		}
		document.Foreign = append(document.Foreign, texts("type", "other "+g.text()).encode())
	}
	return document
}

func (g *generator) chart(document *Document) Chart {
	g.count++
	chart := Chart{
		ID:             fmt.Sprintf("chart_%d", g.count),
		DesiredOutcome: g.text(), CurrentReality: g.texts(3),
		DueDate: g.maybe(g.date()), CreatedAt: g.maybe(g.date()), UpdatedAt: g.maybe(g.date()), CompletedAt: g.maybe(g.date()),
		Completed:     g.chance(30),
		ChartEntity:   Part{Observations: g.texts(2), Metadata: g.rest("completionStatus", "true"), Extra: g.rest()},
		OutcomeEntity: Part{Observations: g.texts(2), Metadata: g.rest(), Extra: g.rest()},
		RealityEntity: Part{Metadata: g.rest(), Extra: g.rest()},
	}
	if chart.DueDate == "" && g.chance(30) {
		chart.ChartEntity.Metadata = g.rest("dueDate", "5", "level", `"deep"`)
	}
	if chart.UpdatedAt != "" && g.chance(50) {
		chart.OutcomeEntity.Metadata = g.rest("updatedAt", `"another day"`)
	}
	for n := range g.random.IntN(4) {
		step := Step{
			ID: fmt.Sprintf("%s_action_%d", chart.ID, n+1), Title: g.text(), Observations: g.texts(2),
			DueDate: g.maybe(g.date()), CreatedAt: g.maybe(g.date()), UpdatedAt: g.maybe(g.date()), CompletedAt: g.maybe(g.date()),
			Completed: g.chance(50), Metadata: g.rest(), Extra: g.rest(),
		}
		if g.chance(20) {
			step.ID = g.text()
		}
		g.nodes = append(g.nodes, step.ID)
		chart.Steps = append(chart.Steps, step)
	}
	if len(document.Charts) > 0 && g.chance(70) {
		parent := document.Charts[g.random.IntN(len(document.Charts))]
		chart.ParentChart, chart.Level = parent.ID, parent.Level+1
		if len(parent.Steps) > 0 && g.chance(50) {
			chart.ParentStep = parent.Steps[0].ID
		}
	}
	for _, implied := range impliedByChart(&chart) {
		if g.chance(20) {
			implied.Metadata = g.rest("strength", "0.50")
			if implied.From == ChartEntityName(chart.ID) && implied.To != OutcomeEntityName(chart.ID) && implied.To != RealityEntityName(chart.ID) {
				implied.From = chart.ID
				document.Relations = append(document.Relations, implied)
				continue
			}
			chart.Ties = append(chart.Ties, implied)
		}
	}
	if g.chance(30) {
		entity := document.Entities[g.random.IntN(len(document.Entities))].Name
		chart.Ties = append(chart.Ties, Relation{From: OutcomeEntityName(chart.ID), To: entity, RelationType: g.text(), Extra: g.rest()})
	}
	g.nodes = append(g.nodes, chart.ID)
	return chart
}

func (g *generator) beat(document *Document) Beat {
	text := g.text()
	score := float64(g.random.IntN(21)) / 2
	beat := Beat{
		ParentChart: document.Charts[g.random.IntN(len(document.Charts))].ID,
		Title:       g.maybe(g.text()), Act: float64(g.random.IntN(8)) / 2, TypeDramatic: g.maybe(g.text()),
		Universes: g.texts(2), Timestamp: g.maybe(g.date()), CreatedAt: g.maybe(g.date()), Observations: g.texts(3),
		Narrative:           g.nested(narrativeKeys, "description", string(encodeValue(g.maybe(g.text()))), "lessons", string(encodeValue(append([]string{}, g.texts(2)...)))),
		RelationalAlignment: encodeNested(alignmentKeys, nil), FourDirections: encodeNested(directionKeys, nil),
		Metadata: g.rest(), Extra: g.rest(),
	}
	if g.chance(50) {
		beat.RelationalAlignment = g.nested(alignmentKeys, "assessed", "true", "score", string(encodeValue(score)))
		beat.FourDirections = g.nested(directionKeys, "north_vision", string(encodeValue(text)))
	}
	if g.chance(20) {
		beat.Narrative = encodeNested(narrativeKeys, nil)
		beat.Metadata = g.rest("narrative", `"a plain string"`)
	}
	g.count++
	beat.Name = fmt.Sprintf("%s_beat_%d", beat.ParentChart, g.count)
	if len(document.Beats) > 0 && g.chance(40) {
		parent := document.Beats[g.random.IntN(len(document.Beats))]
		beat.ParentBeat, beat.ParentChart = parent.Name, parent.ParentChart
	}
	if g.chance(30) {
		tie := impliedByBeat(&beat)
		tie.Metadata, tie.To = g.rest("description", string(encodeValue(g.text()))), beat.ParentChart
		document.Relations = append(document.Relations, tie)
	}
	g.nodes = append(g.nodes, beat.Name)
	return beat
}

// nested is a nested object of a beat with some values, and unknown keys.
func (g *generator) nested(keys []nestedKey, pairs ...string) json.RawMessage {
	return encodeNested(keys, decodeObject(g.rest(pairs...)))
}
