package integrations_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/fixtures"
	"toolkit/internal/plaidtest"
	"toolkit/internal/testfile"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools/integrations"
)

// ours are the tools that this file answers for.
var ours = []string{"list_provider_catalog", "sync_provider_imports", "plaid_create_link_token", "plaid_exchange_public_token", "plaid_sync", "plaid_list_items"}

// furnished is a bench with what the examples need.
func furnished(t *testing.T) *toolstest.Bench {
	t.Helper()
	dir := t.TempDir()
	name, contents := integrations.ExampleArchive()
	path := filepath.Join(dir, filepath.FromSlash(name))
	testfile.Write(t, path, contents)
	bank := plaidtest.New()
	if token := bank.PublicToken(); token != integrations.ExamplePublicToken {
		t.Fatalf("the first token is %s", token)
	}
	b := toolstest.NewBench(t, toolstest.NewClock(noon), store.Options{Path: filepath.Join(dir, "fresh.db")})
	serve(b, environment("https://sandbox.plaid.com"), &http.Client{Transport: bank})
	return b
}

// TestEveryToolPassesTheVerificationChecklist also runs every example and
// compares the result.
func TestEveryToolPassesTheVerificationChecklist(t *testing.T) {
	toolstest.Checklist(t, func() *toolstest.Bench { return furnished(t) }, ours...)
}

// documented are the input schemas of the source document, without
// descriptions; additive optional inputs are listed in additions.
var documented = map[string]string{
	"list_provider_catalog":       `{"type":"object","properties":{}}`,
	"sync_provider_imports":       `{"type":"object","properties":{"provider":{"type":"string","minLength":1,"maxLength":100},"connector_id":{"type":"string"},"sync_type":{"type":"string","enum":["initial","incremental"]},"limit":{"type":"integer","minimum":1,"maximum":1000},"max_pages":{"type":"integer","minimum":1}},"required":["provider"]}`,
	"plaid_create_link_token":     `{"type":"object","properties":{"user_id":{"type":"string","maxLength":200},"client_name":{"type":"string","maxLength":30},"access_token":{"type":"string"},"products":{"type":"array","items":{"type":"string"}},"redirect_uri":{"type":"string"}}}`,
	"plaid_exchange_public_token": `{"type":"object","properties":{"public_token":{"type":"string","minLength":1,"maxLength":500},"trigger_initial_sync":{"type":"boolean"}},"required":["public_token"]}`,
	"plaid_sync":                  `{"type":"object","properties":{"plaid_item_id":{"type":"string"},"item_id":{"type":"string"},"sync_all":{"type":"boolean"},"force_full_sync":{"type":"boolean"}}}`,
	"plaid_list_items":            `{"type":"object","properties":{"plaid_item_id":{"type":"string"},"item_id":{"type":"string"}}}`,
}

var additions = map[string][]string{"plaid_create_link_token": {"plaid_item_id"}}

func TestInputSchemasEqualTheDocumentation(t *testing.T) {
	b := newBench(t)
	for name, want := range documented {
		toolstest.SameInput(t, b.Registry, name, want, additions[name]...)
	}
}

func TestResultsHaveTheDocumentedKeys(t *testing.T) {
	b := newBench(t)
	for name, want := range map[string][]string{
		"list_provider_catalog":       {"providers"},
		"sync_provider_imports":       {"sync_run_id", "provider", "status", "stats", "started_at", "has_more", "connector_id"},
		"plaid_create_link_token":     {"link_token", "expiration"},
		"plaid_exchange_public_token": {"plaid_item"},
		"plaid_sync":                  {"syncs", "total_synced_items"},
		"plaid_list_items":            {"items"},
	} {
		same(t, name+"'s required keys", toolstest.Output(t, b.Registry, name).Required, want)
	}
}

func TestEverySuggestionIsCallable(t *testing.T) {
	suggested := 0
	check := func(b *bench, tool string, in any) { suggested += b.Suggestions(tool, in) }
	b := newBankBench(t)
	for _, in := range []args{{"provider": "gmail"}, {"provider": "nope"}, {"provider": "whatsapp"}} {
		check(b.bench, "sync_provider_imports", in)
	}
	b.put("gmail/a.mbox", letters(5))
	check(b.bench, "sync_provider_imports", args{"provider": "gmail", "limit": 1, "max_pages": 1})
	check(b.bench, "sync_provider_imports", args{"provider": "gmail"})
	check(b.bench, "list_provider_catalog", args{})
	check(b.bench, "plaid_list_items", args{})
	check(b.bench, "plaid_sync", args{})
	check(b.bench, "plaid_sync", args{"sync_all": true})
	check(b.bench, "plaid_create_link_token", args{})
	check(b.bench, "plaid_exchange_public_token", args{"public_token": "wrong"})
	check(b.bench, "plaid_exchange_public_token", args{"public_token": b.bank.PublicToken(), "trigger_initial_sync": true})
	b.connect()
	check(b.bench, "plaid_sync", args{})
	check(b.bench, "plaid_list_items", args{})
	b.bank.RequireLogin(true)
	check(b.bench, "plaid_sync", args{"sync_all": true})
	check(b.bench, "plaid_sync", args{"item_id": "item-2"})
	check(openBench(t, t.TempDir(), nil), "plaid_sync", args{})
	if suggested < 20 {
		t.Errorf("only %d suggestions were seen", suggested)
	}
}

func TestDescriptionsStayShort(t *testing.T) {
	b := newBench(t)
	for _, name := range ours {
		d := b.Registry.Get(name)
		if n := len(d.Description); n > 360 {
			t.Errorf("%s has a description of %d characters", name, n)
		}
		if !strings.Contains(d.Description, "Example:") || !strings.Contains(d.Description, "Returns") {
			t.Errorf("%s does not say what it returns, with an example", name)
		}
	}
}

func TestTheCatalogIsWholeAndHonest(t *testing.T) {
	b := newBench(t)
	list := b.Call("list_provider_catalog", args{})["providers"].([]any)
	same(t, "providers", len(list), 47)
	available := 0
	for i, p := range list {
		e := p.(args)
		known := fixtures.Providers()[i]
		importable := known.Importer != ""
		if (e["status"] == "available") != importable || (e["import_path"] != nil) != importable {
			t.Errorf("%s is %s with import_path %v", e["id"], e["status"], e["import_path"])
		}
		if (e["auth_type"] == "oauth") != (e["oauth_scopes"] != nil) {
			t.Errorf("%s has auth_type %s and scopes %v", e["id"], e["auth_type"], e["oauth_scopes"])
		}
		if !importable {
			continue
		}
		available++
		// Each importer runs: over a folder in which it finds nothing.
		b.put(known.ID+"/x.txt", "")
		b.refuse("sync_provider_imports", args{"provider": known.ID}, "CONNECTOR_NOT_FOUND")
	}
	same(t, "providers with an importer", available, 10)
}

func TestSyncsAreLimitedToFiveAMinute(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"sync_provider_imports", "plaid_sync"} {
		if l := b.Registry.Get(name).RateLimit; l == nil || l.MaxCalls != 5 || l.Window.Seconds() != 60 {
			t.Errorf("%s has the limit %v", name, l)
		}
	}
}
