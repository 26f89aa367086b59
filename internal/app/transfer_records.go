package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/exchange"
	"toolkit/internal/plainjson"
	"toolkit/store"
)

// nodeOfEntity is a plain node as it is stored.
func nodeOfEntity(e *exchange.Entity, now time.Time) store.NodeRecord {
	return store.NodeRecord{
		Name: e.Name, Type: e.EntityType, Kind: store.KindPlain,
		Observations: e.Observations, Metadata: e.Metadata, Extra: e.Extra, Created: now, Updated: now,
	}
}

func entityOf(n *store.NodeRecord) exchange.Entity {
	return exchange.Entity{Name: n.Name, EntityType: n.Type, Observations: n.Observations, Metadata: n.Metadata, Extra: n.Extra}
}

// nodeOfChart is a chart's node; stored is the completion of its parent step.
func nodeOfChart(c *exchange.Chart, stored completion, foreignStep bool, now time.Time) (store.NodeRecord, error) {
	created := instant(c.CreatedAt, instant(c.UpdatedAt, now))
	updated := instant(c.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(c.CreatedAt, dateText(created)), UpdatedAt: restate(c.UpdatedAt, dateText(updated)),
		Completion: restate(completion{c.Completed, c.CompletedAt}, stored),
		Own:        c.ChartEntity.Observations, Outcome: keepPart(c.OutcomeEntity), Reality: keepPart(c.RealityEntity), Ties: keepTies(c.Ties),
	}
	if foreignStep {
		o.ParentStep = c.ParentStep
	}
	kept, err := o.encode()
	_, metadata := closingOf(c.ChartEntity.Metadata)
	return store.NodeRecord{
		Name: c.ID, Type: store.TypeChart, Kind: store.KindChart, Title: c.DesiredOutcome, Observations: c.CurrentReality,
		Metadata: metadata, Extra: c.ChartEntity.Extra, Origin: kept, Created: created, Updated: updated,
	}, err
}

func chartOf(r *store.ChartRecord) (exchange.Chart, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return exchange.Chart{}, err
	}
	done := o.Completion.value(completed(r.CompletedAt))
	c := exchange.Chart{
		ID: r.Name, Level: r.Level, ParentChart: r.ParentChart, ParentStep: r.ParentStep,
		DesiredOutcome: r.Title, CurrentReality: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At,
		ChartEntity:   exchange.Part{Observations: o.Own, Metadata: withClosing(r), Extra: r.Extra},
		OutcomeEntity: o.Outcome.part(), RealityEntity: o.Reality.part(), Ties: o.ties(),
	}
	if r.IsStep() {
		c.ParentStep = o.ParentStep
	}
	for i := range r.Steps {
		s, err := stepOf(&r.Steps[i])
		if err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, s)
	}
	return c, nil
}

// closingOf takes from the metadata of a chart's entity how it was closed, which
// withClosing put there. Other servers know no closed charts; metadata of theirs
// stays as it is.
func closingOf(metadata json.RawMessage) (store.ChartClosing, json.RawMessage) {
	var c store.ChartClosing
	if json.Unmarshal(metadata, &c) != nil || c.ClosedAt == "" || c.Status != store.ChartCompleted && c.Status != store.ChartAbandoned {
		return store.ChartClosing{}, metadata
	}
	var rest map[string]json.RawMessage
	if json.Unmarshal(metadata, &rest) != nil {
		return store.ChartClosing{}, metadata
	}
	delete(rest, "status")
	delete(rest, "closedAt")
	if len(rest) == 0 {
		return c, nil
	}
	kept, err := json.Marshal(rest)
	if err != nil {
		return store.ChartClosing{}, metadata
	}
	return c, kept
}

