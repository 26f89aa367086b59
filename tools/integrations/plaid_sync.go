package integrations

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

type bankSyncInput struct {
	PlaidItemID   string `json:"plaid_item_id,omitempty" jsonschema_description:"Connection, by its UUID"`
	ItemID        string `json:"item_id,omitempty" jsonschema_description:"Connection, by Plaid's own item_id"`
	SyncAll       bool   `json:"sync_all,omitempty" jsonschema_description:"Sync all connections; default false"`
	ForceFullSync bool   `json:"force_full_sync,omitempty" jsonschema_description:"Ignore the cursor and read everything again; default false"`
}

type bankSyncOutput struct {
	Syncs            []itemSync `json:"syncs"`
	TotalSyncedItems int        `json:"total_synced_items"`
}

type itemSync struct {
	PlaidItemID string      `json:"plaid_item_id"`
	ItemID      string      `json:"item_id"`
	Status      string      `json:"status" jsonschema:"enum=success,enum=failed"`
	Summary     syncSummary `json:"summary"`
	NextCursor  string      `json:"next_cursor"`
	Error       string      `json:"error,omitempty"`
	Warnings    []string    `json:"warnings,omitempty"`

	err error
}

type syncSummary struct {
	Added    int `json:"added"`
	Modified int `json:"modified"`
	Removed  int `json:"removed"`

	stands []string // what the transactions say otherwise than the user, or not plainly
}

func (f *family) bankSyncTool() tools.Tool[bankSyncInput, bankSyncOutput] {
	return tools.Tool[bankSyncInput, bankSyncOutput]{
		Name:  bankSyncName,
		Title: "Sync bank transactions",
		Description: "Bring new, changed and removed transactions of connected banks in; removed ones are marked, not deleted. Name a connection or set sync_all; one alone needs no name. " +
			"Returns what changed by connection. Example: before summing up last month's spending.",
		Permissions: []tools.Permission{maySyncBanks}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, OpenWorld: true, Version: version,
		Tags: []string{"plaid", "banks"}, RateLimit: &tools.RateLimit{MaxCalls: 5, Window: time.Minute},
		Examples: []tools.Example[bankSyncInput, bankSyncOutput]{{
			Description: "All banks, one of which is connected",
			Setup:       []tools.SetupCall{{Tool: exchangeName, Params: exchangeInput{PublicToken: ExamplePublicToken}}},
			Params:      bankSyncInput{SyncAll: true},
			Result: bankSyncOutput{Syncs: []itemSync{{PlaidItemID: "550e8400-e29b-41d4-a716-446655440000", ItemID: "item-1", Status: "success", NextCursor: "cursor-0"}},
				TotalSyncedItems: 1},
			Varies: []string{"plaid_item_id", "item_id", "next_cursor"},
		}},
		Handle: f.syncBanks,
	}
}

func (f *family) syncBanks(ctx context.Context, in bankSyncInput) (tools.Result[bankSyncOutput], error) {
	if err := f.checkPlaidConfigured(); err != nil {
		return tools.Result[bankSyncOutput]{}, err
	}
	items, err := f.itemsToSync(ctx, in)
	if err != nil {
		return tools.Result[bankSyncOutput]{}, err
	}
	out := bankSyncOutput{Syncs: []itemSync{}}
	var first error
	pages := 0
	for _, p := range items {
		done := f.syncItem(ctx, p, in.ForceFullSync, &pages)
		if done.err == nil {
			out.TotalSyncedItems++
		} else if first == nil {
			first = done.err
		}
		out.Syncs = append(out.Syncs, done)
	}
	if len(items) > 0 && out.TotalSyncedItems == 0 {
		return tools.Result[bankSyncOutput]{}, first
	}
	return tools.Result[bankSyncOutput]{Data: out, Hints: bankSyncHints(out)}, nil
}

