package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"toolkit/store/internal/query"
)

const (
	// wordBatch is how many rows' words are indexed or removed at first, and
	// wordTime how long that should take; more or fewer follow.
	wordBatch = 1000
	wordTime  = 50 * time.Millisecond
	// wordHold is how long words wait for their rows before they count as
	// abandoned: far longer than the last transaction takes.
	wordHold = 10 * time.Minute
)

// StagedGraph is the graph with its charts.
var StagedGraph = Staged{
	tables: []stagedTable{
		{name: "entities", key: "id"},
		{name: "observations", key: "id", refers: map[string]string{"entity_id": "entities"}},
		{name: "relations", key: "id", refers: map[string]string{"from_id": "entities", "to_id": "entities"}, onTwice: "ON CONFLICT(from_id, to_id, type) DO NOTHING"},
		{name: "charts", key: "entity_id", refers: map[string]string{"entity_id": "entities", "parent_step_id": "entities"}},
		{name: "steps", key: "entity_id", refers: map[string]string{"entity_id": "entities", "chart_id": "entities"}},
		{name: "beats", key: "entity_id", refers: map[string]string{"entity_id": "entities", "chart_id": "entities", "parent_beat_id": "entities"}},
		{name: "foreign_lines", key: "id"},
	},
	ahead: (*stage).moveWordsAhead,
	move:  (*stage).moveGraph,
}

func (s *stage) moveWordsAhead(ctx context.Context, conn *sql.Conn) error {
	if err := s.db.writeOn(ctx, conn, s.reserve); err != nil {
		return err
	}
	return s.moveWords(ctx, conn)
}

// reserve takes the ids of new rows, so that nobody else is given them.
func (s *stage) reserve(tx *Tx) error {
	for _, t := range s.tables {
		if t.refers[t.key] != "" {
			continue
		}
		if err := s.number(tx, t); err != nil {
			return err
		}
		if err := tx.sql().KeepNumbers(t.name, s.made[t.name]+s.shift[t.name]); err != nil {
			return err
		}
	}
	var err error
	e, o := s.shift["entities"], s.shift["observations"]
	s.hold, err = tx.sql().Insert(`INSERT INTO main.staged_words(first_entity, last_entity, first_observation, last_observation, held_until) VALUES(?, ?, ?, ?, ?)`,
		s.last["entities"]+e+1, s.made["entities"]+e, s.last["observations"]+o+1, s.made["observations"]+o, tx.sql().Now()+wordHold.Milliseconds())
	return err
}

func (s *stage) holdUntil(tx *Tx, at int64) error {
	return tx.sql().Exec(`UPDATE main.staged_words SET held_until = ? WHERE id = ?`, at, s.hold)
}

