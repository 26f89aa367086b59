package app

import (
	"encoding/json"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
)

// Postgres keeps no NUL in a text, and reads none in JSON: every family that takes texts
// apart gets one to keep, to find and to forget, on both engines.
func TestANulIsKeptFoundAndForgottenOnPostgresToo(t *testing.T) {
	a := openWith(t, Settings{TimeoutFactor: 20})
	call := func(tool, arguments string) string {
		t.Helper()
		return toolstest.EncodeJSON(accept(t, a, tool, json.RawMessage(arguments)).Data)
	}
	call("store_record", `{"type":"n\u0000x","properties":{"title":"q\u0000r","truncated":"no\u0000"},"file_urls":["a\u0000b","m\udbff\udfff0","b\\u0000c"]}`)
	if got := call("retrieve_records", `{}`); !strings.Contains(got, `["a\u0000b","m`+"\U0010FFFF"+`0","b\\u0000c"]`) {
		t.Errorf("addresses come back as %s", got)
	}
	call("submit_payload", `{"capability_id":"neotoma:store_note:v1","body":{"title":"he\u0000llo","note":"wine"},"provenance":{"source_refs":["x\u0000y"],"extracted_at":"2026-01-01T00:00:00Z","extractor_version":"v\u0000"}}`)
	if got := call("recall", `{"query":"note hello wine"}`); !strings.Contains(got, `hello (note)`) { // shown without what nobody sees
		t.Errorf("a question finds %s", got)
	}
	call("create_entities", `{"entities":[{"name":"nu\u0000l","entityType":"x\u0000","observations":["o\u0000p"]}]}`)
	if got := call("read_graph", `{}`); !strings.Contains(got, `"nu\u0000l"`) || !strings.Contains(got, `["o\u0000p"]`) {
		t.Errorf("the graph is %s", got)
	}
	for text, want := range map[string]string{`nu\u0000l`: `entity:nu\u0000l`, `he\u0000llo`: `"record"`, `nowhere`: `Nothing contains this text`} {
		if got := call("forget", `{"text":"`+text+`"}`); !strings.Contains(got, want) {
			t.Errorf("forgetting %s shows %s", text, got)
		}
	}
}
