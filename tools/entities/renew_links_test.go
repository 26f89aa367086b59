package entities

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
)

func TestDocumentsOfEarlierDatabasesAreLinkedWhenTheyAreOpened(t *testing.T) {
	storetest.OnSQLite(t, "its file is read or changed by hand")
	path := filepath.Join(t.TempDir(), "earlier.db")
	b := openBench(t, store.Options{Path: path}, nil)
	b.Call(submitName, submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", args{"due_date": "2025-02-01"})))
	b.Call(submitName, submit("receipt", "2025-01-01", args{"receipt_number": "K 7", "vendor_name": "Acme Corp"}))
	b.Call(storeName, creditNote("GS 1", "RE 1001", "Acme Corp"))
	b.Call(submitName, submit("transaction", "2025-01-12", paymentBody("T", -100, args{"reference": "RE 1001"})))
	want := b.picture()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{ // as the migration finds and leaves them
		`DELETE FROM relationship_sources`, `DELETE FROM typed_relationships`, `DELETE FROM invoice_status`,
		fmt.Sprintf(`DELETE FROM snapshot_values WHERE key IN (%d, %d, %d)`, valueKey(numberPath, "re1001"), valueKey(creditedPath, "re1001"), valueKey(referencePath, "re1001")),
		`INSERT INTO outdated_snapshots SELECT entity FROM snapshots WHERE type IN ('invoice', 'credit_note', 'receipt', 'transaction')`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Equal(b.picture(), want) {
		t.Fatal("nothing was taken away")
	}
	if err := Renew(t.Context(), b.Store); err != nil {
		t.Fatal(err)
	}
	same(t, "all links", fmt.Sprint(b.picture()), fmt.Sprint(want))
	b.rebuild()
}
