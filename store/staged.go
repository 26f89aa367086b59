package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// stagedAttempts bounds how often a staged write starts again because another
// write collided with it. The last attempt is made under the lock.
const stagedAttempts = 3

const (
	// wordBatch is how many rows' words are indexed or removed at first, and
	// wordTime how long that should take; more or fewer follow.
	wordBatch = 1000
	wordTime  = 50 * time.Millisecond
	// wordHold is how long words wait for their rows before they count as
	// abandoned: far longer than the last transaction takes.
	wordHold = 10 * time.Minute
	// longestPause between two batches, if the machine is slow.
	longestPause = 100 * time.Millisecond
)

// errCollision is a staged write that no longer fits the graph.
var errCollision = errors.New("another write changed what this one was about")

// stagedTables hold the graph. Their first column of ids is the key; the others
// refer to entities.
var stagedTables = []struct {
	name    string
	ids     []string
	onTwice string // what to do with a row that another write made meanwhile
}{
	{name: "entities", ids: []string{"id"}},
	{name: "observations", ids: []string{"id", "entity_id"}},
	{name: "relations", ids: []string{"id", "from_id", "to_id"}, onTwice: "ON CONFLICT(from_id, to_id, type) DO NOTHING"},
	{name: "charts", ids: []string{"entity_id", "parent_step_id"}},
	{name: "steps", ids: []string{"entity_id", "chart_id"}},
	{name: "beats", ids: []string{"entity_id", "chart_id", "parent_beat_id"}},
	{name: "foreign_lines", ids: []string{"id"}},
}

// WriteStaged runs f as [DB.Write] does, for work on the graph that takes long
// and removes no node. f works on a copy of the graph in memory, while others
// write; the lock is held only to move over what f made. f runs again when
// another write collided with it.
func (db *DB) WriteStaged(ctx context.Context, f func(*Tx) error) error {
	for range stagedAttempts {
		err := db.writeStaged(ctx, f)
		if errors.Is(err, ErrFull) { // the graph outgrows the memory that SQLite gives it
			break
		}
		if !errors.Is(err, errCollision) {
			return classify(interrupted(ctx, err))
		}
	}
	return db.Write(ctx, f)
}

func (db *DB) writeStaged(ctx context.Context, f func(*Tx) error) error {
	if err := db.dropAbandonedWords(ctx); err != nil {
		return err
	}
	s, err := db.newStage(ctx)
	if err != nil {
		return err
	}
	defer s.copy.Close() //nolint:errcheck // it is only memory
	if err := s.fill(ctx); err != nil {
		return err
	}
	if err := s.copy.Write(ctx, f); err != nil {
		return err
	}
	return s.move(ctx)
}

// stage is a copy of the graph, on which a write is prepared.
type stage struct {
	db      *DB
	name    string // for SQLite
	copy    *DB
	columns map[string][]string
	last    map[string]int64 // greatest ids before the write, by table
	made    map[string]int64 // greatest ids after it
	shift   map[string]int64 // how far the database gives ids beyond the copy
	changes int64            // last change of the graph before it
	hold    int64            // row of staged_words
	touched []Topic
}

var stages atomic.Int64 // counts them, so that each has a name

