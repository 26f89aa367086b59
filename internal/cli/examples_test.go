package cli

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// notRun are examples that a test cannot run, and why.
var notRun = map[string]string{
	"toolkit serve --http 127.0.0.1:8765": "it serves until it is stopped, on a port that may be taken",
	"TOOLKIT_TOKEN=… toolkit serve --http 0.0.0.0:8765 --http-host memory.example.org --behind-proxy": "it serves other machines until it is stopped",
	"toolkit serve --http 0.0.0.0:8765 --tls-cert cert.pem --tls-key key.pem":                         "it serves other machines until it is stopped",
	"toolkit move ~/.local/share/toolkit/toolkit.db postgres://toolkit@db.example.com/toolkit":        "a test does it with a server of its own",
	"toolkit move postgres://toolkit@db.example.com/toolkit toolkit.db":                               "a test does it with a server of its own",
	"toolkit move anna.db postgres://toolkit@db.example.com/toolkit#anna":                             "a test does it with a server of its own",
	"toolkit admin ready":                                "it asks a server that a person has started",
	"toolkit admin ready http://memory.example.org:8765": "it asks another machine",
	"toolkit view --open":                                "it opens a browser and serves until it is stopped",
	"toolkit view --open --write":                        "it opens a browser and serves until it is stopped",
	"toolkit view --port 7777 --db ~/shared/team.db":     "it serves until it is stopped",
	"toolkit pockets loop --every 15m":                   "it goes on until it is stopped",
	"TOOLKIT_EMBEDDER=openai toolkit admin reembed":      "it needs a key",
	`toolkit forget "my old address"`:                    "it asks on a terminal",
	"toolkit forget --session monday":                    "it asks on a terminal",
	"toolkit forget --project ~/shop":                    "it asks on a terminal",
	"toolkit forget --entity Anna --with-derived":        "it asks on a terminal",
}

// exampleFiles are what some examples read, by command; those of "" are always
// there.
var exampleFiles = map[string]map[string]string{
	"": {
		"entities.json":              `{"entities":[{"name":"Bert","entityType":"person","observations":["likes coffee"]}]}`,
		"locomo10.json":              exampleConversation,
		"conversations/tiny.json":    exampleConversation,
		"sets/tiny.json":             `{"sessions":[{"turns":[{"id":"1","speaker":"Ann","text":"I adopted a beagle."}]}],"questions":[{"text":"What did Ann adopt?","evidence":["1"]}]}`,
		"invoices/oak.txt":           "Invoice\nInvoice number: OS-471\nTotal   GBP 600.00\n",
		"invoices/oak.expected.json": `{"kind":"invoice","fields":{"invoice_number":"OS-471","amount":600}}`,
		"readings.jsonl":             `{"dataset":{"name":"city-sensors","source":"city sensors","license":"CC BY 4.0","attribution_required":true}}` + "\n" + `{"kind":"atmosphere","pocket_id":"cluny","captured_at":"2025-06-06T16:00:00+08:00","stress":0.2,"calm":0.7,"social_energy":0.4,"productive":0.6,"primary_state":"calm-productive"}` + "\n",
		"readings.json":              `{"dataset":{"name":"city-sensors","source":"city sensors","license":"CC BY 4.0","attribution_required":true},"records":[]}`,
	},
	"toolkit":        {"memory.jsonl": exampleMemory},
	"toolkit import": {"memory.jsonl": exampleMemory, "bill.txt": "Invoice\nInvoice number: OS-471\nTotal   GBP 600.00\n"},
	"toolkit capture": {
		"Downloads/conversations.json":   `[{"uuid":"e1","name":"Bread","chat_messages":[{"uuid":"p1","sender":"human","created_at":"2026-03-04T07:00:00Z","text":"How much yeast?"}]}]`,
		".claude/projects/-srv/s1.jsonl": `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-03-01T10:00:00Z","cwd":"/srv","message":{"content":"Hello"}}` + "\n",
	},
	"toolkit hook":                {"event.json": `{"session_id":"s1","cwd":"/srv","hook_event_name":"SessionStart","source":"compact"}`},
	"toolkit golden import":       {"golden.jsonl": `{"query":"When is the release?"}` + "\n"},
	"toolkit admin golden import": {"golden.jsonl": `{"query":"When is the release?"}` + "\n"},
}

