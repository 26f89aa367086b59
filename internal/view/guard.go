package view

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/connections"
)

// contentPolicy lets the page load its own files and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guardRequests returns the handler that every request passes first.
func (s *Server) guardRequests(address *net.TCPAddr) http.Handler {
	s.session.port = address.Port
	port := strconv.Itoa(address.Port)
	// A name that resolves to this machine is not enough: a page elsewhere could
	// point its own name here (DNS rebinding).
	hosts := []string{"localhost:" + port, net.JoinHostPort(address.IP.String(), port)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connections.SetSecurityHeaders(w.Header(), contentPolicy)
		switch {
		case !slices.Contains(hosts, r.Host):
			refuse(w, http.StatusForbidden, "This address is not served here.")
		case r.Method != http.MethodGet && s.o.Writer == nil:
			w.Header().Set("Allow", http.MethodGet)
			refuse(w, http.StatusMethodNotAllowed, "The view only reads: GET is the only method. Start it with --write to change things.")
		case r.Method != http.MethodGet && (r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/api/")):
			w.Header().Set("Allow", http.MethodGet)
			refuse(w, http.StatusMethodNotAllowed, "GET is the only method here.")
		case r.Method == http.MethodPost && r.Header.Get("Origin") == "":
			refuse(w, http.StatusForbidden, "Only the page itself may change things.")
		case !isSameOrigin(r, hosts):
			refuse(w, http.StatusForbidden, "Other pages may not read from here.")
		case len(r.URL.RawQuery) > maxQueryBytes:
			refuse(w, http.StatusRequestURITooLong, "This is too long to search for.")
		case strings.HasPrefix(r.URL.Path, "/api/") && !s.session.hasValidCookie(r):
			writeError(w, &apiError{Status: http.StatusUnauthorized, Message: "This session is over. Run toolkit view again and open the address it prints."})
		default:
			s.routes.ServeHTTP(w, r)
		}
	})
}

// isSameOrigin reports whether no other page makes a request. All browsers but the oldest
// name the relation of the two sites too.
func isSameOrigin(r *http.Request, hosts []string) bool {
	if !connections.IsFromOwnPage(r, hosts...) {
		return false
	}
	if r.URL.Path == "/" {
		return true // a link to the page may be followed from anywhere; the token decides
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// refuse answers in plain text, before anything is known of the caller.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(message + "\n")) //nolint:errcheck // the caller may be gone
}
