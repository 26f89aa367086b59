package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

const storeName = "store_record"

// legacy is how the operations on records are announced to end: the source
// document replaces them by payloads and entities.
func legacy(replacement string) *tools.Deprecation {
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

func showRecord(r records.Record) recordOutput {
	return recordOutput{showFields(r), tools.Timestamp(r.CreatedAt), tools.Timestamp(r.UpdatedAt)}
}

func (f *family) storeRecordTool() tools.Tool[storeInput, recordOutput] {
	return tools.Tool[storeInput, recordOutput]{
		Name:  storeName,
		Title: "Store a record",
		Description: "Deprecated, use submit_payload. Store a record of any type with its properties; each call makes a new record and an entity of what it says. " +
			"Returns the record with its id. Example: a contact with a name and emails.",
		Permissions: []tools.Permission{mayCreateRecords}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: version,
		Tags: []string{"records", "legacy"}, RateLimit: &tools.RateLimit{MaxCalls: 100, Window: time.Minute}, Deprecated: legacy(submitName),
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
	if err := cmp.Or(notBlank("type", in.Type), checkEmbedding("embedding", in.Embedding)); err != nil {
		return tools.Result[recordOutput]{}, err
	}
	properties, err := decodeObject(in.Properties)
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	now := f.now()
	d := recordDocument(records.Record{
		ID: uuid.NewString(), Type: in.Type, Properties: in.Properties, FileURLs: tools.OrEmpty(in.FileURLs), Embedding: encodeEmbedding(in.Embedding), CreatedAt: now, UpdatedAt: now,
	}, properties)
	overruled, err := write(ctx, f, codeInsertFailed, func(tx *store.Tx) ([]string, error) {
		_, overruled, err := f.ingest(tx, d, now)
		return overruled, err
	})
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).Because("the record and its entity are stored")
	if len(d.Statements) > 0 {
		h.Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": d.Statements[0].EntityID}, "see what is now known of the entity")
	}
	h.Next(updateName, tools.PriorityLow, map[string]any{"id": d.Record.ID}, "add or change properties")
	addFieldWarnings(h, checkBody(capabilityOf(entityTypeOf(in.Type, properties)), d.statedFacts()))
	addConflictWarnings(h, distinctLines(overruled))
	return tools.Result[recordOutput]{Data: showRecord(d.Record), Hints: h}, nil
}

// recordDocument is a record as a source of observations. A record that says
// nothing is only a record.
func recordDocument(r records.Record, properties object) document {
	d := document{source: documentSource(r.ID, fromRecord, r.CreatedAt), Record: r, Properties: properties}
	if facts := dropNulls(properties); len(facts) > 0 {
		d.Statements = compile(capabilityOf(entityTypeOf(r.Type, properties)), facts, r.ID)
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
