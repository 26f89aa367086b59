package integrations_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/plaidtest"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/tools"
)

// bankBench is a bench with a bank behind it, on a loopback address.
type bankBench struct {
	*bench
	bank *plaidtest.Bank
	url  string
}

func newBankBench(t testing.TB) *bankBench {
	t.Helper()
	bank := plaidtest.New()
	server := httptest.NewServer(bank)
	t.Cleanup(server.Close)
	return &bankBench{bench: openBench(t, t.TempDir(), environment(server.URL)), bank: bank, url: server.URL}
}

func environment(url string) map[string]string {
	return map[string]string{"PLAID_CLIENT_ID": plaidtest.ClientID, "PLAID_SECRET": plaidtest.Secret, "PLAID_BASE_URL": url}
}

// connect connects a bank and returns the connection's id.
func (b *bankBench) connect() string {
	b.T.Helper()
	out := b.Call("plaid_exchange_public_token", args{"public_token": b.bank.PublicToken()})
	return out["plaid_item"].(args)["id"].(string)
}

func (b *bankBench) syncBanks(in args) string {
	b.T.Helper()
	s := b.Call("plaid_sync", in)["syncs"].([]any)[0].(args)
	sum := s["summary"].(args)
	return fmt.Sprintf("%v %v %v %v", s["status"], sum["added"], sum["modified"], sum["removed"])
}

func TestABankIsConnectedAndSynced(t *testing.T) {
	b := newBankBench(t)
	link := b.Call("plaid_create_link_token", args{"user_id": "u"})
	contains(t, "the link token", link["link_token"].(string), "link-sandbox-")
	if _, err := time.Parse(time.RFC3339, link["expiration"].(string)); err != nil {
		t.Error(err)
	}
	token := b.bank.PublicToken()
	out := b.Call("plaid_exchange_public_token", args{"public_token": token})
	item := out["plaid_item"].(args)
	same(t, "the item", fmt.Sprint(item["item_id"], item["institution_name"], len(item["accounts"].([]any)), out["sync_summary"]), "item-1First Platypus Bank2 <nil>")
	b.bank.Change("added", plaidtest.Purchase("tx-1", "2025-01-01", "Otter Books", 12.5), plaidtest.Purchase("tx-2", "2025-01-02", "Heron Ferries", -3))
	same(t, "the first sync", b.syncBanks(args{}), "success 2 0 0")
	same(t, "a sync without news", b.syncBanks(args{"item_id": "item-1"}), "success 0 0 0")
	same(t, "a full sync", b.syncBanks(args{"plaid_item_id": item["id"], "force_full_sync": true}), "success 0 0 0")
	found := b.find(args{"type": "transaction", "properties": args{"merchant_name": "Otter Books"}})
	same(t, "the transactions", len(found), 1)
	p := found[0]["properties"].(args)
	same(t, "the transaction", fmt.Sprint(p["amount"], p["direction"], p["account_name"], p["institution_name"], p["category"], p["removed"]), "12.5outflowPlaid CheckingFirst Platypus BankFOOD_AND_DRINKfalse")
	same(t, "money that comes in", b.find(args{"properties": args{"transaction_id": "tx-2"}})[0]["properties"].(args)["direction"], "inflow")
	same(t, "transactions in the financial family", len(b.find(args{"type": "FinancialRecord"})), 2)
	company := b.Call("find_entities", args{"type": "company", "name": "Otter Books"})
	same(t, "the merchant as an entity", len(company["entities"].([]any)), 1)

	b.bank.Change("modified", plaidtest.Purchase("tx-1", "2025-01-01", "Otter Books Ltd", 13))
	b.bank.Change("removed", plaidtest.Purchase("tx-2", "", "", 0), plaidtest.Purchase("never-seen", "", "", 0))
	same(t, "a sync of changes", b.syncBanks(args{"sync_all": true}), "success 0 1 1")
	same(t, "transactions that stand", len(b.find(args{"type": "transaction", "properties": args{"removed": false}})), 1)
	same(t, "the changed amount", b.find(args{"properties": args{"transaction_id": "tx-1"}})[0]["properties"].(args)["amount"], 13.0)
	gone := b.find(args{"properties": args{"transaction_id": "tx-2"}})
	same(t, "the removed one", fmt.Sprint(len(gone), gone[0]["properties"].(args)["removed"]), "1 true")
	truth := b.Call("find_entities", args{"type": "transaction", "fields": args{"transaction_id": "tx-1"}})["entities"].([]any)
	same(t, "the transaction as an entity", len(truth), 1)
	snapshot := b.Call("get_entity_snapshot", args{"entity_id": truth[0].(args)["entity_id"]})["snapshot"].(args)
	same(t, "what is true of it", snapshot["amount"], 13.0)

	list := b.Call("plaid_list_items", args{})["items"].([]any)
	same(t, "the connection", fmt.Sprint(list[0].(args)["status"], list[0].(args)["last_successful_sync"], list[0].(args)["products"]), "active2026-01-01T12:00:00Z[transactions]")
	again := b.Call("plaid_exchange_public_token", args{"public_token": token})
	same(t, "the same token", fmt.Sprint(again["plaid_item"]), fmt.Sprint(out["plaid_item"]))
	exchanges := 0
	for _, path := range b.bank.Requests() {
		if path == "/item/public_token/exchange" {
			exchanges++
		}
	}
	same(t, "exchanges at the bank", exchanges, 1)
}

