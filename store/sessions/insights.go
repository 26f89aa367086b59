package sessions

import (
	"time"

	"toolkit/store/internal/query"
)

// maxRemembered is how many of the newest insights are looked at for those that an
// assistant remembered in a session, which name no turn of it.
const maxRemembered = 2000

// insightSession is the session in which an insight was remembered, and insightClient the
// client that wrote it; NULL: it came from what was said.
const (
	insightSession = `iif(json_valid(metadata), metadata ->> '$.session', NULL)`
	insightClient  = `iif(json_valid(metadata), metadata ->> '$.client', NULL)`
)

// InsightSource says where an insight comes from. What is not known is empty.
type InsightSource struct {
	Session     string // in which it was said, or remembered
	Client      string // that wrote it, else that of the session
	Project     int64  // in which it was said, or holds; 0: none
	ProjectName string
}

// SourcesOfInsights returns where insights come from, by their ids.
func (tx Rows) SourcesOfInsights(insights []int64) (map[int64]InsightSource, error) {
	found := make(map[int64]InsightSource, len(insights))
	err := tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var s InsightSource
		err := scan(&id, &s.Session, &s.Client, &s.Project, &s.ProjectName)
		found[id] = s
		return err
	}, `WITH few AS (
			SELECT i.id, `+insightProjectKey+` AS project, `+insightSession+` AS session, `+insightClient+` AS client,
				(SELECT s.l0_id FROM l2_sources s JOIN l0_raw r ON r.id = s.l0_id WHERE s.insight_id = i.id ORDER BY s.position LIMIT 1) AS turn
			FROM json_each(?) j CROSS JOIN l2_insights i ON i.id = j.value
		), known AS (
			SELECT few.id, coalesce(d.session_id, few.session, '') AS session, coalesce(few.client, c.client, '') AS client,
				CASE WHEN few.project IS NOT NULL THEN (`+topProjectQuery(`k.id`)+`) WHEN d.id IS NOT NULL THEN `+inProject+` END AS project
			FROM few LEFT JOIN l0_raw d ON d.id = few.turn LEFT JOIN capture_sessions c ON c.session_id = coalesce(d.session_id, few.session)
				LEFT JOIN capture_turns m ON m.l0_id = d.id LEFT JOIN capture_projects k ON k.key = few.project
		) SELECT known.id, known.session, known.client, coalesce(known.project, 0), coalesce(p.name, '') FROM known LEFT JOIN capture_projects p ON p.id = known.project`, query.List(insights))
	return found, err
}

// ListInsights returns the ids of the insights of a choice, newest first: those before the
// insight of an id (0: from the newest on). Superseded and deleted ones only when asked for.
func (tx Rows) ListInsights(c TurnFilter, before int64, retired bool, limit int) ([]int64, error) {
	where, args := c.insightCondition(), c.bindArguments(limit)
	if !retired {
		where += ` AND few.superseded_by IS NULL AND few.deleted_at IS NULL`
	}
	if before != 0 {
		where, args = where+` AND (few.created_at, few.id) < (SELECT created_at, id FROM l2_insights WHERE id = ?4)`, append(args, before)
	}
	return tx.sql.IDs(`SELECT few.id FROM l2_insights few WHERE `+where+` ORDER BY few.created_at DESC, few.id DESC LIMIT ?3`, args...)
}

// InsightsOfSessions returns the ids of the current insights that sessions brought, by
// session, newest first and at most limit of each.
func (tx Rows) InsightsOfSessions(sessions []string, limit int) (map[string][]int64, error) {
	return query.Lists[string, int64](tx.sql, `SELECT session, id FROM (
			SELECT o.session, i.id, row_number() OVER (PARTITION BY o.session ORDER BY i.created_at DESC, i.id DESC) AS place
			FROM (`+insightsOfSessions+`) o JOIN l2_insights i ON i.id = o.id WHERE i.superseded_by IS NULL AND i.deleted_at IS NULL
		) placed WHERE place <= ?3 ORDER BY session, place`, query.List(sessions), maxRemembered, limit)
}

// insightsOfSessions selects which insights came from the sessions of list ?1, with these;
// ?2 is how many of the newest insights are looked at.
const insightsOfSessions = `SELECT d.session_id AS session, s.insight_id AS id FROM json_each(?1) j CROSS JOIN l0_raw d ON d.session_id = j.value CROSS JOIN l2_sources s ON s.l0_id = d.id
	UNION SELECT session, id FROM (SELECT id, ` + insightSession + ` AS session FROM l2_insights ORDER BY created_at DESC, id DESC LIMIT ?2) newest WHERE session IN (SELECT value FROM json_each(?1))`

// InsightOfStatement returns the insight that a statement became, by the hash of the statement;
// 0 and known when that was forgotten.
func (tx Rows) InsightOfStatement(statement []byte) (id int64, known bool, err error) {
	return query.Find(tx.sql, query.Column[int64], `SELECT coalesce(insight, 0) FROM capture_things WHERE thing = ?`, statement)
}

