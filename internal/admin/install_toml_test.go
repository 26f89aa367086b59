package admin

import (
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestATableGoesInAndOutOfTOMLToTheLetter(t *testing.T) {
	c := findTestClient(t, "codex")
	entry := ClientEntry{Name: "toolkit", Command: `C:\new\toolkit.exe`, Args: []string{"serve", "--stdio"}, Hooks: []ClientHook{{"Stop", `"C:\my tools\toolkit.exe" hook Stop`, 5}}}
	for name, before := range map[string]string{
		"nothing":                       "",
		"a comment alone":               "# mine",
		"tables":                        "model = \"m\"\n\n[projects.\"/srv/x\"]\ntrust_level = \"trusted\"\n",
		"tables that end without line":  "[a]\nb = 1",
		"hooks of others":               "[[hooks.Stop]] # mine\nhooks = [{ type = \"command\", command = \"toolkit hook Stop\" }]\n\n[hooks.state]\nx = 1\n",
		"another server":                "[mcp_servers.toolkit-old]\ncommand = \"x\"\n",
		"a text that looks like a head": "note = \"\"\"\n[mcp_servers.toolkitx]\n\"\"\"\n",
	} {
		with, err := c.addOrUpdateEntry([]byte(before), entry)
		if err != nil || !strings.HasPrefix(string(with), before) {
			t.Errorf("%s: %q, %v", name, with, err)
			continue
		}
		again, err := c.addOrUpdateEntry(with, entry)
		if err != nil || string(again) != string(with) {
			t.Errorf("%s: twice is %q, %v", name, again, err)
		}
		out, found, err := c.removeEntry(with, "toolkit")
		if err != nil || !found || string(out) != before {
			t.Errorf("%s: taken out is %q, %v", name, out, err)
		}
		grown := string(with) + "\n# the client's\n[projects.\"/srv/y\"]\ntrust_level = \"trusted\"\n"
		out, _, err = c.removeEntry([]byte(grown), "toolkit")
		if err != nil || !strings.HasSuffix(string(out), "\n# the client's\n[projects.\"/srv/y\"]\ntrust_level = \"trusted\"\n") || strings.Contains(string(out), "toolkit.exe") {
			t.Errorf("%s: what came behind it is %q, %v", name, out, err)
		}
	}
}

func TestAByteOrderMarkStaysAndATableInOneLineIsNamed(t *testing.T) {
	c := findTestClient(t, "codex")
	entry := ClientEntry{Name: "toolkit", Command: "/bin/toolkit", Args: []string{"serve"}}
	const marked = "\ufeffmodel = \"m\"\n"
	with, err := c.addOrUpdateEntry([]byte(marked), entry)
	if err != nil || !strings.HasPrefix(string(with), marked) {
		t.Errorf("%q, %v", with, err)
	}
	if out, found, err := c.removeEntry(with, "toolkit"); err != nil || !found || string(out) != marked {
		t.Errorf("taken out is %q, %v", out, err)
	}
	file := filepath.Join(t.TempDir(), "config.toml")
	testenv.Write(t, file, "mcp_servers = { other = { command = \"x\" } }\n")
	if _, err := PlanInstall(c, file, entry); err == nil || !strings.HasPrefix(err.Error(), file+": mcp_servers ") || !strings.Contains(err.Error(), "[mcp_servers.NAME]") {
		t.Errorf("a table in one line: %v", err)
	}
}

func TestTOMLOfAnEarlierVersionIsReplacedAndTakenOut(t *testing.T) {
	c := findTestClient(t, "codex")
	const others = "model = \"m\"\n\n[projects.\"/srv/x\"]\ntrust_level = \"trusted\"\n"
	earlier := others + "\n[mcp_servers.toolkit]\ncommand = \"/old/toolkit\"\nargs = [\"serve\",\"--stdio\"]\n" +
		"\n[[hooks.Stop]] # toolkit\nhooks = [{ type = \"command\", command = \"/old/toolkit hook Stop\", timeout = 5 }]\n" +
		"\n[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"mine\" }]\n"
	const mine = "\n[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"mine\" }]\n"
	for _, windows := range []bool{false, true} {
		form := func(text string) string {
			if windows {
				return strings.ReplaceAll(text, "\n", "\r\n")
			}
			return text
		}
		with, err := c.addOrUpdateEntry([]byte(form(earlier)), ClientEntry{Name: "toolkit", Command: "/new/toolkit", Args: []string{"serve"}, Hooks: []ClientHook{{"Stop", "/new/toolkit hook Stop", 5}}})
		want := form(others + mine + "\n# toolkit: begin\n[mcp_servers.toolkit]\ncommand = \"/new/toolkit\"\nargs = [\"serve\"]\n[[hooks.Stop]] # toolkit\nhooks = [{ type = \"command\", command = \"/new/toolkit hook Stop\", timeout = 5 }]\n# toolkit: end\n")
		if err != nil || string(with) != want {
			t.Errorf("%q, %v", with, err)
		}
		for _, text := range []string{earlier, want} {
			if out, found, err := c.removeEntry([]byte(form(strings.ReplaceAll(text, "\r", ""))), "toolkit"); err != nil || !found || string(out) != form(others+mine) {
				t.Errorf("taken out is %q, %v", out, err)
			}
		}
	}
}

func TestTablesThatCodexWritesIntoTheBlockStay(t *testing.T) {
	c := findTestClient(t, "codex")
	entry := ClientEntry{Name: "toolkit", Command: "/bin/toolkit", Args: []string{"serve"}, Hooks: []ClientHook{{"Stop", "/bin/toolkit hook Stop", 5}}}
	with, err := c.addOrUpdateEntry(nil, entry)
	if err != nil {
		t.Fatal(err)
	}
	const project = "\n[projects.\"/srv/x\"]\ntrust_level = \"trusted\"\n"
	grown := strings.Replace(string(with), "# toolkit: end", project+"# toolkit: end", 1)
	if out, found, err := c.removeEntry([]byte(grown), "toolkit"); err != nil || !found || string(out) != strings.TrimPrefix(project, "\n") && string(out) != project {
		t.Errorf("taken out is %q, %v", out, err)
	}
	entry.Command = "/new/toolkit"
	if again, err := c.addOrUpdateEntry([]byte(grown), entry); err != nil || !strings.Contains(string(again), project[1:]) || strings.Count(string(again), "# toolkit: begin") != 1 {
		t.Errorf("%q, %v", again, err)
	}
}

func TestAnEntryThatAPersonChangedIsLeftToThem(t *testing.T) {
	c := findTestClient(t, "codex")
	for name, text := range map[string]string{
		"settings of their own": "[mcp_servers.toolkit]\ncommand = \"old\"\nargs = []\nstartup_timeout_sec = 20\n",
		"a table below it":      "[mcp_servers.toolkit]\ncommand = \"old\"\nargs = []\n\n[mcp_servers.toolkit.env]\nKEY = \"v\"\n",
		"another form":          "[mcp_servers.toolkit] # mine\nargs = [\n  \"serve\",\n]\ncommand = \"old\"\n",
		"our lines in a text":   "note = \"\"\"\n[mcp_servers.toolkit]\ncommand = \"x\"\nargs = []\n\"\"\"\n",
	} {
		if got, err := c.addOrUpdateEntry([]byte(text), ClientEntry{Name: "toolkit", Command: "new"}); err == nil || !strings.Contains(err.Error(), "by hand") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if out, found, err := c.removeEntry([]byte("[mcp_servers.toolkit]\ncommand = \"old\"\nargs = []\nenabled = false\n"), "toolkit"); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("%q, %v, %v", out, found, err)
	}
}

func TestTOMLThatAProgramWouldHarmIsLeftAlone(t *testing.T) {
	c := findTestClient(t, "codex")
	for name, of := range map[string]struct{ text, says string }{
		"not valid":         {"a = [\n", "not valid TOML (line"},
		"a table in a line": {"mcp_servers = { toolkit = { command = \"x\" } }\n", "by hand"},
		"names with dots":   {"mcp_servers.toolkit.command = \"x\"\n", "by hand"},
	} {
		if got, err := c.addOrUpdateEntry([]byte(of.text), ClientEntry{Name: "toolkit", Command: "new"}); err == nil || !strings.Contains(err.Error(), of.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if out, _, err := c.removeEntry([]byte("mcp_servers.toolkit.command = \"x\"\n"), "toolkit"); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("%q, %v", out, err)
	}
}
