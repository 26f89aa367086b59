package exchange

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/store/nodes"
)

// importedChart is a chart of the file that is stored by now.
type importedChart struct {
	row      int64
	level    int
	nextStep int
}

// names are the names that a chart needs in the store and in files.
func (c *Chart) names() []string {
	return append(c.stepNames(), c.ID, c.Entity.Name, c.Outcome.Name, c.Reality.Name)
}

// importChart adds a chart as a whole or not at all. One that is stored is not
// touched.
func (i *importer) importChart(c *Chart) error {
	if ref := i.stored[c.ID]; ref.Kind == nodes.KindChart && ref.Part == "" {
		return i.readStoredChart(c, ref.ID)
	}
	conflict := i.findConflict(c.names()...)
	if conflict == "" && c.ParentChart != "" && i.charts[c.ParentChart] == nil {
		conflict = fmt.Sprintf("its parent chart %q did not come in", c.ParentChart)
	}
	if conflict != "" {
		i.result.skip(c.Entity.Line, "chart %q: %s", c.ID, conflict)
		i.result.Charts.Skipped++
		i.result.Steps.Skipped += len(c.Steps)
		return nil
	}
	if err := i.addChart(c); err != nil {
		return err
	}
	i.result.Charts.New++
	i.result.Steps.New += len(c.Steps)
	return nil
}

func (i *importer) readStoredChart(c *Chart, row int64) error {
	records, err := i.tx.ChartRecords([]int64{row})
	if err != nil {
		return err
	}
	for _, r := range records {
		i.charts[c.ID] = &importedChart{row: r.Row, level: r.Level, nextStep: r.NextStep}
		if r.Title != c.Outcome.Observations[0] || !slices.Equal(r.Observations, c.Reality.Observations) || len(r.Steps) < len(c.Steps) {
			i.result.note(c.Entity.Line, "chart %q is stored already with other content, and stays as it is", c.ID)
		}
	}
	i.result.Charts.Unchanged++
	i.result.Steps.Unchanged += len(c.Steps)
	return nil
}

// findCompletedSteps finds which steps of the file are complete: by themselves,
// or because the chart that details them is.
func (i *importer) findCompletedSteps() {
	for _, c := range i.file.Charts {
		for _, step := range c.Steps {
			i.completed[step.Name] = i.completionDate(step.Metadata)
		}
	}
	for _, c := range i.file.Charts {
		if c.ParentStep != "" && i.completed[c.ParentStep] == "" {
			i.completed[c.ParentStep] = i.completionDate(c.Outcome.Metadata)
		}
	}
}

// completionDate is when the step or outcome with this metadata was completed, in
// RFC 3339, or empty.
func (i *importer) completionDate(metadata object) string {
	if !metadata.isTrue("completionStatus") {
		return ""
	}
	for _, key := range []string{"completedAt", "updatedAt"} {
		if t, isDate := parseDate(metadata.text(key)); isDate {
			return t.Format(time.RFC3339)
		}
	}
	return i.now.UTC().Format(time.RFC3339)
}

// addChart adds a chart whose parent is stored, with its steps.
func (i *importer) addChart(c *Chart) error {
	node, place := i.chartNode(c)
	row, err := i.insert(node)
	if err != nil {
		return err
	}
	chart := &importedChart{row: row, nextStep: 1}
	i.charts[c.ID], i.rows[c.Entity.Name] = chart, row
	parent := i.charts[c.ParentChart]
	if parent != nil {
		chart.level = parent.level + 1
		if place.ParentStep, err = i.findRow(c.ParentStep); err != nil {
			return err
		}
	}
	isStep := parent != nil && place.ParentStep == 0
	if isStep {
		place.ParentStep = row
	}
	place.Level = chart.level
	if err := i.tx.PlaceChart(row, place); err != nil {
		return err
	}
	if isStep {
		step := nodes.StepPlace{DueDate: place.DueDate, CompletedAt: i.completionDate(c.Outcome.Metadata)}
		if err := i.placeStep(parent, row, node.Title, step); err != nil {
			return err
		}
	}
	for _, e := range c.Steps {
		if err := i.addStep(chart, c.ID, e, node.Created); err != nil {
			return err
		}
	}
	return nil
}

