package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/server/access"
	"toolkit/internal/server/web"
	_ "toolkit/internal/storetest" // lets the tests run on another engine
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
)

// street is a server of two spaces: that of anna, who did everything that examples show or nothing at all, and that of
// bert, who is a stranger to her.
type street struct {
	t        *testing.T
	folder   string
	url      string
	registry *tools.Registry
	taken    map[string][]string // values of anna's answers by their keys, as JSON
}

func newStreet(t *testing.T, lived bool) *street {
	t.Helper()
	registry := allTools(t)
	s := &street{t: t, folder: t.TempDir(), registry: registry, taken: map[string][]string{}}
	settings := withBank()
	settings.DB, settings.TimeoutFactor, settings.RateLimits = filepath.Join(s.folder, "toolkit.db"), exampleTimeout, tools.RateLimits{}
	settings.Now = func() time.Time { return noonOfTheHouse }
	for _, d := range registry.All() {
		if d.RateLimit != nil {
			settings.RateLimits[d.Name] = nil
		}
	}
	if lived {
		s.live(settings)
	}
	settings.HTTP = withBank().HTTP // the stand-in counts its links: those of anna's life are none of bert's business
	open := func(ctx context.Context, name string) (web.Space, error) {
		a, err := Open(ctx, settings.ForSpace(name))
		if err != nil {
			return web.Space{}, err
		}
		return web.Space{Tools: a.Server, Watch: a.WatchResources, Close: func() { a.Close() }}, nil
	}
	base, err := Open(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	who := func(_ context.Context, token string) (access.Caller, error) {
		return access.Caller{Name: token, Space: token, Rights: tools.AllRights}, nil
	}
	port := httptest.NewServer(web.New(base.Server, web.Options{Guarded: true, Callers: who, OpenSpace: open}))
	s.url = port.URL
	t.Cleanup(func() { port.Close(); base.Close() })
	return s
}

// live has anna make every example, and remembers what she was answered.
func (s *street) live(settings Settings) {
	s.t.Helper()
	if err := toolstest.WriteExampleArchive(filepath.Join(s.folder, "spaces", "anna")); err != nil {
		s.t.Fatal(err)
	}
	options, a, err := fresh(s.t.Context(), settings.ForSpace("anna"), s.folder)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Close()
	p, err := tools.NewPipeline(options)
	if err != nil {
		s.t.Fatal(err)
	}
	did := 0
	call := func(tool string, params any) {
		raw := []byte(toolstest.EncodeJSON(params))
		r, err := p.Call(s.t.Context(), tools.Request{Tool: tool, Arguments: raw})
		if err != nil {
			s.t.Fatal(err)
		}
		if !r.IsError {
			did++
			s.take("", r.Data)
		}
	}
	forgetting := func(d *tools.Definition) bool { return d.RequiredRight() == tools.MayForget }
	for _, d := range s.registry.All() {
		for _, e := range d.Examples() {
			for _, c := range e.Setup {
				call(c.Tool, c.Params)
			}
			if !forgetting(d) {
				call(d.Name, e.Params)
			}
		}
	}
	if did < len(s.registry.All()) {
		s.t.Fatalf("anna made only %d calls", did)
	}
}

// take remembers the values of an answer.
func (s *street) take(key string, raw json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &object) == nil && object != nil:
		for _, k := range slices.Sorted(maps.Keys(object)) {
			s.take(k, object[k])
		}
	case json.Unmarshal(raw, &list) == nil && list != nil:
		for _, one := range list {
			s.take(key, one)
		}
	default:
		if text := string(raw); len(text) > 3 && len(text) < 200 && !slices.Contains(s.taken[key], text) || bytes.IndexByte([]byte("123456789"), raw[0]) >= 0 {
			s.taken[key] = append(s.taken[key], text)
		}
	}
}

