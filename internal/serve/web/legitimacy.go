package web

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/access"
	"toolkit/tools"
)

// legitimacyTool answers POST /api/legitimacy.
const legitimacyTool = "score_legitimacy"

// serveLegitimacy is the tool score_legitimacy without the protocol: its arguments in, its documented object out, with
// the _meta of the result as one more key.
func (s *space) serveLegitimacy(w http.ResponseWriter, r *http.Request) {
	if s.tools.Pipeline.Resolve(legitimacyTool) == nil {
		refuse(w, r, refusal{status: http.StatusNotFound, code: "TOOL_NOT_SERVED", message: "this server does not serve " + legitimacyTool + "; start it with the family pockets"})
		return
	}
	if need := s.tools.Needs(string(mcp.MethodToolsCall), legitimacyTool); !access.From(r.Context()).Rights.Has(need) {
		s.refuseRights(w, r, need, nil)
		return
	}
	body, e := s.readBody(w, r)
	if e != nil {
		refuse(w, r, *e)
		return
	}
	if len(body) == 0 || body[0] != '{' || !json.Valid(body) {
		refuse(w, r, refusal{status: http.StatusBadRequest, code: "VALIDATION_ERROR", message: "the body must be a JSON object with the arguments of " + legitimacyTool})
		return
	}
	if !s.inFlight.TryAcquire(1) {
		refuse(w, r, tooBusy("requests"))
		return
	}
	defer s.inFlight.Release(1)
	ctx, cancel := s.callContext(r, true)
	defer cancel(nil)
	var response *tools.Response
	var err error
	notRun := s.newSession().line.Run(ctx, false, len(body), func(ctx context.Context) {
		response, err = s.tools.Pipeline.Call(ctx, tools.Request{
			Tool: legitimacyTool, Arguments: body,
			Call: tools.Call{AgentID: "http", TraceID: tools.TraceID(r.Header.Get("Traceparent"))},
		})
	})
	switch {
	case notRun != nil:
		refuse(w, r, tooBusy("calls"))
		return
	case err != nil:
		refuse(w, r, refusal{status: http.StatusNotFound, code: "TOOL_NOT_SERVED", message: err.Error()})
		return
	case response.IsError:
		s.refuseCall(w, response)
		return
	}
	var result map[string]json.RawMessage
	if err := json.Unmarshal(response.Structured, &result); err != nil {
		panic(err) // the pipeline checked it
	}
	meta, err := json.Marshal(response.Meta)
	if err != nil {
		panic(err) // as above
	}
	result["_meta"] = meta
	writeJSON(w, http.StatusOK, result)
}

// refuseCall answers with the family's own error, under the HTTP status of its kind.
func (s *Server) refuseCall(w http.ResponseWriter, response *tools.Response) {
	e := response.Err
	status := http.StatusInternalServerError
	switch {
	case e.Code == tools.CodeRateLimited:
		status = http.StatusTooManyRequests
		if seconds, ok := e.Details["retry_after_seconds"].(int); ok {
			w.Header().Set("Retry-After", itoa(seconds))
		}
	case e.Code == tools.CodePermission:
		status = http.StatusForbidden
	case e.Kind == tools.Validation:
		status = http.StatusBadRequest
	case e.Kind == tools.Business:
		status = http.StatusUnprocessableEntity
	case e.Retryable:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, status, map[string]any{
		"error": map[string]any{"code": e.Code, "message": response.Text}, "_meta": response.Meta,
	})
}
