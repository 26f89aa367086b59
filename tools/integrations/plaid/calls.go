package plaid

import (
	"context"
	"encoding/json"
)

// LinkRequest asks for a link token. Without an access token it connects a new
// item; with one it lets the user enter an item's credentials again.
type LinkRequest struct {
	ClientName   string   `json:"client_name"`
	Language     string   `json:"language"`
	CountryCodes []string `json:"country_codes"`
	User         LinkUser `json:"user"`
	Products     []string `json:"products,omitempty"`
	AccessToken  string   `json:"access_token,omitempty"`
	RedirectURI  string   `json:"redirect_uri,omitempty"`
}

// LinkUser is the person a link token is for.
type LinkUser struct {
	ID string `json:"client_user_id"`
}

// Link is a short-lived token for Plaid Link.
type Link struct {
	Token      string `json:"link_token"`
	Expiration string `json:"expiration"`
}

// CreateLinkToken calls /link/token/create.
func (c *Client) CreateLinkToken(ctx context.Context, r LinkRequest) (Link, error) {
	var l Link
	err := c.call(ctx, "/link/token/create", r, &l)
	if err == nil && l.Token == "" {
		err = &Error{Status: 502, Code: CodeMalformed}
	}
	return l, err
}

// Access is what a public token is exchanged for.
type Access struct {
	Token  string `json:"access_token"`
	ItemID string `json:"item_id"`
}

// Exchange calls /item/public_token/exchange.
func (c *Client) Exchange(ctx context.Context, publicToken string) (Access, error) {
	var a Access
	err := c.call(ctx, "/item/public_token/exchange", map[string]string{"public_token": publicToken}, &a)
	if err == nil && (a.Token == "" || a.ItemID == "") {
		err = &Error{Status: 502, Code: CodeMalformed}
	}
	return a, err
}

// Account is an account of an item.
type Account struct {
	ID      string `json:"account_id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
}

// Item is a connection to an institution.
type Item struct {
	ItemID          string   `json:"item_id"`
	InstitutionID   string   `json:"institution_id"`
	InstitutionName string   `json:"institution_name"`
	Products        []string `json:"products"`
	Accounts        []Account
}

// Accounts calls /accounts/get, which tells of the item as well.
func (c *Client) Accounts(ctx context.Context, accessToken string) (Item, error) {
	var answer struct {
		Accounts []Account `json:"accounts"`
		Item     Item      `json:"item"`
	}
	err := c.call(ctx, "/accounts/get", map[string]string{"access_token": accessToken}, &answer)
	answer.Item.Accounts = answer.Accounts
	return answer.Item, err
}

// InstitutionName calls /institutions/get_by_id.
func (c *Client) InstitutionName(ctx context.Context, id string, countries []string) (string, error) {
	var answer struct {
		Institution struct {
			Name string `json:"name"`
		} `json:"institution"`
	}
	err := c.call(ctx, "/institutions/get_by_id", map[string]any{"institution_id": id, "country_codes": countries}, &answer)
	return answer.Institution.Name, err
}

// Transaction is a transaction as Plaid reports it. Amounts are positive when
// money leaves the account.
type Transaction struct {
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

// Removed names a transaction that is no more.
type Removed struct {
	ID string `json:"transaction_id"`
}

// Page is a part of the changes since a cursor.
type Page struct {
	Added    []Transaction `json:"added"`
	Modified []Transaction `json:"modified"`
	Removed  []Removed     `json:"removed"`
	Accounts []Account     `json:"accounts"`
	Cursor   string        `json:"next_cursor"`
	HasMore  bool          `json:"has_more"`
}

// PageSize is the most that Plaid gives at once.
const PageSize = 500

// Transactions calls /transactions/sync; the empty cursor is the beginning.
func (c *Client) Transactions(ctx context.Context, accessToken, cursor string) (Page, error) {
	in := map[string]any{"access_token": accessToken, "count": PageSize}
	if cursor != "" {
		in["cursor"] = cursor
	}
	var p Page
	if err := c.call(ctx, "/transactions/sync", in, &p); err != nil {
		return Page{}, err
	}
	// A page that does not move on would be asked for for ever.
	if p.HasMore && (p.Cursor == "" || p.Cursor == cursor) {
		return Page{}, &Error{Status: 502, Code: CodeMalformed}
	}
	for _, list := range [][]Transaction{p.Added, p.Modified} {
		for _, t := range list {
			if t.ID == "" || t.Amount == "" || t.Date == "" {
				return Page{}, &Error{Status: 502, Code: CodeMalformed}
			}
		}
	}
	return p, nil
}

// maxRestarts is how often a walk begins anew because the data changed
// meanwhile.
const maxRestarts = 5

// Changes walks all pages since a cursor. When the data changes during the walk,
// Plaid wants it begun anew, from the first cursor.
func (c *Client) Changes(ctx context.Context, accessToken, cursor string, report func(transactions int)) (Page, error) {
	for restart := 0; ; restart++ {
		all, err := c.walk(ctx, accessToken, cursor, report)
		refused, ok := err.(*Error)
		if !ok || refused.Code != CodeMutation || restart == maxRestarts {
			return all, err
		}
	}
}

func (c *Client) walk(ctx context.Context, accessToken, cursor string, report func(int)) (Page, error) {
	all := Page{Cursor: cursor}
	for {
		p, err := c.Transactions(ctx, accessToken, all.Cursor)
		if err != nil {
			return Page{}, err
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
