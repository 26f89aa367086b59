package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/connections"
	"toolkit/internal/server/access"
	"toolkit/tools"
)

// Paths of the endpoints.
const (
	PathMCP        = "/api/mcp"
	PathLegitimacy = "/api/legitimacy"
	PathManifest   = "/.well-known/mcp.json"
	// PathResource is where clients read which provider gives out tokens for this server (RFC 9728), at this path alone
	// and with that of the endpoint behind it.
	PathResource = "/.well-known/oauth-protected-resource"
)

// endpoint answers a request, or returns why it does not.
type endpoint func(w http.ResponseWriter, r *http.Request) *refusal

// route is an endpoint with the methods that it takes. Those that are open need no token and count against no rate.
type route struct {
	methods []string
	serve   endpoint
	open    bool
}

func (s *Server) routes() map[string]route {
	reading := []string{http.MethodGet, http.MethodHead}
	resource := route{reading, s.serveResourceMetadata, true}
	return map[string]route{
		PathMCP:                {[]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete}, s.serveInSpace((*space).serveMCP), false},
		PathManifest:           {reading, s.serveInSpace((*space).serveManifest), false},
		PathLegitimacy:         {[]string{http.MethodPost}, s.serveInSpace((*space).serveLegitimacyTool), false},
		PathHealth:             {reading, serveHealth, true},
		PathReady:              {reading, s.serveReadiness, true},
		PathResource:           resource,
		PathResource + PathMCP: resource,
	}
}

// ServeHTTP lets a request pass the guards and hands it to its endpoint.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recoverPanic(w, r)
	setWriteDeadline(w)
	if r.ContentLength != 0 { // also for a body that nobody reads: net/http does, before it takes the next request
		setReadDeadline(w, time.Now().Add(defaultBodyTime))
	}
	connections.SetSecurityHeaders(w.Header(), "default-src 'none'; frame-ancestors 'none'")
	if e := s.routeRequest(w, r); e != nil {
		writeRefusal(w, r, e)
	}
}

func (s *Server) routeRequest(w http.ResponseWriter, r *http.Request) *refusal {
	if e := s.checkHostAndOrigin(r); e != nil {
		return e
	}
	to, known := s.endpoints[r.URL.Path]
	switch {
	case !known:
		return &refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "there is nothing here; " + PathManifest + " describes what there is"}
	case !slices.Contains(to.methods, r.Method):
		w.Header().Set("Allow", strings.Join(to.methods, ", "))
		return &refusal{status: http.StatusMethodNotAllowed, code: "METHOD_NOT_ALLOWED", message: "use " + strings.Join(to.methods, " or ")}
	case to.open:
		return to.serve(w, r)
	}
	r, e := s.authorize(w, r)
	if e != nil {
		return e
	}
	if r.Method == http.MethodPost {
		if e := s.checkRateLimit(s.requests, r); e != nil {
			return e
		}
	}
	if caller := access.CallerFrom(r.Context()); caller.Name != "" && caller.Rights == 0 {
		return s.challengeMissingRights(w, r, tools.MayRead)
	}
	return to.serve(w, r)
}

// recoverPanic answers in place of an endpoint that panicked; the reason goes to the log alone.
func (s *Server) recoverPanic(w http.ResponseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		panic(cause)
	}
	s.options.Logger.Error("panic in a request", "path", r.URL.Path, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	writeRefusal(w, r, &refusal{status: http.StatusInternalServerError, code: "INTERNAL_ERROR", rpc: mcp.INTERNAL_ERROR, message: "internal error"})
}

func (s *space) serveMCP(w http.ResponseWriter, r *http.Request) *refusal {
	switch {
	case r.Method == http.MethodPost:
		return s.servePost(w, r)
	case isManifestRequest(r):
		return s.serveManifest(w, r)
	case mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)):
		w.Header().Set("Allow", http.MethodPost)
		return &refusal{
			status: http.StatusMethodNotAllowed, code: "METHOD_NOT_ALLOWED",
			message: "protocol version " + mcp.ProtocolVersion20260728 + " has no sessions; subscriptions/listen opens a stream",
		}
	case r.Method == http.MethodGet:
		return s.serveStream(w, r)
	}
	return s.endSession(w, r)
}

// isManifestRequest tells whether a request asks for the manifest: a GET of its path, or one of the MCP endpoint that
// does not ask for a stream.
func isManifestRequest(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	return r.URL.Path == PathManifest || r.URL.Path == PathMCP && !acceptsEventStream(r)
}

// acceptsEventStream tells whether the client takes a stream of events.
func acceptsEventStream(r *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/event-stream")
}

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
