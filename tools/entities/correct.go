package entities

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/internal/reader/value"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

const correctName = "correct_field"

// correctionType is the type of the record that stands for a correction.
const correctionType = "correction"

type correctInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Field    string        `json:"field" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Field of the snapshot"`
	Value    jsonValue     `json:"value" jsonschema:"required" jsonschema_extras:"publish=string" jsonschema_description:"The right value: text as it is; a number, true, false, a list or an object as JSON"`
	Reason   string        `json:"reason,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Why, for whoever asks later"`
}

type correctOutput struct {
	EntityID      string    `json:"entity_id"`
	Field         string    `json:"field"`
	Value         jsonValue `json:"value" jsonschema_description:"Value of the snapshot now"`
	InForce       bool      `json:"in_force" jsonschema_description:"false when the snapshot shows more than the given value"`
	ObservationID string    `json:"observation_id"`
	RecordID      string    `json:"record_id" jsonschema_description:"Record of the correction"`
}

func (f *family) correctTool() tools.Tool[correctInput, correctOutput] {
	return tools.Tool[correctInput, correctOutput]{
		Name:  correctName,
		Title: "Correct a field",
		Description: "Set a field of an entity right, on the user's word: it stands over every document, also later ones, until withdraw_correction. " +
			"Use it when a snapshot is wrong. Returns the value now. Example: a misread tax id.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: "1.1.0",
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[correctInput, correctOutput]{{
			Description: "A misread vendor name",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      correctInput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}, Reason: "as on the letterhead"},
			Result:      correctOutput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}, InForce: true},
			Varies:      []string{"observation_id", "record_id"},
		}},
		Handle: f.correctField,
	}
}

func (f *family) correctField(ctx context.Context, in correctInput) (r tools.Result[correctOutput], err error) {
	if err := checkNotBlank("field", in.Field); err != nil {
		return r, err
	}
	return runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (tools.Result[correctOutput], error) { return f.applyCorrection(tx, in) })
}

func (f *family) applyCorrection(tx *store.Tx, in correctInput) (r tools.Result[correctOutput], err error) {
	rows := entities.In(tx)
	s, err := resolveEntity(rows, in.EntityID, "entity_id")
	if err != nil {
		return r, err
	}
	var before json.RawMessage // nil: the field was not known
	if stands := s.state.currentClaim(in.Field); stands != nil {
		before = stands.encodeValue()
	}
	value := parseCorrection(in.Field, in.Value.RawMessage, before)
	if err := checkCorrectedDate(in.Field, value, before); err != nil {
		return r, err
	}
	record := uuid.NewString()
	properties := object{"entity_id": s.ID, "field": in.Field, "value": value}
	id, err := f.storeCorrection(tx, record, s, s.Entity, properties, in.Reason, withoutNulls(value), "")
	if err != nil {
		return r, err
	}
	stands := s.state.currentClaim(in.Field)
	r.Data = correctOutput{EntityID: s.ID, Field: in.Field, Value: jsonValue{stands.encodeValue()}, ObservationID: id, RecordID: record,
		InForce: !stands.Merged || len(stands.listObservationIDs()) == 1}
	r.Hints = correctHints(s, r.Data, before)
	if _, isNumber := value.(json.Number); isNumber && jsonTypeName(in.Value.RawMessage) == "text" {
		r.Hints.Warn("validation", tools.PriorityLow, "the text was read as a number: see value", "correct it again if another number was meant")
	}
	if in.Field == "name" { // by which documents may know another
		named, err := rows.ByRow(s.Seq)
		if err != nil {
			return r, err
		}
		others, err := suggestDuplicates(rows, named)
		if err != nil {
			return r, err
		}
		hintSuggestions(r.Hints, others)
	}
	addFieldWarnings(r.Hints, listPeriodWarnings(s.state.currentValues(), in.Field))
	if fieldWarning := findFieldWarning(capabilityForType(s.Type), object{in.Field: value}, in.Field); fieldWarning != "" {
		addFieldWarnings(r.Hints, []string{in.Field + fieldWarning})
	}
	return r, nil
}

