// Package entities is the family of the payload store: documents go in as
// payloads, what they say comes out as entities.
//
// Three layers hold the truth. A payload is an envelope as an agent submitted
// it; it never changes, and the same content is stored once. Compiling it gives
// observations: what this document said about an entity, and when. Reducing all
// observations of an entity gives its snapshot, in which every field knows the
// observation it comes from. Snapshots are kept up with every write and can be
// computed again at any time (Rebuild), also for a moment in the past.
//
// The pure parts come first: canonical.go and identity.go make ids and texts, capability.go makes
// statements of a body, state.go says which observation wins. observe.go adds observations
// inside a transaction, rebuild.go makes snapshots anew, ingest.go stores documents.
// vector_search.go finds records by meaning and keeps their vectors. Then each
// tool, or small group of tools, has its file.
// Files come in through file_upload.go, are read by file_read.go and handed out
// by file_url.go; files.go holds what these share.
package entities

import (
	"context"
	"encoding/json"
	"strings"

	reflector "github.com/invopop/jsonschema"

	"toolkit/store"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "payloads"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store *store.DB
	// Vectors finds records by meaning; nil: by words only.
	Vectors Vectors
	// Files says where files come from and how they are handed out.
	Files Files
}

// Permissions of the family.
const (
	mayCreatePayloads      tools.Permission = "payloads:create"
	mayCreateRecords       tools.Permission = "records:create"
	mayReadRecords         tools.Permission = "records:read"
	mayUpdateRecords       tools.Permission = "records:update"
	mayDeleteRecords       tools.Permission = "records:delete"
	mayReadEntities        tools.Permission = "entities:read"
	mayUpdateEntities      tools.Permission = "entities:update"
	mayCreateRelationships tools.Permission = "relationships:create"
	mayReadRelationships   tools.Permission = "relationships:read"
	mayCreateFiles         tools.Permission = "files:create"
	mayReadFiles           tools.Permission = "files:read"
)

// version of all tools of the family.
const version = "1.0.0"

// family is the receiver of the handlers.
type family struct{ Deps }

// New returns the family with its tools. It does not touch the store before the
// first call.
func New(d Deps) tools.Family {
	f := &family{d}
	return tools.Family{
		Name:    Name,
		System:  "documents",
		Subject: "documents and entities whose every field can be traced",
		Dialect: formatError,
		Tools: []*tools.Definition{
			tools.Define(f.submitTool()),
			tools.Define(f.storeRecordTool()),
			tools.Define(f.updateRecordTool()),
			tools.Define(f.retrieveRecordsTool()),
			tools.Define(f.deleteRecordTool()),
			tools.Define(f.snapshotTool()),
			tools.Define(f.observationsTool()),
			tools.Define(f.provenanceTool()),
			tools.Define(f.relateTool()),
			tools.Define(f.relationshipsTool()),
			tools.Define(f.findTool()),
			tools.Define(f.mergeTool()),
			tools.Define(f.unmergeTool()),
			tools.Define(f.splitTool()),
			tools.Define(f.correctTool()),
			tools.Define(f.withdrawTool()),
			tools.Define(f.timelineTool()),
			tools.Define(f.uploadTool()),
			tools.Define(f.fileURLTool()),
		},
	}
}

// runWrite runs do in the one transaction of a call; a failure of the machine gets
// the given code.
func runWrite[T any](ctx context.Context, f *family, code string, do func(*store.Tx) (T, error)) (result T, err error) {
	result, err = store.WriteValue(ctx, f.Store, do)
	return result, tools.WrapFailure(ctx, code, err)
}

// runRead runs do on one snapshot of the database.
func runRead[T any](ctx context.Context, f *family, code string, do func(*store.Tx) (T, error)) (result T, err error) {
	result, err = store.ReadValue(ctx, f.Store, do)
	return result, tools.WrapFailure(ctx, code, err)
}

// nowMillis is the moment of the store's clock in unix milliseconds.
func (f *family) nowMillis() int64 { return f.Store.Now().UnixMilli() }

// jsonValue is a value of any JSON type. It keeps numbers exact.
type jsonValue struct{ json.RawMessage }

// JSONSchema describes a value of any type but null: a bare true would be valid
// JSON Schema, but some clients break on it.
func (jsonValue) JSONSchema() *reflector.Schema {
	return &reflector.Schema{
		Description: "any value but null", Items: &reflector.Schema{Description: "any value"},
		Extras: map[string]any{"type": []string{"string", "number", "boolean", "object", "array"}},
	}
}

// entityIDValue is the id of an entity, checked by its form before a handler
// runs.
type entityIDValue string

// JSONSchema describes the id.
func (entityIDValue) JSONSchema() *reflector.Schema {
	return &reflector.Schema{Type: "string", Pattern: `^ent_[A-Za-z0-9_-]+$`, Description: "Entity id, such as ent_af939bedafbd1838b259772a"}
}

// Error codes of the source document that the family reports. Messages and
// details name fields, never values.
const (
	codeUnknownCapability = "UNKNOWN_CAPABILITY"
	codeRecordNotFound    = "RECORD_NOT_FOUND"
	codeEntityNotFound    = "ENTITY_NOT_FOUND"
	codeFieldNotFound     = "FIELD_NOT_FOUND"
	codeRelationshipType  = "INVALID_RELATIONSHIP_TYPE"
	codeCycle             = "CYCLE_DETECTED"
	codeInsertFailed      = "DB_INSERT_FAILED"
	codeUpdateFailed      = "DB_UPDATE_FAILED"
	codeDeleteFailed      = "DB_DELETE_FAILED"
	codeQueryFailed       = "DB_QUERY_FAILED"
	codeSearchFailed      = "SEARCH_FAILED"
)

// formatError returns the envelope of payloads; an unknown relationship type, which the
// schema finds, has a code of its own.
func formatError(e *tools.Error, call tools.Call) tools.ErrorText {
	if e.Field == "relationship_type" && call.Tool == relateName && strings.HasPrefix(e.Rule, "enum ") {
		own := *e
		own.Code = codeRelationshipType
		e = &own
	}
	return tools.FormatPayloadError(e, call)
}

// checkNotBlank refuses a text of white space only. The empty text is the schema's: it
// stands where a field was left out.
func checkNotBlank(field, text string) error {
	if text == "" || !tools.IsBlank(text) {
		return nil
	}
	return blankFieldError(field)
}

func blankFieldError(field string) error {
	return tools.Invalid(tools.CodeInvalid, field, "not blank", "%s must not be blank", field)
}

// parseTimeField reads the time of a field; absent is what counts when it was left out.
func parseTimeField(field, text string, absent int64) (int64, error) {
	if text == "" {
		return absent, nil
	}
	return tools.ParseTimeField(field, text)
}

func entityNotFoundError(field string) *tools.Error {
	return tools.Refused(codeEntityNotFound, field, "existing entity", "%s names no entity that anything is known of; find_entities looks entities up by name or fields", field).
		WithDetail("reason", "unknown").
		WithHints(tools.NewRefusalHints().Because("ids come from submit_payload and find_entities").SuggestCall(findName, tools.PriorityHigh, nil, "look the entity up by type, name, text or fields"))
}

func recordNotFoundError() *tools.Error {
	return tools.Refused(codeRecordNotFound, "id", "existing record", "id names no record, or the record was deleted; retrieve_records lists records").
		WithHints(tools.NewRefusalHints().Because("no record has this id").SuggestCall(retrieveName, tools.PriorityHigh, nil, "find the record by type, properties or words"))
}
