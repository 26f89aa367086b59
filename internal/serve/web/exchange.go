package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/jsonrpc"
	"toolkit/tools"
)

var (
	// ErrNoCall reports that a context does not come from a request that this package serves.
	ErrNoCall = errors.New("the context belongs to no HTTP request")
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
func (s *Server) enterSession(ctx context.Context, _ *http.Request) context.Context {
	if e, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return s.tools.MCP.WithContext(ctx, e.view)
	}
	return ctx
}

// Notify sends the client a notification about the request that the context belongs to, such as notifications/progress.
// It is written when Notify returns, hence before the answer and in order. It returns [ErrNoCall], [ErrNoStream], or why
// it could not be written; a call can go on after any of them.
func Notify(ctx context.Context, method string, params any) error {
	e, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok {
		return ErrNoCall
	}
	return e.notify(method, params)
}

func (e *exchange) notify(method string, params any) error {
	text, err := encodeNotification(method, params)
	if err != nil {
		return err
	}
	return e.event(text)
}

// deliver writes a notification of the library. One of a subscription names it by the id as the client wrote it.
func (e *exchange) deliver(n mcp.JSONRPCNotification) {
	if e.Method == string(mcp.MethodSubscriptionsListen) {
		n.Params.Meta = maps.Clone(n.Params.Meta)
		if n.Params.Meta == nil {
			n.Params.Meta = map[string]any{}
		}
		n.Params.Meta[mcp.MetaKeySubscriptionID] = e.ID
	}
	e.notify(n.Method, n.Params) //nolint:errcheck // the client left
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

// finish writes the answer.
func (e *exchange) finish() (status int, isError bool) {
	if e.view != nil {
		e.view.mailbox.Close()
	}
	status, body, isError := e.answer()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finished = true
	switch {
	case e.streaming && len(body) > 0:
		writeEvent(e.w, body) //nolint:errcheck // a client that left needs no answer
	case e.streaming:
	case len(body) == 0:
		e.w.WriteHeader(status)
	default:
		writeBody(e.w, status, append(body, '\n'))
	}
	return status, isError
}

// answer is the library's answer with the id as the client wrote it and the contract's words for an error.
func (e *exchange) answer() (status int, body []byte, isError bool) {
	body = bytes.TrimSpace(e.body.Bytes())
	if len(body) == 0 {
		if e.ID == nil && e.status == http.StatusAccepted {
			return e.status, nil, false
		}
		return http.StatusOK, e.failure(mcp.INTERNAL_ERROR, "internal error"), true // the library could not encode its answer
	}
	if !strings.HasPrefix(e.header.Get("Content-Type"), "application/json") {
		return e.status, e.failure(mcp.INVALID_REQUEST, string(body)), true
	}
	var answer struct {
		Result json.RawMessage          `json:"result"`
		Error  *mcp.JSONRPCErrorDetails `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return http.StatusOK, e.failure(mcp.INTERNAL_ERROR, "internal error"), true
	}
	id := e.ID
	if id == nil {
		id = jsonrpc.Null
	}
	if answer.Error == nil {
		return e.status, encodeAnswer(id, "result", e.tagResult(answer.Result)), false
	}
	status = e.status
	if e.fault.Code != 0 {
		answer.Error.Code, answer.Error.Message = e.fault.Code, e.fault.Message
		if e.modern {
			status = modernStatus(e.fault.Code)
		}
	}
	text, err := json.Marshal(answer.Error)
	if err != nil {
		return http.StatusOK, e.failure(mcp.INTERNAL_ERROR, "internal error"), true
	}
	return status, encodeAnswer(id, "error", text), true
}

// tagResult names a subscription that ends by the id as the client wrote it; the library's copy may have lost digits.
func (e *exchange) tagResult(result json.RawMessage) json.RawMessage {
	if e.Method != string(mcp.MethodSubscriptionsListen) {
		return result
	}
	var fields map[string]json.RawMessage
	var meta map[string]json.RawMessage
	if json.Unmarshal(result, &fields) != nil || json.Unmarshal(fields["_meta"], &meta) != nil || meta == nil {
		return result
	}
	meta[mcp.MetaKeySubscriptionID] = e.ID
	fields["_meta"], _ = json.Marshal(meta)
	tagged, err := json.Marshal(fields)
	if err != nil {
		return result
	}
	return tagged
}

func (e *exchange) failure(code int, message string) []byte {
	id := e.ID
	if id == nil {
		id = jsonrpc.Null
	}
	text, _ := json.Marshal(mcp.NewJSONRPCErrorDetails(code, message, nil)) // strings and numbers cannot fail
	return encodeAnswer(id, "error", text)
}

func encodeAnswer(id json.RawMessage, member string, value json.RawMessage) []byte {
	var b bytes.Buffer
	b.Grow(len(id) + len(value) + 48)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(id)
	b.WriteString(`,"` + member + `":`)
	b.Write(value)
	b.WriteByte('}')
	return b.Bytes()
}

func encodeNotification(method string, params any) ([]byte, error) {
	return json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, method, params})
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
