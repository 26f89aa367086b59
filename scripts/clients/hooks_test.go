package clients

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// hooked is one run of a hook.
type hooked struct {
	Event  string
	Begun  int64 // nanoseconds
	Input  json.RawMessage
	Output string
	Millis int64 // -1 while it runs, and for good when its client ended it
	Fault  string
}

// record puts a recorder in the program's place, where the client looks for it: a
// hook runs this test binary, which writes down what came in, what went out and how
// long it took. Everything else goes to the program itself.
func (h *home) record() {
	h.t.Helper()
	self, err := os.Executable()
	must(h.t, err)
	place := h.program
	h.program += ".itself"
	must(h.t, os.Rename(place, h.program))
	must(h.t, os.WriteFile(place, fmt.Appendf(nil, `#!/bin/sh
test "$1" = hook || exec '%[1]s' "$@"
CLIENTS_HOOK=$2 CLIENTS_HOME='%[2]s' CLIENTS_TOOLKIT='%[1]s' %[3]s exec '%[4]s'
`, h.program, h.folder, patient, self), 0o755))
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
	Source     string `json:"source"` // of a start
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

// checkHooks fails on a hook that failed, is missing, or printed what it must not.
func (h *home) checkHooks() {
	h.t.Helper()
	for _, run := range rows[hookRun](h, "hook_runs") {
		if run.Error != "" {
			h.t.Errorf("the hook at %s gave up: %s", run.Event, run.Error)
		}
	}
	for event := range h.client.hooks {
		runs := h.hooked(event)
		for _, run := range runs {
			if run.Fault != "" {
				h.t.Errorf("the hook at %s failed: %s", event, run.Fault)
			}
			if run.Output != "" && event != "prompt" && event != "session-start" {
				h.t.Errorf("the hook at %s printed %q", event, run.Output)
			}
			if run.Millis >= 0 {
				took.add(h.client.name+h.beside, run.Millis)
			}
		}
		if len(runs) == 0 && !strings.HasSuffix(event, "-compact") {
			h.t.Errorf("%s ran no hook at %s", h.client.name, event)
		}
	}
}

// times are how long hooks took, in milliseconds, by client and what else ran.
type times struct {
	sync.Mutex
	by map[string][]int64
}

var took = times{by: map[string][]int64{}}

func (t *times) add(who string, millis int64) {
	t.Lock()
	defer t.Unlock()
	t.by[who] = append(t.by[who], millis)
}

func (t *times) report() {
	for _, who := range slices.Sorted(maps.Keys(t.by)) {
		all := t.by[who]
		slices.Sort(all)
		fmt.Printf("%s: %d hooks, half within %d ms, 95 of 100 within %d ms, the longest %d ms\n", who, len(all), all[len(all)/2], all[len(all)*95/100], all[len(all)-1])
	}
}

// runHook is what a client starts. A run is written down when it begins and when it
// ends; what goes wrong with that shows in a run that is missing.
func runHook(event string) {
	begun := time.Now()
	input, _ := io.ReadAll(os.Stdin)
	run := hooked{Event: event, Begun: begun.UnixNano(), Input: input, Millis: -1}
	file := filepath.Join(os.Getenv("CLIENTS_HOME"), "hooked", fmt.Sprintf("%d-%d.json", run.Begun, os.Getpid()))
	run.keep(file)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Getenv("CLIENTS_TOOLKIT"), "hook", event)
	cmd.Stdin = bytes.NewReader(input)
	begun = time.Now()
	out, err := output(cmd)
	run.Output, run.Millis = out, time.Since(begun).Milliseconds()
	if err != nil {
		run.Fault = err.Error()
	}
	run.keep(file)
	os.Stdout.WriteString(out) //nolint:errcheck // the client may be gone
}

func (r *hooked) keep(file string) {
	raw, _ := json.Marshal(r)
	os.MkdirAll(filepath.Dir(file), 0o755) //nolint:errcheck // as said
	os.WriteFile(file+".part", raw, 0o600) //nolint:errcheck // as said
	os.Rename(file+".part", file)          //nolint:errcheck // as said
}
