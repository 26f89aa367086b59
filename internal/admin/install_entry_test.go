package admin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

var testEntry = ClientEntry{Name: "toolkit", Command: "/opt/toolkit", Args: []string{"serve", "--stdio"}}

func findTestClient(t *testing.T, name string) Client {
	t.Helper()
	c, err := FindClient(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnEntryJoinsAConfigurationAndLeavesTheRestToTheLetter(t *testing.T) {
	for _, c := range []struct{ name, client, before, after string }{
		{
			"nothing yet", "cursor", "",
			"{\n  \"mcpServers\": {\n    \"toolkit\": {\n      \"command\": \"/opt/toolkit\",\n      \"args\": [\"serve\",\"--stdio\"]\n    }\n  }\n}\n",
		},
		{
			"other settings, indented by tabs", "vscode", "{\n\t\"inputs\": []\n}\n",
			"{\n\t\"inputs\": [],\n\t\"servers\": {\n\t\t\"toolkit\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/toolkit\",\n\t\t\t\"args\": [\"serve\",\"--stdio\"]\n\t\t}\n\t}\n}\n",
		},
		{
			"comments and a trailing comma", "zed", "// mine\n{\n    \"context_servers\": {\n        \"a\": {}, // first\n    }, /* end */\n}\n",
			"// mine\n{\n    \"context_servers\": {\n        \"a\": {}, // first\n        \"toolkit\": {\n            \"source\": \"custom\",\n            \"command\": \"/opt/toolkit\",\n            \"args\": [\"serve\",\"--stdio\"]\n        },\n    }, /* end */\n}\n",
		},
		{
			"an older entry with what a person added", "cursor", `{"mcpServers": {"toolkit": {"command": "old", "env": {"A": "1"}, "args": []}}}`,
			`{"mcpServers": {"toolkit": {"command": "/opt/toolkit", "env": {"A": "1"}, "args": ["serve","--stdio"]}}}`,
		},
		{
			"a comment at the very end", "cursor", "{\"mcpServers\": {\"toolkit\": {\"command\": \"/opt/toolkit\", \"args\": []}}} // mine",
			"{\"mcpServers\": {\"toolkit\": {\"command\": \"/opt/toolkit\", \"args\": [\"serve\",\"--stdio\"]}}} // mine",
		},
		{
			"lines of Windows", "cursor", "{\r\n  \"mcpServers\": {}\r\n}\r\n",
			"{\r\n  \"mcpServers\": {\r\n    \"toolkit\": {\r\n      \"command\": \"/opt/toolkit\",\r\n      \"args\": [\"serve\",\"--stdio\"]\r\n    }\r\n  }\r\n}\r\n",
		},
		{
			"a byte order mark", "cursor", "\ufeff{\"mcpServers\": {\"toolkit\": {}}}",
			"\ufeff{\"mcpServers\": {\"toolkit\": {\n      \"command\": \"/opt/toolkit\",\n      \"args\": [\"serve\",\"--stdio\"]\n    }}}",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := findTestClient(t, c.client).addOrUpdateEntry([]byte(c.before), testEntry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAConfigurationThatCannotBeReadIsLeftAlone(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": {`:                     "not valid JSON",
		`[]`:                                   "the whole of it is not an object",
		`{"mcpServers": []}`:                   "mcpServers is not an object",
		`{"mcpServers": {}, "mcpServers": {}}`: "holds \"mcpServers\" twice",
		`{"mcpServers": {"toolkit": "x"}}`:     "the entry toolkit is not an object",
	} {
		_, err := findTestClient(t, "cursor").addOrUpdateEntry([]byte(text), testEntry)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// parseStrict is a configuration without comments, as a value.
func parseStrict(t testing.TB, text []byte) map[string]any {
	t.Helper()
	plain, err := hujson.Standardize([]byte(string(text) + "\n")) // it works in place
	if err != nil {
		t.Fatalf("not valid any more: %v\n%s", err, text)
	}
	var value map[string]any
	if err := json.Unmarshal(plain, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func countComments(text []byte) int { return strings.Count(string(text), "/*") }

func FuzzInstallAndUninstall(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{ // c\n}", `{"a":1}`, `{"mcpServers":{"b":{}}}`, "{\"mcpServers\":{\"b\":{} /*x*/ ,}, /*y*/}", "{\n \"mcpServers\": {\n \"b\": 1 // z\n }\n}",
		`{"mcpServers":{"toolkit":{"command":"old","env":{}}, "z": 1}}`, "{/*a*/\"mcpServers\"/*b*/:/*c*/{/*d*/\"toolkit\"/*e*/:/*f*/{/*g*/}/*h*/,/*i*/}/*j*/}",
	} {
		f.Add([]byte(seed))
	}
	c := clients[2]
	f.Fuzz(func(t *testing.T, before []byte) {
		with, err := c.addOrUpdateEntry(before, testEntry)
		if err != nil {
			return
		}
		if len(strings.TrimSpace(string(before))) == 0 {
			before = []byte("{}")
		}
		before = []byte(strings.TrimPrefix(string(before), string(byteOrderMark)))
		if len(strings.TrimSpace(string(before))) == 0 {
			before = []byte("{}")
		}
		was := parseStrict(t, before)
		with = []byte(strings.TrimPrefix(string(with), string(byteOrderMark)))
		now := parseStrict(t, with)
		if countComments(with) < countComments(before) {
			t.Fatalf("a comment was lost:\n%s\n->\n%s", before, with)
		}
		again, err := c.addOrUpdateEntry(with, testEntry)
		if err != nil || string(again) != string(with) {
			t.Fatalf("installing twice changes the file: %v\n%s\n->\n%s", err, with, again)
		}
		servers := now[c.key].(map[string]any)
		got := servers[testEntry.Name].(map[string]any)
		if got["command"] != testEntry.Command || len(got["args"].([]any)) != len(testEntry.Args) {
			t.Fatalf("the entry is %v", got)
		}
		without, found, err := c.removeEntry(with, testEntry.Name)
		if err != nil || !found {
			t.Fatalf("the entry cannot be taken out: %v", err)
		}
		left := parseStrict(t, without)
		for _, side := range []map[string]any{was, left} {
			servers, _ := side[c.key].(map[string]any)
			if delete(servers, testEntry.Name); len(servers) == 0 {
				delete(side, c.key) // it goes when it is empty, unless a comment stands in it
			}
		}
		if diff := cmp.Diff(was, left); diff != "" {
			t.Fatalf("something else changed:\n%s", diff)
		}
	})
}
