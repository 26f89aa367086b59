package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/jsonrpc"
	"toolkit/internal/serve/peer"
	"toolkit/tools"
)

var (
	// ErrNoStream reports that a request is answered already, or that its client takes no stream of events.
	ErrNoStream = errors.New("the client cannot be told anything now")
	errReplaced = errors.New("another stream took over")
)

// exchange is one JSON-RPC message and its answer. To the library it is a response that cannot stream, so that the
// library hands over one whole answer; the notifications before it, which the library would queue and drop beyond a
// hundred, are written here as they come.
type exchange struct {
	jsonrpc.Message
	modern  bool // revision 2026-07-28 or later
	view    *view
	fault   *tools.Fault
	streams bool // the client takes a stream of events
	// acknowledged is closed when a subscription is, and may carry what it is for.
	acknowledged chan struct{}

	failed *mcp.JSONRPCErrorDetails // in the place of the library's answer
	closed bool                     // a subscription ended

	// What the library answers.
	header http.Header
	status int
	body   bytes.Buffer

	mu        sync.Mutex
	w         http.ResponseWriter
	streaming bool // events were written
	finished  bool
}

var _ server.HTTPResponseWriter = (*exchange)(nil)

// Header returns the headers of the library's answer.
func (e *exchange) Header() http.Header { return e.header }

// WriteHeader notes the status of the library's answer.
func (e *exchange) WriteHeader(status int) { e.status = status }

// Write notes a part of the library's answer.
func (e *exchange) Write(p []byte) (int, error) { return e.body.Write(p) }

// Flush does nothing: the answer is written as a whole.
func (e *exchange) Flush() {}

// CanStream is false, see exchange.
func (e *exchange) CanStream() bool { return false }

type exchangeKey struct{}

// enterSession gives the library the session of the request's exchange in place of its own.
func (s *space) enterSession(ctx context.Context, _ *http.Request) context.Context {
	if e, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return s.tools.MCP.WithContext(ctx, e.view)
	}
	return ctx
}

// notify is what [peer.Notify] does in the exchange. It returns [ErrNoStream], or why it could not be written.
func (e *exchange) notify(method string, params any) error {
	line, err := notificationLine(method, params)
	if err != nil {
		return err
	}
	return e.event(line)
}

func (e *exchange) send(n mcp.JSONRPCNotification) error {
	return e.notify(n.Method, peer.ParamsOf(n))
}

func (e *exchange) listens() bool { return e.Method == string(mcp.MethodSubscriptionsListen) }

// deliver writes a notification of the library.
func (e *exchange) deliver(n mcp.JSONRPCNotification) {
	if e.listens() {
		n = peer.Tag(n, e.ID)
	}
	e.send(n) //nolint:errcheck // the client left
	if n.Method == mcp.MethodNotificationSubscriptionsAcknowledged {
		close(e.acknowledged) // the library sends it once
	}
}

// event writes one message to the stream, which the first one opens.
func (e *exchange) event(text []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.finished || !e.streams {
		return ErrNoStream
	}
	if !e.streaming {
		e.streaming = true
		openStream(e.w)
	}
	return writeEvent(e.w, text)
}

// ping keeps proxies from closing a stream that is quiet.
func (e *exchange) ping() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.finished || !e.streaming {
		return nil
	}
	return writePing(e.w)
}

// write writes the answer, after which the client is told nothing more.
func (e *exchange) write(status int, line []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finished = true
	switch {
	case e.streaming && line != nil:
		writeEvent(e.w, line) //nolint:errcheck // a client that left needs no answer
	case e.streaming:
	case line == nil:
		e.w.WriteHeader(status)
	default:
		writeBody(e.w, status, line)
	}
}

// fail puts an error in the place of the library's answer.
func (e *exchange) fail(code int, message string) {
	details := mcp.NewJSONRPCErrorDetails(code, message, nil)
	e.failed, e.status = &details, http.StatusOK
}

// answer is the library's answer with the id as the client wrote it and the contract's words for an error; nil where
// nothing is to be said.
func (e *exchange) answer() (status int, line []byte, failed bool) {
	result := e.result()
	var b bytes.Buffer
	var err error
	switch {
	case e.failed != nil:
		err = jsonrpc.WriteAnswer(&b, e.ID, "error", e.failed)
	case result == nil:
		return e.status, nil, false
	default:
		b.Grow(len(result) + len(e.ID) + 48)
		err = jsonrpc.WriteAnswer(&b, e.ID, "result", result)
	}
	if err != nil {
		panic(err) // what was read as JSON has a JSON form
	}
	return e.status, b.Bytes(), e.failed != nil
}

// result reads what the library answered. It is nil, or the exchange failed, where that is no result.
func (e *exchange) result() json.RawMessage {
	body := bytes.TrimSpace(e.body.Bytes())
	var answer struct {
		Result json.RawMessage          `json:"result"`
		Error  *mcp.JSONRPCErrorDetails `json:"error"`
	}
	switch {
	case e.failed != nil, len(body) == 0 && e.ID == nil && e.status == http.StatusAccepted:
		return nil
	case e.closed:
		return e.closing()
	case len(body) > 0 && !strings.HasPrefix(e.header.Get("Content-Type"), "application/json"):
		status := e.status
		e.fail(mcp.INVALID_REQUEST, string(body))
		e.status = status
		return nil
	case json.Unmarshal(body, &answer) != nil: // also where the library could not encode its answer
		e.fail(mcp.INTERNAL_ERROR, "internal error")
		return nil
	case answer.Error == nil && e.listens():
		return e.closing()
	}
	if e.failed = answer.Error; e.failed != nil && e.fault.Code != 0 {
		e.failed.Code, e.failed.Message = e.fault.Code, e.fault.Message
		if e.modern {
			e.status = modernStatus(e.fault.Code)
		}
	}
	return answer.Result
}

// closing is the result of a subscription, which names it by the id as the client wrote it; the library's copy may have
// lost digits.
func (e *exchange) closing() json.RawMessage {
	closing := mcp.SubscriptionsListenResult{Result: mcp.Result{ResultType: mcp.ResultTypeComplete}}
	closing.EnsureResultMeta().SetSubscriptionID(e.ID)
	text, _ := json.Marshal(closing) // cannot fail
	return text
}

func notificationLine(method string, params any) ([]byte, error) {
	var line bytes.Buffer
	err := jsonrpc.WriteNotification(&line, method, params)
	return line.Bytes(), err
}

// modernStatus is the HTTP status that revision 2026-07-28 gives a JSON-RPC error.
func modernStatus(code int) int {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.INVALID_PARAMS, mcp.INVALID_REQUEST, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
