package entities

import (
	"strings"

	"toolkit/tools"
)

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

// dialect is the envelope of payloads; an unknown relationship type, which the
// schema finds, has a code of its own.
func dialect(e *tools.Error, call tools.Call) tools.ErrorText {
	if e.Field == "relationship_type" && call.Tool == relateName && strings.HasPrefix(e.Rule, "enum ") {
		own := *e
		own.Code = codeRelationshipType
		e = &own
	}
	return tools.PayloadDialect(e, call)
}

// notBlank refuses a text of white space only. The empty text is the schema's: it
// stands where a field was left out.
func notBlank(field, text string) error {
	if text == "" || !tools.IsBlank(text) {
		return nil
	}
	return isBlank(field)
}

func isBlank(field string) error {
	return tools.Invalid(tools.CodeInvalid, field, "not blank", "%s must not be blank", field)
}

// parseTimeField reads the time of a field; absent is what counts when it was left out.
func parseTimeField(field, text string, absent int64) (int64, error) {
	if text == "" {
		return absent, nil
	}
	return tools.ParseTimeField(field, text)
}

func entityNotFound(field string) *tools.Error {
	return tools.Refused(codeEntityNotFound, field, "existing entity", "%s names no entity that anything is known of; find_entities looks entities up by name or fields", field).
		With("reason", "unknown").
		WithHints(tools.RefusalHints().Because("ids come from submit_payload and find_entities").Next(findName, tools.PriorityHigh, nil, "look the entity up by type, name, text or fields"))
}

func recordNotFound() *tools.Error {
	return tools.Refused(codeRecordNotFound, "id", "existing record", "id names no record, or the record was deleted; retrieve_records lists records").
		WithHints(tools.RefusalHints().Because("no record has this id").Next(retrieveName, tools.PriorityHigh, nil, "find the record by type, properties or words"))
}
