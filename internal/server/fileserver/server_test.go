package fileserver

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

const (
	knownHash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	otherHash = "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7"
	content   = "hello, this is the content of a file"
)

// opened is an open file in memory.
type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }

// bench is a server with two files and a clock.
type bench struct {
	*Server
	t   *testing.T
	mu  sync.Mutex
	now time.Time
}

func newBench(t *testing.T) *bench { return openBench(t, filepath.Join(t.TempDir(), "files.key")) }

func openBench(t *testing.T, key string) *bench {
	b := &bench{t: t, now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	b.Server = New(Options{KeyFile: key, Now: b.time, Open: func(_ context.Context, hash string) (File, error) {
		if hash != knownHash && hash != otherHash {
			return File{}, ErrNotFound
		}
		return File{ReadSeekCloser: opened{bytes.NewReader([]byte(content))}, Name: "a page.html", MIME: "text/html"}, nil
	}})
	t.Cleanup(func() { b.Close() })
	return b
}

func (b *bench) time() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bench) advance(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *bench) url(hash, name string, lives time.Duration) *url.URL {
	b.t.Helper()
	text, err := b.URL(hash, name, b.time().Add(lives))
	if err != nil {
		b.t.Fatal(err)
	}
	address, err := url.Parse(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return address
}

// answer is the response to a request, with its body read.
func (b *bench) answer(method string, address *url.URL, change func(*http.Request)) (*http.Response, string) {
	b.t.Helper()
	r, err := http.NewRequest(method, address.String(), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return w, string(body)
}

func (b *bench) expect(what string, status int, method string, address *url.URL, change func(*http.Request)) {
	b.t.Helper()
	w, body := b.answer(method, address, change)
	if w.StatusCode != status {
		b.t.Errorf("%s: status %d, want %d (%s)", what, w.StatusCode, status, body)
	}
	if status != http.StatusOK && strings.Contains(body, "hello") {
		b.t.Errorf("%s: the content got out", what)
	}
}

func TestOnlyAURLAsItWasSignedIsAnswered(t *testing.T) {
	b := newBench(t)
	good := b.url(knownHash, "page.html", time.Minute)
	b.expect("as signed", http.StatusOK, "GET", good, nil)
	changed := func(change func(u *url.URL, q url.Values)) *url.URL {
		u, q := *good, good.Query()
		change(&u, q)
		if q != nil {
			u.RawQuery = q.Encode()
		}
		return &u
	}
	for what, address := range map[string]*url.URL{
		"another file":        changed(func(u *url.URL, _ url.Values) { u.Path = strings.Replace(u.Path, knownHash, otherHash, 1) }),
		"another name":        changed(func(u *url.URL, _ url.Values) { u.Path += "x" }),
		"no name":             changed(func(u *url.URL, _ url.Values) { u.Path = prefix + knownHash }),
		"another encoding":    changed(func(u *url.URL, _ url.Values) { u.RawPath = strings.Replace(u.Path, "page", "%70age", 1) }),
		"a path that climbs":  changed(func(u *url.URL, _ url.Values) { u.Path = "/files/../files/" + knownHash + "/page.html" }),
		"the root":            changed(func(u *url.URL, _ url.Values) { u.Path = "/" }),
		"a later end":         changed(func(_ *url.URL, q url.Values) { q.Set("expires", strconv.FormatInt(b.time().Unix()+3600, 10)) }),
		"no end":              changed(func(_ *url.URL, q url.Values) { q.Del("expires") }),
		"an end that is none": changed(func(_ *url.URL, q url.Values) { q.Set("expires", "soon") }),
		"no signature":        changed(func(_ *url.URL, q url.Values) { q.Del("signature") }),
		"an empty signature":  changed(func(_ *url.URL, q url.Values) { q.Set("signature", "") }),
		"a shorter signature": changed(func(_ *url.URL, q url.Values) { q.Set("signature", q.Get("signature")[:62]) }),
		"another signature":   changed(func(_ *url.URL, q url.Values) { q.Set("signature", strings.Repeat("0", 64)) }),
		"an unreadable one":   changed(func(_ *url.URL, q url.Values) { q.Set("signature", "not hexadecimal") }),
		"a signature of other": changed(func(_ *url.URL, q url.Values) {
			q.Set("signature", b.url(otherHash, "page.html", time.Minute).Query().Get("signature"))
		}),
	} {
		b.expect(what, http.StatusForbidden, "GET", address, nil)
	}
	b.expect("signed for GET", http.StatusForbidden, "HEAD", good, nil)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		b.expect(method, http.StatusMethodNotAllowed, method, good, nil)
	}
	for _, host := range []string{"example.org", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]"} {
		b.expect("host "+host, http.StatusForbidden, "GET", good, func(r *http.Request) { r.Host = host })
	}
	for _, origin := range []string{"https://example.org", "http://localhost", "http://127.0.0.1", "https://" + good.Host, "null", "", "http://" + good.Host + ".example.org"} {
		b.expect("origin "+origin, http.StatusForbidden, "GET", good, func(r *http.Request) { r.Header.Set("Origin", origin) })
	}
	b.expect("its own origin", http.StatusOK, "GET", good, func(r *http.Request) { r.Header.Set("Origin", "http://"+good.Host) })
	b.expect("a file that is gone", http.StatusNotFound, "GET", b.url(strings.Repeat("0", 64), "x", time.Minute), nil)
}

