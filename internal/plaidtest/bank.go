// Package plaidtest is a bank that exists on this machine only: an HTTP handler
// that speaks the documented Plaid API, for tests, for examples and for trying
// the tools without an account.
//
// It keeps Plaid's rules: credentials in the headers, public tokens that work
// once, pages of at most five hundred, cursors, and the error a walk meets when
// the data changes under it. Faults are injected with Fail.
package plaidtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Credentials that the stand-in takes.
const (
	ClientID = "standin-client"
	Secret   = "standin-secret"
)

// Institution that every item belongs to.
const (
	InstitutionID   = "ins_109508"
	InstitutionName = "First Platypus Bank"
)

// Transaction is one in the wire form of the API.
type Transaction map[string]any

// fault is an answer to give instead of the right one.
type fault struct {
	path   string
	after  int // right answers before it
	status int
	header http.Header
	body   string
	hang   chan struct{} // closed when the request has come
}

type change struct {
	kind string // added, modified or removed
	data Transaction
}

type item struct {
	id, token string
	changes   []change
	login     bool // must be entered again
	mutate    bool // the data changes during the next walk
}

// Bank is the handler. Its methods may be called while it serves.
type Bank struct {
	mu       sync.Mutex
	items    []*item
	public   map[string]bool // tokens that were not exchanged
	faults   []fault
	requests []string // paths
	tokens   int
	fill     func(connection int) []Transaction
}

// New returns a bank without items.
func New() *Bank { return &Bank{public: map[string]bool{}} }

// PublicToken makes a public token, as Plaid Link would.
func (b *Bank) PublicToken() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens++
	token := fmt.Sprintf("public-sandbox-%08d-0000-0000-0000-000000000000", b.tokens)
	b.public[token] = true
	return token
}

// Fill gives every new item transactions.
func (b *Bank) Fill(f func(connection int) []Transaction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill = f
}

// Change adds a change to the newest item: kind is added, modified or removed.
func (b *Bank) Change(kind string, transactions ...Transaction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		return
	}
	last := b.items[len(b.items)-1]
	for _, t := range transactions {
		last.changes = append(last.changes, change{kind, t})
	}
}

// Purchase is a transaction with the fields that matter most.
func Purchase(id, date, merchant string, amount float64) Transaction {
	return Transaction{
		"transaction_id": id, "account_id": "acc-checking", "amount": amount, "iso_currency_code": "USD", "unofficial_currency_code": nil,
		"date": date, "authorized_date": date, "name": strings.ToUpper(merchant) + " 4711", "merchant_name": merchant, "payment_channel": "in store", "pending": false, "pending_transaction_id": nil,
		"personal_finance_category": map[string]any{"primary": "FOOD_AND_DRINK", "detailed": "FOOD_AND_DRINK_GROCERIES"},
		"counterparties":            []any{map[string]any{"name": merchant, "type": "merchant"}},
	}
}

// RequireLogin makes the newest item ask for its credentials, or stop asking.
func (b *Bank) RequireLogin(required bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items[len(b.items)-1].login = required
}

// MutateDuringPagination makes the next walk over several pages fail once.
func (b *Bank) MutateDuringPagination() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items[len(b.items)-1].mutate = true
}

// Fail gives another answer to a request for a path, once, after so many right
// ones. Status 0 breaks the connection off.
func (b *Bank) Fail(path string, after, status int, header http.Header, body string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, fault{path: path, after: after, status: status, header: header, body: body})
}

// Hang leaves the next request for a path unanswered until its caller gives up.
// The channel is closed when the request has come.
func (b *Bank) Hang(path string) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	come := make(chan struct{})
	b.faults = append(b.faults, fault{path: path, hang: come})
	return come
}

// Requests are the paths that were asked for, in order.
func (b *Bank) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// AccessTokens are the secrets that must never be seen.
func (b *Bank) AccessTokens() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	parts := make([]string, len(b.items))
	for at, i := range b.items {
		parts[at] = i.token
	}
	return parts
}