const (
	exampleMemory       = `{"type":"entity","name":"Cleo","entityType":"person","observations":["likes water"]}` + "\n"
	exampleConversation = `[{"sample_id":"tiny","conversation":{"speaker_a":"Ann","speaker_b":"Ben","session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"I adopted a beagle."},{"speaker":"Ben","dia_id":"D1:2","text":"Lovely."}]},"qa":[{"question":"What did Ann adopt?","answer":"a beagle","evidence":["D1:1"],"category":4}]}]`
)

// prepareExamples makes what the examples speak of.
const prepareExamples = `
toolkit call create_entities '{"entities":[{"name":"Annabel","entityType":"person","observations":["likes tea"]}]}'
toolkit call store_raw_dialogue '{"session_id":"s1","speaker":"user","content":"When is the release of the new version?"}'
echo '{"query":"When is the release?"}' | toolkit admin golden import -
toolkit pockets import readings.jsonl
toolkit call create_structural_tension_chart '{"desiredOutcome":"Write a finished first draft of my novel","currentReality":"Outline exists","dueDate":"2030-12-31T00:00:00Z"}'
mkdir -p shared diary
toolkit backup toolkit.zip
`

// prepareProjects makes the projects of a home, which are known by their paths.
const prepareProjects = `
for project in shop shop-frontend; do
  echo '{"type":"user","uuid":"'$project'","sessionId":"'$project'","timestamp":"2026-03-01T10:00:00Z","cwd":"'$PWD/$project'","message":{"content":"Hello"}}' > $project.jsonl
  toolkit capture $project.jsonl
done
`

var remarkBehind = regexp.MustCompile(`\s{3,}.*$`)

// Every line of every Example is run once, each command's in a home of its own: what a group shows of its commands, with theirs.
func TestEveryExampleOfHelpWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the examples are written for a POSIX shell")
	}
	found := map[string]bool{}
	prepared := preparedHome(t)
	commands := tree(t)
	paths := slices.SortedFunc(maps.Keys(commands), func(a, b string) int {
		return cmp.Or(strings.Count(b, " ")-strings.Count(a, " "), strings.Compare(a, b))
	})
	for _, path := range paths {
		var lines []string
		for line := range strings.SplitSeq(commands[path].Example, "\n") {
			line = remarkBehind.ReplaceAllString(strings.TrimSpace(line), "")
			if notRun[line] == "" && !found[line] {
				lines = append(lines, line)
			}
			found[line] = true
		}
		if len(lines) == 0 {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			runExamples(t, prepared, path, lines)
		})
	}
	for line := range notRun {
		if !found[line] {
			t.Errorf("%q is no example any more", line)
		}
	}
}

// preparedHome has what the examples speak of, but for the program and what single commands need.
func preparedHome(t *testing.T) string {
	t.Helper()
	s := newShell(t)
	s.writeFiles(t, exampleFiles[""])
	if out, err := s.run(t, prepareExamples); err != nil || strings.Contains(out, "toolkit: ") {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.RemoveAll(s.bin); err != nil {
		t.Fatal(err)
	}
	return s.home
}

func (s shell) writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		writeExecutable(t, filepath.Join(s.home, name), []byte(text))
	}
}

func runExamples(t *testing.T, prepared, path string, lines []string) {
	s := newShell(t)
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", prepared+"/.", s.home).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.HasPrefix(path, "toolkit projects") {
		lines = append([]string{prepareProjects}, lines...)
	}
	s.writeFiles(t, exampleFiles[path])
	// Programs of others that need not be here, and another machine.
	for name, does := range map[string]string{"jq": "cat", "man": "cat", "vi": "test -n \"$1\"", "ssh": "shift; exec \"$@\""} {
		writeExecutable(t, filepath.Join(s.bin, name), []byte("#!/bin/sh\n"+does+"\n"))
	}
	for _, line := range lines {
		if out, err := s.run(t, line); err != nil || strings.Contains(out, "toolkit: ") {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
}
