package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
)

// Export writes all charts, beats, entities and relations as of one moment.
// Equal content gives equal bytes. It returns how much that is.
func Export(ctx context.Context, db *store.DB, destination io.Writer, format Format) (Counts, error) {
	var document *Document
	err := db.Read(ctx, func(tx *store.Tx) (err error) {
		document, err = readDocument(nodes.In(tx))
		return err
	})
	if err == nil {
		err = Write(destination, document, format)
	}
	if err != nil {
		return Counts{}, fmt.Errorf("export: %w", err)
	}
	return document.counts(), nil
}

// readDocument reads everything that a file can hold, each kind in the order of
// its creation.
func readDocument(tx nodes.Rows) (*Document, error) {
	d := &Document{}
	entities, err := tx.PlainNodes()
	if err != nil {
		return nil, err
	}
	for _, n := range entities {
		d.Entities = append(d.Entities, Entity{Name: n.Name, EntityType: n.Type, Observations: n.Observations, Metadata: n.Metadata, Extra: n.Extra})
	}
	charts, err := tx.AllCharts()
	if err != nil {
		return nil, err
	}
	for i := range charts {
		c, err := chartOf(&charts[i])
		if err != nil {
			return nil, err
		}
		d.Charts = append(d.Charts, c)
	}
	relations, err := tx.StatedRelations()
	if err != nil {
		return nil, err
	}
	for _, r := range relations {
		d.Relations = append(d.Relations, Relation{From: r.From, To: r.To, RelationType: r.Type, Metadata: r.Metadata, Extra: r.Extra})
	}
	if err := readBeats(tx, d); err != nil {
		return nil, err
	}
	lines, err := tx.ForeignLines()
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		if r := relationOfLine(line.Raw); r != nil {
			d.Relations = append(d.Relations, *r)
		} else {
			d.Foreign = append(d.Foreign, line.Raw)
		}
	}
	dropLostEnds(d)
	return d, nil
}

func readBeats(tx nodes.Rows, d *Document) error {
	beats, err := tx.AllBeats()
	if err != nil {
		return err
	}
	for i := range beats {
		b, err := beatOf(&beats[i])
		if err != nil {
			return err
		}
		o, err := decodeOrigin(b.Name, beats[i].Node.Origin)
		if err != nil {
			return err
		}
		d.Beats = append(d.Beats, b)
		d.Relations = append(d.Relations, o.Ties...)
	}
	return nil
}

// dropLostEnds drops what imported charts and beats say of nodes that were
// deleted since.
func dropLostEnds(d *Document) {
	names := map[string]bool{}
	d.eachName(func(name, _ string) { names[name] = true })
	for i := range d.Charts {
		c := &d.Charts[i]
		c.Ties = slices.DeleteFunc(c.Ties, func(r Relation) bool { return !names[r.From] || !names[r.To] })
		if !names[c.ParentStep] {
			c.ParentStep = ""
		}
	}
}

// origin is what an imported record said beyond the columns of its node, kept
// in one column so that an export says it again. A field that the store keeps
// in another form is restated only while the stored value is still the one
// that was imported.
type origin struct {
	CreatedAt  *restated[string]     `json:"createdAt,omitempty"`
	UpdatedAt  *restated[string]     `json:"updatedAt,omitempty"`
	Timestamp  *restated[string]     `json:"timestamp,omitempty"`
	Completion *restated[completion] `json:"completion,omitempty"`

	// Of a chart.
	ParentStep string     `json:"parentStep,omitempty"` // a step of another chart than its parent
	Own        []string   `json:"own,omitempty"`        // observations of the chart's own entity
	Outcome    Part       `json:"outcome,omitzero"`
	Reality    Part       `json:"reality,omitzero"`
	Ties       []Relation `json:"ties,omitempty"` // earlier builds wrote them for beats as well

	// Of a beat: its observations are stored as the file had them. Earlier
	// builds kept unknown keys of its nested objects here.
	Verbatim   bool            `json:"verbatim,omitempty"`
	Narrative  json.RawMessage `json:"narrative,omitempty"`
	Alignment  json.RawMessage `json:"alignment,omitempty"`
	Directions json.RawMessage `json:"directions,omitempty"`
}

// restated is a value in the words of the file, beside the stored value that
// stands for it.
type restated[T comparable] struct {
	File   T `json:"file"`
	Stored T `json:"stored"`
}

// restate returns nil when the stored value says it all.
func restate[T comparable](file, stored T) *restated[T] {
	if file == stored {
		return nil
	}
	return &restated[T]{file, stored}
}

