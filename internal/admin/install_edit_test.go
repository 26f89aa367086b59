package admin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestEveryClientHasItsFileOnEverySystem(t *testing.T) {
	env := map[string]string{"APPDATA": `C:\Users\a\AppData\Roaming`}
	places := map[string]map[string]string{
		"linux": {
			"claude-code": ".claude.json", "claude-desktop": ".config/Claude/claude_desktop_config.json", "cursor": ".cursor/mcp.json",
			"vscode": ".config/Code/User/mcp.json", "windsurf": ".codeium/windsurf/mcp_config.json", "zed": ".config/zed/settings.json",
			"codex": ".codex/config.toml", "gemini-cli": ".gemini/settings.json",
		},
		"darwin": {
			"claude-code": ".claude.json", "claude-desktop": "Library/Application Support/Claude/claude_desktop_config.json", "cursor": ".cursor/mcp.json",
			"vscode": "Library/Application Support/Code/User/mcp.json", "windsurf": ".codeium/windsurf/mcp_config.json", "zed": ".config/zed/settings.json",
			"codex": ".codex/config.toml", "gemini-cli": ".gemini/settings.json",
		},
	}
	for system, files := range places {
		s := ClientEnvironment{GOOS: system, Home: "/home/a", Getenv: func(string) string { return "" }}
		for _, c := range Clients() {
			file, err := c.ConfigFile(s, false)
			if err != nil || filepath.ToSlash(file) != "/home/a/"+files[c.Name] {
				t.Errorf("%s on %s: %s, %v", c.Name, system, file, err)
			}
		}
	}
	windows := ClientEnvironment{GOOS: "windows", Home: `C:\Users\a`, Getenv: func(name string) string { return env[name] }}
	for _, c := range Clients() {
		file, err := c.ConfigFile(windows, false)
		if err != nil || !strings.HasPrefix(file, `C:\Users\a`) {
			t.Errorf("%s on windows: %s, %v", c.Name, file, err)
		}
	}
	moved := ClientEnvironment{GOOS: "linux", Home: "/home/a", Getenv: func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": "/cfg", "CLAUDE_CONFIG_DIR": "/claude", "CODEX_HOME": "/codex"}[name]
	}}
	for name, want := range map[string]string{"vscode": "/cfg/Code/User/mcp.json", "claude-code": "/claude/.claude.json", "codex": "/codex/config.toml"} {
		if file, _ := findTestClient(t, name).ConfigFile(moved, false); filepath.ToSlash(file) != want {
			t.Errorf("%s with its folder moved: %s, want %s", name, file, want)
		}
	}
}

func TestAProjectHasAConfigurationOnlyWhereTheClientKnowsOne(t *testing.T) {
	s := ClientEnvironment{GOOS: "linux", Home: "/home/a", Folder: "/code", Getenv: func(string) string { return "" }}
	if file, err := findTestClient(t, "vscode").ConfigFile(s, true); err != nil || filepath.ToSlash(file) != "/code/.vscode/mcp.json" {
		t.Errorf("%s, %v", file, err)
	}
	if _, err := findTestClient(t, "windsurf").ConfigFile(s, true); err == nil {
		t.Error("Windsurf has no configuration of a project, but one was found")
	}
}

func TestApplyingKeepsTheFileAsItWasBesideIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "mcp.json")
	first, err := PlanInstall(findTestClient(t, "cursor"), file, testEntry)
	if err != nil {
		t.Fatal(err)
	}
	if backup, err := first.Apply(noon); err != nil || backup != "" {
		t.Fatalf("a new file: backup %q, %v", backup, err)
	}
	written := testenv.Read(t, file)
	other := testEntry
	other.Command = "/elsewhere/toolkit"
	for n := range 2 { // two changes within a second keep two backups
		edit, err := PlanInstall(findTestClient(t, "cursor"), file, []ClientEntry{other, testEntry}[n])
		if err != nil {
			t.Fatal(err)
		}
		backup, err := edit.Apply(noon)
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(backup); err != nil || n == 0 && string(kept) != string(written) {
			t.Errorf("backup %s holds %q, %v", backup, kept, err)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the new file: %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".toolkit-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	if left, _ := filepath.Glob(file + ".backup-*"); len(left) != 2 {
		t.Errorf("%d backups, want 2", len(left))
	}
}

