// Package clients runs real assistants, as npm has them, against a model that
// answers from a script: Claude Code, Codex and Gemini CLI, each with a home of its
// own in which the toolkit was installed. What a client sends to its model is kept,
// and that is what the tests assert on: nothing here believes what a client says of
// itself.
//
// 'make clients' fetches the three and runs the tests; 'go test' alone passes over
// them. Nothing is reached but loopback.
package clients

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience bounds how long a session may take on a busy machine; quiet ones need
// two to five seconds.
const patience = 3 * time.Minute

// patient lets the program wait long for a lock or an answer too.
const patient = "TOOLKIT_PATIENCE=30"

func TestMain(m *testing.M) {
	if event := os.Getenv("CLIENTS_HOOK"); event != "" {
		runHook(event)
		return
	}
	if os.Getenv("CLIENTS") == "" {
		fmt.Println("SKIPPED: real clients: 'make clients' runs them")
		os.Exit(0)
	}
	code := m.Run()
	if testing.Verbose() {
		took.report()
	}
	os.Exit(code)
}

// assistant is a client: how it is set up in a home and how it is started.
type assistant struct {
	name     string   // as `toolkit install` calls it
	settings []string // a text that is there before `toolkit install` runs, and its path
	environ  func(url string) []string
	ask      func(url, resume, prompt string) []string
	ours     func(tool string) string // its name for a tool of ours
	// load, if any, is its own tool that fetches the definitions of others, of
	// which the model is told the names alone.
	load  string
	most  int               // bytes that our definitions may take of a request
	hooks map[string]string // its event by ours
}

var assistants = []*assistant{claudeCode, codex, gemini}

// home is a user's home folder with a client in it, and a project to work in.
type home struct {
	t       *testing.T
	client  *assistant
	folder  string
	project string
	program string // the toolkit
	beside  string // what else runs, for the report of times
}

// newHome sets a client up with what `toolkit install` writes.
func newHome(t *testing.T, c *assistant) *home {
	t.Helper()
	folder, err := os.MkdirTemp("", "clients")
	must(t, err)
	t.Cleanup(func() { // a hook may leave a process behind itself that still writes
		within(t, "the home can be removed", func() bool { return os.RemoveAll(folder) == nil })
	})
	folder, err = filepath.EvalSymlinks(folder)
	must(t, err)
	built, err := filepath.Abs(filepath.Join("..", "..", "bin", "toolkit"))
	must(t, err)
	h := &home{t: t, client: c, folder: folder, project: filepath.Join(folder, "bakery"), program: filepath.Join(folder, "bin", "toolkit")}
	must(t, os.Mkdir(filepath.Dir(h.program), 0o755))
	if os.Link(built, h.program) != nil { // on another disk
		raw, err := os.ReadFile(built)
		must(t, err)
		must(t, os.WriteFile(h.program, raw, 0o755))
	}
	h.repository(h.project)
	if len(c.settings) > 0 {
		h.write(c.settings[0], c.settings[1:]...)
	}
	h.toolkit("install", c.name)
	h.record()
	return h
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (h *home) repository(folder string) {
	h.t.Helper()
	if out, err := exec.Command("git", "init", "-q", folder).CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %s", err, out)
	}
}

func (h *home) write(text string, path ...string) {
	h.t.Helper()
	file := filepath.Join(append([]string{h.folder}, path...)...)
	must(h.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(h.t, os.WriteFile(file, []byte(text), 0o600))
}

// environ is the whole environment of a client: what asks for the network goes to
// a port where nobody listens.
func (h *home) environ(more ...string) []string {
	const nowhere = "http://127.0.0.1:9"
	return append([]string{
		"HOME=" + h.folder, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + h.folder, "LANG=C.UTF-8", "TERM=dumb", "TZ=UTC",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "http_proxy=" + nowhere, "https_proxy=" + nowhere,
		patient, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}, more...)
}

// toolkit runs a command of ours in this home and returns what it printed.
func (h *home) toolkit(args ...string) string {
	h.t.Helper()
	out, err := h.try(args...)
	must(h.t, err)
	return out
}

func (h *home) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.program, args...)
	cmd.Dir, cmd.Env = h.project, h.environ()
	return output(cmd)
}

// output runs a command of ours; what it says of a failure is in the error.
func output(cmd *exec.Cmd) (string, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out.String(), errs.String())
	}
	return out.String(), nil
}

// calls is a script that calls a tool of ours.
func (h *home) calls(tool string, args any) []answer { return h.saysAndCalls("", tool, args) }

func (h *home) saysAndCalls(text, tool string, args any) []answer {
	name := h.client.ours(tool)
	call := answer{text: text, tool: name, args: args}
	if h.client.load == "" {
		return []answer{call}
	}
	return []answer{{tool: h.client.load, args: map[string]any{"query": "select:" + name, "max_results": 1}}, call}
}

// session is one run of a client.
type session struct {
	*model
	cmd   *exec.Cmd
	out   bytes.Buffer
	begun int64 // nanoseconds
}

// start starts a client with a prompt; resume is the session to go on with, or "".
func (h *home) start(resume, prompt string, script []answer) *session {
	h.t.Helper()
	s := &session{model: newModel(h.t, script), begun: time.Now().UnixNano()}
	args := h.client.ask(s.URL, resume, prompt)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	h.t.Cleanup(cancel)
	s.cmd = exec.CommandContext(ctx, installed(args[0]), args[1:]...)
	s.cmd.Dir, s.cmd.Env = h.project, h.environ(h.client.environ(s.URL)...)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	s.cmd.WaitDelay = 10 * time.Second
	ownGroup(s.cmd)
	must(h.t, s.cmd.Start())
	return s
}

// run runs a client to its end and returns what it asked its model.
func (h *home) run(resume, prompt string, script []answer) *session {
	h.t.Helper()
	s := h.start(resume, prompt, script)
	s.wait(h.t)
	return s
}

func (s *session) wait(t *testing.T) {
	t.Helper()
	if err := s.cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, s.out.String())
	}
	if len(s.turns()) == 0 {
		t.Fatalf("the model was never asked\n%s", s.out.String())
	}
}

// installed is a program that npm put here.
func installed(name string) string {
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	if err != nil {
		return name
	}
	return path
}
