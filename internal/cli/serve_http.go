package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"toolkit/internal/server/rpc"
	"toolkit/internal/server/web"
)

// minToken is the length from which a random token cannot be guessed through a rate limit.
const minToken = 16

// httpSettings say how to serve HTTP.
type httpSettings struct {
	address   string
	token     string
	rate      string
	rateLimit int
	hosts     []string
	drain     string
	drains    time.Duration
	access    accessSettings
}

func (h *httpSettings) addFlags(o *settings, f *pflag.FlagSet) {
	f.StringVar(&h.address, "http", "", "serve HTTP on this address, such as 127.0.0.1:8765")
	// The variables are read when the command runs: a default would show the token in --help.
	f.StringVar(&h.token, "token", "", "HTTP: the bearer token that clients must send; a loopback address works without one ($TOOLKIT_TOKEN)")
	f.StringVar(&h.rate, "http-rate-limit", o.envOr("TOOLKIT_HTTP_RATE_LIMIT", strconv.Itoa(web.DefaultRateLimit)), "HTTP: POST requests a minute from one client address; 0 is no limit ($TOOLKIT_HTTP_RATE_LIMIT)")
	f.StringSliceVar(&h.hosts, "http-host", o.envList("TOOLKIT_HTTP_HOST"), "HTTP: further host names by which clients may address the server ($TOOLKIT_HTTP_HOST)")
	f.StringVar(&h.drain, "http-drain", o.envOr("TOOLKIT_HTTP_DRAIN", "0s"), "HTTP: how long to go on after SIGTERM while /readyz says that this server is ending, such as 5s ($TOOLKIT_HTTP_DRAIN)")
	h.access.addFlags(o, f)
}

// checkSettingsAndResolve resolves the address and finds what would keep the port from being opened.
func (h *httpSettings) checkSettingsAndResolve(o *settings) (*net.TCPAddr, error) {
	if h.token == "" {
		h.token = o.streams.Getenv("TOOLKIT_TOKEN")
	}
	if err := h.checkToken(); err != nil {
		return nil, err
	}
	if err := errors.Join(h.parseRateLimit(o), h.parseDrainTimeout(o)); err != nil {
		return nil, err
	}
	if _, _, err := net.SplitHostPort(h.address); err != nil {
		return nil, usagef("--http %q is not HOST:PORT, such as 127.0.0.1:8765", h.address)
	}
	address, err := net.ResolveTCPAddr("tcp", h.address)
	if err != nil {
		return nil, usagef("--http %q cannot be resolved: %v", h.address, err)
	}
	return address, h.checkAccess(o, address)
}

// listen checks the settings and opens the port.
func (h *httpSettings) listen(o *settings) (net.Listener, error) {
	address, err := h.checkSettingsAndResolve(o)
	if err != nil {
		return nil, err
	}
	network := "tcp"
	if address.IP.To4() != nil {
		network = "tcp4" // 0.0.0.0 would open IPv6 as well
	}
	listener, err := net.ListenTCP(network, address)
	if err != nil {
		return nil, fmt.Errorf("serve HTTP: %w; choose another address with --http", err)
	}
	return listener, nil
}

// checkToken refuses what could be guessed, or could not be sent in a header. No message repeats the token.
func (h *httpSettings) checkToken() error {
	if h.token == "" {
		return nil
	}
	if len(h.token) < minToken {
		return usagef("the token is too short to be safe; use at least %d random characters", minToken)
	}
	if strings.ContainsFunc(h.token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return usagef("the token has spaces or characters that a header cannot carry; use letters and digits")
	}
	return nil
}

// maxRateLimit bounds what the limiter remembers of one address.
const maxRateLimit = 10_000

func (h *httpSettings) parseRateLimit(o *settings) (err error) {
	if h.rateLimit, err = strconv.Atoi(strings.TrimSpace(h.rate)); err != nil || h.rateLimit < 0 || h.rateLimit > maxRateLimit {
		return o.newSettingError("TOOLKIT_HTTP_RATE_LIMIT", "%q is not a number of requests a minute from 0, which is no limit, to %d", h.rate, maxRateLimit)
	}
	return nil
}

func (h *httpSettings) webOptions(calls *rpc.Scheduler, logger *slog.Logger) web.Options {
	return web.Options{Hosts: h.hosts, RateLimit: h.rateLimit, Drain: h.drains, Calls: calls, Logger: logger}
}
