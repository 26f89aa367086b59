package access

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// keysPause is how long no token of an unknown key makes the server ask for the provider's keys again: whoever asks can
// invent such tokens, and the library asks for each.
const keysPause = 30 * time.Second

// keys tells keys that could not be fetched from a signature that is false: the library's verifier keeps only the text
// of both.
type keys struct{ *oidc.RemoteKeySet }

type fetchKey struct{}

// VerifySignature is that of the library.
func (k keys) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, jwt)
	if unfetched, ok := ctx.Value(fetchKey{}).(*bool); ok && err != nil {
		*unfetched = strings.HasPrefix(err.Error(), "fetching keys")
	}
	return payload, err
}

// keyFetcher fetches the provider's keys, and gives its last answer again until the pause is over. The first fetch
// begins no pause: the provider may have changed its keys since. A failure pauses for askAgain.
type keyFetcher struct {
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	again time.Time // when it may be asked again
	held  *heldAnswer
	err   error
}

// heldAnswer is an answer whose body can be read several times.
type heldAnswer struct {
	http.Response
	body []byte
}

// RoundTrip answers a request for the keys.
func (f *keyFetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); !now.Before(f.again) {
		first := f.held == nil
		answer, err := f.fetch(r)
		f.err = err
		switch {
		case err != nil || answer.StatusCode != http.StatusOK:
			f.again = now.Add(askAgain)
		case !first:
			f.again = now.Add(keysPause)
		}
		if err == nil {
			f.held = answer
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	answer := f.held.Response
	answer.Body, answer.Request = io.NopCloser(bytes.NewReader(f.held.body)), r
	return &answer, nil
}

func (f *keyFetcher) fetch(r *http.Request) (*heldAnswer, error) {
	response, err := f.client.Do(r.Clone(r.Context()))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return &heldAnswer{*response, body}, err
}