// withClosing is the metadata of a chart's entity with how the chart was closed.
func withClosing(r *store.ChartRecord) json.RawMessage {
	if r.Status == store.ChartActive {
		return r.Metadata
	}
	closing, err := json.Marshal(store.ChartClosing{Status: r.Status, ClosedAt: r.ClosedAt})
	if err != nil || len(r.Metadata) < len("{}") {
		return closing
	}
	body := bytes.TrimSuffix(bytes.TrimSpace(r.Metadata), []byte("}"))
	if len(bytes.TrimSpace(body)) > 1 {
		body = append(bytes.Clone(body), ',')
	}
	return append(bytes.Clone(body), closing[1:]...)
}

// nodeOfStep is a step's node; stored is the completion it is stored with.
func nodeOfStep(s *exchange.Step, stored completion, chartCreated time.Time) (store.NodeRecord, error) {
	created := instant(s.CreatedAt, chartCreated)
	updated := instant(s.UpdatedAt, created)
	o := origin{
		CreatedAt: restate(s.CreatedAt, dateText(created)), UpdatedAt: restate(s.UpdatedAt, dateText(updated)),
		Completion: restate(completion{s.Completed, s.CompletedAt}, stored),
	}
	kept, err := o.encode()
	return store.NodeRecord{
		Name: s.ID, Type: store.TypeStep, Kind: store.KindStep, Title: s.Title, Observations: s.Observations,
		Metadata: s.Metadata, Extra: s.Extra, Origin: kept, Created: created, Updated: updated,
	}, err
}

func stepOf(r *store.StepRecord) (exchange.Step, error) {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return exchange.Step{}, err
	}
	done := o.Completion.value(completed(r.CompletedAt))
	return exchange.Step{
		ID: r.Name, Title: r.Title, Observations: r.Observations,
		DueDate: r.DueDate, CreatedAt: o.CreatedAt.value(dateText(r.Created)), UpdatedAt: o.UpdatedAt.value(dateText(r.Updated)),
		Completed: done.Done, CompletedAt: done.At, Metadata: r.Metadata, Extra: r.Extra,
	}, nil
}

// The nested objects of a beat, in the words of the charts documentation.
type (
	beatNarrative struct {
		Description string   `json:"description"`
		Prose       string   `json:"prose"`
		Lessons     []string `json:"lessons"`
	}
	beatAlignment struct {
		Assessed   bool     `json:"assessed"`
		Score      *float64 `json:"score"`
		Principles []string `json:"principles"`
	}
	beatDirections struct {
		North *string `json:"north_vision"`
		East  *string `json:"east_intention"`
		South *string `json:"south_emotion"`
		West  *string `json:"west_introspection"`
	}
)

// nodeOfBeat is a beat's node and its place but for the rows around it.
func nodeOfBeat(b *exchange.Beat, now time.Time) (store.NodeRecord, store.BeatPlace, error) {
	created := instant(b.CreatedAt, instant(b.Timestamp, now))
	p := store.BeatPlace{Act: b.Act, Type: b.TypeDramatic, Universes: b.Universes, OccurredAt: b.Timestamp}
	if p.OccurredAt == "" {
		p.OccurredAt = created.UTC().Format(time.RFC3339)
	}
	n, a, d := b.Narrative, b.RelationalAlignment, b.FourDirections
	o := origin{
		CreatedAt: restate(b.CreatedAt, dateText(created)), Timestamp: restate(b.Timestamp, p.OccurredAt),
		Ties: keepTies(b.Ties), Verbatim: true, Narrative: n.Extra, Alignment: a.Extra, Directions: d.Extra,
	}
	kept, err := o.encode()
	nest := func(v any, extra json.RawMessage) json.RawMessage {
		raw, failed := plainjson.Encode(v)
		if failed != nil {
			err = failed
		}
		return withUnknownKeys(raw, extra)
	}
	p.Narrative = nest(beatNarrative{n.Description, n.Prose, list(n.Lessons)}, n.Extra)
	p.Alignment = nest(beatAlignment{a.Assessed, a.Score, list(a.Principles)}, a.Extra)
	p.Directions = nest(beatDirections{d.NorthVision, d.EastIntention, d.SouthEmotion, d.WestIntrospection}, d.Extra)
	body := append([]string{b.TypeDramatic}, b.Universes...)
	body = append(append(body, n.Description, n.Prose), n.Lessons...)
	return store.NodeRecord{
		Name: b.Name, Type: store.TypeBeat, Kind: store.KindBeat, Title: b.Title, Body: strings.Join(body, "\n"), Observations: b.Observations,
		Metadata: b.Metadata, Extra: b.Extra, Origin: kept, Created: created, Updated: created,
	}, p, err
}

