package sessions

import (
	"crypto/sha256"
	"time"

	"toolkit/store/internal/query"
)

// Run is what became of one run of a hook.
type Run struct {
	At     time.Time     `json:"at"`
	Client string        `json:"client"`
	Event  string        `json:"event"`
	Took   time.Duration `json:"took"`
	Shown  int           `json:"-"`     // bytes put into the session
	Takes  bool          `json:"takes"` // it was to take something in
	Error  string        `json:"error"` // empty: it went well
}

// maxHookRuns is how many runs are kept: some days of busy work.
const maxHookRuns = 2000

// NoteHookRun keeps a run and drops the oldest.
func (tx Rows) NoteHookRun(r Run) error {
	id, err := tx.sql.Insert(`INSERT INTO hook_runs(at, client, event, took, shown, takes, error) VALUES(?, ?, ?, ?, ?, ?, ?)`,
		millis(r.At), r.Client, r.Event, r.Took.Milliseconds(), r.Shown, r.Takes, r.Error)
	if err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM hook_runs WHERE id <= ?`, id-maxHookRuns)
}

// ListHookRuns returns the last runs that were to take something in, the last one first.
func (tx Rows) ListHookRuns(limit int) ([]Run, error) {
	return query.Select(tx.sql, func(r *Run) []any {
		return []any{query.Millis(&r.At), &r.Client, &r.Event, &r.Took, &r.Shown, &r.Takes, &r.Error}
	}, `SELECT at, client, event, took * 1000000, shown, takes, error FROM hook_runs WHERE takes <> 0 ORDER BY id DESC LIMIT ?`, limit)
}

// hashSession stands for a session without naming it.
func hashSession(session string) []byte {
	sum := sha256.Sum256([]byte(session))
	return sum[:16]
}

// ShownFingerprints are the fingerprints of what a session was shown.
func (tx Rows) ShownFingerprints(session string) (map[string]bool, error) {
	list, err := tx.sql.Texts(`SELECT fingerprint FROM hook_shown WHERE session = ?`, hashSession(session))
	known := make(map[string]bool, len(list))
	for _, name := range list {
		known[name] = true
	}
	return known, err
}

// maxShownDays is how long it is known what a session was shown.
const maxShownDays = 60

// NoteShownFingerprints notes what a session was shown.
func (tx Rows) NoteShownFingerprints(session string, fingerprints []string) error {
	if len(fingerprints) == 0 {
		return nil
	}
	now := tx.sql.Now()
	if err := tx.sql.Exec(`DELETE FROM hook_shown WHERE at < ?`, now-maxShownDays*24*time.Hour.Milliseconds()); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT OR IGNORE INTO hook_shown(session, fingerprint, at) SELECT ?1, value, ?2 FROM json_each(?3)`, hashSession(session), now, query.List(fingerprints))
}

// DeleteShownFingerprints lets a session be shown everything again.
func (tx Rows) DeleteShownFingerprints(session string) error {
	return tx.sql.Exec(`DELETE FROM hook_shown WHERE session = ?`, hashSession(session))
}

// LastSweepTime is up to when the sessions of a client were looked through. If they never
// were, that is noted as now.
func (tx Rows) LastSweepTime(client string) (time.Time, error) {
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO hook_sweeps(client, at) VALUES(?, ?)`, client, tx.sql.Now()); err != nil {
		return time.Time{}, err
	}
	return tx.readTime(`SELECT at FROM hook_sweeps WHERE client = ?`, client)
}

// NoteSweep notes that the sessions of a client were looked through.
func (tx Rows) NoteSweep(client string, until time.Time) error {
	return tx.sql.Exec(`UPDATE hook_sweeps SET at = max(at, ?) WHERE client = ?`, millis(until), client)
}

// DatedInsight is an insight with the day of what it came from.
type DatedInsight struct {
	ID        int64
	At        time.Time
	Due       string // day of a promise, or empty
	InSession bool   // it came from the session now running
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
			(coalesce(s.projects, 0) > 0 OR n.project IS NOT NULL) AND NOT n.everywhere AS somewhere
		FROM newest n LEFT JOIN said s ON s.id = n.id
	) SELECT id, at, due, now FROM learned WHERE (here OR NOT somewhere) `

// insightProjectKey is the key of the project that an insight was remembered for; NULL: none.
const insightProjectKey = `iif(json_valid(metadata), metadata ->> '$.project', NULL)`

// ListDatedInsights returns the current insights of a project, the last one first, then
// those that come from no project, or are of a kind that holds everywhere. It marks what came from the
// session now running.
func (tx Rows) ListDatedInsights(project int64, running, everywhere string, limit int) ([]DatedInsight, error) {
	return query.Select(tx.sql, func(i *DatedInsight) []any { return []any{&i.ID, query.Millis(&i.At), &i.Due, &i.InSession} },
		datedInsightsQuery+`ORDER BY here DESC, at DESC, id DESC LIMIT ?3`, project, running, limit, maxScannedInsights, everywhere)
}