func TestAFirstSyncMayFollowTheExchange(t *testing.T) {
	b := newBankBench(t)
	b.bank.Fill(func(int) []plaidtest.Transaction { return purchases(3) })
	out := b.Call("plaid_exchange_public_token", args{"public_token": b.bank.PublicToken(), "trigger_initial_sync": true})
	same(t, "the summary", out["sync_summary"], args{"added": 3, "modified": 0, "removed": 0})
}

func purchases(n int) []plaidtest.Transaction {
	list := make([]plaidtest.Transaction, n)
	for i := range list {
		list[i] = plaidtest.Purchase(fmt.Sprint("tx-", i), "2025-01-01", "Otter Books", float64(i))
	}
	return list
}

func TestAWalkBeginsAnewWhenTheDataChanges(t *testing.T) {
	b := newBankBench(t)
	b.connect()
	b.bank.Change("added", purchases(501)...)
	b.bank.MutateDuringPagination()
	same(t, "the sync", b.syncBanks(args{}), "success 501 0 0")
	same(t, "records", b.count(), 501)
	pages := strings.Count(strings.Join(b.bank.Requests(), " "), "/transactions/sync")
	same(t, "pages asked for", pages, 2+2)
}

func TestAWalkThatIsBrokenOffChangesNothing(t *testing.T) {
	b := newBankBench(t)
	b.connect()
	b.bank.Change("added", purchases(501)...)
	b.bank.Fail("/transactions/sync", 1, 500, nil, "oops")
	b.refuse("plaid_sync", args{}, "PLAID_API_ERROR")
	same(t, "records after the failure", b.count(), 0)
	same(t, "the next sync", b.syncBanks(args{}), "success 501 0 0")
}

func TestFailuresOfPlaidHaveTheirCodes(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	for _, c := range []struct {
		name, code, plaid string
		retryable         bool
		inject            func(*plaidtest.Bank)
	}{
		{"the bank wants the credentials again", "PLAID_API_ERROR", "ITEM_LOGIN_REQUIRED", false, func(b *plaidtest.Bank) { b.RequireLogin(true) }},
		{"too many requests", "PLAID_API_ERROR", "RATE_LIMIT_EXCEEDED", true, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 429, http.Header{"Retry-After": {"17"}}, `{"error_type":"RATE_LIMIT_EXCEEDED","error_code":"RATE_LIMIT_EXCEEDED"}`)
		}},
		{"a page of a proxy", "PLAID_API_ERROR", "SERVER_ERROR", true, func(b *plaidtest.Bank) { b.Fail("/transactions/sync", 0, 503, nil, "<html>") }},
		{"a failure of Plaid", "PLAID_API_ERROR", "INTERNAL_SERVER_ERROR", true, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 500, nil, `{"error_type":"API_ERROR","error_code":"INTERNAL_SERVER_ERROR","error_message":"access-sandbox-secret-1"}`)
		}},
		{"broken JSON", "PLAID_API_ERROR", "MALFORMED_RESPONSE", true, func(b *plaidtest.Bank) { b.Fail("/transactions/sync", 0, 200, nil, `{"added":[`) }},
		{"a transaction without an amount", "PLAID_API_ERROR", "MALFORMED_RESPONSE", true, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 200, nil, `{"added":[{"transaction_id":"a","date":"2025-01-01"}],"next_cursor":"x"}`)
		}},
		{"a page that does not move on", "PLAID_API_ERROR", "MALFORMED_RESPONSE", true, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 200, nil, `{"added":[],"has_more":true,"next_cursor":""}`)
		}},
		{"a connection that breaks off", "PLAID_API_ERROR", "UNREACHABLE", true, func(b *plaidtest.Bank) { b.Fail("/transactions/sync", 0, 0, nil, "") }},
		{"a redirect", "PLAID_API_ERROR", "MALFORMED_RESPONSE", false, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 307, http.Header{"Location": {"https://example.org/"}}, "")
		}},
		{"an error that names a token", "PLAID_API_ERROR", "MALFORMED_RESPONSE", false, func(b *plaidtest.Bank) {
			b.Fail("/transactions/sync", 0, 400, nil, `{"error_type":"X","error_code":"access-sandbox-secret-1","request_id":"access-sandbox-secret-1"}`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBankBench(t)
			b.connect()
			c.inject(b.bank)
			e := b.refuse("plaid_sync", args{}, c.code)
			same(t, "details", fmt.Sprint(e.Error.Details["plaid_error_code"], e.Error.Details["retryable"], e.Error.Details["http_status"]), fmt.Sprint(c.plaid, c.retryable, 500))
			if c.plaid == "RATE_LIMIT_EXCEEDED" {
				same(t, "when to try again", e.Error.Details["retry_after_seconds"], 17)
			}
			item := b.Call("plaid_list_items", args{})["items"].([]any)[0].(args)
			if c.plaid == "ITEM_LOGIN_REQUIRED" {
				same(t, "the connection", fmt.Sprint(item["status"], item["error_code"]), "errorITEM_LOGIN_REQUIRED")
				link := b.Call("plaid_create_link_token", args{"plaid_item_id": item["id"]})
				contains(t, "the token for update mode", link["link_token"].(string), "link-")
				b.bank.RequireLogin(false)
				same(t, "the sync afterwards", b.syncBanks(args{}), "success 0 0 0")
				item = b.Call("plaid_list_items", args{})["items"].([]any)[0].(args)
			}
			same(t, "the connection", item["status"], "active")
			b.noLeaks(t)
		})
	}
}