func TestAURLEndsOnTime(t *testing.T) {
	b := newBench(t)
	address := b.url(knownHash, "page.html", time.Minute)
	b.advance(time.Minute - time.Nanosecond)
	b.expect("before", http.StatusOK, "GET", address, nil)
	b.advance(time.Nanosecond)
	b.expect("at the end", http.StatusForbidden, "GET", address, nil)
	b.advance(time.Hour)
	b.expect("later", http.StatusForbidden, "GET", address, nil)
	b.expect("signed in the past", http.StatusForbidden, "GET", b.url(knownHash, "page.html", -time.Second), nil)
}

func TestPartsOfAFileAreServed(t *testing.T) {
	b := newBench(t)
	address := b.url(knownHash, "page.html", time.Minute)
	for _, c := range []struct {
		what, header, body string
		status             int
	}{
		{"the beginning", "bytes=0-4", "hello", http.StatusPartialContent},
		{"the end", "bytes=-4", "file", http.StatusPartialContent},
		{"beyond the end", "bytes=1000-", "", http.StatusRequestedRangeNotSatisfiable},
		{"all", "", content, http.StatusOK},
	} {
		w, body := b.answer("GET", address, func(r *http.Request) { r.Header.Set("Range", c.header) })
		if w.StatusCode != c.status || (c.body != "" && body != c.body) {
			t.Errorf("%s: %d %q", c.what, w.StatusCode, body)
		}
	}
	w, _ := b.answer("GET", address, func(r *http.Request) { r.Header.Set("If-None-Match", `"`+knownHash+`"`) })
	if w.StatusCode != http.StatusNotModified {
		t.Errorf("known content: %d", w.StatusCode)
	}
}

func TestNothingInAFileCanRun(t *testing.T) {
	b := newBench(t)
	good := b.url(knownHash, "page.html", time.Minute)
	bad := *good
	bad.Path += "x"
	for what, address := range map[string]*url.URL{"the file": good, "a refusal": &bad} {
		w, _ := b.answer("GET", address, nil)
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'", "Referrer-Policy": "no-referrer", "Cache-Control": "private, no-store"} {
			if got := w.Header.Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q", what, name, got)
			}
		}
		if strings.Contains(w.Header.Get("Content-Security-Policy"), "allow-") || w.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: something is allowed: %v", what, w.Header)
		}
	}
	w, _ := b.answer("GET", good, nil)
	if got := w.Header.Get("Content-Type"); got != "text/html" {
		t.Errorf("type %q", got)
	}
	if got := w.Header.Get("Content-Disposition"); got != `attachment; filename="a page.html"` {
		t.Errorf("disposition %q", got)
	}
}

func TestOddNamesMakeSafeURLsAndHeaders(t *testing.T) {
	b := newBench(t)
	for name, want := range map[string]string{
		"a b.pdf": "a b.pdf", "": "file", "..": "file", " . ": "file", "../../etc/passwd": ".._.._etc_passwd", `c:\x.txt`: "c__x.txt", "a\r\nSet-Cookie: x": "a__Set-Cookie_ x",
		"\U0001F9FE Übersicht.csv": "\U0001F9FE Übersicht.csv", "fdp.\u202eexe": "fdp._exe", "\xff\xfe": "__", "q?x=1#y&z%2f": "q?x=1#y&z%2f", "\x00": "_", `say "hi";`: `say "hi";`,
	} {
		if got := sanitizeFileName(name); got != want {
			t.Errorf("plainName(%q) = %q, want %q", name, got, want)
		}
		b.expect(strconv.Quote(name), http.StatusOK, "GET", b.url(knownHash, name, time.Minute), nil)
		if header := contentDisposition("text/html", name); strings.ContainsAny(header, "\r\n\x00") || !strings.HasPrefix(header, "attachment") {
			t.Errorf("disposition of %q is %q", name, header)
		}
	}
	if long := sanitizeFileName(strings.Repeat("ü", 500)); len(long) > maxName || !strings.HasPrefix(long, "üü") {
		t.Errorf("a long name became %d bytes", len(long))
	}
	if got := contentDisposition("image/png", "a.png"); !strings.HasPrefix(got, "inline") {
		t.Errorf("an image is %q", got)
	}
}

func TestAFileThatIsNoKeyIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "files.key")
	testenv.Write(t, path, "short")
	if _, err := openBench(t, path).URL(knownHash, "x", time.Now()); err == nil {
		t.Error("a short key signed a URL")
	}
}

func TestTheServerListensOnThisMachineFromTheFirstURLUntilItCloses(t *testing.T) {
	b := newBench(t)
	if b.http != nil {
		t.Fatal("it listens before there is a URL")
	}
	address := b.url(knownHash, "x", time.Minute)
	if address.Hostname() != "127.0.0.1" || b.url(otherHash, "x", time.Minute).Host != address.Host {
		t.Errorf("it listens on %s", address.Host)
	}
	b.expect("open", http.StatusOK, "GET", address, nil)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get(address.String()); err == nil {
		t.Error("it still answers")
	}
	if _, err := b.URL(knownHash, "x", b.time()); err == nil {
		t.Error("a closed server made a URL")
	}
}

func TestAURLOfAnotherKeyIsRefused(t *testing.T) {
	one, two := newBench(t), newBench(t)
	address := one.url(knownHash, "x", time.Minute)
	address.Host = two.url(knownHash, "x", time.Minute).Host
	two.expect("another process's key", http.StatusForbidden, "GET", address, nil)
}
