package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/access"
	"toolkit/tools"
)

// PathResource is where clients read which provider gives out tokens for this server (RFC 9728), at this path alone and
// with that of the endpoint behind it.
const PathResource = "/.well-known/oauth-protected-resource"

// admit counts a request against its address's limit and finds out who asks. Wrong tokens are counted too, whatever the
// method, so that tokens cannot be guessed at any speed. What anybody may read is admitted without a caller; the
// manifest is short then. It returns nil when it has refused.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) *http.Request {
	if resourceRequest(r) || isProbe(r) {
		return r
	}
	address := s.clientAddress(r)
	sent := r.Header.Get("Authorization") != ""
	var wait time.Duration
	if r.Method == http.MethodPost {
		wait = s.limiter.take(address)
	}
	if sent {
		wait = max(wait, s.guesses.look(address, false))
	}
	if wait > 0 {
		seconds := max(1, int(math.Ceil(wait.Seconds())))
		refuse(w, r, refusal{
			status: http.StatusTooManyRequests, code: "RATE_LIMIT_EXCEEDED", retry: seconds,
			message: fmt.Sprintf("at most %d requests a minute from one address; try again in %d s", s.options.RateLimit, seconds),
		})
		return nil
	}
	caller, err := s.who(r)
	switch {
	case err == nil:
		return r.WithContext(access.With(r.Context(), caller))
	case !sent && manifestRequest(r):
		return r
	case sent && errors.Is(err, access.ErrUnknown):
		s.guesses.take(address)
	}
	s.refuseCaller(w, r, err, sent)
	return nil
}

// who finds out who sends a request. Where nobody has to say so it is the owner, but for the holder of a token that is
// known: his space is his own there too.
func (s *Server) who(r *http.Request) (access.Caller, error) {
	caller, err := access.Caller{}, access.ErrUnknown
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		caller, err = s.callers(r.Context(), strings.TrimSpace(token))
	}
	if !s.guarded && errors.Is(err, access.ErrUnknown) {
		return access.Owner, nil
	}
	return caller, err
}

// refuseCaller answers a request of which it is not known who sent it.
func (s *Server) refuseCaller(w http.ResponseWriter, r *http.Request, err error, sent bool) {
	switch {
	case errors.Is(err, access.ErrUnknown):
		var problem []string
		if sent {
			problem = []string{`error="invalid_token"`}
		}
		s.challenge(w, r, tools.AllRights, problem...)
		refuse(w, r, refusal{status: http.StatusUnauthorized, code: "UNAUTHORIZED", message: "send a token that this server knows in the header Authorization: Bearer TOKEN"})
	case errors.Is(err, access.ErrNoSpace):
		refuse(w, r, refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: err.Error()})
	default:
		s.options.Logger.Error("a token could not be checked", "error", err.Error())
		refuse(w, r, refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "tokens cannot be checked now; try again"})
	}
}

// refuseRights answers a caller who lacks a right, naming those that he has too: who asks his provider for more must not
// lose them.
func (s *Server) refuseRights(w http.ResponseWriter, r *http.Request, need tools.Rights, id json.RawMessage) {
	s.challenge(w, r, access.From(r.Context()).Rights|need, `error="insufficient_scope"`)
	refuse(w, r, refusal{
		status: http.StatusForbidden, code: tools.CodePermission, rpc: mcp.INVALID_REQUEST, id: id,
		message: "this needs the right " + strings.Join(need.Names(), " and ") + ", which your token does not give; ask whoever runs this server for one that does",
	})
}

// challenge says which token is wanted, and where a client finds who gives it out.
func (s *Server) challenge(w http.ResponseWriter, r *http.Request, rights tools.Rights, problem ...string) {
	parts := append([]string{`Bearer realm="toolkit"`}, problem...)
	if s.options.Provider != "" {
		parts = append(parts, `scope="`+strings.Join(access.Scopes(rights), " ")+`"`, `resource_metadata="`+s.origin(r)+PathResource+PathMCP+`"`)
	}
	w.Header().Set("WWW-Authenticate", strings.Join(parts, ", "))
}

// origin is the address by which the client reaches the server. Its Host was checked: it is one of this server's.
func (s *Server) origin(r *http.Request) string {
	if s.options.TLS != nil || s.options.BehindProxy {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func resourceRequest(r *http.Request) bool {
	return (r.URL.Path == PathResource || r.URL.Path == PathResource+PathMCP) && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}

// serveResource describes the server to clients that look for its OpenID provider.
func (s *Server) serveResource(w http.ResponseWriter, r *http.Request) {
	if s.options.Provider == "" {
		refuse(w, r, refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "this server has no OpenID provider; its tokens are given out by whoever runs it"})
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"resource": s.origin(r) + PathMCP, "resource_name": "toolkit", "authorization_servers": []string{s.options.Provider},
		"scopes_supported": access.Scopes(tools.AllRights), "bearer_methods_supported": []string{"header"},
	})
}

// inSpace serves a request in the space of its caller; who is nobody reads the manifest of the base.
func (s *Server) inSpace(serve func(*space, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		caller := access.From(r.Context())
		if caller.Name != "" && caller.Rights == 0 {
			s.refuseRights(w, r, tools.MayRead, nil)
			return
		}
		one, err := s.enter(r.Context(), caller.Space)
		switch {
		case errors.Is(err, errTooManySpace):
			refuse(w, r, tooBusy("spaces"))
			return
		case err != nil:
			s.options.Logger.Error("a space cannot be opened", "space", caller.Space, "error", err.Error())
			refuse(w, r, refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "your space cannot be opened now; the server's log says why"})
			return
		}
		defer s.leave(one)
		serve(one, w, r)
	}
}

// clientAddress is whose requests are counted together. Behind a proxy it is what the proxy has put at the end of
// X-Forwarded-For; what stands before that are the client's own words.
func (s *Server) clientAddress(r *http.Request) netip.Prefix {
	if forwarded := r.Header.Values("X-Forwarded-For"); s.options.BehindProxy && len(forwarded) > 0 {
		list := strings.Split(forwarded[len(forwarded)-1], ",")
		return clientAddress(strings.TrimSpace(list[len(list)-1]))
	}
	return clientAddress(r.RemoteAddr)
}
