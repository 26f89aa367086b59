package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const escape = "\x1b"

// shown are command lines that print, with db for a database and out for a new
// file. Together they are all commands that end by themselves and quickly.
var shown = []string{
	"", "help", "version", "man", "completion bash", "completion zsh", "completion fish", "completion powershell",
	"tools", "tools create_entities", "tools --json", "config show", "config path", "config show --json",
	"install", "install cursor --config out --dry-run", "install zed --config out --dry-run", "doctor --db db", "doctor --db db --deep", "doctor --db db --json", "metrics --db db",
	"call read_graph --db db", "call create_entities {} --db db", "call nosuch --db db", "export --db db", "export --all --db db", "export --db db out",
	"backup out --db db", "restore db --db out", "import db --db out", "import . --dry-run --db out", "import . --dry-run --json --db out", "capture nosuch --db db", "hook --help", "recall word --db db", "recall word --json --db db", "capture --dry-run . --json --db db", "golden import --shipped --db out", "golden export --db db",
	"reembed --db db", "snapshots rebuild --db db", "pockets loop --db db", "pockets export --db db", "pockets import db --db out",
	"projects --db db", "projects --json --db db", "projects rename x y --db db", "projects join x y --db db", "projects separate x --db db", "config capture", "config hooks",
	"today --db db", "today --json --db db", "charts --db db", "charts --json --db db", "remember word --db db", "remember word --json --db db",
	"move db out", "token --db db", "token list --db db", "token add x --db out", "token remove x --db db",
	"forget word --db db", "view --port 99999", "ready 127.0.0.1:1", "admin", "admin ready 127.0.0.1:1", "serve", "nonsense",
}

func TestPipesAndFilesGetNeitherEscapeSequencesNorTrailingBlanks(t *testing.T) {
	db := emptyDatabase(t)
	covered := map[string]bool{}
	for _, line := range shown {
		args := strings.Fields(line)
		if len(args) > 0 {
			covered[args[0]] = true
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out")
			for i, arg := range args {
				args[i] = map[string]string{"db": db, "out": out}[arg]
				if args[i] == "" {
					args[i] = arg
				}
			}
			printed, complained, _ := run(t, "", args...)
			if printed+complained == "" && !slices.Contains(args, "export") { // of an empty memory
				t.Error("it prints nothing")
			}
			if strings.ContainsAny(printed+complained, escape+"\r") {
				t.Errorf("%q %q", printed, complained)
			}
			if strings.Contains(printed+"\n", " \n") {
				t.Errorf("a line ends in blanks: %q", printed)
			}
		})
	}
	for path, cmd := range tree(t) {
		if name := strings.Fields(path + " toolkit")[1]; cmd.HasParent() && !covered[name] {
			t.Errorf("%s is not tried", name)
		}
	}
}

// onTerminal runs toolkit on a terminal and returns what appears there.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("script has other switches here")
	}
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script makes the terminal, and is not installed")
	}
	self := program(t, args...)
	cmd := exec.CommandContext(t.Context(), "script", "-qec", "'"+strings.Join(self.Args, "' '")+"'", os.DevNull)
	cmd.Env = append(append(self.Env, "TERM=xterm", "SHELL=/bin/sh"), env...)
	cmd.Stdin = strings.NewReader("")
	text, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestColoursAreForTerminalsOfPeopleWhoWantThem(t *testing.T) {
	t.Parallel()
	db := emptyDatabase(t)
	file := filepath.Join(t.TempDir(), "mcp.json")
	for name, tc := range map[string]struct {
		env      []string
		coloured bool
	}{
		"a terminal":             {nil, true},
		"NO_COLOR":               {[]string{"NO_COLOR=1"}, false},
		"a terminal without any": {[]string{"TERM=dumb"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{{"doctor", "--db", db}, {"install", "cursor", "--config", file, "--dry-run"}, {"tools"}} {
				text := onTerminal(t, tc.env, args...)
				if want := tc.coloured && args[0] == "doctor"; strings.Contains(text, escape) != want && args[0] != "install" || !tc.coloured && strings.Contains(text, escape) {
					t.Errorf("%v: %q", args, text)
				}
				if !strings.Contains(text, "\n") {
					t.Errorf("%v prints nothing: %q", args, text)
				}
			}
		})
	}
}