// itemsToSync are the connections that are meant: the named one, all, or the
// only one there is.
func (f *family) itemsToSync(ctx context.Context, in bankSyncInput) ([]records.PlaidItem, error) {
	if in.PlaidItemID != "" || in.ItemID != "" {
		field := "plaid_item_id"
		if in.PlaidItemID == "" {
			field = "item_id"
		}
		p, err := f.findItem(ctx, records.PlaidFilter{ID: strings.ToLower(in.PlaidItemID), ItemID: in.ItemID}, field)
		return []records.PlaidItem{p}, err
	}
	all, err := f.findItems(ctx, records.PlaidFilter{})
	switch {
	case err != nil:
		return nil, err
	case in.SyncAll || len(all) == 1:
		return all, nil
	case len(all) == 0:
		return nil, tools.Refused(codeItemNotFound, "plaid_item_id", "connected item", "no bank is connected; connect one with %s", linkName).
			WithHints(tools.NewRefusalHints().Because("no bank is connected").SuggestCall(linkName, tools.PriorityHigh, nil, "make a token with which the user connects a bank"))
	}
	return nil, tools.Invalid(tools.CodeMissing, "plaid_item_id", "one connection, or sync_all", "%d banks are connected; name one by plaid_item_id or item_id, or set sync_all", len(all)).
		WithHints(tools.NewRefusalHints().Because("several banks are connected").SuggestCall(bankSyncName, tools.PriorityMedium, map[string]any{"sync_all": true}, "sync all of them").SuggestCall(itemsName, tools.PriorityMedium, nil, "list them"))
}

// syncItem brings one connection up to date. pages counts what the call has read,
// for its progress.
func (f *family) syncItem(ctx context.Context, p records.PlaidItem, full bool, pages *int) itemSync {
	done := itemSync{PlaidItemID: p.ID, ItemID: p.ItemID, Status: "success", NextCursor: p.Cursor}
	fail := func(err error) itemSync {
		done.Status, done.err = "failed", err
		done.Error = "the call ended before it was done"
		if known, ok := errors.AsType[*tools.Error](err); ok {
			done.Error = known.Message
		}
		return done
	}
	token, err := f.decryptAccessToken(p)
	if err != nil {
		return fail(err)
	}
	if p.InstitutionID == "" { // the first look failed; the connection works without
		if f.fetchBankDetails(ctx, token, &p) == nil {
			err = f.Store.Write(ctx, func(tx *store.Tx) error { return records.In(tx).SavePlaidItem(p) })
			if err != nil {
				return fail(tools.WrapFailure(ctx, codeSyncFailed, err))
			}
		}
	}
	cursor := p.Cursor
	if full {
		cursor = ""
	}
	changes, err := f.plaid.client.FetchAllChanges(ctx, token, cursor, func(n int) {
		*pages++
		tools.ReportProgress(ctx, float64(*pages), 0, fmt.Sprintf("%s read from %s", language.FormatCount(n, "transaction", "transactions"), p.InstitutionName))
	})
	if err != nil {
		return fail(f.saveFailureStatus(ctx, p, err))
	}
	p.Cursor, p.Status, p.ErrorCode, p.SyncedAt = changes.Cursor, statusActive, "", f.Store.Now().UnixMilli()
	summary, err := f.storeChanges(ctx, p, changes)
	if err != nil {
		return fail(tools.WrapFailure(ctx, codeSyncFailed, err))
	}
	done.Summary, done.NextCursor, done.Warnings = summary, changes.Cursor, dedupeAndLimit(summary.stands)
	return done
}

// saveFailureStatus keeps what is wrong with a connection that the user must mend.
func (f *family) saveFailureStatus(ctx context.Context, p records.PlaidItem, err error) error {
	var e *PlaidError
	failure := toPlaidToolError(ctx, err)
	if !errors.As(err, &e) || e.Type != "ITEM_ERROR" && e.Code != "INVALID_ACCESS_TOKEN" {
		return failure
	}
	p.Status, p.ErrorCode = statusError, e.Code
	switch e.Code {
	case "ITEM_NOT_FOUND", "ACCESS_NOT_GRANTED", "USER_PERMISSION_REVOKED", "USER_ACCOUNT_REVOKED", "INVALID_ACCESS_TOKEN":
		p.Status = statusRevoked
	}
	if err := f.Store.Write(ctx, func(tx *store.Tx) error { return records.In(tx).SavePlaidSync(p) }); err != nil {
		return tools.WrapFailure(ctx, codeSyncFailed, err)
	}
	return failure
}

// bankPage is how many transactions are stored at once: the years of most
// accounts. More would keep other processes waiting for too long.
const bankPage = 2000

