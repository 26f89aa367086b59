package web

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tidwall/gjson"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
)

// exchange is one JSON-RPC message and its answer.
type exchange struct {
	*rpc.Call
	session   *session
	modern    bool // revision 2026-07-28 or later
	w         http.ResponseWriter
	streams   bool // the client takes a stream of events
	streaming bool // events were written; the call guards it
}

// servePost serves one JSON-RPC message.
func (s *space) servePost(w http.ResponseWriter, r *http.Request) *refusal {
	body, release, e := s.readBody(w, r)
	defer release()
	if e != nil {
		return e
	}
	m, fault := rpc.ParseMessage(body)
	if fault != nil {
		return &refusal{status: http.StatusBadRequest, rpc: fault.Code, message: fault.Message, id: m.ID}
	}
	modern := mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) || mcp.IsModernProtocol(m.Version)
	if modern {
		e = checkProtocolHeaders(r, m)
	}
	if e == nil {
		e = s.serveMessage(w, r, m, modern)
	}
	if e != nil {
		e.id = m.ID
	}
	return e
}

func (s *space) serveMessage(w http.ResponseWriter, r *http.Request, m rpc.Message, modern bool) *refusal {
	if m.Response {
		w.WriteHeader(http.StatusAccepted) // the server asks nothing of clients, so there is nothing it answers
		return nil
	}
	if need := s.tools.RequiredRightOf(m.Method, m.Tool); !access.CallerFrom(r.Context()).Rights.Has(need) {
		return s.challengeMissingRights(w, r, need)
	}
	one, e := s.findOrMakeSession(r, m, modern)
	if e != nil {
		return e
	}
	defer s.sessions.releaseEntry(one)
	if m.Method == string(mcp.MethodNotificationCancelled) && m.ID == nil && !modern {
		one.CancelRequest(m.Cancels)
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	return s.answerMessage(w, r, m, one, modern)
}

// startsSession tells whether the session of a message is kept when it is answered.
func startsSession(m rpc.Message, modern bool) bool {
	return !modern && m.ID != nil && m.Method == string(mcp.MethodInitialize)
}

// findOrMakeSession finds the session of a message, or makes a passing one for a message that names none: for initialize, in
// revisions without sessions, and for a single call made by hand, whose client cannot be told anything later, so that it
// cannot subscribe. The session is in use until it is left.
func (s *space) findOrMakeSession(r *http.Request, m rpc.Message, modern bool) (*session, *refusal) {
	byHand := r.Header.Get(server.HeaderKeySessionID) == "" && r.Header.Get(mcp.HeaderProtocolVersion) == "" && m.Method != string(mcp.MethodResourcesSubscribe)
	if starts := startsSession(m, modern); starts || modern || byHand {
		if e := s.checkNotEnding(); starts && e != nil {
			return nil, e
		}
		return newSession(rpc.NewClient(rand.Text(), s.turns.NewQueue()), access.CallerFrom(r.Context()).Name), nil
	}
	return s.findAndHoldSession(r)
}

// answerMessage answers a message, as one of the requests under way or as one of the streams. Losing the connection cancels
// it, as the protocol has it from 2026-07-28 on; before that a client says so with notifications/cancelled, and one that
// has a session may have lost the connection without wanting to.
func (s *space) answerMessage(w http.ResponseWriter, r *http.Request, m rpc.Message, one *session, modern bool) *refusal {
	parent := r.Context()
	if !modern && r.Header.Get(server.HeaderKeySessionID) != "" {
		parent = context.WithoutCancel(parent)
	}
	ctx, cancel := cancelWithServer(s.calls, parent)
	defer cancel(nil)
	e := &exchange{session: one, modern: modern, streams: acceptsEventStream(r), w: w}
	if e.Call = one.BeginCall(ctx, m, e.writeMessage, s.options.Logger); e.Call == nil {
		return &refusal{status: http.StatusBadRequest, rpc: mcp.INVALID_REQUEST, message: "a request with this id is still under way"}
	}
	defer e.EndWithAnswer(nil) //nolint:errcheck // it writes nothing, and ends what is refused below
	room, answer := s.inFlight, s.runQueuedCall
	if m.IsSubscription() && modern {
		if !e.streams {
			return &refusal{status: http.StatusNotAcceptable, rpc: mcp.INVALID_REQUEST, message: m.Method + " answers with a stream; send Accept: application/json, text/event-stream"}
		}
		if refused := s.checkNotEnding(); refused != nil {
			return refused
		}
		room, answer = s.streams, s.serveSubscription
	}
	if m.ID != nil {
		if !room.TryAcquire(1) {
			return newBusyRefusal("requests")
		}
		defer room.Release(1)
		if len(m.Text) >= rpc.MinLong {
			if !s.longCalls.TryAcquire(1) {
				return newBusyRefusal("long requests")
			}
			defer s.longCalls.Release(1)
		}
	}
	line := answer(r, e)
	if startsSession(m, modern) && one.ProtocolVersion() != "" {
		if _, kept := s.sessions.acquireOrCreateEntry(one.SessionID(), func() *session { return one }); !kept {
			return newBusyRefusal("sessions")
		}
		w.Header().Set(server.HeaderKeySessionID, one.SessionID())
	}
	if line == nil {
		w.WriteHeader(http.StatusAccepted)
	}
	e.EndWithAnswer(line) //nolint:errcheck // a client that left needs no answer
	return nil
}

// cancelWithServer makes a context that the end of the server ends too.
func cancelWithServer(server, parent context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(server, func() { cancel(rpc.ErrShutdown) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// runQueuedCall has a message answered in its turn. A call that was ended is answered with the reason.
func (s *space) runQueuedCall(_ *http.Request, e *exchange) (line []byte) {
	ctx := e.Context
	if waits, writes := rpc.ClassifyMessage(e.Message, s.tools.Writes); waits {
		running, leave, err := e.session.Queue.Enter(ctx, writes, len(e.Text))
		if err != nil {
			return e.EncodeError(rpc.CodeRefused, "not executed: "+err.Error())
		}
		defer leave()
		ctx = running
	}
	line = e.Run(ctx, s.tools)
	if ended := context.Cause(ctx); ended != nil && line != nil {
		return e.EncodeError(rpc.CodeRefused, ended.Error())
	}
	return line
}

// writeMessage writes a message before the answer to a stream of events, which the first one opens, and the answer behind it.
func (e *exchange) writeMessage(line []byte, last bool) error {
	switch {
	case last && !e.streaming:
		status := http.StatusOK
		if e.modern {
			status = statusOfAnswer(line)
		}
		writeBody(e.w, status, line)
		return nil
	case !e.streams:
		return rpc.ErrCallOver // but for its answer
	case !e.streaming:
		e.streaming = true
		startEventStream(e.w)
	}
	return writeEvent(e.w, line)
}

// checkProtocolHeaders refuses a message whose headers are not those that revision 2026-07-28 asks of it, by which proxies tell
// what it is.
func checkProtocolHeaders(r *http.Request, m rpc.Message) *refusal {
	bad := func(code int, text string) *refusal {
		return &refusal{status: http.StatusBadRequest, rpc: code, message: text}
	}
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	switch {
	case m.Response:
		return bad(mcp.INVALID_REQUEST, "protocol version "+mcp.ProtocolVersion20260728+" has no responses of clients: the server asks them nothing")
	case r.Header.Get(mcp.HeaderLastEventID) != "":
		return bad(mcp.HEADER_MISMATCH, "streams cannot be resumed; send the request again, with a new id and without "+mcp.HeaderLastEventID)
	case m.Version == "":
		return bad(mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyProtocolVersion)
	case version != m.Version:
		return bad(mcp.HEADER_MISMATCH, "the header "+mcp.HeaderProtocolVersion+" must be as "+mcp.MetaKeyProtocolVersion+" in the message")
	case m.ID == nil || !mcp.IsValidProtocolVersion(version): // a notification, or what the server refuses with the versions that it has
		return nil
	}
	params := gjson.GetBytes(m.Text, "params").Raw
	if err := mcp.ValidateStandardHeaders(r.Header.Get, version, mcp.MCPMethod(m.Method), []byte(params)); err != nil {
		return bad(mcp.HEADER_MISMATCH, err.Error())
	}
	return nil
}

// statusOfAnswer is the status that revision 2026-07-28 gives an answer: nearly all errors are of what the client sent.
func statusOfAnswer(line []byte) int {
	switch gjson.GetBytes(line, "error.code").Int() {
	case 0, mcp.INTERNAL_ERROR, rpc.CodeRefused:
		return http.StatusOK
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}
