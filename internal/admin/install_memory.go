package admin

import (
	"encoding/json"
	"regexp"

	"github.com/tailscale/hujson"
)

// MemoryServer is an entry that starts the official memory server.
type MemoryServer struct {
	Name string // of the entry
	File string // its MEMORY_FILE_PATH, empty where the entry has none
}

var (
	memoryServerPattern = regexp.MustCompile(`server-memory\b|"mcp/memory"`)
	memoryFilePattern   = regexp.MustCompile(`"MEMORY_FILE_PATH":\s*("(?:[^"\\]|\\.)*")`)
)

// FindMemoryServers are the entries of the file, as it was read, that start the official memory
// server.
func (e *ClientEdit) FindMemoryServers() (servers []MemoryServer, err error) {
	names, err := e.Client.entryNames(e.before)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		entry, err := e.Client.findEntry(e.before, name)
		if err != nil {
			return nil, err
		}
		if !memoryServerPattern.Match(entry) {
			continue
		}
		server := MemoryServer{Name: name}
		if file := memoryFilePattern.FindSubmatch(entry); file != nil {
			if err := json.Unmarshal(file[1], &server.File); err != nil {
				return nil, err
			}
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// entryNames are the names of all servers of a configuration, sorted in TOML and as they stand
// in JSON.
func (c Client) entryNames(text []byte) (names []string, err error) {
	if c.toml {
		return c.listTOMLNames(text)
	}
	_, list, err := c.parseServers(text)
	if err != nil || list == nil {
		return nil, err
	}
	for _, member := range list.Members {
		if name, is := member.Name.Value.(hujson.Literal); is {
			names = append(names, name.String())
		}
	}
	return names, nil
}
