package integrations

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
	"toolkit/tools"
)

// Names of the tools of bank connections.
const (
	linkName     = "plaid_create_link_token"
	exchangeName = "plaid_exchange_public_token"
	bankSyncName = "plaid_sync"
	itemsName    = "plaid_list_items"
)

// Permissions of bank connections.
const (
	mayReadBanks    tools.Permission = "banks:read"
	mayConnectBanks tools.Permission = "banks:create"
	maySyncBanks    tools.Permission = "banks:update"
)

// Error codes of the source document.
const (
	codeNotConfigured = "PLAID_NOT_CONFIGURED"
	codePlaidError    = "PLAID_API_ERROR"
	codeInvalidToken  = "PLAID_INVALID_TOKEN"
	codeItemNotFound  = "PLAID_ITEM_NOT_FOUND"
)

// Statuses of a connection.
const (
	statusActive  = "active"
	statusError   = "error"
	statusRevoked = "revoked"
)

// plaidService is Plaid as it is configured.
type plaidService struct {
	client    *PlaidClient
	countries []string
	problem   string // why there is no client
}

// configurePlaid reads the configuration; nothing is asked of the network.
func configurePlaid(d Deps) *plaidService {
	get := func(name, fallback string) string {
		if d.Getenv != nil {
			if v := strings.TrimSpace(d.Getenv(name)); v != "" {
				return v
			}
		}
		return fallback
	}
	b := &plaidService{countries: strings.FieldsFunc(strings.ToUpper(get("PLAID_COUNTRY_CODES", "US")), func(r rune) bool { return r == ',' || r == ' ' })}
	id, key := get("PLAID_CLIENT_ID", ""), get("PLAID_SECRET", "")
	if id == "" || key == "" {
		b.problem = "PLAID_CLIENT_ID and PLAID_SECRET are not set"
		return b
	}
	client, err := NewPlaidClient(get("PLAID_BASE_URL", PlaidSandbox), id, key, d.HTTP)
	if err != nil {
		b.problem = err.Error()
		return b
	}
	b.client = client
	return b
}

// checkPlaidConfigured refuses calls that need Plaid while it is not configured.
func (f *family) checkPlaidConfigured() error {
	if f.plaid.client != nil {
		return nil
	}
	return tools.Refused(codeNotConfigured, "", "configured service", "Plaid is not configured: %s; ask the user to set them where the server is started, then restart it", f.plaid.problem).
		WithHints(tools.NewRefusalHints().Because("nothing leaves this machine until the user configures it").
			SuggestCall(itemsName, tools.PriorityLow, nil, "see the banks that were connected earlier"))
}

// toPlaidToolError turns an error of the client into one for callers. Neither tokens
// nor what Plaid wrote go into it, only codes.
func toPlaidToolError(ctx context.Context, err error) error {
	var e *PlaidError
	if !errors.As(err, &e) {
		return err
	}
	if e.Status == 0 && ctx.Err() != nil {
		return tools.Failed(codePlaidError, true, err, "Plaid did not answer in time; nothing was changed: try again").WithDetail("plaid_error_code", "TIMEOUT")
	}
	message := "Plaid refused the request with " + e.Code
	switch {
	case e.Status == 0:
		message = "Plaid could not be reached; nothing was changed: check the network and PLAID_BASE_URL, then try again"
	case e.Code == PlaidCodeMalformedResponse:
		message = "Plaid's answer could not be understood; nothing was changed: check PLAID_BASE_URL, then try again"
	case e.Status == 429:
		message = "Plaid takes no more requests for the moment; nothing was changed: try again later"
	case e.Status >= 500:
		message = "Plaid has a failure of its own; nothing was changed: try again later"
	case e.Code == PlaidCodeLoginRequired:
		message = "the bank wants the user to enter the credentials again: make a link token for this item with " + linkName + " and let the user go through Plaid Link"
	case e.Code == "INVALID_API_KEYS":
		message = "Plaid does not know PLAID_CLIENT_ID and PLAID_SECRET in this environment; ask the user to check them, and PLAID_BASE_URL"
	}
	failure := tools.Failed(codePlaidError, e.Retryable(), err, "%s", message).WithDetail("plaid_error_code", e.Code)
	if e.Type != "" {
		failure.WithDetail("plaid_error_type", e.Type)
	}
	if e.RequestID != "" {
		failure.WithDetail("plaid_request_id", e.RequestID)
	}
	if e.RetryAfter > 0 {
		failure.WithDetail("retry_after_seconds", int(e.RetryAfter/time.Second))
	}
	if e.Code == PlaidCodeLoginRequired {
		failure.WithHints(tools.NewRefusalHints().Because("the connection needs the user").SuggestCall(linkName, tools.PriorityHigh, nil, "make a link token with the item's plaid_item_id"))
	}
	return failure
}

