package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// line is one of a transcript of Claude Code.
func line(session, speaker, at, folder, text string, more map[string]any) string {
	all := map[string]any{
		"type": speaker, "uuid": session + at, "sessionId": session, "timestamp": at, "cwd": folder, "gitBranch": "main",
		"message": map[string]any{"content": text},
	}
	for name, value := range more {
		all[name] = value
	}
	raw, _ := json.Marshal(all) //nolint:errcheck // strings
	return string(raw) + "\n"
}

// capture takes transcripts in as toolkit capture does.
func (b *bench) capture(lines ...string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "session.jsonl")
	testenv.Write(b.t, path, strings.Join(lines, ""))
	file, err := transcripts.RecognizeFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	c := &capture.Capture{Store: b.store, Search: b.search, Home: b.t.TempDir()}
	if r, err := c.CaptureFile(b.t.Context(), file); err != nil || r.Error != "" || r.Turns == 0 {
		b.t.Fatalf("%+v, %v", r, err)
	}
}

type sessionsReply struct {
	Sessions []sessionRow
	Groups   []sessions.SessionCount
	Total    int
}

type sessionReply struct {
	Session       *sessionRow
	Turns         []turn
	Insights      []insightRow
	Offset, Total int
}

func ids(list []sessionRow) (names []string) {
	for _, s := range list {
		names = append(names, s.ID)
	}
	return names
}

func sessionAt(id string, parameters ...string) string {
	return "session?" + strings.Join(append(parameters, "id="+url.QueryEscape(id)), "&")
}

func TestCapturedSessionsAreListedByProjectAndClient(t *testing.T) {
	b := newBench(t)
	b.capture(
		line("a", "user", "2026-03-01T10:00:00Z", "/srv/shop", "Which library?", nil), line("a", "assistant", "2026-03-01T10:01:00Z", "/srv/shop", "testify", nil),
		line("b", "user", "2026-03-03T10:00:00Z", "/srv/organ", "Voice the reeds", nil),
		line("c", "user", "2026-03-02T10:00:00Z", "/srv/shop", "Ship it", map[string]any{"isSidechain": true, "agentId": "helper"}))
	r := b.reader()
	all := ask[sessionsReply](r, "sessions")
	if !slices.Equal(ids(all.Sessions), []string{"claude-code/b", "claude-code/c/helper", "claude-code/a"}) || all.Total != 3 {
		t.Fatalf("%+v", all)
	}
	if a := all.Sessions[2]; a.ProjectName != "shop" || a.Client != "claude-code" || a.Turns != 2 || a.Begins != "Which library?" || a.Branch != "main" || a.SideChain || a.Ended.Format("2006-01-02T15:04") != "2026-03-01T10:01" {
		t.Errorf("%+v", a)
	}
	if !all.Sessions[1].SideChain {
		t.Error("the session of a subagent is not told apart")
	}
	project := map[string]int64{}
	for _, g := range all.Groups {
		project[g.ProjectName] = g.Project
	}
	for name, c := range map[string]struct {
		chosen string
		want   []string
		total  int
	}{
		"a project":              {fmt.Sprintf("project=%d", project["shop"]), []string{"claude-code/c/helper", "claude-code/a"}, 2},
		"its second page":        {fmt.Sprintf("project=%d&limit=1&offset=1", project["shop"]), []string{"claude-code/a"}, 2},
		"a client":               {"client=claude-code", []string{"claude-code/b", "claude-code/c/helper", "claude-code/a"}, 3},
		"a client without any":   {"client=codex", nil, 0},
		"a project and a client": {fmt.Sprintf("project=%d&client=codex", project["organ"]), nil, 0},
		"no project":             {"project=-1", nil, 0},
		"an unknown project":     {"project=999", nil, 0},
	} {
		if got := ask[sessionsReply](r, "sessions?"+c.chosen); !slices.Equal(ids(got.Sessions), c.want) || got.Total != c.total {
			t.Errorf("%s: %v of %d", name, ids(got.Sessions), got.Total)
		}
	}
}