// storeChanges stores the changes of a walk. The rows and the cursor stand or fall
// together; of a longer walk the last page of rows does so, and the earlier ones
// are known when a sync that was broken off begins anew.
func (f *family) storeChanges(ctx context.Context, p records.PlaidItem, changes PlaidPage) (syncSummary, error) {
	var s syncSummary
	names := accountNames(p, changes)
	left := slices.Concat(changes.Added, changes.Modified)
	for {
		shown := left[:min(len(left), bankPage)]
		page := make([]ArchiveItem, len(shown))
		for i, t := range shown {
			page[i] = ArchiveItem{Type: "transaction", ID: t.ID, Fields: transactionFields(t, p, names)}
		}
		left = left[len(page):]
		counted := s
		err := f.Store.Write(ctx, func(tx *store.Tx) error {
			counted = s
			n, err := f.storeItems(tx, "plaid", page, true)
			counted.Added, counted.Modified, counted.stands = s.Added+n.added, s.Modified+n.changed, append(counted.stands, n.stands...)
			if err != nil || len(left) > 0 {
				return err
			}
			if err := f.markRemoved(tx, changes.Removed, &counted); err != nil {
				return err
			}
			return records.In(tx).SavePlaidSync(p)
		})
		if s = counted; err != nil || len(left) == 0 {
			return s, err
		}
	}
}

// markRemoved marks transactions that are no more; they stay findable.
func (f *family) markRemoved(tx *store.Tx, removed []PlaidRemoved, s *syncSummary) error {
	now := f.Store.Now().UnixMilli()
	mark, err := json.Marshal(map[string]any{"removed": true, "removed_at": tools.FormatTimestamp(now)})
	if err != nil {
		return err
	}
	for _, r := range removed {
		id := recordID("plaid", r.ID)
		changed, stands, err := f.Intake.Amend(tx, id, mark, now)
		if err != nil {
			return err
		}
		s.stands = append(s.stands, stands...)
		if changed {
			s.Removed++
		}
		// Should the bank report it again, it is news.
		if err := records.In(tx).SaveImportedDigest(id, 0); err != nil {
			return err
		}
	}
	return nil
}

func accountNames(p records.PlaidItem, changes PlaidPage) map[string]string {
	names := map[string]string{}
	var stored []account
	if json.Unmarshal(p.Accounts, &stored) == nil {
		for _, a := range stored {
			names[a.ID] = a.Name
		}
	}
	for _, a := range changes.Accounts {
		names[a.ID] = a.Name
	}
	return names
}

// transactionFields are a transaction in the words of the capability
// store_transaction. Its amount is positive when money left the account.
func transactionFields(t PlaidTransaction, p records.PlaidItem, names map[string]string) ItemFields {
	fields := ItemFields{
		"transaction_id": t.ID, "amount": t.Amount, "date": t.Date, "pending": t.Pending, "removed": false,
		"item_id": p.ItemID, "direction": "outflow",
	}
	if strings.HasPrefix(t.Amount.String(), "-") {
		fields["direction"] = "inflow"
	}
	for name, value := range map[string]string{
		"account_id": t.AccountID, "account_name": names[t.AccountID], "institution_name": p.InstitutionName, "currency": cmp.Or(t.Currency, t.OtherMoney),
		"authorized_date": t.Authorized, "description": t.Name, "merchant_name": t.MerchantName, "website": t.Website, "payment_channel": t.Channel,
		"pending_transaction_id": t.PendingID, "category": t.Category.Primary, "category_detailed": t.Category.Detailed, "counterparty": findCounterpartyName(t),
	} {
		if value != "" {
			fields[name] = value
		}
	}
	return fields
}

// findCounterpartyName is the first party of a transaction that is not the merchant.
func findCounterpartyName(t PlaidTransaction) string {
	for _, c := range t.Counterparties {
		if c.Name != "" && !strings.EqualFold(c.Name, t.MerchantName) {
			return c.Name
		}
	}
	return ""
}

func bankSyncHints(out bankSyncOutput) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence())
	total := syncSummary{}
	for _, s := range out.Syncs {
		total.Added, total.Modified, total.Removed = total.Added+s.Summary.Added, total.Modified+s.Summary.Modified, total.Removed+s.Summary.Removed
		warnStandingCorrections(h, s.Summary.stands)
		if s.err != nil {
			h.Warn("conflict", tools.PriorityHigh, "a connection failed: "+s.Error, "")
			h.SuggestCall(linkName, tools.PriorityMedium, map[string]any{"plaid_item_id": s.PlaidItemID}, "if the bank wants the credentials again, make a token for that")
		}
	}
	h.Because(fmt.Sprintf("%s new, %d changed, %d marked as removed", language.FormatCount(total.Added, "transaction is", "transactions are"), total.Modified, total.Removed))
	switch {
	case len(out.Syncs) == 0:
		h.SuggestCall(linkName, tools.PriorityMedium, nil, "no bank is connected; make a token with which the user connects one")
	case total.Added+total.Modified > 0:
		h.SuggestCall(retrieveName, tools.PriorityMedium, map[string]any{"type": "transaction", "properties": map[string]any{"removed": false}}, "look at the transactions that stand")
		h.SuggestCall("find_entities", tools.PriorityLow, map[string]any{"type": "company"}, "see the companies they name")
	default:
		h.SuggestCall(bankSyncName, tools.PriorityLow, map[string]any{"sync_all": true}, "banks report a few times a day; sync again later")
	}
	return h
}

