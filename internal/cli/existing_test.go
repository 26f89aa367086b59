package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// Every command, run on a path where there is no database. A misspelt path must
// not make an empty one, which would answer that nothing is known.
func TestCommandsThatOnlyUseADatabaseDoNotMakeOne(t *testing.T) {
	type behaviour struct {
		lines []string // what is typed behind the command; each is run
		code  int
		says  string
	}
	const none = "no database is concerned"
	needs := func(lines ...string) behaviour { return behaviour{lines, exitFailure, "there is no database at"} }
	refuses := func(code int, lines ...string) behaviour { return behaviour{lines, code, "toolkit: "} }
	ignores := func(lines ...string) behaviour { return behaviour{lines, exitOK, ""} }
	table := map[string]any{
		"backup":            needs("out.zip"),
		"doctor":            behaviour{[]string{"", "--fix", "--deep"}, exitFailure, "there is none at"},
		"capture":           refuses(exitFailure, "missing.jsonl", "missing.jsonl --dry-run", "broken.jsonl"),
		"export":            needs("", "out.jsonl", "--all", "--all out.jsonl"),
		"golden export":     needs("", "out.jsonl"),
		"forget":            needs("tea", "--session monday --yes", "--finish"),
		"metrics":           needs(""),
		"pockets loop":      needs("", "--every 15m"),
		"pockets export":    needs("", "out.jsonl"),
		"recall":            needs("tea", "tea --json"),
		"remember":          needs("tea"),
		"today":             needs("", "--json"),
		"charts":            needs("", "chart_1"),
		"projects rename":   needs("shop bakery"),
		"projects join":     needs("shop bakery"),
		"projects separate": needs("shop"),
		"hook":              ignores("", "SessionStart", "nosuch"),
		"config capture":    ignores(""),
		"config hooks":      ignores(""),
		"reembed":           needs("", "--rebuild", "--prune"),
		"snapshots rebuild": needs("", "--check"),
		"view":              needs(""),
		"call":              refuses(exitUsage, "nosuch", "read_graph --families nosuch", "read_graph --orientation loose", "read_graph nojson"),
		"serve":             refuses(exitUsage, "", "--stdio --families nosuch", "--stdio --hints loud", "--http nowhere"),
		"import":            refuses(exitFailure, "missing.jsonl", "broken.jsonl", "empty.jsonl"),
		"pockets import":    refuses(exitFailure, "missing.jsonl", "broken.jsonl", "empty.jsonl"),
		"golden import":     refuses(exitFailure, "missing.jsonl"),
		"move":              refuses(exitFailure, "missing.db other.db"),
		"restore":           refuses(exitFailure, "missing.zip", "broken.jsonl"),
		"ready":             refuses(exitFailure, "127.0.0.1:1"),
		"install":           ignores(""),
		"token add":         "it makes its database",
		"token list":        needs(""),
		"token remove":      needs("anna-phone"),
		"tools":             ignores(""),
		"config show":       ignores(""),
		"config path":       ignores(""),
		"pockets demo":      "it makes its database",
		"help":              none, "man": none, "version": none,
		"completion bash": none, "completion zsh": none, "completion fish": none, "completion powershell": none,
	}
	for path, cmd := range tree(t) {
		if cmd.HasSubCommands() {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(path, "toolkit "), "admin ")
		switch b := table[name].(type) {
		case nil:
			t.Errorf("%s is not in the table; say what it does where there is no database", name)
		case behaviour:
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for _, line := range b.lines {
					runWithoutDatabase(t, typed(path, strings.Fields(line)...), b.code, b.says)
				}
			})
		}
	}
}

func runWithoutDatabase(t *testing.T, line []string, want int, says string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"broken.jsonl": "{\n", "empty.jsonl": ""} {
		testenv.Write(t, filepath.Join(folder, name), text)
	}
	cmd := program(t, append(line, "--db", filepath.Join("data", "typo.db"))...)
	cmd.Dir = folder
	said, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != want || !strings.Contains(string(said), says) {
		t.Errorf("%v: exit code %d, %v, %s", line, code, err, said)
	}
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		if entry.Name() != "broken.jsonl" && entry.Name() != "empty.jsonl" {
			t.Errorf("%v made %s", line, entry.Name())
		}
	}
}