// loadOrCreateTokenKey returns the key of access tokens. It is made with the first connection.
func (f *family) loadOrCreateTokenKey() (*localfile.Key, error) {
	raw, err := f.Store.EnsureKey(context.Background(), store.BankKey)
	if err != nil {
		return nil, err
	}
	return localfile.NewKey(raw)
}

// decryptAccessToken opens the token of a connection.
func (f *family) decryptAccessToken(p records.PlaidItem) (string, error) {
	key, err := f.loadOrCreateTokenKey()
	if err == nil {
		var token string
		if token, err = key.Open(p.AccessToken, p.ItemID); err == nil {
			return token, nil
		}
	}
	return "", tools.Failed(codeSyncFailed, false, err, "the access token of this connection cannot be opened: the file %s in the data folder is missing or another; restore it, or connect the bank again", store.BankKey)
}

// findItems lists connections, oldest first.
func (f *family) findItems(ctx context.Context, filter records.PlaidFilter) ([]records.PlaidItem, error) {
	found, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]records.PlaidItem, error) { return records.In(tx).PlaidItems(filter) })
	return found, tools.WrapFailure(ctx, codeQueryFailed, err)
}

// findItem returns the connection that is meant; field names the input.
func (f *family) findItem(ctx context.Context, filter records.PlaidFilter, field string) (records.PlaidItem, error) {
	found, err := f.findItems(ctx, filter)
	if err != nil {
		return records.PlaidItem{}, err
	}
	if len(found) == 0 {
		return records.PlaidItem{}, tools.Refused(codeItemNotFound, field, "connected item", "%s names no connected bank; plaid_list_items lists them", field).
			WithHints(tools.NewRefusalHints().Because("ids come from plaid_exchange_public_token and plaid_list_items").SuggestCall(itemsName, tools.PriorityHigh, nil, "find the connection"))
	}
	return found[0], nil
}

type linkInput struct {
	UserID      string   `json:"user_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"User identifier that Plaid keeps; no name or address"`
	ClientName  string   `json:"client_name,omitempty" jsonschema:"maxLength=30" jsonschema_description:"Name that Plaid Link shows; default toolkit"`
	AccessToken string   `json:"access_token,omitempty" jsonschema_description:"For update mode; prefer plaid_item_id, which needs no secret"`
	Products    []string `json:"products,omitempty" jsonschema_description:"Plaid products; default transactions"`
	RedirectURI string   `json:"redirect_uri,omitempty" jsonschema:"maxLength=4096" jsonschema_description:"OAuth redirect registered with Plaid"`
	PlaidItemID string   `json:"plaid_item_id,omitempty" jsonschema_description:"Connection whose credentials are to be entered again (update mode)"`
}

func (f *family) linkTool() tools.Tool[linkInput, PlaidLink] {
	return tools.Tool[linkInput, PlaidLink]{
		Name:  linkName,
		Title: "Create a Plaid link token",
		Description: "Make a short-lived token with which the user connects a bank in Plaid Link, or enters its credentials again. " +
			"Returns the token and when it expires. Example: the user wants bank transactions brought in.",
		Permissions: []tools.Permission{mayConnectBanks}, Category: tools.Generation, ResponseTime: tools.Slow, OpenWorld: true, Version: version,
		Tags: []string{"plaid", "banks"},
		Examples: []tools.Example[linkInput, PlaidLink]{{
			Description: "Connect a bank",
			Params:      linkInput{UserID: "user-1"},
			Result:      PlaidLink{Token: "link-sandbox-1", Expiration: "2026-01-01T16:00:00Z"},
			Varies:      []string{"link_token", "expiration"},
		}},
		Handle: f.createLinkToken,
	}
}

