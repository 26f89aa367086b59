package memory

import (
	"encoding/json"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Dialogue is a row of L0: something said, as it was said.
type Dialogue struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"session"`
	Speaker   string          `json:"speaker"`
	Content   string          `json:"content"`
	Metadata  json.RawMessage `json:"-"`  // object, or nil
	At        time.Time       `json:"at"` // when it was said
	Tags      []string        `json:"-"`  // on insertion only: the tags its metadata names
}

// Row is the dialogue as a searchable row.
func (d Dialogue) Row() Row {
	return Row{Source: SourceDialogue, ID: d.ID, Content: d.Content, At: d.At, SessionID: d.SessionID, Speaker: d.Speaker, Metadata: d.Metadata}
}

// InsertDialogue adds a row and returns its id.
func (tx Rows) InsertDialogue(d Dialogue) (int64, error) {
	id, err := tx.sql.Insert(`INSERT INTO l0_raw(session_id, speaker, content, metadata, occurred_at, created_at) VALUES(?, ?, ?, ?, ?, ?)`,
		d.SessionID, d.Speaker, d.Content, query.NullIfEmpty(d.Metadata), millis(d.At), tx.sql.Now())
	if err != nil {
		return 0, err
	}
	if len(d.Tags) > 0 {
		if err := tx.sql.Exec(`INSERT OR IGNORE INTO l0_tags(tag, l0_id) SELECT value, ?1 FROM json_each(?2)`, id, query.List(d.Tags)); err != nil {
			return 0, err
		}
	}
	tx.sql.Touch(store.TopicDialogue)
	return id, nil
}

// ReplaceDialogue writes a row anew, by its ID. Search must index it again.
func (tx Rows) ReplaceDialogue(d Dialogue) error {
	tx.sql.Touch(store.TopicDialogue)
	if err := tx.deleteFromIndex(SourceDialogue, query.List([]int64{d.ID})); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE l0_raw SET session_id = ?, speaker = ?, content = ?, metadata = ?, occurred_at = ? WHERE id = ?`,
		d.SessionID, d.Speaker, d.Content, query.NullIfEmpty(d.Metadata), millis(d.At), d.ID)
}

// DialogueFilter chooses rows of L0; zero fields do not restrict.
type DialogueFilter struct {
	SessionID string
	Speaker   string
	From      time.Time // inclusive
	To        time.Time // exclusive
	Oldest    bool      // oldest first; else newest first
	Limit     int
	Offset    int
}

const dialogueColumns = `SELECT id, session_id, speaker, content, coalesce(metadata, ''), occurred_at FROM l0_raw `

// Dialogues returns the rows of a filter in the order of what happened.
func (tx Rows) Dialogues(f DialogueFilter) ([]Dialogue, error) {
	var a queryArguments
	where, speaker := `WHERE occurred_at >= `+a.add(lowerBound(f.From))+` AND occurred_at < `+a.add(upperBound(f.To)), `speaker`
	if f.SessionID != "" {
		where += ` AND session_id = ` + a.add(f.SessionID)
		speaker = `+speaker` // of the two indexes, that of sessions: one holds few turns, a speaker many
	}
	if f.Speaker != "" {
		where += ` AND ` + speaker + ` = ` + a.add(f.Speaker)
	}
	order := ` ORDER BY occurred_at DESC, id DESC LIMIT `
	if f.Oldest {
		order = ` ORDER BY occurred_at, id LIMIT `
	}
	return query.Select(tx.sql, (*Dialogue).fields, dialogueColumns+where+order+a.add(f.Limit)+` OFFSET `+a.add(f.Offset), a.values...)
}

// TurnsBefore counts the turns of a session before one of them; 0 when it is not
// of the session.
func (tx Rows) TurnsBefore(session string, id int64) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM l0_raw t CROSS JOIN l0_raw d
		WHERE t.id = ?2 AND t.session_id = ?1 AND d.session_id = ?1 AND (d.occurred_at, d.id) < (t.occurred_at, t.id)`, session, id)
}

// CountTurns counts the turns of a session.
func (tx Rows) CountTurns(session string) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM l0_raw WHERE session_id = ?`, session)
}

// DialoguesByID returns the rows that exist among ids, in their order.
func (tx Rows) DialoguesByID(ids []int64) ([]Dialogue, error) {
	return query.Select(tx.sql, (*Dialogue).fields, `SELECT d.id, d.session_id, d.speaker, d.content, coalesce(d.metadata, ''), d.occurred_at
		FROM json_each(?) j JOIN l0_raw d ON d.id = j.value ORDER BY j.key`, query.List(ids))
}

// DialoguesOfSession returns the rows of a session and of its subagents, whose sessions are named behind a
// slash, in the order in which they were stored: those behind an id, at most limit.
func (tx Rows) DialoguesOfSession(session string, after int64, limit int) ([]Dialogue, error) {
	return query.Select(tx.sql, (*Dialogue).fields, dialogueColumns+`WHERE (session_id = ?1 OR session_id > ?1 || '/' AND session_id < ?1 || '0') AND id > ?2 ORDER BY id LIMIT ?3`, session, after, limit)
}

func (d *Dialogue) fields() []any {
	return []any{&d.ID, &d.SessionID, &d.Speaker, &d.Content, query.FromJSON(&d.Metadata), query.Millis(&d.At)}
}

// MissingDialogue returns which ids no row of L0 has.
func (tx Rows) MissingDialogue(ids []int64) ([]int64, error) {
	return tx.findMissing(`SELECT d.id FROM json_each(?) j JOIN l0_raw d ON d.id = j.value`, ids)
}

// SessionTexts returns the newest texts of the sessions that the given rows
// belong to, at most limit of them, each cut after maxRunes characters.
func (tx Rows) SessionTexts(ids []int64, limit, maxRunes int) ([]string, error) {
	return tx.sql.Texts(`SELECT substr(d.content, 1, ?3) FROM l0_raw d
		WHERE d.session_id IN (SELECT DISTINCT s.session_id FROM json_each(?1) j JOIN l0_raw s ON s.id = j.value)
		ORDER BY d.id DESC LIMIT ?2`, query.List(ids), limit, maxRunes)
}

// Sessions returns session ids that start with prefix, in alphabetical order.
func (tx Rows) Sessions(prefix string, limit int) ([]string, error) {
	return tx.listValuesWithPrefix("session_id", prefix, limit)
}

// Speakers returns speakers that start with prefix, in alphabetical order.
func (tx Rows) Speakers(prefix string, limit int) ([]string, error) {
	return tx.listValuesWithPrefix("speaker", prefix, limit)
}

// listValuesWithPrefix goes from one value of a column to the next in the index.
func (tx Rows) listValuesWithPrefix(column, prefix string, limit int) ([]string, error) {
	return tx.sql.Texts(`WITH RECURSIVE found(name, n) AS (
			SELECT min(`+column+`), 1 FROM l0_raw WHERE `+column+` >= ?1
			UNION ALL
			SELECT (SELECT min(`+column+`) FROM l0_raw WHERE `+column+` > found.name), n + 1 FROM found WHERE found.name IS NOT NULL AND n < ?2)
		SELECT name FROM found WHERE substr(name, 1, length(?1)) = ?1`, prefix, limit)
}

// lowerBound and highest are the bounds of a half-open interval of time; the zero
// time leaves an end open.
func lowerBound(t time.Time) int64 {
	if t.IsZero() {
		return -1 << 62
	}
	return millis(t)
}

func upperBound(t time.Time) int64 {
	if t.IsZero() {
		return 1 << 62
	}
	return millis(t)
}
