package web

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// Certificate is the encryption of a server whose certificate and key stand in files. They are read again when they have
// changed; while they cannot be used, the certificate before them is.
func Certificate(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	state := func() (state string) { // tells the files from those they were
		for _, name := range []string{certFile, keyFile} {
			if info, err := os.Stat(name); err == nil {
				state += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), ";")
			}
		}
		return state
	}
	read := state()
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	var mu sync.Mutex
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		mu.Lock()
		defer mu.Unlock()
		if now := state(); now != read {
			read = now
			if renewed, err := tls.LoadX509KeyPair(certFile, keyFile); err == nil {
				loaded = renewed
				logger.Info("the certificate was read again")
			} else {
				logger.Error("the changed certificate cannot be used; the one before it still is", "error", err.Error())
			}
		}
		current := loaded
		return &current, nil
	}}, nil
}
