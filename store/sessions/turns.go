package sessions

import (
	"time"

	"toolkit/store/internal/query"
)

// Turn is what the user said in a project.
type Turn struct {
	ID   int64 // of its dialogue row
	At   time.Time
	Text string
}

const (
	// maxScannedTurns is how many of the newest turns are looked at for those of a project.
	maxScannedTurns = 4000
	// maxTurnLength is the length in bytes from which a turn was mostly pasted.
	maxTurnLength = 600
)

// ListTurns returns up to limit turns that the user said in a project, the newest first,
// but for those of the session now running, long ones and those of which an insight was
// made.
func (tx Rows) ListTurns(project int64, running string, limit int) ([]Turn, error) {
	return query.Select(tx.sql, func(t *Turn) []any { return []any{&t.ID, query.Millis(&t.At), &t.Text} }, `SELECT d.id, d.occurred_at, d.content FROM (SELECT id, session_id, speaker, content, occurred_at FROM l0_raw ORDER BY id DESC LIMIT ?4) d
		JOIN capture_sessions c ON c.session_id = d.session_id LEFT JOIN capture_turns m ON m.l0_id = d.id
		WHERE d.speaker = 'user' AND `+inProject+` = ?1 AND d.session_id <> ?2 AND length(d.content) <= ?5
			AND NOT EXISTS (SELECT 1 FROM l2_sources s WHERE s.l0_id = d.id)
		ORDER BY d.id DESC LIMIT ?3`, project, running, limit, maxScannedTurns, maxTurnLength)
}
