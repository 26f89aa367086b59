package admin

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// ClientEnvironment are what the place of a configuration depends on.
type ClientEnvironment struct {
	GOOS   string // as runtime.GOOS
	Home   string // the user's home folder
	Folder string // the working folder, for configurations of a project
	Getenv func(string) string
}

// ClientEntry is how a client starts the toolkit.
type ClientEntry struct {
	Name    string // the server's name in the configuration
	Command string // absolute path of the program; in a project its name alone
	Args    []string
	Hooks   []ClientHook // for a client that keeps them in the same file
}

// Client is a program that reads MCP servers from a configuration file.
type Client struct {
	Name  string // as it is named on the command line
	Title string
	// Next is what a person does for the change to take effect.
	Next string
	// Trust is what a person does for the hooks to run; "": nothing.
	Trust string

	// SendsAll says that the client sends the definitions of all tools with every
	// request to its model. Others look them up when they need them.
	SendsAll bool

	key     string // the object that holds the servers, by name
	local   bool   // its user's file holds entries of single projects too
	file    func(ClientEnvironment) string
	project string // path within a project; "": the client knows none
	kind    string // a field "type" of the entry; "": none
	source  string // a field "source" of the entry; "": none

	toml   bool        // the file is TOML, not JSON
	hooks  string      // the plugin's list of hooks that go into the file itself; "": none
	folder *partFolder // what the client is given beside the entry; nil: nothing
	rules  partRules
	// plugins is where the client notes the plugins that it got by its own command,
	// and unplug the command that takes one out; nil: it gets none that way.
	plugins func(ClientEnvironment) string
	unplug  string
}

var clients = []Client{
	{
		Name: "claude-code", Title: "Claude Code", key: "mcpServers", kind: "stdio", project: ".mcp.json", local: true,
		Next: "Start Claude Code anew; /mcp shows the connection.",
		file: func(s ClientEnvironment) string {
			if folder := s.Getenv("CLAUDE_CONFIG_DIR"); folder != "" {
				return filepath.Join(folder, ".claude.json")
			}
			return filepath.Join(s.Home, ".claude.json")
		},
		plugins: func(s ClientEnvironment) string {
			return filepath.Join(s.clientFolder("CLAUDE_CONFIG_DIR", ".claude"), "settings.json")
		},
		unplug: "claude plugin uninstall NAME",
		folder: &partFolder{ // without .mcp.json: the entry is the server
			title: "plugin: hooks that read what was said and show what fits, a skill and commands that the model reads when they are used",
			place: func(s ClientEnvironment) string {
				return filepath.Join(s.clientFolder("CLAUDE_CONFIG_DIR", ".claude"), "skills", "toolkit")
			},
			files: []partSource{{"toolkit/.claude-plugin", ".claude-plugin"}, {"toolkit/hooks/hooks.json", "hooks/hooks.json"}, {"toolkit/skills", "skills"}, {"toolkit/commands", "commands"}},
		},
	},
	{
		Name: "codex", Title: "Codex", key: "mcp_servers", toml: true, hooks: "toolkit/hooks/codex.json", SendsAll: true,
		Next:  "Start Codex anew.",
		Trust: "It runs hooks only after you have trusted them: type /hooks there and look at them.",
		file: func(s ClientEnvironment) string {
			return filepath.Join(s.clientFolder("CODEX_HOME", ".codex"), "config.toml")
		},
		plugins: func(s ClientEnvironment) string {
			return filepath.Join(s.clientFolder("CODEX_HOME", ".codex"), "config.toml")
		},
		unplug: "codex plugin remove NAME",
		folder: &partFolder{
			title: "skill: the model reads it when it fits, and learns which tools to use for what",
			place: func(s ClientEnvironment) string {
				return filepath.Join(s.clientFolder("CODEX_HOME", ".codex"), "skills", "toolkit")
			},
			files: []partSource{{"toolkit/skills/toolkit", ""}},
		},
	},
	{
		Name: "gemini-cli", Title: "Gemini CLI", key: "mcpServers", project: ".gemini/settings.json", SendsAll: true,
		Next: "Start Gemini CLI anew; /mcp and /hooks show what it runs. In a folder that you have not trusted it leaves both out.",
		file: func(s ClientEnvironment) string { return filepath.Join(s.Home, ".gemini", "settings.json") },
		folder: &partFolder{ // without a server: the entry is the server
			title: "extension: hooks that read what was said and show what fits, and a skill that the model reads when it fits",
			place: func(s ClientEnvironment) string { return filepath.Join(s.Home, ".gemini", "extensions", "toolkit") },
			files: []partSource{{"gemini/gemini-extension.json", "gemini-extension.json"}, {"gemini/hooks", "hooks"}, {"toolkit/skills", "skills"}},
		},
	},
	{
		Name: "claude-desktop", Title: "Claude Desktop", key: "mcpServers",
		Next: "Quit Claude Desktop and start it again.",
		file: func(s ClientEnvironment) string {
			return filepath.Join(s.applicationsFolder(), "Claude", "claude_desktop_config.json")
		},
	},
	{
		Name: "cursor", Title: "Cursor", key: "mcpServers", project: ".cursor/mcp.json", SendsAll: true,
		Next:  "Enable the server under Settings, MCP. Rules that say when to use it come with --project; those of a person Cursor keeps in its settings.",
		file:  func(s ClientEnvironment) string { return filepath.Join(s.Home, ".cursor", "mcp.json") },
		rules: partRules{head: "---\ndescription: When to use the memory of the toolkit\nalwaysApply: true\n---\n", inProject: []string{".cursor/rules/toolkit.mdc"}},
	},
	{
		Name: "vscode", Title: "Visual Studio Code", key: "servers", kind: "stdio", project: ".vscode/mcp.json",
		Next: "Run 'MCP: List Servers' from the command palette and start it.",
		file: func(s ClientEnvironment) string {
			return filepath.Join(s.applicationsFolder(), "Code", "User", "mcp.json")
		},
		rules: partRules{
			head: "---\ndescription: When to use the memory of the toolkit\napplyTo: \"**\"\n---\n", inProject: []string{".github/instructions/toolkit.instructions.md"},
			user: func(s ClientEnvironment) string {
				return filepath.Join(s.applicationsFolder(), "Code", "User", "prompts", "toolkit.instructions.md")
			},
		},
	},
	{
		Name: "windsurf", Title: "Windsurf", key: "mcpServers", SendsAll: true,
		Next: "Refresh the servers in the Cascade panel.",
		file: func(s ClientEnvironment) string {
			return filepath.Join(s.Home, ".codeium", "windsurf", "mcp_config.json")
		},
		rules: partRules{shared: true, user: func(s ClientEnvironment) string {
			return filepath.Join(s.Home, ".codeium", "windsurf", "memories", "global_rules.md")
		}},
	},
	{
		Name: "zed", Title: "Zed", key: "context_servers", source: "custom", project: ".zed/settings.json", SendsAll: true,
		Next: "Zed picks the server up at once; the Agent panel lists it.",
		file: func(s ClientEnvironment) string { return filepath.Join(s.zedFolder(), "settings.json") },
		rules: partRules{ // of a project Zed reads the first of these
			shared: true, user: func(s ClientEnvironment) string { return filepath.Join(s.zedFolder(), "AGENTS.md") },
			inProject: []string{".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md", "AGENT.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"},
		},
	},
}

