package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/testenv"
	"toolkit/plugins"
)

// What a plugin calls its version is what the program does: a client installs anew only
// what has another one.
func TestThePluginsHaveTheVersionOfTheProgram(t *testing.T) {
	for _, name := range []string{"toolkit/.claude-plugin/plugin.json", "toolkit/.codex-plugin/plugin.json", "gemini/gemini-extension.json"} {
		text, err := plugins.Files.ReadFile(name)
		var manifest struct{ Name, Version string }
		if err != nil || json.Unmarshal(text, &manifest) != nil || manifest.Name != "toolkit" || manifest.Version != app.Version {
			t.Errorf("%s says %+v (%v); the program is %s", name, manifest, err, app.Version)
		}
	}
}

// The texts for models name tools that there are.
func TestThePluginsNameToolsThatThereAre(t *testing.T) {
	registry, err := app.BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"source_ids": true, "nothing_fits": true, "query": true, "toolkit": true, "toolkit today": true, "<toolkit-recall>": true, "<private>": true, "</private>": true}
	for _, d := range registry.All() {
		known[d.Name] = true
	}
	named := 0
	err = fs.WalkDir(plugins.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := plugins.Files.ReadFile(path)
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(text), -1) {
			if named++; !known[m[1]] {
				t.Errorf("%s names %s", path, m[1])
			}
		}
		return err
	})
	if err != nil || named < 30 {
		t.Errorf("%d names, %v", named, err)
	}
}

// A model that is told of a tool which the server lacks calls it in vain.
func TestTheRulesNameOnlyToolsThatAreServed(t *testing.T) {
	for args, want := range map[string][]string{
		"--families charts,memory":        {"recall", "remember", "create_structural_tension_chart", "mark_action_complete", "update_current_reality", "list_active_charts", "forget"},
		"--families documents":            {"upload_file", "submit_payload"},
		"--families payloads":             {"upload_file", "submit_payload"},
		"--tools recall":                  {"recall"},
		"--toolset core --families graph": {"find_tools", "call_read_tool", "call_tool", "search_nodes", "add_observations", "create_entities"},
	} {
		o := &settings{streams: Streams{Getenv: func(string) string { return "" }}}
		offers, err := o.toolsOfferedBy(append([]string{"serve", "--stdio"}, strings.Fields(args)...))
		if err != nil {
			t.Fatal(err)
		}
		c, err := admin.FindClient("cursor")
		if err != nil {
			t.Fatal(err)
		}
		parts, err := c.PlanPluginAndRules(admin.ClientEnvironment{Folder: t.TempDir(), Home: t.TempDir(), Getenv: o.streams.Getenv}, admin.ClientSetup{Project: true, Offers: offers})
		if err != nil || len(parts) == 0 {
			t.Fatalf("%d parts, %v", len(parts), err)
		}
		var named []string
		text := strings.Join(parts[0].Edits[0].Diff(), "\n")
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(text, -1) {
			named = append(named, m[1])
		}
		if diff := cmp.Diff(want, named); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

// systemOf is the system of the overview to which a family belongs, "" for the doors to all others.
func systemOf(family string) string {
	switch family {
	case "recall", "forget":
		return "memory"
	case "payloads", "integrations":
		return "documents"
	case "toolset":
		return ""
	}
	return family
}

// The numbers of the overview are those of the registry.
func TestTheReadmeCountsTheToolsThatThereAre(t *testing.T) {
	text := testenv.Read(t, filepath.Join("..", "..", "README.md"))
	told := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| \[(\w+)\]\(docs/\w+\.md\) \| (\d+) \|`).FindAllStringSubmatch(string(text), -1) {
		told[row[1]] = row[2]
	}
	counts, sums, want := map[string]int{}, map[string]int{}, map[string]string{}
	registry, err := app.BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range registry.All() {
		counts[d.Family]++
		if system := systemOf(d.Family); system != "" {
			sums[system]++
			want[system] = strconv.Itoa(sums[system])
		}
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the table of systems: %s", diff)
	}
	examples := regexp.MustCompile(`--families ([\w,]+) .*sees (\d+) tools`).FindAllStringSubmatch(string(text), -1)
	if len(examples) == 0 {
		t.Error("no example says how many tools a choice of families has")
	}
	for _, e := range examples {
		sum := 0
		for _, name := range strings.Split(e[1], ",") {
			sum += counts[name]
		}
		if strconv.Itoa(sum) != e[2] {
			t.Errorf("%q: it is %d", e[0], sum)
		}
	}
}

func TestAClientGetsTheToolsetThatItCarriesAndThePersonIsTold(t *testing.T) {
	const core = "--toolset core"
	for name, tc := range map[string]struct {
		pass  []string
		flags installFlags
		want  string // flags of serve
		says  string
	}{
		"codex":          {want: core, says: "Codex sends every tool's definition"},
		"gemini-cli":     {want: core, says: "Gemini CLI sends every tool's definition"},
		"cursor":         {want: core, says: "Cursor sends every tool's definition"},
		"windsurf":       {want: core, says: "Windsurf sends every tool's definition"},
		"zed":            {want: core, says: "Zed sends every tool's definition"},
		"claude-code":    {says: "Claude Code looks tools up"},
		"claude-desktop": {says: "Claude Desktop looks tools up"},
		"vscode":         {says: "Visual Studio Code looks tools up"},
		"codex all":      {flags: installFlags{toolset: "all"}, want: "--toolset all"},
		"vscode core":    {flags: installFlags{toolset: "core"}, want: core},
		"zed families":   {flags: installFlags{families: []string{"graph", "memory"}}, want: "--families graph,memory"},
		"zed every":      {flags: installFlags{families: []string{"all"}}},
		"zed both":       {flags: installFlags{families: []string{"graph"}, toolset: "core"}, want: "--families graph " + core},
		"zed passed":     {pass: []string{"--toolset=all"}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _, _ := strings.Cut(name, " ")
			c, err := admin.FindClient(client)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			o := &settings{streams: Streams{Out: &out}}
			flags, err := o.chooseToolFlags(c, tc.pass, tc.flags)
			if err != nil || strings.Join(flags, " ") != tc.want || !strings.HasPrefix(out.String(), tc.says) || (tc.says == "") != (out.Len() == 0) {
				t.Errorf("it gets %v, %v after %q", flags, err, out.String())
			}
		})
	}
}
