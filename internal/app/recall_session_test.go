package app

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/recall"
)

// sayIn stores what a user and an assistant said in a captured session.
func sayIn(t *testing.T, a *App, id string, ended time.Time, user, assistant string) {
	t.Helper()
	err := a.Store.Write(t.Context(), func(tx *store.Tx) error {
		if err := sessions.In(tx).NoteSession(sessions.Session{ID: id, Client: "codex", Started: ended.Add(-time.Hour), Ended: ended}); err != nil {
			return err
		}
		for _, turn := range [][2]string{{"user", user}, {"assistant", assistant}} {
			if turn[1] == "" {
				continue
			}
			d := memory.Dialogue{SessionID: id, Speaker: turn[0], Content: turn[1], At: ended}
			var err error
			if d.ID, err = memory.In(tx).InsertDialogue(d); err != nil {
				return err
			}
			if _, err := a.Search.IndexRow(tx, d.Row()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheLastSessionIsToldToWhoAsksForIt(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	now := a.Store.Now()
	sayIn(t, a, "codex/old", now.AddDate(0, 0, -9), "please plan the kitchen garden with me, beds and paths", "The kitchen garden has four beds now, with a path of bark.")
	sayIn(t, a, "codex/older", now.AddDate(0, 0, -9).Add(-time.Second), "where should the compost heap of the garden stand", "The compost heap stands behind the shed, in half shade.")
	sayIn(t, a, "codex/midweek", now.AddDate(0, 0, -4), "we should paint the hull of the boat with red paint", "The hull needs two coats of red paint, a day apart.")
	sayIn(t, a, "codex/last", now.AddDate(0, 0, -2), "let us write the letter to the water company about the meter", "The letter is done, you only have to sign it and add the reading.")
	sayIn(t, a, "codex/now", now.Add(-time.Minute), "hello there, good morning to you", "Good morning!")

	for question, want := range map[string]string{
		"where did we leave off?":                                                     "water company",
		"was haben wir letztes mal gemacht?":                                          "water company",
		"what were we doing nine days ago?":                                           "kitchen garden",
		"what did we do on " + now.AddDate(0, 0, -4).Local().Weekday().String() + "?": "hull",
		"what did we do on " + now.AddDate(0, 0, -3).Local().Weekday().String() + "?": "", // nothing was said
		"what is the capital of Peru?":                                                "",
	} {
		prompt := forPrompt(t, a, recall.PromptRequest{Prompt: question, Session: "codex/now"}).Text
		var out struct {
			Found []struct{ Kind, Text string }
		}
		toolstest.Decode(t, accept(t, a, "recall", map[string]any{"query": question}).Data, &out)
		isTold := len(out.Found) > 0 && out.Found[0].Kind == "session"
		if want == "" && (strings.Contains(prompt, "Last session") || isTold) {
			t.Errorf("%q is told a session: %s, %+v", question, prompt, out)
		}
		if want != "" && (!strings.Contains(prompt, want) || !isTold || !strings.Contains(out.Found[0].Text, want)) {
			t.Errorf("%q is told\n%s\n%+v", question, prompt, out)
		}
	}
	if both := forPrompt(t, a, recall.PromptRequest{Prompt: "what were we doing nine days ago?", Session: "codex/now"}).Text; !strings.Contains(both, "kitchen garden") || !strings.Contains(both, "compost") || strings.Contains(both, "Last session") {
		t.Errorf("of a day with two sessions is told: %s", both)
	}
}

// A hook knows the session that asks; a tool takes that for it in which a prompt waits.
func TestHookAndToolAreToldTheSameLastSession(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	now := a.Store.Now()
	sayIn(t, a, "codex/old", now.AddDate(0, 0, -2), "let us write the letter to the water company about the meter", "The letter is done, you only have to sign it and add the reading.")
	sayIn(t, a, "codex/today", now.Add(-2*time.Minute), "we decided to paint the hull of the boat red", "The hull needs two coats of red paint, a day apart.")
	sayIn(t, a, "codex/now", now.Add(-time.Second), "what did we do in the last session, can you tell me that?", "")
	const question = "what did we do in the last session?"
	prompt := forPrompt(t, a, recall.PromptRequest{Prompt: question, Session: "codex/now"}).Text
	tool := string(accept(t, a, "recall", map[string]any{"query": question}).Data)
	if !strings.Contains(prompt, "“we decided to paint") || !strings.Contains(tool, `"id":"codex/today"`) {
		t.Errorf("the prompt is told\n%s\nthe tool\n%s", prompt, tool)
	}
	err := a.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := memory.In(tx).InsertDialogue(memory.Dialogue{SessionID: "codex/today", Speaker: "user", Content: "the password of the boat shed is [redacted: password], please keep that", At: now.Add(-time.Minute)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if prompt = forPrompt(t, a, recall.PromptRequest{Prompt: question, Session: "codex/now"}).Text; strings.Contains(prompt, "redacted") {
		t.Errorf("a line without its secret is told as the last of weight:\n%s", prompt)
	}
}
