package app

import (
	"encoding/json"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// What tools may not be called to read is read by no prompt and no address either.
func TestPromptsAndResourcesFollowTheToolsThatAreServed(t *testing.T) {
	for name, c := range map[string]struct {
		access            tools.Access
		prompt, resources bool
	}{
		"all":                       {tools.Access{}, true, true},
		"no right to recall":        {tools.Access{Grants: []string{"charts:read"}}, false, false},
		"without recall":            {tools.Access{Exclude: []string{"recall"}}, false, true},
		"one tool of another kind":  {tools.Access{Tools: []string{"list_active_charts"}}, false, false},
		"one tool that reads these": {tools.Access{Tools: []string{"hybrid_search"}}, false, true},
	} {
		a := openWith(t, Settings{Access: c.access, TimeoutFactor: 60, Getenv: func(string) string { return "" }})
		list := func(method string) string {
			answer := []byte(toolstest.EncodeJSON(a.Server.MCP.HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))))
			return string(answer)
		}
		if got := strings.Contains(list("prompts/list"), `"recall"`); got != c.prompt {
			t.Errorf("%s: the prompt is served: %t", name, got)
		}
		if got := strings.Contains(list("resources/list"), "memory://l2-insights"); got != c.resources {
			t.Errorf("%s: insights have an address: %t", name, got)
		}
		a.Close()
	}
}
