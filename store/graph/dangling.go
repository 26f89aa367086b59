package graph

import (
	"encoding/json"
	"errors"
	"slices"

	"toolkit/store"
	"toolkit/store/internal/query"
	"toolkit/store/plainjson"
)

// DanglingRelation is a relation of which an end was not stored when it came. It is
// kept as the line that a file has for it, so that exports state it; its id is
// that of the line.
type DanglingRelation struct {
	Relation
	Metadata json.RawMessage
	Plain    bool // the line says nothing else
}

// DanglingRelations returns the kept lines that are relations with an end among
// names, however their accents are encoded, oldest first.
func (tx Rows) DanglingRelations(names []string) ([]DanglingRelation, error) {
	all, err := tx.AllDanglingRelations()
	if err != nil || len(all) == 0 {
		return all, err
	}
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[ComposeAccents(name)] = true
	}
	return slices.DeleteFunc(all, func(l DanglingRelation) bool {
		return !wanted[ComposeAccents(l.From)] && !wanted[ComposeAccents(l.To)]
	}), nil
}

// AllDanglingRelations returns the kept lines that are relations, oldest first.
func (tx Rows) AllDanglingRelations() ([]DanglingRelation, error) {
	loose := []DanglingRelation{}
	err := query.EachRow(tx.sql, (*ForeignLine).fields, func(line ForeignLine) error {
		l, ok := parseDanglingRelation(line.Raw)
		if l.ID = line.Row; ok {
			loose = append(loose, l)
		}
		return nil
	}, `SELECT id, raw FROM foreign_lines WHERE instr(raw, '"relation"') > 0 ORDER BY id`)
	return loose, err
}

func parseDanglingRelation(raw []byte) (l DanglingRelation, ok bool) {
	var line map[string]json.RawMessage
	if json.Unmarshal(raw, &line) != nil {
		return l, false
	}
	var kind string
	for key, text := range map[string]*string{"type": &kind, "from": &l.From, "to": &l.To, "relationType": &l.Type} {
		if json.Unmarshal(line[key], text) != nil {
			return l, false
		}
		delete(line, key)
	}
	l.Metadata = line["metadata"]
	delete(line, "metadata")
	l.Plain = len(line) == 0
	return l, kind == "relation"
}

// InsertDanglingRelation keeps a relation of which an end is missing. The ids of
// relations and of kept lines go on from the greater of both, so that they tell
// the order in which relations came.
func (tx Rows) InsertDanglingRelation(r Relation) error {
	raw, err := plainjson.Encode(map[string]string{"type": "relation", "from": r.From, "to": r.To, "relationType": r.Type})
	if err != nil {
		return err
	}
	tx.sql.Touch(store.TopicGraph)
	id, err := tx.sql.NextNumber("relations")
	if err != nil {
		return err
	}
	lines, err := tx.sql.NextNumber("foreign_lines")
	if err != nil {
		return err
	}
	id = max(id, lines)
	if err := tx.sql.Exec(`INSERT INTO foreign_lines(id, raw) VALUES(?, ?)`, id, string(raw)); err != nil {
		return err
	}
	return errors.Join(tx.sql.SetLastNumber("relations", id), tx.sql.SetLastNumber("foreign_lines", id))
}

// ConnectDanglingRelation makes a relation of a kept line whose ends are stored by
// now, in its old place where that is free.
func (tx Rows) ConnectDanglingRelation(l DanglingRelation, from, to int64) error {
	tx.sql.Touch(store.TopicGraph)
	err := tx.sql.Exec(`INSERT INTO relations(id, from_id, to_id, type, metadata, created_at)
		VALUES((SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM relations WHERE id = ?1)), ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT(from_id, to_id, type) DO NOTHING`, l.ID, from, to, l.Type, query.NullIfEmpty(l.Metadata), tx.sql.Now())
	if err != nil {
		return err
	}
	return tx.DeleteForeignLine(l.ID)
}

// DeleteDanglingRelations forgets kept relations.
func (tx Rows) DeleteDanglingRelations(loose []DanglingRelation) error {
	for _, l := range loose {
		tx.sql.Touch(store.TopicGraph)
		if err := tx.DeleteForeignLine(l.ID); err != nil {
			return err
		}
	}
	return nil
}