func TestARequestThatIsNotAnsweredEndsInTime(t *testing.T) {
	b := newBankBench(t)
	b.connect()
	come := b.bank.Hang("/transactions/sync")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-come
		cancel()
	}()
	r := b.Send(ctx, tools.Request{Tool: "plaid_sync", Arguments: json.RawMessage(`{}`)})
	contains(t, "the answer", r.Text, `"plaid_error_code":"TIMEOUT"`)
	contains(t, "the answer", r.Text, `"retryable":true`)
}

func TestRefusalsOfBankToolsAreDocumented(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBankBench(t)
	e := b.refuse("plaid_exchange_public_token", args{"public_token": "public-sandbox-wrong"}, "PLAID_INVALID_TOKEN")
	same(t, "its status", fmt.Sprint(e.Error.Details["http_status"], e.Error.Details["retryable"]), "400 false")
	b.refuse("plaid_sync", args{}, "PLAID_ITEM_NOT_FOUND")
	e = b.refuse("plaid_sync", args{"item_id": "nope"}, "PLAID_ITEM_NOT_FOUND")
	same(t, "its status", e.Error.Details["http_status"], 404)
	b.refuse("plaid_create_link_token", args{"plaid_item_id": "nope"}, "PLAID_ITEM_NOT_FOUND")
	b.refuse("plaid_exchange_public_token", args{}, "VALIDATION_ERROR")
	b.connect()
	b.connect()
	b.refuse("plaid_sync", args{}, "VALIDATION_ERROR")
	out := b.Call("plaid_sync", args{"sync_all": true})
	same(t, "all connections", out["total_synced_items"], 2)
	b.bank.RequireLogin(true)
	out = b.Call("plaid_sync", args{"sync_all": true})
	same(t, "connections that work", out["total_synced_items"], 1)
	contains(t, "why the other does not", fmt.Sprint(out["syncs"]), "status:failed")
	testenv.Write(t, filepath.Join(b.dir, "plaid.key"), strings.Repeat("x", 32))
	e = b.refuse("plaid_sync", args{"item_id": "item-1"}, "SYNC_FAILED")
	contains(t, "the message", e.Error.Message, "plaid.key")
}

func TestWrongCredentialsAreSaidToBeWrong(t *testing.T) {
	b := newBankBench(t)
	wrong := openBench(t, t.TempDir(), map[string]string{"PLAID_CLIENT_ID": "someone", "PLAID_SECRET": "hush-hush", "PLAID_BASE_URL": b.url})
	e := wrong.refuse("plaid_create_link_token", args{}, "PLAID_API_ERROR")
	contains(t, "the message", e.Error.Message, "PLAID_CLIENT_ID")
	if strings.Contains(wrong.said.String()+wrong.log.String(), "hush-hush") {
		t.Error("the secret was told")
	}
}