func correctHints(s *entityState, out correctOutput, before json.RawMessage) *tools.Hints {
	field := map[string]any{"entity_id": s.ID, "field": out.Field}
	h := tools.NewHints(tools.WriteEvidence()).Because("the correction stands over documents of any date; they keep what they said").
		SuggestCall(provenanceName, tools.PriorityLow, field, "see the correction as the source").
		SuggestCall(withdrawName, tools.PriorityLow, field, "take the correction back").
		AddRelatedResource(s.Type, s.ID, s.Name, 1)
	was, is := "", jsonTypeName(out.Value.RawMessage)
	if before != nil {
		was = jsonTypeName(before)
	}
	switch {
	case before == nil && !isStandardField(capabilityForType(s.Type), out.Field):
		h.Warn("validation", tools.PriorityLow, "the field was not known before and was added", "check its spelling")
	case before != nil && was != is:
		h.Warn("validation", tools.PriorityMedium, "the field held "+was+" and now holds "+is, "correct it again if another form was meant")
	}
	if !out.InForce {
		h.Warn("conflict", tools.PriorityMedium, "corrections of a merged list add up", "use "+withdrawName+" until the earlier ones are gone, then correct it again")
	}
	s.warnOfMerge(h)
	return h
}

// storeCorrection makes the record of a correction, under its id, and its observation, whose
// id it returns. The value nil takes another back, which withdraws names. A party that it names becomes an
// entity, and the documents are related to it, as if they had named it.
func (f *family) storeCorrection(tx *store.Tx, id string, a *entityState, e entities.Entity, properties object, reason string, value any, withdraws string) (observation string, err error) {
	if reason != "" {
		properties["reason"] = reason
	}
	now := f.nowMillis()
	r := records.Record{ID: id, Type: correctionType, Properties: encodeJSON(properties), CreatedAt: now, UpdatedAt: now}
	fields, capability := object{properties["field"].(string): value}, capabilityForType(e.Type)
	d := document{source: newDocumentSource(id, fromRecord, now), Record: r, Properties: properties, Statements: extractStatements(capability, fields)}
	if r, _, err = f.ingestDocument(tx, d, now); err != nil {
		return "", err
	}
	rows := entities.In(tx)
	observation, err = a.insertAndApplyObservation(rows, claim{
		source: source{SourceKey: r.ID, Source: fromCorrection, ObservedAt: now, Specificity: correctionSpecificity, Priority: correctionPriority},
		Entity: e, Record: r.Seq, Fields: fields, Withdraws: withdraws,
	}, 0, now)
	isParty := slices.ContainsFunc(capability.Extract, func(party fixtures.Extraction) bool { return party.Field == properties["field"] })
	if err != nil || !isParty {
		return observation, err
	}
	named, err := rows.RecordsOfEntity(a.Seq, maxLinkCandidates)
	if err != nil {
		return observation, err
	}
	return observation, relinkRecords(tx, named)
}

// parseCorrection returns the value that a caller means, who may have been told that values
// are text. Text stays text, unless it is the JSON of a list, an object or a
// quoted text, or of a number or a truth value where the field held one: a tax id
// of digits is no number. An amount is a number in whatever notation, and a day is written as
// YYYY-MM-DD.
func parseCorrection(field string, given, before json.RawMessage) any {
	value := decodeValue(given)
	text, ok := value.(string)
	if !ok {
		return value
	}
	if isAmountField(field) {
		if n, ok := parseUnambiguousNumber(text); ok {
			return n
		}
	}
	if day, ok := parseUnambiguousDate(text); ok && isDateField(field) {
		return day
	}
	if !json.Valid([]byte(text)) {
		return value
	}
	switch inner := decodeValue(json.RawMessage(text)).(type) {
	case []any, object, string:
		return inner
	case json.Number, bool:
		if before != nil && jsonTypeName(before) == jsonTypeName(json.RawMessage(text)) {
			return inner
		}
	}
	return value
}

// parseUnambiguousNumber reads a number without a currency that every country reads alike:
// 85,50 and 1.234,56, but not 1,234.
func parseUnambiguousNumber(text string) (json.Number, bool) {
	a, ok := value.ParseAmount(text, value.Point)
	b, alike := value.ParseAmount(text, value.Comma)
	if !ok || !alike || a.Value != b.Value || a.Sign != "" {
		return "", false
	}
	return json.Number(strconv.FormatFloat(a.Value, 'f', -1, 64)), true
}

// parseUnambiguousDate reads a day that everybody reads alike, such as 5. Dezember 2026 or 25.12.2026, and
// writes it as YYYY-MM-DD.
func parseUnambiguousDate(text string) (string, bool) {
	if _, ok := tools.ParseTime(text); ok {
		return text, true
	}
	day, ok := value.ParseDate(text, value.UnknownOrder)
	return day.String(), ok && !day.Ambiguous
}

// checkCorrectedDate refuses to put what is no day in the place of one.
func checkCorrectedDate(field string, corrected any, before json.RawMessage) error {
	text, isText := corrected.(string)
	if before == nil || !isText || text == "" || !isDateField(field) {
		return nil
	}
	stood, _ := decodeValue(before).(string)
	if _, wasDay := tools.ParseTime(stood); !wasDay {
		return nil
	}
	if warning := findDateWarning(text); warning != "" {
		return tools.Invalid(tools.CodeInvalid, "value", "a date", "value is no date that everybody reads alike; give it as YYYY-MM-DD")
	}
	return nil
}