type itemsInput struct {
	PlaidItemID string `json:"plaid_item_id,omitempty" jsonschema_description:"Only this connection, by its UUID"`
	ItemID      string `json:"item_id,omitempty" jsonschema_description:"Only this connection, by Plaid's own item_id"`
}

type itemsOutput struct {
	Items []listedItem `json:"items"`
}

type listedItem struct {
	ID                 string   `json:"id"`
	ItemID             string   `json:"item_id"`
	InstitutionID      string   `json:"institution_id"`
	InstitutionName    string   `json:"institution_name"`
	Products           []string `json:"products"`
	LastSuccessfulSync *string  `json:"last_successful_sync" jsonschema:"oneof_type=string;null"`
	Status             string   `json:"status" jsonschema:"enum=active,enum=error,enum=revoked"`
	ErrorCode          string   `json:"error_code,omitempty" jsonschema_description:"Plaid's code of what is wrong"`
}

func (f *family) itemsTool() tools.Tool[itemsInput, itemsOutput] {
	return tools.Tool[itemsInput, itemsOutput]{
		Name:  itemsName,
		Title: "List connected banks",
		Description: "List the banks that are connected through Plaid, oldest first, without their access tokens; it asks nothing of the network. " +
			"Returns each with its status and last successful sync. Example: which of my banks needs its credentials again?",
		Permissions: []tools.Permission{mayReadBanks}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"plaid", "banks"},
		Examples: []tools.Example[itemsInput, itemsOutput]{{
			Description: "One bank is connected",
			Setup:       []tools.SetupCall{{Tool: exchangeName, Params: exchangeInput{PublicToken: ExamplePublicToken}}},
			Result: itemsOutput{Items: []listedItem{{ID: "550e8400-e29b-41d4-a716-446655440000", ItemID: "item-1", InstitutionID: "ins_109508", InstitutionName: "First Platypus Bank",
				Products: []string{"transactions"}, Status: statusActive}}},
			Varies: []string{"id", "item_id"},
		}},
		Handle: f.listItems,
	}
}

func (f *family) listItems(ctx context.Context, in itemsInput) (tools.Result[itemsOutput], error) {
	found, err := f.findItems(ctx, records.PlaidFilter{ID: strings.ToLower(in.PlaidItemID), ItemID: in.ItemID})
	if err != nil {
		return tools.Result[itemsOutput]{}, err
	}
	out := itemsOutput{Items: []listedItem{}}
	h := tools.NewHints(tools.NewReadEvidence(len(found))).Because(language.FormatCount(len(found), "connection is", "connections are") + " stored")
	for _, p := range found {
		item := listedItem{ID: p.ID, ItemID: p.ItemID, InstitutionID: p.InstitutionID, InstitutionName: p.InstitutionName, Products: p.Products, Status: p.Status, ErrorCode: p.ErrorCode}
		if p.SyncedAt > 0 {
			at := tools.FormatTimestamp(p.SyncedAt)
			item.LastSuccessfulSync = &at
		}
		out.Items = append(out.Items, item)
		if p.Status != statusActive {
			h.SuggestCall(linkName, tools.PriorityHigh, map[string]any{"plaid_item_id": p.ID}, "let the user enter the credentials of "+p.InstitutionName+" again")
		}
	}
	if len(found) == 0 {
		h.SuggestCall(linkName, tools.PriorityMedium, nil, "make a token with which the user connects a bank")
	} else {
		h.SuggestCall(bankSyncName, tools.PriorityMedium, map[string]any{"sync_all": true}, "bring their transactions up to date")
	}
	return tools.Result[itemsOutput]{Data: out, Hints: h}, nil
}