func TestASessionShowsWhatWasSaidAndDone(t *testing.T) {
	b := newBench(t)
	var lines []string
	for i := range 120 {
		lines = append(lines, line("long", "user", fmt.Sprintf("2026-03-01T10:%02d:%02dZ", i/60, i%60), "/srv/shop", fmt.Sprintf("Turn number %d", i), nil))
	}
	b.capture(lines...)
	r := b.reader()
	first := ask[sessionReply](r, sessionAt("claude-code/long"))
	if first.Total != 120 || len(first.Turns) != turnsPage || first.Turns[0].Content != "Turn number 0" || first.Session == nil || first.Session.ProjectName != "shop" {
		t.Fatalf("%+v", first.Session)
	}
	last := ask[sessionReply](r, sessionAt("claude-code/long", "offset=100"))
	if len(last.Turns) != 20 || last.Turns[19].Content != "Turn number 119" {
		t.Errorf("%d turns", len(last.Turns))
	}
	id := last.Turns[5].ID
	there := ask[sessionReply](r, sessionAt("claude-code/long", fmt.Sprintf("turn=%d", id)))
	if there.Offset != 100 || !slices.ContainsFunc(there.Turns, func(t turn) bool { return t.ID == id }) {
		t.Errorf("turn %d is looked for from %d on", id, there.Offset)
	}
	if elsewhere := ask[sessionReply](r, sessionAt("claude-code/long", "turn=99999")); elsewhere.Offset != 0 {
		t.Errorf("a turn of another session is looked for from %d on", elsewhere.Offset)
	}
	r.refused(sessionAt("claude-code/nobody"), http.StatusNotFound)
	r.refused("session", http.StatusBadRequest)
	r.refused("session/insights", http.StatusBadRequest)
}

func TestATurnTellsTheFilesAndCommandsBeforeIt(t *testing.T) {
	b := newBench(t)
	used := func(name string, input map[string]any) map[string]any {
		return map[string]any{"message": map[string]any{"content": []any{map[string]any{"type": "tool_use", "name": name, "input": input}}}}
	}
	b.capture(
		line("a", "user", "2026-03-01T10:00:00Z", "/srv/shop", "Fix it", nil),
		line("a", "assistant", "2026-03-01T10:00:01Z", "/srv/shop", "", used("Edit", map[string]any{"file_path": "/srv/shop/cart.go"})),
		line("a", "assistant", "2026-03-01T10:00:02Z", "/srv/shop", "", used("Bash", map[string]any{"command": "go test ./cart"})),
		line("a", "assistant", "2026-03-01T10:00:03Z", "/srv/shop", "It is fixed", nil))
	got := ask[sessionReply](b.reader(), sessionAt("claude-code/a"))
	if len(got.Turns) != 2 || !slices.Equal(got.Turns[1].Files, []string{"/srv/shop/cart.go"}) || !slices.Equal(got.Turns[1].Commands, []string{"go test ./cart"}) || got.Turns[0].Files != nil {
		t.Errorf("%+v", got.Turns)
	}
}

func TestAStoredSessionOfAnAssistantIsShownWithoutFacts(t *testing.T) {
	b := newBench(t)
	b.remember("store_raw_dialogue", arguments{"session_id": "spring", "speaker": "Ada", "content": "August, then", "metadata": arguments{"files": 7, "commands": "rm"}})
	r := b.reader()
	got := ask[sessionReply](r, sessionAt("spring"))
	if got.Session.Client != "" || len(got.Turns) != 1 || got.Turns[0].Speaker != "Ada" || got.Turns[0].Files != nil {
		t.Errorf("%+v", got)
	}
	if list := ask[sessionsReply](r, "sessions"); !slices.Equal(ids(list.Sessions), []string{"spring"}) || list.Total != 1 {
		t.Errorf("a person counts it: %+v", list)
	}
}

func TestInsightsAndTurnsLeadToEachOther(t *testing.T) {
	b := newBench(t)
	b.capture(
		line("a", "user", "2026-03-01T10:00:00Z", "/srv/shop", "Pipe number seven of the mixture", nil),
		line("a", "assistant", "2026-03-01T10:00:01Z", "/srv/shop", "Noted", nil))
	r := b.reader()
	turns := ask[sessionReply](r, sessionAt("claude-code/a")).Turns
	var insight int64
	for i, metadata := range []string{`{"extracted":"decision"}`, `{"extracted":"fact"}`, `{"extracted":""}`, `{"extracted":null}`, `{}`, `[]`} {
		storetest.Write(t, b.store, func(tx *store.Tx) error {
			made, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: "pipe seven", SourceIDs: []int64{turns[0].ID}, Fidelity: 1, Metadata: json.RawMessage(metadata)})
			if err == nil {
				insight = made.ID
			}
			return err
		})
		shown := ask[sessionReply](r, sessionAt("claude-code/a"))
		if want := i < 2; len(shown.Insights) != i+1 || shown.Insights[0].Extracted != want || shown.Session.Insights != i+1 {
			t.Errorf("%s: %+v", metadata, shown.Insights)
		}
	}
	one := ask[struct {
		Insight  insightRow
		Dialogue []turn
	}](r, fmt.Sprintf("memory/insight?id=%d", insight))
	if !slices.Equal(one.Insight.SourceIDs, []int64{turns[0].ID}) || len(one.Dialogue) != 1 || one.Dialogue[0].SessionID != "claude-code/a" || one.Dialogue[0].ID != turns[0].ID {
		t.Errorf("%+v", one)
	}
	type list struct {
		Insights []insightRow
		More     bool
	}
	whole := ask[list](r, "session/insights?limit=4&id=claude-code/a")
	if len(whole.Insights) != 4 || !whole.More {
		t.Fatalf("%+v", whole)
	}
	if rest := ask[list](r, fmt.Sprintf("session/insights?id=claude-code/a&before=%d", whole.Insights[3].ID)); len(rest.Insights) != 2 || rest.More {
		t.Errorf("%+v", rest)
	}
	b.remember("delete_insight", arguments{"id": insight, "reason": "wrong"})
	if shown := ask[sessionReply](r, sessionAt("claude-code/a")); len(shown.Insights) != 5 || shown.Session.Insights != 5 {
		t.Errorf("a deleted insight is shown: %+v", shown.Insights)
	}
}

