package payloads

import (
	"context"
	"maps"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/tools"
)

const withdrawName = "withdraw-correction"

type withdrawInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Field    string        `json:"field" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Field that was corrected"`
	Reason   string        `json:"reason,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Why, for whoever asks later"`
}

type withdrawOutput struct {
	EntityID string     `json:"entity_id"`
	Field    string     `json:"field"`
	Value    *jsonValue `json:"value,omitempty" jsonschema_description:"Value of the snapshot now; absent when nothing else is known of the field"`
	RecordID string     `json:"record_id" jsonschema_description:"Record of the withdrawal"`
}

func (f *family) withdrawTool() tools.Tool[withdrawInput, withdrawOutput] {
	return tools.Tool[withdrawInput, withdrawOutput]{
		Name:  withdrawName,
		Title: "Withdraw a correction",
		Description: "Take the corrections of a field back, so that updates and documents decide it again; they stay in the history. " +
			"Use it when a correct-field was wrong or is outdated. Returns the value now. Example: the vendor did move after all.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[withdrawInput, withdrawOutput]{{
			Description: "A correction that was wrong",
			Setup: []tools.SetupCall{{Tool: submitName, Params: sourceExample()},
				{Tool: correctName, Params: correctInput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}}}},
			Params: withdrawInput{EntityID: exampleAcme, Field: "name"},
			Result: withdrawOutput{EntityID: exampleAcme, Field: "name", Value: &jsonValue{[]byte(`"Acme Corp"`)}},
			Varies: []string{"record_id"},
		}},
		Handle: f.withdraw,
	}
}

// withdrawal is a field after its corrections were taken back.
type withdrawal struct {
	output withdrawOutput
	subject
}

func (f *family) withdraw(ctx context.Context, in withdrawInput) (tools.Result[withdrawOutput], error) {
	if err := notBlank("field", in.Field); err != nil {
		return tools.Result[withdrawOutput]{}, err
	}
	w, err := write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (withdrawal, error) { return f.applyWithdrawal(tx, in) })
	if err != nil {
		return tools.Result[withdrawOutput]{}, err
	}
	id := map[string]any{"entity_id": w.ID}
	h := tools.NewHints(tools.Written()).Because("updates and documents decide the field again; the corrections stay in the history").
		Next(snapshotName, tools.Middle, id, "see what holds now").
		Next(observationsName, tools.Low, id, "see the corrections and their withdrawal").
		Relate(w.Type, w.ID, w.Name, 1)
	if w.output.Value == nil {
		h.Warn("validation", tools.Low, "nothing else is known of the field, so the snapshot has it no more", "")
	}
	w.redirected(h)
	return tools.Result[withdrawOutput]{Data: w.output, Hints: h}, nil
}

// applyWithdrawal withdraws the corrections of a field from every entity that
// they were made for: entities may have been merged since, and may part again.
func (f *family) applyWithdrawal(tx *store.Tx, in withdrawInput) (withdrawal, error) {
	s, err := resolve(tx, in.EntityID, "entity_id")
	if err != nil {
		return withdrawal{}, err
	}
	a, err := openAccount(tx, s.TruthEntity)
	if err != nil {
		return withdrawal{}, err
	}
	if stands := a.state.standing(in.Field); stands == nil || stands.Winner.Priority != correctionPriority {
		return withdrawal{}, notCorrected(s, a.state)
	}
	corrected, err := tx.TruthObservationsFrom(s.Seq, correctionPriority)
	if err != nil {
		return withdrawal{}, err
	}
	w := withdrawal{subject: s, output: withdrawOutput{EntityID: s.ID, Field: in.Field}}
	done := map[int64]bool{}
	for _, o := range corrected {
		fields, err := decodeObject(o.Fields)
		if err != nil {
			return w, err
		}
		if fields[in.Field] == nil || done[o.Origin] {
			continue
		}
		done[o.Origin] = true
		e, err := tx.TruthEntityByRow(o.Origin)
		if err != nil {
			return w, err
		}
		if a, err = openAccount(tx, e); err != nil {
			return w, err
		}
		properties := object{"entity_id": e.ID, "field": in.Field, "withdrawn": true}
		if _, w.output.RecordID, err = f.enterCorrection(tx, a, e, properties, in.Reason, nil); err != nil {
			return w, err
		}
	}
	if stands := a.state.standing(in.Field); stands != nil {
		w.output.Value = &jsonValue{stands.value()}
	}
	return w, nil
}

// notCorrected says that a field has no correction in force, and which have.
func notCorrected(s subject, known state) error {
	var corrected []string
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if c := known.standing(name); c != nil && c.Winner.Priority == correctionPriority {
			corrected = append(corrected, name)
		}
	}
	corrected = corrected[:min(maxFieldsNamed, len(corrected))]
	which := "none is"
	if len(corrected) > 0 {
		which = "corrected are " + strings.Join(corrected, ", ")
	}
	return tools.Refused(codeFieldNotFound, "field", "corrected field", "field has no correction to withdraw; of this entity's fields %s", which).
		With("corrected_fields", nonNil(corrected)).
		WithHints(refusal("the field is not corrected").
			Next(snapshotName, tools.Middle, map[string]any{"entity_id": s.ID}, "see the fields with their values"))
}
