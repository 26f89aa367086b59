package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/app"
	"toolkit/internal/care/install"
	"toolkit/internal/testfile"
	"toolkit/plugins"
	"toolkit/tools"
)

func TestAClientGetsTheFamiliesItCanCarry(t *testing.T) {
	costs := []tools.FamilyCost{{Name: "a", Tools: 14}, {Name: "b", Tools: 30}, {Name: "c", Tools: 9}, {Name: "d", Tools: 17}, {Name: "recall", Tools: 1}, {Name: "forget", Tools: 1}}
	all := []string{"a", "b", "c", "d", "recall", "forget"}
	for limit, want := range map[int][]string{0: all, 40: {"a", "c", "recall", "forget"}, 100: all, 12: {"recall", "forget"}, 15: {"c", "recall", "forget"}, 1: {"recall", "forget"}} {
		if got := carried(costs, limit); !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", limit, got, want)
		}
	}
}

func familyCosts(t *testing.T) []tools.FamilyCost {
	t.Helper()
	registry, err := app.Registry()
	if err != nil {
		t.Fatal(err)
	}
	costs, err := tools.FamilyCosts(registry)
	if err != nil {
		t.Fatal(err)
	}
	return costs
}

func TestEveryClientCanForgetAndHasRoomForOtherServers(t *testing.T) {
	for _, c := range install.Clients() {
		chosen, count := carried(familyCosts(t), c.Carries), 0
		for _, f := range familyCosts(t) {
			if slices.Contains(chosen, f.Name) {
				count += f.Tools
			}
		}
		if !slices.Contains(chosen, "forget") || !slices.Contains(chosen, "recall") || !slices.Contains(chosen, "charts") || c.Carries > 0 && count > c.Carries*3/4 {
			t.Errorf("%s carries %d and gets %d: %v", c.Name, c.Carries, count, chosen)
		}
	}
}

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
	registry, err := app.Registry()
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

// The numbers of the overview are those of the registry.
func TestTheReadmeCountsTheToolsThatThereAre(t *testing.T) {
	text := testfile.Read(t, filepath.Join("..", "..", "README.md"))
	told := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\w+) \| (\d+) \|`).FindAllStringSubmatch(string(text), -1) {
		told[row[1]] = row[2]
	}
	counts, want := map[string]int{}, map[string]string{}
	for _, f := range familyCosts(t) {
		counts[f.Name], want[f.Name] = f.Tools, strconv.Itoa(f.Tools)
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the table of families: %s", diff)
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

func TestAClientThatCarriesFewToolsIsToldItsFamilies(t *testing.T) {
	for name, want := range map[string]string{
		"cursor": "Cursor carries about 40 tools of all servers together, so it gets ", "claude-code": "",
	} {
		c, err := install.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := &settings{streams: Streams{Out: &out}}
		flag, err := o.chosenFamilies(c, nil, installFlags{})
		if err != nil || !strings.HasPrefix(out.String(), want) || (want == "") != (len(flag) == 0) || (want == "") != (out.Len() == 0) {
			t.Errorf("%s: %v, %v after %q", name, flag, err, out.String())
		}
		if want != "" && !strings.Contains(out.String(), strings.ReplaceAll(flag[1], ",", ", ")+".") {
			t.Errorf("%s: %v is not named in %q", name, flag, out.String())
		}
	}
	for families, want := range map[string]string{"all": "", "graph,memory": "--families graph,memory"} {
		if got := strings.Join(familiesFlag(strings.Split(families, ",")), " "); got != want {
			t.Errorf("%s becomes %q", families, got)
		}
	}
}