func TestTheSearchOfThePageIsRecall(t *testing.T) {
	b := newBench(t)
	b.remember("store_raw_dialogue", arguments{"session_id": "spring", "speaker": "Ada", "content": "The concert moves to August"})
	b.remember("create_entities", arguments{"entities": []any{arguments{"name": "Concert", "entityType": "event", "observations": []string{"Begins at seven in August"}}}})
	r := b.reader()
	type answer struct {
		Found []struct {
			Kind, ID  string
			Matched   []string
			Relevance float64
		}
		Nothing_fits bool //nolint:revive // as it travels
	}
	for _, question := range []string{"when is the concert in August?", "August", "the harbour of Zanzibar"} {
		raw := []byte(toolstest.EncodeJSON(arguments{"query": question, "max_tokens": recallTokens}))
		output, err := b.writer.Call(recall.WithWholeHits(t.Context()), tools.Request{Tool: "recall", Arguments: raw})
		if err != nil || output.IsError {
			t.Fatal(err, output)
		}
		shown := r.send("GET", r.base+"/api/recall?q="+url.QueryEscape(question), r.session)
		if want := `{"answer":` + string(output.Data) + `,"marks":{},"things":{}}`; shown.StatusCode != http.StatusOK || strings.TrimSpace(shown.body) != want {
			t.Errorf("%s: the page says %s, the tool %s", question, shown.body, output.Data)
		}
	}
	if a := ask[struct{ Answer answer }](r, "recall?q="+url.QueryEscape("when is the concert in August?")); len(a.Answer.Found) != 2 || a.Answer.Found[0].Relevance <= 0 || len(a.Answer.Found[0].Matched) == 0 {
		t.Errorf("%+v", a)
	}
	if a := ask[struct{ Answer answer }](r, "recall?kinds=entity,chart&q=August"); len(a.Answer.Found) != 1 || a.Answer.Found[0].Kind != "entity" {
		t.Errorf("only the graph was asked for: %+v", a)
	}
	if a := ask[struct{ Answer answer }](r, "recall?q=Zanzibar"); !a.Answer.Nothing_fits || len(a.Answer.Found) != 0 {
		t.Errorf("%+v", a)
	}
	r.refused("recall", http.StatusBadRequest)
	r.refused("recall?q=x&kinds=everything", http.StatusBadRequest)
	r.refused("recall?q="+strings.Repeat("x", maxText+1), http.StatusBadRequest)
}

func TestWhatIsSaidTravelsAsText(t *testing.T) {
	b := newBench(t)
	var lines []string
	for i, text := range hostile {
		lines = append(lines, line("h", "user", "2026-03-01T10:00:"+strconv.Itoa(10+i)+"Z", "/srv/<b>shop", "It says: "+text, map[string]any{"gitBranch": text}))
	}
	b.capture(lines...)
	r := b.reader()
	got := ask[sessionReply](r, sessionAt("claude-code/h"))
	for i, text := range hostile {
		if i >= len(got.Turns) || got.Turns[i].Content != "It says: "+text {
			t.Errorf("%q became %+v", text, got.Turns)
		}
	}
	raw := r.send("GET", r.base+"/api/"+sessionAt("claude-code/h"), r.session)
	if strings.Contains(raw.body, "<img") || strings.Contains(raw.body, "<b>") || raw.Header.Get("Content-Type") != "application/json" {
		t.Error("markup travels as markup")
	}
}
