package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"
)

// readBody reads a JSON body of bounded length. A long one counts among those of all requests until release is called,
// also where it is refused.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (text []byte, release func(), _ *refusal) {
	body := &countedBody{Reader: http.MaxBytesReader(w, r.Body, s.maxBody), room: s.bodies}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, body.release, &refusal{status: http.StatusUnsupportedMediaType, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "send the body as Content-Type: application/json"}
	}
	tooLarge := &refusal{status: http.StatusRequestEntityTooLarge, code: "VALIDATION_ERROR", rpc: mcp.INVALID_REQUEST, message: fmt.Sprintf("the body is longer than %d bytes", s.maxBody)}
	if r.ContentLength > s.maxBody {
		w.Header().Set("Connection", "close") // rather than reading the rest
		return nil, body.release, tooLarge
	}
	text, err := io.ReadAll(body)
	if err == nil {
		setReadDeadline(w, time.Time{}) // what follows may take longer
		return bytes.Trim(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n"), body.release, nil
	}
	w.Header().Set("Connection", "close")
	exceeded := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &exceeded):
		return nil, body.release, tooLarge
	case errors.Is(err, errNoRoom):
		return nil, body.release, newBusyRefusal("requests")
	}
	return nil, body.release, &refusal{status: http.StatusRequestTimeout, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "the body did not arrive whole within " + defaultBodyTime.String()}
}

var errNoRoom = errors.New("the long bodies of all requests are too long together")

// countedBody takes room for what has arrived: a client that is slow takes little, and a short body none, so that calls
// with long ones do not keep out the others.
type countedBody struct {
	io.Reader
	room        *semaphore.Weighted
	read, taken int64
}

// Read reads, as far as there is room.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read += int64(n)
	more := max(0, b.read-maxShortBody) - b.taken
	if !b.room.TryAcquire(more) {
		return 0, errNoRoom
	}
	b.taken += more
	return n, err
}

func (b *countedBody) release() { b.room.Release(b.taken) }

// setWriteDeadline gives the next write its time. A deadline for whole responses would end streams.
func setWriteDeadline(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(defaultWriteTime)) //nolint:errcheck // recorders in tests have none
}

// setReadDeadline says until when the rest of a request must have arrived; the zero time is no limit.
func setReadDeadline(w http.ResponseWriter, until time.Time) {
	http.NewResponseController(w).SetReadDeadline(until) //nolint:errcheck // recorders in tests have none
}
