package payloads

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/tools"
)

const updateName = "update_record"

type updateInput struct {
	ID         string          `json:"id" jsonschema:"required,minLength=1" jsonschema_description:"Record id"`
	Type       string          `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"New type"`
	Properties json.RawMessage `json:"properties,omitempty" jsonschema_extras:"fields=title status" jsonschema_description:"Fields to set; others stay"`
	FileURLs   []string        `json:"file_urls,omitempty" jsonschema_description:"Files that belong to it, replacing the former"`
	Embedding  []float64       `json:"embedding,omitempty" jsonschema_description:"Embedding computed by the caller, at most 4096 numbers; found by query_embedding of the same length"`
}

func (f *family) updateRecordTool() tools.Tool[updateInput, recordOutput] {
	return tools.Tool[updateInput, recordOutput]{
		Name:  updateName,
		Title: "Update a record",
		Description: "Deprecated, use submit_payload or correct-field. Set properties, type, files or embedding of a record; other properties stay, and a payload's body never changes. " +
			"Returns the merged record. Example: mark an invoice as paid.",
		Permissions: []tools.Permission{mayUpdateRecords}, Category: tools.Mutation, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"records", "legacy"}, Deprecated: legacy(submitName),
		Examples: []tools.Example[updateInput, recordOutput]{{
			Description: "An invoice is paid",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      updateInput{ID: examplePayload, Properties: json.RawMessage(`{"status":"paid"}`)},
			Result: recordOutput{ID: examplePayload, Type: "invoice", FileURLs: []string{},
				Properties: json.RawMessage(`{"invoice_number":"INV-001","amount":1500.00,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15","status":"paid"}`)},
			Varies: []string{"created_at", "updated_at"},
		}},
		Handle: f.updateRecord,
	}
}

func (f *family) updateRecord(ctx context.Context, in updateInput) (tools.Result[recordOutput], error) {
	if err := notBlank("id", in.ID); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	if in.Type != "" {
		if err := notBlank("type", in.Type); err != nil {
			return tools.Result[recordOutput]{}, err
		}
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
	f.sweep(ctx, u.released)
	return tools.Result[recordOutput]{Data: showRecord(u.record), Hints: u.hints(given)}, nil
}

// updated is a record after an update.
type updated struct {
	record  store.Record
	self    string // id of the entity it is; empty: none
	retyped bool   // its new type is another kind of entity

	released []string // hashes of files that nobody holds any more
}

func (f *family) applyUpdate(tx *store.Tx, in updateInput, given object) (updated, error) {
	r, known, err := tx.RecordByID(in.ID)
	if err != nil {
		return updated{}, err
	}
	if !known {
		return updated{}, recordNotFound()
	}
	old, err := decodeObject(r.Properties)
	if err != nil {
		return updated{}, err
	}
	merged, said := maps.Clone(old), facts(given)
	maps.Copy(merged, said)
	before, was := recordIndex(r.Type, old), r
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
	var released []string
	if !repeated {
		r.Properties, r.UpdatedAt = encodeJSON(merged), now
		if released, err = storeUpdate(tx, r, before, merged); err != nil {
			return updated{}, err
		}
		if err := f.enter(tx, r); err != nil {
			return updated{}, err
		}
	}
	u := updated{record: r, released: released, retyped: entityTypeOf(was.Type, old) != entityTypeOf(r.Type, merged)}
	u.self, err = observeUpdate(tx, &r, said, merged, repeated, now)
	return u, err
}

// storeUpdate replaces a record; it returns the hashes of files that it let go.
func storeUpdate(tx *store.Tx, r store.Record, before store.RecordIndex, properties object) ([]string, error) {
	released, err := holdFiles(tx, r.Seq, r.FileURLs)
	if err != nil {
		return nil, err
	}
	after := recordIndex(r.Type, properties)
	text, err := tx.RecordText(r.Seq)
	if err != nil {
		return nil, err
	}
	if text != "" {
		after.Words += "\n" + text
	}
	return released, tx.UpdateRecord(r, before, after)
}

// observeUpdate makes observations of what an update says: of the record's own
// entity, and of the entities found in the changed fields. A repeated update
// says something only where the truth has become another since.
func observeUpdate(tx *store.Tx, r *store.Record, said, merged object, repeated bool, now int64) (string, error) {
	c := capabilityOf(entityTypeOf(r.Type, merged))
	statements := []statement{}
	if len(said) > 0 {
		statements = extract(c, said)
		if r.Entity == 0 {
			statements = append([]statement{compile(c, merged, r.ID)[0]}, statements...)
		}
	}
	update := claim{Record: r.Seq, SourceKey: r.ID, Source: fromUpdate, ObservedAt: now, Specificity: updateSpecificity, Priority: updatePriority}
	for _, s := range statements {
		e, err := tx.EnsureTruthEntity(s.EntityID, s.EntityType)
		if err != nil {
			return "", err
		}
		if s.Role == selfRole {
			r.Entity = e.Seq
			if err := tx.SetRecordEntity(r.Seq, e.Seq); err != nil {
				return "", err
			}
			continue
		}
		update.Entity, update.Fields = e, s.Fields
		if err := assertUpdate(tx, update, repeated, now); err != nil {
			return "", err
		}
	}
	if r.Entity == 0 {
		return "", nil
	}
	self, err := tx.TruthEntityByRow(r.Entity)
	if err != nil || len(said) == 0 {
		return self.ID, err
	}
	update.Entity, update.Fields = self, said
	return self.ID, assertUpdate(tx, update, repeated, now)
}

func assertUpdate(tx *store.Tx, c claim, repeated bool, now int64) error {
	if repeated {
		a, err := openAccount(tx, c.Entity)
		if err != nil {
			return err
		}
		if changes, err := a.wouldChange(c); err != nil || !changes {
			return err
		}
	}
	_, err := assert(tx, c, now)
	return err
}

func (u updated) hints(given object) *tools.Hints {
	h := tools.NewHints(tools.Written()).Because("the record was updated").Impact(0.4, 0.1)
	if u.self != "" {
		h.Because("the record was updated; what was set stands in its entity with priority 100").
			Next(snapshotName, tools.Middle, map[string]any{"entity_id": u.self}, "see the entity with the update").
			Relate("entity", u.self, u.record.Type, 0.8)
	}
	var nulls []string
	for name, value := range given {
		if value == nil {
			nulls = append(nulls, name)
		}
	}
	if len(nulls) > 0 {
		slices.Sort(nulls)
		h.Warn("validation", tools.Low, "null says nothing; unchanged: "+strings.Join(nulls, ", "), "set an empty value instead")
	}
	if u.retyped {
		h.Warn("conflict", tools.Low, "the record answers to another type now; its entity stays what it was", "store the document anew if it is another kind of thing")
	}
	return h
}
