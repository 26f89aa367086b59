package integrations_test

import (
	"testing"

	"toolkit/fixtures"
)

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
	same(t, "providers with an importer", available, 8)
}