// NoteInsightOfStatement notes which insight a statement became.
func (tx Rows) NoteInsightOfStatement(statement []byte, insight int64) error {
	return tx.sql.Exec(`INSERT INTO capture_things(thing, insight) VALUES(?, ?) ON CONFLICT(thing) DO UPDATE SET insight = excluded.insight`, statement, insight)
}

// Replacement is what became of what was learned from a row of dialogue.
type Replacement struct {
	Content string // of the insight that stands in its place; "" when it was deleted
	Reason  string // why it was deleted
}

// FindInsightReplacements returns what now stands in the place of insights from rows of dialogue where
// that does not come from the same row, and of which insights were deleted.
func (tx Rows) FindInsightReplacements(dialogue []int64) (map[int64]Replacement, error) {
	later := map[int64]Replacement{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var now Replacement
		err := scan(&id, &now.Content, &now.Reason)
		later[id] = now
		return err
	}, `WITH learned(said, insight) AS (
			SELECT s.l0_id, s.insight_id FROM json_each(?1) j CROSS JOIN l2_sources s ON s.l0_id = j.value)
		SELECT l.said, iif(n.deleted_at IS NULL, n.content, ''), n.reason FROM learned l CROSS JOIN l2_insights i ON i.id = l.insight AND (i.superseded_by IS NOT NULL OR i.deleted_at IS NOT NULL)
			CROSS JOIN l2_insights n ON n.root_id = i.root_id AND n.superseded_by IS NULL
		WHERE n.deleted_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM json_each(n.source_ids) WHERE CAST(value AS BIGINT) = l.said) ORDER BY n.deleted_at IS NULL, n.id`, query.List(dialogue))
	return later, err
}

// DatedInsight is an insight with the day of what it came from.
type DatedInsight struct {
	ID        int64
	At        time.Time
	Due       string // day of a promise, or empty
	InSession bool   // it came from the session now running
	Elsewhere bool   // it was said in another project alone
}

// maxScannedInsights is how many insights are looked at for those of a project.
const maxScannedInsights = 2000

// datedInsightsQuery are the current insights of project ?1 and of none, and those of kind ?5 of
// all, and whether they came from session ?2. The day of one is that of what
// it came from; of one that took the place of another, that of the change.
const datedInsightsQuery = `WITH newest AS (
		SELECT id, created_at, version, ` + insightProjectKey + ` AS project, coalesce(iif(json_valid(metadata), metadata ->> '$.extracted', NULL), '') = ?5 AS everywhere, iif(json_valid(metadata), metadata ->> '$.due', NULL) AS due
		FROM l2_insights WHERE superseded_by IS NULL AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?4
	), said AS (
		SELECT n.id, max(d.occurred_at) AS at, max(CASE WHEN d.session_id = ?2 THEN 1 ELSE 0 END) AS now,
			max(CASE WHEN ` + inProject + ` = ?1 THEN 1 ELSE 0 END) AS here, count(` + inProject + `) AS projects
		FROM newest n JOIN l2_sources s ON s.insight_id = n.id JOIN l0_raw d ON d.id = s.l0_id LEFT JOIN capture_sessions c ON c.session_id = d.session_id LEFT JOIN capture_turns m ON m.l0_id = d.id
		GROUP BY n.id
	), learned AS (
		SELECT n.id, coalesce(CASE WHEN n.version = 1 THEN s.at END, n.created_at) AS at, coalesce(n.due, '') AS due, coalesce(s.now, 0) = 1 AS now,
			coalesce(s.here, 0) = 1 OR n.project IN (SELECT key FROM capture_projects WHERE id IN (` + projectTree + `)) IS TRUE AS here,
			coalesce(s.projects, 0) > 0 OR n.project IS NOT NULL AS somewhere, n.everywhere
		FROM newest n LEFT JOIN said s ON s.id = n.id
	) SELECT id, at, due, now, somewhere AND NOT here FROM learned WHERE (here OR everywhere OR NOT somewhere) `

// insightProjectKey is the key of the project that an insight was remembered for; NULL: none.
const insightProjectKey = `iif(json_valid(metadata), metadata ->> '$.project', NULL)`

// ListInsightsOfProject returns the current insights of a project, the last one first, then
// those that come from no project, or are of a kind that holds everywhere. It marks what came from the
// session now running.
func (tx Rows) ListInsightsOfProject(project int64, running, everywhere string, limit int) ([]DatedInsight, error) {
	return query.Select(tx.sql, func(i *DatedInsight) []any {
		return []any{&i.ID, query.Millis(&i.At), &i.Due, &i.InSession, &i.Elsewhere}
	},
		datedInsightsQuery+`ORDER BY here DESC, at DESC, id DESC LIMIT ?3`, project, running, limit, maxScannedInsights, everywhere)
}
