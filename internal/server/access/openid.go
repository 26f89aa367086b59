package access

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/tidwall/gjson"

	"toolkit/internal/httpclient"
	"toolkit/store"
	"toolkit/tools"
)

const (
	askTimeout = 10 * time.Second
	maxAnswer  = 1 << 20 // bytes of keys and of what the provider says of itself
	// askAgain is how long a provider that could not be asked is left in peace, while its callers are turned away.
	askAgain = 5 * time.Second
)

// algorithms are those whose keys are public: none needs no key, and with the others the public key would be the secret.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// unfetched begins the error of the library where it could not fetch the provider's keys: it tells this from a false
// signature in its text alone. What a caller sends never stands there.
const unfetched = "failed to verify signature: fetching keys"

// Provider knows the access tokens (JWTs) that an OpenID provider gave out for this server. Its fields are set before
// the first check.
type Provider struct {
	Issuer   string // the provider's address
	Audience string // for whom tokens must be
	// SpaceClaim is the claim that names the caller's space. It must be one that callers cannot choose. Empty: a name made
	// from sub, so that each has a space of his own.
	SpaceClaim string
	// Spaces are the spaces of some values of that claim, or of sub. An empty space is the database's own.
	Spaces map[string]string
	Now    func() time.Time // nil: time.Now

	mu       sync.Mutex // held while the provider is asked about itself
	verifier *oidc.IDTokenVerifier
	failed   time.Time // when it could not be asked
}

// Discover asks the provider about itself, once it could be reached never again. The error is ErrUnreachable with its cause.
func (p *Provider) Discover(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Now == nil {
		p.Now = time.Now
	}
	switch {
	case p.verifier != nil:
		return nil
	case !p.failed.IsZero() && p.Now().Sub(p.failed) < askAgain:
		return ErrUnreachable
	}
	client := httpclient.NewHTTP(askTimeout, maxAnswer)
	ctx = oidc.ClientContext(context.WithoutCancel(ctx), client) // the next one needs the answer too
	provider, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		p.failed = p.Now()
		return fmt.Errorf("%w (%v)", ErrUnreachable, err)
	}
	fetcher := &http.Client{Transport: &keyFetcher{client: client, now: p.Now}}
	p.verifier = provider.VerifierContext(oidc.ClientContext(ctx, fetcher), &oidc.Config{ClientID: p.Audience, SupportedSigningAlgs: algorithms, Now: p.Now})
	return nil
}

// CheckAccessToken finds out whose an access token is.
func (p *Provider) CheckAccessToken(ctx context.Context, sent string) (Caller, error) {
	if strings.Count(sent, ".") != 2 { // no JWT
		return Caller{}, ErrUnknown
	}
	if err := p.Discover(ctx); err != nil {
		return Caller{}, err
	}
	token, err := p.verifier.Verify(ctx, sent) // it does not change any more
	switch {
	case err != nil && strings.HasPrefix(err.Error(), unfetched):
		return Caller{}, fmt.Errorf("%w (%v)", ErrUnreachable, err)
	case err != nil || token.Subject == "":
		return Caller{}, ErrUnknown
	}
	var text json.RawMessage
	if err := token.Claims(&text); err != nil {
		return Caller{}, ErrUnknown
	}
	claims := gjson.ParseBytes(text).Map()
	rights, err := parseRightsFromClaims(claims)
	if err != nil {
		return Caller{}, err
	}
	space, err := p.chooseSpace(token, claims)
	if err != nil {
		return Caller{}, err
	}
	return Caller{Name: token.Issuer + " " + token.Subject, Space: space, Rights: rights}, nil
}

// parseRightsFromClaims reads scopes where providers write them, as texts with spaces between: under the standard's name first, then
// that of some. A text in the place of a time, which the library takes, makes a token unknown: the standard does not allow it.
func parseRightsFromClaims(claims map[string]gjson.Result) (r tools.Rights, err error) {
	for _, name := range []string{"exp", "nbf", "iat"} {
		if claims[name].Type == gjson.String {
			return 0, ErrUnknown
		}
	}
	for _, scopes := range append(claims["scope"].Array(), claims["scp"].Array()...) {
		if scopes.Type != gjson.String {
			return 0, ErrUnknown
		}
		for scope := range strings.FieldsSeq(scopes.Str) {
			name, ours := strings.CutPrefix(scope, scopePrefix)
			if right, err := tools.ParseRights([]string{name}); ours && err == nil { // what else there may be means nothing here
				r |= right
			}
		}
	}
	return r, nil
}

// chooseSpace returns that of the caller. A name made from sub stands for the issuer and sub together, which alone are unique.
func (p *Provider) chooseSpace(token *oidc.IDToken, claims map[string]gjson.Result) (string, error) {
	value := claims[cmp.Or(p.SpaceClaim, "sub")].Str // empty where it is no text
	space, given := p.Spaces[value]
	switch {
	case value == "":
		return "", ErrNoSpace
	case given:
		return space, nil
	case p.SpaceClaim == "":
		sum := sha256.Sum256([]byte(token.Issuer + " " + token.Subject))
		return "u" + hex.EncodeToString(sum[:16]), nil
	case !store.ValidSpace(value):
		return "", ErrNoSpace
	}
	return value, nil
}

// keysPause is how long no token of an unknown key makes the server ask for the provider's keys again: whoever asks can
// invent such tokens, and the library asks for each.
const keysPause = 30 * time.Second

// keyFetcher fetches the provider's keys, and gives its last answer again until the pause is over. The first fetch
// begins no pause: the provider may have changed its keys since. A failure pauses for askAgain.
type keyFetcher struct {
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	again time.Time // when it may be asked again
	keys  []byte    // of the last good answer
	err   error
}

// RoundTrip answers a request for the keys.
func (f *keyFetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); !now.Before(f.again) {
		if f.keys != nil {
			f.again = now.Add(keysPause)
		}
		if f.err = f.fetchKeys(r); f.err != nil {
			f.again = now.Add(askAgain)
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(f.keys)), Request: r}, nil
}

func (f *keyFetcher) fetchKeys(r *http.Request) error {
	response, err := f.client.Do(r.Clone(r.Context()))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New("the provider answered " + response.Status)
	}
	keys, err := io.ReadAll(response.Body)
	if err == nil {
		f.keys = keys
	}
	return err
}
