package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
)

// openCharts opens a database whose clock stands still.
func openCharts(t testing.TB) *store.DB {
	t.Helper()
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "charts.db"), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// podcast is a chart of two steps, the first telescoped, a third that is a
// chart of its own, and a beat with a sub-beat.
type podcast struct {
	chart, sub, trailer *Chart
	script, pilot, deep *Step
	beat, part          *Beat
}

func insertPodcast(t testing.TB, db *store.DB, id string) (p podcast) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.Write(t.Context(), func(tx *store.Tx) error {
		rows := In(tx)
		var err error
		p.chart, err = rows.InsertChart(Chart{ID: id, Outcome: "Create a podcast", Facts: []string{"Have a desk", "Have time"}, DueDate: "2026-05-01T12:00:00Z"})
		must(err)
		p.script, err = rows.InsertStep(p.chart, "Script written", "2026-02-01T12:00:00Z")
		must(err)
		p.pilot, err = rows.InsertStep(p.chart, "Pilot recorded", "2026-03-01T12:00:00Z")
		must(err)
		p.trailer, err = rows.InsertStepChart(p.chart, "Trailer published", []string{"No trailer"}, "2026-04-01T12:00:00Z")
		must(err)
		p.sub, err = rows.InsertChart(Chart{ID: p.script.ID + "_sub", Outcome: p.script.Title, Facts: []string{"No script"}, DueDate: p.script.DueDate, Level: 1, ParentStepRow: p.script.Row})
		must(err)
		p.deep, err = rows.InsertStep(p.sub, "Outline drawn", p.script.DueDate)
		must(err)
		story := Beat{
			ChartRow: p.chart.Row, ChartID: p.chart.ID, Title: "The quiet room", Act: 1, Type: "Discovery", Universes: []string{"Engineer World", "Ceremony World"}, OccurredAt: "2026-01-01T12:00:00Z",
			Narrative: json.RawMessage(`{"description":"d","prose":"<p>","lessons":[]}`), Alignment: json.RawMessage(`{"assessed":false,"score":null,"principles":[]}`), Directions: json.RawMessage(`{}`), Body: "wardrobe",
		}
		p.beat, err = rows.InsertBeat(story)
		must(err)
		story.ParentRow, story.ParentBeat, story.Title = p.beat.Row, p.beat.Name, "First take"
		p.part, err = rows.InsertBeat(story)
		must(err)
		return nil
	}))
	return p
}

func (p podcast) rows() []int64 {
	return []int64{p.chart.Row, p.script.Row, p.pilot.Row, p.trailer.Row, p.sub.Row, p.deep.Row, p.beat.Row, p.part.Row}
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s is\n%s\nwant\n%s", what, g, w)
	}
}