// chartNode is a chart as it is stored, and its place but for the parent.
func (i *importer) chartNode(c *Chart) (nodes.NewEntity, nodes.ChartPlace) {
	metadata, outcome := c.Entity.Metadata.clone(), c.Outcome.Metadata.clone()
	place := nodes.ChartPlace{DueDate: take[string](metadata, "dueDate")}
	if place.DueDate == "" {
		place.DueDate = outcome.text("dueDate")
	}
	outcome.removeText("dueDate", place.DueDate)
	if status := metadata.text("status"); (status == nodes.ChartCompleted || status == nodes.ChartAbandoned) && metadata.text("closedAt") != "" {
		place.Closed = nodes.ChartClosing{Status: take[string](metadata, "status"), ClosedAt: take[string](metadata, "closedAt")}
	}
	metadata.removeText("chartId", c.ID)
	delete(metadata, "level") // computed from the parents
	if c.ParentChart != "" {  // the parent step has the completion
		delete(metadata, "parentChart")
		takeCompletion(outcome)
	}
	if c.ParentStep != "" {
		delete(metadata, "parentActionStep")
	}
	created := takeDate(metadata, "createdAt", i.now)
	updated := takeDate(metadata, "updatedAt", created)
	o := origin{
		Own:     c.Entity.Observations,
		Outcome: Entity{Observations: c.Outcome.Observations[1:], Metadata: outcome, Extra: c.Outcome.Extra},
		Reality: Entity{Metadata: c.Reality.Metadata, Extra: c.Reality.Extra},
		Ties:    c.Ties,
	}
	return nodes.NewEntity{
		Name: c.ID, Type: nodes.TypeChart, Kind: nodes.KindChart, Title: c.Outcome.Observations[0], Observations: c.Reality.Observations,
		Metadata: metadata.encode(), Extra: c.Entity.Extra.encode(), Origin: encodeValue(o),
		Created: created, Updated: updated,
	}, place
}

// takeCompletion removes the completion that has a column of its own.
func takeCompletion(metadata object) {
	if metadata.isTrue("completionStatus") {
		delete(metadata, "completedAt")
	}
	take[bool](metadata, "completionStatus")
}

// takeObject removes a member that is an object and returns it as it is.
func takeObject(metadata object, key string) json.RawMessage {
	raw := metadata[key]
	if decodeObject(raw) == nil {
		return nil
	}
	delete(metadata, key)
	return raw
}

// takeDate removes a date and returns it. Text that is none stays in the
// metadata, and the default is returned.
func takeDate(metadata object, key string, byDefault time.Time) time.Time {
	t, isDate := parseDate(metadata.text(key))
	if !isDate {
		return byDefault
	}
	delete(metadata, key)
	return t
}

// addStep adds a step of a chart; chartCreated is the date of a step without one.
func (i *importer) addStep(chart *importedChart, chartID string, e *Entity, chartCreated time.Time) error {
	metadata := e.Metadata.clone()
	place := nodes.StepPlace{CompletedAt: i.completed[e.Name], DueDate: take[string](metadata, "dueDate")}
	metadata.removeText("chartId", chartID)
	takeCompletion(metadata)
	created := takeDate(metadata, "createdAt", chartCreated)
	updated := takeDate(metadata, "updatedAt", created)
	row, err := i.insert(nodes.NewEntity{
		Name: e.Name, Type: nodes.TypeStep, Kind: nodes.KindStep, Title: e.Observations[0], Observations: e.Observations[1:],
		Metadata: metadata.encode(), Extra: e.Extra.encode(), Created: created, Updated: updated,
	})
	if err != nil {
		return err
	}
	return i.placeStep(chart, row, e.Observations[0], place)
}

// placeStep puts a step behind the others of its chart.
func (i *importer) placeStep(chart *importedChart, row int64, title string, step nodes.StepPlace) error {
	step.Chart, step.Number = chart.row, chart.nextStep
	chart.nextStep++
	if err := i.tx.PlaceStep(row, title, step); err != nil {
		return err
	}
	return i.tx.RaiseChartNumbers(chart.row, chart.nextStep, 1)
}

