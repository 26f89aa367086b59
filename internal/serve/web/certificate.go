package web

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// certificate is what a server shows of itself, from files that are replaced while it serves.
type certificate struct {
	certFile, keyFile string
	logger            *slog.Logger

	mu     sync.Mutex
	loaded *tls.Certificate
	state  string // of the files when it was loaded, or last tried
}

// Certificate is the encryption of a server whose certificate and key stand in files. They are read again when they have
// changed; while they cannot be used, the certificate before them is.
func Certificate(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, logger: logger}
	c.state = c.look()
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state := c.look(); state != c.state {
		c.state = state
		if err := c.load(); err != nil {
			c.logger.Error("the changed certificate cannot be used; the one before it still is", "error", err.Error())
		} else {
			c.logger.Info("the certificate was read again")
		}
	}
	return c.loaded, nil
}

func (c *certificate) load() error {
	loaded, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.loaded = &loaded
	}
	return err
}

// look tells the files from those they were.
func (c *certificate) look() (state string) {
	for _, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			state += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), ";")
		}
	}
	return state
}