// newStage makes an empty database in memory, which ends with its last
// connection.
func (db *DB) newStage(ctx context.Context) (*stage, error) {
	s := &stage{db: db, name: fmt.Sprintf("file:/toolkit-stage-%d?vfs=memdb", stages.Add(1)), columns: map[string][]string{}, last: map[string]int64{}, made: map[string]int64{}, shift: map[string]int64{}}
	pool, err := sql.Open("sqlite", s.name+"&_txlock=immediate&_dqs=0&_pragma=temp_store(2)&_pragma=recursive_triggers(1)&_pragma=foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	s.copy = &DB{now: db.now, writer: pool}
	s.copy.writerStatements.db = pool
	s.copy.OnCommit(func(topics []Topic) { s.touched = topics })
	newest, err := NewestSchema()
	if err == nil {
		err = applyMigrations(ctx, pool, newest)
	}
	if err != nil {
		s.copy.Close() //nolint:errcheck // it is only memory
		return nil, err
	}
	return s, nil
}

// fill copies the graph as of one moment, without the words, which nobody seeks
// here. It takes a connection of its own, without foreign keys, for the copying.
func (s *stage) fill(ctx context.Context) error {
	pool, err := sql.Open("sqlite", plainDSN(s.db.path, false))
	if err != nil {
		return err
	}
	defer pool.Close() //nolint:errcheck // it was only read
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, `ATTACH ? AS staged`, s.name); err != nil {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if err := s.fillIn(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *stage) fillIn(ctx context.Context, tx *sql.Tx) error {
	catalog, err := readCatalog(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range stagedTables {
		i := slices.IndexFunc(catalog, func(c Table) bool { return c.Name == t.name })
		s.columns[t.name] = catalog[i].Columns
		columns := quoteNames(catalog[i].Columns)
		if _, err := tx.ExecContext(ctx, `INSERT INTO staged.`+t.name+`(`+columns+`) SELECT `+columns+` FROM main.`+t.name); err != nil {
			return err
		}
		var last int64
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(`+t.ids[0]+`), 0) FROM main.`+t.name).Scan(&last); err != nil {
			return err
		}
		s.last[t.name] = last
	}
	return tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM main.entity_changes`).Scan(&s.changes)
}

// move writes what was made on the copy to the database: the words in many short
// transactions, then everything else in one.
func (s *stage) move(ctx context.Context) (err error) {
	conn, err := s.db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it goes back to its pool
	if _, err := conn.ExecContext(ctx, `ATTACH ? AS staged`, s.name); err != nil {
		return err
	}
	defer func() {
		if _, bound := conn.ExecContext(context.WithoutCancel(ctx), `DETACH staged`); bound != nil {
			conn.Raw(func(any) error { return driver.ErrBadConn }) //nolint:errcheck // it asks for another connection
		}
	}()
	if err := s.db.writeOn(ctx, conn, s.reserve); err != nil {
		return err
	}
	defer func() {
		if err != nil { // the next staged write removes the words
			s.db.writeOn(context.WithoutCancel(ctx), conn, func(tx *Tx) error { return s.holdUntil(tx, 0) }) //nolint:errcheck // at worst it waits until the hold ends
		}
	}()
	if err := s.moveWords(ctx, conn); err != nil {
		return err
	}
	err = s.db.writeOn(ctx, conn, func(tx *Tx) error {
		tx.touch(s.touched...)
		return s.moveRows(tx)
	})
	if errorCode(err) == sqlite3.SQLITE_CONSTRAINT {
		return errCollision
	}
	return err
}

// reserve takes the ids of new rows, so that nobody else is given them.
func (s *stage) reserve(tx *Tx) error {
	for _, table := range []string{"entities", "observations", "relations", "foreign_lines"} {
		var made, given int64
		err := tx.row(`SELECT (SELECT coalesce(max(id), 0) FROM staged.`+table+`), (SELECT coalesce(max(seq), 0) FROM main.sqlite_sequence WHERE name = ?1)`, table).Scan(&made, &given)
		if err != nil {
			return err
		}
		s.made[table] = max(made, s.last[table])
		s.shift[table] = given - s.last[table]
		if err := tx.exec(`DELETE FROM main.sqlite_sequence WHERE name = ?`, table); err != nil {
			return err
		}
		if err := tx.exec(`INSERT INTO main.sqlite_sequence(name, seq) VALUES(?, ?)`, table, s.made[table]+s.shift[table]); err != nil {
			return err
		}
	}
	var err error
	e, o := s.shift["entities"], s.shift["observations"]
	s.hold, err = tx.insert(`INSERT INTO main.staged_words(first_entity, last_entity, first_observation, last_observation, held_until) VALUES(?, ?, ?, ?, ?)`,
		s.last["entities"]+e+1, s.made["entities"]+e, s.last["observations"]+o+1, s.made["observations"]+o, tx.now()+wordHold.Milliseconds())
	return err
}

func (s *stage) holdUntil(tx *Tx, at int64) error {
	return tx.exec(`UPDATE main.staged_words SET held_until = ? WHERE id = ?`, at, s.hold)
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
				if err := tx.exec(words.insert, s.shift[words.rows], from, from+size); err != nil {
					return err
				}
				return s.holdUntil(tx, tx.now()+wordHold.Milliseconds())
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

// letOthersWrite leaves the lock to those who wait for it, for as long as it was
// held.
func letOthersWrite(ctx context.Context, held time.Duration) error {
	timer := time.NewTimer(max(min(held, longestPause), 5*busyPause))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// dropAbandonedWords removes the words of staged writes that ended before their
// rows came.
func (db *DB) dropAbandonedWords(ctx context.Context) error {
	for left := int64(1); left > 0; {
		err := db.Write(ctx, func(tx *Tx) (err error) {
			left, err = tx.dropSomeWords()
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

func (tx *Tx) dropSomeWords() (left int64, err error) {
	const abandoned = `(SELECT * FROM staged_words WHERE held_until < ?1 ORDER BY id LIMIT 1)`
	for _, words := range []string{"entity", "observation"} {
		r, err := tx.execResult(`DELETE FROM `+words+`_words WHERE rowid IN (SELECT d.id FROM `+words+`_words_docsize d
			JOIN `+abandoned+` s ON d.id BETWEEN s.first_`+words+` AND s.last_`+words+` LIMIT ?2)`, tx.now(), wordBatch)
		if err != nil {
			return 0, err
		}
		if n, err := r.RowsAffected(); err != nil || n > 0 {
			return n, err
		}
	}
	r, err := tx.execResult(`DELETE FROM staged_words WHERE id IN (SELECT id FROM `+abandoned+`)`, tx.now())
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (s *stage) moveRows(tx *Tx) error {
	// Rows that another write has changed as well are not overwritten.
	var collides bool
	err := tx.row(`SELECT EXISTS (SELECT 1 FROM staged.entity_changes s JOIN main.entity_changes m ON m.entity_id = s.entity_id WHERE s.entity_id <= ?1 AND m.seq > ?2)`,
		s.last["entities"], s.changes).Scan(&collides)
	if err != nil {
		return err
	}
	if collides {
		return errCollision
	}
	for _, query := range s.moves() {
		if err := tx.exec(query); err != nil {
			return err
		}
	}
	return nil
}

// moves are the statements that move new rows, and what changed of rows that
// were there.
func (s *stage) moves() []string {
	entity := func(column string) string {
		return fmt.Sprintf("CASE WHEN %[1]s > %[2]d THEN %[1]s + %[3]d ELSE %[1]s END", column, s.last["entities"], s.shift["entities"])
	}
	var list []string
	for _, t := range stagedTables {
		values := slices.Clone(s.columns[t.name])
		for i, column := range values {
			switch _, own := s.shift[t.name]; {
			case own && column == t.ids[0]:
				values[i] = fmt.Sprintf("%s + %d", column, s.shift[t.name])
			case slices.Contains(t.ids, column):
				values[i] = entity(column)
			default:
				values[i] = quoteName(column)
			}
		}
		list = append(list, fmt.Sprintf(`INSERT INTO main.%[1]s(%[2]s) SELECT %[3]s FROM staged.%[1]s WHERE %[4]s > %[5]d ORDER BY rowid %[6]s`,
			t.name, quoteNames(s.columns[t.name]), strings.Join(values, ", "), t.ids[0], s.last[t.name], t.onTwice))
	}
	old, columns := s.last["entities"], quoteNames(s.columns["entities"])
	return append(list,
		fmt.Sprintf(`UPDATE main.entities SET (%[1]s) = (SELECT %[1]s FROM staged.entities s WHERE s.id = entities.id) WHERE id IN (SELECT entity_id FROM staged.entity_changes WHERE entity_id <= %[2]d)`, columns, old),
		fmt.Sprintf(`UPDATE main.charts SET next_step = max(charts.next_step, s.next_step), next_beat = max(charts.next_beat, s.next_beat) FROM staged.charts s
			WHERE s.entity_id = charts.entity_id AND s.entity_id <= %d AND (s.next_step > charts.next_step OR s.next_beat > charts.next_beat)`, old),
		fmt.Sprintf(`UPDATE main.beats SET next_sub = s.next_sub FROM staged.beats s WHERE s.entity_id = beats.entity_id AND s.entity_id <= %d AND s.next_sub > beats.next_sub`, old),
		fmt.Sprintf(`DELETE FROM main.foreign_lines WHERE id <= %d AND id NOT IN (SELECT id FROM staged.foreign_lines)`, s.last["foreign_lines"]),
		fmt.Sprintf(`DELETE FROM main.staged_words WHERE id = %d`, s.hold),
		`INSERT OR REPLACE INTO main.entity_changes(entity_id) SELECT `+entity("entity_id")+` FROM staged.entity_changes ORDER BY seq`)
}