// refusal is an error in the form of the API.
type refusal struct {
	status     int
	kind, code string
}

func (b *Bank) inject(path string) (fault, bool) {
	for i := range b.faults {
		f := &b.faults[i]
		if f.path != path {
			continue
		}
		if f.after > 0 {
			f.after--
			continue
		}
		found := *f
		b.faults = slices.Delete(b.faults, i, i+1)
		return found, true
	}
	return fault{}, false
}

// ServeHTTP answers a request of the API.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.requests = append(b.requests, r.URL.Path)
	injected, faulty := b.inject(r.URL.Path)
	b.mu.Unlock()
	switch {
	case faulty && injected.hang != nil:
		close(injected.hang)
		io.Copy(io.Discard, r.Body) //nolint:errcheck // only then is the caller's leaving noticed
		<-r.Context().Done()
		return
	case faulty && injected.status == 0:
		panic(http.ErrAbortHandler)
	case faulty:
		for name, values := range injected.header {
			w.Header()[name] = values
		}
		w.WriteHeader(injected.status)
		fmt.Fprint(w, injected.body)
		return
	}
	var in map[string]any
	const longest = 1 << 20
	if r.Method != http.MethodPost || json.NewDecoder(http.MaxBytesReader(w, r.Body, longest)).Decode(&in) != nil {
		b.answer(w, nil, &refusal{400, "INVALID_REQUEST", "INVALID_BODY"})
		return
	}
	if r.Header.Get("PLAID-CLIENT-ID") != ClientID || r.Header.Get("PLAID-SECRET") != Secret {
		b.answer(w, nil, &refusal{400, "INVALID_INPUT", "INVALID_API_KEYS"})
		return
	}
	out, refused := b.route(r.URL.Path, in)
	b.answer(w, out, refused)
}

func (b *Bank) answer(w http.ResponseWriter, out map[string]any, refused *refusal) {
	status := http.StatusOK
	if refused != nil {
		status = refused.status
		out = map[string]any{"error_type": refused.kind, "error_code": refused.code, "error_message": "a message that may name tokens", "display_message": nil}
	}
	out["request_id"] = "Req" + strconv.Itoa(status)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(out) //nolint:errcheck // the caller went away
}