// applicationsFolder returns the folder where the system's programs keep their settings.
func (s ClientEnvironment) applicationsFolder() string { return ConfigFolder(s.GOOS, s.Home, s.Getenv) }

// clientFolder is a client's folder of settings: where its variable says, or within the home.
func (s ClientEnvironment) clientFolder(variable, usual string) string {
	if folder := s.Getenv(variable); folder != "" {
		return folder
	}
	return filepath.Join(s.Home, usual)
}

// zedFolder returns the folder of Zed's settings.
func (s ClientEnvironment) zedFolder() string {
	switch s.GOOS {
	case "darwin": // Zed keeps to ~/.config on macOS
		return filepath.Join(s.Home, ".config", "zed")
	case "windows":
		return filepath.Join(s.applicationsFolder(), "Zed")
	default:
		return filepath.Join(s.applicationsFolder(), "zed")
	}
}

// Clients lists the known clients.
func Clients() []Client { return slices.Clone(clients) }

// FindClient returns the client of a name.
func FindClient(name string) (Client, error) {
	names := make([]string, len(clients))
	for i, c := range clients {
		if c.Name == name {
			return c, nil
		}
		names[i] = c.Name
	}
	return Client{}, fmt.Errorf("unknown client %q; choose one of %s", name, strings.Join(names, ", "))
}

// ConfigFile returns where the client's configuration lies: the user's, or the project's in
// the working folder.
func (c Client) ConfigFile(s ClientEnvironment, project bool) (string, error) {
	if !project {
		return c.file(s), nil
	}
	if c.project == "" {
		return "", fmt.Errorf("%s keeps no configuration in a project; leave out --project", c.Title)
	}
	return filepath.Join(s.Folder, filepath.FromSlash(c.project)), nil
}

// ClientPlace is an entry of the toolkit in one of the scopes of a client.
type ClientPlace struct {
	Scope string // user, project, or local: a person's own in one project
	File  string
	For   string // the folder of a local entry
}

// FindEntries returns the entries of a name in every scope that the client reads in the
// working folder, and the local ones of every folder. The error is why a file
// could not be read; the others are looked at all the same.
func (c Client) FindEntries(s ClientEnvironment, name string) (places []ClientPlace, err error) {
	user := c.file(s)
	look := func(scope, file string) {
		edit, fault := PlanRemoval(c, file, name)
		if fault != nil {
			err = errors.Join(err, fault)
		} else if edit.Found {
			places = append(places, ClientPlace{Scope: scope, File: file})
		}
	}
	look("user", user)
	if c.local {
		for _, folder := range c.findFoldersWithLocalEntry(user, name) {
			places = append(places, ClientPlace{Scope: "local", File: user, For: folder})
		}
	}
	if c.project != "" {
		if file, fault := c.ConfigFile(s, true); fault == nil && filepath.Clean(file) != filepath.Clean(user) {
			look("project", file)
		}
	}
	return places, err
}

// findFoldersWithLocalEntry returns the folders for which the user's file has an entry of its
// own. A file that cannot be read has been told of before.
func (c Client) findFoldersWithLocalEntry(file, name string) (folders []string) {
	edit, err := readClientFile(c, file)
	if err != nil {
		return nil
	}
	d, err := parseEntryDocument(edit.before)
	if err != nil {
		return nil
	}
	projects := memberObject(d.top, "projects")
	if projects == nil {
		return nil
	}
	for _, m := range projects.Members {
		project, _ := m.Value.Value.(*hujson.Object)
		if memberOf(memberObject(project, c.key), name) != nil {
			folders = append(folders, memberName(m))
		}
	}
	slices.Sort(folders)
	return folders
}

// memberObject is the object that is a member of an object; nil when there is none.
func memberObject(o *hujson.Object, name string) *hujson.Object {
	v := memberOf(o, name)
	if v == nil {
		return nil
	}
	found, _ := v.Value.(*hujson.Object)
	return found
}