func beatOf(r *store.BeatRecord) (exchange.Beat, error) {
	o, err := decodeOrigin(r.Name, r.Node.Origin)
	if err != nil {
		return exchange.Beat{}, err
	}
	var n beatNarrative
	var a beatAlignment
	var d beatDirections
	for _, nested := range []struct {
		raw json.RawMessage
		to  any
	}{{r.Narrative, &n}, {r.Alignment, &a}, {r.Directions, &d}} {
		if err := json.Unmarshal(nested.raw, nested.to); err != nil {
			return exchange.Beat{}, fmt.Errorf("beat %q: %w", r.Name, err)
		}
	}
	b := exchange.Beat{
		Name: r.Name, ParentChart: r.ChartID, ParentBeat: r.ParentBeat, Title: r.Title, Act: r.Act, TypeDramatic: r.Type,
		Universes: r.Universes, Timestamp: o.Timestamp.value(r.OccurredAt), CreatedAt: o.CreatedAt.value(dateText(r.Node.Created)),
		Observations: r.Node.Observations, Metadata: r.Node.Metadata, Extra: r.Node.Extra, Ties: o.ties(),
		Narrative:           exchange.Narrative{Description: n.Description, Prose: n.Prose, Lessons: n.Lessons, Extra: o.Narrative},
		RelationalAlignment: exchange.RelationalAlignment{Assessed: a.Assessed, Score: a.Score, Principles: a.Principles, Extra: o.Alignment},
		FourDirections: exchange.FourDirections{
			NorthVision: d.North, EastIntention: d.East, SouthEmotion: d.South, WestIntrospection: d.West, Extra: o.Directions,
		},
	}
	if !o.Verbatim {
		b.Observations = r.Beat.Observations(r.Node.Observations)
	}
	return b, nil
}

// withUnknownKeys shows the unknown keys of a nested object to readers of the
// graph, unless one of them has a known name and another meaning.
func withUnknownKeys(object, unknown json.RawMessage) json.RawMessage {
	var known, more map[string]json.RawMessage
	if unknown == nil || json.Unmarshal(object, &known) != nil || json.Unmarshal(unknown, &more) != nil || len(more) == 0 {
		return object
	}
	for key := range more {
		for name := range known {
			if strings.EqualFold(key, name) { // as the decoder compares them
				return object
			}
		}
	}
	return append(append(object[:len(object)-1:len(object)-1], ','), unknown[1:]...)
}

// addKeys returns stored with those keys of more that it does not have, sorted
// by name, and the keys that have another value there. It returns nil when
// there is nothing to add.
func addKeys(stored, more json.RawMessage) (merged json.RawMessage, differing []string) {
	if stored == nil {
		return more, nil
	}
	var has, wants map[string]json.RawMessage
	if more == nil || json.Unmarshal(stored, &has) != nil || json.Unmarshal(more, &wants) != nil {
		return nil, nil
	}
	for key, value := range has {
		if other, common := wants[key]; common && !bytes.Equal(value, other) {
			differing = append(differing, key)
		}
		delete(wants, key)
	}
	slices.Sort(differing)
	rest, err := plainjson.Encode(wants)
	if err != nil || len(wants) == 0 {
		return nil, differing
	}
	if len(has) == 0 {
		return rest, nil
	}
	stored = append(stored[:len(stored)-1:len(stored)-1], ',')
	return append(stored, rest[1:]...), differing
}

func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
