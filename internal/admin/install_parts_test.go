package admin

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/plugins"
)

// environmentAt are the surroundings of a home and a folder on Linux.
func environmentAt(home, folder string) ClientEnvironment {
	return ClientEnvironment{GOOS: "linux", Home: home, Folder: folder, Getenv: func(string) string { return "" }}
}

// clientFiles are all files below a folder with their text, without the copies that are
// kept beside a changed one, and its folders.
func clientFiles(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || strings.Contains(path, backupMark) || path == root {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.IsDir() {
			found[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// setUpClient plans and applies a client's installation, or its removal.
func setUpClient(t *testing.T, c Client, s ClientEnvironment, setup ClientSetup) {
	t.Helper()
	file, err := c.ConfigFile(s, setup.Project)
	if err != nil {
		t.Fatal(err)
	}
	edit, err := PlanRemoval(c, file, "toolkit")
	if !setup.Remove {
		hooks, fault := c.ListHooksToInstall(s, setup)
		if fault != nil {
			t.Fatal(fault)
		}
		edit, err = PlanInstall(c, file, ClientEntry{Name: "toolkit", Command: setup.Program, Args: []string{"serve", "--stdio"}, Hooks: hooks})
	}
	if err != nil {
		t.Fatal(err)
	}
	parts, err := c.PlanPluginAndRules(s, setup)
	if err != nil {
		t.Fatal(err)
	}
	edits := []*ClientEdit{edit}
	for _, p := range parts {
		edits = append(edits, p.Edits...)
	}
	for _, e := range edits {
		if _, err := e.Apply(noon); err != nil {
			t.Fatal(err)
		}
	}
}

// What people have in the files that are shared, in every shape that a text ends in.
var endings = map[string]func(string) string{
	"as editors write it":        func(s string) string { return s },
	"without a last line ending": func(s string) string { return strings.TrimRight(s, "\n") },
	"with the endings of Windows": func(s string) string {
		return strings.ReplaceAll(s, "\n", "\r\n")
	},
	"in one line": func(s string) string {
		if !strings.HasPrefix(s, "{") || strings.Contains(s, "//") {
			return s
		}
		return strings.NewReplacer("{\n  ", "{ ", "\n}", " }").Replace(s)
	},
	"with an empty line at the end": func(s string) string { return s + "\n" },
}

func TestWhatIsTakenOutLeavesNoTrace(t *testing.T) {
	shared := map[string]string{
		".claude.json": "{\n  \"numStartups\": 3\n}\n", ".claude/skills/mine/SKILL.md": "mine\n", ".gemini/settings.json": "{\n  // mine\n  \"theme\": \"x\"\n}\n",
		".codex/config.toml":                             "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\" # keep\n\n[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"mine\" }]\n",
		".codeium/windsurf/memories/global_rules.md":     "Write short.\n",
		".config/zed/AGENTS.md":                          "Be kind.\n",
		".config/Code/User/prompts/mine.instructions.md": "mine\n",
	}
	for _, c := range Clients() {
		for ending, shape := range endings {
			t.Run(c.Name+" "+ending, func(t *testing.T) {
				home := t.TempDir()
				for name, text := range shared {
					putClientFile(t, filepath.Join(home, name), shape(text))
				}
				before, s := clientFiles(t, home), environmentAt(home, "")
				setUpClient(t, c, s, ClientSetup{Program: "/srv/my tools/toolkit"})
				installed := clientFiles(t, home)
				if cmp.Equal(before, installed) {
					t.Fatal("nothing was installed")
				}
				setUpClient(t, c, s, ClientSetup{Program: "/srv/my tools/toolkit"})
				if diff := cmp.Diff(installed, clientFiles(t, home)); diff != "" {
					t.Errorf("installing it again changes something: %s", diff)
				}
				setUpClient(t, c, s, ClientSetup{Remove: true})
				after := clientFiles(t, home)
				if _, ok := before[filepath.Dir(c.file(environmentAt("", "")))+"/"]; !ok {
					delete(after, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(c.file(environmentAt("", "")))), "/")+"/")
				}
				for folder := range after {
					if _, ok := before[folder]; !ok && strings.HasSuffix(folder, "/") && !strings.Contains(folder, "toolkit") {
						delete(after, folder) // a client's own folder, now empty
					}
				}
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("left behind: %s", diff)
				}
			})
		}
	}
}

func TestAFileOfOursThatWasChangedIsKeptWhenItGoesOrComesAgain(t *testing.T) {
	for name, then := range map[string]ClientSetup{"goes": {Remove: true}, "comes again": {Program: "/srv/toolkit"}} {
		t.Run(name, func(t *testing.T) { keepsChanged(t, then) })
	}
}

func keepsChanged(t *testing.T, then ClientSetup) {
	t.Helper()
	changed := 0
	for _, c := range Clients() {
		home := t.TempDir()
		s := environmentAt(home, "")
		setUpClient(t, c, s, ClientSetup{Program: "/srv/toolkit"})
		var mine []string
		for name, text := range clientFiles(t, home) {
			if strings.HasSuffix(name, "SKILL.md") || strings.HasSuffix(name, ".instructions.md") {
				putClientFile(t, filepath.Join(home, name), text+"My own advice.\n")
				mine = append(mine, name)
			}
		}
		changed += len(mine)
		setUpClient(t, c, s, then)
		after := clientFiles(t, home)
		for _, name := range mine {
			kept, err := os.ReadFile(filepath.Join(home, name+backupMark+noon.UTC().Format("20060102-150405")))
			if again, stays := after[name]; stays == then.Remove || strings.Contains(again, "My own advice.") || err != nil || !strings.HasSuffix(string(kept), "My own advice.\n") {
				t.Errorf("%s: of %s is kept %q, %v", c.Name, name, kept, err)
			}
		}
	}
	if changed == 0 {
		t.Error("no file was changed")
	}
}

func TestAnEmptyHomeHasNoFileOfOursAfterwards(t *testing.T) {
	for _, c := range Clients() {
		home := t.TempDir()
		setUpClient(t, c, environmentAt(home, ""), ClientSetup{Program: "/srv/toolkit"})
		setUpClient(t, c, environmentAt(home, ""), ClientSetup{Remove: true})
		for name := range clientFiles(t, home) {
			if !strings.HasSuffix(name, "/") || strings.Contains(name, "toolkit") {
				t.Errorf("%s: %s is left", c.Name, name)
			}
		}
	}
}

// One text for both: what install writes is what the repository offers, but for the
// program's path.
func TestTheInstalledFolderIsThatOfTheRepository(t *testing.T) {
	for c, of := range map[string]struct{ installed, repository string }{
		"claude-code": {".claude/skills/toolkit", "toolkit"},
		"gemini-cli":  {".gemini/extensions/toolkit", "gemini"},
		"codex":       {".codex/skills/toolkit", "toolkit/skills/toolkit"},
	} {
		home := t.TempDir()
		setUpClient(t, findTestClient(t, c), environmentAt(home, ""), ClientSetup{Program: "toolkit"})
		for name, text := range clientFiles(t, filepath.Join(home, of.installed)) {
			from := of.repository + "/" + name
			if c == "gemini-cli" && strings.HasPrefix(name, "skills/") {
				from = "toolkit/" + name // the skill is the same for both
			}
			if want, err := os.ReadFile(filepath.Join("..", "..", "plugins", filepath.FromSlash(from))); !strings.HasSuffix(name, "/") && (err != nil || string(want) != text) {
				t.Errorf("%s: %s is not %s of the repository (%v)", c, name, from, err)
			}
		}
	}
}

type hooksFile struct {
	Hooks map[string][]struct {
		Hooks []struct {
			Command string
			Args    []string
		}
	}
}

func TestHooksNameTheProgramByItsPathAndTheDatabase(t *testing.T) {
	setup := ClientSetup{Program: `/srv/it's "here"/toolkit`, Database: "/data/my own.db"}
	for name, want := range map[string][]string{
		".claude/skills/toolkit/hooks/hooks.json":     {setup.Program, "hook", "Stop", "--db", setup.Database},
		".gemini/extensions/toolkit/hooks/hooks.json": {`'/srv/it'\''s "here"/toolkit' hook AfterAgent --db '/data/my own.db'`},
	} {
		home := t.TempDir()
		setUpClient(t, findTestClient(t, map[bool]string{true: "claude-code", false: "gemini-cli"}[strings.HasPrefix(name, ".claude")]), environmentAt(home, ""), setup)
		text, err := os.ReadFile(filepath.Join(home, name))
		var f hooksFile
		if err != nil || json.Unmarshal(text, &f) != nil || len(f.Hooks) != map[bool]int{true: 6, false: 5}[len(want) > 1] { // Gemini CLI tells nobody after a compaction
			t.Fatalf("%s: %s, %v", name, text, err)
		}
		event := map[bool]string{true: "Stop", false: "AfterAgent"}[len(want) > 1]
		h := f.Hooks[event][0].Hooks[0]
		if diff := cmp.Diff(want, append([]string{h.Command}, h.Args...)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	home := t.TempDir()
	setUpClient(t, findTestClient(t, "codex"), environmentAt(home, ""), setup)
	text, _ := os.ReadFile(filepath.Join(home, ".codex/config.toml"))
	all, err := parseTOML(text)
	if err != nil {
		t.Fatal(err)
	}
	groups, _ := all["hooks"].(map[string]any)["Stop"].([]any)
	hook := groups[0].(map[string]any)["hooks"].([]any)[0].(map[string]any)
	if hook["command"] != `'/srv/it'\''s "here"/toolkit' hook Stop --db '/data/my own.db'` {
		t.Errorf("Codex runs %s", hook["command"])
	}
}

func TestHooksAreLeftOutWhereTheyAreNotWantedAndTakenOutWhereTheyWere(t *testing.T) {
	for _, name := range []string{"claude-code", "codex", "gemini-cli"} {
		c, home := findTestClient(t, name), t.TempDir()
		setUpClient(t, c, environmentAt(home, ""), ClientSetup{Program: "/srv/toolkit"})
		with := clientFiles(t, home)
		setUpClient(t, c, environmentAt(home, ""), ClientSetup{Program: "/srv/toolkit", NoHooks: true})
		without := clientFiles(t, home)
		other := t.TempDir()
		setUpClient(t, c, environmentAt(other, ""), ClientSetup{Program: "/srv/toolkit", NoHooks: true})
		if diff := cmp.Diff(clientFiles(t, other), without); diff != "" {
			t.Errorf("%s: taken out is not as left out: %s", name, diff)
		}
		for file, text := range without {
			if strings.Contains(file, "hooks") || strings.Contains(text, "toolkit hook") {
				t.Errorf("%s: %s has hooks", name, file)
			}
		}
		if len(with) < 3 || cmp.Equal(with, without) {
			t.Errorf("%s: no hooks were there: %v", name, with)
		}
	}
}

func TestAFolderOfSomebodyElseIsLeftAlone(t *testing.T) {
	for c, name := range map[string]string{
		"claude-code": ".claude/skills/toolkit/.claude-plugin/plugin.json", "gemini-cli": ".gemini/extensions/toolkit/gemini-extension.json", "codex": ".codex/skills/toolkit/SKILL.md",
	} {
		home := t.TempDir()
		putClientFile(t, filepath.Join(home, name), `{"name": "toolkit"}`)
		for _, setup := range []ClientSetup{{Program: "/srv/toolkit"}, {Remove: true}} {
			if _, err := findTestClient(t, c).PlanPluginAndRules(environmentAt(home, ""), setup); err == nil || !strings.Contains(err.Error(), "not of the toolkit's making") {
				t.Errorf("%s: %v", c, err)
			}
		}
	}
}

// With an entry and a plugin of its own a client would have two servers.
func TestAPluginThatTheClientGotItselfIsNotDoubled(t *testing.T) {
	for name, of := range map[string]struct {
		client, file, text string
		refused            bool
	}{
		"Claude Code's":                  {"claude-code", ".claude/settings.json", `{"enabledPlugins": {"toolkit@toolkit": true}}`, true},
		"Claude Code's, switched off":    {"claude-code", ".claude/settings.json", `{"enabledPlugins": {"toolkit@toolkit": false}}`, false},
		"that of install":                {"claude-code", ".claude/settings.json", `{"enabledPlugins": {"toolkit@skills-dir": true}}`, false},
		"another one":                    {"claude-code", ".claude/settings.json", `{"enabledPlugins": {"other@toolkit": true}}`, false},
		"settings that cannot be read":   {"claude-code", ".claude/settings.json", `{`, false},
		"Codex'":                         {"codex", ".codex/config.toml", "[plugins.\"toolkit@mine\"]\nenabled = true\n", true},
		"Codex', switched off":           {"codex", ".codex/config.toml", "[plugins.\"toolkit@mine\"]\nenabled = false\n", false},
		"Codex' configuration, unread":   {"codex", ".codex/config.toml", "[plugins", false},
		"a client that has no such list": {"gemini-cli", ".gemini/settings.json", `{"enabledPlugins": {"toolkit@toolkit": true}}`, false},
	} {
		home := t.TempDir()
		putClientFile(t, filepath.Join(home, of.file), of.text)
		if _, err := findTestClient(t, of.client).PlanPluginAndRules(environmentAt(home, ""), ClientSetup{Program: "/srv/toolkit"}); (err != nil) != of.refused || of.refused && !strings.Contains(err.Error(), "take that out first: "+strings.Split(of.client, "-")[0]+" plugin") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := findTestClient(t, of.client).PlanPluginAndRules(environmentAt(home, ""), ClientSetup{Remove: true}); err != nil {
			t.Errorf("%s: what install made cannot be taken out: %v", name, err)
		}
	}
}

// Of the files that Zed knows it reads the first alone: another one would silence
// what the project has.
func TestRulesOfAProjectGoWhereTheClientReadsThem(t *testing.T) {
	for _, of := range []struct{ client, there, want string }{
		{"cursor", "", ".cursor/rules/toolkit.mdc"},
		{"vscode", "", ".github/instructions/toolkit.instructions.md"},
		{"zed", "", ".rules"},
		{"zed", "AGENTS.md", "AGENTS.md"},
		{"zed", "CLAUDE.md", "CLAUDE.md"},
	} {
		folder := t.TempDir()
		if of.there != "" {
			putClientFile(t, filepath.Join(folder, of.there), "Ours.\n")
		}
		before := clientFiles(t, folder)
		setUpClient(t, findTestClient(t, of.client), environmentAt(t.TempDir(), folder), ClientSetup{Program: "toolkit", Project: true})
		if text := clientFiles(t, folder)[of.want]; !strings.Contains(text, "call `recall`") || of.there != "" && !strings.HasPrefix(text, "Ours.\n\n"+blockStart) {
			t.Errorf("%s beside %q: %s says %q", of.client, of.there, of.want, text)
		}
		setUpClient(t, findTestClient(t, of.client), environmentAt(t.TempDir(), folder), ClientSetup{Project: true, Remove: true})
		after := clientFiles(t, folder)
		for name := range after {
			if strings.HasSuffix(name, "/") {
				delete(after, name)
			}
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s beside %q: left behind: %s", of.client, of.there, diff)
		}
	}
}

func TestABlockIsChangedInItsPlaceAndAHalfOneIsNot(t *testing.T) {
	old := "Mine.\n\n" + blockStart + "old\n" + blockEnd + "\nMore.\n"
	for name, of := range map[string]struct {
		before, want string
		remove       bool
		fails        bool
	}{
		"an older text is replaced where it stands":      {before: old, want: strings.Replace(old, "old", "new", 1)},
		"what stands around it stays":                    {before: old, want: "Mine.\n\nMore.\n", remove: true},
		"nothing is taken out where nothing is":          {before: "Mine.", want: "Mine.", remove: true},
		"a block without its end is not touched":         {before: blockStart + "old\n", fails: true},
		"a block without its end is not taken out":       {before: blockStart + "old\n", remove: true, fails: true},
		"an end before its start is not touched, either": {before: blockEnd + blockStart, fails: true},
	} {
		got, err := replaceOrRemoveBlock([]byte(of.before), []byte("new\n"), of.remove)
		if (err != nil) != of.fails || !of.fails && string(got) != of.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestEveryPluginFileIsJSONOrHasItsHead(t *testing.T) {
	err := fs.WalkDir(plugins.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := plugins.Files.ReadFile(path)
		switch filepath.Ext(path) {
		case ".json":
			if !json.Valid(text) {
				t.Errorf("%s is no JSON", path)
			}
		case ".md":
			if !strings.HasPrefix(path, "rules/") && !strings.HasPrefix(string(text), "---\n") {
				t.Errorf("%s has no head", path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
