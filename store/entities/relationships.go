package entities

import (
	"encoding/json"
	"errors"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Relationship connects two entities of documents.
type Relationship struct {
	ID        string // UUID of version 5
	Type      string
	Source    Entity // SourceID and TargetID when listed
	Target    Entity
	SourceID  string
	TargetID  string
	Metadata  json.RawMessage // object or nil
	CreatedAt int64
}

// SaveRelationship adds a relationship, or replaces the metadata of the
// one of this id, and returns when it was created and whether it is new.
func (tx Rows) SaveRelationship(r Relationship) (createdAt int64, created bool, err error) {
	tx.sql.Touch(store.TopicPayloads)
	now := tx.sql.Now()
	n, err := tx.sql.ExecAndCountRows(`INSERT INTO typed_relationships(id, type, source, target, source_root, target_root, metadata, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING`,
		r.ID, r.Type, r.Source.Seq, r.Target.Seq, r.Source.Root, r.Target.Root, query.NullIfEmpty(r.Metadata), now)
	if err != nil || n > 0 {
		return now, n > 0, err
	}
	if err := tx.sql.Exec(`UPDATE typed_relationships SET metadata = ?, said = 1 WHERE id = ?`, query.NullIfEmpty(r.Metadata), r.ID); err != nil {
		return 0, false, err
	}
	createdAt, err = query.Value[int64](tx.sql, `SELECT created_at FROM typed_relationships WHERE id = ?`, r.ID)
	return createdAt, false, err
}

// RelationshipMetadata returns the metadata of a relationship, nil for none,
// and whether the relationship exists.
func (tx Rows) RelationshipMetadata(id string) (json.RawMessage, bool, error) {
	return query.Find(tx.sql, func(metadata *json.RawMessage) []any { return []any{query.FromJSON(metadata)} }, `SELECT metadata FROM typed_relationships WHERE id = ?`, id)
}

// RelationshipPath returns the rows of the entities on a shortest path from one
// to the other along relationships of a type, ends included; nil when there is
// none. From an entity to itself it finds a cycle through others.
func (tx Rows) RelationshipPath(relationshipType string, from, to int64) ([]int64, error) {
	const reach = `WITH RECURSIVE reach(node) AS (
			SELECT target_root FROM typed_relationships WHERE type = ?1 AND source_root = ?2 AND target_root <> ?2
			UNION SELECT r.target_root FROM reach JOIN typed_relationships r ON r.type = ?1 AND r.source_root = reach.node AND r.target_root <> r.source_root)
		SELECT node FROM reach`
	found, err := tx.sql.IDs(reach+` WHERE node = ?3 LIMIT 1`, relationshipType, from, to)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	// The steps come in the order of their distance, so the first way into a
	// node is a shortest one.
	via := map[int64]int64{}
	err = tx.sql.Each(func(scan query.Scan) error {
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

// EntityIDs returns the ids of entities by row, in the given order.
func (tx Rows) EntityIDs(rows []int64) ([]string, error) {
	return tx.sql.Texts(`SELECT e.id FROM json_each(?1) l JOIN truth_entities e ON e.seq = l.value ORDER BY l.key`, query.List(rows))
}

// Directions of relationships as seen from an entity.
const (
	Inbound  = "inbound"
	Outbound = "outbound"
)

// Relationships lists the relationships of an entity, newest first, then
// by id, and counts them. An empty type means all; a direction that is neither
// Inbound nor Outbound means both. Relationships to entities of which nothing
// is observed any more are not shown.
func (tx Rows) Relationships(entity int64, direction, relationshipType string, limit, offset int) ([]Relationship, int, error) {
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
	total, err := query.Value[int](tx.sql, `SELECT count(*) FROM (`+rows+`)`, entity, relationshipType)
	if err != nil {
		return nil, 0, err
	}
	list, err := query.Select(tx.sql, func(r *Relationship) []any {
		return []any{&r.ID, &r.Type, &r.SourceID, &r.TargetID, query.FromJSON(&r.Metadata), &r.CreatedAt}
	}, `SELECT p.id, p.type, a.id, b.id, p.metadata, p.created_at FROM (SELECT * FROM (`+rows+`) ORDER BY created_at DESC, id LIMIT ?3 OFFSET ?4) p
		JOIN truth_entities a ON a.seq = p.source JOIN truth_entities b ON b.seq = p.target ORDER BY p.created_at DESC, p.id`, entity, relationshipType, limit, offset)
	return list, total, err
}

// RelationshipTypesOf returns the types of relationships at an entity.
func (tx Rows) RelationshipTypesOf(entity int64) ([]string, error) {
	return tx.sql.Texts(`SELECT type FROM typed_relationships WHERE source_root = ?1 UNION SELECT type FROM typed_relationships WHERE target_root = ?1 ORDER BY 1`, entity)
}
