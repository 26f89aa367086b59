package payloads

import (
	"context"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/tools"
)

const correctName = "correct-field"

// correctionType is the type of the record that stands for a correction.
const correctionType = "correction"

type correctInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Field    string        `json:"field" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Field of the snapshot"`
	Value    jsonValue     `json:"value" jsonschema:"required" jsonschema_description:"The right value, of any type but null"`
	Reason   string        `json:"reason,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Why, for whoever asks later"`
}

type correctOutput struct {
	EntityID      string    `json:"entity_id"`
	Field         string    `json:"field"`
	Value         jsonValue `json:"value" jsonschema_description:"Value of the snapshot now"`
	InForce       bool      `json:"in_force" jsonschema_description:"false when the snapshot shows more than the given value"`
	ObservationID string    `json:"observation_id"`
	RecordID      string    `json:"record_id" jsonschema_description:"Delete this record to take the correction back"`
}

func (f *family) correctTool() tools.Tool[correctInput, correctOutput] {
	return tools.Tool[correctInput, correctOutput]{
		Name:  correctName,
		Title: "Correct a field",
		Description: "Set a field of an entity right, on the user's word and with priority over documents; what documents said stays in the history. " +
			"Use it when a snapshot is wrong. Returns the value now and a record_id whose deletion undoes it. Example: a misread tax id.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[correctInput, correctOutput]{{
			Description: "A misread vendor name",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      correctInput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}, Reason: "as on the letterhead"},
			Result:      correctOutput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}, InForce: true},
			Varies:      []string{"observation_id", "record_id"},
		}},
		Handle: f.correct,
	}
}

// correction is a field after a correction.
type correction struct {
	output correctOutput
	subject
	added  bool // the field was not known before
	merged bool // the field takes the union of its values
}

func (f *family) correct(ctx context.Context, in correctInput) (tools.Result[correctOutput], error) {
	if err := notBlank("field", in.Field); err != nil {
		return tools.Result[correctOutput]{}, err
	}
	wrapped, err := decodeObject(encodeJSON(map[string]any{"value": in.Value.RawMessage}))
	if err != nil {
		return tools.Result[correctOutput]{}, err
	}
	c, err := write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (correction, error) { return f.applyCorrection(tx, in, wrapped["value"]) })
	if err != nil {
		return tools.Result[correctOutput]{}, err
	}
	h := tools.NewHints(tools.Written()).Impact(0.7, 0.1, "accuracy").Because("the correction stands with priority 1000; the documents keep what they said").
		Next(provenanceName, tools.Low, map[string]any{"entity_id": c.ID, "field": in.Field}, "see the correction as the source").
		Next(deleteName, tools.Low, map[string]any{"id": c.output.RecordID}, "take the correction back").
		Relate(c.Type, c.ID, c.Name, 1)
	if !c.merged {
		h.Assumes("a field that takes its last write follows a document that is observed later")
	}
	if c.added {
		h.Warn("validation", tools.Low, "the field was not known before and was added", "check its spelling")
	}
	if !c.output.InForce {
		h.Warn("conflict", tools.Middle, "corrections of a merged list add up", "delete the record of the earlier correction, see "+tools.Kebab(observationsName))
	}
	c.redirected(h)
	return tools.Result[correctOutput]{Data: c.output, Hints: h}, nil
}

func (f *family) applyCorrection(tx *store.Tx, in correctInput, value any) (correction, error) {
	s, err := resolve(tx, in.EntityID, "entity_id")
	if err != nil {
		return correction{}, err
	}
	now := f.now()
	properties := object{"entity_id": s.ID, "field": in.Field, "value": value}
	if in.Reason != "" {
		properties["reason"] = in.Reason
	}
	r := store.Record{ID: uuid.NewString(), Type: correctionType, Properties: encodeJSON(properties), CreatedAt: now, UpdatedAt: now}
	seq, err := f.insertRecord(tx, r, properties)
	if err != nil {
		return correction{}, err
	}
	a, err := openAccount(tx, s.TruthEntity)
	if err != nil {
		return correction{}, err
	}
	c := correction{subject: s, added: a.state[in.Field] == nil, merged: a.policies.of(in.Field) == mergeArray}
	id, err := a.enter(tx, claim{
		Entity: s.TruthEntity, Record: seq, SourceKey: r.ID, Source: fromCorrection, ObservedAt: now,
		Specificity: correctionSpecificity, Priority: correctionPriority, Fields: object{in.Field: withoutNulls(value)},
	}, 0, now)
	if err != nil {
		return correction{}, err
	}
	field := a.state[in.Field]
	c.output = correctOutput{EntityID: s.ID, Field: in.Field, Value: jsonValue{field.value()}, InForce: true, ObservationID: id, RecordID: r.ID}
	if c.merged {
		c.output.InForce = len(field.sources()) == 1
	}
	return c, nil
}