func (f *family) createLinkToken(ctx context.Context, in linkInput) (tools.Result[PlaidLink], error) {
	if err := f.checkPlaidConfigured(); err != nil {
		return tools.Result[PlaidLink]{}, err
	}
	r := PlaidLinkRequest{
		ClientName: in.ClientName, Language: "en", CountryCodes: f.plaid.countries, User: PlaidLinkUser{ID: in.UserID},
		Products: in.Products, AccessToken: in.AccessToken, RedirectURI: in.RedirectURI,
	}
	if strings.TrimSpace(r.ClientName) == "" {
		r.ClientName = "toolkit"
	}
	if strings.TrimSpace(r.User.ID) == "" {
		r.User.ID = "toolkit-user"
	}
	if in.PlaidItemID != "" {
		p, err := f.findItem(ctx, records.PlaidFilter{ID: in.PlaidItemID}, "plaid_item_id")
		if err != nil {
			return tools.Result[PlaidLink]{}, err
		}
		if r.AccessToken, err = f.decryptAccessToken(p); err != nil {
			return tools.Result[PlaidLink]{}, err
		}
	}
	switch {
	case r.AccessToken != "":
		r.Products = nil // Plaid takes none in update mode
	case len(r.Products) == 0:
		r.Products = []string{"transactions"}
	}
	l, err := f.plaid.client.CreateLinkToken(ctx, r)
	if err != nil {
		return tools.Result[PlaidLink]{}, toPlaidToolError(ctx, err)
	}
	h := tools.NewHints(tools.Evidence{Quality: tools.QualityHigh, Validity: tools.LongTerm}).Because("Plaid made the token; the user must now go through Plaid Link with it")
	h.Needs("the public_token that Plaid Link returns")
	if r.AccessToken == "" {
		h.SuggestCall(exchangeName, tools.PriorityHigh, map[string]any{"trigger_initial_sync": true}, "exchange the public token that Plaid Link returns")
	} else {
		h.SuggestCall(bankSyncName, tools.PriorityHigh, nil, "once the user is done, sync again; the connection stays the same")
	}
	return tools.Result[PlaidLink]{Data: l, Hints: h}, nil
}

type exchangeInput struct {
	PublicToken        string `json:"public_token" jsonschema:"required,minLength=1,maxLength=500" jsonschema_description:"From Plaid Link"`
	TriggerInitialSync bool   `json:"trigger_initial_sync,omitempty" jsonschema_description:"Also bring its transactions in; default false"`
}

type exchangeOutput struct {
	PlaidItem   connectedItem `json:"plaid_item"`
	SyncSummary *syncSummary  `json:"sync_summary,omitempty"`
}

type connectedItem struct {
	ID              string    `json:"id"`
	ItemID          string    `json:"item_id"`
	InstitutionName string    `json:"institution_name"`
	Accounts        []account `json:"accounts"`
}

type account struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// ExamplePublicToken is the token of the examples: the first that the stand-in
// of Plaid makes.
const ExamplePublicToken = "public-sandbox-00000001-0000-0000-0000-000000000000"

func (f *family) exchangeTool() tools.Tool[exchangeInput, exchangeOutput] {
	return tools.Tool[exchangeInput, exchangeOutput]{
		Name:  exchangeName,
		Title: "Connect a bank",
		Description: "Exchange the public token that Plaid Link returned and keep the connection, its access token encrypted; the same token answers from the store. " +
			"Returns the connection and its accounts, never the access token. Example: the user has just gone through Plaid Link.",
		Permissions: []tools.Permission{mayConnectBanks}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, OpenWorld: true, Version: version,
		Tags: []string{"plaid", "banks"},
		Examples: []tools.Example[exchangeInput, exchangeOutput]{{
			Description: "A bank is connected",
			Params:      exchangeInput{PublicToken: ExamplePublicToken},
			Result: exchangeOutput{PlaidItem: connectedItem{ID: "550e8400-e29b-41d4-a716-446655440000", ItemID: "item-1", InstitutionName: "First Platypus Bank", Accounts: []account{
				{"acc-checking", "Plaid Checking", "depository", "checking"}, {"acc-card", "Plaid Credit Card", "credit", "credit card"},
			}}},
			Varies: []string{"plaid_item"},
		}},
		Handle: f.exchangePublicToken,
	}
}

