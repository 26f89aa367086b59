package pockets

import (
	"database/sql"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

// pocketRows stores one row of each kind.
func pocketRows(t *testing.T, db *store.DB) Dataset {
	t.Helper()
	var d Dataset
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		rows := In(tx)
		if d, err = rows.EnsureDataset(Dataset{Name: "d", Source: "s", License: "l"}); err != nil {
			return err
		}
		for _, put := range []func() (bool, error){
			func() (bool, error) {
				return rows.PutReading(Reading{Pocket: "cluny", CapturedAt: 1000, Dataset: d.Seq, Calm: .5, PrimaryState: "calm"})
			},
			func() (bool, error) {
				return rows.PutOutlet(Outlet{ID: "o", Dataset: d.Seq, Pocket: "cluny", Name: "n", Active: true})
			},
			func() (bool, error) {
				return rows.PutLedgerEntry(LedgerEntry{Pocket: "cluny", OccurredAt: 1000, Dataset: d.Seq, LedgerSums: LedgerSums{Trips: new(1.0)}})
			},
			func() (bool, error) {
				return rows.PutAttention(Attention{Pocket: "cluny", OccurredAt: 1000, Kind: "surfaced", User: "u", Dataset: d.Seq})
			},
			func() (bool, error) {
				return rows.PutQuality(Quality{Pocket: "cluny", ComputedAt: 1000, Dataset: d.Seq, Urgency: .5})
			},
			func() (bool, error) {
				_, isNew, err := rows.InsertSealedPrediction(Prediction{ID: "p", Dataset: d.Seq, Pocket: "cluny", Generator: "g", Key: "k", SealedAt: 1, RevealAt: 1000, Payload: json.RawMessage(`{"calm":0.5}`), Seal: "x"})
				return isNew, err
			},
		} {
			if changed, err := put(); err != nil || !changed {
				t.Errorf("a new row changes nothing: %v", err)
			}
			if changed, err := put(); err != nil || changed {
				t.Errorf("the same row again changes something: %v", err)
			}
		}
		return nil
	})
	return d
}

func TestSealedPredictionCannotBeChangedOrDeleted(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	db := storetest.Open(t)
	pocketRows(t, db)
	refused := func(what, query, want string) {
		t.Helper()
		err := db.Write(t.Context(), func(tx *store.Tx) error { return In(tx).sql.Exec(query) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", what, err)
		}
	}
	for _, column := range []string{"id = 'q'", "dataset = 1", "pocket = 'serene'", "generator = 'h'", "prediction_key = 'l'", "sealed_at = 0", "reveal_at = 2", "payload = '{}'", "seal = 'y'", "seq = 9"} {
		refused(column, `UPDATE pocket_predictions SET `+column, "a sealed prediction cannot be changed")
	}
	refused("deleting", `DELETE FROM pocket_predictions`, "cannot be deleted")
	refused("replacing", `REPLACE INTO pocket_predictions(id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal) VALUES('p', 1, 'cluny', 'g', 'k', 1, 1, '{}', 'z')`, "cannot be replaced")
	refused("relabelling a data set", `UPDATE pocket_datasets SET license = 'mine'`, "provenance of a data set is fixed")
	storetest.Write(t, db, func(tx *store.Tx) error {
		return In(tx).RevealPrediction(1, 2000, json.RawMessage(`{"calm":0.6}`), new(.8))
	})
	refused("revealing twice", `UPDATE pocket_predictions SET accuracy = 1`, "a revealed prediction cannot be changed")
	refused("hiding", `UPDATE pocket_predictions SET revealed_at = NULL`, "a revealed prediction cannot be changed")
}

// Other programs open the file without recursive_triggers, which lets REPLACE pass
// by the trigger against deletion.
func TestSealedPredictionCannotBeReplacedByOtherProgram(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	db := storetest.Open(t)
	pocketRows(t, db)
	other, err := sql.Open("sqlite", db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const columns = `(seq, id, dataset, pocket, generator, prediction_key, sealed_at, reveal_at, payload, seal)`
	for what, values := range map[string]string{
		"its seq": `(1, 'q', 1, 'cluny', 'h', 'l', 1, 1, '{}', 'z')`,
		"its id":  `(NULL, 'p', 1, 'cluny', 'h', 'l', 1, 1, '{}', 'z')`,
		"its key": `(NULL, 'q', 1, 'cluny', 'g', 'k', 1, 1, '{}', 'z')`,
	} {
		_, err := other.ExecContext(t.Context(), `REPLACE INTO pocket_predictions`+columns+` VALUES`+values)
		if err == nil || !strings.Contains(err.Error(), "cannot be replaced") {
			t.Errorf("replacing by %s gives %v", what, err)
		}
	}
}

func TestReadingOfFirstDatasetIsNotOverwritten(t *testing.T) {
	db := storetest.Open(t)
	d := pocketRows(t, db)
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		other, err := rows.EnsureDataset(Dataset{Name: "e", Source: "s", License: "l"})
		if err != nil {
			return err
		}
		if changed, err := rows.PutReading(Reading{Pocket: "cluny", CapturedAt: 1000, Dataset: other.Seq, Calm: .9, PrimaryState: "calm"}); err != nil || changed {
			t.Errorf("another source changes it, %v", err)
		}
		if changed, err := rows.PutReading(Reading{Pocket: "cluny", CapturedAt: 1000, Dataset: d.Seq, Calm: .9, PrimaryState: "calm"}); err != nil || !changed {
			t.Errorf("its own source does not correct it, %v", err)
		}
		// A different provenance under a known name leaves the known one.
		again, err := rows.EnsureDataset(Dataset{Name: "d", Source: "other", License: "mine"})
		if err != nil || again.Source != "s" {
			t.Errorf("the data set is %+v, %v", again, err)
		}
		return nil
	})
}

