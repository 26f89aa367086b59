package cli

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"toolkit/internal/testenv"
)

// inProcess runs a command line in this process.
func inProcess(getenv func(string) string, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: getenv})
	return out.String(), errs.String(), code
}

func nothingSet(string) string { return "" }

// tree lists every command, each as what is typed for it.
func tree(t *testing.T) map[string]*cobra.Command {
	t.Helper()
	all := map[string]*cobra.Command{}
	root := newRoot(Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Getenv: nothingSet})
	visitCommands(root, func(cmd *cobra.Command) { all[cmd.CommandPath()] = cmd })
	if len(all) < 35 {
		t.Fatalf("only %d commands were found", len(all))
	}
	return all
}

func typed(path string, more ...string) []string { return append(strings.Fields(path)[1:], more...) }

func TestGroupsOfCommandsRefuseWhatTheyDoNotKnow(t *testing.T) {
	groups := 0
	for path, cmd := range tree(t) {
		if !cmd.HasSubCommands() {
			continue
		}
		groups++
		for _, line := range [][]string{typed(path, "foo"), append([]string{"help"}, typed(path, "foo")...)} {
			out, errs, code := inProcess(nothingSet, line...)
			if code != exitUsage || out != "" || !strings.Contains(errs, `unknown command "foo"`) {
				t.Errorf("%v: exit code %d, %q, %q", line, code, out, errs)
			}
			for _, below := range cmd.Commands() {
				if cmd.HasParent() && !strings.Contains(errs, below.Name()) {
					t.Errorf("%v does not name %s: %q", line, below.Name(), errs)
				}
			}
		}
		if path == "toolkit projects" { // it lists them
			continue
		}
		if out, errs, code := inProcess(nothingSet, typed(path)...); code != exitOK || !strings.Contains(out, "Available Commands") && !strings.Contains(out, "Every day:") || errs != "" {
			t.Errorf("%s alone: exit code %d, %q, %q", path, code, out, errs)
		}
	}
	if groups < 7 {
		t.Errorf("only %d groups were found", groups)
	}
}

func TestAMisspeltCommandOfAGroupIsGuessed(t *testing.T) {
	for line, want := range map[string]string{
		"golden imprt":        "did you mean import?",
		"admin reembd":        "did you mean reembed?",
		"completion bsh":      "did you mean bash",
		"help pockets exprot": "did you mean export?",
		"restor":              "did you mean restore?",
	} {
		if _, errs, code := inProcess(nothingSet, strings.Fields(line)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %q", line, code, errs)
		}
	}
}

func TestARemovedCommandSaysWhatReplacedIt(t *testing.T) {
	for line, want := range map[string]string{
		"ledger":              "toolkit recall",
		"bench sets/":         "scripts/bench",
		"soak":                "scripts/bench soak",
		"pockets show":        "toolkit view",
		"golden sample":       "toolkit admin golden import",
		"admin golden sample": "toolkit admin golden import",
		"help ledger":         "toolkit recall",
		"tools --verify":      "toolkit doctor",
	} {
		if _, errs, code := inProcess(nothingSet, strings.Fields(line)...); code != exitUsage || !strings.Contains(errs, "was removed: ") || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %q", line, code, errs)
		}
	}
}

func TestEveryPageOfHelpIsThatOfACommand(t *testing.T) {
	commands := tree(t)
	for page := range helpPages() {
		if commands[strings.TrimSuffix("toolkit "+page, " toolkit")] == nil {
			t.Errorf("no command has the page %q", page)
		}
	}
}

func TestHelpOfEveryCommandExplainsIt(t *testing.T) {
	for path, cmd := range tree(t) {
		if cmd.Short == "" || cmd.Example == "" {
			t.Errorf("%s has no description or no example", path)
		}
		for line := range strings.SplitSeq(strings.TrimRight(cmd.Example, "\n"), "\n") {
			if !strings.HasPrefix(line, "  ") || !strings.Contains(line, "toolkit") && !strings.Contains(line, "'") {
				t.Errorf("%s: the example %q does not show the command", path, line)
			}
		}
		if out, errs, code := inProcess(nothingSet, typed(path, "--help")...); code != exitOK || errs != "" || !strings.Contains(out, "Usage:") {
			t.Errorf("%s --help: exit code %d, %q, %q", path, code, out, errs)
		}
	}
}

// Counts written by Printf are easily wrong for one; Count and its kin know.
func TestCountsAreNotWrittenWithAFixedPlural(t *testing.T) {
	fixed := regexp.MustCompile(`%d [a-z]+s\b`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text := testenv.Read(t, name)
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.HasSuffix(name, "_test.go") && strings.Contains(line, "rint") && fixed.MatchString(line) {
				t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
}

func TestHelpListsWhatIsNeededEveryDayFirst(t *testing.T) {
	out, _, _ := inProcess(nothingSet, "--help")
	at := -1
	for _, name := range []string{"Every day:", "remember ", "recall ", "forget ", "today ", "charts ", "view ", "pockets ", "Your data:", "Server and setup:", "install ", "serve "} {
		next := strings.Index(out, "\n  "+name)
		if strings.HasSuffix(name, ":") {
			next = strings.Index(out, "\n"+name)
		}
		if next <= at {
			t.Errorf("%q is missing or stands too early:\n%s", name, out)
		}
		at = next
	}
}
