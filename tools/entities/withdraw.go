package entities

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const withdrawName = "withdraw_correction"

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
		Description: "Take the last correction of a field back: the one before stands again, else updates and documents decide; again takes back the next. " +
			"Returns the value now. Example: the vendor did move after all.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: "1.1.0",
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

func (f *family) withdraw(ctx context.Context, in withdrawInput) (r tools.Result[withdrawOutput], err error) {
	if err := notBlank("field", in.Field); err != nil {
		return r, err
	}
	return write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (tools.Result[withdrawOutput], error) { return f.applyWithdrawal(tx, in) })
}

// applyWithdrawal takes the correction back that stands. The withdrawal is made for
// the entity that the correction was made for: entities may have been merged since,
// and may part again.
func (f *family) applyWithdrawal(tx *store.Tx, in withdrawInput) (r tools.Result[withdrawOutput], err error) {
	rows := entities.In(tx)
	s, err := resolve(rows, in.EntityID, "entity_id")
	if err != nil {
		return r, err
	}
	if !s.state.isCorrected(in.Field) {
		return r, notCorrected(s)
	}
	last, err := rows.ObservationsByID([]string{s.state.currentClaim(in.Field).Winner.ID})
	if err == nil && len(last) == 0 {
		err = observationGone(s)
	}
	if err != nil {
		return r, err
	}
	e, err := rows.ByRow(last[0].Origin)
	if err != nil {
		return r, err
	}
	r.Data = withdrawOutput{EntityID: s.ID, Field: in.Field, RecordID: uuid.NewString()}
	properties := object{"entity_id": e.ID, "field": in.Field, "withdrawn": true, "observation_id": last[0].ID}
	if _, err = f.enterCorrection(tx, r.Data.RecordID, s, e, properties, in.Reason, nil, last[0].ID); err != nil {
		return r, err
	}
	if s, err = loadState(rows, s.Asked); err != nil {
		return r, err
	}
	if stands := s.state.currentClaim(in.Field); stands != nil {
		r.Data.Value = &jsonValue{stands.value()}
	}
	r.Hints = withdrawHints(s, r.Data, s.state.isCorrected(in.Field))
	return r, nil
}

// withdrawHints are for a field that may still be corrected, by an earlier correction.
func withdrawHints(s *entityState, out withdrawOutput, corrected bool) *tools.Hints {
	id := map[string]any{"entity_id": s.ID}
	h := tools.NewHints(tools.WriteEvidence()).Because("updates and documents decide the field again; its corrections stay in the history").
		Next(snapshotName, tools.PriorityMedium, id, "see what holds now").
		Next(observationsName, tools.PriorityLow, id, "see the corrections and their withdrawal").
		Relate(s.Type, s.ID, s.Name, 1)
	switch {
	case corrected:
		h.Because("the correction before it stands again; the withdrawn one stays in the history").
			Next(withdrawName, tools.PriorityLow, map[string]any{"entity_id": s.ID, "field": out.Field}, "take that one back as well")
	case out.Value == nil:
		h.Warn("validation", tools.PriorityLow, "nothing else is known of the field, so the snapshot has it no more", "")
	}
	s.hintRedirection(h)
	return h
}

// isCorrected reports whether a correction decides a field.
func (s state) isCorrected(name string) bool {
	c := s.currentClaim(name)
	return c != nil && c.Winner.Priority == correctionPriority
}

// notCorrected says that a field has no correction in force, and which have.
func notCorrected(s *entityState) error {
	corrected := s.state.selectNames(s.state.isCorrected)
	which := "none is"
	if len(corrected) > 0 {
		which = "corrected are " + strings.Join(corrected, ", ")
	}
	return tools.Refused(codeFieldNotFound, "field", "corrected field", "field has no correction to withdraw; of this entity's fields %s", which).
		With("corrected_fields", corrected).
		WithHints(tools.RefusalHints().Because("the field is not corrected").
			Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "see the fields with their values"))
}
