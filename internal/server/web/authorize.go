package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/server/access"
	"toolkit/tools"
)

// authorize finds out who sends a request and puts him into its context. What anybody may read is let through without a
// caller; the manifest is short then.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) (*http.Request, *refusal) {
	caller, err := s.identifyCallerOrAssumeOwner(r)
	sent := r.Header.Get("Authorization") != ""
	switch {
	case err == nil:
		return r.WithContext(access.WithCaller(r.Context(), caller)), nil
	case !sent && isManifestRequest(r):
		return r, nil
	case errors.Is(err, access.ErrNoSpace):
		return nil, &refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: err.Error()}
	case !errors.Is(err, access.ErrUnknown):
		s.options.Logger.Error("a token could not be checked", "error", err.Error())
		return nil, &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "tokens cannot be checked now; try again"}
	}
	if e := s.checkRateLimit(s.guesses, r); e != nil {
		return nil, e
	}
	problem := ""
	if sent {
		problem = "invalid_token"
	}
	s.writeChallenge(w, r, tools.AllRights, problem)
	return nil, &refusal{status: http.StatusUnauthorized, code: "UNAUTHORIZED", message: "send a token that this server knows in the header Authorization: Bearer TOKEN"}
}

// identifyCallerOrAssumeOwner finds out who sends a request. Where nobody has to say so it is the owner, but for the holder of a token that is
// known: his space is his own there too.
func (s *Server) identifyCallerOrAssumeOwner(r *http.Request) (access.Caller, error) {
	caller, err := access.Caller{}, access.ErrUnknown
	if sent := r.Header.Values("Authorization"); len(sent) == 1 { // of two, a guard in front might have looked at the other
		if scheme, token, _ := strings.Cut(sent[0], " "); strings.EqualFold(scheme, "Bearer") {
			caller, err = s.options.Callers(r.Context(), strings.TrimSpace(token))
		}
	}
	if errors.Is(err, access.ErrUnknown) {
		guarded, failed := s.isTokenRequired(r.Context())
		switch {
		case failed != nil:
			return caller, failed
		case !guarded:
			return access.Owner, nil
		}
	}
	return caller, err
}

// isTokenRequired tells whether everybody is asked for a token: from the first one on, until the server ends.
func (s *Server) isTokenRequired(ctx context.Context) (bool, error) {
	if s.guarded.Load() || s.options.HasTokens == nil {
		return s.guarded.Load(), nil
	}
	has, err := s.options.HasTokens(ctx)
	if has {
		s.guarded.Store(true)
	}
	return has, err
}

// challengeMissingRights answers a caller who lacks a right, naming those that he has too: who asks his provider for more must not
// lose them.
func (s *Server) challengeMissingRights(w http.ResponseWriter, r *http.Request, need tools.Rights) *refusal {
	s.writeChallenge(w, r, access.CallerFrom(r.Context()).Rights|need, "insufficient_scope")
	return &refusal{
		status: http.StatusForbidden, code: tools.CodePermission, rpc: mcp.INVALID_REQUEST,
		message: "this needs the right " + strings.Join(need.Names(), " and ") + ", which your token does not give; ask whoever runs this server for one that does",
	}
}

// writeChallenge says which token is wanted, and where a client finds who gives it out.
func (s *Server) writeChallenge(w http.ResponseWriter, r *http.Request, rights tools.Rights, problem string) {
	parts := []string{`Bearer realm="toolkit"`}
	if problem != "" {
		parts = append(parts, `error="`+problem+`"`)
	}
	if s.options.Provider != "" {
		parts = append(parts, `scope="`+strings.Join(access.OAuthScopes(rights), " ")+`"`, `resource_metadata="`+s.originForClient(r)+PathResource+PathMCP+`"`)
	}
	w.Header().Set("WWW-Authenticate", strings.Join(parts, ", "))
}

// originForClient is the address by which the client reaches the server. Its Host was checked: it is one of this server's.
func (s *Server) originForClient(r *http.Request) string {
	if s.options.TLS != nil || s.options.BehindProxy {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// serveResourceMetadata describes the server to clients that look for its OpenID provider.
func (s *Server) serveResourceMetadata(w http.ResponseWriter, r *http.Request) *refusal {
	if s.options.Provider == "" {
		return &refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "this server has no OpenID provider; its tokens are given out by whoever runs it"}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"resource": s.originForClient(r) + PathMCP, "resource_name": "toolkit", "authorization_servers": []string{s.options.Provider},
		"scopes_supported": access.OAuthScopes(tools.AllRights), "bearer_methods_supported": []string{"header"},
	})
	return nil
}
