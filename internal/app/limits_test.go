package app

import (
	"testing"
	"time"

	"toolkit/tools"
)

// publishedLimits are the rate limits of the source, calls a minute; 0: none.
var publishedLimits = map[string]int{"store_record": 100, "retrieve_records": 300, "upload_file": 10, "plaid_sync": 5, "sync_provider_imports": 5, "submit_payload": 0}

func TestToolsHaveTheirPublishedRateLimits(t *testing.T) {
	registry, err := Registry()
	if err != nil {
		t.Fatal(err)
	}
	for name, calls := range publishedLimits {
		d := registry.Get(name)
		if d == nil {
			continue // a tool that this version does not serve
		}
		if want := (tools.RateLimit{MaxCalls: calls, Window: time.Minute}); calls == 0 && d.RateLimit != nil || calls > 0 && (d.RateLimit == nil || *d.RateLimit != want) {
			t.Errorf("%s has the limit %v, want %d a minute", name, d.RateLimit, calls)
		}
	}
	if registry.Get("store_record") == nil {
		t.Error("store_record is not served")
	}
}
