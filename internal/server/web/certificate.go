package web

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync"
)

// Certificate is the encryption of a server whose certificate and key stand in files. They are read again for each
// connection, which takes far less than to greet it; while they cannot be used, the certificate before them is.
func Certificate(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	var mu sync.Mutex
	usable := true
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		mu.Lock()
		defer mu.Unlock()
		renewed, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err == nil {
			loaded = renewed
		} else if usable {
			logger.Error("the changed certificate cannot be used; the one before it still is", "error", err.Error())
		}
		usable = err == nil
		current := loaded
		return &current, nil
	}}, nil
}
