package store

import (
	"database/sql"
	"encoding/json"
	"errors"

	"toolkit/store/internal/query"
)

// TypedRelationship connects two entities of documents.
type TypedRelationship struct {
	ID        string // UUID of version 5
	Type      string
	Source    TruthEntity // SourceID and TargetID when listed
	Target    TruthEntity
	SourceID  string
	TargetID  string
	Metadata  json.RawMessage // object or nil
	CreatedAt int64
}

// SaveTypedRelationship adds a relationship, or replaces the metadata of the
// one of this id, and returns when it was created and whether it is new.
func (tx *Tx) SaveTypedRelationship(r TypedRelationship) (createdAt int64, created bool, err error) {
	tx.touch(TopicPayloads)
	now := tx.now()
	n, err := tx.change(`INSERT INTO typed_relationships(id, type, source, target, source_root, target_root, metadata, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING`,
		r.ID, r.Type, r.Source.Seq, r.Target.Seq, r.Source.Root, r.Target.Root, query.JSON(r.Metadata), now)
	if err != nil || n > 0 {
		return now, n > 0, err
	}
	if err := tx.exec(`UPDATE typed_relationships SET metadata = ? WHERE id = ?`, query.JSON(r.Metadata), r.ID); err != nil {
		return 0, false, err
	}
	err = tx.row(`SELECT created_at FROM typed_relationships WHERE id = ?`, r.ID).Scan(&createdAt)
	return createdAt, false, err
}

// RelationshipMetadata returns the metadata of a relationship, nil for none,
// and whether the relationship exists.
func (tx *Tx) RelationshipMetadata(id string) (json.RawMessage, bool, error) {
	var metadata sql.NullString
	err := tx.row(`SELECT metadata FROM typed_relationships WHERE id = ?`, id).Scan(&metadata)
	known, err := query.Found(err)
	if !metadata.Valid {
		return nil, known, err
	}
	return json.RawMessage(metadata.String), known, err
}

// RelationshipPath returns the rows of the entities on a shortest path from one
// to the other along relationships of a type, ends included; nil when there is
// none. From an entity to itself it finds a cycle through others.
func (tx *Tx) RelationshipPath(relationshipType string, from, to int64) ([]int64, error) {
	const reach = `WITH RECURSIVE reach(node) AS (
			SELECT target_root FROM typed_relationships WHERE type = ?1 AND source_root = ?2 AND target_root <> ?2
			UNION SELECT r.target_root FROM reach JOIN typed_relationships r ON r.type = ?1 AND r.source_root = reach.node AND r.target_root <> r.source_root)
		SELECT node FROM reach`
	found, err := tx.ids(reach+` WHERE node = ?3 LIMIT 1`, relationshipType, from, to)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	// The steps come in the order of their distance, so the first way into a
	// node is a shortest one.
	via := map[int64]int64{}
	err = tx.each(func(scan func(...any) error) error {
		var node, before int64
		if err := scan(&node, &before); err != nil {
			return err
		}
		if _, known := via[node]; !known {
			via[node] = before
		}
		if node == to {
			return query.ErrEnded
		}
		return nil
	}, `WITH RECURSIVE step(node, before) AS (
			SELECT target_root, source_root FROM typed_relationships WHERE type = ?1 AND source_root = ?2 AND target_root <> ?2
			UNION SELECT r.target_root, r.source_root FROM step JOIN typed_relationships r ON r.type = ?1 AND r.source_root = step.node AND r.target_root <> r.source_root)
		SELECT node, before FROM step`, relationshipType, from)
	if err != nil && !errors.Is(err, query.ErrEnded) {
		return nil, err
	}
	path := []int64{to}
	for node := via[to]; node != from; node = via[node] {
		path = append([]int64{node}, path...)
	}
	return append([]int64{from}, path...), nil
}

// TruthEntityIDs returns the ids of entities by row, in the given order.
func (tx *Tx) TruthEntityIDs(rows []int64) ([]string, error) {
	var ids []string
	err := tx.each(func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT e.id FROM json_each(?1) l JOIN truth_entities e ON e.seq = l.value ORDER BY l.key`, query.List(rows))
	return ids, err
}

// Directions of relationships as seen from an entity.
const (
	Inbound  = "inbound"
	Outbound = "outbound"
)

// TypedRelationships lists the relationships of an entity, newest first, then
// by id, and counts them. An empty type means all; a direction that is neither
// Inbound nor Outbound means both. Relationships to entities of which nothing
// is observed any more are not shown.
func (tx *Tx) TypedRelationships(entity int64, direction, relationshipType string, limit, offset int) ([]TypedRelationship, int, error) {
	const kept = ` AND (?2 = '' OR r.type = ?2) AND EXISTS (SELECT 1 FROM snapshots s WHERE s.entity = r.source_root) AND EXISTS (SELECT 1 FROM snapshots s WHERE s.entity = r.target_root)`
	const columns = `SELECT r.id, r.type, r.source, r.target, r.metadata, r.created_at FROM typed_relationships r WHERE `
	rows := columns + `r.source_root = ?1` + kept
	switch direction {
	case Inbound:
		rows = columns + `r.target_root = ?1` + kept
	case Outbound:
	default:
		rows += ` UNION ` + columns + `r.target_root = ?1` + kept
	}
	var total int
	if err := tx.row(`SELECT count(*) FROM (`+rows+`)`, entity, relationshipType).Scan(&total); err != nil {
		return nil, 0, err
	}
	var list []TypedRelationship
	err := tx.each(func(scan func(...any) error) error {
		var r TypedRelationship
		var metadata sql.NullString
		err := scan(&r.ID, &r.Type, &r.SourceID, &r.TargetID, &metadata, &r.CreatedAt)
		if metadata.Valid {
			r.Metadata = json.RawMessage(metadata.String)
		}
		list = append(list, r)
		return err
	}, `SELECT p.id, p.type, a.id, b.id, p.metadata, p.created_at FROM (SELECT * FROM (`+rows+`) ORDER BY created_at DESC, id LIMIT ?3 OFFSET ?4) p
		JOIN truth_entities a ON a.seq = p.source JOIN truth_entities b ON b.seq = p.target ORDER BY p.created_at DESC, p.id`, entity, relationshipType, limit, offset)
	return list, total, err
}

// RelationshipTypesOf returns the types of relationships at an entity.
func (tx *Tx) RelationshipTypesOf(entity int64) ([]string, error) {
	var types []string
	err := tx.each(func(scan func(...any) error) error {
		var t string
		err := scan(&t)
		types = append(types, t)
		return err
	}, `SELECT type FROM typed_relationships WHERE source_root = ?1 UNION SELECT type FROM typed_relationships WHERE target_root = ?1 ORDER BY 1`, entity)
	return types, err
}
