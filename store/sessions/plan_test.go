package sessions

import (
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

// The last sessions are read at each prompt and note, however many there are.
func TestTheLastSessionsAreFoundByAnIndex(t *testing.T) {
	db := storetest.Open(t)
	for _, project := range []int64{0, 1} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			_, err := In(tx).ListSessions(project, 3)
			return err
		})
	}
	queries := plantest.RequireRecordedQueries(t, db, "FROM capture_sessions", 2)
	plantest.RequireNoFullScans(t, db, queries, func(_, detail string) bool {
		return detail == "SCAN capture_sessions USING INDEX capture_sessions_ended"
	})
}
