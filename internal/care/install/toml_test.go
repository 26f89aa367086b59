package install

import (
	"strings"
	"testing"
)

func TestATableGoesInAndOutOfTOMLToTheLetter(t *testing.T) {
	c := client(t, "codex")
	entry := Entry{Name: "toolkit", Command: `C:\new\toolkit.exe`, Args: []string{"serve", "--stdio"}, Hooks: []Hook{{"Stop", `"C:\my tools\toolkit.exe" hook Stop`, 5}}}
	for name, before := range map[string]string{
		"nothing":                       "",
		"a comment alone":               "# mine",
		"tables":                        "model = \"m\"\n\n[projects.\"/srv/x\"]\ntrust_level = \"trusted\"\n",
		"tables that end without line":  "[a]\nb = 1",
		"hooks of others":               "[[hooks.Stop]] # mine\nhooks = [{ type = \"command\", command = \"toolkit hook Stop\" }]\n\n[hooks.state]\nx = 1\n",
		"another server":                "[mcp_servers.toolkit-old]\ncommand = \"x\"\n",
		"a text that looks like a head": "note = \"\"\"\n[mcp_servers.toolkitx]\n\"\"\"\n",
	} {
		with, err := c.with([]byte(before), entry)
		if err != nil || !strings.HasPrefix(string(with), before) {
			t.Errorf("%s: %q, %v", name, with, err)
			continue
		}
		again, err := c.with(with, entry)
		if err != nil || string(again) != string(with) {
			t.Errorf("%s: twice is %q, %v", name, again, err)
		}
		out, found, err := c.without(with, "toolkit")
		if err != nil || !found || string(out) != before {
			t.Errorf("%s: taken out is %q, %v", name, out, err)
		}
		grown := string(with) + "\n# the client's\n[projects.\"/srv/y\"]\ntrust_level = \"trusted\"\n"
		out, _, err = c.without([]byte(grown), "toolkit")
		if err != nil || !strings.HasSuffix(string(out), "\n# the client's\n[projects.\"/srv/y\"]\ntrust_level = \"trusted\"\n") || strings.Contains(string(out), "toolkit.exe") {
			t.Errorf("%s: what came behind it is %q, %v", name, out, err)
		}
	}
}

func TestAnEntryThatIsThereKeepsWhatThePersonAdded(t *testing.T) {
	c := client(t, "codex")
	before := "[mcp_servers.toolkit] # mine\n# a note\ncommand = \"old\"\nargs = [\n  \"serve\", # over\n  \"--stdio\",\n]\nstartup_timeout_sec = 20\n\n[mcp_servers.toolkit.env]\nKEY = \"v\"\n"
	with, err := c.with([]byte(before), Entry{Name: "toolkit", Command: "new", Args: []string{"serve"}})
	want := "[mcp_servers.toolkit] # mine\ncommand = \"new\"\nargs = [\"serve\"]\n# a note\nstartup_timeout_sec = 20\n\n[mcp_servers.toolkit.env]\nKEY = \"v\"\n"
	if err != nil || string(with) != want {
		t.Errorf("%s, %v", with, err)
	}
	if out, found, err := c.without(with, "toolkit"); err != nil || !found || len(out) != 0 {
		t.Errorf("%q, %v", out, err)
	}
}

func TestTOMLThatAProgramWouldHarmIsLeftAlone(t *testing.T) {
	c := client(t, "codex")
	for name, of := range map[string]struct{ text, says string }{
		"not valid":            {"a = [\n", "not valid TOML (line"},
		"a table in a line":    {"mcp_servers = { toolkit = { command = \"x\" } }\n", "by hand"},
		"names with dots":      {"mcp_servers.toolkit.command = \"x\"\n", "by hand"},
		"a head within a text": {"note = \"\"\"\n[mcp_servers.toolkit]\ncommand = 1\n\"\"\"\n", "by hand"},
	} {
		if got, err := c.with([]byte(of.text), Entry{Name: "toolkit", Command: "new"}); err == nil || !strings.Contains(err.Error(), of.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if out, _, err := c.without([]byte("mcp_servers.toolkit.command = \"x\"\n"), "toolkit"); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("%q, %v", out, err)
	}
}
