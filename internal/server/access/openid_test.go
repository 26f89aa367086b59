package access

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"toolkit/store"
	"toolkit/tools"
)

const audience = "https://memory.example.org/api/mcp"

// openid is a small OpenID provider.
type openid struct {
	t    *testing.T
	url  string
	keys map[string]*ecdsa.PrivateKey // by their ids
	down atomic.Bool
	asks atomic.Int32
}

func newOpenID(t *testing.T) *openid {
	p := &openid{t: t, keys: map[string]*ecdsa.PrivateKey{"first": newKey(t)}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (p *openid) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.asks.Add(1)
	if p.down.Load() {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/.well-known/openid-configuration" {
		json.NewEncoder(w).Encode(map[string]any{"issuer": p.url, "jwks_uri": p.url + "/keys", "id_token_signing_alg_values_supported": []string{"HS256", "none"}})
		return
	}
	var set jose.JSONWebKeySet
	for id, key := range p.keys {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: key.Public(), KeyID: id, Algorithm: "ES256", Use: "sig"})
	}
	json.NewEncoder(w).Encode(set)
}

// claims are good ones but for what differs; nil leaves one out.
func (p *openid) claims(differ map[string]any) map[string]any {
	now := time.Now()
	c := map[string]any{
		"iss": p.url, "aud": audience, "sub": "1234", "scope": "openid toolkit:read toolkit:write",
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "team": "bakery",
	}
	maps.Copy(c, differ)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

func sign(t *testing.T, algorithm jose.SignatureAlgorithm, key any, id string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: id}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(text)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (p *openid) token(differ map[string]any) string {
	return sign(p.t, jose.ES256, p.keys["first"], "first", p.claims(differ))
}

func (p *openid) checker() *Provider { return &Provider{Issuer: p.url, Audience: audience} }

// settled checks a token until the library has put away the keys that it fetched last: for a moment it answers whoever
// asks next with them, and a token by another key is unknown.
func settled(t *testing.T, checker *Provider, token string) (err error) {
	t.Helper()
	for range 2000 {
		if _, err = checker.CheckAccessToken(t.Context(), token); !errors.Is(err, ErrUnknown) {
			break
		}
		runtime.Gosched()
	}
	return err
}

func TestOnlyTokensThatTheProviderMadeForThisServerAreTaken(t *testing.T) {
	p := newOpenID(t)
	secret, err := x509.MarshalPKIXPublicKey(p.keys["first"].Public())
	if err != nil {
		t.Fatal(err)
	}
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
	unsigned := none + "." + strings.Split(p.token(nil), ".")[1] + "."
	changed := strings.Split(p.token(nil), ".")
	changed[1] = strings.Split(p.token(map[string]any{"sub": "somebody else"}), ".")[1]
	later, before := time.Now().Add(time.Hour).Unix(), time.Now().Add(-time.Second).Unix()
	checker := p.checker()
	for _, test := range []struct {
		name, token string
		err         error
	}{
		{"a good one", p.token(nil), nil},
		{"for others too", p.token(map[string]any{"aud": []string{"https://other.example.org", audience}}), nil},
		{"another issuer", p.token(map[string]any{"iss": "https://other.example.org"}), ErrUnknown},
		{"no issuer", p.token(map[string]any{"iss": nil}), ErrUnknown},
		{"another audience", p.token(map[string]any{"aud": "https://other.example.org"}), ErrUnknown},
		{"an audience that begins like ours", p.token(map[string]any{"aud": audience + "/more"}), ErrUnknown},
		{"no audience", p.token(map[string]any{"aud": nil}), ErrUnknown},
		{"expired", p.token(map[string]any{"exp": before}), ErrUnknown},
		{"an end that is a text", p.token(map[string]any{"exp": strconv.FormatInt(later, 10)}), ErrUnknown},
		{"a beginning that is a text", p.token(map[string]any{"nbf": strconv.FormatInt(before, 10)}), ErrUnknown},
		{"without an end", p.token(map[string]any{"exp": nil}), ErrUnknown},
		{"not yet valid", p.token(map[string]any{"nbf": later}), ErrUnknown},
		{"of nobody", p.token(map[string]any{"sub": nil}), ErrUnknown},
		{"with scopes that are none", p.token(map[string]any{"scope": 7}), ErrUnknown},
		{"another key of the same name", sign(t, jose.ES256, newKey(t), "first", p.claims(nil)), ErrUnknown},
		{"a key that is not there", sign(t, jose.ES256, newKey(t), "nowhere", p.claims(nil)), ErrUnknown},
		{"the public key as a secret", sign(t, jose.HS256, secret, "first", p.claims(nil)), ErrUnknown},
		{"no signature", unsigned, ErrUnknown},
		{"the signature of other claims", strings.Join(changed, "."), ErrUnknown},
		{"no JWT", "tkt_ABC", ErrUnknown},
		{"dots alone", "..", ErrUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := checker.CheckAccessToken(t.Context(), test.token)
			if !errors.Is(err, test.err) || (err == nil) != (c.Rights == tools.MayRead|tools.MayWrite) || (err == nil) != (c.Name == p.url+" 1234") {
				t.Errorf("%+v, %v", c, err)
			}
			if err != nil && strings.Contains(err.Error(), test.token) {
				t.Errorf("the error repeats the token: %v", err)
			}
		})
	}
}