func TestChartNodesShowThemselvesAsTheDataModelsSay(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		if _, err := rows.AppendFacts(p.pilot.Row, []string{"Half of it exists"}); err != nil {
			return err
		}
		return errors.Join(rows.CompleteStep(p.pilot, "2026-01-02T00:00:00Z"), rows.sql.Exec(`UPDATE entities SET metadata = ? WHERE id = ?`, `{"priority":"high","chartId":"other","a b":[1]}`, p.chart.Row))
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		nodes, err := In(tx).ReadEntities(p.rows(), NoLimit)
		if err != nil {
			return err
		}
		views := map[int64]Entity{}
		for _, e := range nodes {
			views[e.ID] = e
		}
		equal(t, "number of views", len(views), 8)
		equal(t, "chart observations", views[p.chart.Row].Observations, "[Create a podcast Have a desk; Have time Progress: 0.33 (1 of 3 actions complete)]")
		equal(t, "chart metadata", string(views[p.chart.Row].Metadata), `{"chartId":"chart_1","desiredOutcome":"Create a podcast","currentReality":"Have a desk; Have time","dueDate":"2026-05-01T12:00:00Z","createdAt":"2026-01-01T12:00:00Z","actionSteps":["Script written","Pilot recorded","Trailer published"],"progress":0.33,"completedActions":1,"totalActions":3,"level":0,"parentChart":null,"a b":[1],"priority":"high"}`)
		equal(t, "step observations", views[p.pilot.Row].Observations, "[Pilot recorded Half of it exists Completed: 2026-01-02T00:00:00Z]")
		equal(t, "step metadata", string(views[p.pilot.Row].Metadata), `{"chartId":"chart_1","title":"Pilot recorded","dueDate":"2026-03-01T12:00:00Z","createdAt":"2026-01-01T12:00:00Z","completedAt":"2026-01-02T00:00:00Z"}`)
		equal(t, "open step observations", views[p.script.Row].Observations, "[Script written]")
		contains(t, string(views[p.script.Row].Metadata), `"completedAt":null`)
		contains(t, string(views[p.sub.Row].Metadata), `"level":1,"parentChart":"chart_1"`)
		contains(t, string(views[p.trailer.Row].Metadata), `"level":1,"parentChart":"chart_1"`)
		equal(t, "beat observations", views[p.beat.Row].Observations, "[Act 1 [Discovery] Universe: Engineer World, Ceremony World Timestamp: 2026-01-01T12:00:00Z]")
		equal(t, "sub-beat metadata", string(views[p.part.Row].Metadata), `{"chartId":"chart_1","act":1,"type_dramatic":"Discovery","universes":["Engineer World","Ceremony World"],"timestamp":"2026-01-01T12:00:00Z","narrative":{"description":"d","prose":"<p>","lessons":[]},"relationalAlignment":{"assessed":false,"score":null,"principles":[]},"fourDirections":{},"title":"First take","parentBeat":"chart_1_beat_1"}`)
		return nil
	})
}

func contains(t testing.TB, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s lacks %s", text, part)
	}
}

func TestStructuralRelationsTieAChartTogether(t *testing.T) {
	db := openCharts(t)
	insertPodcast(t, db, "chart_1")
	var got []string
	storetest.Read(t, db, func(tx *store.Tx) error {
		return In(tx).sql.Each(func(scan func(...any) error) error {
			var from, to, kind string
			var structural bool
			err := scan(&from, &kind, &to, &structural)
			got = append(got, fmt.Sprintf("%s %s %s %v", from, kind, to, structural))
			return err
		}, `SELECT f.name, r.type, t.name, r.structural FROM relations r JOIN entities f ON f.id = r.from_id JOIN entities t ON t.id = r.to_id ORDER BY r.id`)
	})
	want := []string{
		"chart_1 contains chart_1_action_1 true",
		"chart_1 contains chart_1_action_2 true",
		"chart_1 contains chart_1_action_3 true",
		"chart_1_action_1 telescopes_into chart_1_action_1_sub true",
		"chart_1_action_1_sub contains chart_1_action_1_sub_action_1 true",
		"chart_1_beat_1 documents chart_1 true",
		"chart_1_beat_1_beat_1 documents chart_1 true",
		"chart_1_beat_1 telescopes_into chart_1_beat_1_beat_1 true",
	}
	slices.Sort(got)
	slices.Sort(want)
	equal(t, "relations", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func TestASubtreeHoldsAllThatLivesInside(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	insertPodcast(t, db, "chart_2")
	cases := []struct {
		name string
		of   []int64
		want []int64
	}{
		{"of nothing", nil, nil},
		{"of a chart", []int64{p.chart.Row}, p.rows()},
		{"of a telescoped step", []int64{p.script.Row}, []int64{p.script.Row, p.sub.Row, p.deep.Row}},
		{"of a plain step", []int64{p.pilot.Row}, []int64{p.pilot.Row}},
		{"of a beat and a sub-chart", []int64{p.beat.Row, p.sub.Row}, []int64{p.beat.Row, p.part.Row, p.sub.Row, p.deep.Row}},
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		for _, c := range cases {
			got, err := kinds.In(tx).FindEntitiesInside(c.of)
			if err != nil {
				return err
			}
			slices.Sort(got)
			slices.Sort(c.want)
			equal(t, "the subtree "+c.name, got, c.want)
		}
		return nil
	})
}

func TestADeletedChartLeavesNothingBehindAndItsNumbersAreNotReused(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows, err := kinds.In(tx).FindEntitiesInside([]int64{p.pilot.Row, p.trailer.Row})
		if err != nil {
			return err
		}
		if err := In(tx).DeleteEntityRows(rows); err != nil {
			return err
		}
		s, err := In(tx).InsertStep(p.chart, "Site online", "2026-03-01T12:00:00Z")
		equal(t, "the new step", s.ID, "chart_1_action_4")
		return err
	})
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows, err := kinds.In(tx).FindEntitiesInside([]int64{p.chart.Row})
		if err != nil {
			return err
		}
		return In(tx).DeleteEntityRows(rows)
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		for _, table := range []string{"entities", "observations", "relations", "charts", "steps", "beats"} {
			var n int
			if err := In(tx).sql.Row(`SELECT count(*) FROM ` + table).Scan(&n); err != nil {
				return err
			}
			equal(t, "rows left in "+table, n, 0)
		}
		return nil
	})
}

