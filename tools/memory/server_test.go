package memory

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// answer sends one JSON-RPC request through the server and returns the answer.
func answer(t *testing.T, s *tools.Server, method string, params any) args {
	t.Helper()
	message := []byte(toolstest.EncodeJSON(args{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	raw := []byte(toolstest.EncodeJSON(s.HandleMessage(t.Context(), message)))
	var out args
	toolstest.Decode(t, raw, &out)
	return out
}

func TestResourcesAreReadOverTheProtocol(t *testing.T) {
	b := fill(t)
	s, err := tools.NewServer(b.Options, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer(t, s, "initialize", args{"protocolVersion": "2025-06-18", "capabilities": args{}, "clientInfo": args{"name": "test", "version": "1"}})
	listed := fmt.Sprint(answer(t, s, "resources/list", args{}), answer(t, s, "resources/templates/list", args{}))
	for _, r := range b.family.Resources {
		if strings.Count(listed, r.URI) < 2 {
			t.Errorf("%s is not listed twice: %s", r.URI, listed)
		}
	}
	for address, content := range map[string]string{
		insightsURI: "green matcha",
		insightsURI + "?query=green+matcha&top_k=1":       "green matcha",
		insightsURI + "?top_k=1&query=Grüner":             "Grüner Tee",
		insightsURI + `?query="quick" paint: drying`:      "green paint",
		episodesURI + "?query=memory+consistency&top_k=3": `"contents":[]`,
		workingURI: `"contents":[]`,
		dialogueURI + "?date_range=2026-01-10,2026-01-12":     "second",
		staleURI + "?reason=LRU_EVICTION&days_back=7":         `"contents":[]`,
		dialogueURI + "?speaker=Jörg&session_id=s;2&limit=50": "fourth",
	} {
		out := answer(t, s, "resources/read", args{"uri": address})
		result, ok := out["result"].(args)
		if !ok {
			t.Errorf("%s: %v", address, out["error"])
			continue
		}
		one := result["contents"].([]any)[0].(args)
		if len(result["contents"].([]any)) != 1 || one["uri"] != address || one["mimeType"] != "application/json" || !strings.Contains(one["text"].(string), content) {
			t.Errorf("%s: %v", address, one)
		}
	}
	for address, message := range map[string]string{
		insightsURI + "?top_k=ten":     "Invalid top_k parameter",
		staleURI + "?reason=FORGOTTEN": "Invalid reason parameter",
	} {
		fault, _ := answer(t, s, "resources/read", args{"uri": address})["error"].(args)
		if fault["code"] != -32602.0 || !strings.HasPrefix(fmt.Sprint(fault["message"]), message) {
			t.Errorf("%s: %v", address, fault)
		}
	}
}