// value is what an export says when the store holds this value now.
func (r *restated[T]) value(stored T) T {
	if r != nil && r.Stored == stored {
		return r.File
	}
	return stored
}

type completion struct {
	Done bool   `json:"done,omitempty"`
	At   string `json:"at,omitempty"`
}

// completionAt is the completion of a step with that date, empty while it is open.
func completionAt(at string) completion { return completion{Done: at != "", At: at} }

// encode returns nil when there is nothing to keep.
func (o *origin) encode() json.RawMessage {
	if raw := encodeValue(o); string(raw) != "{}" {
		return raw
	}
	return nil
}

func decodeOrigin(name string, raw json.RawMessage) (*origin, error) {
	o := &origin{}
	if raw == nil {
		return o, nil
	}
	if err := json.Unmarshal(raw, o); err != nil {
		return nil, fmt.Errorf("what was kept of the file of %q: %w", name, err)
	}
	return o, nil
}

// dateText writes a stored date with the precision it has.
func dateText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// instant reads a date of a file as far as it can be understood; no zone means UTC.
func instant(text string, fallback time.Time) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t.Truncate(time.Millisecond)
		}
	}
	return fallback
}

// nodeOfEntity is a plain node as it is stored.
func nodeOfEntity(e *Entity, now time.Time) nodes.NewEntity {
	return nodes.NewEntity{
		Name: e.Name, Type: e.EntityType, Kind: nodes.KindPlain,
		Observations: e.Observations, Metadata: e.Metadata, Extra: e.Extra, Created: now, Updated: now,
	}
}

// nodeOfChart is a chart's node; completedAt is the date of its parent step.
func nodeOfChart(c *Chart, completedAt string, foreignStep bool, now time.Time) nodes.NewEntity {
	created := instant(c.CreatedAt, instant(c.UpdatedAt, now))
	updated := instant(c.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(c.CreatedAt, dateText(created)), UpdatedAt: restate(c.UpdatedAt, dateText(updated)),
		Completion: restate(completion{c.Completed, c.CompletedAt}, completionAt(completedAt)),
		Own:        c.ChartEntity.Observations, Outcome: c.OutcomeEntity, Reality: c.RealityEntity, Ties: c.Ties,
	}
	if foreignStep {
		o.ParentStep = c.ParentStep
	}
	_, metadata := closingOf(c.ChartEntity.Metadata)
	return nodes.NewEntity{
		Name: c.ID, Type: nodes.TypeChart, Kind: nodes.KindChart, Title: c.DesiredOutcome, Observations: c.CurrentReality,
		Metadata: metadata, Extra: c.ChartEntity.Extra, Origin: o.encode(), Created: created, Updated: updated,
	}
}

func chartOf(r *nodes.ChartRecord) (Chart, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return Chart{}, err
	}
	done := o.Completion.value(completionAt(r.CompletedAt))
	c := Chart{
		ID: r.Name, Level: r.Level, ParentChart: r.ParentChart, ParentStep: r.ParentStep,
		DesiredOutcome: r.Title, CurrentReality: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At,
		ChartEntity:   Part{Observations: o.Own, Metadata: withClosing(r), Extra: sortKeys(r.Extra)},
		OutcomeEntity: sortPart(o.Outcome), RealityEntity: sortPart(o.Reality), Ties: o.Ties,
	}
	for i := range c.Ties {
		c.Ties[i].Metadata, c.Ties[i].Extra = sortKeys(c.Ties[i].Metadata), sortKeys(c.Ties[i].Extra)
	}
	if r.IsStep() {
		c.ParentStep = o.ParentStep
	}
	for i := range r.Steps {
		s, err := stepOf(&r.Steps[i])
		if err != nil {
			return Chart{}, err
		}
		c.Steps = append(c.Steps, s)
	}
	return c, nil
}

func sortPart(p Part) Part { return Part{p.Observations, sortKeys(p.Metadata), sortKeys(p.Extra)} }

// closingOf takes from the metadata of a chart's entity how it was closed, which
// withClosing put there. Other servers know no closed charts; metadata of theirs
// stays as it is.
func closingOf(metadata json.RawMessage) (nodes.ChartClosing, json.RawMessage) {
	rest := decodeObject(metadata)
	c := nodes.ChartClosing{Status: rest.text("status"), ClosedAt: rest.text("closedAt")}
	if c.ClosedAt == "" || c.Status != nodes.ChartCompleted && c.Status != nodes.ChartAbandoned {
		return nodes.ChartClosing{}, metadata
	}
	delete(rest, "status")
	delete(rest, "closedAt")
	return c, rest.encode()
}

