package kinds

import "toolkit/store"

// kind is what work across families needs to know of the rows of one kind.
type kind struct {
	name     string
	from     string // its table, as t, and what is read with it
	id       string
	numbered bool // its ids are numbers
	text     string
	mention  string // how others may mention it; empty: by nothing short of its text
	at       string
	order    string   // the id, if empty
	searched []string // all texts of a row, in whichever table

	parts   []link // what goes wherever it goes
	derived []link // what was made from it and can do without

	topic store.Topic
	clean string // what is set right before rows of it are deleted
}

// link is a condition for rows of a kind, of which ?1 is a list of ids of others.
type link struct{ kind, where string }

const listed = `(SELECT value FROM json_each(?1))`

// registry is the one table of what is stored, in the order in which kinds are shown
// and deleted. Insights go before the dialogue that they came from: their history is
// known by its first row, and that may go with the dialogue.
var registry = []kind{
	// Of entities, the ids in parts are those of all that lives inside them too.
	{name: Entity, from: `entities t LEFT JOIN beats b ON b.entity_id = t.id`, id: `t.name`, text: `t.name || ' (' || t.type || ') ' || t.title`,
		mention: `CASE t.title WHEN '' THEN t.name ELSE t.title END`, at: `t.created_at`, order: `t.id`,
		searched: []string{`t.name`, `t.type`, `t.title`, `t.body`, `t.metadata`, `t.extra`, `t.origin`,
			`b.type_dramatic`, `b.universes`, `b.narrative`, `b.alignment`, `b.directions`},
		parts: []link{{Entity, `t.id IN ` + listed}, {Observation, `t.entity_id IN ` + listed}, {Relation, `t.from_id IN ` + listed + ` OR t.to_id IN ` + listed}}},
	{name: Observation, from: `observations t JOIN entities e ON e.id = t.entity_id`, id: `t.id`, numbered: true,
		text: `CASE e.title WHEN '' THEN e.name ELSE e.title END || ': ' || t.content`, mention: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	{name: Relation, from: `relations t JOIN entities a ON a.id = t.from_id JOIN entities z ON z.id = t.to_id`, id: `t.id`, numbered: true,
		text: `a.name || ' ' || t.type || ' ' || z.name`, mention: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`, `t.extra`}, topic: store.TopicGraph},
	{name: Line, from: `foreign_lines t`, id: `t.id`, numbered: true, text: `t.raw`, mention: `''`, at: `0`, searched: []string{`t.raw`}, topic: store.TopicGraph},
	{name: Insight, from: `l2_insights t`, id: `t.root_id`, numbered: true, text: currentInsight, mention: `t.content`, at: `t.created_at`, order: `t.id`,
		searched: []string{`t.content`, `t.metadata`, `t.reason`}},
	{name: Dialogue, from: `l0_raw t`, id: `t.id`, numbered: true, text: `t.speaker || ': ' || t.content`, mention: `t.content`, at: `t.occurred_at`,
		searched: []string{`t.content`, `t.metadata`, `t.session_id`, `t.speaker`},
		parts:    []link{{GoldenQuery, copiesDialogue}, {GroundTruth, copiesDialogue}, {Insight, extractedOnly}},
		derived:  []link{{Insight, `t.superseded_by IS NULL AND t.id IN (SELECT s.insight_id FROM json_each(?1) j JOIN l2_sources s ON s.l0_id = j.value)`}}},
	{name: Episode, from: `episode_memory t`, id: `t.id`, numbered: true, text: `t.query || ' ' || t.reflection`, mention: `t.reflection`, at: `t.created_at`,
		searched: []string{`t.query`, `t.reflection`}},
	{name: Working, from: `working_memory t`, id: `t.id`, numbered: true, text: `t.content`, mention: `t.content`, at: `t.created_at`, searched: []string{`t.content`}, topic: store.TopicWorking},
	{name: Stale, from: `stale_memory t`, id: `t.id`, numbered: true, text: `t.original_content`, mention: `t.original_content`, at: `t.archived_at`,
		searched: []string{`t.original_content`}, topic: store.TopicStale},
	{name: GoldenQuery, from: `golden_queries t`, id: `t.id`, numbered: true, text: `t.query`, mention: `t.query`, at: `t.created_at`,
		searched: []string{`t.query`, `t.session_id`}, topic: store.TopicGolden,
		// The result of a day quotes the queries that did worse.
		clean: `UPDATE golden_results SET metrics = json_set(metrics, '$.drops', (SELECT json_group_array(json(d.value)) FROM json_each(metrics, '$.drops') d
			WHERE CAST(d.value ->> '$.id' AS BIGINT) NOT IN (SELECT value FROM json_each(?1)))) WHERE json_array_length(metrics, '$.drops') > 0`},
	{name: GroundTruth, from: `ground_truth t`, id: `t.id`, numbered: true, text: `t.query`, mention: `t.query`, at: `t.created_at`, searched: []string{`t.query`}, topic: store.TopicGolden},
	{name: Session, from: `capture_sessions t`, id: `t.session_id`, text: `t.session_id || ' ' || t.title`, mention: `t.title`, at: `t.ended_at`, order: `t.started_at, t.session_id`,
		searched: []string{`t.session_id`, `t.title`, `t.branch`}},
	{name: Project, from: `capture_projects t`, id: `t.id`, numbered: true, text: `t.name || ' (' || t.root || ')'`, mention: `''`, at: `t.created_at`,
		searched: []string{`t.name`, `t.root`, `t.remote`, `t.key`}},
	{name: Transcript, from: `capture_sources t`, id: `t.id`, numbered: true, text: `'how far ' || t.path || ' was read; the file stays'`, mention: `''`, at: `t.last_run`, searched: []string{`t.path`, `t.last_error`}},
	{name: Record, from: `records t LEFT JOIN payloads p ON p.id = t.id`, id: `t.id`, order: `t.seq`,
		text:    `t.type || ' ' || coalesce(nullif(t.properties ->> '$.file_name', '') || ': ', '') || coalesce(t.properties ->> '$.title', t.properties ->> '$.name', t.properties ->> '$.filename', t.properties ->> '$.summary', t.properties ->> '$.content', t.properties)`,
		mention: `coalesce(t.properties ->> '$.title', t.properties ->> '$.filename', '')`, at: `t.created_at`,
		searched: []string{`t.type`, `t.properties`, `t.file_urls`, `p.body`, `p.source_refs`, `p.extractor_version`, `p.agent_id`, `p.client_request_id`,
			`(SELECT group_concat(o.fields || ' ' || o.request, ' | ') FROM truth_observations o WHERE o.record = t.seq)`,
			`(SELECT group_concat(h.type || ' ' || h.properties || ' ' || h.file_urls, ' | ') FROM record_history h WHERE h.record = t.seq)`},
		parts:   []link{{Record, partOfRecords}, {TruthEntity, knownOnlyFromRecords}},
		derived: []link{{Record, `EXISTS (SELECT 1 FROM json_each(p.source_refs) s WHERE s.value IN ` + listed + `)`}}},
	{name: TruthEntity, from: `truth_entities t LEFT JOIN truth_entities h ON h.seq = t.root AND h.seq <> t.seq`, id: `t.id`, order: `t.seq`,
		text: `t.name || ' (' || t.type || coalesce(', merged into ' || h.name, '') || ')'`, mention: `t.name`, at: `t.created_at`, searched: []string{`t.name`, `t.type`},
		parts:   []link{{Record, saidOfEntitiesAlone}},
		derived: []link{{Record, `t.seq IN (SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.origin = e.seq)`}}},
	{name: Relationship, from: `typed_relationships t JOIN truth_entities a ON a.seq = t.source JOIN truth_entities z ON z.seq = t.target`, id: `t.id`, order: `t.created_at, t.id`,
		text: `a.name || ' ' || t.type || ' ' || z.name`, mention: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`}},
	// Of pockets, what was brought in or derived from it. A pocket itself is one of a published list, sealed
	// predictions never go, and readings and events stand without the outlets that they name.
	{name: PocketOutlet, from: `pocket_outlets t`, id: `t.id`, text: `t.name || ' ' || t.unit || ' in ' || t.pocket`, mention: `t.name`, at: `0`,
		searched: []string{`t.name`, `t.unit`, `t.category`, `t.dna`}, topic: store.TopicPockets},
	{name: PocketReading, from: `pocket_readings t`, id: `t.pocket || ' ' || t.captured_at`, text: `t.pocket || ': ' || t.primary_state`, mention: `''`, at: `t.captured_at`,
		order: `t.pocket, t.captured_at`, searched: []string{`t.primary_state`}, topic: store.TopicPockets},
	{name: PocketLedger, from: `pocket_ledger t`, id: `json_array(t.pocket, t.occurred_at, t.outlet, t.entry)`, text: `t.pocket || ' ' || t.outlet || ' ' || t.entry`, mention: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.outlet, t.entry`, searched: []string{`t.outlet`, `t.entry`}, topic: store.TopicPockets},
	{name: PocketAttention, from: `pocket_attention t`, id: `json_array(t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event)`,
		text: `t.pocket || ': ' || t.kind || ' ' || t.user || ' ' || t.outlet`, mention: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event`, searched: []string{`t.user`, `t.outlet`, `t.event`}, topic: store.TopicPockets},
	{name: PocketQuality, from: `pocket_quality t`, id: `t.pocket || ' ' || t.computed_at`, text: `t.pocket || ': moment quality'`, mention: `''`, at: `t.computed_at`,
		order: `t.pocket, t.computed_at`, searched: []string{`t.neutral`}, topic: store.TopicPockets},
}