func TestAFileThatInstallMadeGoesWithItsEntryAndOthersStay(t *testing.T) {
	other := ClientEntry{Name: "toolkit", Command: "/elsewhere/toolkit", Args: []string{"serve", "--stdio", "--read-only"}}
	for name, tc := range map[string]struct {
		before  string // empty: there is no file
		entries []ClientEntry
		comment string // written in front of the file before it is taken out
		stays   bool
	}{
		"no file":                    {entries: []ClientEntry{testEntry}},
		"no file, installed twice":   {entries: []ClientEntry{testEntry, other}},
		"a comment since then":       {entries: []ClientEntry{testEntry}, comment: "// mine\n", stays: true},
		"an object with nothing yet": {before: "{}\n", entries: []ClientEntry{testEntry}, stays: true},
		"an empty file":              {before: "\n", entries: []ClientEntry{testEntry, other}, stays: true},
		"a setting":                  {before: "{\n  \"theme\": 1\n}\n", entries: []ClientEntry{testEntry}, stays: true},
		"another server":             {entries: []ClientEntry{testEntry, {Name: "more", Command: "/opt/more"}}, stays: true},
	} {
		for _, c := range Clients() {
			file := filepath.Join(t.TempDir(), "mcp.json")
			said := func(text string) string { return text }
			if c.toml {
				said = strings.NewReplacer("// mine", "# mine", "{}", "# nothing yet", "{\n  \"theme\": 1\n}", "theme = 1").Replace
			}
			writeClientFile(t, file, said(tc.before))
			for _, e := range tc.entries {
				appliedEdit(t)(PlanInstall(c, file, e))
			}
			written := testenv.Read(t, file)
			writeClientFile(t, file, said(tc.comment)+string(written))
			siblings, _ := filepath.Glob(file + ".*")
			backup := appliedEdit(t)(PlanRemoval(c, file, "toolkit"))
			_, err := os.Stat(file)
			if stays := err == nil; stays != tc.stays || stays != (backup != "") {
				t.Errorf("%s, %s: the file stays: %v, copy %q", name, c.Name, stays, backup)
			}
			if now, _ := filepath.Glob(file + ".*"); !tc.stays && len(now) != len(siblings) {
				t.Errorf("%s, %s: beside it stand %v", name, c.Name, now)
			}
		}
	}
}

// writeClientFile makes a file; of nothing none.
func writeClientFile(t *testing.T, file, text string) {
	t.Helper()
	if text == "" {
		return
	}
	testenv.Write(t, file, text)
}

// appliedEdit makes a planned change and returns the copy of the file as it was.
func appliedEdit(t *testing.T) func(*ClientEdit, error) string {
	return func(edit *ClientEdit, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		backup, err := edit.Apply(noon)
		if err != nil {
			t.Fatal(err)
		}
		return backup
	}
}

func TestInstallingTwiceChangesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	for n := range 2 {
		edit, err := PlanInstall(findTestClient(t, "vscode"), file, testEntry)
		if err != nil {
			t.Fatal(err)
		}
		if edit.Changes != (n == 0) || (len(edit.Diff()) > 0) != (n == 0) {
			t.Errorf("run %d: changes %v, diff %q", n+1, edit.Changes, edit.Diff())
		}
		if _, err := edit.Apply(noon); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheDiffShowsNoLineOfOtherServers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	text := "{\n  \"mcpServers\": {\n    \"a\": {\"env\": {\"KEY\": \"hush\"}},\n    \"b\": {\n      \"env\": {\"KEY\": \"hush\"}\n    }\n  }\n}\n"
	testenv.Write(t, file, text)
	edit, err := PlanInstall(findTestClient(t, "cursor"), file, testEntry)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(edit.Diff(), "\n")
	if !strings.Contains(shown, testEntry.Command) || strings.Contains(shown, "hush") {
		t.Errorf("the diff is\n%s", shown)
	}
}

func TestAFileThatChangesBetweenPlanAndApplyIsNotOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	testenv.Write(t, file, "{}")
	edit, err := PlanInstall(findTestClient(t, "cursor"), file, testEntry)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Write(t, file, `{"x":1}`)
	if _, err := edit.Apply(noon); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != `{"x":1}` {
		t.Errorf("the file is now %s", text)
	}
}

func TestALinkedConfigurationStaysALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.json"), filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(real, []byte("{}"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	edit, err := PlanInstall(findTestClient(t, "cursor"), link, testEntry)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := edit.Apply(noon); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if text, _ := os.ReadFile(real); !strings.Contains(string(text), testEntry.Command) {
		t.Errorf("the file behind the link holds %s", text)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := PlanInstall(findTestClient(t, "cursor"), link, testEntry); err == nil {
		t.Error("a link that leads nowhere was accepted")
	}
}

func TestNoCopyOfSettingsStaysOnceTheToolkitIsTakenOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	testenv.Write(t, file, `{"mcpServers":{"other":{"command":"x"}}}`)
	mine := file + ".backup-mine"
	testenv.Write(t, mine, "a person's own copy")
	c, err := FindClient("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range []func() (*ClientEdit, error){
		func() (*ClientEdit, error) {
			return PlanInstall(c, file, ClientEntry{Name: "toolkit", Command: "/bin/toolkit", Args: []string{"serve", "--stdio", "--db", "/m.db"}})
		},
		func() (*ClientEdit, error) { return PlanRemoval(c, file, "toolkit") },
	} {
		edit, err := plan()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := edit.Apply(time.Now()); err != nil {
			t.Fatal(err)
		}
		if edit.Args != nil {
			if !slices.Equal(edit.Args, []string{"serve", "--stdio", "--db", "/m.db"}) {
				t.Errorf("the entry has the arguments %q", edit.Args)
			}
			if err := edit.RemoveBackups(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if left, _ := filepath.Glob(file + ".backup-*"); !slices.Equal(left, []string{mine}) {
		t.Errorf("what stays is %q", left)
	}
}
