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

// InsertHookRun keeps a run and drops the oldest.
func (tx Rows) InsertHookRun(r Run) error {
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

// CountRunsWithError counts the runs since a moment whose error begins so.
func (tx Rows) CountRunsWithError(beginning string, since time.Time) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM hook_runs WHERE at >= ?1 AND substr(error, 1, length(?2)) = ?2`, millis(since), beginning)
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

// SaveShownFingerprints notes what a session was shown.
func (tx Rows) SaveShownFingerprints(session string, fingerprints []string) error {
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

// EnsureLastSweepTime is up to when the sessions of a client were looked through. If they never
// were, that is noted as now.
func (tx Rows) EnsureLastSweepTime(client string) (time.Time, error) {
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO hook_sweeps(client, at) VALUES(?, ?)`, client, tx.sql.Now()); err != nil {
		return time.Time{}, err
	}
	return tx.readTime(`SELECT at FROM hook_sweeps WHERE client = ?`, client)
}

// NoteSweep notes that the sessions of a client were looked through.
func (tx Rows) NoteSweep(client string, until time.Time) error {
	return tx.sql.Exec(`UPDATE hook_sweeps SET at = max(at, ?) WHERE client = ?`, millis(until), client)
}
