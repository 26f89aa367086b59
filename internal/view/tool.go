package view

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"toolkit/tools"
)

// arguments of a tool.
type arguments = map[string]any

// callTool runs a tool by the same road as an assistant's call and returns its
// documented result.
func (s *Server) callTool(ctx context.Context, q *query, tool string, in arguments) (json.RawMessage, error) {
	if q.fault != nil {
		return nil, q.fault
	}
	r, err := callWith(ctx, s.o.Pipeline, tool, in)
	if err != nil {
		return nil, err
	}
	if r.IsError {
		return nil, convertToolError(r.Err)
	}
	return r.Data, nil
}

// callWith calls a tool in the name of the page.
func callWith(ctx context.Context, p *tools.Pipeline, tool string, in arguments) (*tools.Response, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r, err := p.Call(ctx, tools.Request{Tool: tool, Arguments: raw, Call: tools.Call{AgentID: "toolkit-view", AgentVersion: p.Version()}})
	var unknown *tools.ErrUnknownTool
	if errors.As(err, &unknown) {
		return nil, notFound("This toolkit does not serve %s.", tool)
	}
	return r, err
}

// callInto is call with the result decoded.
func (s *Server) callInto(ctx context.Context, q *query, tool string, in arguments, into any) error {
	data, err := s.callTool(ctx, q, tool, in)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// convertToolError passes a tool's own words on: they say what was wrong and what to do.
func convertToolError(e *tools.Error) error {
	status := http.StatusServiceUnavailable
	switch e.Kind {
	case tools.Validation:
		status = http.StatusBadRequest
	case tools.Business:
		status = http.StatusNotFound
	}
	return &apiError{Status: status, Message: e.Message}
}