func (f *family) exchangePublicToken(ctx context.Context, in exchangeInput) (tools.Result[exchangeOutput], error) {
	if err := f.checkPlaidConfigured(); err != nil {
		return tools.Result[exchangeOutput]{}, err
	}
	p, known, err := f.findItemOfPublicToken(ctx, in.PublicToken)
	if err == nil && !known {
		p, err = f.connectBank(ctx, in.PublicToken)
	}
	if err != nil {
		return tools.Result[exchangeOutput]{}, err
	}
	out := exchangeOutput{PlaidItem: connectedItem{ID: p.ID, ItemID: p.ItemID, InstitutionName: p.InstitutionName, Accounts: []account{}}}
	if err := json.Unmarshal(p.Accounts, &out.PlaidItem.Accounts); err != nil {
		return tools.Result[exchangeOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).Because("the connection is stored, its access token encrypted")
	if known {
		h.Because("this token was exchanged before; the stored connection answers")
	}
	if in.TriggerInitialSync {
		done := f.syncItem(ctx, p, false, new(int))
		if done.err == nil {
			out.SyncSummary = &done.Summary
			warnStandingCorrections(h, done.Summary.stands)
		} else {
			h.Warn("conflict", tools.PriorityHigh, "the connection is stored, but its first sync failed: "+done.Error, "call "+bankSyncName+" later")
		}
	}
	if out.SyncSummary == nil {
		h.SuggestCall(bankSyncName, tools.PriorityHigh, map[string]any{"plaid_item_id": p.ID}, "bring the transactions in; new connections may need a minute")
	} else {
		h.SuggestCall(retrieveName, tools.PriorityMedium, map[string]any{"type": "transaction"}, "look at the transactions")
	}
	return tools.Result[exchangeOutput]{Data: out, Hints: h}, nil
}

// hashToken stands for a public token that was exchanged.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// findItemOfPublicToken finds the connection that a public token was exchanged for.
func (f *family) findItemOfPublicToken(ctx context.Context, token string) (records.PlaidItem, bool, error) {
	found, err := f.findItems(ctx, records.PlaidFilter{PublicToken: hashToken(token)})
	if err != nil || len(found) == 0 {
		return records.PlaidItem{}, false, err
	}
	return found[0], true, nil
}

// connectBank exchanges a public token and stores the connection.
func (f *family) connectBank(ctx context.Context, token string) (records.PlaidItem, error) {
	// A token can be exchanged once: what could fail afterwards is tried before.
	key, err := f.loadOrCreateTokenKey()
	if err != nil {
		return records.PlaidItem{}, tools.Failed(codeInsertFailed, true, err, "the key file for access tokens cannot be made or read in the data folder; check its permissions")
	}
	access, err := f.plaid.client.ExchangePublicToken(ctx, token)
	if err != nil {
		return f.findItemOrExchangeError(ctx, token, err)
	}
	now := f.Store.Now().UnixMilli()
	p := records.PlaidItem{
		ID: uuid.NewSHA1(integrationSpace, []byte("plaid:"+access.ItemID)).String(), ItemID: access.ItemID, PublicToken: hashToken(token),
		AccessToken: key.Seal(access.Token, access.ItemID), Status: statusActive, Products: []string{}, Accounts: json.RawMessage("[]"), CreatedAt: now, UpdatedAt: now,
	}
	// What the bank is called is worth less than the connection itself.
	f.fetchBankDetails(ctx, access.Token, &p) //nolint:errcheck // the next sync asks again
	err = f.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return records.In(tx).SavePlaidItem(p) })
	if err != nil {
		return records.PlaidItem{}, tools.WrapFailure(context.WithoutCancel(ctx), codeInsertFailed, err)
	}
	return p, nil
}

// findItemOrExchangeError tells an invalid token from other failures. Of two calls with one
// token the second may find it used up, and the connection stored.
func (f *family) findItemOrExchangeError(ctx context.Context, token string, err error) (records.PlaidItem, error) {
	var e *PlaidError
	if !errors.As(err, &e) || e.Code != PlaidCodeInvalidPublicToken {
		return records.PlaidItem{}, toPlaidToolError(ctx, err)
	}
	if p, known, failure := f.findItemOfPublicToken(ctx, token); known || failure != nil {
		return p, failure
	}
	refused := tools.Invalid(codeInvalidToken, "public_token", "valid public token", "public_token is invalid, expired or used up; it works once and for 30 minutes: let the user go through Plaid Link again")
	return records.PlaidItem{}, refused.WithHints(tools.NewRefusalHints().Because("public tokens are short-lived").SuggestCall(linkName, tools.PriorityHigh, nil, "make a new link token"))
}

// fetchBankDetails asks for the institution and the accounts of a connection.
func (f *family) fetchBankDetails(ctx context.Context, token string, p *records.PlaidItem) error {
	item, err := f.plaid.client.FetchItemAndAccounts(ctx, token)
	if err != nil {
		return err
	}
	list := make([]account, len(item.Accounts))
	for i, a := range item.Accounts {
		list[i] = account(a)
	}
	if p.Accounts, err = json.Marshal(list); err != nil {
		return err
	}
	p.InstitutionID, p.InstitutionName = item.InstitutionID, item.InstitutionName
	if item.Products != nil {
		p.Products = item.Products
	}
	if p.InstitutionName == "" && item.InstitutionID != "" {
		p.InstitutionName, err = f.plaid.client.FetchInstitutionName(ctx, item.InstitutionID, f.plaid.countries)
	}
	return err
}
