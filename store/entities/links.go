package entities

import (
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// AddRelationships adds relationships that a document says, or notes that this one says them too.
// Metadata that stands is left.
func (tx Rows) AddRelationships(list []Relationship, record int64) error {
	if len(list) == 0 {
		return nil
	}
	tx.sql.Touch(store.TopicPayloads)
	rows, ids := []any{tx.sql.Now(), record}, []string{}
	for _, r := range list {
		rows = append(rows, r.ID, r.Type, r.Source.Seq, r.Target.Seq, r.Source.Root, r.Target.Root, query.NullIfEmpty(r.Metadata))
		ids = append(ids, r.ID)
	}
	added, err := tx.sql.ExecAndCountRows(`INSERT INTO typed_relationships(id, type, source, target, source_root, target_root, metadata, created_at, said, record) VALUES(?3, ?4, ?5, ?6, ?7, ?8, ?9, ?1, 0, ?2)`+
		strings.Repeat(`, (?, ?, ?, ?, ?, ?, ?, ?1, 0, ?2)`, len(list)-1)+` ON CONFLICT(id) DO NOTHING`, rows...)
	if err != nil || int(added) == len(list) {
		return err
	}
	return tx.sql.Exec(`INSERT OR IGNORE INTO relationship_sources(relationship, record) SELECT id, ?2 FROM typed_relationships
		WHERE id IN (SELECT value FROM json_each(?1)) AND record IS DISTINCT FROM ?2`, query.List(ids), record)
}

// WithdrawRelationshipSource takes back what a record says of its entity's relationships, and removes those
// that nobody else says. It returns the entities at their other ends.
func (tx Rows) WithdrawRelationshipSource(record, entity int64) ([]int64, error) {
	tx.sql.Touch(store.TopicPayloads)
	ids, err := tx.sql.Texts(`SELECT r.id FROM typed_relationships r WHERE r.source = ?1 AND (r.record = ?2 OR EXISTS (SELECT 1 FROM relationship_sources s WHERE s.relationship = r.id AND s.record = ?2))`, entity, record)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list := query.List(ids)
	const which = ` IN (SELECT value FROM json_each(?1))`
	err = tx.sql.ExecAll([]string{
		`DELETE FROM relationship_sources WHERE record = ?2 AND relationship` + which,
		`UPDATE typed_relationships SET record = (SELECT min(s.record) FROM relationship_sources s WHERE s.relationship = typed_relationships.id) WHERE record = ?2 AND id` + which,
	}, list, record)
	if err != nil {
		return nil, err
	}
	return tx.sql.IDs(`DELETE FROM typed_relationships WHERE id`+which+` AND said = 0 AND record IS NULL RETURNING target_root`, list)
}

// RelatedEntities returns up to limit entities that an entity is related to by a type, in the
// order of their rows, of those of which something is observed.
func (tx Rows) RelatedEntities(entity int64, direction, relationshipType string, limit int) ([]KnownEntity, error) {
	here, there := "source_root", "target_root"
	if direction == Inbound {
		here, there = there, here
	}
	return query.Select(tx.sql, (*KnownEntity).fields, `SELECT `+entityColumns+`, s.state, s.last_observed_at, r.metadata FROM typed_relationships r
		JOIN truth_entities e ON e.seq = r.`+there+` JOIN snapshots s ON s.entity = e.seq
		WHERE r.`+here+` = ?1 AND +r.type = ?2 ORDER BY r.created_at DESC, r.id LIMIT ?3`, entity, relationshipType, limit)
}

// FindEntitiesByValues returns up to limit entities of a type whose snapshots have one of some hashed
// values, the last observed first.
func (tx Rows) FindEntitiesByValues(entityType string, keys []int64, limit int) ([]KnownEntity, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := tx.sql.IDs(`SELECT s.entity FROM (SELECT DISTINCT v.entity FROM json_each(?1) j JOIN snapshot_values v ON v.key = j.value LIMIT 10000) k
		CROSS JOIN snapshots s ON s.entity = k.entity WHERE s.type = ?2 ORDER BY s.last_observed_at DESC, s.entity DESC LIMIT ?3`, query.List(keys), entityType, limit)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return tx.KnownEntities(rows)
}

// FindByNameRange returns up to limit unmerged entities of a type whose folded names lie in a
// range, in its order.
func (tx Rows) FindByNameRange(entityType, from, to string, limit int) ([]Entity, error) {
	return query.Select(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e WHERE e.name_key >= ? AND e.name_key < ? AND e.type = ? AND e.root = e.seq ORDER BY e.name_key, e.seq LIMIT ?`,
		from, to, entityType, limit)
}

// InvoiceStatus is what is to be paid of an invoice.
type InvoiceStatus struct {
	Entity int64
	Status string
	Unpaid string // a decimal number; empty: cannot be told
	Due    int64  // unix milliseconds; 0: no date is stated
}

// SaveInvoiceStatus keeps what is to be paid of an invoice.
func (tx Rows) SaveInvoiceStatus(s InvoiceStatus) error {
	return tx.sql.Exec(`INSERT INTO invoice_status(entity, status, unpaid, due) VALUES(?, ?, ?, ?)
		ON CONFLICT(entity) DO UPDATE SET status = excluded.status, unpaid = excluded.unpaid, due = excluded.due`, s.Entity, s.Status, s.Unpaid, query.NullIfZero(s.Due))
}

// DropInvoiceStatus removes it.
func (tx Rows) DropInvoiceStatus(entity int64) error {
	return tx.sql.Exec(`DELETE FROM invoice_status WHERE entity = ?`, entity)
}

// InvoiceStatusOf returns what is to be paid of some invoices, by their rows.
func (tx Rows) InvoiceStatusOf(entities []int64) (map[int64]InvoiceStatus, error) {
	list, err := query.Select(tx.sql, (*InvoiceStatus).fields, `SELECT i.entity, i.status, i.unpaid, coalesce(i.due, 0) FROM json_each(?) j JOIN invoice_status i ON i.entity = j.value`, query.List(entities))
	found := make(map[int64]InvoiceStatus, len(list))
	for _, s := range list {
		found[s.Entity] = s
	}
	return found, err
}

func (s *InvoiceStatus) fields() []any { return []any{&s.Entity, &s.Status, &s.Unpaid, &s.Due} }

// UnpaidInvoices returns up to limit invoices of which something is to be paid, the first
// due first and those without a date last.
func (tx Rows) UnpaidInvoices(limit int) ([]InvoiceStatus, error) {
	return query.Select(tx.sql, (*InvoiceStatus).fields, `SELECT entity, status, unpaid, coalesce(due, 0) FROM (
		SELECT * FROM (SELECT * FROM invoice_status WHERE status = 'open' ORDER BY due IS NULL, due, entity LIMIT ?1)
		UNION ALL SELECT * FROM (SELECT * FROM invoice_status WHERE status = 'part' ORDER BY due IS NULL, due, entity LIMIT ?1))
		ORDER BY due IS NULL, due, entity LIMIT ?1`, limit)
}

// FindEntityAndPart returns the entity of an id, and the row of the one that was parted from it to which
// something belongs, by the key of its document, else by that of its words; 0: to itself.
func (tx Rows) FindEntityAndPart(id, document, words string) (e Entity, part int64, known bool, err error) {
	type resolved struct {
		Entity
		part int64
	}
	found, known, err := query.Find(tx.sql, func(r *resolved) []any { return append(r.fields(), &r.part) }, `SELECT `+entityColumns+`,
			coalesce((SELECT p.part FROM entity_parts p WHERE p.entity = e.seq AND p.words IN (?2, ?3) ORDER BY p.words LIMIT 1), 0)
		FROM truth_entities e WHERE e.id = ?1`, id, document, words)
	return found.Entity, found.part, known, err
}

// SplitEntity makes observations of an entity, and the records that are it, those of another;
// what has one of the keys follows from now on. Snapshots are left to the caller.
func (tx Rows) SplitEntity(root int64, observations, records []int64, keys []string, part Entity) error {
	tx.sql.Touch(store.TopicPayloads)
	// Every name that leads to the entity leads on to the part.
	if err := tx.sql.Exec(`INSERT INTO entity_parts(entity, words, part) SELECT e.seq, j.value, ?3 FROM truth_entities e, json_each(?2) j WHERE e.root = ?1 AND e.seq <> ?3
		ON CONFLICT(entity, words) DO UPDATE SET part = excluded.part`,
		root, query.List(keys), part.Seq); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE truth_observations SET origin = ?2, entity = ?3 WHERE seq IN (SELECT value FROM json_each(?1))`, query.List(observations), part.Seq, part.Root); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE records SET entity = ?2 WHERE seq IN (SELECT value FROM json_each(?1)) AND entity IN (SELECT seq FROM truth_entities WHERE root = ?3)`,
		query.List(records), part.Seq, root)
}

// ObservationsFromSources returns the observations of an entity that come from some records or have some
// ids, newest first, and whether others are left.
func (tx Rows) ObservationsFromSources(entity int64, sources []string) (list []Observation, left bool, err error) {
	list, err = tx.observationsWhere(`o.entity = ?1 AND o.seq IN (
		SELECT seq FROM truth_observations WHERE id IN (SELECT value FROM json_each(?2))
		UNION SELECT x.seq FROM records r JOIN truth_observations x ON x.record = r.seq WHERE r.id IN (SELECT value FROM json_each(?2)))`, entity, query.List(sources))
	if err != nil {
		return nil, false, err
	}
	all, err := query.Value[int](tx.sql, `SELECT count(*) FROM (SELECT 1 FROM truth_observations WHERE entity = ? LIMIT ?)`, entity, len(list)+1)
	return list, all > len(list), err
}

// DeleteDerivedRelationships removes the relationships of a type that only documents say from an entity. It
// returns the entities at their other ends.
func (tx Rows) DeleteDerivedRelationships(entity int64, relationshipType string) ([]int64, error) {
	const which = ` WHERE source_root = ?1 AND type = ?2`
	err := tx.sql.ExecAll([]string{
		`DELETE FROM relationship_sources WHERE relationship IN (SELECT id FROM typed_relationships` + which + `)`,
		`UPDATE typed_relationships SET record = NULL` + which,
	}, entity, relationshipType)
	if err != nil {
		return nil, err
	}
	return tx.sql.IDs(`DELETE FROM typed_relationships`+which+` AND said = 0 RETURNING target_root`, entity, relationshipType)
}

// RecordsOfEntity returns up to limit records that are an entity, or one merged into it.
func (tx Rows) RecordsOfEntity(root int64, limit int) ([]int64, error) {
	return tx.sql.IDs(`SELECT r.seq FROM truth_entities e JOIN records r ON r.entity = e.seq WHERE e.root = ? ORDER BY r.seq LIMIT ?`, root, limit)
}
