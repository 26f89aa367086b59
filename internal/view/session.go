package view

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"sync"
)

// session is the one session of a server: a token that opens it once, and the
// cookie that the browser got for it.
type session struct {
	token  string
	cookie string
	port   int // of the server, once it serves

	mu   sync.Mutex
	used bool
}

func newSession() *session { return &session{token: randomSecret(), cookie: randomSecret()} }

// randomSecret returns 256 random bits.
func randomSecret() string {
	b := make([]byte, 32)
	rand.Read(b) //nolint:errcheck // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// redeemTokenOnce reports whether the token opens the session, which it does once.
func (s *session) redeemTokenOnce(token string) bool {
	right := subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
	s.mu.Lock()
	defer s.mu.Unlock()
	if !right || s.used {
		return false
	}
	s.used = true
	return true
}

// cookieName tells servers on different ports apart: browsers share cookies
// between all ports of a host.
func (s *session) cookieName() string { return "toolkit-view-" + strconv.Itoa(s.port) }

func (s *session) setCookie(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: s.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

func (s *session) hasValidCookie(r *http.Request) bool {
	held := false
	for _, c := range r.CookiesNamed(s.cookieName()) {
		if subtle.ConstantTimeCompare([]byte(c.Value), []byte(s.cookie)) == 1 {
			held = true
		}
	}
	return held
}