func TestDecayedAttentionHalvesEveryHalfLife(t *testing.T) {
	db := storetest.Open(t)
	d := pocketRows(t, db)
	const day = 86_400_000
	storetest.Write(t, db, func(tx *store.Tx) error {
		for i, kind := range []string{"surfaced", "surfaced", "dismissed"} {
			if _, err := In(tx).PutAttention(Attention{Pocket: "serene", OccurredAt: int64(i) * day, Kind: kind, User: "v", Dataset: d.Seq}); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		sums, err := In(tx).DecayedAttention("v", -1, 2*day, day)
		if sums["surfaced"] != 0.75 || sums["dismissed"] != 1 || len(sums) != 2 {
			t.Errorf("the sums are %v", sums)
		}
		return err
	})
}

// TestPocketQueriesUseIndexes asks SQLite how it would run every statement that
// the reading tools run, and refuses any that reads a whole table.
func TestPocketQueriesUseIndexes(t *testing.T) {
	db := storetest.Open(t)
	pocketRows(t, db)
	pockets := []string{"cluny", "serene"}
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for _, f := range []func() error{
			func() error { _, err := rows.ReadingsUpToEachLatest(pockets, 2000, 100, 10); return err },
			func() error { _, err := rows.ReadingsBetween("cluny", 0, 2000, 10); return err },
			func() error { _, _, err := rows.NearestReading("cluny", 1000, 100, 2000); return err },
			func() error { _, _, err := rows.CountReadingsAndActive(pockets, 0, 2000); return err },
			func() error { _, err := rows.SlotMeans("cluny", 0, 2000, 1800000, 0); return err },
			func() error { _, _, err := rows.OutletByID("o"); return err },
			func() error { _, err := rows.ActiveOutlets("cluny", 10); return err },
			func() error { _, err := rows.SumLedger("cluny", 0, 2000); return err },
			func() error { _, err := rows.AttentionCounts(pockets, 0, 2000); return err },
			func() error { _, err := rows.AttentionAtHour("cluny", 0, 2000, 1, 0); return err },
			func() error { _, err := rows.DecayedAttention("u", 0, 2000, 10); return err },
			func() error { _, err := rows.LatestQuality(pockets, 2000); return err },
			func() error { _, err := rows.QualityBetween("cluny", 0, 2000, 10); return err },
			func() error { _, err := rows.FindPredictions(PredictionFilter{To: 2000}, 10); return err },
			func() error {
				_, err := rows.FindPredictions(PredictionFilter{To: 2000, Pocket: "cluny"}, 10)
				return err
			},
			func() error { _, err := rows.PredictionAccuracy(PredictionFilter{To: 2000}); return err },
			func() error {
				_, err := rows.PredictionAccuracy(PredictionFilter{To: 2000, Pocket: "cluny"})
				return err
			},
			func() error { _, err := rows.DuePredictions(pockets, 2000, 900, 10); return err },
			func() error { _, err := rows.OpenPredictions(); return err },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
	// Walked by design: lists handed in as JSON, results of subqueries, and the
	// open predictions, which a partial index holds alone.
	bounded := regexp.MustCompile(`^SCAN (p VIRTUAL TABLE|json_each VIRTUAL TABLE|\(subquery|l$|pocket_predictions USING (COVERING )?INDEX pocket_predictions_open)`)
	queries := plantest.RequireRecordedQueries(t, db, "pocket_", 15)
	plantest.RequireNoFullScans(t, db, queries, func(_, detail string) bool { return bounded.MatchString(detail) })
	seeks := slices.ContainsFunc(queries, func(query string) bool {
		return strings.Contains(query, "max(captured_at)") && slices.ContainsFunc(plantest.ExplainPlan(t, db, query), func(detail string) bool {
			return strings.HasPrefix(detail, "SEARCH pocket_readings USING PRIMARY KEY (pocket=? AND captured_at<?)")
		})
	})
	if !seeks {
		t.Error("the latest reading is not found by a seek")
	}
}
