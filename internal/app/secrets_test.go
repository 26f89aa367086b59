package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/capture"
	"toolkit/internal/capture/hooks"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// secretWord is what no door may tell, unless it is asked for the stored text itself.
const secretWord = "Tr0ub4dor&3xyz"

// storeSecret stores a sentence with a secret by every tool that takes text, each about another place, which it returns.
func storeSecret(t *testing.T, a *App, folder string) (places []string) {
	t.Helper()
	of := func(place string) string {
		places = append(places, place)
		return "The alarm of the " + place + " cabin is on the shelf, its password is " + secretWord + " and it is armed at night"
	}
	file := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(file, []byte(of("quokka")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	provenance := map[string]any{"source_refs": []string{}, "extracted_at": "2026-01-15T10:30:00Z", "extractor_version": "test:v1"}
	for _, call := range []struct {
		tool string
		in   map[string]any
	}{
		{"upload_file", map[string]any{"file_path": file}},
		{"store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": of("walrus")}},
		{"store_raw_dialogue", map[string]any{"session_id": "long", "speaker": "user", "content": strings.Repeat("We spoke of the weather. ", testenv.Choose(300, 3000)) + of("heron")}},
		{"compress_to_l2_insight", map[string]any{"content": of("badger"), "source_ids": []int{}}},
		{"store_episode", map[string]any{"query": "open the otter cabin", "reward": 0.5, "reflection": "Problem: no key. Lesson: " + of("otter")}},
		{"update_working_memory", map[string]any{"content": of("lynx"), "importance": 0.9}},
		{"create_entities", map[string]any{"entities": []any{map[string]any{"name": "Ibex cabin", "entityType": "place", "observations": []string{of("ibex")}}, map[string]any{"name": of("gecko"), "entityType": "place", "observations": []string{"built of larch"}}}}},
		{"add_observations", map[string]any{"observations": []any{map[string]any{"entityName": "Ibex cabin", "contents": []string{of("marmot")}}}}},
		{"create_structural_tension_chart", map[string]any{"desiredOutcome": of("puffin"), "currentReality": of("beaver"), "dueDate": "2031-05-01T00:00:00Z", "actionSteps": []string{of("toucan")}}},
		{"submit_payload", map[string]any{"capability_id": "neotoma:store_note:v1", "body": map[string]any{"title": "Cabin", "content": of("wombat")}, "provenance": provenance}},
		{"store_record", map[string]any{"type": "note", "properties": map[string]any{"title": "Cabin", "content": of("jackal")}}},
	} {
		callTool(t, a, call.tool, call.in)
	}
	return places
}

func TestNoSecretIsToldWhateverToolStoredIt(t *testing.T) {
	var log bytes.Buffer
	root := t.TempDir()
	path := filepath.Join(root, "t.db")
	a, err := Open(t.Context(), Settings{DB: path, FileRoots: []string{root}, TimeoutFactor: 20, Logger: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	places := storeSecret(t, a, root)
	prompts := recall.New(recall.Deps{Store: a.Store, SearchProviders: SearchProviders()}).Prompts
	told := 0
	require := func(door, place, text string) {
		if strings.Contains(text, secretWord) || strings.Contains(text, "Tr0ub4dor") {
			t.Errorf("%s tells the secret of the %s:\n%s", door, place, text)
		}
		if strings.Contains(text, place) {
			told++
		}
	}
	for _, place := range places {
		question := "what do we know of the " + place + " cabin?"
		for _, tokens := range []int{60, 200, 4000} { // whole, shortened, and in a line
			out, raw := recallOf(t, a, map[string]any{"query": question, "max_tokens": tokens})
			require("recall", place, raw)
			require("recall on a terminal", place, out.Text())
		}
		text, err := prompts[0].Render(t.Context(), map[string]string{"topic": place + " cabin"})
		if err != nil {
			t.Fatal(err)
		}
		require("the prompt recall", place, text)
		require("beside a prompt", place, forPrompt(t, a, recall.PromptRequest{Prompt: "where is the alarm of the " + place + " cabin and when is it armed?"}).Text)
	}
	if told < 4*len(places) {
		t.Errorf("only %d answers tell of a place", told)
	}
	require("the log", "log", log.String())
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	briefing := briefingOf(t, path, t.TempDir())
	require("the briefing", "puffin", briefing)
	if !strings.Contains(briefing, "puffin") || !strings.Contains(briefing, "badger") {
		t.Errorf("the briefing does not tell of what is stored:\n%s", briefing)
	}
}

// briefingOf is what a session in a folder begins with.
func briefingOf(t *testing.T, path, folder string) string {
	t.Helper()
	event, err := json.Marshal(map[string]any{"session_id": "s1", "cwd": folder, "hook_event_name": "SessionStart", "source": "startup"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	hooks.HandleHookEvent(t.Context(), hooks.Options{
		Client: "claude-code", In: bytes.NewReader(event), Out: &out, Database: path, Home: t.TempDir(), TimeoutFactor: 20,
		Getenv: func(string) string { return "" }, Now: time.Now, Detach: func([]string) error { return nil },
		Capture: func(db *store.DB, search *memory.Search) *capture.Capture {
			return &capture.Capture{Store: db, Search: search}
		},
	})
	return out.String()
}

// A file is told by the passage that answers, which may begin within a key.
func TestNoLineOfAPrivateKeyIsToldOfALongFile(t *testing.T) {
	var key strings.Builder
	for line := range 26 {
		fmt.Fprintf(&key, "%s%02d\n", strings.Repeat("kQ7/tZ4+mX9vWb2c", 4)[:62], line)
	}
	lines := "kQ7/tZ4+mX9v"
	begin, end := "-----BEGIN RSA "+"PRIVATE KEY-----\n", "-----END RSA "+"PRIVATE KEY-----\n"
	answer := "The ferry to Borkum leaves the northern quay at seven.\n"
	for name, text := range map[string]string{
		"before the answer": "Notes\n" + strings.Repeat("filler words here. ", 30) + "\n" + begin + key.String() + end + answer,
		"behind it":         "Notes\n" + answer + begin + key.String() + end + strings.Repeat("filler words here. ", 30),
		"cut off":           "Notes\n" + key.String() + end + strings.Repeat("filler words here. ", 30) + answer,
		"far in a long one": "Notes\n" + strings.Repeat("filler words here. ", testenv.Choose(500, 3000)) + begin + key.String() + end + answer,
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			a, err := Open(t.Context(), Settings{DB: filepath.Join(root, "t.db"), FileRoots: []string{root}, TimeoutFactor: 20})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			file := filepath.Join(root, "notes.txt")
			testenv.Write(t, file, text)
			callTool(t, a, "upload_file", map[string]any{"file_path": file})
			callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": text})
			question := "when does the ferry to Borkum leave the northern quay?"
			told := forPrompt(t, a, recall.PromptRequest{Prompt: question}).Text
			for _, tokens := range []int{60, 200, 4000} {
				_, raw := recallOf(t, a, map[string]any{"query": question, "max_tokens": tokens})
				told += raw
			}
			shown, err := recall.New(recall.Deps{Store: a.Store, SearchProviders: SearchProviders()}).Prompts[0].Render(t.Context(), map[string]string{"topic": question})
			if err != nil {
				t.Fatal(err)
			}
			if told += shown; strings.Contains(told, lines) || !strings.Contains(told, "Borkum leaves") {
				t.Errorf("told:\n%s", told)
			}
		})
	}
}
