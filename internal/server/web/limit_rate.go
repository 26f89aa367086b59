package web

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"toolkit/tools"
)

// maxRecorded bounds the times that are remembered, and with them the memory, to about 8 MB.
const maxRecorded = 1_000_000

func newRateWindows(limit int) *tools.RateWindows[netip.Prefix] {
	return tools.NewRateWindows[netip.Prefix](min(maxRecorded/max(limit, 1), maxRecorded/100))
}

// checkRateLimit refuses the request of an address that has sent too many. Those that are let in and those that are not are
// counted apart, so that neither keeps out the other.
func (s *Server) checkRateLimit(windows *tools.RateWindows[netip.Prefix], r *http.Request) *refusal {
	if s.options.RateLimit <= 0 {
		return nil
	}
	wait := windows.Take(s.clientAddress(r), s.options.RateLimit, time.Minute, s.now())
	if wait == 0 {
		return nil
	}
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return &refusal{
		status: http.StatusTooManyRequests, code: "RATE_LIMIT_EXCEEDED", retry: seconds,
		message: fmt.Sprintf("at most %d requests a minute from one address; try again in %d s", s.options.RateLimit, seconds),
	}
}

// clientAddress is whose requests are counted together. Behind a proxy it is what the proxy has put at the end of
// X-Forwarded-For; what stands before that are the client's own words.
func (s *Server) clientAddress(r *http.Request) netip.Prefix {
	if forwarded := r.Header.Values("X-Forwarded-For"); s.options.BehindProxy && len(forwarded) > 0 {
		list := strings.Split(forwarded[len(forwarded)-1], ",")
		return clientNetwork(strings.TrimSpace(list[len(list)-1]))
	}
	return clientNetwork(r.RemoteAddr)
}

// clientNetwork is an IPv4 address, or the /64 network that one IPv6 client usually has to itself. All that have no
// address share the zero Prefix.
func clientNetwork(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	address = address.Unmap().WithZone("")
	network, _ := address.Prefix(min(address.BitLen(), 64)) // of a length that fits
	return network
}
