package admin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts as people, editors and clients leave them, by the ending of a file's name.
var originals = map[string][]string{
	".json": {
		"", "\n", "{}", "{}\n", "{ }", "{\n}\n", "{\n\n}\n", "{\"a\":1}", "{\"a\":1}\n\n", "{ \"a\": 1 }\n", "{\n\t\"a\": 1\n}", "{\r\n  \"a\": 1\r\n}\r\n", "\ufeff{\n  \"a\": 1\n}\n",
		"{\n  // mine\n  \"a\": 1, // end\n}\n// after", "{\n  \"a\": 1\n  // end\n}\n", "{\n  \"KEY\": {}\n}\n", "{\n  \"KEY\": {\n  }\n}\n", "{\n  \"KEY\": {},\n  \"inputs\": []\n}\n",
		"{\"KEY\":{\"x\":{\"command\":\"y\"}}}", "{\n  \"KEY\": {\n    // mine\n    \"x\": {\"command\": \"y\"} // end\n  }\n}",
	},
	".toml": {
		"", "\n", "\r\n", "model = \"m\"", "model = \"m\"\n", "model = \"m\"\n\n\n", "model = \"m\"\r\n", "a = 1\r\nb = 2", "a = 1\r\nb = 2\n", "a = 1\nb = 2\r\n", "a = 1\n\t", "\ufeffmodel = \"m\"\n",
		"# mine", "a = 1\n# end", "a = 1\n# end\n", "a = 1\r\n# end\r\n\r\n", "[mcp_servers.other]\ncommand = \"x\"", "[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"x\" }]\n",
	},
	".md": {"", "\n", "Be brief.", "Be brief.\n", "Be brief.\n\n\n", "Be brief.\r\n", "Be\r\nbrief.", "Be\r\nbrief.\n", "Be brief.\n  ", "\ufeffBe brief.\n"},
}

func TestAFileIsToTheByteAsItWasOnceTheToolkitIsTakenOut(t *testing.T) {
	for _, c := range Clients() {
		files := []string{c.file(environmentAt("", ""))}
		if c.rules.shared && c.rules.user != nil {
			files = append(files, c.rules.user(environmentAt("", "")))
		}
		for _, file := range files {
			for i, original := range originals[filepath.Ext(file)] {
				t.Run(fmt.Sprint(c.Name, " ", filepath.Base(file), " ", i), func(t *testing.T) {
					home := t.TempDir()
					s, place := environmentAt(home, ""), filepath.Join(home, file)
					original = strings.ReplaceAll(original, "KEY", c.key)
					putClientFile(t, place, original)
					setUpClient(t, c, s, ClientSetup{Program: "/srv/toolkit"})
					setUpClient(t, c, s, ClientSetup{Program: "/srv/new/toolkit"})
					setUpClient(t, c, s, ClientSetup{Remove: true})
					if left, err := os.ReadFile(place); err != nil || string(left) != original {
						t.Errorf("%q is %q, %v", original, left, err)
					}
				})
			}
		}
	}
}

func TestServersOfTwoNamesGoInAnyOrder(t *testing.T) {
	for _, c := range Clients() {
		for _, original := range originals[filepath.Ext(c.file(environmentAt("", "")))] {
			original = strings.ReplaceAll(original, "KEY", c.key)
			if strings.Contains(strings.Join(strings.Fields(original), ""), "{}") || strings.TrimSpace(original) == "" { // of which only a copy tells how it was written
				continue
			}
			for _, order := range [][]string{{"one", "two"}, {"two", "one"}} {
				text := []byte(original)
				for _, name := range []string{"one", "two"} {
					var err error
					if text, err = c.addOrUpdateEntry(text, ClientEntry{Name: name, Command: "toolkit", Args: []string{"serve"}}); err != nil {
						t.Fatal(err)
					}
				}
				for _, name := range order {
					var err error
					if text, _, err = c.removeEntry(text, name); err != nil {
						t.Fatal(err)
					}
				}
				if string(text) != original {
					t.Errorf("%s: %q is %q", c.Name, original, text)
				}
			}
		}
	}
}
