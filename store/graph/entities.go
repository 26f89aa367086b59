package graph

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Kind says what a node of the graph is.
type Kind string

// Kinds of nodes. Charts made from an action step are KindChart and have a step
// row as well.
const (
	KindPlain Kind = "plain"
	KindChart Kind = "chart"
	KindStep  Kind = "step"
	KindBeat  Kind = "beat"
)

// NewEntity is a node to insert.
type NewEntity struct {
	Name         string
	Type         string
	Kind         Kind   // KindPlain when empty
	Title        string // desired outcome, step title or beat title; empty for plain entities
	Body         string // further searchable text
	Observations []string
	Metadata     json.RawMessage // object or nil
	Extra        json.RawMessage // unknown keys of an imported line, object or nil
	Origin       json.RawMessage // what else an imported file said, or nil
	Created      time.Time       // when zero, both dates are now
	Updated      time.Time
}

// ErrExists is returned when a name is taken.
var ErrExists = errors.New("an entity of this name exists")

// InsertEntity adds a node with its observations, equal ones included, and returns its row id, or
// ErrExists.
func (tx Rows) InsertEntity(e NewEntity) (int64, error) {
	if e.Kind == "" {
		e.Kind = KindPlain
	}
	if len(accentSpellings(e.Name)) > 1 {
		if _, exists, err := tx.EntityID(e.Name); exists || err != nil {
			return 0, cmp.Or(err, ErrExists)
		}
	}
	if e.Created.IsZero() {
		e.Created = time.UnixMilli(tx.sql.Now())
		e.Updated = e.Created
	}
	id, added, err := tx.sql.InsertNew(`INSERT INTO entities(name, type, kind, title, folded_title, body, metadata, extra, origin, created_at, updated_at)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		e.Name, e.Type, string(e.Kind), e.Title, Fold(e.Title), e.Body, query.NullIfEmpty(e.Metadata), query.NullIfEmpty(e.Extra), query.NullIfEmpty(e.Origin), e.Created.UnixMilli(), e.Updated.UnixMilli())
	if err != nil {
		return 0, err
	}
	if !added {
		return 0, ErrExists
	}
	if err := tx.sql.PutWords("entity_words", id, e.Name, e.Type, e.Title, e.Body); err != nil {
		return 0, err
	}
	for _, content := range e.Observations {
		if err := tx.insertObservation(id, content); err != nil {
			return 0, err
		}
	}
	if e.Kind != KindPlain {
		tx.TouchCharts()
	}
	tx.recordChange(id)
	query.InMemoryState[textIndex](tx.sql).noteNewName(id, e.Name)
	return id, nil
}

// EntityID returns the row id of a name, and false when there is none.
func (tx Rows) EntityID(name string) (id int64, found bool, err error) {
	ref, found, err := tx.findEntity(name)
	return ref.ID, found, err
}

// ComposeAccents returns a name with its accents composed: the same for all ways to encode them.
func ComposeAccents(name string) string { return norm.NFC.String(name) }

// accentSpellings returns the ways in which a name may be stored, which stands as it was given:
// like this, with its accents composed, or with them apart.
func accentSpellings(name string) []string {
	list := []string{name}
	for _, other := range []string{ComposeAccents(name), norm.NFD.String(name)} {
		if !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	return list
}

// SetTitle replaces a node's title.
func (tx Rows) SetTitle(id int64, title string) error {
	if err := tx.sql.Exec(`UPDATE entities SET title = ?, folded_title = ?, updated_at = ? WHERE id = ?`, title, Fold(title), tx.sql.Now(), id); err != nil {
		return err
	}
	var name, typ, body string
	if err := tx.sql.Row(`SELECT name, type, body FROM entities WHERE id = ?`, id).Scan(&name, &typ, &body); err != nil {
		return err
	}
	if err := tx.sql.PutWords("entity_words", id, name, typ, title, body); err != nil {
		return err
	}
	tx.recordChange(id)
	return nil
}

// AppendObservations adds those contents that the node does not have yet, also
// within the call, and returns the added ones in order.
func (tx Rows) AppendObservations(id int64, contents []string) ([]string, error) {
	added := []string{}
	for _, c := range contents {
		_, known, err := tx.observationID(id, c)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		if err := tx.insertObservation(id, c); err != nil {
			return nil, err
		}
		added = append(added, c)
	}
	if len(added) == 0 {
		return added, nil
	}
	return added, tx.touchEntity(id)
}

// DeleteObservations removes contents from a node, all equal ones, and returns
// those that were there.
func (tx Rows) DeleteObservations(id int64, contents []string) ([]string, error) {
	removed := []string{}
	var rows []int64
	for _, c := range contents {
		equal, err := tx.sql.IDs(`SELECT id FROM observations WHERE `+contentOf, id, c)
		if err != nil {
			return nil, err
		}
		if len(equal) > 0 {
			removed, rows = append(removed, c), append(rows, equal...)
		}
	}
	if len(rows) == 0 {
		return removed, nil
	}
	return removed, tx.deleteObservationRows([]int64{id}, rows)
}

// DeleteObservationRows removes single observations by row.
func (tx Rows) DeleteObservationRows(rows []int64) error {
	entities, err := tx.sql.IDs(`SELECT DISTINCT entity_id FROM observations WHERE id IN (SELECT value FROM json_each(?)) ORDER BY entity_id`, query.List(rows))
	if err != nil || len(entities) == 0 {
		return err
	}
	tx.TouchCharts()
	return tx.deleteObservationRows(entities, rows)
}

func (tx Rows) deleteObservationRows(entities, rows []int64) error {
	err := tx.sql.ExecAll([]string{
		`DELETE FROM observation_words WHERE rowid IN (SELECT value FROM json_each(?1))`,
		`DELETE FROM observations WHERE id IN (SELECT value FROM json_each(?1))`,
	}, query.List(rows))
	if err != nil {
		return err
	}
	if err := tx.clearVectors(entities); err != nil {
		return err
	}
	for _, entity := range entities {
		if err := tx.touchEntity(entity); err != nil {
			return err
		}
	}
	return nil
}

// ReplaceObservation gives an observation another content and keeps its place.
// Where the node has the new content already, the old one goes. It reports
// whether the old one was there.
func (tx Rows) ReplaceObservation(id int64, old, content string) (bool, error) {
	row, known, err := tx.observationID(id, old)
	if err != nil || !known || old == content {
		return known, err
	}
	if _, there, err := tx.observationID(id, content); err != nil || there {
		if err == nil {
			_, err = tx.DeleteObservations(id, []string{old})
		}
		return true, err
	}
	if err := tx.sql.Exec(`UPDATE observations SET content = ? WHERE id = ?`, content, row); err != nil {
		return false, err
	}
	if err := tx.sql.PutWords("observation_words", row, content); err != nil {
		return false, err
	}
	if err := tx.clearVectors([]int64{id}); err != nil {
		return false, err
	}
	return true, tx.touchEntity(id)
}

// HasObservation reports whether a node has an observation of this content.
func (tx Rows) HasObservation(id int64, content string) (bool, error) {
	_, known, err := tx.observationID(id, content)
	return known, err
}

func (tx Rows) observationID(entity int64, content string) (int64, bool, error) {
	return query.Find(tx.sql, query.Column[int64], `SELECT id FROM observations WHERE `+contentOf+` LIMIT 1`, entity, content)
}

// contentOf is the condition that an observation of a node has a content. It matches the
// index observations_start.
const contentOf = `entity_id = ?1 AND substr(content, 1, 48) = substr(?2, 1, 48) AND content = ?2`

func (tx Rows) insertObservation(entity int64, content string) error {
	return tx.sql.InsertWithWords("observation_words", []string{content}, `INSERT INTO observations(entity_id, content, created_at) VALUES(?, ?, ?)`, entity, content, tx.sql.Now())
}

// DeleteEntityRows removes nodes by row id with everything that hangs on them
// (observations, relations, chart, step and beat rows). It does not follow
// charts to their steps: callers pass all that lives inside them, see [kinds.Rows.FindEntitiesInside].
// Charts and steps that lose a part count as changed.
func (tx Rows) DeleteEntityRows(ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	list := query.List(ids)
	bereft, err := tx.sql.IDs(`SELECT chart_id FROM steps WHERE entity_id IN (SELECT value FROM json_each(?1))
		UNION SELECT chart_id FROM beats WHERE entity_id IN (SELECT value FROM json_each(?1)) AND chart_id IS NOT NULL
		UNION SELECT parent_step_id FROM charts WHERE entity_id IN (SELECT value FROM json_each(?1)) AND parent_step_id IS NOT NULL
		UNION SELECT entity_id FROM charts WHERE entity_id IN (SELECT value FROM json_each(?1))`, list)
	if err != nil {
		return err
	}
	if len(bereft) > 0 {
		tx.TouchCharts()
	}
	for _, id := range slices.Concat(bereft, ids) {
		tx.recordChange(id)
	}
	if err := tx.clearVectors(ids); err != nil {
		return err
	}
	return tx.sql.ExecAll([]string{
		`DELETE FROM observation_words WHERE rowid IN (SELECT id FROM observations WHERE entity_id IN (SELECT value FROM json_each(?1)))`,
		`DELETE FROM entity_words WHERE rowid IN (SELECT value FROM json_each(?1))`,
		`DELETE FROM entities WHERE id IN (SELECT value FROM json_each(?1))`,
	}, list)
}

// InsertRelation connects two nodes; created is false when exactly this
// relation exists already.
func (tx Rows) InsertRelation(from, to int64, relationType string, structural bool, metadata, extra json.RawMessage) (created bool, err error) {
	n, err := tx.sql.ExecAndCountRows(`INSERT INTO relations(from_id, to_id, type, structural, metadata, extra, created_at)
		VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(from_id, to_id, type) DO NOTHING`,
		from, to, relationType, structural, query.NullIfEmpty(metadata), query.NullIfEmpty(extra), tx.sql.Now())
	if n > 0 {
		tx.sql.Touch(store.TopicGraph)
	}
	return n > 0, err
}

// touchEntity is changed for a write to the node itself, which moves its updated_at.
func (tx Rows) touchEntity(id int64) error {
	if err := tx.sql.Exec(`UPDATE entities SET updated_at = ? WHERE id = ?`, tx.sql.Now(), id); err != nil {
		return err
	}
	tx.recordChange(id)
	return nil
}

// TouchCharts notes that the transaction changed what a chart, step or beat
// shows, beyond its being a node of the graph.
func (tx Rows) TouchCharts() { tx.sql.Touch(store.TopicCharts) }

// recordChange notes that a node's text changed, for the substring index of this and
// other processes.
func (tx Rows) recordChange(id int64) {
	tx.sql.Touch(store.TopicGraph)
	tx.sql.QueueRow(noteChanges, id)
}

const noteChanges = `INSERT OR REPLACE INTO entity_changes(entity_id) SELECT value FROM json_each(?1)`

// Fold is the form in which titles are compared: composed characters, lower
// case, trimmed, runs of white space as one space.
func Fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(norm.NFC.String(s)), unicode.IsSpace), " ")
}

// foldDecomposed returns Fold with decomposed characters, as titles of earlier versions
// stand in the database when they were written so.
func foldDecomposed(s string) string { return norm.NFD.String(Fold(s)) }