func TestChartWritesAdvanceGraphAndCharts(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	writes := map[string]func(*store.Tx) error{
		"a new step":    func(tx *store.Tx) error { _, err := In(tx).InsertStep(p.chart, "Site online", ""); return err },
		"a completion":  func(tx *store.Tx) error { return In(tx).CompleteStep(p.pilot, "2026-01-02T00:00:00Z") },
		"a new fact":    func(tx *store.Tx) error { _, err := In(tx).AppendFacts(p.chart.Row, []string{"New"}); return err },
		"a new outcome": func(tx *store.Tx) error { return In(tx).SetOutcome(p.chart, "Create a show") },
	}
	for name, f := range writes {
		for _, topic := range []store.Topic{store.TopicGraph, store.TopicCharts} {
			before, _ := db.SumSequences(t.Context(), topic)
			storetest.Write(t, db, f)
			after, err := db.SumSequences(t.Context(), topic)
			if err != nil {
				t.Fatal(err)
			}
			if name != "a new fact" && after != before+1 || name == "a new fact" && topic == store.TopicGraph && after != before+1 {
				t.Errorf("%s advanced %s from %d to %d", name, topic, before, after)
			}
		}
	}
}

// TestChartChangeIsRecordedForTextIndex looks at the nodes that the substring
// index of the graph will read again.
func TestChartChangeIsRecordedForTextIndex(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	cases := []struct {
		name  string
		write func(*store.Tx) error
		want  []int64
	}{
		{"a step added", func(tx *store.Tx) error { _, err := In(tx).InsertStep(p.sub, "Draft read", ""); return err }, []int64{p.sub.Row}},
		{"a step completed", func(tx *store.Tx) error { return In(tx).CompleteStep(p.deep, "2026-01-02T00:00:00Z") }, []int64{p.deep.Row, p.sub.Row}},
		{"a step renamed", func(tx *store.Tx) error {
			s, err := In(tx).StepAt(p.trailer.Row)
			if err != nil {
				return err
			}
			return In(tx).SetStepTitle(s, "Teaser published")
		}, []int64{p.trailer.Row, p.chart.Row}},
		{"a fact learnt", func(tx *store.Tx) error { _, err := In(tx).AppendFacts(p.sub.Row, []string{"New"}); return err }, []int64{p.sub.Row}},
		{"a fact known already", func(tx *store.Tx) error { _, err := In(tx).AppendFacts(p.sub.Row, []string{"New"}); return err }, nil},
	}
	for _, c := range cases {
		var last int64
		storetest.Read(t, db, func(tx *store.Tx) error { return In(tx).sql.Row(`SELECT max(seq) FROM entity_changes`).Scan(&last) })
		if err := db.Write(t.Context(), c.write); err != nil {
			t.Fatal(err)
		}
		noted := map[int64]bool{}
		storetest.Read(t, db, func(tx *store.Tx) error {
			return In(tx).sql.Each(func(scan func(...any) error) error {
				var row int64
				err := scan(&row)
				noted[row] = true
				return err
			}, `SELECT entity_id FROM entity_changes WHERE seq > ?`, last)
		})
		for _, row := range c.want {
			if !noted[row] {
				t.Errorf("%s: node %d is not noted", c.name, row)
			}
		}
		if c.want == nil && len(noted) > 0 {
			t.Errorf("%s: %v is noted", c.name, noted)
		}
	}
}

