package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/httpclient"
	"toolkit/internal/server/web"
)

const (
	// defaultServer is where a server on this machine is asked whether it is ready.
	defaultServer = "http://127.0.0.1:8765"
	// readyTimeout is how long it may take to say so.
	readyTimeout = 5 * time.Second
	// maxDrainTimeout is how long a server may take to be left by its callers.
	maxDrainTimeout = 5 * time.Minute
)

func newReady(o *settings) *cobra.Command {
	return newCommand("ready", requireArgumentCount(0, 1, "at most one ADDRESS"), func(cmd *cobra.Command, args []string) error {
		return o.checkReady(cmd.Context(), append(args, defaultServer)[0])
	})
}

// checkReady asks a server whether it serves calls. It sends nothing but the question.
func (o *settings) checkReady(ctx context.Context, address string) error {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return usagef("%q is not an address such as %s", address, defaultServer)
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.Scheme+"://"+u.Host+web.PathReady, nil)
	if err != nil {
		return usagef("%q is not an address such as %s", address, defaultServer)
	}
	// Straight there, and on this machine whatever the certificate is called: it is made out to the server's public name.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: httpclient.IsLoopback(u.Hostname())}}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("not ready: %s does not answer: %w", u.Host, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return errors.New("not ready: " + response.Status + " " + strings.TrimSpace(string(said)))
	}
	return o.printf("ready\n")
}

// parseDrainTimeout reads how long the server goes on when it is to end.
func (h *httpSettings) parseDrainTimeout(o *settings) (err error) {
	if h.drains, err = time.ParseDuration(h.drain); err != nil || h.drains < 0 || h.drains > maxDrainTimeout {
		return o.newSettingError("TOOLKIT_HTTP_DRAIN", "%q is not a time from 0s to %s, such as 5s", h.drain, maxDrainTimeout)
	}
	return nil
}
