package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// exchange is one JSON-RPC message and its answer. The library answers as a whole; the notifications before, which it
// would queue and drop beyond a hundred, are written here as they come.
type exchange struct {
	*rpc.Call
	session   *session
	modern    bool // revision 2026-07-28 or later
	fault     *tools.Fault
	w         http.ResponseWriter
	status    int
	streams   bool // the client takes a stream of events
	streaming bool // events were written; the call guards it
}

// post serves one JSON-RPC message.
func (s *space) post(w http.ResponseWriter, r *http.Request) *refusal {
	body, release, e := s.readBody(w, r)
	defer release()
	if e != nil {
		return e
	}
	m, fault := rpc.Parse(body)
	if fault != nil {
		return &refusal{status: http.StatusBadRequest, rpc: fault.Code, message: fault.Message, id: m.ID}
	}
	// The library judges by the same two marks, and refuses a message in which they differ.
	modern := mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) || mcp.IsModernProtocol(m.Version)
	if e = s.serveMessage(w, r, m, modern); e != nil {
		e.id = m.ID
	}
	return e
}

func (s *space) serveMessage(w http.ResponseWriter, r *http.Request, m rpc.Message, modern bool) *refusal {
	if m.Response && !modern {
		w.WriteHeader(http.StatusAccepted) // the server asks nothing of clients, so there is nothing it answers
		return nil
	}
	if need := s.tools.Needs(m.Method, m.Tool); !access.From(r.Context()).Rights.Has(need) {
		return s.refuseRights(w, r, need)
	}
	one, e := s.sessionOf(r, m, modern)
	if e != nil {
		return e
	}
	defer s.sessions.leave(one)
	if m.Method == string(mcp.MethodNotificationCancelled) && m.ID == nil && !modern {
		one.Cancel(m.Cancels)
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	return s.exchange(w, r, m, one, modern)
}

// startsSession tells whether the session of a message is kept when it is answered.
func startsSession(m rpc.Message, modern bool) bool {
	return !modern && m.ID != nil && m.Method == string(mcp.MethodInitialize)
}

// sessionOf finds the session of a message, or makes a passing one for a message that names none: for initialize, in
// revisions without sessions, and for a single call made by hand, whose client cannot be told anything later, so that it
// cannot subscribe. The session is in use until it is left.
func (s *space) sessionOf(r *http.Request, m rpc.Message, modern bool) (*session, *refusal) {
	byHand := r.Header.Get(server.HeaderKeySessionID) == "" && r.Header.Get(mcp.HeaderProtocolVersion) == "" && m.Method != string(mcp.MethodResourcesSubscribe)
	if starts := startsSession(m, modern); starts || modern || byHand {
		if e := s.ending(); starts && e != nil {
			return nil, e
		}
		return newSession(rpc.NewClient(rand.Text(), s.turns.Line()), access.From(r.Context()).Name), nil
	}
	return s.findSession(r)
}

// exchange answers a message, as one of the requests under way or as one of the streams. Losing the connection cancels
// it, as the protocol has it from 2026-07-28 on; before that a client says so with notifications/cancelled, and one that
// has a session may have lost the connection without wanting to.
func (s *space) exchange(w http.ResponseWriter, r *http.Request, m rpc.Message, one *session, modern bool) *refusal {
	parent := r.Context()
	if !modern && r.Header.Get(server.HeaderKeySessionID) != "" {
		parent = context.WithoutCancel(parent)
	}
	ctx, cancel := endWith(s.calls, parent)
	defer cancel(nil)
	e := &exchange{session: one, modern: modern, streams: acceptsEvents(r), status: http.StatusOK, w: w}
	if e.Call = one.Begin(ctx, m, e.write, s.options.Logger); e.Call == nil {
		return &refusal{status: http.StatusBadRequest, rpc: mcp.INVALID_REQUEST, message: "a request with this id is still under way"}
	}
	defer e.Answer(nil) //nolint:errcheck // it writes nothing, and ends what is refused below
	ctx, e.fault = tools.WithFault(e.Context)
	room, answer := s.inFlight, s.handle
	if m.Listens() && modern {
		if !e.streams {
			return &refusal{status: http.StatusNotAcceptable, rpc: mcp.INVALID_REQUEST, message: m.Method + " answers with a stream; send Accept: application/json, text/event-stream"}
		}
		if refused := s.ending(); refused != nil {
			return refused
		}
		room, answer = s.streams, s.listen
	}
	if m.ID != nil {
		if !room.TryAcquire(1) {
			return tooBusy("requests")
		}
		defer room.Release(1)
	}
	line := answer(ctx, r, e)
	if startsSession(m, modern) && one.ProtocolVersion() != "" {
		if _, kept := s.sessions.enter(one.SessionID(), func() *session { return one }); !kept {
			return tooBusy("sessions")
		}
		w.Header().Set(server.HeaderKeySessionID, one.SessionID())
	}
	if line == nil {
		w.WriteHeader(e.status)
	}
	e.Answer(line) //nolint:errcheck // a client that left needs no answer
	return nil
}

// endWith makes a context that the end of the server ends too.
func endWith(server, parent context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(server, func() { cancel(rpc.ErrShutdown) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// handle has a message answered in its turn.
func (s *space) handle(ctx context.Context, r *http.Request, e *exchange) (line []byte) {
	if waits, writes := rpc.Classify(e.Message, s.tools.Writes); waits {
		running, leave, err := e.session.Line.Enter(ctx, writes, len(e.Text))
		if err != nil {
			return e.Fail(rpc.CodeRefused, "not executed: "+err.Error())
		}
		defer leave()
		ctx = running
	}
	return s.ask(ctx, r, e)
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

type clientKey struct{}

// ask has the library answer a message. It checks what revision 2026-07-28 demands of headers, and gives errors their
// statuses.
func (s *space) ask(ctx context.Context, r *http.Request, e *exchange) (line []byte) {
	return e.Run(func() mcp.JSONRPCMessage {
		a := libraryAnswer{header: http.Header{}, status: http.StatusOK}
		ctx := context.WithValue(ctx, clientKey{}, e.Client)
		s.library.Handle(&a, &server.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: e.Text, Context: ctx})
		return e.readAnswer(&a, context.Cause(ctx))
	})
}

// enterSession gives the library the session of the request in place of its own.
func (s *space) enterSession(ctx context.Context, _ *http.Request) context.Context {
	client, _ := ctx.Value(clientKey{}).(*rpc.Client)
	return s.tools.WithContext(ctx, client)
}

// readAnswer is the library's answer with the contract's words for an error. The library has none for a call that was
// ended; for a subscription that is the usual end.
func (e *exchange) readAnswer(a *libraryAnswer, ended error) mcp.JSONRPCMessage {
	var answer struct {
		Result json.RawMessage          `json:"result"`
		Error  *mcp.JSONRPCErrorDetails `json:"error"`
	}
	unreadable := json.Unmarshal(a.Bytes(), &answer) // it may be empty, or cut off where it could not be encoded
	e.status = a.status
	switch {
	case unreadable == nil && answer.Error != nil:
		if e.fault.Code != 0 {
			answer.Error.Code, answer.Error.Message = e.fault.Code, e.fault.Message
			if e.modern {
				e.status = http.StatusBadRequest // all faults are of what the client sent
			}
		}
		return mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: *answer.Error}
	case unreadable == nil, e.Listens():
		return mcp.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, Result: answer.Result}
	case ended != nil:
		return mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: mcp.NewJSONRPCErrorDetails(rpc.CodeRefused, ended.Error(), nil)}
	}
	return nil
}

// write writes a message before the answer to a stream of events, which the first one opens, and the answer behind it.
func (e *exchange) write(line []byte, last bool) error {
	switch {
	case last && !e.streaming:
		writeBody(e.w, e.status, line)
		return nil
	case !e.streams:
		return rpc.ErrCallOver // but for its answer
	case !e.streaming:
		e.streaming = true
		openStream(e.w)
	}
	return writeEvent(e.w, line)
}
