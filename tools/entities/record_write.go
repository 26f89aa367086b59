package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

const storeName = "store_record"

// newDeprecation is how the operations on records are announced to end: the source
// document replaces them by payloads and entities.
func newDeprecation(replacement string) *tools.Deprecation {
	return &tools.Deprecation{
		Since: version, Replacement: replacement,
		Announced: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), RemovalDate: time.Date(2027, 12, 31, 0, 0, 0, 0, time.UTC),
	}
}

type storeInput struct {
	Type       string          `json:"type" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"What the record is, such as transaction or contact"`
	Properties json.RawMessage `json:"properties" jsonschema:"required" jsonschema_extras:"fields=title" jsonschema_description:"What the record says, as fields"`
	FileURLs   []string        `json:"file_urls,omitempty" jsonschema:"maxLength=4096" jsonschema_description:"Files that belong to it"`
	Embedding  []float64       `json:"embedding,omitempty" jsonschema:"maxItems=4096" jsonschema_description:"At most 4096 numbers; found by query_embedding of the same length"`
}

// recordOutput is a record as the source document prints it.
type recordOutput struct {
	recordFields
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func toRecordOutput(r records.Record) recordOutput {
	return recordOutput{toRecordFields(r), tools.FormatTimestamp(r.CreatedAt), tools.FormatTimestamp(r.UpdatedAt)}
}

func (f *family) storeRecordTool() tools.Tool[storeInput, recordOutput] {
	return tools.Tool[storeInput, recordOutput]{
		Name:  storeName,
		Title: "Store a record",
		Description: "Deprecated, use submit_payload. Store a record of any type with its properties; each call makes a new record and an entity of what it says. " +
			"Returns the record with its id. Example: a contact with a name and emails.",
		Permissions: []tools.Permission{mayCreateRecords}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: version,
		Tags: []string{"records", "legacy"}, RateLimit: &tools.RateLimit{MaxCalls: 100, Window: time.Minute}, Deprecated: newDeprecation(submitName),
		Examples: []tools.Example[storeInput, recordOutput]{{
			Description: "A contact",
			Params:      storeInput{Type: "contact", Properties: json.RawMessage(`{"name":"Anna Berg","emails":["anna@example.org"]}`)},
			Result:      recordOutput{recordFields: recordFields{Type: "contact", Properties: json.RawMessage(`{"emails":["anna@example.org"],"name":"Anna Berg"}`), FileURLs: []string{}}},
			Varies:      []string{"id", "created_at", "updated_at"},
		}},
		Handle: f.storeRecord,
	}
}

func (f *family) storeRecord(ctx context.Context, in storeInput) (tools.Result[recordOutput], error) {
	if err := cmp.Or(checkNotBlank("type", in.Type), checkEmbedding("embedding", in.Embedding)); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	properties, err := decodeObject(in.Properties)
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	now := f.nowMillis()
	d := newRecordDocument(records.Record{
		ID: uuid.NewString(), Type: in.Type, Properties: in.Properties, FileURLs: tools.OrEmpty(in.FileURLs), Embedding: encodeEmbedding(in.Embedding), CreatedAt: now, UpdatedAt: now,
	}, properties)
	overruled, err := runWrite(ctx, f, codeInsertFailed, func(tx *store.Tx) ([]string, error) {
		_, overruled, err := f.ingestDocument(tx, d, now)
		return overruled, err
	})
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).Because("the record and its entity are stored")
	if len(d.Statements) > 0 {
		h.SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": d.Statements[0].EntityID}, "see what is now known of the entity")
	}
	h.SuggestCall(updateName, tools.PriorityLow, map[string]any{"id": d.Record.ID}, "add or change properties")
	addFieldWarnings(h, listBodyWarnings(capabilityForType(entityTypeOf(in.Type, properties)), d.statedFacts()))
	addConflictWarnings(h, distinctLines(overruled))
	return tools.Result[recordOutput]{Data: toRecordOutput(d.Record), Hints: h}, nil
}

// newRecordDocument is a record as a source of observations. A record that says
// nothing is only a record.
func newRecordDocument(r records.Record, properties object) document {
	d := document{source: newDocumentSource(r.ID, fromRecord, r.CreatedAt), Record: r, Properties: properties}
	if facts := dropNulls(properties); len(facts) > 0 {
		d.Statements = compileStatements(capabilityForType(entityTypeOf(r.Type, properties)), facts, r.ID)
	}
	return d
}

