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
		if err := sessions.In(tx).SaveSession(sessions.Session{ID: id, Client: "codex", Started: ended.Add(-time.Hour), Ended: ended}); err != nil {
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

// What was done on a day is answered by the sessions of that day and what was noted in them, however the day is named,
// and where it has none by nothing: what was said on another day answers another question.
func TestADayIsAnsweredByItsSessionsOnly(t *testing.T) {
	monday := time.Date(2026, 3, 16, 12, 0, 0, 0, time.UTC)
	a := openWith(t, Settings{DB: filepath.Join(t.TempDir(), "t.db"), TimeoutFactor: 20, Getenv: func(string) string { return "" }, Now: func() time.Time { return monday }})
	hear(t, a, [][4]string{
		{"/srv/mill", "2026-03-05", "user", "We host the shop of the mill on Hetzner, in Falkenstein."},
		{"/srv/mill", "2026-03-05", "assistant", "I wrote the settings of Coolify and a Dockerfile for it."},
		{"/srv/mill", "2026-03-05", "user", "The staging server of the mill is called granary."},
		{"/srv/mill", "2026-03-10", "user", "We decided to deploy on Tuesday mornings and never on Fridays."},
		{"/srv/mill", "2026-03-10", "assistant", "The workflow of the deployment runs on Tuesdays at eight now."},
		{"/srv/mill", "2026-03-10", "user", "Tomasz is on vacation until the third of April, so nothing heavy in the backend."},
		{"/srv/mill", "2026-03-12", "user", "The client is Mr Holloway, who runs the mill and pays the bills."},
		{"/srv/mill", "2026-03-12", "assistant", "I noted that Mr Holloway is the client of this project."},
	})
	for question, want := range map[string]string{
		"what did we do on march 5th":             "2026-03-05",
		"what did we work on on 10 March?":        "2026-03-10",
		"what happened on thursday, march 12":     "2026-03-12",
		"was haben wir am 5.3. gemacht":           "2026-03-05",
		"was haben wir letzten Dienstag gemacht?": "2026-03-10",
		"qu'est-ce qu'on a fait le 12 mars":       "2026-03-12",
		"что мы делали 10 марта?":                 "2026-03-10",
		"3月5日は何をしましたか":                            "2026-03-05",
		"what did we do yesterday?":               "",
		"was haben wir letzten Freitag gemacht":   "",
		"qu'est-ce qu'on a fait hier":             "",
		"어제 뭐 했어?":                                "",
	} {
		told := forPrompt(t, a, recall.PromptRequest{Prompt: question, Session: "codex/now", Project: []string{"folder:/srv/mill"}}).Text
		found := string(accept(t, a, "recall", map[string]any{"query": question, "project": "mill"}).Data)
		for _, day := range []string{"2026-03-05", "2026-03-10", "2026-03-12"} {
			if isTold := strings.Contains(told, day); isTold != (day == want) {
				t.Errorf("%q: %s is told beside the prompt: %v\n%s", question, day, isTold, told)
			}
			if isFound := strings.Contains(found, day); isFound != (day == want) {
				t.Errorf("%q: %s is found: %v\n%s", question, day, isFound, found)
			}
		}
	}
	now := forPrompt(t, a, recall.PromptRequest{Prompt: "where do we host now??", Session: "codex/now", Project: []string{"folder:/srv/mill"}}).Text
	if note, last := strings.Index(now, "Hetzner"), strings.Index(now, "Last session"); note < 0 || last >= 0 && last < note {
		t.Errorf("a question for one thing is told the last session first:\n%s", now)
	}
}
