package integrations_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"toolkit/fixtures"
	"toolkit/internal/plaid/standin"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/integrations"
	"toolkit/tools/payloads"
)

// ours are the tools that this file answers for.
var ours = []string{"list_provider_catalog", "sync_provider_imports", "plaid_create_link_token", "plaid_exchange_public_token", "plaid_sync", "plaid_list_items"}

// furnished are a bench's options with what the examples need.
func furnished(t *testing.T) (*tools.Registry, tools.ServerOptions, func()) {
	t.Helper()
	dir := t.TempDir()
	name, contents := integrations.ExampleArchive()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, contents, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(context.Background(), store.Options{Path: filepath.Join(dir, "fresh.db")})
	if err != nil {
		t.Fatal(err)
	}
	bank := standin.New()
	if token := bank.PublicToken(); token != integrations.ExamplePublicToken {
		t.Fatalf("the first token is %s", token)
	}
	env := environment("https://sandbox.plaid.com")
	r, err := tools.NewRegistry(payloads.New(payloads.Deps{Store: db}), integrations.New(integrations.Deps{
		Store: db, Intake: payloads.Intake{}, Getenv: func(name string) string { return env[name] }, HTTP: &http.Client{Transport: bank},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return r, tools.ServerOptions{Registry: r, Patience: 60, Now: limitless(), Classify: tools.StorageError}, func() { db.Close() }
}

// TestEveryToolPassesTheVerificationChecklist also runs every example and
// compares the result.
func TestEveryToolPassesTheVerificationChecklist(t *testing.T) {
	r, _, discard := furnished(t)
	defer discard()
	checks, err := tools.Verify(context.Background(), r, func() (tools.ServerOptions, func(), error) {
		_, o, discard := furnished(t)
		return o, discard, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range checks {
		if !slices.Contains(ours, c.Tool) {
			continue
		}
		if seen[c.Tool] = true; !c.OK {
			t.Errorf("%s: %s: %s", c.Tool, c.Line, c.Problem)
		}
	}
	if len(seen) != len(ours) {
		t.Errorf("%d tools were checked, want %d", len(seen), len(ours))
	}
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
		raw, err := b.registry.Get(name).InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var got, expected args
		if json.Unmarshal(raw, &got) != nil || json.Unmarshal([]byte(want), &expected) != nil {
			t.Fatal("a schema is no JSON")
		}
		properties, _ := got["properties"].(args)
		for _, extra := range additions[name] {
			if properties[extra] == nil {
				t.Errorf("%s: the optional input %s is missing", name, extra)
			}
			delete(properties, extra)
		}
		for field, p := range properties {
			if text, _ := p.(args)["description"].(string); text == "" {
				t.Errorf("%s.%s has no description", name, field)
			}
			delete(p.(args), "description")
		}
		delete(got, "additionalProperties")
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("%s: the schema is\n%s\nthe documentation has\n%s", name, raw, want)
		}
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
		raw, err := b.registry.Get(name).OutputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Required []string }
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		same(t, name+"'s required keys", schema.Required, want)
	}
}

func TestEverySuggestionIsCallable(t *testing.T) {
	suggested := 0
	check := func(b *bench, tool string, in any) {
		for _, a := range b.respond(context.Background(), tool, in).Hints.SuggestedNextActions {
			d := b.registry.Get(a.Action)
			if d == nil {
				t.Errorf("%s suggests %s, which is no tool", tool, a.Action)
				continue
			}
			suggested++
			raw, err := d.InputSchema()
			if err != nil {
				t.Fatal(err)
			}
			var schema struct{ Properties map[string]any }
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatal(err)
			}
			for key := range a.Data {
				if schema.Properties[key] == nil {
					t.Errorf("%s suggests %s with %s, which it does not take", tool, a.Action, key)
				}
			}
		}
	}
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
		d := b.registry.Get(name)
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
	list := b.call("list_provider_catalog", args{})["providers"].([]any)
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
		if l := b.registry.Get(name).RateLimit; l == nil || l.MaxCalls != 5 || l.Window.Seconds() != 60 {
			t.Errorf("%s has the limit %v", name, l)
		}
	}
}
