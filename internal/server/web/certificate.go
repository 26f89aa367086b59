package web

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync/atomic"
)

// LoadReloadingTLSConfig returns the encryption of a server whose certificate and key stand in files. They are read again for each
// connection, which takes far less than to greet it; while they cannot be used, the certificate before them is.
func LoadReloadingTLSConfig(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	var last atomic.Pointer[tls.Certificate]
	last.Store(&loaded)
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		renewed, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			logger.Error("the changed certificate cannot be used; the one before it still is", "error", err.Error())
			return last.Load(), nil
		}
		last.Store(&renewed)
		return &renewed, nil
	}}, nil
}
