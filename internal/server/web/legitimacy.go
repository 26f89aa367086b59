package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// legitimacyTool answers POST /api/legitimacy.
const legitimacyTool = "score_legitimacy"

// serveLegitimacyTool is the tool score_legitimacy without the protocol: its arguments in, its documented object out, with
// the _meta of the result as one more key.
func (s *space) serveLegitimacyTool(w http.ResponseWriter, r *http.Request) *refusal {
	if need := s.tools.RequiredRightOf(string(mcp.MethodToolsCall), legitimacyTool); !access.CallerFrom(r.Context()).Rights.Has(need) {
		return s.challengeMissingRights(w, r, need)
	}
	body, release, e := s.readBody(w, r)
	defer release()
	if e != nil {
		return e
	}
	if len(body) == 0 || body[0] != '{' || !json.Valid(body) {
		return &refusal{status: http.StatusBadRequest, code: "VALIDATION_ERROR", message: "the body must be a JSON object with the arguments of " + legitimacyTool}
	}
	if rpc.HasTooManyValues(body) {
		return &refusal{status: http.StatusBadRequest, code: "VALIDATION_ERROR", message: fmt.Sprintf("the arguments can have %d values at most", rpc.MaxValues)}
	}
	if !s.inFlight.TryAcquire(1) {
		return newBusyRefusal("requests")
	}
	defer s.inFlight.Release(1)
	ctx, cancel := cancelWithServer(s.calls, r.Context())
	defer cancel(nil)
	ctx, leave, err := s.turns.NewQueue().Enter(ctx, false, len(body))
	if err != nil {
		return newBusyRefusal("calls")
	}
	defer leave()
	response, err := s.tools.Pipeline.Call(ctx, tools.Request{
		Tool: legitimacyTool, Arguments: body,
		Call: tools.Call{AgentID: "http", TraceID: tools.TraceID(r.Header.Get("Traceparent"))},
	})
	switch {
	case err != nil:
		return &refusal{status: http.StatusNotFound, code: "TOOL_NOT_SERVED", message: "this server does not serve " + legitimacyTool + "; start it with the family pockets"}
	case response.IsError:
		return newCallRefusal(response)
	}
	var result map[string]json.RawMessage
	meta, err := json.Marshal(response.Meta)
	if err = errors.Join(err, json.Unmarshal(response.Structured, &result)); err != nil {
		panic(err) // the pipeline checked it
	}
	result["_meta"] = meta
	writeJSON(w, http.StatusOK, result)
	return nil
}

// newCallRefusal is the family's own error, under the HTTP status of its kind.
func newCallRefusal(response *tools.Response) *refusal {
	e := response.Err
	refused := &refusal{status: http.StatusInternalServerError, code: e.Code, message: response.Text, meta: response.Meta}
	switch {
	case e.Code == tools.CodeRateLimited:
		refused.status = http.StatusTooManyRequests
		refused.retry, _ = e.Details["retry_after_seconds"].(int)
	case e.Code == tools.CodePermission:
		refused.status = http.StatusForbidden
	case e.Kind == tools.Validation:
		refused.status = http.StatusBadRequest
	case e.Kind == tools.Business:
		refused.status = http.StatusUnprocessableEntity
	case e.Retryable:
		refused.status, refused.retry = http.StatusServiceUnavailable, 1
	}
	return refused
}