func (b *Bank) route(path string, in map[string]any) (map[string]any, *refusal) {
	text := func(name string) string { s, _ := in[name].(string); return s }
	if path == "/sandbox/public_token/create" {
		return map[string]any{"public_token": b.PublicToken()}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch path {
	case "/link/token/create":
		return b.link(in)
	case "/item/public_token/exchange":
		return b.exchange(text("public_token"))
	case "/institutions/get_by_id":
		if text("institution_id") != InstitutionID {
			return nil, &refusal{400, "INVALID_INPUT", "INVALID_INSTITUTION"}
		}
		return map[string]any{"institution": map[string]any{"institution_id": InstitutionID, "name": InstitutionName}}, nil
	}
	at := slices.IndexFunc(b.items, func(i *item) bool { return i.token == text("access_token") })
	if at < 0 {
		return nil, &refusal{400, "INVALID_INPUT", "INVALID_ACCESS_TOKEN"}
	}
	switch i := b.items[at]; path {
	case "/accounts/get":
		return map[string]any{"accounts": accounts(), "item": map[string]any{"item_id": i.id, "institution_id": InstitutionID, "products": []string{"transactions"}}}, nil
	case "/sandbox/item/reset_login":
		i.login = true
		return map[string]any{"reset_login": true}, nil
	case "/transactions/sync":
		return i.sync(in)
	}
	return nil, &refusal{404, "INVALID_REQUEST", "NOT_FOUND"}
}

func accounts() []any {
	return []any{
		map[string]any{"account_id": "acc-checking", "name": "Plaid Checking", "type": "depository", "subtype": "checking", "mask": "0000"},
		map[string]any{"account_id": "acc-card", "name": "Plaid Credit Card", "type": "credit", "subtype": "credit card", "mask": "3333"},
	}
}

func (b *Bank) link(in map[string]any) (map[string]any, *refusal) {
	user, _ := in["user"].(map[string]any)
	_, update := in["access_token"]
	_, products := in["products"]
	switch {
	case in["client_name"] == nil || in["language"] == nil || in["country_codes"] == nil || user["client_user_id"] == nil:
		return nil, &refusal{400, "INVALID_REQUEST", "MISSING_FIELDS"}
	case update && products:
		return nil, &refusal{400, "INVALID_REQUEST", "INCOMPATIBLE_FIELDS"}
	case update && !slices.ContainsFunc(b.items, func(i *item) bool { return i.token == in["access_token"] }):
		return nil, &refusal{400, "INVALID_INPUT", "INVALID_ACCESS_TOKEN"}
	case !update && !products:
		return nil, &refusal{400, "INVALID_REQUEST", "MISSING_FIELDS"}
	}
	b.tokens++
	return map[string]any{"link_token": fmt.Sprintf("link-sandbox-%d", b.tokens), "expiration": time.Now().Add(4 * time.Hour).UTC().Format(time.RFC3339)}, nil
}

func (b *Bank) exchange(token string) (map[string]any, *refusal) {
	if !b.public[token] {
		return nil, &refusal{400, "INVALID_INPUT", "INVALID_PUBLIC_TOKEN"}
	}
	delete(b.public, token)
	n := len(b.items) + 1
	i := &item{id: fmt.Sprintf("item-%d", n), token: fmt.Sprintf("access-sandbox-secret-%d", n)}
	if b.fill != nil {
		for _, t := range b.fill(n) {
			i.changes = append(i.changes, change{"added", t})
		}
	}
	b.items = append(b.items, i)
	return map[string]any{"access_token": i.token, "item_id": i.id}, nil
}

// maxPage is the largest count that the API takes.
const maxPage = 500

// sync gives a page of the changes since a cursor, which is a number of changes.
func (i *item) sync(in map[string]any) (map[string]any, *refusal) {
	if i.login {
		return nil, &refusal{400, "ITEM_ERROR", "ITEM_LOGIN_REQUIRED"}
	}
	count := 100
	if n, ok := in["count"].(float64); ok {
		count = int(n)
	}
	from := 0
	if cursor, _ := in["cursor"].(string); cursor != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(cursor, "cursor-"))
		if err != nil || n < 0 || n > len(i.changes) {
			return nil, &refusal{400, "INVALID_INPUT", "INVALID_CURSOR"}
		}
		from = n
	}
	if count < 1 || count > maxPage {
		return nil, &refusal{400, "INVALID_REQUEST", "INVALID_FIELD"}
	}
	if i.mutate && from > 0 {
		i.mutate = false
		return nil, &refusal{400, "TRANSACTIONS_ERROR", "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"}
	}
	to := min(len(i.changes), from+count)
	lists := map[string][]Transaction{"added": {}, "modified": {}, "removed": {}}
	for _, c := range i.changes[from:to] {
		if c.kind == "removed" {
			c.data = Transaction{"transaction_id": c.data["transaction_id"], "account_id": "acc-checking"}
		}
		lists[c.kind] = append(lists[c.kind], c.data)
	}
	return map[string]any{
		"added": lists["added"], "modified": lists["modified"], "removed": lists["removed"], "accounts": accounts(),
		"next_cursor": "cursor-" + strconv.Itoa(to), "has_more": to < len(i.changes), "transactions_update_status": "HISTORICAL_UPDATE_COMPLETE",
	}, nil
}

// RoundTrip makes a Bank an http.RoundTripper: requests reach it without any
// network.
func (b *Bank) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w.Result(), nil
}