// groups are the words that mean more than the row of an id.
var groups = map[string][]link{
	GroupSession: linksOfSessions(`SELECT value FROM json_each(?1) UNION
		SELECT c.session_id FROM json_each(?1) j JOIN capture_sessions c ON c.side_chain <> 0 AND substr(c.session_id, 1, length(j.value) + 1) = j.value || '/'`, ``),
	// With those that were joined to it, and the insights that were remembered for them.
	Project: append([]link{
		{Project, `t.id IN ` + joinedProjects + `SELECT id FROM part)`},
		{Insight, `t.superseded_by IS NULL AND iif(json_valid(t.metadata), t.metadata ->> '$.project', NULL) IN ` + joinedProjects + `SELECT key FROM capture_projects JOIN part USING (id))`},
	}, linksOfSessions(`SELECT c.session_id FROM capture_sessions c WHERE c.project IN `+listed, ` OR t.id IN (SELECT m.l0_id FROM capture_turns m WHERE m.project IN `+listed+`)`)...),
	// By any row of its history, as its newest row says it.
	Insight: {{Insight, `t.superseded_by IS NULL AND t.root_id IN (SELECT i.root_id FROM l2_insights i WHERE i.id IN ` + listed + `)`}},
	// Who says entity may mean one of documents.
	Entity:      {{Entity, `t.name IN ` + listed}, {Entity, namedChart}, {TruthEntity, namedEntity}},
	GroupChart:  {{Entity, namedChart}},
	GroupPocket: {{PocketOutlet, ofPocket}, {PocketReading, ofPocket}, {PocketLedger, ofPocket}, {PocketAttention, ofPocket}, {PocketQuality, ofPocket}},
	TruthEntity: {{TruthEntity, namedEntity}},
}

