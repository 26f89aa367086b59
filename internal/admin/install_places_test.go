package admin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"toolkit/internal/testenv"

	"github.com/google/go-cmp/cmp"
)

// putClientFile writes a file of a home or project.
func putClientFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	testenv.Write(t, file, text)
}

func TestEntriesOfEveryScopeAreSeen(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	s := ClientEnvironment{GOOS: "linux", Home: home, Folder: folder, Getenv: func(string) string { return "" }}
	entry := `{"toolkit": {"command": "toolkit"}}`
	claude := filepath.Join(home, ".claude.json")
	putClientFile(t, claude, `{"mcpServers": `+entry+`, "projects": {"/b": {"mcpServers": `+entry+`}, "/a": {"mcpServers": `+entry+`}, "/c": {"mcpServers": {}}, "/d": 1}}`)
	putClientFile(t, filepath.Join(folder, ".mcp.json"), `{"mcpServers": `+entry+`}`)
	putClientFile(t, filepath.Join(home, ".config/Code/User/mcp.json"), `{"servers": `+entry+`}`)
	putClientFile(t, filepath.Join(folder, ".vscode/mcp.json"), `{"servers": `+entry+`} // ours`)
	putClientFile(t, filepath.Join(folder, ".cursor/mcp.json"), `{"mcpServers": `+entry+`}`)
	for name, want := range map[string][]ClientPlace{
		"claude-code": {{Scope: "user", File: claude}, {Scope: "local", File: claude, For: "/a"}, {Scope: "local", File: claude, For: "/b"}, {Scope: "project", File: filepath.Join(folder, ".mcp.json")}},
		"vscode":      {{Scope: "user", File: filepath.Join(home, ".config/Code/User/mcp.json")}, {Scope: "project", File: filepath.Join(folder, ".vscode/mcp.json")}},
		"cursor":      {{Scope: "project", File: filepath.Join(folder, ".cursor/mcp.json")}},
		"windsurf":    nil,
	} {
		got, err := findTestClient(t, name).FindEntries(s, "toolkit")
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAReadOnlyConfigurationIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	putClientFile(t, file, "{}")
	if err := os.Chmod(file, 0o400); err != nil {
		t.Fatal(err)
	}
	edit, err := PlanInstall(findTestClient(t, "cursor"), file, ClientEntry{Name: "toolkit", Command: "toolkit"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := edit.Apply(noon); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v", err)
	}
	text, _ := os.ReadFile(file)
	if files, _ := os.ReadDir(filepath.Dir(file)); string(text) != "{}" || len(files) != 1 && runtime.GOOS != "windows" {
		t.Errorf("the file is %s beside %d others", text, len(files)-1)
	}
}

func TestTheLastEntryTakesTheObjectOfServersWithIt(t *testing.T) {
	c := findTestClient(t, "cursor")
	for before, want := range map[string]string{
		`{"mcpServers": {"toolkit": {}}}`:                        `{}`,
		`{"a": 1, "mcpServers": {"toolkit": {}}}`:                `{"a": 1}`,
		`{"mcpServers": {"toolkit": {}}, "a": 1}`:                `{ "a": 1}`,
		`{"mcpServers": {"toolkit": {}, "b": {}}}`:               `{"mcpServers": { "b": {}}}`,
		"{\"mcpServers\": {\"toolkit\": {}\n// more to come\n}}": "{\"mcpServers\": {\n// more to come\n}}",
	} {
		after, found, err := c.removeEntry([]byte(before), "toolkit")
		if err != nil || !found || string(after) != want {
			t.Errorf("%s becomes %s, not %s (%v)", before, after, want, err)
		}
	}
}