// withClosing is the metadata of a chart's entity with how the chart was closed.
func withClosing(r *nodes.ChartRecord) json.RawMessage {
	metadata := decodeObject(r.Metadata)
	if r.Status == nodes.ChartActive {
		return metadata.encode()
	}
	if metadata == nil {
		metadata = object{}
	}
	metadata.setText("status", r.Status)
	metadata.setText("closedAt", r.ClosedAt)
	return metadata.encode()
}

// nodeOfStep is a step's node; completedAt is the date it is stored with.
func nodeOfStep(s *Step, completedAt string, chartCreated time.Time) nodes.NewEntity {
	created := instant(s.CreatedAt, chartCreated)
	updated := instant(s.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(s.CreatedAt, dateText(created)), UpdatedAt: restate(s.UpdatedAt, dateText(updated)),
		Completion: restate(completion{s.Completed, s.CompletedAt}, completionAt(completedAt)),
	}
	return nodes.NewEntity{
		Name: s.ID, Type: nodes.TypeStep, Kind: nodes.KindStep, Title: s.Title, Observations: s.Observations,
		Metadata: s.Metadata, Extra: s.Extra, Origin: o.encode(), Created: created, Updated: updated,
	}
}

func stepOf(r *nodes.StepRecord) (Step, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return Step{}, err
	}
	done := o.Completion.value(completionAt(r.CompletedAt))
	return Step{
		ID: r.Name, Title: r.Title, Observations: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At, Metadata: sortKeys(r.Metadata), Extra: sortKeys(r.Extra),
	}, nil
}

// nodeOfBeat is a beat's node and its place but for the rows around it.
func nodeOfBeat(b *Beat, now time.Time) (nodes.NewEntity, nodes.BeatPlace) {
	created := instant(b.CreatedAt, instant(b.Timestamp, now))
	p := nodes.BeatPlace{
		Act: b.Act, Type: b.TypeDramatic, Universes: b.Universes, OccurredAt: b.Timestamp,
		Narrative: b.Narrative, Alignment: b.RelationalAlignment, Directions: b.FourDirections,
	}
	if p.OccurredAt == "" {
		p.OccurredAt = created.UTC().Format(time.RFC3339)
	}
	o := origin{CreatedAt: restate(b.CreatedAt, dateText(created)), Timestamp: restate(b.Timestamp, p.OccurredAt), Verbatim: true}
	narrative := decodeObject(b.Narrative)
	body := append([]string{b.TypeDramatic}, b.Universes...)
	body = append(body, narrative.text("description"), narrative.text("prose"))
	body = append(body, narrative.takeTexts("lessons")...)
	return nodes.NewEntity{
		Name: b.Name, Type: nodes.TypeBeat, Kind: nodes.KindBeat, Title: b.Title, Body: strings.Join(body, "\n"), Observations: b.Observations,
		Metadata: b.Metadata, Extra: b.Extra, Origin: o.encode(), Created: created, Updated: created,
	}, p
}

func beatOf(r *nodes.BeatRecord) (Beat, error) {
	o, err := decodeOrigin(r.Name, r.Node.Origin)
	if err != nil {
		return Beat{}, err
	}
	b := Beat{
		Name: r.Name, ParentChart: r.ChartID, ParentBeat: r.ParentBeat, Title: r.Title, Act: r.Act, TypeDramatic: r.Type,
		Universes: r.Universes, Timestamp: o.Timestamp.value(r.OccurredAt), CreatedAt: o.CreatedAt.value(dateText(r.Node.Created)),
		Observations: r.Node.Observations, Metadata: sortKeys(r.Node.Metadata), Extra: sortKeys(r.Node.Extra),
		Narrative: joinKeys(narrativeKeys, r.Narrative, o.Narrative), RelationalAlignment: joinKeys(alignmentKeys, r.Alignment, o.Alignment), FourDirections: joinKeys(directionKeys, r.Directions, o.Directions),
	}
	if len(b.Universes) == 0 {
		b.Universes = nil // as in a document that was read
	}
	if !o.Verbatim {
		b.Observations = r.Beat.Observations(r.Node.Observations)
	}
	return b, nil
}

// joinKeys adds to an object the keys that an earlier build kept apart.
func joinKeys(keys []nestedKey, known, more json.RawMessage) json.RawMessage {
	joined := decodeObject(known)
	if joined == nil {
		joined = object{}
	}
	for key, value := range decodeObject(more) {
		joined[key] = value
	}
	return encodeNested(keys, joined)
}
