package app

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/serve/web"
	"toolkit/tools"
)

// chatClient is a client over HTTP: one with a session, or, where modern, one that
// says who it is with each request.
type chatClient struct {
	t       *testing.T
	url     string
	apps    any // what it says of MCP Apps; nil: nothing
	modern  bool
	session string
}

const chatVersion = "2025-11-25"

func (c *chatClient) capabilities() map[string]any {
	if c.apps == nil {
		return map[string]any{}
	}
	return map[string]any{"extensions": map[string]any{"io.modelcontextprotocol/ui": c.apps}}
}

// post sends a request and returns its answer: a result or an error.
func (c *chatClient) post(method string, params map[string]any) map[string]any {
	c.t.Helper()
	version := chatVersion
	if c.modern {
		version = "2026-07-28"
		params = maps.Clone(params)
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": c.capabilities(),
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "test", "version": "1"},
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+web.PathMCP, strings.NewReader(string(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", "Mcp-Session-Id": c.session, "MCP-Protocol-Version": version, "Mcp-Method": method} {
		if value != "" && (c.modern || key != "Mcp-Method") {
			r.Header.Set(key, value)
		}
	}
	if uri, ok := params["uri"].(string); ok && c.modern {
		r.Header.Set("Mcp-Name", uri)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	c.session = response.Header.Get("Mcp-Session-Id") + c.session
	text, err := io.ReadAll(response.Body)
	var answer map[string]any
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		c.t.Fatalf("%s: %s, %v", method, text, err)
	}
	return answer
}

// sees is all that a client learns of a server: what it says of itself, its lists,
// and what stands at the address of a view.
func (c *chatClient) sees() map[string]any {
	c.t.Helper()
	seen := map[string]any{}
	if c.modern {
		seen["self"] = c.post("server/discover", map[string]any{})
	} else if c.session == "" {
		seen["self"] = c.post("initialize", map[string]any{"protocolVersion": chatVersion, "capabilities": c.capabilities(), "clientInfo": map[string]any{"name": "test", "version": "1"}})
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list"} {
		seen[method] = c.post(method, map[string]any{})
	}
	seen["view"] = c.post("resources/read", map[string]any{"uri": "ui://toolkit/chart"})
	return seen
}

// bareServer is the server without any view, as it was before there were some.
func bareServer(t *testing.T, a *App) *tools.Server {
	t.Helper()
	options, err := a.serverOptions(Settings{})
	if err != nil {
		t.Fatal(err)
	}
	options.Apps = nil
	bare, err := tools.NewServer(options, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bare
}

func served(t *testing.T, s *tools.Server) string {
	t.Helper()
	port := httptest.NewServer(web.New(s, web.Options{}))
	t.Cleanup(port.Close)
	return port.URL
}

var showsViews = map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}}

func TestAClientWithoutAppsSeesNoneOfThem(t *testing.T) {
	a := openApp(t, 0)
	today, bare := served(t, a.Server), served(t, bareServer(t, a))
	for name, client := range map[string]chatClient{
		"one that says nothing":        {},
		"one of other types":           {apps: map[string]any{"mimeTypes": []string{"text/uri-list"}}},
		"one that says it in no form":  {apps: "yes"},
		"one without sessions":         {modern: true},
		"one without sessions, unwise": {modern: true, apps: map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			other := &chatClient{t: t, url: today, apps: showsViews}
			other.sees() // what another client is told changes nothing for this one
			here, before := client, client
			here.t, here.url, before.t, before.url = t, today, t, bare
			want := before.sees()
			if diff := cmp.Diff(want, here.sees()); diff != "" {
				t.Errorf("it sees what is new:\n%s", diff)
			}
			if want["view"].(map[string]any)["error"] == nil {
				t.Error("a view is served that is not there")
			}
		})
	}
}

func TestAClientWithAppsSeesThemBesideAllElse(t *testing.T) {
	a := openApp(t, 0)
	today, bare := served(t, a.Server), served(t, bareServer(t, a))
	for name, modern := range map[string]bool{"a session": false, "requests alone": true} {
		t.Run(name, func(t *testing.T) {
			seen := (&chatClient{t: t, url: today, apps: showsViews, modern: modern}).sees()
			plain := (&chatClient{t: t, url: bare, modern: modern}).sees()
			views := takeViews(t, seen)
			if len(views) != 5 {
				t.Errorf("there are %d views", len(views))
			}
			read := result(t, seen["view"])["contents"].([]any)[0].(map[string]any)
			if text, _ := read["text"].(string); read["mimeType"] != "text/html;profile=mcp-app" || !strings.HasPrefix(text, "<!doctype html>") || read["_meta"] == nil {
				t.Errorf("the view is %.200v", read)
			}
			capabilities := result(t, seen["self"])["capabilities"].(map[string]any)
			if diff := cmp.Diff(map[string]any{"io.modelcontextprotocol/ui": map[string]any{}}, capabilities["extensions"]); diff != "" {
				t.Error(diff)
			}
			delete(capabilities, "extensions")
			delete(seen, "view")
			delete(plain, "view")
			if diff := cmp.Diff(plain, seen); diff != "" {
				t.Errorf("the rest is not as before:\n%s", diff)
			}
		})
	}
}

func TestAViewIsServedOnlyWithItsTool(t *testing.T) {
	a, err := Open(t.Context(), Settings{DB: t.TempDir() + "/toolkit.db", Access: tools.Access{Families: []string{"charts"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close() //nolint:errcheck // a temporary database
	views := takeViews(t, (&chatClient{t: t, url: served(t, a.Server), apps: showsViews}).sees())
	if got := slices.Sorted(maps.Keys(views)); !slices.Equal(got, []string{"ui://toolkit/chart", "ui://toolkit/charts"}) {
		t.Errorf("the views are %v", got)
	}
}

func result(t *testing.T, answer any) map[string]any {
	t.Helper()
	r, ok := answer.(map[string]any)["result"].(map[string]any)
	if !ok {
		t.Fatalf("no result but %v", answer)
	}
	return r
}

// takeViews takes the views out of the lists of tools and resources; both name the same.
func takeViews(t *testing.T, seen map[string]any) map[string]string {
	t.Helper()
	views := map[string]string{}
	for _, one := range result(t, seen["tools/list"])["tools"].([]any) {
		tool := one.(map[string]any)
		meta := tool["_meta"].(map[string]any)
		if ui, ok := meta["ui"].(map[string]any); ok {
			views[ui["resourceUri"].(string)] = tool["name"].(string)
			delete(meta, "ui")
		}
	}
	list := result(t, seen["resources/list"])
	list["resources"] = slices.DeleteFunc(list["resources"].([]any), func(one any) bool {
		resource := one.(map[string]any)
		if !strings.HasPrefix(resource["uri"].(string), "ui://") {
			return false
		}
		if views[resource["uri"].(string)] != resource["name"] {
			t.Errorf("no tool has the view %v", resource)
		}
		return true
	})
	return views
}
