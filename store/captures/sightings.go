package captures

import (
	"encoding/json"
	"time"

	"toolkit/store/internal/query"
)

// Sighting is a clause of captured dialogue that may become an insight. Its keys
// are hashes; Value and Replaces may be nil.
type Sighting struct {
	Dialogue                        int64
	Thing, Subject, Value, Replaces []byte
	Explicit                        bool
	Session                         string
	At                              time.Time
	Candidate                       json.RawMessage
}

// ReplaceSightings puts what was found in a row of dialogue in the place of what
// was found there before, and returns the things of that.
func (tx Rows) ReplaceSightings(dialogue int64, list []Sighting) (before [][]byte, err error) {
	if before, err = tx.things(`SELECT DISTINCT thing FROM capture_sightings WHERE l0_id = ?`, dialogue); err != nil {
		return nil, err
	}
	if len(before) > 0 {
		if err := tx.sql.Exec(`DELETE FROM capture_sightings WHERE l0_id = ?`, dialogue); err != nil {
			return nil, err
		}
	}
	for _, s := range list {
		err := tx.sql.Exec(`INSERT INTO capture_sightings(l0_id, thing, subject, value, replaces, explicit, session, said_at, candidate) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			dialogue, s.Thing, s.Subject, s.Value, s.Replaces, s.Explicit, s.Session, millis(s.At), string(s.Candidate))
		if err != nil {
			return nil, err
		}
	}
	return before, nil
}

// mostRelated is how many sightings of a key are looked at, the latest ones: what
// was superseded before them has been settled.
const mostRelated = 50

// ThingsNear returns the things last said of a key, or that were last said to be
// replaced by it; withValues also those of which it was last said.
func (tx Rows) ThingsNear(key []byte, withValues bool) ([][]byte, error) {
	statement := `SELECT thing FROM (SELECT thing FROM capture_sightings WHERE subject = ?1 ORDER BY said_at DESC LIMIT ?2)
		UNION SELECT thing FROM (SELECT thing FROM capture_sightings WHERE replaces = ?1 ORDER BY said_at DESC LIMIT ?2)`
	if withValues {
		statement += ` UNION SELECT thing FROM (SELECT thing FROM capture_sightings WHERE value = ?1 ORDER BY said_at DESC LIMIT ?2)`
	}
	return tx.things(statement, key, mostRelated)
}

func (tx Rows) things(statement string, args ...any) ([][]byte, error) {
	return query.All(tx.sql, query.Column[[]byte], statement, args...)
}

// Decisive returns the sightings of a thing on which it depends what becomes of
// it, however often it was said: the first explicit one, the first and the last,
// and such of other sessions than the first.
func (tx Rows) Decisive(thing []byte) ([]Sighting, error) {
	return query.All(tx.sql, func(scan query.Scan) (s Sighting, err error) {
		var at int64
		var candidate string
		err = scan(&s.Dialogue, &s.Thing, &s.Subject, &s.Value, &s.Replaces, &s.Explicit, &s.Session, &at, &candidate)
		s.At, s.Candidate = instant(at), json.RawMessage(candidate)
		return s, err
	}, `WITH of AS NOT MATERIALIZED (SELECT * FROM capture_sightings WHERE thing = ?1),
			first AS MATERIALIZED (SELECT session FROM of ORDER BY said_at, session, l0_id LIMIT 1)
		SELECT l0_id, thing, subject, value, replaces, explicit, session, said_at, candidate FROM capture_sightings WHERE id IN (
			SELECT id FROM (SELECT id FROM of ORDER BY explicit DESC, said_at, session, l0_id LIMIT 1)
			UNION SELECT id FROM (SELECT id FROM of ORDER BY said_at, session, l0_id LIMIT 1)
			UNION SELECT id FROM (SELECT id FROM of ORDER BY said_at DESC, session DESC, l0_id DESC LIMIT 1)
			UNION SELECT id FROM (SELECT id FROM of WHERE session < (SELECT session FROM first) ORDER BY session LIMIT 1)
			UNION SELECT id FROM (SELECT id FROM of WHERE session > (SELECT session FROM first) ORDER BY session LIMIT 1))`, thing)
}

// InsightOf returns the insight that a thing became last; 0 and known when that
// was forgotten.
func (tx Rows) InsightOf(thing []byte) (id int64, known bool, err error) {
	known, err = query.Found(tx.sql.Row(`SELECT coalesce(insight, 0) FROM capture_things WHERE thing = ?`, thing).Scan(&id))
	return id, known, err
}

// NoteInsight notes which insight a thing became.
func (tx Rows) NoteInsight(thing []byte, insight int64) error {
	return tx.sql.Exec(`INSERT INTO capture_things(thing, insight) VALUES(?, ?) ON CONFLICT(thing) DO UPDATE SET insight = excluded.insight`, thing, insight)
}

// Later is what became of what was learned from a row of dialogue.
type Later struct {
	Content string // of the insight that stands in its place; "" when it was deleted
	Reason  string // why it was deleted
}

// Replaced returns what now stands in the place of insights from rows of dialogue where
// that does not come from the same row, and of which insights were deleted.
func (tx Rows) Replaced(dialogue []int64) (map[int64]Later, error) {
	later := map[int64]Later{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var now Later
		err := scan(&id, &now.Content, &now.Reason)
		later[id] = now
		return err
	}, `WITH learned(said, insight) AS (
			SELECT s.l0_id, t.insight FROM json_each(?1) j CROSS JOIN capture_sightings s ON s.l0_id = j.value CROSS JOIN capture_things t ON t.thing = s.thing
			UNION SELECT s.l0_id, s.insight_id FROM json_each(?1) j CROSS JOIN l2_sources s ON s.l0_id = j.value)
		SELECT l.said, iif(n.deleted_at IS NULL, n.content, ''), n.reason FROM learned l CROSS JOIN l2_insights i ON i.id = l.insight AND (i.superseded_by IS NOT NULL OR i.deleted_at IS NOT NULL)
			CROSS JOIN l2_insights n ON n.root_id = i.root_id AND n.superseded_by IS NULL
		WHERE n.deleted_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM json_each(n.source_ids) WHERE CAST(value AS BIGINT) = l.said) ORDER BY n.deleted_at IS NULL, n.id`, query.List(dialogue))
	return later, err
}
