package records

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Payload is an envelope as it was submitted. Times are unix milliseconds.
type Payload struct {
	ID               string // UUID, also the id of the record that shows it
	ContentID        string
	SubmissionID     string
	Capability       string
	Body             json.RawMessage
	SourceRefs       []string
	ExtractedAt      int64
	ExtractorVersion string
	AgentID          string
	ClientRequestID  string
	CreatedAt        int64
}

// InsertPayload stores a payload unless one of the same content id is there.
// It returns the payload that stands, and whether it is the new one.
func (tx Rows) InsertPayload(p Payload) (Payload, bool, error) {
	n, err := tx.sql.Change(`INSERT INTO payloads(id, content_id, submission_id, capability, body, source_refs, extracted_at, extractor_version, agent_id, client_request_id, created_at)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(content_id) DO NOTHING`,
		p.ID, p.ContentID, p.SubmissionID, p.Capability, string(p.Body), query.List(p.SourceRefs), p.ExtractedAt, p.ExtractorVersion, p.AgentID, p.ClientRequestID, p.CreatedAt)
	if err != nil {
		return Payload{}, false, err
	}
	if n > 0 {
		tx.sql.Touch(store.TopicPayloads)
		return p, true, nil
	}
	p, _, err = tx.payload(`content_id`, p.ContentID)
	return p, false, err
}

// KnowsSource reports whether an id, of any kind that a payload or record has, is
// known.
func (tx Rows) KnowsSource(id string) (bool, error) {
	return query.Value[bool](tx.sql, `SELECT EXISTS(SELECT 1 FROM payloads WHERE id = ?1 OR content_id = ?1 OR submission_id = ?1) OR EXISTS(SELECT 1 FROM records WHERE id = ?1)`, id)
}

// PayloadByID returns the payload of a record, and false when the record is
// none or does not exist.
func (tx Rows) PayloadByID(id string) (Payload, bool, error) { return tx.payload(`id`, id) }

func (tx Rows) payload(column, value string) (Payload, bool, error) {
	return query.Find(tx.sql, func(p *Payload) []any {
		return []any{&p.ID, &p.ContentID, &p.SubmissionID, &p.Capability, query.FromJSON(&p.Body), query.FromJSON(&p.SourceRefs), &p.ExtractedAt, &p.ExtractorVersion, &p.AgentID, &p.ClientRequestID, &p.CreatedAt}
	}, `SELECT id, content_id, submission_id, capability, body, source_refs, extracted_at, extractor_version, agent_id, client_request_id, created_at
		FROM payloads WHERE `+column+` = ?`, value)
}
