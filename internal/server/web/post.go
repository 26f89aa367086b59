package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// errNoStream reports that a request is answered already, or that its client takes no stream of events.
var errNoStream = errors.New("the client cannot be told anything now")

// exchange is one JSON-RPC message and its answer. The library answers as a whole; the notifications before, which it
// would queue and drop beyond a hundred, are written here as they come.
type exchange struct {
	*rpc.Call
	session *session
	modern  bool // revision 2026-07-28 or later
	fault   *tools.Fault
	streams bool // the client takes a stream of events
	status  int

	mu        sync.Mutex
	w         http.ResponseWriter
	streaming bool // events were written
	finished  bool
}

// post serves one JSON-RPC message.
func (s *space) post(w http.ResponseWriter, r *http.Request) *refusal {
	body, release, e := s.readBody(w, r)
	defer release()
	if e != nil {
		return e
	}
	if len(body) == 0 {
		return &refusal{status: http.StatusBadRequest, rpc: mcp.PARSE_ERROR, message: "the body is empty; send one JSON-RPC message"}
	}
	m, refused := rpc.Parse(body)
	if refused != nil {
		return &refusal{status: http.StatusBadRequest, rpc: refused.Error.Code, message: refused.Error.Message, id: refused.ID}
	}
	modern := isModern(r.Header, m)
	if m.Response && !modern {
		w.WriteHeader(http.StatusAccepted) // the server asks nothing of clients, so there is nothing it answers
		return nil
	}
	if need := s.tools.Needs(m.Method, m.ToolName()); !access.From(r.Context()).Rights.Has(need) {
		e := s.refuseRights(w, r, need)
		e.id = m.ID
		return e
	}
	one, e := s.sessionOf(r, m, modern)
	if e != nil {
		e.id = m.ID
		return e
	}
	defer s.sessions.leave(one)
	if m.ID == nil && m.Method == string(mcp.MethodNotificationCancelled) && !modern {
		one.Cancel(m)
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	if e = s.exchange(w, r, m, one, modern); e != nil {
		e.id = m.ID
	}
	if startsSession(m, modern) && one.ProtocolVersion() == "" {
		s.sessions.drop(one.SessionID()) // the handshake failed
	}
	return e
}

// isModern tells whether a message belongs to revision 2026-07-28 or later, where each request stands by itself. The
// library judges by the same two marks, and refuses a message in which they differ.
func isModern(h http.Header, m rpc.Message) bool {
	if mcp.IsModernProtocol(h.Get(mcp.HeaderProtocolVersion)) {
		return true
	}
	var params struct {
		Meta *mcp.Meta `json:"_meta"`
	}
	return json.Unmarshal(m.Params, &params) == nil && mcp.IsModernProtocol(params.Meta.ProtocolVersion())
}

func startsSession(m rpc.Message, modern bool) bool {
	return !modern && m.ID != nil && m.Method == string(mcp.MethodInitialize)
}

// sessionOf finds the session of a message, starts one for initialize, or takes a passing one for a message that names
// none: a single call, made by hand, is served as well. Its client cannot be told anything later, so it cannot subscribe.
// The session is in use until it is left.
func (s *space) sessionOf(r *http.Request, m rpc.Message, modern bool) (*session, *refusal) {
	caller := access.From(r.Context()).Name
	switch {
	case startsSession(m, modern):
		if e := s.ending(); e != nil {
			return nil, e
		}
		one, room := s.startSession(caller)
		if !room {
			return nil, tooBusy("sessions")
		}
		return one, nil
	case modern, r.Header.Get(server.HeaderKeySessionID) == "" && r.Header.Get(mcp.HeaderProtocolVersion) == "" && m.Method != string(mcp.MethodResourcesSubscribe):
		return s.newSession(caller), nil
	}
	return s.findSession(r)
}

// exchange answers a message, as one of the requests under way or as one of the streams.
func (s *space) exchange(w http.ResponseWriter, r *http.Request, m rpc.Message, one *session, modern bool) *refusal {
	ctx, cancel := s.callContext(r, modern)
	defer cancel(nil)
	if m.ID != nil {
		if !one.Begin(m.ID, cancel) {
			return &refusal{status: http.StatusBadRequest, rpc: mcp.INVALID_REQUEST, message: "a request with this id is still under way"}
		}
		defer one.End(m.ID)
	}
	e := &exchange{session: one, modern: modern, streams: acceptsEvents(r), status: http.StatusOK, w: w}
	e.Call, ctx = rpc.NewCall(ctx, m, one.Client)
	e.Write, e.Logger = e.writeEvent, s.options.Logger
	ctx, e.fault = tools.WithFault(ctx)
	room, refused := s.roomFor(e)
	if refused != nil {
		return refused
	}
	if m.ID != nil {
		if !room.TryAcquire(1) {
			return tooBusy("requests")
		}
		defer room.Release(1)
	}
	answer := s.handle
	if e.Listens() && modern {
		answer = s.listen
	}
	e.finish(answer(ctx, r, e))
	return nil
}

// roomFor is what bounds the number of such requests.
func (s *space) roomFor(e *exchange) (*semaphore.Weighted, *refusal) {
	if !e.Listens() || !e.modern {
		return s.inFlight, nil
	}
	if !e.streams {
		return nil, &refusal{status: http.StatusNotAcceptable, rpc: mcp.INVALID_REQUEST, message: e.Method + " answers with a stream; send Accept: application/json, text/event-stream"}
	}
	return s.streams, s.ending()
}

// callContext is the context of a request. Losing the connection cancels it, as the protocol has it from 2026-07-28 on;
// before that a client says so with notifications/cancelled, and one that has a session may have lost the connection
// without wanting to.
func (s *Server) callContext(r *http.Request, modern bool) (context.Context, context.CancelCauseFunc) {
	parent := r.Context()
	if !modern && r.Header.Get(server.HeaderKeySessionID) != "" {
		parent = context.WithoutCancel(parent)
	}
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(s.calls, func() { cancel(rpc.ErrShutdown) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// handle has a message answered in its turn.
func (s *space) handle(ctx context.Context, r *http.Request, e *exchange) (line []byte) {
	waits, writes := rpc.Classify(e.Message, s.tools.Writes)
	if !waits {
		return s.ask(ctx, r, e)
	}
	if err := e.session.Line.Run(ctx, writes, len(e.Text), func(ctx context.Context) { line = s.ask(ctx, r, e) }); err != nil {
		return e.Fail(rpc.CodeRefused, "not executed: "+err.Error())
	}
	return line
}

// libraryAnswer is what the library answers. It cannot stream, so that the library hands it over as a whole.
type libraryAnswer struct {
	bytes.Buffer
	header http.Header
	status int
}

// Header is only written to: what it says of the answer is known.
func (a *libraryAnswer) Header() http.Header { return a.header }

// WriteHeader notes the status.
func (a *libraryAnswer) WriteHeader(status int) { a.status = status }

// Flush does nothing.
func (a *libraryAnswer) Flush() {}

// CanStream is false.
func (a *libraryAnswer) CanStream() bool { return false }

// ask has the library answer a message. It checks what revision 2026-07-28 demands of headers, and gives errors their
// statuses.
func (s *space) ask(ctx context.Context, r *http.Request, e *exchange) (line []byte) {
	return e.Run(func() (member string, value any) {
		a := libraryAnswer{header: http.Header{}, status: http.StatusOK}
		ctx := context.WithValue(ctx, viewKey{}, e.View)
		s.library.Handle(&a, &server.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: e.Text, Context: ctx})
		return e.readAnswer(&a, context.Cause(ctx))
	})
}

type viewKey struct{}

// enterSession gives the library the session of the request in place of its own.
func (s *space) enterSession(ctx context.Context, _ *http.Request) context.Context {
	if view, ok := ctx.Value(viewKey{}).(*rpc.View); ok {
		return s.tools.MCP.WithContext(ctx, view)
	}
	return ctx
}

// readAnswer is the library's answer with the contract's words for an error. The library has none for a call that was
// ended; for a subscription that is the usual end.
func (e *exchange) readAnswer(a *libraryAnswer, ended error) (member string, value any) {
	var answer struct {
		Result json.RawMessage          `json:"result"`
		Error  *mcp.JSONRPCErrorDetails `json:"error"`
	}
	body := bytes.TrimSpace(a.Bytes())
	switch {
	case len(body) == 0 && (e.ID == nil || ended == nil):
		e.status = a.status
		return "", nil
	case len(body) == 0 && !e.Listens():
		return "error", mcp.NewJSONRPCErrorDetails(rpc.CodeRefused, ended.Error(), nil)
	case len(body) > 0 && json.Unmarshal(body, &answer) != nil: // the library could not encode its answer
		return "error", mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, "internal error", nil)
	}
	e.status = a.status
	switch {
	case answer.Error == nil && e.Listens():
		return "result", e.Closing()
	case answer.Error == nil:
		return "result", answer.Result
	case e.fault.Code != 0:
		answer.Error.Code, answer.Error.Message = e.fault.Code, e.fault.Message
		if e.modern {
			e.status = http.StatusBadRequest // all faults are of what the client sent
		}
	}
	return "error", answer.Error
}

// writeEvent writes a message before the answer to the stream, which the first one opens.
func (e *exchange) writeEvent(line []byte, permit func() bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.finished || !e.streams:
		return errNoStream
	case !permit():
		return nil
	}
	if !e.streaming {
		e.streaming = true
		openStream(e.w)
	}
	return writeEvent(e.w, line)
}

func (e *exchange) ping() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.finished || !e.streaming {
		return nil
	}
	return writePing(e.w)
}

// finish writes the answer, after which the client is told nothing more. That to initialize names the session.
func (e *exchange) finish(line []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finished = true
	if startsSession(e.Message, e.modern) && e.session.ProtocolVersion() != "" {
		e.w.Header().Set(server.HeaderKeySessionID, e.session.SessionID())
	}
	switch {
	case line == nil:
		e.w.WriteHeader(e.status)
	case e.streaming:
		writeEvent(e.w, line) //nolint:errcheck // a client that left needs no answer
	default:
		writeBody(e.w, e.status, line)
	}
}
