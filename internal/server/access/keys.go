package access

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

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