func TestATitleOfAnEarlierVersionIsFoundInEitherSpelling(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	storetest.Write(t, db, func(tx *store.Tx) error {
		return errors.Join(
			In(tx).sql.Exec(`UPDATE entities SET folded_title = ?1 WHERE id = ?2`, "cafe\u0301 painted", p.pilot.Row),
			In(tx).sql.Exec(`UPDATE steps SET folded_title = ?1 WHERE entity_id = ?2`, "cafe\u0301 painted", p.pilot.Row))
	})
	for _, title := range []string{"Caf\u00e9 painted", "Cafe\u0301 painted"} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			named, err := In(tx).StepsByTitle(title, 5)
			if err != nil {
				return err
			}
			within, err := In(tx).StepByTitle(p.chart.Row, title, 0)
			if len(named) != 1 || within == nil || within.Row != p.pilot.Row {
				t.Errorf("%q finds %v and %v", title, named, within)
			}
			return err
		})
	}
}

func TestInsertStepsTakesTheStatementsOfOneStep(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "PostgreSQL is sent statements together")
	db := openCharts(t)
	for name, titles := range map[string][]string{"one": {"a"}, "three": {"a", "b", "c"}, "twenty": strings.Split("abcdefghijklmnopqrst", "")} {
		storetest.Write(t, db, func(tx *store.Tx) error {
			rows := In(tx)
			chart, err := rows.InsertChart(Chart{ID: "chart_of_" + name, Outcome: "Podcast online", Facts: []string{"Have a microphone"}})
			if err != nil {
				return err
			}
			equal(t, "statements of a chart", rows.sql.StatementCount(), 5)
			list := make([]NewStep, len(titles))
			for i, title := range titles {
				list[i].Title = title
			}
			if _, err := rows.InsertSteps(chart, list); err != nil {
				return err
			}
			equal(t, "statements of a chart and "+name+" steps", rows.sql.StatementCount(), 10)
			state, err := rows.ReadChartWithSteps(chart.Row)
			equal(t, "the steps", state.StepTitles(), titles)
			return err
		})
	}
}

func TestStepsTakeTheNextFreeNamesInTheirOrder(t *testing.T) {
	tests := map[string]struct{ chart, taken, want string }{
		"nothing is taken":                 {"chart_1", "other", "chart_1_action_1 a, chart_1_action_2 b, chart_1_action_3 c"},
		"the first":                        {"chart_1", "chart_1_action_1", "chart_1_action_2 a, chart_1_action_3 b, chart_1_action_4 c"},
		"one in the middle":                {"chart_1", "chart_1_action_2", "chart_1_action_1 a, chart_1_action_3 b, chart_1_action_4 c"},
		"one with its accents written out": {"caf\u00e9", "cafe\u0301_action_2", "caf\u00e9_action_1 a, caf\u00e9_action_3 b, caf\u00e9_action_4 c"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			db := openCharts(t)
			storetest.Write(t, db, func(tx *store.Tx) error {
				rows := In(tx)
				if _, err := rows.InsertEntity(NewEntity{Name: test.taken, Type: "thing"}); err != nil {
					return err
				}
				chart, err := rows.InsertChart(Chart{ID: test.chart, Outcome: "Podcast online"})
				if err != nil {
					return err
				}
				if _, err := rows.InsertSteps(chart, []NewStep{{Title: "a"}, {Title: "b"}, {Title: "c"}}); err != nil {
					return err
				}
				state, err := rows.ReadChartWithSteps(chart.Row)
				var got []string
				for _, s := range state.Steps {
					got = append(got, s.ID+" "+s.Title)
				}
				equal(t, "the steps", strings.Join(got, ", "), test.want)
				return err
			})
		})
	}
}
