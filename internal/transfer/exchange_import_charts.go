package transfer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/store/graph"
)

// exchangeOrigin is what an imported chart said beyond the columns of its node, kept in one
// column so that an export says it again. An imported beat has an empty one.
type exchangeOrigin struct {
	Own     []string            `json:"own,omitempty"` // observations of the chart's own entity
	Outcome ExchangeEntity      `json:"outcome"`       // but for the outcome itself
	Reality ExchangeEntity      `json:"reality"`       // but for the facts
	Ties    []*ExchangeRelation `json:"ties,omitempty"`
}

// importChart adds a chart as a whole or not at all, unless it is stored.
func (i *exchangeImporter) importChart(c *ExchangeChart) error {
	if ref := i.refs[c.ID]; ref.Kind == graph.KindChart && ref.Part == "" {
		stored, err := i.tx.ChartRecords([]int64{ref.ID})
		if err != nil {
			return err
		}
		for _, r := range stored {
			i.charts[c.ID] = r.Chart
			i.reportSkippedTies(c, &r)
			if r.Outcome != c.Outcome.Observations[0] || !slices.Equal(r.Facts, c.Reality.Observations) || len(r.StepRecords) < len(c.Steps) {
				i.result.addProblem(c.Entity.Line, "chart %q is stored already with other content, and stays as it is", c.ID)
			}
		}
		i.result.Charts.Unchanged++
		i.result.Steps.Unchanged += len(c.Steps)
		return nil
	}
	parent := i.charts[c.ParentChart]
	conflict := i.describeNameConflict(c.names...)
	if conflict == "" && c.ParentChart != "" && parent == nil {
		conflict = fmt.Sprintf("its parent chart %q did not come in", c.ParentChart)
	}
	if conflict != "" {
		i.result.addSkipped(c.Entity.Line, "chart %q: %s", c.ID, conflict)
		i.result.Charts.Skipped++
		i.result.Steps.Skipped += len(c.Steps)
		return nil
	}
	i.result.Charts.New++
	i.result.Steps.New += len(c.Steps)
	return i.insertChart(c, parent)
}

// reportSkippedTies reports those relations of the parts of a stored chart that are new.
func (i *exchangeImporter) reportSkippedTies(c *ExchangeChart, stored *graph.ChartRecord) {
	e := &exchangeExporter{written: map[string]bool{}, relations: map[exchangeRelationLine]extraMembers{}}
	e.writeChart(stored)
	for _, tie := range append(e.ties, c.Ties...) {
		count := len(e.relations)
		e.addRelation(tie.From, tie.To, tie.Type, tie.extraMembers)
		if tie.Line > 0 && len(e.relations) > count { // stored ones have no line
			i.result.addSkipped(tie.Line, "the relation %q from %q to %q: chart %q is stored already, and stays as it is", tie.Type, tie.From, tie.To, c.ID)
			i.result.Relations.Skipped++
		}
	}
}

// insertChart adds a chart with its steps; parent is nil for a master chart.
func (i *exchangeImporter) insertChart(c *ExchangeChart, parent *graph.Chart) error {
	node, place, step := i.buildChartNode(c)
	row, err := i.insertEntity(node)
	if err != nil {
		return err
	}
	if parent != nil {
		place.Level, place.ParentStepRow = parent.Level+1, cmp.Or(i.refs[c.ParentStep].ID, row)
	}
	place.Row = row
	if err := i.tx.InsertChartOfNode(place); err != nil {
		return err
	}
	if place.ParentStepRow == row {
		if err := i.insertStepRow(row, node.Title, parent, step); err != nil {
			return err
		}
	}
	for _, part := range []string{graph.PartChart, graph.PartOutcome, graph.PartReality} {
		i.refs[c.ID+part] = graph.EntityRef{ID: row, Kind: graph.KindChart, Part: part}
	}
	chart := &graph.Chart{Row: row, Level: place.Level, Created: node.Created}
	i.charts[c.ID] = chart
	for _, e := range c.Steps {
		if err := i.insertStep(e, chart); err != nil {
			return err
		}
	}
	return nil
}

// buildChartNode returns a chart as it is stored. Its places lack the rows around it.
func (i *exchangeImporter) buildChartNode(c *ExchangeChart) (node graph.NewEntity, place graph.Chart, step graph.Step) {
	metadata, outcome := c.Entity.Metadata.clone(), c.Outcome.Metadata.clone()
	place.DueDate = cmp.Or(takeMember[string](metadata, "dueDate"), outcome.text("dueDate"))
	if outcome.text("dueDate") == place.DueDate {
		delete(outcome, "dueDate")
	}
	if status := metadata.text("status"); metadata.text("closedAt") != "" && (status == graph.ChartCompleted || status == graph.ChartAbandoned) {
		place.Status, place.ClosedAt = takeMember[string](metadata, "status"), takeMember[string](metadata, "closedAt")
	}
	if c.ParentChart != "" {
		step = graph.Step{DueDate: place.DueDate, CompletedAt: i.takeCompletion(outcome)}
	}
	if c.ParentStep != "" {
		delete(metadata, "parentActionStep")
	}
	node = newExchangeNode(c.Entity, graph.KindChart, metadata, i.now)
	node.Name, node.Title, node.Observations = c.ID, c.Outcome.Observations[0], c.Reality.Observations
	node.Origin = encodeExchangeValue(exchangeOrigin{
		Own:     c.Entity.Observations,
		Outcome: ExchangeEntity{Observations: c.Outcome.Observations[1:], extraMembers: extraMembers{outcome, c.Outcome.Extra}},
		Reality: ExchangeEntity{extraMembers: c.Reality.extraMembers},
		Ties:    c.Ties,
	})
	return node, place, step
}

