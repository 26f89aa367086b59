package clients

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/tools/memory/transcripts"
)

// Every hook of a client runs this test binary, which writes down what came in,
// what went out and how long it took, and hands the rest to `toolkit hook EVENT`.

// hooked is one run of a hook.
type hooked struct {
	Event  string
	Begun  int64 // nanoseconds
	Input  json.RawMessage
	Output string
	Millis int64
	Fault  string
}

// withHooks lets the client run our hooks at each event. What it then finds in the
// place of the program hands everything but hooks to the program itself.
func (h *home) withHooks() *home {
	h.t.Helper()
	h.standIn = !strings.HasPrefix(h.toolkit("hook", "--help"), "hook ")
	if h.installs {
		h.toolkit("install", h.client.name)
	} else {
		events := map[string]any{}
		for _, event := range h.client.hooks {
			hook := map[string]any{"type": "command", "command": h.program + " hook " + event, "timeout": h.client.timeout}
			events[event] = []any{map[string]any{"hooks": []any{hook}}}
		}
		h.client.settings(h, events)
	}
	self, err := os.Executable()
	must(h.t, err)
	program := h.program
	h.program += ".itself"
	must(h.t, os.Rename(program, h.program))
	must(h.t, os.WriteFile(program, fmt.Appendf(nil, `#!/bin/sh
test "$1" = hook || exec '%[1]s' "$@"
CLIENTS_HOOK=$2 CLIENTS_HOME='%[2]s' CLIENTS_TOOLKIT='%[1]s' CLIENTS_STAND_IN=%[3]t %[4]s exec '%[5]s'
`, h.program, h.folder, h.standIn, patient, self), 0o755))
	return h
}

// hooked are the runs of an event's hook, in their order.
func (h *home) hooked(event string) []hooked {
	h.t.Helper()
	files, err := filepath.Glob(filepath.Join(h.folder, "hooked", "*.json"))
	must(h.t, err)
	var all []hooked
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(h.t, err)
		var run hooked
		must(h.t, json.Unmarshal(raw, &run))
		if run.Event == h.client.hooks[event] {
			all = append(all, run)
		}
	}
	slices.SortFunc(all, func(a, b hooked) int { return cmp.Compare(a.Begun, b.Begun) })
	return all
}

// escaped is how Gemini CLI shows our text to its model.
var escaped = strings.NewReplacer("<", "&lt;", ">", "&gt;")

// told is what every client tells every hook.
type told struct {
	Event      string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Folder     string `json:"cwd"`
	Prompt     string `json:"prompt"` // at a prompt
}

func (r *hooked) told() (in told) {
	json.Unmarshal(r.Input, &in) //nolint:errcheck // empty then, which is nobody's
	return in
}

// injects is the text that the answer of a hook adds to what the model reads.
func (r *hooked) injects(t *testing.T) string {
	t.Helper()
	var out struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(r.Output), &out); err != nil || out.Specific.Context == "" {
		t.Fatalf("the hook at %s answered %q: %v", r.Event, r.Output, err)
	}
	return out.Specific.Context
}

// hookRun is what the program itself keeps of a run.
type hookRun struct{ Event, Error string }

// reportHooks fails on a hook that failed or printed what it must not, and says
// how long they took.
func (h *home) reportHooks() {
	h.t.Helper()
	for _, run := range rows[hookRun](h, "hook_runs") {
		if run.Error != "" {
			h.t.Errorf("the hook at %s gave up: %s", run.Event, run.Error)
		}
	}
	for event := range h.client.hooks {
		var took []int64
		for _, run := range h.hooked(event) {
			took = append(took, run.Millis)
			if run.Fault != "" {
				h.t.Errorf("the hook at %s failed: %s", event, run.Fault)
			}
			if run.Output != "" && event != "prompt" && event != "session-start" {
				h.t.Errorf("the hook at %s printed %q", event, run.Output)
			}
		}
		slices.Sort(took)
		if len(took) == 0 {
			if event != "pre-compact" {
				h.t.Errorf("%s ran no hook at %s", h.client.name, event)
			}
			continue
		}
		h.t.Logf("%s: %d hooks at %s, half within %d ms, all within %d ms", h.client.name, len(took), event, took[len(took)/2], took[len(took)-1])
	}
}

// runHook is what a client starts. What goes wrong with the writing shows in a run
// that is missing.
func runHook(event string) int {
	begun := time.Now()
	input, _ := io.ReadAll(os.Stdin)
	output, err := hookOf(event, input)
	run := hooked{Event: event, Begun: begun.UnixNano(), Input: input, Output: output, Millis: time.Since(begun).Milliseconds()}
	if err != nil {
		run.Fault = err.Error()
	}
	raw, _ := json.Marshal(run)
	folder := filepath.Join(os.Getenv("CLIENTS_HOME"), "hooked")
	os.MkdirAll(folder, 0o755) //nolint:errcheck // as said
	if part, err := os.CreateTemp(folder, "run"); err == nil {
		part.Write(raw)                             //nolint:errcheck // as said
		part.Close()                                //nolint:errcheck // as said
		os.Rename(part.Name(), part.Name()+".json") //nolint:errcheck // as said
	}
	os.Stdout.WriteString(output) //nolint:errcheck // the client may be gone
	return 0
}

func hookOf(event string, input []byte) (string, error) {
	if os.Getenv("CLIENTS_STAND_IN") == "true" {
		return standIn(event, input)
	}
	return ours(input, "hook", event)
}

// standIn answers an event as long as the program has no command for that, with
// the commands that it has.
func standIn(event string, input []byte) (string, error) {
	var in told
	if err := json.Unmarshal(input, &in); err != nil {
		return "", err
	}
	if in.Prompt == "" || event == gemini.hooks["stop"] {
		_, err := ours(nil, "capture", "--all")
		return "", err
	}
	raw, err := ours(nil, "recall", "--json", "--max-tokens", "300", in.Prompt)
	if err != nil {
		return "", err
	}
	var found struct {
		Found []struct{ Text string }
	}
	if err := json.Unmarshal([]byte(raw), &found); err != nil || len(found.Found) == 0 {
		return "", err
	}
	text := "<" + transcripts.Tag + ">"
	for _, hit := range found.Found {
		text += "\n" + hit.Text
	}
	answer, err := json.Marshal(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": in.Event, "additionalContext": text + "\n</" + transcripts.Tag + ">"}})
	return string(answer), err
}

func ours(input []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Getenv("CLIENTS_TOOLKIT"), args...)
	cmd.Stdin = bytes.NewReader(input)
	return output(cmd)
}
