package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/store/nodes"
	"toolkit/store/plainjson"
)

// nodeOfEntity is a plain node as it is stored.
func nodeOfEntity(e *Entity, now time.Time) nodes.NewEntity {
	return nodes.NewEntity{
		Name: e.Name, Type: e.EntityType, Kind: nodes.KindPlain,
		Observations: e.Observations, Metadata: e.Metadata, Extra: e.Extra, Created: now, Updated: now,
	}
}

func entityOf(n *nodes.NodeRecord) (Entity, error) {
	return Entity{Name: n.Name, EntityType: n.Type, Observations: n.Observations, Metadata: n.Metadata, Extra: n.Extra}, nil
}

func relationOf(r *nodes.RelationRecord) (Relation, error) {
	return Relation{From: r.From, To: r.To, RelationType: r.Type, Metadata: r.Metadata, Extra: r.Extra}, nil
}

func rawOf(l *nodes.ForeignLine) (json.RawMessage, error) { return l.Raw, nil }

// nodeOfChart is a chart's node; stored is the completion of its parent step.
func nodeOfChart(c *Chart, stored completion, foreignStep bool, now time.Time) (nodes.NewEntity, error) {
	created := instant(c.CreatedAt, instant(c.UpdatedAt, now))
	updated := instant(c.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(c.CreatedAt, dateText(created)), UpdatedAt: restate(c.UpdatedAt, dateText(updated)),
		Completion: restate(completion{c.Completed, c.CompletedAt}, stored),
		Own:        c.ChartEntity.Observations, Outcome: c.OutcomeEntity, Reality: c.RealityEntity, Ties: c.Ties,
	}
	if foreignStep {
		o.ParentStep = c.ParentStep
	}
	kept, err := o.encode()
	_, metadata := closingOf(c.ChartEntity.Metadata)
	return nodes.NewEntity{
		Name: c.ID, Type: nodes.TypeChart, Kind: nodes.KindChart, Title: c.DesiredOutcome, Observations: c.CurrentReality,
		Metadata: metadata, Extra: c.ChartEntity.Extra, Origin: kept, Created: created, Updated: updated,
	}, err
}

func chartOf(r *nodes.ChartRecord) (Chart, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return Chart{}, err
	}
	done := o.Completion.value(completed(r.CompletedAt))
	c := Chart{
		ID: r.Name, Level: r.Level, ParentChart: r.ParentChart, ParentStep: r.ParentStep,
		DesiredOutcome: r.Title, CurrentReality: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At,
		ChartEntity:   Part{Observations: o.Own, Metadata: withClosing(r), Extra: r.Extra},
		OutcomeEntity: o.Outcome, RealityEntity: o.Reality, Ties: o.Ties,
	}
	if r.IsStep() {
		c.ParentStep = o.ParentStep
	}
	c.Steps, err = each(stepOf)(r.Steps, nil)
	return c, err
}

// closingOf takes from the metadata of a chart's entity how it was closed, which
// withClosing put there. Other servers know no closed charts; metadata of theirs
// stays as it is.
func closingOf(metadata json.RawMessage) (nodes.ChartClosing, json.RawMessage) {
	rest := splitObject(metadata)
	c := nodes.ChartClosing{Status: rest.text("status"), ClosedAt: rest.text("closedAt")}
	if c.ClosedAt == "" || c.Status != nodes.ChartCompleted && c.Status != nodes.ChartAbandoned {
		return nodes.ChartClosing{}, metadata
	}
	rest.remove("status")
	rest.remove("closedAt")
	return c, rest.raw()
}

// withClosing is the metadata of a chart's entity with how the chart was closed.
func withClosing(r *nodes.ChartRecord) json.RawMessage {
	if r.Status == nodes.ChartActive {
		return r.Metadata
	}
	closed := append(splitObject(r.Metadata), field("status", stringValue(r.Status)), field("closedAt", stringValue(r.ClosedAt)))
	return closed.withoutRepeats().raw()
}

// nodeOfStep is a step's node; stored is the completion it is stored with.
func nodeOfStep(s *Step, stored completion, chartCreated time.Time) (nodes.NewEntity, error) {
	created := instant(s.CreatedAt, chartCreated)
	updated := instant(s.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(s.CreatedAt, dateText(created)), UpdatedAt: restate(s.UpdatedAt, dateText(updated)),
		Completion: restate(completion{s.Completed, s.CompletedAt}, stored),
	}
	kept, err := o.encode()
	return nodes.NewEntity{
		Name: s.ID, Type: nodes.TypeStep, Kind: nodes.KindStep, Title: s.Title, Observations: s.Observations,
		Metadata: s.Metadata, Extra: s.Extra, Origin: kept, Created: created, Updated: updated,
	}, err
}

func stepOf(r *nodes.StepRecord) (Step, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return Step{}, err
	}
	done := o.Completion.value(completed(r.CompletedAt))
	return Step{
		ID: r.Name, Title: r.Title, Observations: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At, Metadata: r.Metadata, Extra: r.Extra,
	}, nil
}

