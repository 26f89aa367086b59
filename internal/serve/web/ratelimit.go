package web

import (
	"net"
	"net/netip"
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
	addresses := min(max(maxRecorded/limit, minAddresses), maxAddresses)
	recent, err := lru.New[netip.Prefix, []int64](addresses)
	if err != nil {
		panic(err) // the size is positive
	}
	return &rateLimiter{limit: limit, window: window, now: now, recent: recent}
}

// take counts a request of an address, or returns how long it has to wait. What is refused does not count.
func (l *rateLimiter) take(address netip.Prefix) (wait time.Duration) { return l.look(address, true) }

// look is how long an address has to wait; if not at all, its request may be counted.
func (l *rateLimiter) look(address netip.Prefix, count bool) (wait time.Duration) {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().UnixNano()
	times, _ := l.recent.Get(address)
	kept := 0
	for _, t := range times {
		if now-t < int64(l.window) {
			times[kept] = t
			kept++
		}
	}
	times = times[:kept]
	if kept >= l.limit {
		l.recent.Add(address, times)
		return l.window - time.Duration(now-times[0])
	}
	if count {
		l.recent.Add(address, append(times, now))
	}
	return 0
}

// clientAddress is whose requests are counted together: an IPv4 address, or the /64 network that one IPv6 client
// usually has to itself. Only the connection says who that is: headers such as X-Forwarded-For are the client's own.
func clientAddress(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{} // all that have no address share one window
	}
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
