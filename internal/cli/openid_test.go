package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"toolkit/internal/testenv"
)

// openID is an OpenID provider with one key, which also certifies the server.
type openID struct {
	t   *testing.T
	key *ecdsa.PrivateKey
	url string
}

func newOpenID(t *testing.T) *openID {
	t.Helper()
	p := &openID{t: t}
	var err error
	if p.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any = map[string]any{"issuer": p.url, "jwks_uri": p.url + "/keys"}
		if r.URL.Path == "/keys" {
			answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "one", Algorithm: "ES256"}}}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *openID) token(subject, scope string) string {
	p.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: "one"}}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	claims, err := json.Marshal(map[string]any{"iss": p.url, "aud": "toolkit", "sub": subject, "scope": scope, "exp": time.Now().Add(time.Hour).Unix()})
	if err != nil {
		p.t.Fatal(err)
	}
	signed, err := signer.Sign(claims)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// certify writes a certificate for this machine and returns a client that trusts it.
func (p *openID) certify(certFile, keyFile string) *http.Client {
	p.t.Helper()
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, of, of, p.key.Public(), p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: certificate}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		text := pem.EncodeToMemory(block)
		pool.AppendCertsFromPEM(text)
		testenv.Write(p.t, name, text)
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

func TestPeopleOfAProviderFindTheirWayAndTheirSpaces(t *testing.T) {
	p := newOpenID(t)
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	client := p.certify(cert, key)
	s := serveHTTP(t, "", "--http-rate-limit", "0", "--oidc-issuer", p.url, "--oidc-audience", "toolkit", "--oidc-space", "ann=bakery,ben=bakery", "--tls-cert", cert, "--tls-key", key)
	ask := func(method, url, token, body string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(text)
	}
	refused, _ := ask(http.MethodPost, s.url, "", callLine(1, "read_graph", map[string]any{}))
	_, metadata, found := strings.Cut(refused.Header.Get("WWW-Authenticate"), `resource_metadata="`)
	if refused.StatusCode != http.StatusUnauthorized || !found || !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("%s: %s %v", s.url, refused.Status, refused.Header)
	}
	if _, text := ask(http.MethodGet, strings.Trim(metadata, `"`), "", ""); !strings.Contains(text, `"authorization_servers":["`+p.url+`"]`) || !strings.Contains(text, `"resource":"`+s.url+`"`) {
		t.Errorf("the server says of itself %s", text)
	}
	const all = "toolkit:read toolkit:write"
	if response, text := ask(http.MethodPost, s.url, p.token("ann", all), callLine(1, "create_entities", oneEntity("Sourdough"))); response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", response.Status, text)
	}
	for _, test := range []struct {
		name, subject, scope string
		status               int
		finds                bool
	}{
		{"a colleague", "ben", "toolkit:read", http.StatusOK, true},
		{"somebody else", "cleo", all, http.StatusOK, false},
		{"without a scope", "ann", "openid", http.StatusForbidden, false},
	} {
		response, text := ask(http.MethodPost, s.url, p.token(test.subject, test.scope), callLine(1, "read_graph", map[string]any{}))
		if response.StatusCode != test.status || strings.Contains(text, "Sourdough") != test.finds {
			t.Errorf("%s: %s %s", test.name, response.Status, text)
		}
	}
}
