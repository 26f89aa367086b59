package cli

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestFlagErrorsSayWhatToWrite(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"view", "--port", "80a"}, `--port takes a whole number from 0 to 65535, not "80a"; see 'toolkit view --help'`},
		{[]string{"view", "--port", "70000"}, `--port takes a whole number from 0 to 65535, not "70000"; see 'toolkit view --help'`},
		{[]string{"recall", "--limit", "0", "tea"}, `--limit takes a whole number from 1 to 100, not "0"; see 'toolkit recall --help'`},
		{[]string{"recall", "--max-tokens", "0", "tea"}, `--max-tokens takes a whole number from 50 to 20000, not "0"; see 'toolkit recall --help'`},
		{[]string{"remember", "--replaces", "0", "tea"}, `--replaces takes a whole number from 1, not "0"; see 'toolkit remember --help'`},
		{[]string{"pockets", "import"}, "import takes one FILE, or - for standard input; see 'toolkit pockets import --help'"},
		{[]string{"recall", "--jsn", "tea"}, "unknown flag: --jsn, did you mean --json?; see 'toolkit recall --help'"},
		{[]string{"recall", "--nothing-like-it", "tea"}, "unknown flag: --nothing-like-it; see 'toolkit recall --help'"},
		{[]string{"recall", "--limit"}, "flag needs an argument: --limit; see 'toolkit recall --help'"},
	} {
		out, errs, code := run(t, "", c.line...)
		if code != exitUsage || out != "" || strings.TrimSpace(errs) != "toolkit: "+c.want {
			t.Errorf("%v: %d, %q, %q", c.line, code, out, errs)
		}
	}
}

func TestUsageErrorsPointToTheHelpOfTheCommand(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"today", "now"}, "Run 'toolkit today --help' for its arguments and examples."},
		{[]string{"remember", " "}, "Run 'toolkit remember --help' for its arguments and examples."},
		{[]string{"pockets", "nosuch"}, "Run 'toolkit pockets --help' for the commands."},
		{[]string{"nosuch"}, "Run 'toolkit --help' for the commands."},
	} {
		if _, errs, code := run(t, "", c.line...); code != exitUsage || !strings.HasSuffix(strings.TrimSpace(errs), c.want) {
			t.Errorf("%v: %d, %q", c.line, code, errs)
		}
	}
}

func TestADatabaseThatIsNotThereIsToldWithWhatToDo(t *testing.T) {
	folder := t.TempDir()
	usual := filepath.Join(folder, "walkthrough.db")
	testenv.Write(t, usual, "")
	for path, want := range map[string]string{
		filepath.Join(folder, "none.db"):              "check the path, or leave out --db to use " + usual + "; to make one there",
		filepath.Join(folder, "walktrough.db"):        "did you mean " + usual + "?",
		filepath.Join(folder, "a folder", "other.db"): "run: TOOLKIT_DB='" + filepath.Join(folder, "a folder", "other.db") + "' toolkit remember",
	} {
		cmd := program(t, "recall", "tea", "--db", path)
		cmd.Env = append(cmd.Env, "TOOLKIT_DB="+usual)
		said, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != exitFailure || !strings.Contains(string(said), want) || strings.Count(string(said), "\n") > 1 {
			t.Errorf("%s: %s", path, said)
		}
	}
}

// A person types commands, and has no tools.
func TestErrorsOnTheCommandLineNameCommands(t *testing.T) {
	for text, want := range map[string]string{
		"list_active_charts shows the ids":                   "'toolkit charts' shows the ids",
		"get_entity_snapshot shows it":                       "'toolkit call get_entity_snapshot' shows it",
		"run toolkit call plaid_sync first":                  "run toolkit call plaid_sync first",
		"file_path is required; unknown_thing too":           "file_path is required; unknown_thing too",
		`Next: get_entity_snapshot {"entity_id":"e"}.`:       `Next: toolkit call get_entity_snapshot '{"entity_id":"e"}'.`,
		"plaid_list_items names them, or list_active_charts": "'toolkit call plaid_list_items' names them, or 'toolkit charts'",
	} {
		if got := replaceToolsByCommands(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	_, warning, _ := run(t, "", "call", "store_record", `{"type":"invoice","properties":{"invoice_number":7}}`, "--db", emptyDatabase(t))
	if !strings.Contains(warning, "use 'toolkit call submit_payload'. Next: toolkit call get_entity_snapshot '{\"entity_id\":") {
		t.Errorf("a warning says %s", warning)
	}
	for _, toolset := range []string{"all", "core"} {
		cmd := program(t, "charts", "nosuch", "--db", emptyDatabase(t))
		cmd.Env = append(cmd.Env, "TOOLKIT_TOOLSET="+toolset)
		if said, _ := cmd.CombinedOutput(); !strings.Contains(string(said), "'toolkit charts' shows all") || strings.Contains(string(said), "_") {
			t.Errorf("%s: %s", toolset, said)
		}
	}
}

func TestRefusedListsNameTheirFlag(t *testing.T) {
	database := emptyDatabase(t)
	for line, want := range map[string]string{
		"recall tea --kinds nosuch":          `--kinds: "nosuch" is none of insight, working, dialogue`,
		"recall tea --kinds insight,nosuch":  `--kinds: "nosuch" is none of insight`,
		"recall tea --project nosuch":        `--project: no project is called "nosuch"; leave it out to ask in all`,
		"remember tea --kind nosuch":         `--kind: "nosuch" must be one of decision, preference`,
		"forget --item nosuch":               `--item: "nosuch" is not of the form kind:id`,
		"config capture off --client nosuch": `--client: "nosuch" is none of claude-code, codex`,
		"token add ann --rights nosuch":      `--rights: "nosuch" is no right; there are read, write`,
		"tools --families nosuch":            `--families: unknown family "nosuch"; known are memory`,
		"tools --tools nosuch":               `--tools: unknown tool "nosuch"`,
		"tools --exclude-tools nosuch":       `--exclude-tools: unknown tool "nosuch"`,
		"serve --stdio --grant nosuch":       `--grant: grant "nosuch" is not of the form`,
		"install codex --families nosuch":    `--families: unknown family "nosuch"; known are memory`,
		"serve --stdio --file-root /nosuch":  `--file-root: `,
	} {
		_, errs, code := run(t, "", append(strings.Fields(line), "--db", database)...)
		if code != exitUsage || !strings.Contains(errs, want) || strings.Contains(errs, "[0]") {
			t.Errorf("%s: %d, %s", line, code, errs)
		}
	}
}

// An empty variable in a script must not open everything.
func TestEmptyListOfToolsIsRefused(t *testing.T) {
	for _, flag := range []string{"--tools=", "--families="} {
		if _, errs, code := run(t, "", "serve", "--stdio", flag); code != exitUsage || !strings.Contains(errs, "is empty") {
			t.Errorf("%s: %d, %q", flag, code, errs)
		}
	}
}

func TestBusyPortIsToldWithWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nobody is connected
	address := taken.Addr().String()
	_, port, _ := strings.Cut(address, ":")
	db := emptyDatabase(t)
	for command, want := range map[string]string{
		"view --port " + port:     "choose another port with --port, or leave it out",
		"serve --http " + address: "choose another address with --http",
	} {
		out, errs, code := run(t, "", append(strings.Fields(command), "--db", db, "--log-level", "error")...)
		if code != exitFailure || out != "" || strings.Count(errs, "\n") > 3 || !strings.Contains(errs, address) || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %q, %q", command, code, out, errs)
		}
	}
}