// asks are requests to every tool, resource and prompt, with arguments out of anna's answers.
func (s *street) asks() (list []string) {
	add := func(method string, params any) {
		text := []byte(toolstest.EncodeJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
		list = append(list, string(text))
	}
	definitions := slices.Clone(s.registry.All())
	slices.SortStableFunc(definitions, func(x, y *tools.Definition) int { return int(x.RequiredRight()) - int(y.RequiredRight()) }) // reading first
	for _, d := range definitions {
		for _, e := range d.Examples() {
			var arguments map[string]json.RawMessage
			toolstest.Decode(s.t, e.Params, &arguments)
			add("tools/call", map[string]any{"name": d.Name, "arguments": arguments})
			for _, key := range slices.Sorted(maps.Keys(arguments)) {
				for _, value := range s.candidates(key, arguments[key]) {
					other := maps.Clone(arguments)
					other[key] = value
					add("tools/call", map[string]any{"name": d.Name, "arguments": other})
				}
			}
		}
	}
	for _, r := range s.list("resources/list", "resources") {
		for _, query := range []string{"", "?query=tea&top_k=50", "?limit=100", "?session_id=monday"} {
			add("resources/read", map[string]any{"uri": r["uri"].(string) + query})
		}
	}
	for _, p := range s.list("prompts/list", "prompts") {
		given := map[string]string{}
		named, _ := p["arguments"].([]any)
		for _, one := range named {
			name := one.(map[string]any)["name"].(string)
			given[name] = "tea"
		}
		add("prompts/get", map[string]any{"name": p["name"], "arguments": given})
	}
	return list
}

const mostCandidates = 6

// wordMarks takes out what spellings of a name put between its words.
var wordMarks = strings.NewReplacer("_", "", "-", "")

// candidates are values of anna's that an argument may be given: those of its name, then ids of anything.
func (s *street) candidates(argument string, sample json.RawMessage) (list []json.RawMessage) {
	plain := func(key string) string { return strings.ToLower(wordMarks.Replace(key)) }
	inList := sample[0] == '['
	if inList && len(sample) > 2 {
		sample = sample[1:]
	}
	keys := slices.Sorted(maps.Keys(s.taken))
	slices.SortStableFunc(keys, func(x, y string) int {
		rank := func(key string) int {
			if plain(key) == strings.TrimSuffix(plain(argument), "s") || plain(key) == plain(argument) {
				return 0
			}
			return 1
		}
		return rank(x) - rank(y)
	})
	for _, key := range keys {
		same := plain(key) == strings.TrimSuffix(plain(argument), "s") || plain(key) == plain(argument)
		ids := strings.HasSuffix(plain(key), "id") && strings.Contains(strings.TrimSuffix(plain(argument), "s")+"$", "id$")
		if !same && !ids {
			continue
		}
		for _, value := range s.taken[key] {
			if len(list) == mostCandidates {
				return list
			}
			if (value[0] == '"') != (sample[0] == '"') {
				continue
			}
			if inList {
				value = "[" + value + "]"
			}
			list = append(list, json.RawMessage(value))
		}
	}
	return list
}

func (s *street) ask(who, request string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+web.PathMCP, strings.NewReader(request))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+who)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *street) list(method, key string) (list []map[string]any) {
	s.t.Helper()
	var answer struct {
		Result map[string]json.RawMessage
	}
	text := s.ask("bert", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method))
	toolstest.Decode(s.t, []byte(text), &answer)
	if err := json.Unmarshal(answer.Result[key], &list); err != nil || len(list) == 0 {
		s.t.Fatalf("%s: %s", method, text)
	}
	return list
}

// chance is what differs from run to run: random ids, ports, keyed hashes, the bank's clock.
var chance = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|127\.0\.0\.1:\d+|[0-9a-f]{24,}|"expiration\\*":\\*"[^"\\]+`)

// stored are the values that a database holds, but for what is counted of calls, by table, row and column.
func stored(t *testing.T, path string) map[string]string {
	t.Helper()
	i, err := store.OpenInspection(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close() //nolint:errcheck // it was only read
	tables, err := i.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, table := range tables {
		if table.Virtual || regexp.MustCompile(`^(call_|metric_|analytics_|telemetry_)`).MatchString(table.Name) {
			continue
		}
		n := 0
		err := i.EachRow(t.Context(), table, func(row []any) error {
			n++
			for at, column := range table.Columns {
				values[fmt.Sprint(table.Name, " ", n, " ", column)] = fmt.Sprint(row[at])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return values
}

// TestAStrangerFindsNothingOfAnotherSpace asks everything that can be asked as bert, with anna's ids, names and words.
// He is answered as he would be if anna had never been there, and nothing of hers changes.
func TestAStrangerFindsNothingOfAnotherSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	lived, empty := newStreet(t, true), newStreet(t, false)
	anna := func() map[string]string {
		return stored(t, filepath.Join(lived.folder, "spaces", "anna", "toolkit.db"))
	}
	before := anna()
	asks := lived.asks()
	if len(asks) < 300 || len(before) < 300 {
		t.Fatalf("%d requests about %d values of anna", len(asks), len(before))
	}
	asks = testenv.Sample(asks, 10)
	different, asBert := 0, map[string]string{}
	for _, request := range asks {
		here, there := chance.ReplaceAllString(lived.ask("bert", request), "…"), chance.ReplaceAllString(empty.ask("bert", request), "…")
		asBert[request] = here
		if here != there {
			if different++; different <= 5 {
				t.Errorf("%s\nis answered because of anna\n%s\nand without her\n%s", request, here, there)
			}
		}
	}
	if diff := cmp.Diff(before, anna()); diff != "" {
		t.Errorf("bert changed what is anna's:\n%s", diff)
	}
	t.Logf("%d requests, %d answered differently", len(asks), different)
	found := 0 // asked by anna, much is answered otherwise: what he asked would have found it
	for _, request := range asks {
		if strings.Contains(request, `"tools/call"`) && !strings.Contains(request, "forget") && chance.ReplaceAllString(lived.ask("anna", request), "…") != asBert[request] {
			found++
		}
	}
	if found < testenv.Choose(10, 100) {
		t.Errorf("anna is answered otherwise than bert %d times", found)
	}
}
