package entities

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
)

// countSnapshots counts from now on how often the snapshots of an entity are written.
func (b *bench) countSnapshots() (of func(entity string) int) {
	b.T.Helper()
	db, err := sql.Open("sqlite", b.Store.Path())
	if err != nil {
		b.T.Fatal(err)
	}
	b.T.Cleanup(func() { db.Close() })
	for _, statement := range []string{
		`CREATE TABLE written (entity INTEGER)`,
		`CREATE TRIGGER changed AFTER UPDATE ON snapshots BEGIN INSERT INTO written VALUES(new.entity); END`,
	} {
		if _, err := db.ExecContext(b.T.Context(), statement); err != nil {
			b.T.Fatal(err)
		}
	}
	return func(entity string) (n int) {
		b.T.Helper()
		err := db.QueryRowContext(b.T.Context(), `SELECT count(*) FROM written w JOIN truth_entities e ON e.seq = w.entity WHERE e.id = ?`, entity).Scan(&n)
		if err != nil {
			b.T.Fatal(err)
		}
		return n
	}
}

// TestDeletingManyRecordsRecomputesEntityOnce takes records away that speak of
// one entity, of which one other record speaks as well.
func TestDeletingManyRecordsRecomputesEntityOnce(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	b := newBench(t)
	acme, ada := company("Acme"), entityID("contact", "ada")
	var rows []kinds.Row
	for i := range 5 {
		out := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": fmt.Sprint(i), "vendor_name": "Acme"}))
		rows = append(rows, kinds.Row{Kind: kinds.Record, ID: out["payload_id"].(string)})
	}
	b.Call(storeName, args{"type": "contact", "properties": args{"name": "Ada", "city": "Rom"}})
	cards := b.upload("cards.vcf", strings.Repeat("BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nEND:VCARD\n", 5))
	written := b.countSnapshots()

	storetest.Write(t, b.Store, func(tx *store.Tx) error { return Deleters().DeleteRows(tx, rows[1:]) })
	same(t, "after forgetting documents of one vendor", []any{written(acme), b.snapshot(acme)["observation_count"]}, []any{1, 1})

	r := b.CallAllowingRefusal(deleteName, args{"id": record(cards)["id"]})
	same(t, "after deleting a file of one person's cards", []any{written(ada), b.snapshot(ada)["observation_count"]}, []any{1, 1})
	contains(t, "the answer", text(r.Hints), "1 of its entities are known from elsewhere")
	b.rebuild()
}

// TestADeletedRecordTakesWhatIsKnownFromItAlone deletes the first invoice of Acme.
func TestADeletedRecordTakesWhatIsKnownFromItAlone(t *testing.T) {
	for name, c := range map[string]struct {
		corrected string // what is corrected by hand
		merged    bool   // Acme, into Beta of another invoice
		more      string // vendor of another invoice
		left      []string
		records   int
	}{
		"a corrected company":                           {"Acme", false, "Beta", []string{"Beta"}, 1},
		"a corrected company that is known from others": {"Acme", false, "Acme", []string{"Acme"}, 2},
		"a company that was merged into another":        {"Beta", true, "Beta", []string{"Beta"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			first := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "vendor_name": "Acme"}))
			b.Call(submitName, submit("invoice", "2025-01-02", args{"invoice_number": "2", "vendor_name": c.more}))
			b.Call(correctName, args{"entity_id": company(c.corrected), "field": "phone", "value": "555"})
			if c.merged {
				b.Call(mergeName, args{"source_entity_id": company("Acme"), "target_entity_id": company("Beta")})
			}
			b.Call(deleteName, args{"id": first["payload_id"]})

			// An entity without a name would have no canonical_name.
			var left []string
			for _, e := range b.Call(findName, args{"type": companyType})["entities"].([]any) {
				left = append(left, e.(args)["canonical_name"].(string))
			}
			same(t, "companies", left, c.left)
			same(t, "records", len(ids(b.Call(retrieveName, args{}))), c.records)
			b.rebuild()
		})
	}
}
