package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/memory"
)

// captured takes in a file of Claude Code, of one session in a folder.
func captured(t *testing.T, a *App, path, session, folder string, texts ...string) *capture.Result {
	t.Helper()
	lines := ""
	for i, text := range texts {
		lines += fmt.Sprintf(`{"type":"user","uuid":"%s-%d","sessionId":%q,"timestamp":"2026-03-01T10:00:0%dZ","cwd":%q,"gitBranch":"branch-%s","message":{"content":%q}}`+"\n", session, i, session, i, folder, folder[1:], text)
	}
	testenv.Write(t, path, lines)
	r, err := (&capture.Capture{Store: a.Store, Search: a.Search, Home: "/home/ann"}).CaptureFile(t.Context(), transcripts.File{Path: path, Client: transcripts.ClaudeCode})
	if err != nil || r.Error != "" {
		t.Fatal(err, r.Error)
	}
	return r
}

// extracted stores an insight as extraction does, in the place of an older one when
// there is one.
func extracted(t *testing.T, a *App, old *memory.Insight, content string, sources ...int64) *memory.Insight {
	t.Helper()
	i := storetest.WriteValue(t, a.Store, func(tx *store.Tx) (i *memory.Insight, err error) {
		n := memory.NewInsight{Content: content, SourceIDs: sources, Fidelity: 1, Metadata: []byte(`{"extracted":{"kind":"preference","quote":"` + content + `"}}`)}
		if old == nil {
			i, err = memory.In(tx).InsertInsight(n)
		} else {
			i, err = memory.In(tx).SupersedeInsight(old, n, content)
		}
		for _, row := range []*memory.Insight{old, i} {
			if row != nil && err == nil {
				_, err = a.Search.IndexRow(tx, row.Row())
			}
		}
		return i, err
	})
	return i
}

// A session is held in a folder, in a branch and written into a file that all have
// the canary in their names; it is said, and extracted alone, before and behind
// what another session says.
func TestNothingOfAForgottenSessionOrProjectIsLeftInAnyFile(t *testing.T) {
	for name, tc := range map[string]struct{ item, going string }{
		"a session": {"session:claude-code/" + canary, "dialogue 2, captured_session 1, transcript 1, insight 1"},
		"a project": {"project:" + canary, "project 1, dialogue 2, captured_session 1, transcript 1, insight 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, home := t.TempDir(), t.TempDir()
			path := filepath.Join(folder, "t.db")
			a, other := appOn(t, path), appOn(t, path)
			neighbours(t, a, 0, 3) // dialogue 1 to 3
			where := "/srv/shop"
			if strings.HasPrefix(tc.item, "project:") {
				where = "/srv/" + canary
			}
			file := filepath.Join(home, canary+".jsonl")
			captured(t, a, file, canary, where, "Who likes "+canary+"?", "Who dislikes "+canary+"?") // 4 and 5
			captured(t, a, filepath.Join(home, "other.jsonl"), "other", "/srv/bakery", "Who likes tea?", "Who likes coffee?")
			extracted(t, a, nil, "I like "+canary, 4)
			extracted(t, a, extracted(t, a, nil, "I dislike "+canary, 5), "I like tea", 6)
			coffee := extracted(t, a, nil, "I like coffee", 7)
			extracted(t, a, coffee, "I prefer "+canary, 5)
			neighbours(t, a, 3, 6)
			callTool(t, other, "hybrid_search", map[string]any{"query_text": canary})
			if len(holding(t, folder)) == 0 {
				t.Fatal("nothing holds the canary before; the test looks in the wrong place")
			}
			preview := forgetWhat(t, a, map[string]any{"items": []string{tc.item}})
			if preview.going() != tc.going {
				t.Errorf("the preview says %s, want %s", preview.going(), tc.going)
			}
			if names := holding(t, folder); len(names) > 0 {
				t.Errorf("still in %v", names)
			}
			for _, each := range []*App{a, other} {
				if found := callForget(t, each, map[string]any{"text": canary}); len(found.Going) > 0 {
					t.Errorf("it is still found: %+v", found)
				}
			}
			history := fmt.Sprint(callTool(t, a, "get_insight_history", map[string]any{"id": coffee.ID}))
			if !strings.Contains(history, "I like coffee") || !strings.Contains(history, "what replaced it was forgotten") {
				t.Errorf("what another session said went too, or counts again: %s", history)
			}
			stands, err := store.ReadValue(t.Context(), a.Store, func(tx *store.Tx) ([]memory.Insight, error) {
				return memory.In(tx).Insights(memory.InsightFilter{Limit: 9})
			})
			if err != nil || len(stands) != 1 || stands[0].Content != "I like tea" {
				t.Errorf("what stands is %+v, %v", stands, err)
			}
			if again := captured(t, a, filepath.Join(home, "moved", "again.jsonl"), canary, where, "Who likes "+canary+"?", "Who dislikes "+canary+"?"); again.Turns != 0 || again.Known != 2 {
				t.Errorf("it came back: %+v", again)
			}
			if names := holding(t, folder); len(names) > 0 {
				t.Errorf("after the file was read again it is in %v", names)
			}
			sound(t, a)
		})
	}
}

