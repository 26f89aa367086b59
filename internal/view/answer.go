package view

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/store"
	"toolkit/store/sessions"
)

// endpoint is an endpoint: what it returns is sent as JSON.
type endpoint func(ctx context.Context, q *query) (any, error)

// apiError is a failure in words that the page shows as they are.
type apiError struct {
	Status  int    `json:"-"`
	Message string `json:"message"`
	Code    string `json:"code,omitempty"` // what the page does about it
}

func (e *apiError) Error() string { return e.Message }

func badRequest(format string, args ...any) error {
	return &apiError{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &apiError{Status: http.StatusNotFound, Message: fmt.Sprintf(format, args...)}
}

// newJSONHandler runs an endpoint and writes what it returns.
func (s *Server) newJSONHandler(f endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		result, err := s.runEndpointCatchingPanics(ctx, f, &query{values: r.URL.Query()})
		if err != nil {
			s.answerError(w, r, err)
			return
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		if err := e.Encode(result); err != nil {
			s.answerError(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(b.Bytes()) //nolint:errcheck // the caller may be gone
	}
}

func (s *Server) runEndpointCatchingPanics(ctx context.Context, f endpoint, q *query) (result any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			s.o.Logger.Error("panic in the view", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			err = errors.New("panic")
		}
	}()
	return f(ctx, q)
}

// readIfQueryIsValid reads the store for a request that is right.
func (s *Server) readIfQueryIsValid(ctx context.Context, q *query, f func(tx *store.Tx) error) error {
	if q.fault != nil {
		return q.fault
	}
	return s.o.Store.Read(ctx, f)
}

func (s *Server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	var known *apiError
	switch {
	case errors.As(err, &known):
	case r.Context().Err() != nil: // nobody waits any more
		known = &apiError{Status: http.StatusServiceUnavailable, Message: "The request was given up."}
	case errors.Is(err, context.DeadlineExceeded):
		known = &apiError{Status: http.StatusServiceUnavailable, Message: "This took too long and was stopped. Ask for less, or try again."}
	default:
		s.o.Logger.Error("the view could not answer", "path", r.URL.Path, "error", err.Error())
		known = &apiError{Status: http.StatusInternalServerError, Message: "Something went wrong while reading. The terminal that runs toolkit view says more."}
	}
	writeError(w, known)
}

func writeError(w http.ResponseWriter, e *apiError) {
	text, err := json.Marshal(map[string]*apiError{"error": e})
	if err != nil {
		text = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.Status)
	w.Write(text) //nolint:errcheck // the caller may be gone
}

// query reads the parameters of a request. The first fault found is kept and told
// by whatever reads for the answer, [Server.read] or [Server.call].
type query struct {
	values url.Values
	fault  error
}

func (q *query) reject(format string, args ...any) {
	if q.fault == nil {
		q.fault = badRequest(format, args...)
	}
}

// maxText is the longest text that is searched for, in bytes.
const maxText = 2000

// readText is a parameter, trimmed of space; it may be absent.
func (q *query) readText(name string) string {
	value := strings.TrimSpace(q.values.Get(name))
	if len(value) > maxText || !utf8.ValidString(value) {
		q.reject("%s must be text of at most %d bytes.", name, maxText)
	}
	return value
}

// readRequiredSearchText is the text to search for.
func (q *query) readRequiredSearchText() string {
	value := q.readText("q")
	if value == "" {
		q.reject("Say what to search for.")
	}
	return value
}

// readRequiredText returns a parameter as it is; it must be there.
func (q *query) readRequiredText(name string) string {
	value := q.values.Get(name)
	if value == "" || !utf8.ValidString(value) {
		q.reject("%s is missing.", name)
	}
	return value
}

// readNumber is a whole number from least to most, or fallback when it is absent.
func (q *query) readNumber(name string, fallback, minimum, maximum int64) int64 {
	value := q.values.Get(name)
	if value == "" {
		return fallback
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < minimum || n > maximum {
		q.reject("%s must be a whole number from %d to %d.", name, minimum, maximum)
	}
	return n
}

// readProject is the row of the project that is asked for; 0: all, or sessions.NoProject.
func (q *query) readProject() int64 { return q.readNumber("project", 0, sessions.NoProject, 1<<62) }

// readLimitAndOffset reads limit and offset.
func (q *query) readLimitAndOffset(limit, maximum int64) (int, int) {
	return int(q.readNumber("limit", limit, 1, maximum)), int(q.readNumber("offset", 0, 0, 1<<40))
}