// newExchangeNode is the node of a chart, step or beat; created is its date by default.
func newExchangeNode(e *ExchangeEntity, kind graph.Kind, metadata jsonObject, created time.Time) graph.NewEntity {
	created = metadata.takeDate("createdAt", created)
	updated := metadata.takeDate("updatedAt", created)
	return graph.NewEntity{
		Name: e.Name, Type: e.Type, Kind: kind, Observations: e.Observations,
		Metadata: metadata.encode(), Extra: e.Extra.encode(), Created: created, Updated: updated,
	}
}

// takeCompletion removes the completion of a step or outcome, which has a column of
// its own, and returns its date in RFC 3339, or nothing while it is open.
func (i *exchangeImporter) takeCompletion(metadata jsonObject) string {
	if !takeMember[bool](metadata, "completionStatus") {
		return ""
	}
	updated := metadata.clone().takeDate("updatedAt", i.now.UTC())
	return metadata.takeDate("completedAt", updated).Format(time.RFC3339)
}

func (i *exchangeImporter) insertStep(e *ExchangeEntity, chart *graph.Chart) error {
	metadata := e.Metadata.clone()
	place := graph.Step{DueDate: takeMember[string](metadata, "dueDate"), CompletedAt: i.takeCompletion(metadata)}
	node := newExchangeNode(e, graph.KindStep, metadata, chart.Created)
	node.Title, node.Observations = e.Observations[0], e.Observations[1:]
	row, err := i.insertEntity(node)
	if err != nil {
		return err
	}
	return i.insertStepRow(row, node.Title, chart, place)
}

// insertStepRow makes a node the next step of a chart.
func (i *exchangeImporter) insertStepRow(row int64, title string, chart *graph.Chart, place graph.Step) error {
	number, err := i.tx.TakeStepNumber(chart.Row)
	if err != nil {
		return err
	}
	place.Row, place.Title, place.Chart, place.Number = row, title, chart.Row, number
	return i.tx.InsertStepOfNode(place)
}

// importBeat adds a beat whose chart and parent are there, unless it is stored.
func (i *exchangeImporter) importBeat(b *ExchangeBeat) error {
	if i.refs[b.Name].Kind == graph.KindBeat {
		i.result.Beats.Unchanged++
		return nil
	}
	chart, parent := i.refs[b.Chart], i.refs[b.Parent]
	conflict := i.describeNameConflict(b.Name)
	if conflict == "" && (chart.Kind != graph.KindChart || b.Parent != "" && parent.Kind != graph.KindBeat) {
		conflict = fmt.Sprintf("its chart %q or parent beat did not come in", b.Chart)
	}
	if conflict != "" {
		i.result.addSkipped(b.Line, "narrative beat %q: %s", b.Name, conflict)
		i.result.Beats.Skipped++
		return nil
	}
	i.result.Beats.New++
	metadata := b.Metadata.clone()
	place := graph.Beat{
		ChartRow: chart.ID, ParentRow: parent.ID, OccurredAt: takeMember[string](metadata, "timestamp"),
		Act: takeMember[float64](metadata, "act"), Type: takeMember[string](metadata, "type_dramatic"), Universes: takeMember[[]string](metadata, "universes"),
		Narrative: takeMember[json.RawMessage](metadata, "narrative"), Alignment: takeMember[json.RawMessage](metadata, "relationalAlignment"),
		Directions: takeMember[json.RawMessage](metadata, "fourDirections"),
	}
	title := takeMember[string](metadata, "title")
	node := newExchangeNode(b.ExchangeEntity, graph.KindBeat, metadata, i.now)
	node.Title, node.Body, node.Origin = title, beatSearchText(place), encodeExchangeValue(exchangeOrigin{})
	row, err := i.insertEntity(node)
	if err != nil {
		return err
	}
	place.Row, place.OccurredAt = row, cmp.Or(place.OccurredAt, node.Created.Format(time.RFC3339))
	return i.tx.InsertBeatOfNode(place)
}

// beatSearchText is the text by which a search finds a beat, besides its title.
func beatSearchText(p graph.Beat) string {
	var narrative struct {
		Description, Prose string
		Lessons            []string
	}
	json.Unmarshal(p.Narrative, &narrative) //nolint:errcheck // a member of another type has no text
	texts := slices.Concat([]string{p.Type}, p.Universes, []string{narrative.Description, narrative.Prose}, narrative.Lessons)
	return strings.Join(texts, "\n")
}
