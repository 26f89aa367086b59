package store

// TruthGroup are the rows of an entity and of all that was merged into it.
func (tx *Tx) TruthGroup(root int64) ([]int64, error) {
	return tx.ids(`SELECT seq FROM truth_entities WHERE root = ? ORDER BY seq`, root)
}

// ForgetTruthObservations removes everything that was said of an entity.
func (tx *Tx) ForgetTruthObservations(root int64) error {
	tx.touch(TopicPayloads)
	return tx.exec(`DELETE FROM truth_observations WHERE entity = ?`, root)
}

// ForgetTruthEntities removes those of some entities of which nothing is said any
// more, with their relationships. One that others were merged into loses its name
// only.
func (tx *Tx) ForgetTruthEntities(rows []int64) error {
	bare, err := tx.ids(`SELECT e.seq FROM json_each(?) j JOIN truth_entities e ON e.seq = j.value
		WHERE NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.origin = e.seq)
		AND (e.root <> e.seq OR NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.entity = e.seq))`, rowList(rows))
	if err != nil || len(bare) == 0 {
		return err
	}
	tx.touch(TopicPayloads)
	list := rowList(bare)
	for _, statement := range []string{
		`DELETE FROM typed_relationships WHERE source IN (SELECT value FROM json_each(?1)) OR target IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET name = '', name_key = '' WHERE seq IN (SELECT value FROM json_each(?1))`,
		`UPDATE records SET entity = NULL WHERE entity IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET merged_into = NULL WHERE seq IN (SELECT value FROM json_each(?1)) AND root IN (SELECT value FROM json_each(?1))`,
		`DELETE FROM truth_entities WHERE seq IN (SELECT value FROM json_each(?1))
			AND NOT EXISTS (SELECT 1 FROM truth_entities m WHERE m.merged_into = truth_entities.seq)`,
	} {
		if err := tx.exec(statement, list); err != nil {
			return err
		}
	}
	return nil
}

// ForgetRelationships removes relationships between truth entities.
func (tx *Tx) ForgetRelationships(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	tx.touch(TopicPayloads)
	return tx.exec(`DELETE FROM typed_relationships WHERE id IN (SELECT value FROM json_each(?))`, encodeList(ids))
}

// KeptParts returns the records that live and die with some others: the items of
// their files.
func (tx *Tx) KeptParts(records []string) ([]Kept, error) {
	return tx.kept(KeptRecord, `t.seq IN (SELECT p.part FROM json_each(?1) j JOIN records r ON r.id = j.value JOIN record_parts p ON p.parent = r.seq)`, encodeList(records))
}

// KeptCiting returns the documents that name some records as their source.
func (tx *Tx) KeptCiting(records []string) ([]Kept, error) {
	return tx.kept(KeptRecord, `EXISTS (SELECT 1 FROM json_each(p.source_refs) s JOIN json_each(?1) j ON s.value = j.value)`, encodeList(records))
}

// KeptOnlyIn returns the entities of which no document but some records says anything: a
// correction alone says nothing.
func (tx *Tx) KeptOnlyIn(records []string) ([]Kept, error) {
	return tx.kept(KeptTruthEntity, `t.root = t.seq AND t.seq IN (SELECT o.entity FROM json_each(?1) j JOIN records r ON r.id = j.value JOIN truth_observations o ON o.record = r.seq)
		AND NOT EXISTS (SELECT 1 FROM truth_observations o JOIN records r ON r.seq = o.record WHERE o.entity = t.seq AND o.source <> 'correction' AND r.id NOT IN (SELECT value FROM json_each(?1)))`, encodeList(records))
}

// KeptBeing returns the records that are some entities, and the corrections of
// them: what these say is said of nothing else.
func (tx *Tx) KeptBeing(entities []string) ([]Kept, error) {
	return tx.kept(KeptRecord, `t.seq IN (
		SELECT r.seq FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_entities g ON g.root = e.root JOIN records r ON r.entity = g.seq
		UNION SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.entity = e.root AND o.source = 'correction')`, encodeList(entities))
}

// KeptSpeakingOf returns the records that say something of some entities.
func (tx *Tx) KeptSpeakingOf(entities []string) ([]Kept, error) {
	return tx.kept(KeptRecord, `t.seq IN (SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.entity = e.root)`, encodeList(entities))
}

// KeptTruthNamed returns the entities of some ids or exact names.
func (tx *Tx) KeptTruthNamed(names []string) ([]Kept, error) {
	return tx.kept(KeptTruthEntity, `t.root = t.seq AND (t.id IN (SELECT value FROM json_each(?1)) OR t.name <> '' AND t.name COLLATE NOCASE IN (SELECT value FROM json_each(?1)))`, encodeList(names))
}
