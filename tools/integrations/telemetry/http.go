package telemetry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"toolkit/internal/httpclient"
)

const (
	// scrapeTimeout bounds one answer; Prometheus gives up after 10 s by default.
	scrapeTimeout = 8 * time.Second
	// requestTimeout bounds how slowly a request may come in.
	requestTimeout = 5 * time.Second
	// maxHeader is ample for a scraper.
	maxHeader = 16 << 10
)

// CheckListenAddress refuses an address to listen on that others than this machine
// can reach, unless that is wanted.
func CheckListenAddress(address string, exposed bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:9464", address)
	}
	if !exposed && !httpclient.IsLoopback(host) {
		return fmt.Errorf("%q can be reached from other machines; use 127.0.0.1, or say that it is meant", address)
	}
	return nil
}

// Handler serves /metrics. Unless exposed, it answers only requests that name
// this machine as their host, so that no page in a browser reads along.
func (all Recorders) Handler(logger *slog.Logger, exposed bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, q *http.Request) {
		ctx, cancel := context.WithTimeout(q.Context(), scrapeTimeout)
		defer cancel()
		var text bytes.Buffer
		if err := all.Expose(ctx, &text); err != nil {
			logger.Warn("metrics were not read", "error", err.Error())
			http.Error(w, "the metrics could not be read", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", ContentType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(text.Bytes()) //nolint:errcheck // the scraper is gone
	})
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		host := strings.Trim(q.Host, "[]")
		if name, _, err := net.SplitHostPort(q.Host); err == nil {
			host = name
		}
		if !exposed && !httpclient.IsLoopback(host) {
			http.Error(w, "this address is for this machine only", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, q)
	})
}

// Serve answers on a listener until the context ends.
func (all Recorders) Serve(ctx context.Context, l net.Listener, logger *slog.Logger, exposed bool) error {
	server := &http.Server{
		Handler: all.Handler(logger, exposed), ReadHeaderTimeout: requestTimeout, ReadTimeout: requestTimeout,
		WriteTimeout: scrapeTimeout + requestTimeout, IdleTimeout: time.Minute, MaxHeaderBytes: maxHeader,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // its end is what is wanted
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
