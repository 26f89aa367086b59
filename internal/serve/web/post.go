package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/access"
	"toolkit/internal/serve/jsonrpc"
	"toolkit/internal/serve/peer"
	"toolkit/internal/serve/schedule"
	"toolkit/tools"
)

func (s *space) serveMCP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		s.post(w, r)
	case manifestRequest(r):
		s.serveManifest(w, r)
	case mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)):
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, r, refusal{
			status: http.StatusMethodNotAllowed, code: "METHOD_NOT_ALLOWED",
			message: "protocol version " + mcp.ProtocolVersion20260728 + " has no sessions; subscriptions/listen opens a stream",
		})
	case r.Method == http.MethodGet:
		s.serveStream(w, r)
	default:
		s.endSession(w, r)
	}
}

func (s *space) endSession(w http.ResponseWriter, r *http.Request) {
	one, e := s.findSession(r)
	if e != nil {
		refuse(w, r, *e)
		return
	}
	s.sessions.drop(one)
	s.sessions.release(one)
	w.WriteHeader(http.StatusNoContent)
}

// findSession returns the session a request names, in use until it is released.
func (s *space) findSession(r *http.Request) (*session, *refusal) {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "protocol version not supported; use one of " + strings.Join(mcp.ValidProtocolVersions, ", ")}
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "the header " + server.HeaderKeySessionID + " is missing; the answer to initialize carries it"}
	}
	one := s.sessions.use(id, access.From(r.Context()).Name)
	if one == nil {
		e := sessionGone()
		return nil, &e
	}
	return one, nil
}

func sessionGone() refusal {
	return refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "the session has ended or never was; start one with initialize"}
}

func tooBusy(what string) refusal {
	return refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 1, message: "too many " + what + " are open; try again"}
}

// readBody reads a JSON body of bounded length.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "send the body as Content-Type: application/json"}
	}
	if !s.bodies.TryAcquire(1) {
		e := tooBusy("requests")
		return nil, &e
	}
	defer s.bodies.Release(1)
	tooLarge := &refusal{status: http.StatusRequestEntityTooLarge, code: "VALIDATION_ERROR", rpc: mcp.INVALID_REQUEST, message: fmt.Sprintf("the body is longer than %d bytes", s.options.MaxBody)}
	if r.ContentLength > s.options.MaxBody {
		w.Header().Set("Connection", "close") // rather than reading the rest
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.MaxBody))
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, &refusal{status: http.StatusRequestTimeout, code: "INVALID_REQUEST", rpc: mcp.INVALID_REQUEST, message: "the body did not arrive whole within " + defaultBodyTime.String()}
	}
	limitRead(w, time.Time{}) // what follows may take longer
	return bytes.Trim(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n"), nil
}

