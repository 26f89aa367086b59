package admin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheOfficialMemoryServerIsFoundInAConfiguration(t *testing.T) {
	for name, tc := range map[string]struct {
		client, file, text string
		want               []MemoryServer
	}{
		"with its file": {"cursor", "mcp.json", `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"], "env": {"MEMORY_FILE_PATH": "/home/a b/m.jsonl"}}, "git": {"command": "git-mcp"}}}`,
			[]MemoryServer{{"memory", "/home/a b/m.jsonl"}}},
		"with a version":   {"cursor", "mcp.json", `{"mcpServers": {"kg": {"command": "npx", "args": ["@modelcontextprotocol/server-memory@2025.1.1"]}}}`, []MemoryServer{{"kg", ""}}},
		"as a container":   {"cursor", "mcp.json", `{"mcpServers": {"kg": {"command": "docker", "args": ["run", "-i", "mcp/memory"]}}}`, []MemoryServer{{"kg", ""}}},
		"in TOML":          {"codex", "config.toml", "[mcp_servers.memory]\ncommand = \"npx\"\nargs = [\"@modelcontextprotocol/server-memory\"]\nenv = { MEMORY_FILE_PATH = \"/m.jsonl\" }\n", []MemoryServer{{"memory", "/m.jsonl"}}},
		"other servers":    {"cursor", "mcp.json", `{"mcpServers": {"memory": {"command": "memory"}}}`, nil},
		"no configuration": {"cursor", "mcp.json", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := FindClient(tc.client)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), tc.file)
			if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			edit, err := PlanInstall(c, file, ClientEntry{Name: "toolkit", Command: "/bin/toolkit"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := edit.FindMemoryServers()
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
}
