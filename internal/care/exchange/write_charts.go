package exchange

import (
	"encoding/json"
	"strconv"
)

// typed is a field to be merged into what remains of the metadata. A weak one
// gives way to a key of the same name there: it says nothing, or only repeats
// what another entity of the chart says.
type typed struct {
	member
	weak bool
	// means tells of a value of that key whether it is another spelling of
	// the field, which is left as it is; nil if there is none.
	means func(json.RawMessage) bool
}

func (t typed) givesWay(rest object) bool {
	value := rest.value(t.key)
	return value != nil && (t.weak || t.means != nil && t.means(value))
}

// text is a field that is left out when empty.
func text(key, value string) typed {
	if value == "" {
		return typed{}
	}
	return typed{member: field(key, stringValue(value))}
}

func weak(t typed) typed {
	t.weak = true
	return t
}

// merge renders the typed fields and the rest as one object.
func merge(rest json.RawMessage, fields ...typed) (json.RawMessage, error) {
	members, err := parseObject(rest)
	if err != nil {
		return nil, err
	}
	merged := make(object, 0, len(fields)+len(members))
	for _, f := range fields {
		if f.value != nil && !f.givesWay(members) {
			merged = append(merged, f.member)
		}
	}
	return withoutKnown(merged, members).append(nil), nil
}

// part prints one entity of a chart.
func (p *printer) part(name, entityType string, observations []string, rest Part, fields ...typed) {
	metadata, err := merge(rest.Metadata, fields...)
	if err != nil {
		p.fail("metadata of", name, err)
		return
	}
	p.entity(&Entity{Name: name, EntityType: entityType, Observations: observations, Metadata: metadata, Extra: rest.Extra})
}

// chart prints the entities a chart consists of in a file.
func (p *printer) chart(chart *Chart) {
	id := weak(text("chartId", chart.ID))
	due, created, updated := text("dueDate", chart.DueDate), text("createdAt", chart.CreatedAt), text("updatedAt", chart.UpdatedAt)

	observations := chart.ChartEntity.Observations
	if len(observations) == 0 && chart.CreatedAt != "" {
		observations = []string{chartCreatedObservation(chart.CreatedAt)}
	}
	if p.format == Memory {
		observations = withState(observations, state{chart.DueDate, chart.Completed, chart.CompletedAt})
	}
	p.part(ChartEntityName(chart.ID), typeChart, observations, chart.ChartEntity,
		id, due,
		typed{member: field("level", strconv.AppendInt(nil, int64(chart.Level), 10)), weak: true},
		created, updated,
		text("parentChart", chart.ParentChart), text("parentActionStep", chart.ParentStep))

	completed := typed{}
	if chart.Completed {
		completed = typed{member: field("completionStatus", boolValue(true)), means: means(spelledBool, true)}
	}
	p.part(OutcomeEntityName(chart.ID), typeOutcome, prepend(chart.DesiredOutcome, chart.OutcomeEntity.Observations), chart.OutcomeEntity,
		id, weak(due), completed, text("completedAt", chart.CompletedAt), weak(created), weak(updated))

	p.part(RealityEntityName(chart.ID), typeReality, chart.CurrentReality, chart.RealityEntity,
		id, weak(created), weak(updated))

	p.steps(chart)
}

func (p *printer) steps(chart *Chart) {
	for i := range chart.Steps {
		p.step(&chart.Steps[i], weak(text("chartId", chart.ID)))
	}
}

func (p *printer) step(step *Step, chartID typed) {
	observations := step.Observations
	if p.format == Memory {
		observations = withState(observations, state{step.DueDate, step.Completed, step.CompletedAt})
	}
	completed := typed{member: field("completionStatus", boolValue(step.Completed)), means: func(value json.RawMessage) bool {
		spelled, _ := spelledBool(value)
		return spelled == step.Completed
	}}
	p.part(step.ID, typeStep, prepend(step.Title, observations), Part{Metadata: step.Metadata, Extra: step.Extra},
		chartID, text("dueDate", step.DueDate), completed, text("completedAt", step.CompletedAt),
		text("createdAt", step.CreatedAt), text("updatedAt", step.UpdatedAt))
}

func prepend(first string, rest []string) []string {
	return append([]string{first}, rest...)
}

// beat prints a beat in the form of an entity.
func (p *printer) beat(beat *Beat) {
	nested, err := nestedBeatFields(beat)
	if err != nil {
		p.fail("beat", beat.Name, err)
		return
	}
	act := typed{}
	if beat.Act != 0 {
		act = typed{member: field("act", numberValue(beat.Act)), means: means(spelledNumber, beat.Act)}
	}
	observations := beat.Observations
	if p.format == Memory {
		observations = withBeatText(observations, beat)
	}
	fields := []typed{
		text("chartId", beat.ParentChart), text("parentBeat", beat.ParentBeat), text("title", beat.Title),
		act, text("type_dramatic", beat.TypeDramatic), list("universes", beat.Universes),
		text("timestamp", beat.Timestamp), text("createdAt", beat.CreatedAt),
	}
	p.part(beat.Name, typeBeat, observations, Part{Metadata: beat.Metadata, Extra: beat.Extra}, append(fields, nested...)...)
}

// list is a field that is always there, and weak when empty.
func list(key string, values []string) typed {
	return typed{member: field(key, stringsValue(values)), weak: len(values) == 0, means: means(spelledTexts, values)}
}

// always is a text field that is always there, and weak when empty.
func always(key, value string) typed {
	return typed{member: field(key, stringValue(value)), weak: value == ""}
}

// orNull is a text field that is null, and weak, when there is no text.
func orNull(key string, value *string) typed {
	if value == nil {
		return typed{member: field(key, json.RawMessage("null")), weak: true}
	}
	return typed{member: field(key, stringValue(*value))}
}

func nestedBeatFields(beat *Beat) ([]typed, error) {
	narrative, err := nested("narrative", beat.Narrative.Extra,
		always("description", beat.Narrative.Description),
		always("prose", beat.Narrative.Prose),
		list("lessons", beat.Narrative.Lessons))
	if err != nil {
		return nil, err
	}
	score := typed{member: field("score", json.RawMessage("null")), weak: true}
	if beat.RelationalAlignment.Score != nil {
		score = typed{member: field("score", numberValue(*beat.RelationalAlignment.Score)), means: means(spelledNumber, *beat.RelationalAlignment.Score)}
	}
	alignment, err := nested("relationalAlignment", beat.RelationalAlignment.Extra,
		typed{member: field("assessed", boolValue(beat.RelationalAlignment.Assessed)), weak: !beat.RelationalAlignment.Assessed, means: means(spelledBool, beat.RelationalAlignment.Assessed)},
		score,
		list("principles", beat.RelationalAlignment.Principles))
	if err != nil {
		return nil, err
	}
	directions, err := nested("fourDirections", beat.FourDirections.Extra,
		orNull("north_vision", beat.FourDirections.NorthVision),
		orNull("east_intention", beat.FourDirections.EastIntention),
		orNull("south_emotion", beat.FourDirections.SouthEmotion),
		orNull("west_introspection", beat.FourDirections.WestIntrospection))
	if err != nil {
		return nil, err
	}
	return []typed{narrative, alignment, directions}, nil
}

// nested is an object field, weak when none of its own fields says anything.
func nested(key string, rest json.RawMessage, fields ...typed) (typed, error) {
	value, err := merge(rest, fields...)
	if err != nil {
		return typed{}, err
	}
	silent := len(rest) == 0
	for _, f := range fields {
		silent = silent && f.weak
	}
	return typed{member: field(key, value), weak: silent}, nil
}
