package integrations

import (
	"context"
	"encoding/json"
)

// PlaidLinkRequest asks for a link token. Without an access token it connects a new
// item; with one it lets the user enter an item's credentials again.
type PlaidLinkRequest struct {
	ClientName   string        `json:"client_name"`
	Language     string        `json:"language"`
	CountryCodes []string      `json:"country_codes"`
	User         PlaidLinkUser `json:"user"`
	Products     []string      `json:"products,omitempty"`
	AccessToken  string        `json:"access_token,omitempty"`
	RedirectURI  string        `json:"redirect_uri,omitempty"`
}

// PlaidLinkUser is the person a link token is for.
type PlaidLinkUser struct {
	ID string `json:"client_user_id"`
}

// PlaidLink is a short-lived token for Plaid Link.
type PlaidLink struct {
	Token      string `json:"link_token"`
	Expiration string `json:"expiration"`
}

// CreateLinkToken calls /link/token/create.
func (c *PlaidClient) CreateLinkToken(ctx context.Context, r PlaidLinkRequest) (PlaidLink, error) {
	var l PlaidLink
	err := c.call(ctx, "/link/token/create", r, &l)
	if err == nil && l.Token == "" {
		err = errPlaidMalformed
	}
	return l, err
}

// PlaidAccess is what a public token is exchanged for.
type PlaidAccess struct {
	Token  string `json:"access_token"`
	ItemID string `json:"item_id"`
}

// ExchangePublicToken calls /item/public_token/exchange.
func (c *PlaidClient) ExchangePublicToken(ctx context.Context, publicToken string) (PlaidAccess, error) {
	var a PlaidAccess
	err := c.call(ctx, "/item/public_token/exchange", map[string]string{"public_token": publicToken}, &a)
	if err == nil && (a.Token == "" || a.ItemID == "") {
		err = errPlaidMalformed
	}
	return a, err
}

// PlaidAccount is an account of an item.
type PlaidAccount struct {
	ID      string `json:"account_id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// PlaidItemDetails is a connection to an institution.
type PlaidItemDetails struct {
	ItemID          string   `json:"item_id"`
	InstitutionID   string   `json:"institution_id"`
	InstitutionName string   `json:"institution_name"`
	Products        []string `json:"products"`
	Accounts        []PlaidAccount
}

// FetchItemAndAccounts calls /accounts/get, which tells of the item as well.
func (c *PlaidClient) FetchItemAndAccounts(ctx context.Context, accessToken string) (PlaidItemDetails, error) {
	var answer struct {
		Accounts []PlaidAccount   `json:"accounts"`
		Item     PlaidItemDetails `json:"item"`
	}
	err := c.call(ctx, "/accounts/get", map[string]string{"access_token": accessToken}, &answer)
	answer.Item.Accounts = answer.Accounts
	return answer.Item, err
}

// FetchInstitutionName calls /institutions/get_by_id.
func (c *PlaidClient) FetchInstitutionName(ctx context.Context, id string, countries []string) (string, error) {
	var answer struct {
		Institution struct {
			Name string `json:"name"`
		} `json:"institution"`
	}
	err := c.call(ctx, "/institutions/get_by_id", map[string]any{"institution_id": id, "country_codes": countries}, &answer)
	return answer.Institution.Name, err
}

// PlaidTransaction is a transaction as Plaid reports it. Amounts are positive when
// money leaves the account.
type PlaidTransaction struct {
	ID           string      `json:"transaction_id"`
	AccountID    string      `json:"account_id"`
	Amount       json.Number `json:"amount"`
	Currency     string      `json:"iso_currency_code"`
	OtherMoney   string      `json:"unofficial_currency_code"`
	Date         string      `json:"date"`
	Authorized   string      `json:"authorized_date"`
	Name         string      `json:"name"`
	MerchantName string      `json:"merchant_name"`
	Website      string      `json:"website"`
	Channel      string      `json:"payment_channel"`
	Pending      bool        `json:"pending"`
	PendingID    string      `json:"pending_transaction_id"`
	Category     struct {
		Primary  string `json:"primary"`
		Detailed string `json:"detailed"`
	} `json:"personal_finance_category"`
	Counterparties []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"counterparties"`
}

// PlaidRemoved names a transaction that is no more.
type PlaidRemoved struct {
	ID string `json:"transaction_id"`
}

// PlaidPage is a part of the changes since a cursor.
type PlaidPage struct {
	Added    []PlaidTransaction `json:"added"`
	Modified []PlaidTransaction `json:"modified"`
	Removed  []PlaidRemoved     `json:"removed"`
	Accounts []PlaidAccount     `json:"accounts"`
	Cursor   string             `json:"next_cursor"`
	HasMore  bool               `json:"has_more"`
}

// PlaidPageSize is the most that Plaid gives at once.
const PlaidPageSize = 500

// FetchTransactionPage calls /transactions/sync; the empty cursor is the beginning.
func (c *PlaidClient) FetchTransactionPage(ctx context.Context, accessToken, cursor string) (PlaidPage, error) {
	in := map[string]any{"access_token": accessToken, "count": PlaidPageSize}
	if cursor != "" {
		in["cursor"] = cursor
	}
	var p PlaidPage
	if err := c.call(ctx, "/transactions/sync", in, &p); err != nil {
		return PlaidPage{}, err
	}
	// A page that does not move on would be asked for for ever.
	if p.HasMore && (p.Cursor == "" || p.Cursor == cursor) {
		return PlaidPage{}, errPlaidMalformed
	}
	for _, list := range [][]PlaidTransaction{p.Added, p.Modified} {
		for _, t := range list {
			if t.ID == "" || t.Amount == "" || t.Date == "" {
				return PlaidPage{}, errPlaidMalformed
			}
		}
	}
	return p, nil
}

// maxPlaidRestarts is how often a walk begins anew because the data changed
// meanwhile.
const maxPlaidRestarts = 5

// FetchAllChanges walks all pages since a cursor. When the data changes during the walk,
// Plaid wants it begun anew, from the first cursor.
func (c *PlaidClient) FetchAllChanges(ctx context.Context, accessToken, cursor string, report func(transactions int)) (PlaidPage, error) {
	for restart := 0; ; restart++ {
		all, err := c.fetchAllPages(ctx, accessToken, cursor, report)
		refused, ok := err.(*PlaidError)
		if !ok || refused.Code != PlaidCodeMutation || restart == maxPlaidRestarts {
			return all, err
		}
	}
}

func (c *PlaidClient) fetchAllPages(ctx context.Context, accessToken, cursor string, report func(int)) (PlaidPage, error) {
	all := PlaidPage{Cursor: cursor}
	for {
		p, err := c.FetchTransactionPage(ctx, accessToken, all.Cursor)
		if err != nil {
			return PlaidPage{}, err
		}
		all.Added, all.Modified, all.Removed = append(all.Added, p.Added...), append(all.Modified, p.Modified...), append(all.Removed, p.Removed...)
		if all.Cursor = p.Cursor; len(p.Accounts) > 0 {
			all.Accounts = p.Accounts
		}
		report(len(all.Added) + len(all.Modified) + len(all.Removed))
		if !p.HasMore {
			return all, nil
		}
	}
}
