// Package install puts the toolkit into the configuration of an MCP client, and
// takes it out again.
//
// A client is a row in a table: where its configuration lies on each system, and
// what an entry looks like. An Edit is planned first, so that it can be shown,
// and applied afterwards: with a backup, in one step, and without disturbing
// anything else in the file, comments included.
package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/internal/care/config"
)

// Surroundings are what the place of a configuration depends on.
type Surroundings struct {
	GOOS   string // as runtime.GOOS
	Home   string // the user's home folder
	Folder string // the working folder, for configurations of a project
	Getenv func(string) string
}

// Entry is how a client starts the toolkit.
type Entry struct {
	Name    string // the server's name in the configuration
	Command string // absolute path of the program; in a project its name alone
	Args    []string
}

// Client is a program that reads MCP servers from a configuration file.
type Client struct {
	Name  string // as it is named on the command line
	Title string
	// Next is what a person does for the change to take effect.
	Next string

	// Carries is how many tools of all servers together the client offers its
	// model before it warns or leaves some out; 0: as many as there are.
	Carries int

	key     string // the object that holds the servers, by name
	local   bool   // its user's file holds entries of single projects too
	file    func(Surroundings) string
	project string // path within a project; "": the client knows none
	kind    string // a field "type" of the entry; "": none
	source  string // a field "source" of the entry; "": none
}

var clients = []Client{
	{
		Name: "claude-code", Title: "Claude Code", key: "mcpServers", kind: "stdio", project: ".mcp.json", local: true,
		Next: "Start Claude Code anew; /mcp shows the connection.",
		file: func(s Surroundings) string {
			if folder := s.Getenv("CLAUDE_CONFIG_DIR"); folder != "" {
				return filepath.Join(folder, ".claude.json")
			}
			return filepath.Join(s.Home, ".claude.json")
		},
	},
	{
		Name: "claude-desktop", Title: "Claude Desktop", key: "mcpServers",
		Next: "Quit Claude Desktop and start it again.",
		file: func(s Surroundings) string {
			return filepath.Join(s.applications(), "Claude", "claude_desktop_config.json")
		},
	},
	{
		Name: "cursor", Title: "Cursor", key: "mcpServers", project: ".cursor/mcp.json", Carries: 40,
		Next: "Enable the server under Settings, MCP.",
		file: func(s Surroundings) string { return filepath.Join(s.Home, ".cursor", "mcp.json") },
	},
	{
		Name: "vscode", Title: "Visual Studio Code", key: "servers", kind: "stdio", project: ".vscode/mcp.json",
		Next: "Run 'MCP: List Servers' from the command palette and start it.",
		file: func(s Surroundings) string { return filepath.Join(s.applications(), "Code", "User", "mcp.json") },
	},
	{
		Name: "windsurf", Title: "Windsurf", key: "mcpServers", Carries: 100,
		Next: "Refresh the servers in the Cascade panel.",
		file: func(s Surroundings) string { return filepath.Join(s.Home, ".codeium", "windsurf", "mcp_config.json") },
	},
	{
		Name: "zed", Title: "Zed", key: "context_servers", source: "custom", project: ".zed/settings.json",
		Next: "Zed picks the server up at once; the Agent panel lists it.",
		file: func(s Surroundings) string {
			if s.GOOS == "darwin" { // Zed keeps to ~/.config on macOS
				return filepath.Join(s.Home, ".config", "zed", "settings.json")
			}
			if s.GOOS == "windows" {
				return filepath.Join(s.applications(), "Zed", "settings.json")
			}
			return filepath.Join(s.applications(), "zed", "settings.json")
		},
	},
}

// applications is the folder where the system's programs keep their settings.
func (s Surroundings) applications() string { return config.Folder(s.GOOS, s.Home, s.Getenv) }

// Clients lists the known clients.
func Clients() []Client { return slices.Clone(clients) }

// Find is the client of a name.
func Find(name string) (Client, error) {
	names := make([]string, len(clients))
	for i, c := range clients {
		if c.Name == name {
			return c, nil
		}
		names[i] = c.Name
	}
	return Client{}, fmt.Errorf("unknown client %q; choose one of %s", name, strings.Join(names, ", "))
}

// File is where the client's configuration lies: the user's, or the project's in
// the working folder.
func (c Client) File(s Surroundings, project bool) (string, error) {
	if !project {
		return c.file(s), nil
	}
	if c.project == "" {
		return "", fmt.Errorf("%s keeps no configuration in a project; leave out --project", c.Title)
	}
	return filepath.Join(s.Folder, filepath.FromSlash(c.project)), nil
}
