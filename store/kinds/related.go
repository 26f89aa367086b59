package kinds

import "toolkit/store/internal/query"

// FindObservationsAndRelations returns the observations and relations of some entities.
func (tx Rows) FindObservationsAndRelations(rows []int64) ([]Row, error) {
	observations, err := tx.where(Observation, `t.entity_id IN (SELECT value FROM json_each(?1))`, query.List(rows))
	if err != nil {
		return nil, err
	}
	relations, err := tx.where(Relation, `t.from_id IN (SELECT value FROM json_each(?1)) OR t.to_id IN (SELECT value FROM json_each(?1))`, query.List(rows))
	return append(observations, relations...), err
}

// FindDialogueCopies are the queries that say what rows of dialogue say.
func (tx Rows) FindDialogueCopies(ids []int64) ([]Row, error) {
	var all []Row
	for _, kind := range []string{GoldenQuery, GroundTruth} {
		list, err := tx.where(kind, `t.query IN (SELECT d.content FROM l0_raw d JOIN json_each(?1) j ON j.value = d.id)`, query.List(ids))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// FindSessionRows returns the dialogue of a session and of its side chains, the queries
// asked in them and what else is known of them.
func (tx Rows) FindSessionRows(session string) ([]Row, error) {
	chains, err := tx.where(Session, `t.side_chain <> 0 AND substr(t.session_id, 1, length(?1) + 1) = ?1 || '/'`, session)
	if err != nil {
		return nil, err
	}
	return tx.findSessionRows(append(IDs(chains, Session), session))
}

func (tx Rows) findSessionRows(sessions []string) ([]Row, error) {
	const chosen = `t.session_id IN (SELECT value FROM json_each(?1))`
	var all []Row
	for _, part := range []struct{ kind, condition string }{{Dialogue, chosen}, {GoldenQuery, chosen}, {Session, chosen}, {Transcript, namedAfterSession}} {
		list, err := tx.where(part.kind, part.condition, query.List(sessions))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// namedAfterSession holds for a file that is named after one of some sessions: by
// what stands behind the last slash of its id, of which Gemini CLI takes eight
// characters.
const namedAfterSession = `EXISTS (SELECT 1 FROM json_each(?1) j JOIN capture_sessions s ON s.session_id = j.value
	WHERE s.client = t.client AND instr(t.path, substr(replace(s.session_id, rtrim(s.session_id, replace(s.session_id, '/', '')), ''), 1, iif(s.client = 'gemini-cli', 8, 100)) || '.json') > 0)`

// FindProjectRows returns a project with those that were joined to it, their sessions,
// what was said in them and the insights that were remembered for them.
func (tx Rows) FindProjectRows(id int64) ([]Row, error) {
	const parts = `(WITH RECURSIVE part(id) AS (SELECT ?1 UNION SELECT p.id FROM capture_projects p JOIN part ON p.joined = part.id) SELECT `
	all, err := tx.where(Project, `t.id IN `+parts+`id FROM part)`, id)
	if err != nil {
		return nil, err
	}
	remembered, err := tx.where(Insight, `t.superseded_by IS NULL AND iif(json_valid(t.metadata), t.metadata ->> '$.project', NULL) IN `+parts+`key FROM capture_projects JOIN part USING (id))`, id)
	if err != nil {
		return nil, err
	}
	all = append(all, remembered...)
	sessions, err := tx.where(Session, `t.project = ?1`, id)
	if err != nil {
		return nil, err
	}
	of, err := tx.findSessionRows(IDs(sessions, Session))
	if err != nil {
		return nil, err
	}
	moved, err := tx.findMovedTurns(id)
	return append(append(all, of...), moved...), err
}

// findMovedTurns returns what was said in a project in sessions of others.
func (tx Rows) findMovedTurns(id int64) ([]Row, error) {
	return tx.where(Dialogue, `t.id IN (SELECT m.l0_id FROM capture_turns m WHERE m.project = ?1)
		AND NOT EXISTS (SELECT 1 FROM capture_sessions s WHERE s.session_id = t.session_id AND s.project = ?1)`, id)
}

// FindDerivedInsights returns the insights that name one of some rows of dialogue
// as a source.
func (tx Rows) FindDerivedInsights(ids []int64) ([]Row, error) {
	return tx.where(Insight, `t.id IN (SELECT s.insight_id FROM json_each(?1) j JOIN l2_sources s ON s.l0_id = j.value)`, query.List(ids))
}

// FindExtractedInsights returns the insights that were extracted, without a model, from
// some rows of dialogue and from nothing else in all their history.
func (tx Rows) FindExtractedInsights(ids []int64) ([]Row, error) {
	return tx.where(Insight, `t.superseded_by IS NULL AND t.root_id IN (SELECT i.root_id FROM json_each(?1) j JOIN l2_sources s ON s.l0_id = j.value JOIN l2_insights i ON i.id = s.insight_id)
		AND NOT EXISTS (SELECT 1 FROM l2_insights i WHERE i.root_id = t.root_id AND iif(json_valid(i.metadata), i.metadata ->> '$.extracted', NULL) IS NULL)
		AND NOT EXISTS (SELECT 1 FROM l2_insights i JOIN l2_sources s ON s.insight_id = i.id JOIN l0_raw d ON d.id = s.l0_id
			WHERE i.root_id = t.root_id AND d.id NOT IN (SELECT value FROM json_each(?1)))`, query.List(ids))
}

// FindInsights returns insights by the first row of their history, as their
// newest row says them.
func (tx Rows) FindInsights(roots []int64) ([]Row, error) {
	return tx.where(Insight, `t.superseded_by IS NULL AND t.root_id IN (SELECT value FROM json_each(?1))`, query.List(roots))
}

// FindRecordParts returns the records that live and die with some others: the items of
// their files, but for the movements that another statement lists too.
func (tx Rows) FindRecordParts(records []string) ([]Row, error) {
	return tx.where(Record, `t.seq IN (SELECT p.part FROM json_each(?1) j JOIN records r ON r.id = j.value JOIN record_parts p ON p.parent = r.seq
		WHERE NOT EXISTS (SELECT 1 FROM record_blobs b JOIN record_blobs o ON o.sha256 = b.sha256 JOIN records q ON q.seq = o.record
			WHERE b.record = p.part AND q.properties ->> '$.document_type' = 'statement' AND q.id NOT IN (SELECT value FROM json_each(?1))))`, query.List(records))
}

// FindCitingDocuments returns the documents that name some records as their source.
func (tx Rows) FindCitingDocuments(records []string) ([]Row, error) {
	return tx.where(Record, `EXISTS (SELECT 1 FROM json_each(p.source_refs) s JOIN json_each(?1) j ON s.value = j.value)`, query.List(records))
}

// FindEntitiesOnlyIn returns the entities of which no document but some records says anything: a
// correction alone says nothing.
func (tx Rows) FindEntitiesOnlyIn(records []string) ([]Row, error) {
	return tx.where(TruthEntity, `t.root = t.seq AND t.seq IN (SELECT o.entity FROM json_each(?1) j JOIN records r ON r.id = j.value JOIN truth_observations o ON o.record = r.seq)
		AND NOT EXISTS (SELECT 1 FROM truth_observations o JOIN records r ON r.seq = o.record WHERE o.entity = t.seq AND o.source <> 'correction' AND r.id NOT IN (SELECT value FROM json_each(?1)))`, query.List(records))
}

// FindRecordsOfEntities returns the records that are some entities, and the corrections of
// them: what these say is said of nothing else.
func (tx Rows) FindRecordsOfEntities(entities []string) ([]Row, error) {
	return tx.where(Record, `t.seq IN (
		SELECT r.seq FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_entities g ON g.root = e.root JOIN records r ON r.entity = g.seq
		UNION SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.entity = e.root AND o.source = 'correction')`, query.List(entities))
}

// FindMentioningRecords returns the records that say something of some entities.
func (tx Rows) FindMentioningRecords(entities []string) ([]Row, error) {
	return tx.where(Record, `t.seq IN (SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.entity = e.root)`, query.List(entities))
}

// FindEntitiesByName returns the entities of some ids or exact names.
func (tx Rows) FindEntitiesByName(names []string) ([]Row, error) {
	return tx.where(TruthEntity, `t.root = t.seq AND (t.id IN (SELECT value FROM json_each(?1)) OR t.name <> '' AND lower(t.name) IN (SELECT lower(value) FROM json_each(?1)))`, query.List(names))
}
