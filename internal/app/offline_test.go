package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolkit/internal/capture"
	"toolkit/internal/capture/hooks"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

const (
	// asOffline makes the test binary run every example, watched from outside.
	asOffline = "TOOLKIT_TEST_OFFLINE"
	// asTalkative makes it do what must be caught instead.
	asTalkative = "TOOLKIT_TEST_TALKATIVE"
)

// TestExamplesRunForTheWatcher is no test by itself: it is what the watched
// process runs.
func TestExamplesRunForTheWatcher(t *testing.T) {
	if os.Getenv(asOffline) == "" {
		t.Skip("run by TestNothingLeavesTheMachine")
	}
	if os.Getenv(asTalkative) != "" {
		// Without a network this fails at once; the watcher sees the attempt.
		if r, err := http.Get("http://192.0.2.1/"); err == nil { // an address for documentation
			r.Body.Close()
		}
		net.DefaultResolver.LookupHost(t.Context(), "toolkit.invalid") //nolint:errcheck // it cannot succeed
		return
	}
	a := openWith(t, Settings{Getenv: os.Getenv, TimeoutFactor: exampleTimeout})
	registry := allTools(t)
	ran := 0
	for _, d := range registry.All() {
		for _, example := range d.Examples() {
			for _, step := range example.Setup {
				respond(t, a, step.Tool, step.Params)
			}
			respond(t, a, d.Name, example.Params)
			ran++
		}
	}
	if ran < 50 {
		t.Fatalf("only %d examples ran", ran)
	}
	runHooks(t, a)
}

// runHooks answers the events of a session of each client, and captures what it
// wrote.
func runHooks(t *testing.T, a *App) {
	t.Helper()
	home := t.TempDir()
	transcript := filepath.Join(home, "s1.jsonl")
	said := `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/bakery","message":{"content":"We use rye flour."}}` + "\n"
	testenv.Write(t, transcript, said)
	for _, client := range []transcripts.Client{transcripts.ClaudeCode, transcripts.Codex, transcripts.Gemini} {
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", hooks.BackgroundEvent} {
			var out strings.Builder
			hooks.HandleHookEvent(t.Context(), hooks.Options{
				Event: event, Client: string(client), Transcript: transcript, Out: &out, Database: a.Store.Path(), Home: home, Getenv: os.Getenv, Now: time.Now, TimeoutFactor: exampleTimeout,
				In: strings.NewReader(`{"session_id":"s2","cwd":"/srv/bakery","prompt":"Which flour do we use?","last_assistant_message":"Rye."}`),
				Capture: func(db *store.DB, search *memory.Search) *capture.Capture {
					return &capture.Capture{Store: db, Search: search, Home: home}
				},
				StoreTurn: func(ctx context.Context, c *capture.Capture, said capture.HookTurn) error {
					return c.StoreHookTurn(ctx, said)
				},
				Recall: func(ctx context.Context, db *store.DB, a recall.PromptRequest) (recall.Injection, error) {
					return recall.FindNotesForPrompt(ctx, db, SearchProviders(), a)
				},
				Detach: func([]string) error { return nil },
			})
			if client == transcripts.Codex && event == "SessionStart" && !strings.Contains(out.String(), "Which flour do we use?") {
				t.Errorf("a session after a captured one begins with %q", out.String())
			}
		}
	}
}

// watch runs every example in a process of its own under strace and returns the
// attempts to reach another machine.
func watch(t *testing.T, env ...string) []string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") != "" && runtime.GOOS == "linux" {
			t.Fatal("strace is needed to watch what leaves the machine; run 'make strace'")
		}
		t.Skip("strace is needed to watch what leaves the machine; 'make strace' installs it where the distribution has it")
	}
	log := filepath.Join(t.TempDir(), "log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), strace, "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", log, self, "-test.run", "^TestExamplesRunForTheWatcher$")
	cmd.Env = append(env, asOffline+"=1", "HOME="+t.TempDir(), "TMPDIR="+t.TempDir(), "PATH="+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		var exited *exec.ExitError
		if errors.As(err, &exited) && exited.Sys().(syscall.WaitStatus).ExitStatus() == 1 && strings.Contains(string(out), "ptrace") {
			t.Skipf("this machine does not let processes be watched: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	text := testenv.Read(t, log)
	return outgoing(string(text))
}

// outgoing picks the calls of the system that address a machine other than this
// one, or ask for the address of one.
func outgoing(log string) (attempts []string) {
	for line := range strings.Lines(log) {
		isInternet := strings.Contains(line, "AF_INET")
		isHere := strings.Contains(line, `inet_addr("127.`) || strings.Contains(line, `inet_pton(AF_INET6, "::1"`)
		isName := strings.Contains(line, "htons(53)")
		if isInternet && (!isHere || isName) {
			attempts = append(attempts, strings.TrimSpace(line))
		}
	}
	return attempts
}

func TestNothingLeavesTheMachine(t *testing.T) {
	if attempts := watch(t); len(attempts) > 0 {
		t.Errorf("without anything configured the tools tried to reach\n%s", strings.Join(attempts, "\n"))
	}
}

// The watcher is worth nothing unless it catches a program that talks.
func TestTheWatcherSeesAProgramThatTalks(t *testing.T) {
	attempts := strings.Join(watch(t, asTalkative+"=1"), "\n")
	if !strings.Contains(attempts, "192.0.2.1") {
		t.Errorf("a connection to another machine went unseen:\n%s", attempts)
	}
}

func TestAttemptsAreToldFromWhatStaysHere(t *testing.T) {
	for line, out := range map[string]bool{
		`1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("203.0.113.9")}, 16) = -1 ENETUNREACH`:                         true,
		`1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0`:                                        true,
		`1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = -1 ENETUNREACH`:           true,
		`1 connect(3, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("127.0.0.1")}, 16) = 0`:                                       false,
		`1 connect(3, {sa_family=AF_UNIX, sun_path="/run/systemd/resolve"}, 30) = -1 ENOENT`:                                                     false,
		`1 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(123), sin_addr=inet_addr("198.51.100.1")}, 16) = 1`:                           true,
		`1 connect(3, {sa_family=AF_INET6, sin6_port=htons(80), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ECONNREFUSED`: false,
	} {
		if got := len(outgoing(line)) == 1; got != out {
			t.Errorf("%s: %v", line, got)
		}
	}
}