// statedFacts are the facts of a document.
func (d document) statedFacts() object {
	if len(d.Statements) == 0 {
		return nil
	}
	return d.Statements[0].Fields
}

// checkEmbedding refuses an embedding that cannot be compared with others; an
// empty one is none.
func checkEmbedding(field string, embedding []float64) error {
	if len(embedding) == 0 {
		return nil
	}
	if len(embedding) > maxEmbeddingLength {
		return tools.Invalid(tools.CodeInvalid, field, fmt.Sprintf("at most %d numbers", maxEmbeddingLength), "%s has %d numbers; give at most %d", field, len(embedding), maxEmbeddingLength)
	}
	if _, ok := normalizeVector(embedding); !ok {
		return tools.Invalid(tools.CodeInvalid, field, "a number that is not 0", "%s has no direction, for all of its numbers are 0; leave it out or give the embedding of the text", field)
	}
	return nil
}

func encodeEmbedding(embedding []float64) json.RawMessage {
	if len(embedding) == 0 {
		return nil
	}
	return encodeJSON(embedding)
}

const updateName = "update_record"

type updateInput struct {
	ID         string          `json:"id" jsonschema:"required,minLength=1" jsonschema_description:"Record id"`
	Type       string          `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"New type"`
	Properties json.RawMessage `json:"properties,omitempty" jsonschema_extras:"fields=title" jsonschema_description:"Fields to set; others stay"`
	FileURLs   []string        `json:"file_urls,omitempty" jsonschema:"maxLength=4096" jsonschema_description:"Files that belong to it, replacing the former"`
	Embedding  []float64       `json:"embedding,omitempty" jsonschema:"maxItems=4096" jsonschema_description:"Embedding computed by the caller, at most 4096 numbers; found by query_embedding of the same length"`
}

func (f *family) updateRecordTool() tools.Tool[updateInput, recordOutput] {
	return tools.Tool[updateInput, recordOutput]{
		Name:  updateName,
		Title: "Update a record",
		Description: "Deprecated, use submit_payload or correct_field. Set properties, type, files or embedding of a record; others stay, what is replaced is kept as history. " +
			"Returns the merged record. Example: mark an invoice as paid.",
		Permissions: []tools.Permission{mayUpdateRecords}, Category: tools.Mutation, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"records", "legacy"}, Deprecated: newDeprecation(submitName),
		Examples: []tools.Example[updateInput, recordOutput]{{
			Description: "An invoice is paid",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      updateInput{ID: examplePayload, Properties: json.RawMessage(`{"status":"paid"}`)},
			Result: recordOutput{recordFields: recordFields{ID: examplePayload, Type: "invoice", FileURLs: []string{},
				Properties: json.RawMessage(`{"invoice_number":"INV-001","amount":1500.00,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15","status":"paid"}`)}},
			Varies: []string{"created_at", "updated_at"},
		}},
		Handle: f.updateRecord,
	}
}

func (f *family) updateRecord(ctx context.Context, in updateInput) (tools.Result[recordOutput], error) {
	if err := cmp.Or(checkNotBlank("id", in.ID), checkNotBlank("type", in.Type), checkEmbedding("embedding", in.Embedding)); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	if in.Type == "" && len(in.Properties) == 0 && in.FileURLs == nil && in.Embedding == nil {
		return tools.Result[recordOutput]{}, tools.Invalid(tools.CodeMissing, "properties", "something to update", "nothing to update: give properties, type, file_urls or embedding")
	}
	given, err := decodeObject(in.Properties)
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	u, err := runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (updateOutcome, error) {
		r, known, err := records.In(tx).ByID(in.ID)
		if err == nil && !known {
			err = recordNotFoundError()
		}
		if err != nil {
			return updateOutcome{}, err
		}
		return f.applyUpdate(tx, r, in, given)
	})
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	return tools.Result[recordOutput]{Data: toRecordOutput(u.record), Hints: u.hints(given)}, nil
}

// updateOutcome is a record after an update.
type updateOutcome struct {
	record    records.Record
	stated    object // by the update
	merged    object // its properties
	self      string // id of the entity it is; empty: none
	retyped   bool   // its new type is another kind of entity
	changed   bool
	overruled []string
}

