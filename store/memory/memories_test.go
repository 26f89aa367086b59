package memory

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

func TestLabelledQueriesCannotBeChangedOrDeleted(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		if _, err := rows.InsertGoldenQuery(GoldenQuery{Query: "a", ExpectedDocs: []int64{1}, WordCount: 1}); err != nil {
			return err
		}
		if _, err := rows.InsertGoldenQuery(GoldenQuery{Query: "b", WordCount: 1}); err != nil {
			return err
		}
		if _, err := rows.InsertGroundTruth("a", []int64{1}); err != nil {
			return err
		}
		_, err := rows.InsertGroundTruth("b", nil)
		return err
	})
	for _, table := range []string{"golden_queries", "ground_truth"} {
		for _, change := range []string{
			`UPDATE ` + table + ` SET expected_docs = '[2]' WHERE id = 1`,
			`UPDATE ` + table + ` SET query = 'c' WHERE id = 1`,
			`UPDATE ` + table + ` SET expected_docs = NULL WHERE id = 1`,
			`DELETE FROM ` + table + ` WHERE id = 1`,
			`INSERT OR REPLACE INTO ` + table + ` SELECT * FROM ` + table + ` WHERE id = 1`,
		} {
			if err := db.Write(t.Context(), func(tx *store.Tx) error { return In(tx).sql.Exec(change) }); err == nil || !strings.Contains(err.Error(), "frozen") {
				t.Errorf("%s: %v", change, err)
			}
		}
		storetest.Write(t, db, func(tx *store.Tx) error {
			return In(tx).sql.Exec(`UPDATE ` + table + ` SET expected_docs = '[2]' WHERE id = 2`)
		})
	}
	kappa, mode := 0.5, "caller"
	storetest.Write(t, db, func(tx *store.Tx) error {
		return In(tx).StoreEvaluation(Evaluation{QueryID: 1, Kappa: &kappa, Mode: mode, PerDocument: []JudgeScore{{DocID: 1, Judge1: &kappa}}})
	})
}

func TestWorkingMemoryRefusesWhatItsRulesExclude(t *testing.T) {
	db := storetest.Open(t)
	for _, importance := range []float64{-0.01, 1.01} {
		if err := db.Write(t.Context(), func(tx *store.Tx) error {
			_, err := In(tx).InsertWorkingItem("x", importance)
			return err
		}); err == nil {
			t.Errorf("an importance of %v was stored", importance)
		}
	}
	if err := db.Write(t.Context(), func(tx *store.Tx) error {
		id, err := In(tx).InsertWorkingItem("x", 0.5)
		if err != nil {
			return err
		}
		_, _, err = In(tx).ArchiveWorkingItem(id, "OTHER")
		return err
	}); err == nil {
		t.Error("an unknown reason was stored")
	}
}

// No list of the family may read a whole table to find a few rows.
func TestMemoryQueriesUseTheirIndexes(t *testing.T) {
	db := storetest.Open(t)
	tests := map[string]struct {
		query, index string
	}{
		"dialogue of a session":    {dialogueColumns + `WHERE occurred_at >= ?1 AND occurred_at < ?2 AND session_id = ?3 ORDER BY occurred_at DESC, id DESC LIMIT 5`, "l0_raw_session"},
		"dialogue of a speaker":    {dialogueColumns + `WHERE occurred_at >= ?1 AND occurred_at < ?2 AND speaker = ?3 ORDER BY occurred_at, id LIMIT 5`, "l0_raw_speaker"},
		"dialogue of a time":       {dialogueColumns + `WHERE occurred_at >= ?1 AND occurred_at < ?2 ORDER BY occurred_at DESC, id DESC LIMIT 5`, "l0_raw_time"},
		"newest insights":          {insightColumns + `FROM l2_insights i WHERE i.created_at >= ?1 AND i.created_at < ?2 ORDER BY i.created_at DESC, i.id DESC LIMIT 5`, "l2_insights_time"},
		"history of an insight":    {insightColumns + `FROM l2_insights i WHERE i.root_id = ?1 ORDER BY i.version LIMIT 5`, "l2_insights_history"},
		"stale memory of a time":   {`SELECT id FROM stale_memory WHERE archived_at >= ?1 AND importance >= ?2 ORDER BY archived_at DESC, id DESC LIMIT 5`, "stale_memory_time"},
		"newest working memory":    {workingColumns + `ORDER BY access_seq DESC LIMIT 5`, "sqlite_autoindex_working_memory"},
		"episodes of a time":       {`SELECT id FROM episode_memory WHERE created_at >= ?1 AND created_at < ?2 ORDER BY created_at DESC, id DESC LIMIT 5`, "episode_memory_time"},
		"golden query by its text": {goldenColumns + `WHERE query = ?1 AND session_id = ?2`, "sqlite_autoindex_golden_queries"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			found := strings.Join(plantest.ExplainPlan(t, db, tc.query), "\n")
			if !strings.Contains(found, tc.index) || strings.Contains(found, "TEMP B-TREE") {
				t.Errorf("the plan is\n%s", found)
			}
		})
	}
}

func TestSessionsAreProposedByPrefix(t *testing.T) {
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		for _, session := range []string{"b1", "a", "b1", "b2", "c%", "B"} {
			if _, err := In(tx).InsertDialogue(Dialogue{SessionID: session, Speaker: "u", At: time.UnixMilli(0)}); err != nil {
				return err
			}
		}
		return nil
	})
	tests := map[string]string{"": "B a b1 b2 c%", "b": "b1 b2", "b2": "b2", "c%": "c%", "x": "", "%": ""}
	for prefix, want := range tests {
		storetest.Read(t, db, func(tx *store.Tx) error {
			got, err := In(tx).Sessions(prefix, 10)
			if joined := strings.Join(got, " "); joined != want {
				t.Errorf("%q gives %q, want %q", prefix, joined, want)
			}
			return err
		})
	}
}
