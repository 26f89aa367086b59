package integrations_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"toolkit/internal/plaidtest"
	"toolkit/internal/storetest"
)

func TestAFullDiskKeepsWhatWasStored(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "a full disk")
	b := openBench(t, t.TempDir(), nil, 400)
	b.put("gmail/a.mbox", letters(2000))
	e := b.refuse("sync_provider_imports", args{"provider": "gmail", "limit": 50}, "SYNC_FAILED")
	contains(t, "the message", e.Error.Message, "disk is full")
	stats := e.Error.Details["stats"].(args)
	added := int(stats["records_added"].(float64))
	if added == 0 || added%50 != 0 || b.count() != added {
		t.Errorf("%d records are reported, %d are stored", added, b.count())
	}
	// With room again the rest comes, once.
	b.Store.Close()
	again := openBench(t, b.dir, nil)
	got, _ := again.sync(args{"provider": "gmail"})
	same(t, "the rest", got, fmt.Sprintf("%d 0 0 0", 2000-added))
	same(t, "records", again.count(), 2000)
}

// failing is a bench whose database is gone once its bank hears of a path.
func failing(t *testing.T, path string) *bankBench {
	t.Helper()
	b := &bankBench{bank: plaidtest.New()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			b.Store.Close()
		}
		b.bank.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.bench = openBench(t, t.TempDir(), environment(server.URL))
	return b
}

func TestFailuresOfTheDatabaseHaveTheirCodes(t *testing.T) {
	b := failing(t, "/accounts/get")
	e := b.refuse("plaid_exchange_public_token", args{"public_token": b.bank.PublicToken()}, "DB_INSERT_FAILED")
	same(t, "its status", fmt.Sprint(e.Error.Details["http_status"], e.Error.Details["retryable"]), "500 true")
	b.refuse("plaid_list_items", args{}, "DB_QUERY_FAILED")
	b.refuse("plaid_sync", args{}, "DB_QUERY_FAILED")

	b = failing(t, "/transactions/sync")
	b.connect()
	b.bank.Change("added", purchases(3)...)
	e = b.refuse("plaid_sync", args{}, "SYNC_FAILED")
	same(t, "its status", fmt.Sprint(e.Error.Details["http_status"], e.Error.Details["retryable"]), "500 true")
	b.put("gmail/a.mbox", letters(1))
	b.refuse("sync_provider_imports", args{"provider": "gmail"}, "SYNC_FAILED")
}
