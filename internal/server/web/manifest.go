package web

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/server/access"
)

// serveManifest describes the server to who finds it. Its tools and instructions are left out for a client that does not
// send the token which the server asks for.
func (s *space) serveManifest(w http.ResponseWriter, r *http.Request) *refusal {
	const name = "toolkit"
	version := s.tools.Pipeline.Version()
	description, instructions := s.tools.About()
	schemes := []string{}
	if s.guarded.Load() {
		schemes = append(schemes, "bearer")
	}
	m := map[string]any{
		"name": name, "title": name, "version": version, "description": description,
		"serverInfo":      mcp.Implementation{Name: name, Title: name, Version: version},
		"protocolVersion": mcp.ValidProtocolVersions[0], "protocolVersions": mcp.ValidProtocolVersions,
		"transport":      map[string]string{"type": "streamable-http", "endpoint": PathMCP},
		"authentication": map[string]any{"required": s.guarded.Load(), "schemes": schemes},
	}
	if access.CallerFrom(r.Context()).Name != "" {
		list, err := s.tools.ListTools(r.Context())
		if err != nil {
			s.options.Logger.Error("describing the server", "error", err.Error())
			return &refusal{status: http.StatusInternalServerError, code: "INTERNAL_ERROR", message: "the server cannot describe itself; the details are in its log"}
		}
		m["tools"], m["instructions"] = list, instructions
	}
	writeJSON(w, http.StatusOK, m)
	return nil
}
