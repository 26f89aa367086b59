package web

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// The memory of a limiter is bounded by the times it may hold: about 8 MB.
const (
	maxRecorded  = 1_000_000
	maxAddresses = 10_000
	minAddresses = 100
)

// limitRate refuses the request of an address that has sent too many. Those that are let in and those that are not are
// counted apart, so that neither keeps out the other.
func (s *Server) limitRate(limiter *rateLimiter, r *http.Request) *refusal {
	wait := limiter.take(s.clientAddress(r))
	if wait == 0 {
		return nil
	}
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return &refusal{
		status: http.StatusTooManyRequests, code: "RATE_LIMIT_EXCEEDED", retry: seconds,
		message: fmt.Sprintf("at most %d requests a minute from one address; try again in %d s", s.options.RateLimit, seconds),
	}
}

// rateLimiter bounds the requests of each client address in a sliding window. When too many addresses are known, the
// one that was quiet longest is forgotten.
type rateLimiter struct {
	limit  int
	window time.Duration
	now    func() time.Time

	mu     sync.Mutex
	recent *lru.Cache[netip.Prefix, []int64] // times in nanoseconds, oldest first
}

// newRateLimiter returns nil, which permits everything, for a limit of 0.
func newRateLimiter(limit int, window time.Duration, now func() time.Time) *rateLimiter {
	if limit <= 0 {
		return nil
	}
	recent, err := lru.New[netip.Prefix, []int64](min(max(maxRecorded/limit, minAddresses), maxAddresses))
	if err != nil {
		panic(err) // the size is positive
	}
	return &rateLimiter{limit: limit, window: window, now: now, recent: recent}
}

// take counts a request of an address, or returns how long it has to wait. What is refused does not count.
func (l *rateLimiter) take(address netip.Prefix) (wait time.Duration) {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().UnixNano()
	times, _ := l.recent.Get(address)
	for len(times) > 0 && now-times[0] >= int64(l.window) {
		times = times[1:]
	}
	if len(times) >= l.limit {
		wait = l.window - time.Duration(now-times[0])
	} else {
		times = append(times, now)
	}
	l.recent.Add(address, times)
	return wait
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