// GroupSession is the word for the dialogue of a session and of its side chains, the
// queries asked in them and what else is known of them.
const GroupSession = "session"

// GroupChart is the word for a chart by its id or its whole outcome.
const GroupChart = "chart"

// GroupPocket is the word for all that is known of a pocket, by its id, but for what was sealed.
const GroupPocket = "pocket"

// linksOfSessions returns the links to the rows of some sessions, and further dialogue.
func linksOfSessions(sessions, furtherDialogue string) []link {
	chosen := `t.session_id IN (` + sessions + `)`
	return []link{
		{Dialogue, chosen + furtherDialogue}, {GoldenQuery, chosen}, {Session, chosen},
		// A file is named after a session by what stands behind the last slash of its id,
		// of which Gemini CLI takes eight characters.
		{Transcript, `EXISTS (SELECT 1 FROM capture_sessions s WHERE s.session_id IN (` + sessions + `) AND s.client = t.client
			AND instr(t.path, substr(replace(s.session_id, rtrim(s.session_id, replace(s.session_id, '/', '')), ''), 1, iif(s.client = 'gemini-cli', 8, 100)) || '.json') > 0)`},
	}
}

const (
	joinedProjects = `(WITH RECURSIVE part(id) AS (SELECT value FROM json_each(?1) UNION SELECT p.id FROM capture_projects p JOIN part ON p.joined = part.id) `

	namedChart = `t.id IN (SELECT c.entity_id FROM charts c) AND (t.name IN ` + listed + ` OR lower(t.title) IN (SELECT lower(value) FROM json_each(?1)))`

	ofPocket = `t.pocket IN ` + listed

	// namedEntity holds for entities of a name or an id, with all that were merged into them.
	namedEntity = `t.seq IN (WITH RECURSIVE part(seq) AS (
		SELECT n.seq FROM truth_entities n WHERE n.id IN ` + listed + ` OR n.name <> '' AND lower(n.name) IN (SELECT lower(value) FROM json_each(?1))
		UNION SELECT m.seq FROM truth_entities m JOIN part ON m.merged_into = part.seq) SELECT seq FROM part)`

	// currentInsight is what a version of an insight says and, if it is an earlier one, what the
	// insight says now, for that goes with it.
	currentInsight = `t.content || CASE WHEN t.superseded_by IS NULL THEN '' ELSE
		coalesce(' (an earlier version; now: ' || (SELECT n.content FROM l2_insights n WHERE n.root_id = t.root_id AND n.superseded_by IS NULL LIMIT 1) || ')', '') END`

	// copiesDialogue holds for queries that say what rows of dialogue say.
	copiesDialogue = `t.query IN (SELECT d.content FROM l0_raw d JOIN json_each(?1) j ON j.value = d.id)`

	// extractedOnly holds for insights that were extracted, without a model, from some
	// rows of dialogue and from nothing else in all their history: they are its words.
	extractedOnly = `t.superseded_by IS NULL AND t.root_id IN (SELECT i.root_id FROM json_each(?1) j JOIN l2_sources s ON s.l0_id = j.value JOIN l2_insights i ON i.id = s.insight_id)
		AND NOT EXISTS (SELECT 1 FROM l2_insights i WHERE i.root_id = t.root_id AND iif(json_valid(i.metadata), i.metadata ->> '$.extracted', NULL) IS NULL)
		AND NOT EXISTS (SELECT 1 FROM l2_insights i JOIN l2_sources s ON s.insight_id = i.id JOIN l0_raw d ON d.id = s.l0_id
			WHERE i.root_id = t.root_id AND d.id NOT IN ` + listed + `)`

	// partOfRecords holds for the items of files, but for the movements that another
	// statement lists too.
	partOfRecords = `t.seq IN (SELECT p.part FROM ` + partsOfRecords + ` WHERE NOT EXISTS (
		SELECT 1 FROM record_blobs b WHERE b.record = p.part AND b.sha256 IN (` + filesOfOtherStatements + `)))`

	// filesOfOtherStatements are found once for all items, which mostly are of one file.
	filesOfOtherStatements = `SELECT o.sha256 FROM record_blobs o JOIN records q ON q.seq = o.record
		WHERE o.sha256 IN (SELECT f.sha256 FROM ` + partsOfRecords + ` JOIN record_blobs f ON f.record = p.part)
		AND q.properties ->> '$.document_type' = 'statement' AND q.id NOT IN ` + listed

	partsOfRecords = `json_each(?1) j JOIN records r ON r.id = j.value JOIN record_parts p ON p.parent = r.seq`

	// knownOnlyFromRecords holds for entities of which no document but some records says
	// anything: a correction alone says nothing. One that was merged is known from its own
	// documents, the one that holds it from those of all.
	knownOnlyFromRecords = `t.seq IN (SELECT o.origin FROM ` + saidInRecords + ` UNION SELECT o.entity FROM ` + saidInRecords + `)
		AND NOT EXISTS (SELECT 1 FROM truth_observations o JOIN records r ON r.seq = o.record
			WHERE (o.origin = t.seq OR o.entity = t.seq) AND o.source <> 'correction' AND r.id NOT IN ` + listed + `)`

	saidInRecords = `json_each(?1) j JOIN records r ON r.id = j.value JOIN truth_observations o ON o.record = r.seq`

	// saidOfEntitiesAlone holds for the records that are some entities, and for the
	// corrections of them.
	saidOfEntitiesAlone = `t.seq IN (
		SELECT r.seq FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN records r ON r.entity = e.seq
		UNION SELECT o.record FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_observations o ON o.origin = e.seq AND o.source = 'correction')`
)
