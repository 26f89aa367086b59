package web

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/server/access"
	"toolkit/internal/testenv"
	"toolkit/tools"
)

func listenEverywhere(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// writeCertificate writes a certificate of a number, with its key, and returns whom to trust.
func writeCertificate(t *testing.T, folder string, number int64) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(number), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, of, of, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: certificate}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		text := pem.EncodeToMemory(block)
		pool.AppendCertsFromPEM(text)
		file := filepath.Join(folder, name)
		testenv.Write(t, file, text)
		changed := time.Now().Add(time.Duration(number) * time.Second) // also where the clock of files is coarse
		if err := os.Chtimes(file, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

func TestTheCertificateIsReadAgainWhenItChanges(t *testing.T) {
	folder := t.TempDir()
	pool := writeCertificate(t, folder, 1)
	var log bytes.Buffer
	config, err := LoadReloadingTLSConfig(filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	shown := func() int64 {
		t.Helper()
		c, err := config.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Leaf.SerialNumber.Int64()
	}
	if shown() != 1 {
		t.Errorf("it shows %d", shown())
	}
	writeCertificate(t, folder, 2)
	if shown() != 2 {
		t.Errorf("it shows %d", shown())
	}
	testenv.Write(t, filepath.Join(folder, "cert.pem"), "half")
	if shown() != 2 || !strings.Contains(log.String(), "still is") {
		t.Errorf("it shows %d and says %s", shown(), log.String())
	}
	if _, err := LoadReloadingTLSConfig(filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"), slog.Default()); err == nil {
		t.Error("a certificate that is none is taken")
	}
	if pool.Equal(x509.NewCertPool()) {
		t.Error("nobody is trusted")
	}
}

func TestOtherMachinesAreServedEncrypted(t *testing.T) {
	folder := t.TempDir()
	pool := writeCertificate(t, folder, 1)
	config, err := LoadReloadingTLSConfig(filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	const token = "correct-horse-battery-staple"
	w := newServer(t, Options{Guarded: true, Callers: access.NewSecretCheck(token), TLS: config, Provider: provider}, tools.Access{})
	listener := listenEverywhere(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.server.Serve(ctx, listener) }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	for _, test := range []struct {
		token  string
		status int
	}{{token, http.StatusOK}, {"wrong", http.StatusUnauthorized}} {
		w.url = "https://127.0.0.1:" + port
		response, err := client.Do(w.request(t.Context(), http.MethodPost, PathMCP, call(1, "echo", nil), as(test.token)...))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status || response.ProtoMajor != 1 {
			t.Errorf("%s: %s %s", test.token, response.Status, response.Proto)
		}
		if challenge := response.Header.Get("WWW-Authenticate"); challenge != "" && !strings.Contains(challenge, `resource_metadata="https://127.0.0.1:`+port) {
			t.Errorf("the challenge is %s", challenge)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