// nodeOfBeat is a beat's node and its place but for the rows around it.
func nodeOfBeat(b *Beat, now time.Time) (nodes.NewEntity, nodes.BeatPlace, error) {
	created := instant(b.CreatedAt, instant(b.Timestamp, now))
	p := nodes.BeatPlace{Act: b.Act, Type: b.TypeDramatic, Universes: b.Universes, OccurredAt: b.Timestamp}
	if p.OccurredAt == "" {
		p.OccurredAt = created.UTC().Format(time.RFC3339)
	}
	n, a, d := b.Narrative, b.RelationalAlignment, b.FourDirections
	o := origin{
		CreatedAt: restate(b.CreatedAt, dateText(created)), Timestamp: restate(b.Timestamp, p.OccurredAt),
		Ties: b.Ties, Verbatim: true, Narrative: n.Extra, Alignment: a.Extra, Directions: d.Extra,
	}
	kept, err := o.encode()
	nest := func(v any, extra json.RawMessage) json.RawMessage {
		raw, failed := plainjson.Encode(v)
		if failed != nil {
			err = failed
		}
		return withUnknownKeys(raw, extra)
	}
	n.Lessons, a.Principles = append([]string{}, n.Lessons...), append([]string{}, a.Principles...) // never null
	p.Narrative, p.Alignment, p.Directions = nest(n, n.Extra), nest(a, a.Extra), nest(d, d.Extra)
	body := append([]string{b.TypeDramatic}, b.Universes...)
	body = append(append(body, n.Description, n.Prose), n.Lessons...)
	return nodes.NewEntity{
		Name: b.Name, Type: nodes.TypeBeat, Kind: nodes.KindBeat, Title: b.Title, Body: strings.Join(body, "\n"), Observations: b.Observations,
		Metadata: b.Metadata, Extra: b.Extra, Origin: kept, Created: created, Updated: created,
	}, p, err
}

func beatOf(r *nodes.BeatRecord) (Beat, error) {
	o, err := decodeOrigin(r.Name, r.Node.Origin)
	if err != nil {
		return Beat{}, err
	}
	b := Beat{
		Name: r.Name, ParentChart: r.ChartID, ParentBeat: r.ParentBeat, Title: r.Title, Act: r.Act, TypeDramatic: r.Type,
		Universes: r.Universes, Timestamp: o.Timestamp.value(r.OccurredAt), CreatedAt: o.CreatedAt.value(dateText(r.Node.Created)),
		Observations: r.Node.Observations, Metadata: r.Node.Metadata, Extra: r.Node.Extra, Ties: o.Ties,
	}
	for _, nested := range []struct {
		raw json.RawMessage
		to  any
	}{{r.Narrative, &b.Narrative}, {r.Alignment, &b.RelationalAlignment}, {r.Directions, &b.FourDirections}} {
		if err := json.Unmarshal(nested.raw, nested.to); err != nil {
			return Beat{}, fmt.Errorf("beat %q: %w", r.Name, err)
		}
	}
	b.Narrative.Extra, b.RelationalAlignment.Extra, b.FourDirections.Extra = o.Narrative, o.Alignment, o.Directions
	if !o.Verbatim {
		b.Observations = r.Beat.Observations(r.Node.Observations)
	}
	return b, nil
}

// withUnknownKeys shows the unknown keys of a nested object to readers of the
// graph, unless one of them has a known name and another meaning.
func withUnknownKeys(known, unknown json.RawMessage) json.RawMessage {
	fields, more := splitObject(known), splitObject(unknown)
	for _, m := range more {
		if slices.ContainsFunc(fields, func(f member) bool { return strings.EqualFold(f.key, m.key) }) { // as the decoder compares them
			return known
		}
	}
	return append(fields, more...).raw()
}

// addKeys returns stored with those keys of more that it does not have, sorted
// by name, and the keys that have another value there. It returns nil when
// there is nothing to add.
func addKeys(stored, more json.RawMessage) (merged json.RawMessage, differing []string) {
	if stored == nil {
		return more, nil
	}
	has, lacking := splitObject(stored), object{}
	for _, m := range splitObject(more) {
		switch value := has.value(m.key); {
		case value == nil:
			lacking = append(lacking, m)
		case !bytes.Equal(value, m.value):
			differing = append(differing, m.key)
		}
	}
	slices.Sort(differing)
	if len(lacking) == 0 {
		return nil, differing
	}
	slices.SortFunc(lacking, func(a, b member) int { return strings.Compare(a.key, b.key) })
	if len(has) == 0 {
		return lacking.raw(), differing
	}
	stored = append(stored[:len(stored)-1:len(stored)-1], ',') // as it is, keys that repeat included
	return append(stored, lacking.raw()[1:]...), differing
}
