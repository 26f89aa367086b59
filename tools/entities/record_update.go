package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

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
		Tags: []string{"records", "legacy"}, Deprecated: legacy(submitName),
		Examples: []tools.Example[updateInput, recordOutput]{{
			Description: "An invoice is paid",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      updateInput{ID: examplePayload, Properties: json.RawMessage(`{"status":"paid"}`)},
			Result: recordOutput{recordFields: recordFields{ID: examplePayload, Type: "invoice", FileURLs: []string{},
				Properties: json.RawMessage(`{"invoice_number":"INV-001","amount":1500.00,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15","status":"paid"}`)}},
			Varies: []string{"created_at", "updated_at"},
		}},
		Handle: f.updateRecord,
	}
}

func (f *family) updateRecord(ctx context.Context, in updateInput) (tools.Result[recordOutput], error) {
	if err := cmp.Or(notBlank("id", in.ID), notBlank("type", in.Type)); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	if in.Type == "" && len(in.Properties) == 0 && in.FileURLs == nil && in.Embedding == nil {
		return tools.Result[recordOutput]{}, tools.Invalid(tools.CodeMissing, "properties", "something to update", "nothing to update: give properties, type, file_urls or embedding")
	}
	if err := checkEmbedding("embedding", in.Embedding); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	given := object{}
	if len(in.Properties) > 0 {
		var err error
		if given, err = decodeObject(in.Properties); err != nil {
			return tools.Result[recordOutput]{}, err
		}
	}
	u, err := write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (updated, error) { return f.applyUpdate(tx, in, given) })
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	return tools.Result[recordOutput]{Data: showRecord(u.record), Hints: u.hints(given)}, nil
}

// updated is a record after an update.
type updated struct {
	record    records.Record
	stated    object // by the update
	merged    object // its properties
	self      string // id of the entity it is; empty: none
	retyped   bool   // its new type is another kind of entity
	changed   bool
	overruled []string
}

func (f *family) applyUpdate(tx *store.Tx, in updateInput, given object) (updated, error) {
	r, known, err := records.In(tx).ByID(in.ID)
	if err != nil {
		return updated{}, err
	}
	if !known {
		return updated{}, recordNotFound()
	}
	return f.updateFound(tx, r, in, given)
}

// updateFound applies an update to the record that it names.
func (f *family) updateFound(tx *store.Tx, r records.Record, in updateInput, given object) (updated, error) {
	old, err := decodeObject(r.Properties)
	if err != nil {
		return updated{}, err
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
	now := f.now()
	repeated := r.Type == was.Type && slices.Equal(r.FileURLs, was.FileURLs) && string(r.Embedding) == string(was.Embedding) &&
		string(canonical(merged, exact)) == string(canonical(old, exact))
	if !repeated {
		r.Properties, r.UpdatedAt = encodeJSON(merged), now
		if err := holdStoredFiles(records.In(tx), r.Seq, r.FileURLs); err != nil {
			return updated{}, err
		}
		if err := f.replace(tx, r, was.Type, old, merged); err != nil {
			return updated{}, err
		}
	}
	u := updated{record: r, stated: facts, merged: merged, changed: !repeated, retyped: entityTypeOf(was.Type, old) != entityTypeOf(r.Type, merged)}
	return u, u.observe(tx, now)
}

// observe makes observations of what an update says: of the record's own entity,
// and of the entities found in the changed fields. A repeated update says something only
// where the truth has become another since.
func (u *updated) observe(tx *store.Tx, now int64) error {
	r := &u.record
	if len(u.stated) == 0 {
		if r.Entity == 0 {
			return nil
		}
		self, err := entities.In(tx).ByRow(r.Entity)
		u.self = self.ID
		return err
	}
	c := capabilityOf(entityTypeOf(r.Type, u.merged))
	d := document{source: source{SourceKey: r.ID, Source: fromUpdate, ObservedAt: now, Specificity: updateSpecificity, Priority: updatePriority}}
	d.Statements = append(compile(c, dropNulls(u.merged), r.ID)[:1:1], extract(c, u.stated)...)
	self := &d.Statements[0]
	self.Fields = u.stated
	var err error
	u.overruled, err = d.observeStored(tx, r, now, func(a *entityState, _ statement, c claim, _ []entities.Observation) (bool, error) {
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
func (u updated) fieldWarnings(given object) []string {
	c := capabilityOf(entityTypeOf(u.record.Type, u.merged))
	list := warnNullFields(given)
	for _, name := range slices.Sorted(maps.Keys(u.stated)) {
		if fieldWarning := checkField(c, u.merged, name); fieldWarning != "" {
			list = append(list, name+fieldWarning)
		}
		list = append(list, checkPeriods(u.merged, name)...)
	}
	return slices.Compact(list)
}

func (u updated) hints(given object) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).Because("the record was updated")
	if u.changed {
		h.Next(retrieveName, tools.PriorityLow, map[string]any{"type": u.record.Type, "history": true}, "see what the record was before; replaced values and files are kept")
	}
	if u.self != "" {
		h.Because("the record was updated; what was set stands in its entity with priority 100").
			Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": u.self}, "see the entity with the update").
			Relate("entity", u.self, u.record.Type, 0.8)
	}
	addFieldWarnings(h, u.fieldWarnings(given))
	addConflictWarnings(h, distinctLines(u.overruled))
	if u.retyped {
		h.Warn("conflict", tools.PriorityLow, "the record answers to another type now; its entity stays what it was", "store the document anew if it is another kind of thing")
	}
	return h
}