func TestWithoutConfigurationNothingLeavesTheMachine(t *testing.T) {
	dials := 0
	transport := http.DefaultTransport.(*http.Transport)
	was := transport.DialContext
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, fmt.Errorf("no network in this test")
	}
	t.Cleanup(func() { transport.DialContext = was })
	for name, env := range map[string]map[string]string{
		"nothing is set":     {},
		"the secret is not":  {"PLAID_CLIENT_ID": "x"},
		"the address is bad": {"PLAID_CLIENT_ID": "x", "PLAID_SECRET": "y", "PLAID_BASE_URL": "http://example.org"},
		"it has a user":      {"PLAID_CLIENT_ID": "x", "PLAID_SECRET": "y", "PLAID_BASE_URL": "https://a:b@example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBench(t, t.TempDir(), env)
			for tool, in := range map[string]args{"plaid_create_link_token": {}, "plaid_exchange_public_token": {"public_token": "x"}, "plaid_sync": {"sync_all": true}} {
				e := b.refuse(tool, in, "PLAID_NOT_CONFIGURED")
				same(t, "its status", fmt.Sprint(e.Error.Details["http_status"], e.Error.Details["retryable"]), "503 false")
			}
			same(t, "items", len(b.Call("plaid_list_items", args{})["items"].([]any)), 0)
			b.Call("list_provider_catalog", args{})
			b.put("gmail/a.mbox", mailbox())
			b.sync(args{"provider": "gmail"})
		})
	}
	same(t, "connections tried", dials, 0)
}

// noLeaks looks for secrets in logs, answers and everything in the data folder.
func (b *bankBench) noLeaks(t *testing.T) {
	t.Helper()
	secrets := append(b.bank.AccessTokens(), plaidtest.Secret)
	places := map[string]string{"the log": b.log.String(), "the answers": b.said.String()}
	files, err := filepath.Glob(filepath.Join(b.dir, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files in the data folder, %v", len(files), err)
	}
	for _, f := range files {
		contents := testenv.Read(t, f)
		places[filepath.Base(f)] = string(contents)
	}
	for _, secret := range secrets {
		for place, text := range places {
			if strings.Contains(text, secret) {
				t.Errorf("%s contains %s", place, secret)
			}
		}
	}
	if len(secrets) < 2 || places["the log"] == "" {
		t.Error("there was nothing to look at")
	}
}

func TestSecretsAreNowhereToBeRead(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	b := newBankBench(t)
	token := b.bank.PublicToken()
	b.Call("plaid_exchange_public_token", args{"public_token": token, "trigger_initial_sync": true})
	b.Call("plaid_list_items", args{})
	b.Call("plaid_sync", args{"sync_all": true})
	b.Call("plaid_create_link_token", args{"access_token": b.bank.AccessTokens()[0]})
	b.refuse("plaid_create_link_token", args{"access_token": "access-sandbox-unknown"}, "PLAID_API_ERROR")
	b.noLeaks(t)
	if strings.Contains(b.said.String()+b.log.String(), token) {
		t.Error("the public token was repeated")
	}
	info, err := os.Stat(filepath.Join(b.dir, "plaid.key"))
	if err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("the key file: %v, %v", info, err)
	}
}

func TestALongHistoryIsStoredInPages(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	b := newBankBench(t)
	b.connect()
	many := testenv.Choose(601, 2001) // a page has at most 500
	list := purchases(many)
	b.bank.Change("added", list...)
	b.bank.Change("removed", list[0], list[many-1])
	same(t, "the sync", b.syncBanks(args{}), fmt.Sprintf("success %d 0 2", many))
	same(t, "records", b.count(), many)
	same(t, "a full sync", b.syncBanks(args{"force_full_sync": true}), "success 0 2 2")
	same(t, "removed ones", len(b.find(args{"properties": args{"removed": true}})), 2)
}

func TestASyncThatCannotBeStoredKeepsTheCursor(t *testing.T) {
	b := newBankBench(t)
	b.connect()
	b.bank.Change("added", purchases(10)...)
	ctx, cancel := context.WithCancel(context.Background())
	r := b.Send(ctx, tools.Request{Tool: "plaid_sync", Arguments: json.RawMessage(`{}`), Call: tools.Call{Progress: func(float64, float64, string) { cancel() }}})
	if !r.IsError {
		t.Fatalf("the sync ended with %v", r)
	}
	same(t, "records", b.count(), 0)
	same(t, "the next sync", b.syncBanks(args{}), "success 10 0 0")
}
