package entities

import (
	"strings"

	"toolkit/store/entities"
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

// subject is an entity with what is known of it.
type subject struct {
	entities.Entity                   // the one that holds the observations
	Snapshot        entities.Snapshot // of it
	Asked           entities.Entity   // the one that was asked for
}

// resolve finds the entity of an id, following merges. Of an entity whose
// documents were deleted nothing is known.
func resolve(tx entities.Rows, id entityIDValue, field string) (subject, error) {
	e, known, err := tx.ByID(string(id))
	if err != nil {
		return subject{}, err
	}
	if !known {
		return subject{}, entityNotFound(field)
	}
	s := subject{Entity: e, Asked: e}
	if e.Root != e.Seq {
		if s.Entity, err = tx.ByRow(e.Root); err != nil {
			return s, err
		}
	}
	if s.Snapshot, known, err = tx.SnapshotOf(e.Root); err == nil && !known {
		err = entityNotFound(field).With("reason", "nothing is observed of it any more")
	}
	return s, err
}

// redirected warns that another entity answers than was asked for.
func (s subject) redirected(h *tools.Hints) {
	if s.Asked.ID != s.ID {
		h.Warn("conflict", tools.PriorityLow, "the entity that was asked for was merged into "+s.ID, "use "+s.ID+", or "+unmergeName+" to part them")
	}
}