// A session that was forgotten may still run, and its client may copy it.
func TestAForgottenSessionStaysForgottenThoughItGoesOn(t *testing.T) {
	folder, home := t.TempDir(), t.TempDir()
	a := appOn(t, filepath.Join(folder, "t.db"))
	file := filepath.Join(home, "s.jsonl")
	captured(t, a, file, "s", "/srv/shop", "I like "+canary, "ok")
	captured(t, a, filepath.Join(home, "other.jsonl"), "other", "/srv/shop", "I like tea")
	out := forgetWhat(t, a, map[string]any{"items": []string{"session:claude-code/s"}})
	if !strings.Contains(out.Message, "capture ends for good") {
		t.Errorf("it is not said: %s", out.Message)
	}
	heard := func(session, speaker, text string) {
		t.Helper()
		c := &capture.Capture{Store: a.Store, Search: a.Search, Home: "/home/ann"}
		if err := c.StoreHookTurn(t.Context(), capture.HookTurn{Client: transcripts.ClaudeCode, Session: session, Folder: "/srv/shop", Speaker: speaker, Text: text, At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	heard("s", transcripts.User, "I like "+canary)
	heard("s", transcripts.Assistant, "Noted, "+canary)
	heard("s/agent", transcripts.Assistant, "Found "+canary)
	for name, r := range map[string]*capture.Result{
		"a file that grew":           captured(t, a, file, "s", "/srv/shop", "I like "+canary, "ok", "and more "+canary),
		"a copy under other ids":     captured(t, a, filepath.Join(home, "copy.jsonl"), "resumed", "/srv/shop", "I like  "+canary+"\n", "ok"),
		"a side chain that it began": captured(t, a, filepath.Join(home, "chain.jsonl"), "s/agent", "/srv/shop", "look for "+canary),
	} {
		if r.Turns != 0 {
			t.Errorf("%s brings %d turns back", name, r.Turns)
		}
	}
	if names := holding(t, folder); len(names) > 0 {
		t.Errorf("it is in %v", names)
	}
	heard("next", transcripts.User, "I like tea and "+canary)
	heard("next", transcripts.User, "ok")
	if r := captured(t, a, filepath.Join(home, "other.jsonl"), "other", "/srv/shop", "I like tea", "ok, another session goes on"); r.Turns != 1 {
		t.Errorf("of another session %d turns are taken", r.Turns)
	}
	list, err := store.ReadValue(t.Context(), a.Store, func(tx *store.Tx) ([]memory.Dialogue, error) {
		return memory.In(tx).Dialogues(memory.DialogueFilter{SessionID: "claude-code/next", Limit: 9})
	})
	if err != nil || len(list) != 2 {
		t.Errorf("what is said anew is not stored: %+v, %v", list, err)
	}
}