// post serves one JSON-RPC message.
func (s *space) post(w http.ResponseWriter, r *http.Request) {
	body, e := s.readBody(w, r)
	if e != nil {
		refuse(w, r, *e)
		return
	}
	if len(body) == 0 {
		refuse(w, r, refusal{status: http.StatusBadRequest, rpc: mcp.PARSE_ERROR, message: "the body is empty; send one JSON-RPC message"})
		return
	}
	m, refused := jsonrpc.Parse(body)
	if refused != nil {
		refuse(w, r, refusal{status: http.StatusBadRequest, rpc: refused.Error.Code, message: refused.Error.Message, id: refused.ID})
		return
	}
	modern := isModern(r.Header, m)
	if m.Response && !modern {
		w.WriteHeader(http.StatusAccepted) // the server asks nothing of clients, so there is nothing it answers
		return
	}
	if need := s.tools.Needs(m.Method, m.ToolName()); !access.From(r.Context()).Rights.Has(need) {
		s.refuseRights(w, r, need, m.ID)
		return
	}
	one, release, e := s.sessionOf(r, m, modern)
	if e != nil {
		e.id = m.ID
		refuse(w, r, *e)
		return
	}
	defer release()
	if m.ID == nil && m.Method == string(mcp.MethodNotificationCancelled) && !modern {
		one.Cancel(m)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.exchange(w, r, m, one, modern)
}

// isModern tells whether a message belongs to revision 2026-07-28 or later, where each request stands by itself. The
// library judges by the same two marks, and refuses a message in which they differ.
func isModern(h http.Header, m jsonrpc.Message) bool {
	if mcp.IsModernProtocol(h.Get(mcp.HeaderProtocolVersion)) {
		return true
	}
	var params struct {
		Meta *mcp.Meta `json:"_meta"`
	}
	return json.Unmarshal(m.Params, &params) == nil && mcp.IsModernProtocol(params.Meta.ProtocolVersion())
}

// sessionOf finds the session of a message, starts one for initialize, or takes a passing one for a message that names
// none: a single call, made by hand, is served as well. Its client cannot be told anything later, so it cannot subscribe.
func (s *space) sessionOf(r *http.Request, m jsonrpc.Message, modern bool) (_ *session, release func(), _ *refusal) {
	switch {
	case modern:
		return s.newSession(), func() {}, nil
	case startsSession(m, modern):
		if e := s.ending(); e != nil {
			return nil, nil, e
		}
		one := s.sessions.create(access.From(r.Context()).Name)
		if one == nil {
			e := tooBusy("sessions")
			return nil, nil, &e
		}
		return one, func() { s.sessions.release(one) }, nil
	case r.Header.Get(server.HeaderKeySessionID) == "" && r.Header.Get(mcp.HeaderProtocolVersion) == "" && m.Method != string(mcp.MethodResourcesSubscribe):
		return s.newSession(), func() {}, nil
	}
	one, e := s.findSession(r)
	if e != nil {
		return nil, nil, e
	}
	return one, func() { s.sessions.release(one) }, nil
}

func startsSession(m jsonrpc.Message, modern bool) bool {
	return !modern && m.ID != nil && m.Method == string(mcp.MethodInitialize)
}

// exchange lets the library answer a message.
func (s *space) exchange(w http.ResponseWriter, r *http.Request, m jsonrpc.Message, one *session, modern bool) {
	e := &exchange{
		Message: m, modern: modern, streams: acceptsEvents(r), acknowledged: make(chan struct{}),
		header: http.Header{}, status: http.StatusOK, w: w,
	}
	e.view = &view{session: one}
	e.view.mailbox.Deliver = e.deliver
	ctx, cancel := s.callContext(r, modern)
	defer cancel(nil)
	if m.ID != nil {
		if !one.Begin(m.ID, cancel) {
			refuse(w, r, refusal{status: http.StatusBadRequest, rpc: mcp.INVALID_REQUEST, message: "a request with this id is still under way", id: m.ID})
			return
		}
		defer one.End(m.ID)
	}
	ctx, e.fault = tools.WithFault(context.WithValue(peer.WithNotifier(ctx, e.notify), exchangeKey{}, e))
	if refused := s.dispatch(ctx, r, e); refused != nil {
		if startsSession(m, modern) {
			s.sessions.drop(one)
		}
		refused.id = m.ID
		refuse(w, r, *refused)
		return
	}
	s.finish(e)
}

// dispatch has a message handled, as one of the requests under way or as one of the streams.
func (s *space) dispatch(ctx context.Context, r *http.Request, e *exchange) *refusal {
	room, what := s.inFlight, "requests"
	listening := e.Method == string(mcp.MethodSubscriptionsListen) && e.modern
	if listening {
		if e := s.ending(); e != nil {
			return e
		}
		room, what = s.streams, "streams"
		if !e.streams {
			return &refusal{status: http.StatusNotAcceptable, rpc: mcp.INVALID_REQUEST, message: e.Method + " answers with a stream; send Accept: application/json, text/event-stream"}
		}
	}
	if e.ID != nil {
		if !room.TryAcquire(1) {
			busy := tooBusy(what)
			return &busy
		}
		defer room.Release(1)
	}
	if listening {
		s.listen(ctx, r, e, func(ctx context.Context) { s.handle(ctx, r, e) })
	} else {
		s.handle(ctx, r, e)
	}
	return nil
}

// finish writes the answer. An initialize that failed leaves no session behind; one that succeeded names it.
func (s *space) finish(e *exchange) {
	e.view.mailbox.Close()
	status, line, failed := e.answer()
	if startsSession(e.Message, e.modern) {
		if failed {
			s.sessions.drop(e.view.session)
		} else {
			e.w.Header().Set(server.HeaderKeySessionID, e.view.id)
		}
	}
	e.write(status, line)
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
	stop := context.AfterFunc(s.calls, func() { cancel(peer.ErrShutdown) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// handle runs the library on a message, in its turn.
func (s *space) handle(ctx context.Context, r *http.Request, e *exchange) {
	waits, writes := schedule.Classify(e.Message, s.tools.Writes)
	if !waits {
		s.ask(ctx, r, e)
		return
	}
	if err := e.view.line.Run(ctx, writes, len(e.Text), func(ctx context.Context) { s.ask(ctx, r, e) }); err != nil {
		e.fail(jsonrpc.CodeRefused, "not executed: "+err.Error())
	}
}

// ask has the library answer a message. It checks what revision 2026-07-28 demands of headers, and gives errors their
// statuses.
func (s *space) ask(ctx context.Context, r *http.Request, e *exchange) {
	defer func() {
		if cause := recover(); cause != nil {
			s.logPanic(r, cause)
			e.fail(mcp.INTERNAL_ERROR, "internal error")
		}
	}()
	s.library.Handle(e, &server.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: e.Text, Context: ctx})
	if cause := context.Cause(ctx); cause != nil && e.body.Len() == 0 && e.ID != nil { // the library drops such an answer
		if e.listens() {
			e.closed = true // for a subscription it is the usual end
		} else {
			e.fail(jsonrpc.CodeRefused, cause.Error())
		}
	}
}

// acceptsEvents tells whether the client takes a stream of events.
func acceptsEvents(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			kind, parameters, err := mime.ParseMediaType(part)
			if err == nil && kind == "text/event-stream" && parameters["q"] != "0" {
				return true
			}
		}
	}
	return false
}
