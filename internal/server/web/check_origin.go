package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checkHostAndOrigin refuses what a web page made a browser send: a page can resolve its own name to this machine's address,
// but it can change neither Host nor Origin.
func (s *Server) checkHostAndOrigin(r *http.Request) *refusal {
	if host := (&url.URL{Host: r.Host}).Hostname(); !s.isServerName(host, r) {
		return &refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: "the Host header names another server; address this one by its IP address, or start it with --http-host"}
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !s.isServerName(u.Hostname(), r) {
			return &refusal{status: http.StatusForbidden, code: "FORBIDDEN", message: "requests from web pages of other origins are refused"}
		}
	}
	return nil
}

// isServerName tells whether a host name means this server, by a name that nobody else can make resolve to it: an IP
// address, localhost, or a name from the configuration.
func (s *Server) isServerName(host string, r *http.Request) bool {
	sameName := func(name string) bool { return strings.EqualFold(name, host) }
	if sameName("localhost") || slices.ContainsFunc(s.options.Hosts, sameName) {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil || address.IsLoopback() {
		return err == nil
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && !IsLoopback(local) && local.AddrPort().Addr().Unmap().WithZone("") == address.Unmap().WithZone("")
}

// IsLoopback tells whether only this machine can reach a listener's address.
func IsLoopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
