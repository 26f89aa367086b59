package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ServeHTTP lets a request pass the guards and hands it to its endpoint.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recoverPanic(w, r)
	armWrite(w)
	if r.ContentLength != 0 { // also for a body that nobody reads: net/http does, before it takes the next request
		limitRead(w, time.Now().Add(defaultBodyTime))
	}
	secure(w.Header())
	if e := s.checkSource(r); e != nil {
		refuse(w, r, *e)
		return
	}
	endpoint, methods := s.endpoint(r.URL.Path)
	switch {
	case endpoint == nil:
		refuse(w, r, refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "there is nothing here; " + PathManifest + " describes what there is"})
	case !slices.Contains(methods, r.Method):
		w.Header().Set("Allow", strings.Join(methods, ", "))
		refuse(w, r, refusal{status: http.StatusMethodNotAllowed, code: "METHOD_NOT_ALLOWED", message: "use " + strings.Join(methods, " or ")})
	default:
		if admitted := s.admit(w, r); admitted != nil {
			endpoint(w, admitted)
		}
	}
}

func (s *Server) endpoint(path string) (http.HandlerFunc, []string) {
	switch path {
	case PathMCP:
		return s.inSpace((*space).serveMCP), []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete}
	case PathManifest:
		return s.inSpace((*space).serveManifest), []string{http.MethodGet, http.MethodHead}
	case PathLegitimacy:
		return s.inSpace((*space).serveLegitimacy), []string{http.MethodPost}
	case PathHealth:
		return s.serveHealth, []string{http.MethodGet, http.MethodHead}
	case PathReady:
		return s.serveReady, []string{http.MethodGet, http.MethodHead}
	case PathResource, PathResource + PathMCP:
		return s.serveResource, []string{http.MethodGet, http.MethodHead}
	}
	return nil, nil
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
	s.logPanic(r, cause)
	refuse(w, r, refusal{status: http.StatusInternalServerError, code: "INTERNAL_ERROR", rpc: mcp.INTERNAL_ERROR, message: "internal error"})
}

func (s *Server) logPanic(r *http.Request, cause any) {
	s.options.Logger.Error("panic in a request", "path", r.URL.Path, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
}

// secure sets the headers that keep a browser from doing anything with an answer.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// checkSource refuses what a web page made a browser send: a page can resolve its own name to this machine's address,
// but it can change neither Host nor Origin.
func (s *Server) checkSource(r *http.Request) *refusal {
	if !s.ours(hostname(r.Host), r) {
		return &refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: "the Host header names another server; address this one by its IP address, or start it with --http-host"}
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !s.ours(u.Hostname(), r) {
			return &refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: "requests from web pages of other origins are refused"}
		}
	}
	return nil
}

// ours tells whether a host name means this server, by a name that nobody else can make resolve to it: an IP address,
// localhost, or a name from the configuration.
func (s *Server) ours(host string, r *http.Request) bool {
	if slices.ContainsFunc(s.options.Hosts, func(name string) bool { return strings.EqualFold(name, host) }) {
		return true
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return address.IsLoopback() || local != nil && !Loopback(local) && sameAddress(local, address)
}

func sameAddress(local net.Addr, address netip.Addr) bool {
	tcp, ok := local.(*net.TCPAddr)
	if !ok {
		return false
	}
	own, ok := netip.AddrFromSlice(tcp.IP)
	return ok && own.Unmap().WithZone("") == address.Unmap().WithZone("")
}

func hostname(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
