// Package fileserver hands out stored files over HTTP to programs on the same
// machine, by URLs that are signed and end.
//
// A URL names a file by its hash and carries the moment it ends and an
// HMAC-SHA256 over method, path and that moment. The key lies in the data folder,
// readable by its owner only. The listener is on the loopback interface, takes a
// free port when the first URL is made, and closes with the server: a URL lives
// as long as the process that made it, and no longer than it says.
//
// Files come from strangers: they are sent with a media type that was found in
// their bytes, never to be guessed again, and under a policy that keeps a
// browser from running anything in them.
package fileserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"toolkit/internal/connections"
	"toolkit/store/localfile"
)

// ErrNotFound tells that there is no file of a hash.
var ErrNotFound = errors.New("no such file")

// File is a stored file, open for reading.
type File struct {
	io.ReadSeekCloser
	Name     string // as it was called when it came; any text
	MIME     string // media type, by its content
	Modified time.Time
}

// Options say what is served. Open is required.
type Options struct {
	// KeyFile is where the key lies; it is created when missing.
	KeyFile string
	// Open opens the file of a hash; ErrNotFound when there is none.
	Open func(ctx context.Context, hash string) (File, error)
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Server serves signed URLs. It listens from the first URL on until Close.
type Server struct {
	options Options

	mu     sync.Mutex
	closed bool
	key    []byte
	host   string // of the listener, with its port
	http   *http.Server
}

// New returns a server that does nothing yet.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Server{options: o}
}

const (
	// contentPolicy lets nothing run in a file.
	contentPolicy  = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	prefix         = "/files/" // the folder of all paths
	maxConnections = 64
)

// URL returns an address of a file that answers to GET until expires, as long as
// the server is open. Seconds are counted, fractions dropped.
func (s *Server) URL(hash, name string, expires time.Time) (string, error) {
	key, host, err := s.startListening()
	if err != nil {
		return "", err
	}
	address := url.URL{Scheme: "http", Host: host, Path: prefix + hash + "/" + sanitizeFileName(name)}
	query := url.Values{}
	query.Set("expires", strconv.FormatInt(expires.Unix(), 10))
	query.Set("signature", hex.EncodeToString(signRequest(key, http.MethodGet, address.EscapedPath(), expires.Unix())))
	address.RawQuery = query.Encode()
	return address.String(), nil
}

// startListening loads the key and listens, once.
func (s *Server) startListening() (key []byte, host string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, "", errors.New("the server of files is closed")
	}
	if s.http != nil {
		return s.key, s.host, nil
	}
	if s.key, err = localfile.LoadOrCreateKey(s.options.KeyFile); err != nil {
		return nil, "", err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("listening on this machine: %w", err)
	}
	s.host = listener.Addr().String()
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
	connections.NewLimit(maxConnections).GuardServer(s.http)
	go s.http.Serve(listener) //nolint:errcheck // it always ends with an error, usually that it was closed
	return s.key, s.host, nil
}

// Close ends the listener and every transfer under way.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.http == nil {
		return nil
	}
	return s.http.Close()
}

// ServeHTTP answers a request for a file.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	connections.SetSecurityHeaders(w.Header(), contentPolicy)
	w.Header().Set("Cache-Control", "private, no-store")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "only GET is answered", http.StatusMethodNotAllowed)
		return
	}
	hash, ok := s.checkSignedRequest(r)
	if !ok {
		http.Error(w, "the URL is not valid, or no longer; ask for a new one", http.StatusForbidden)
		return
	}
	file, err := s.options.Open(r.Context(), hash)
	media := ""
	if err == nil {
		defer file.Close()
		media, err = contentType(file)
	}
	switch {
	case errors.Is(err, ErrNotFound):
		http.Error(w, "the file was deleted", http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, "the file could not be read", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", contentDisposition(file.MIME, file.Name))
	h.Set("ETag", `"`+hash+`"`)
	http.ServeContent(w, r, "", file.Modified, file)
}

// checkSignedRequest checks everything that makes a request one of ours, the signature
// before the time. A wrong Host is a page that had its own name point here, a wrong
// Origin one that got hold of a URL.
func (s *Server) checkSignedRequest(r *http.Request) (hash string, ok bool) {
	s.mu.Lock()
	key, host := s.key, s.host
	s.mu.Unlock()
	if r.Host != host || len(key) != localfile.KeySize || !connections.IsFromOwnPage(r, host) {
		return "", false
	}
	query := r.URL.Query()
	expires, badTime := strconv.ParseInt(query.Get("expires"), 10, 64)
	given, badHex := hex.DecodeString(query.Get("signature"))
	want := signRequest(key, r.Method, r.URL.EscapedPath(), expires)
	if badTime != nil || badHex != nil || !hmac.Equal(given, want) || !s.options.Now().Before(time.Unix(expires, 0)) {
		return "", false
	}
	rest, ok := strings.CutPrefix(r.URL.Path, prefix)
	hash, _, found := strings.Cut(rest, "/")
	return hash, ok && found
}

// signRequest signs the right to use a method on a path until a moment, in unix
// seconds. A line break cannot be part of a method or of an escaped path.
func signRequest(key []byte, method, path string, expires int64) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(method + "\n" + path + "\n" + strconv.FormatInt(expires, 10)))
	return mac.Sum(nil)
}

// maxName bounds a name in bytes, as most file systems do.
const maxName = 200

// sanitizeFileName makes any text a name that is safe in a path and in a header: one
// component, without characters that are invisible or turn the reading direction.
func sanitizeFileName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '/', r == '\\', r == ':', !unicode.IsGraphic(r), unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp):
			return '_'
		}
		return r
	}, name)
	for len(name) > maxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	if strings.Trim(name, " .") == "" {
		return "file"
	}
	return name
}

// contentDisposition says that a browser shows images and plain text and saves the
// rest, under the file's name.
func contentDisposition(mediaType, name string) string {
	how := "attachment"
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain":
		how = "inline"
	}
	if header := mime.FormatMediaType(how, map[string]string{"filename": sanitizeFileName(name)}); header != "" {
		return header
	}
	return how
}

// plainText is the one type of text that is shown rather than saved.
const plainText = "text/plain"

// charsetLength is how much of a text is looked at.
const charsetLength = 64 << 10

// contentType is the type a file is sent with. Plain text in UTF-8 says so: without a
// charset a browser takes it for a legacy encoding and shows other letters.
func contentType(file File) (string, error) {
	if file.MIME != plainText {
		return file.MIME, nil
	}
	head, err := io.ReadAll(io.LimitReader(file, charsetLength))
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", err
	}
	whole := len(head) < charsetLength // else a letter may be cut off at the end
	if _, _, err := encoding.UTF8Validator.Transform(head, head, whole); errors.Is(err, encoding.ErrInvalidUTF8) {
		return plainText, nil
	}
	return plainText + "; charset=utf-8", nil
}