// importBeat adds a beat whose chart and parent beat are there. One that is stored is
// not touched.
func (i *importer) importBeat(b *Beat) error {
	if i.stored[b.Name].Kind == nodes.KindBeat {
		i.result.Beats.Unchanged++
		return nil
	}
	parent, err := i.findRow(b.Parent)
	if err != nil {
		return err
	}
	conflict := i.findConflict(b.Name)
	if conflict == "" && (i.charts[b.Chart] == nil || b.Parent != "" && parent == 0) {
		conflict = fmt.Sprintf("its chart %q or parent beat did not come in", b.Chart)
	}
	if conflict != "" {
		i.result.skip(b.Line, "narrative beat %q: %s", b.Name, conflict)
		i.result.Beats.Skipped++
		return nil
	}
	if err := i.addBeat(b, i.charts[b.Chart].row, parent); err != nil {
		return err
	}
	i.result.Beats.New++
	return nil
}

func (i *importer) addBeat(b *Beat, chart, parent int64) error {
	node, place := i.beatNode(b)
	row, err := i.insert(node)
	if err != nil {
		return err
	}
	place.Chart, place.Parent = chart, parent
	return i.tx.PlaceBeat(row, place)
}

// beatNode is a beat as it is stored, and its place but for the rows around it.
func (i *importer) beatNode(b *Beat) (nodes.NewEntity, nodes.BeatPlace) {
	metadata := b.Metadata.clone()
	delete(metadata, "chartId")
	delete(metadata, "parentChart")
	metadata.removeText("parentBeat", b.Parent)
	place := nodes.BeatPlace{
		Act: take[float64](metadata, "act"), Type: take[string](metadata, "type_dramatic"), Universes: take[[]string](metadata, "universes"),
		OccurredAt: take[string](metadata, "timestamp"), Narrative: takeObject(metadata, "narrative"),
		Alignment: takeObject(metadata, "relationalAlignment"), Directions: takeObject(metadata, "fourDirections"),
	}
	title := take[string](metadata, "title")
	occurred, isDate := parseDate(place.OccurredAt)
	if !isDate {
		occurred = i.now
	}
	created := takeDate(metadata, "createdAt", occurred)
	updated := takeDate(metadata, "updatedAt", created)
	if place.OccurredAt == "" {
		place.OccurredAt = created.Format(time.RFC3339)
	}
	narrative := decodeObject(place.Narrative)
	body := slices.Concat([]string{place.Type}, place.Universes, narrative.texts("description"), narrative.texts("prose"), narrative.texts("lessons"))
	return nodes.NewEntity{
		Name: b.Name, Type: nodes.TypeBeat, Kind: nodes.KindBeat, Title: title, Body: strings.Join(body, "\n"),
		Observations: b.Observations, Metadata: metadata.encode(), Extra: b.Extra.encode(), Origin: encodeValue(origin{Verbatim: true}),
		Created: created, Updated: updated,
	}, place
}

// origin is what an imported chart or beat said beyond the columns of its node,
// kept in one column so that an export says it again.
type origin struct {
	Own     []string    `json:"own,omitempty"` // observations of the chart's own entity
	Outcome Entity      `json:"outcome"`       // but for the outcome itself
	Reality Entity      `json:"reality"`       // but for the facts
	Ties    []*Relation `json:"ties,omitempty"`
	// Verbatim says that the observations of a beat are stored as the file had
	// them.
	Verbatim bool `json:"verbatim,omitempty"`
	// Completion is that of a chart without parent; earlier versions wrote it.
	Completion struct {
		File struct {
			Done bool   `json:"done"`
			At   string `json:"at"`
		} `json:"file"`
	} `json:"completion,omitzero"`
}

func decodeOrigin(name string, raw json.RawMessage) (o origin, err error) {
	if raw == nil {
		return o, nil
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return o, fmt.Errorf("what was kept of the file of %q: %w", name, err)
	}
	return o, nil
}