// applyUpdate applies an update to the record that it names.
func (f *family) applyUpdate(tx *store.Tx, r records.Record, in updateInput, given object) (updateOutcome, error) {
	old, err := decodeObject(r.Properties)
	if err != nil {
		return updateOutcome{}, err
	}
	merged, facts, was := maps.Clone(old), dropNulls(given), r
	maps.Copy(merged, facts)
	if in.Type != "" {
		r.Type = in.Type
	}
	if in.FileURLs != nil {
		r.FileURLs = in.FileURLs
	}
	if in.Embedding != nil {
		r.Embedding = encodeEmbedding(in.Embedding)
	}
	now := f.nowMillis()
	repeated := r.Type == was.Type && slices.Equal(r.FileURLs, was.FileURLs) && string(r.Embedding) == string(was.Embedding) &&
		string(encodeCanonicalJSON(merged, exact)) == string(encodeCanonicalJSON(old, exact))
	if !repeated {
		r.Properties, r.UpdatedAt = encodeJSON(merged), now
		if err := linkStoredFiles(records.In(tx), r.Seq, r.FileURLs); err != nil {
			return updateOutcome{}, err
		}
		if err := f.updateRecordAndIndex(tx, r, was.Type, old, merged); err != nil {
			return updateOutcome{}, err
		}
	}
	u := updateOutcome{record: r, stated: facts, merged: merged, changed: !repeated, retyped: entityTypeOf(was.Type, old) != entityTypeOf(r.Type, merged)}
	return u, u.storeObservations(tx, now)
}

// storeObservations makes observations of what an update says: of the record's own entity,
// and of the entities found in the changed fields. A repeated update says something only
// where the truth has become another since.
func (u *updateOutcome) storeObservations(tx *store.Tx, now int64) error {
	r := &u.record
	if len(u.stated) == 0 {
		if r.Entity == 0 {
			return nil
		}
		self, err := entities.In(tx).ByRow(r.Entity)
		u.self = self.ID
		return err
	}
	c := capabilityForType(entityTypeOf(r.Type, u.merged))
	d := document{source: source{SourceKey: r.ID, Source: fromUpdate, ObservedAt: now, Specificity: updateSpecificity, Priority: updatePriority}}
	d.Statements = append(compileStatements(c, dropNulls(u.merged), r.ID)[:1:1], extractStatements(c, u.stated)...)
	self := &d.Statements[0]
	self.Fields = u.stated
	var err error
	u.overruled, err = d.observeAndRelinkRecord(tx, r, now, func(a *entityState, _ statement, c claim, _ []entities.Observation) (bool, error) {
		if u.changed {
			return false, nil
		}
		changes, err := a.wouldChange(c)
		return !changes, err
	})
	u.self = self.entity.ID
	return err
}

// fieldWarnings are those of an update; what the record has besides was there before.
func (u updateOutcome) fieldWarnings(given object) []string {
	c := capabilityForType(entityTypeOf(u.record.Type, u.merged))
	list := warnNullFields(given)
	for _, name := range slices.Sorted(maps.Keys(u.stated)) {
		if fieldWarning := findFieldWarning(c, u.merged, name); fieldWarning != "" {
			list = append(list, name+fieldWarning)
		}
		list = append(list, listPeriodWarnings(u.merged, name)...)
	}
	return slices.Compact(list)
}

func (u updateOutcome) hints(given object) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).Because("the record was updated")
	if u.changed {
		h.SuggestCall(retrieveName, tools.PriorityLow, map[string]any{"type": u.record.Type, "history": true}, "see what the record was before; replaced values and files are kept")
	}
	if u.self != "" {
		h.Because("the record was updated; what was set stands in its entity with priority 100").
			SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": u.self}, "see the entity with the update").
			AddRelatedResource("entity", u.self, u.record.Type, 0.8)
	}
	addFieldWarnings(h, u.fieldWarnings(given))
	addConflictWarnings(h, distinctLines(u.overruled))
	if u.retyped {
		h.Warn("conflict", tools.PriorityLow, "the record answers to another type now; its entity stays what it was", "store the document anew if it is another kind of thing")
	}
	return h
}
