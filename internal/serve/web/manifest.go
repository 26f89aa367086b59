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

func (s *space) serveManifest(w http.ResponseWriter, r *http.Request) *refusal {
	m := s.manifest()
	var err error
	if access.From(r.Context()).Name == "" {
		m.Instructions = ""
	} else if m.Tools, err = s.tools.Tools(r.Context()); err != nil {
		s.options.Logger.Error("describing the server", "error", err.Error())
		return &refusal{status: http.StatusInternalServerError, code: "INTERNAL_ERROR", message: "the server cannot describe itself; the details are in its log"}
	}
	writeJSON(w, http.StatusOK, m)
	return nil
}
