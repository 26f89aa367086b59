package web

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/access"
)

// manifest describes the server to who finds it. Its tools are left out for a client that does not send the token which
// the server asks for.
type manifest struct {
	Name             string             `json:"name"`
	Title            string             `json:"title"`
	Version          string             `json:"version"`
	Description      string             `json:"description"`
	Instructions     string             `json:"instructions,omitempty"`
	ServerInfo       mcp.Implementation `json:"serverInfo"`
	ProtocolVersion  string             `json:"protocolVersion"`
	ProtocolVersions []string           `json:"protocolVersions"`
	Transport        manifestTransport  `json:"transport"`
	Authentication   manifestLogin      `json:"authentication"`
	Tools            []mcp.Tool         `json:"tools,omitempty"`
}

type manifestTransport struct {
	Type     string `json:"type"`
	Endpoint string `json:"endpoint"`
}

type manifestLogin struct {
	Required bool     `json:"required"`
	Schemes  []string `json:"schemes"`
}

func (s *space) manifest() manifest {
	description, instructions := s.tools.About()
	m := manifest{
		Name: "toolkit", Title: "toolkit", Version: s.tools.Pipeline.Version(), Description: description, Instructions: instructions,
		ProtocolVersion: mcp.ValidProtocolVersions[0], ProtocolVersions: mcp.ValidProtocolVersions,
		Transport:      manifestTransport{Type: "streamable-http", Endpoint: PathMCP},
		Authentication: manifestLogin{Schemes: []string{}},
	}
	m.ServerInfo = mcp.Implementation{Name: m.Name, Title: m.Title, Version: m.Version}
	if s.guarded {
		m.Authentication = manifestLogin{Required: true, Schemes: []string{"bearer"}}
	}
	return m
}

// manifestRequest tells whether a request asks for the manifest: a GET of its path, or one of the MCP endpoint that
// does not ask for a stream.
func manifestRequest(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == PathManifest || r.URL.Path == PathMCP && !acceptsEvents(r)
}

func (s *space) serveManifest(w http.ResponseWriter, r *http.Request) {
	m := s.manifest()
	var err error
	if access.From(r.Context()).Name == "" {
		m.Instructions = ""
	} else if m.Tools, err = s.tools.Tools(r.Context()); err != nil {
		s.options.Logger.Error("describing the server", "error", err.Error())
		refuse(w, r, refusal{status: http.StatusInternalServerError, code: "INTERNAL_ERROR", message: "the server cannot describe itself; the details are in its log"})
		return
	}
	writeJSON(w, http.StatusOK, m)
}
