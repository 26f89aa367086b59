package connections

import (
	"net/http"
	"testing"
)

func TestOnlyAServersOwnPagesMayAsk(t *testing.T) {
	for name, c := range map[string]struct {
		origins []string
		want    bool
	}{
		"none named":        {nil, true},
		"its own":           {[]string{"http://127.0.0.1:8080"}, true},
		"by its other name": {[]string{"http://localhost:8080"}, true},
		"another port":      {[]string{"http://127.0.0.1:8081"}, false},
		"another scheme":    {[]string{"https://127.0.0.1:8080"}, false},
		"no page":           {[]string{"null"}, false},
		"one of two":        {[]string{"http://127.0.0.1:8080", "http://evil.example"}, false},
	} {
		r := &http.Request{Header: http.Header{"Origin": c.origins}}
		if got := IsFromOwnPage(r, "127.0.0.1:8080", "localhost:8080"); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestHardenedAnswersAreNeitherKeptNorFramed(t *testing.T) {
	h := http.Header{}
	SetSecurityHeaders(h, "default-src 'none'")
	for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"} {
		if got := h.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