// moveWords indexes the words of rows that nobody sees yet.
func (s *stage) moveWords(ctx context.Context, conn *sql.Conn) error {
	for _, words := range []struct{ rows, insert string }{
		{"entities", `INSERT INTO main.entity_words(rowid, name, type, title, body) SELECT id + ?1, name, type, title, body FROM staged.entities WHERE id > ?2 AND id <= ?3`},
		{"observations", `INSERT INTO main.observation_words(rowid, content) SELECT id + ?1, content FROM staged.observations WHERE id > ?2 AND id <= ?3`},
	} {
		size := int64(wordBatch)
		for from := s.last[words.rows]; from < s.made[words.rows]; {
			begun := time.Now()
			err := s.db.writeOn(ctx, conn, func(tx *Tx) error {
				if err := tx.sql().Exec(words.insert, s.shift[words.rows], from, from+size); err != nil {
					return err
				}
				return s.holdUntil(tx, tx.sql().Now()+wordHold.Milliseconds())
			})
			if err != nil {
				return err
			}
			from += size
			took := time.Since(begun)
			if took > wordTime {
				size = max(size/2, 1)
			} else if took < wordTime/2 {
				size *= 2
			}
			if err := letOthersWrite(ctx, took); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropAbandonedWords removes the words of staged writes that ended before their
// rows came.
func (db *DB) dropAbandonedWords(ctx context.Context) error {
	for left := int64(1); left > 0; {
		err := db.Write(ctx, func(tx *Tx) (err error) {
			left, err = dropSomeWords(tx.sql())
			return err
		})
		if err != nil || left == 0 {
			return err
		}
		if err := letOthersWrite(ctx, 0); err != nil {
			return err
		}
	}
	return nil
}

func dropSomeWords(tx *query.Tx) (left int64, err error) {
	const abandoned = `(SELECT * FROM staged_words WHERE held_until < ?1 ORDER BY id LIMIT 1)`
	for _, words := range []string{"entity", "observation"} {
		n, err := tx.Change(`DELETE FROM `+words+`_words WHERE rowid IN (SELECT d.id FROM `+words+`_words_docsize d
			JOIN `+abandoned+` s ON d.id BETWEEN s.first_`+words+` AND s.last_`+words+` LIMIT ?2)`, tx.Now(), wordBatch)
		if err != nil || n > 0 {
			return n, err
		}
	}
	return tx.Change(`DELETE FROM staged_words WHERE id IN (SELECT id FROM `+abandoned+`)`, tx.Now())
}

func (s *stage) moveGraph(tx *Tx) error {
	// Rows that another write has changed as well are not overwritten.
	var collides bool
	err := tx.sql().Row(`SELECT EXISTS (SELECT 1 FROM staged.entity_changes s JOIN main.entity_changes m ON m.entity_id = s.entity_id WHERE s.entity_id <= ?1 AND m.seq > ?2)`,
		s.last["entities"], s.changes).Scan(&collides)
	if err != nil {
		return err
	}
	if collides {
		return errCollision
	}
	return tx.sql().ExecAll(s.moves())
}

// moves are the statements that move new rows, and what changed of rows that
// were there.
func (s *stage) moves() []string {
	var list []string
	for _, t := range s.tables {
		list = append(list, s.additions(t))
	}
	old, columns := s.last["entities"], quoteNames(s.catalog["entities"].Columns)
	return append(list,
		fmt.Sprintf(`UPDATE main.entities SET (%[1]s) = (SELECT %[1]s FROM staged.entities s WHERE s.id = entities.id) WHERE id IN (SELECT entity_id FROM staged.entity_changes WHERE entity_id <= %[2]d)`, columns, old),
		fmt.Sprintf(`UPDATE main.charts SET next_step = max(charts.next_step, s.next_step), next_beat = max(charts.next_beat, s.next_beat) FROM staged.charts s
			WHERE s.entity_id = charts.entity_id AND s.entity_id <= %d AND (s.next_step > charts.next_step OR s.next_beat > charts.next_beat)`, old),
		fmt.Sprintf(`UPDATE main.beats SET next_sub = s.next_sub FROM staged.beats s WHERE s.entity_id = beats.entity_id AND s.entity_id <= %d AND s.next_sub > beats.next_sub`, old),
		fmt.Sprintf(`UPDATE main.relations SET (metadata, extra, stated) = (s.metadata, s.extra, s.stated) FROM staged.relations s
			WHERE s.id = relations.id AND s.id <= %d AND (s.metadata IS NOT relations.metadata OR s.extra IS NOT relations.extra)`, s.last["relations"]),
		fmt.Sprintf(`DELETE FROM main.foreign_lines WHERE id <= %d AND id NOT IN (SELECT id FROM staged.foreign_lines)`, s.last["foreign_lines"]),
		fmt.Sprintf(`DELETE FROM main.staged_words WHERE id = %d`, s.hold),
		`INSERT OR REPLACE INTO main.entity_changes(entity_id) SELECT `+s.moved("entity_id", "entities")+` FROM staged.entity_changes ORDER BY seq`)
}
