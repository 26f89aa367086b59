package connections

import (
	"net/http"
	"slices"
	"strings"
)

// SetSecurityHeaders sets the headers that keep a browser from doing more with an answer than a content policy allows: types are
// not guessed, and nothing is framed, kept or passed on.
func SetSecurityHeaders(h http.Header, policy string) {
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy": "camera=(), microphone=(), geolocation=()", "Cache-Control": "no-store",
	} {
		h.Set(name, value)
	}
}

// IsFromOwnPage reports whether no other page than one of these hosts, with their ports, made a request. Browsers name
// the origin of some requests only.
func IsFromOwnPage(r *http.Request, hosts ...string) bool {
	return !slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool {
		host, plain := strings.CutPrefix(origin, "http://")
		return !plain || !slices.Contains(hosts, host)
	})
}
