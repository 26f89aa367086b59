package integrations_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"toolkit/internal/plaidtest"
	"toolkit/tools/integrations"
)

func newPlaidClient(t *testing.T, bank http.RoundTripper) *integrations.PlaidClient {
	t.Helper()
	c, err := integrations.NewPlaidClient("https://bank.invalid", plaidtest.ClientID, plaidtest.Secret, &http.Client{Transport: bank})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOnlySafeAddressesAreTaken(t *testing.T) {
	for base, ok := range map[string]bool{
		"https://sandbox.plaid.com": true, "https://sandbox.plaid.com/": true, "http://127.0.0.1:8080": true, "http://localhost:1": true, "http://[::1]:1": true,
		"http://sandbox.plaid.com": false, "http://127.0.0.1.example.org": false, "ftp://x": false, "": false, "sandbox.plaid.com": false,
		"https://user:pass@sandbox.plaid.com": false, "https://x?y=1": false, "https://x#y": false, "http://10.0.0.1": false,
	} {
		if _, err := integrations.NewPlaidClient(base, "a", "b", nil); (err == nil) != ok {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func TestTheWalkCollectsAllPages(t *testing.T) {
	bank := plaidtest.New()
	c := newPlaidClient(t, bank)
	access, err := c.ExchangePublicToken(context.Background(), bank.PublicToken())
	if err != nil {
		t.Fatal(err)
	}
	for range 1001 {
		bank.Change("added", plaidtest.Purchase("a", "2025-01-01", "b", 1))
	}
	bank.Change("removed", plaidtest.Purchase("a", "", "", 0))
	var heard []int
	p, err := c.FetchAllChanges(context.Background(), access.Token, "", func(n int) { heard = append(heard, n) })
	if err != nil || len(p.Added) != 1001 || len(p.Removed) != 1 || p.Cursor != "cursor-1002" || p.HasMore || len(heard) != 3 {
		t.Errorf("%d added, %d removed, cursor %s, %v, %v", len(p.Added), len(p.Removed), p.Cursor, heard, err)
	}
	item, err := c.FetchItemAndAccounts(context.Background(), access.Token)
	if err != nil || len(item.Accounts) != 2 || item.InstitutionID != plaidtest.InstitutionID {
		t.Errorf("the item is %+v, %v", item, err)
	}
}

func TestAWalkGivesUpWhenTheDataNeverRests(t *testing.T) {
	bank := plaidtest.New()
	c := newPlaidClient(t, bank)
	access, err := c.ExchangePublicToken(context.Background(), bank.PublicToken())
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		bank.Fail("/transactions/sync", 0, 400, nil, `{"error_type":"TRANSACTIONS_ERROR","error_code":"TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"}`)
	}
	_, err = c.FetchAllChanges(context.Background(), access.Token, "", func(int) {})
	var refused *integrations.PlaidError
	if !errors.As(err, &refused) || refused.Code != integrations.PlaidCodeMutation || !refused.Retryable() {
		t.Errorf("the walk ended with %v", err)
	}
	if n := len(bank.Requests()); n != 1+6 {
		t.Errorf("%d requests were made", n)
	}
}

func TestErrorsCarryCodesAndNothingElse(t *testing.T) {
	bank := plaidtest.New()
	c := newPlaidClient(t, bank)
	_, err := c.ExchangePublicToken(context.Background(), "public-secret-token")
	var refused *integrations.PlaidError
	if !errors.As(err, &refused) || refused.Code != integrations.PlaidCodeInvalidPublicToken || refused.Type != "INVALID_INPUT" || refused.RequestID == "" {
		t.Fatalf("the error is %v", err)
	}
	if strings.Contains(err.Error(), "token") && strings.Contains(err.Error(), "secret") {
		t.Errorf("the error repeats the token: %v", err)
	}
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for value, least := range map[string]time.Duration{"30": 30 * time.Second, at: 50 * time.Minute, "-5": 0, "soon": 0, "99999999": 24 * time.Hour} {
		bank.Fail("/link/token/create", 0, 429, http.Header{"Retry-After": {value}}, "")
		_, err := c.CreateLinkToken(context.Background(), integrations.PlaidLinkRequest{})
		if !errors.As(err, &refused) || refused.Code != integrations.PlaidCodeRateLimit || !refused.Retryable() || refused.RetryAfter < least || refused.RetryAfter > 24*time.Hour {
			t.Errorf("Retry-After %s gives %+v", value, refused)
		}
	}
}

func TestAnswersBeyondAnyMeasureAreRefused(t *testing.T) {
	bank := plaidtest.New()
	bank.Fail("/link/token/create", 0, 200, nil, strings.Repeat(" ", 33<<20))
	_, err := newPlaidClient(t, bank).CreateLinkToken(context.Background(), integrations.PlaidLinkRequest{})
	var refused *integrations.PlaidError
	if !errors.As(err, &refused) || refused.Code != integrations.PlaidCodeMalformedResponse {
		t.Errorf("the error is %v", err)
	}
}
