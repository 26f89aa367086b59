package web

import (
	"net/http"
	"testing"

	"toolkit/internal/server/access"
)

func TestTheLimitIsSharedByTheEndpointsAndSlides(t *testing.T) {
	w := newWorld(t, Options{RateLimit: 3})
	wantStatus(t, "the first", w.post(call(1, "echo", nil)), http.StatusOK)
	w.clock.Add(20)
	wantStatus(t, "the second", w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny"}`), http.StatusOK)
	wantStatus(t, "the third", w.post(call(1, "echo", nil), "X-Forwarded-For", "10.0.0.1"), http.StatusOK)
	for range 2 { // refusals do not count
		a := w.post(call(1, "echo", nil), "X-Forwarded-For", "10.0.0.2", "Forwarded", "for=10.0.0.3")
		wantStatus(t, "the fourth", a, http.StatusTooManyRequests)
		if a.header.Get("Retry-After") != "40" || path(a.json(t), "error", "data", "retry_after_seconds") != 40.0 {
			t.Errorf("Retry-After %q, %s", a.header.Get("Retry-After"), a.body)
		}
	}
	a := w.do(http.MethodPost, PathLegitimacy, `{}`)
	wantStatus(t, "the other endpoint", a, http.StatusTooManyRequests)
	if path(a.json(t), "error", "code") != "RATE_LIMIT_EXCEEDED" {
		t.Errorf("it says %s", a.body)
	}
	wantStatus(t, "reading", w.do(http.MethodGet, PathMCP, ""), http.StatusOK)
	w.clock.Add(40)
	wantStatus(t, "when the first is a minute old", w.post(call(1, "echo", nil)), http.StatusOK)
	wantStatus(t, "one more then", w.post(call(1, "echo", nil)), http.StatusTooManyRequests)
}

func TestWrongTokensAreLimitedApartFromRightOnes(t *testing.T) {
	const token = "correct-horse-battery-staple"
	w := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck(token), RateLimit: 3})
	ask := func(token string) int { return w.post(call(1, "echo", nil), "Authorization", "Bearer "+token).status }
	for i, want := range []int{http.StatusUnauthorized, http.StatusUnauthorized, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusTooManyRequests} {
		if got := ask("guess"); got != want {
			t.Errorf("guess %d: %d, want %d", i, got, want)
		}
	}
	for i, want := range []int{http.StatusOK, http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		if got := ask(token); got != want {
			t.Errorf("call %d with the token: %d, want %d", i, got, want)
		}
	}
	w.clock.Add(60)
	if got := ask("guess"); got != http.StatusUnauthorized {
		t.Errorf("a guess a minute later, after calls that were refused: %d", got)
	}
}

func TestEachAddressHasItsOwnLimit(t *testing.T) {
	for _, test := range []struct {
		remote, same string // that is counted with it; empty: none of those before is
	}{
		{"192.0.2.1:1000", ""},
		{"192.0.2.1:2000", "192.0.2.1:1000"},
		{"[::ffff:192.0.2.1]:3000", "192.0.2.1:1000"}, // the same address, said otherwise
		{"192.0.2.2:1000", ""},
		{"[2001:db8::1]:1", ""},
		{"[2001:db8::2:3]:1", "[2001:db8::1]:1"}, // a network of that size belongs to one client
		{"[2001:db8:0:1::1]:1", ""},
		{"[fe80::1%eth0]:1", ""},
		{"pipe", ""},
		{"no address", "pipe"},
	} {
		for _, other := range []string{"192.0.2.1:1000", "[2001:db8::1]:1", "pipe"} {
			if together := clientNetwork(test.remote) == clientNetwork(other); together != (other == test.same || other == test.remote) {
				t.Errorf("%s and %s are counted together: %t", test.remote, other, together)
			}
		}
	}
}

func TestWithoutALimitNothingIsCounted(t *testing.T) {
	w := newWorld(t, Options{})
	for range 2 * DefaultRateLimit {
		wantStatus(t, "one of many", w.post(call(1, "echo", nil)), http.StatusOK)
	}
}