// jsonTypeName names the type of a value.
func jsonTypeName(raw json.RawMessage) string {
	switch decodeValue(raw).(type) {
	case string:
		return "text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	}
	return "an object"
}

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
			Setup: []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()},
				{Tool: correctName, Params: correctInput{EntityID: exampleAcme, Field: "name", Value: jsonValue{[]byte(`"Acme Corporation"`)}}}},
			Params: withdrawInput{EntityID: exampleAcme, Field: "name"},
			Result: withdrawOutput{EntityID: exampleAcme, Field: "name", Value: &jsonValue{[]byte(`"Acme Corp"`)}},
			Varies: []string{"record_id"},
		}},
		Handle: f.withdrawCorrection,
	}
}

func (f *family) withdrawCorrection(ctx context.Context, in withdrawInput) (r tools.Result[withdrawOutput], err error) {
	if err := checkNotBlank("field", in.Field); err != nil {
		return r, err
	}
	return runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (tools.Result[withdrawOutput], error) { return f.applyWithdrawal(tx, in) })
}

// applyWithdrawal takes the correction back that stands. The withdrawal is made for
// the entity that the correction was made for: entities may have been merged since,
// and may part again.
func (f *family) applyWithdrawal(tx *store.Tx, in withdrawInput) (r tools.Result[withdrawOutput], err error) {
	rows := entities.In(tx)
	s, err := resolveEntity(rows, in.EntityID, "entity_id")
	if err != nil {
		return r, err
	}
	if !s.state.isCorrected(in.Field) {
		return r, notCorrectedError(s)
	}
	last, err := s.loadSourceObservation(rows, s.state.currentClaim(in.Field).Winner.ID)
	if err != nil {
		return r, err
	}
	e, err := rows.ByRow(last.Origin)
	if err != nil {
		return r, err
	}
	r.Data = withdrawOutput{EntityID: s.ID, Field: in.Field, RecordID: uuid.NewString()}
	properties := object{"entity_id": e.ID, "field": in.Field, "withdrawn": true, "observation_id": last.ID}
	if _, err = f.storeCorrection(tx, r.Data.RecordID, s, e, properties, in.Reason, nil, last.ID); err != nil {
		return r, err
	}
	if s, err = loadEntityState(rows, s.Asked); err != nil {
		return r, err
	}
	if stands := s.state.currentClaim(in.Field); stands != nil {
		r.Data.Value = &jsonValue{stands.encodeValue()}
	}
	r.Hints = withdrawHints(s, r.Data, s.state.isCorrected(in.Field))
	return r, nil
}

// withdrawHints are for a field that may still be corrected, by an earlier correction.
func withdrawHints(s *entityState, out withdrawOutput, corrected bool) *tools.Hints {
	id := map[string]any{"entity_id": s.ID}
	h := tools.NewHints(tools.WriteEvidence()).Because("updates and documents decide the field again; its corrections stay in the history").
		SuggestCall(snapshotName, tools.PriorityMedium, id, "see what holds now").
		SuggestCall(observationsName, tools.PriorityLow, id, "see the corrections and their withdrawal").
		AddRelatedResource(s.Type, s.ID, s.Name, 1)
	switch {
	case corrected:
		h.Because("the correction before it stands again; the withdrawn one stays in the history").
			SuggestCall(withdrawName, tools.PriorityLow, map[string]any{"entity_id": s.ID, "field": out.Field}, "take that one back as well")
	case out.Value == nil:
		h.Warn("validation", tools.PriorityLow, "nothing else is known of the field, so the snapshot has it no more", "")
	}
	s.warnOfMerge(h)
	return h
}

// isCorrected reports whether a correction decides a field.
func (s state) isCorrected(name string) bool {
	c := s.currentClaim(name)
	return c != nil && c.Winner.Priority == correctionPriority
}

// notCorrectedError says that a field has no correction in force, and which have.
func notCorrectedError(s *entityState) error {
	corrected := s.state.listFieldNames(s.state.isCorrected)
	which := "none is"
	if len(corrected) > 0 {
		which = "corrected are " + strings.Join(corrected, ", ")
	}
	return tools.Refused(codeFieldNotFound, "field", "corrected field", "field has no correction to withdraw; of this entity's fields %s", which).
		WithDetail("corrected_fields", corrected).
		WithHints(tools.NewRefusalHints().Because("the field is not corrected").
			SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "see the fields with their values"))
}