func TestScopesGiveRights(t *testing.T) {
	p := newOpenID(t)
	checker := p.checker()
	for _, test := range []struct {
		name   string
		differ map[string]any
		want   tools.Rights
	}{
		{"one of ours", map[string]any{"scope": "toolkit:forget"}, tools.MayForget},
		{"all of ours", map[string]any{"scope": "toolkit:read toolkit:write toolkit:forget"}, tools.AllRights},
		{"a list", map[string]any{"scope": nil, "scp": []string{"toolkit:read", "profile"}}, tools.MayRead},
		{"those of others", map[string]any{"scope": "openid read other:read toolkit:admin toolkit:"}, 0},
		{"none", map[string]any{"scope": nil}, 0},
		{"under a name in other letters", map[string]any{"scope": nil, "Scope": "toolkit:read"}, 0},
	} {
		if c, err := checker.CheckAccessToken(t.Context(), p.token(test.differ)); err != nil || c.Rights != test.want {
			t.Errorf("%s: %v, %v", test.name, c.Rights.Names(), err)
		}
	}
}

func TestTheSpaceFollowsFromWhoAsks(t *testing.T) {
	p := newOpenID(t)
	token := p.token
	space := func(checker *Provider, text string) (string, error) {
		c, err := checker.CheckAccessToken(t.Context(), text)
		return c.Space, err
	}
	own := p.checker()
	one, err := space(own, token(nil))
	another, err2 := space(own, token(map[string]any{"sub": "1235"}))
	if err != nil || err2 != nil || one == another || !store.ValidSpace(one) || !store.ValidSpace(another) {
		t.Errorf("two people have %q and %q, %v, %v", one, another, err, err2)
	}
	claimed := p.checker()
	claimed.SpaceClaim, claimed.Spaces = "team", map[string]string{"The Ministry": "ministry", "owners": ""}
	for value, want := range map[any]string{"bakery": "bakery", "The Ministry": "ministry", "owners": ""} {
		if got, err := space(claimed, token(map[string]any{"team": value})); err != nil || got != want {
			t.Errorf("%v has %q, %v", value, got, err)
		}
	}
	for _, value := range []any{nil, "", "../anna", "Anna", "a b", strings.Repeat("a", 41), 7, []string{"anna"}} {
		if got, err := space(claimed, token(map[string]any{"team": value})); !errors.Is(err, ErrNoSpace) {
			t.Errorf("%v has %q, %v", value, got, err)
		}
	}
}

func TestKeysThatTheProviderChangesAreFetched(t *testing.T) {
	p := newOpenID(t)
	checker := p.checker()
	old := p.token(nil)
	if _, err := checker.CheckAccessToken(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	next := newKey(t)
	p.keys = map[string]*ecdsa.PrivateKey{"second": next}
	if err := settled(t, checker, sign(t, jose.ES256, next, "second", p.claims(nil))); err != nil {
		t.Errorf("the new key: %v", err)
	}
	if _, err := checker.CheckAccessToken(t.Context(), old); !errors.Is(err, ErrUnknown) {
		t.Errorf("the key that was withdrawn: %v", err)
	}
}

func TestUnknownKeysAreAskedForOnceInAWhile(t *testing.T) {
	p := newOpenID(t)
	checker := p.checker()
	start := time.Now()
	var clock atomic.Int64
	checker.Now = func() time.Time { return start.Add(time.Duration(clock.Load())) }
	if err := settled(t, checker, p.token(nil)); err != nil {
		t.Fatal(err)
	}
	before := p.asks.Load()
	asks := func(at time.Duration, want int32) {
		t.Helper()
		clock.Store(int64(at))
		for i := range 20 {
			if _, err := checker.CheckAccessToken(t.Context(), sign(t, jose.ES256, newKey(t), "unknown"+strconv.Itoa(i), p.claims(nil))); !errors.Is(err, ErrUnknown) {
				t.Fatal(err)
			}
		}
		if n := p.asks.Load() - before; n != want {
			t.Errorf("asked %d times after %s, want %d", n, at, want)
		}
	}
	asks(0, 1)
	asks(keysPause-time.Second, 1)
	next := newKey(t)
	p.keys = map[string]*ecdsa.PrivateKey{"second": next}
	clock.Store(int64(keysPause))
	if err := settled(t, checker, sign(t, jose.ES256, next, "second", p.claims(nil))); err != nil {
		t.Errorf("a new key after the pause: %v", err)
	}
	asks(keysPause, 2)
}

func TestAProviderThatIsDownRefusesNobodyForGood(t *testing.T) {
	p := newOpenID(t)
	p.down.Store(true)
	checker := p.checker()
	var clock atomic.Int64
	checker.Now = func() time.Time { return time.Now().Add(time.Duration(clock.Load())) }
	for range 3 {
		if _, err := checker.CheckAccessToken(t.Context(), p.token(nil)); !errors.Is(err, ErrUnreachable) {
			t.Errorf("before it was ever reached: %v", err)
		}
	}
	if n := p.asks.Load(); n != 1 {
		t.Errorf("it was asked %d times in no time", n)
	}
	p.down.Store(false)
	clock.Add(int64(askAgain))
	if _, err := checker.CheckAccessToken(t.Context(), p.token(nil)); err != nil {
		t.Errorf("when it is back: %v", err)
	}
	p.down.Store(true)
	if _, err := checker.CheckAccessToken(t.Context(), p.token(nil)); err != nil {
		t.Errorf("with keys that are known: %v", err)
	}
	if err := settled(t, checker, sign(t, jose.ES256, newKey(t), "unknown", p.claims(nil))); !errors.Is(err, ErrUnreachable) {
		t.Errorf("with a key that cannot be fetched: %v", err)
	}
}

func TestAProviderThatNamesAnotherIssuerIsNotBelieved(t *testing.T) {
	p := newOpenID(t)
	checker := p.checker()
	checker.Issuer += "/" // as a typing error would have it
	if _, err := checker.CheckAccessToken(t.Context(), p.token(nil)); !errors.Is(err, ErrUnreachable) {
		t.Errorf("%v", err)
	}
}
