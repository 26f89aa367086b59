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
)

// readBody reads a JSON body of bounded length.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "send the body as Content-Type: application/json"}
	}
	if !s.bodies.TryAcquire(1) {
		return nil, tooBusy("requests")
	}
	defer s.bodies.Release(1)
	tooLarge := &refusal{status: http.StatusRequestEntityTooLarge, code: "VALIDATION_ERROR", rpc: mcp.INVALID_REQUEST, message: fmt.Sprintf("the body is longer than %d bytes", s.options.MaxBody)}
	if r.ContentLength > s.options.MaxBody {
		w.Header().Set("Connection", "close") // rather than reading the rest
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.MaxBody))
	if exceeded := (*http.MaxBytesError)(nil); errors.As(err, &exceeded) {
		return nil, tooLarge
	}
	if err != nil {
		w.Header().Set("Connection", "close")
		return nil, &refusal{status: http.StatusRequestTimeout, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "the body did not arrive whole within " + defaultBodyTime.String()}
	}
	limitRead(w, time.Time{}) // what follows may take longer
	return bytes.Trim(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n"), nil
}

// limitWrite gives the next write its time. A deadline for whole responses would end streams.
func limitWrite(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(defaultWriteTime)) //nolint:errcheck // recorders in tests have none
}

// limitRead says until when the rest of a request must have arrived; the zero time is no limit.
func limitRead(w http.ResponseWriter, until time.Time) {
	http.NewResponseController(w).SetReadDeadline(until) //nolint:errcheck // recorders in tests have none
}
