package tools

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/errgroup"

	"toolkit/internal/language"
)

// Server is the pipeline behind the Model Context Protocol. MCP gives the
// mcp-go server that transports attach to; HandleMessage answers one message.
type Server struct {
	Pipeline *Pipeline
	MCP      *server.MCPServer

	notify    NotifyFunc
	listed    func() ([]mcp.Tool, error)
	resources *resourceRouter
}

// NotifyFunc sends a notification to the client a context belongs to.
type NotifyFunc func(ctx context.Context, method string, params map[string]any) error

// describeServer returns what a client shows of the server as a whole, and what it tells
// its model: only of what is served.
func (p *Pipeline) describeServer() (description, instructions string) {
	listed := map[string]bool{}
	families := map[string]bool{}
	for _, d := range p.ListVisibleTools() {
		listed[d.Name], families[d.Family] = true, true
	}
	var subjects []string
	sentences := []string{"toolkit is the user's durable local memory."}
	for _, f := range p.o.Registry.families {
		if families[f.Name] && f.Subject != "" {
			subjects = append(subjects, f.Subject)
		}
		for _, a := range f.Advice {
			if listed[a.Tool] {
				sentences = append(sentences, a.Text)
			}
		}
	}
	sentences = append(sentences, "agentHints suggest next calls: tool, and arguments in data.")
	return "Durable local memory: " + strings.Join(subjects, ", ") + ".", strings.Join(sentences, " ")
}

// NewServer builds the MCP server around a pipeline. notify may be nil; then
// mcp-go's own notification channel is used.
func NewServer(o ServerOptions, notify NotifyFunc) (*Server, error) {
	p, err := NewPipeline(o)
	if err != nil {
		return nil, err
	}
	s := &Server{Pipeline: p, notify: notify, resources: newResourceRouter(p)}
	s.listed = sync.OnceValues(s.buildToolList)
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(s.resolveToolName)
	hooks.AddAfterListTools(s.replaceToolList)
	hooks.AddOnError(rewriteUnparsableError)
	hooks.AddBeforeReadResource(s.resources.encodeResourceURI)
	hooks.AddAfterListResourceTemplates(s.resources.hideRouteTemplate)
	description, instructions := p.describeServer()
	serverOptions := []server.ServerOption{
		server.WithTitle("toolkit"),
		server.WithDescription(description),
		server.WithInstructions(instructions),
		server.WithHooks(hooks),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(true, false),
		server.WithPromptCapabilities(false),
		server.WithLogging(),
	}
	s.MCP = server.NewMCPServer("toolkit", p.o.Version, serverOptions...)
	if s.notify == nil {
		s.notify = s.MCP.SendNotificationToClient
	}
	for _, d := range append(p.o.Registry.filter(p.o.Access.isServed), p.o.Registry.unlisted...) {
		// The real definition is put in place when the list is asked for:
		// reflecting every schema at start-up would cost time.
		s.MCP.AddTool(mcp.Tool{Name: d.Name, RawInputSchema: json.RawMessage(`{"type":"object"}`)}, s.callTool)
	}
	s.resources.registerResources(s.MCP)
	registerPrompts(s.MCP, p)
	return s, nil
}

// fault is a JSON-RPC error that mcp-go cannot express from a handler. Its code
// is 0 until a request has earned one.
type fault struct {
	code    int
	message string
}

type faultKey struct{}

// setRPCError decides the JSON-RPC error of the request ctx belongs to.
func setRPCError(ctx context.Context, code int, message string) {
	if slot, ok := ctx.Value(faultKey{}).(*fault); ok {
		*slot = fault{code, message}
	}
}

// HandleMessage answers one JSON-RPC message through mcp-go and gives errors the
// code and wording of the contract.
func (s *Server) HandleMessage(ctx context.Context, message json.RawMessage) mcp.JSONRPCMessage {
	var earned fault
	response := s.MCP.HandleMessage(context.WithValue(ctx, faultKey{}, &earned), message)
	if e, ok := response.(mcp.JSONRPCError); ok && earned.code != 0 {
		e.Error.Code, e.Error.Message = earned.code, earned.message
		return e
	}
	return response
}

// WithContext puts the session of a client into the context of its message.
func (s *Server) WithContext(ctx context.Context, session server.ClientSession) context.Context {
	return s.MCP.WithContext(ctx, session)
}

// rewriteUnparsableError replaces the text of parameters that do not fit the
// protocol, which would name Go types.
func rewriteUnparsableError(ctx context.Context, _ any, method mcp.MCPMethod, _ any, err error) {
	if _, unparsable := errors.AsType[*server.UnparsableMessageError](err); unparsable {
		setRPCError(ctx, mcp.INVALID_PARAMS, "the params of "+string(method)+" do not have the form the protocol gives them")
	}
}

// Writes reports whether a call of the named tool may change what is stored.
func (s *Server) Writes(tool string) bool {
	d := s.Pipeline.FindServedTool(tool)
	return d != nil && d.Writes()
}

// resolveToolName maps the kebab form of a published name to the name, before
// mcp-go looks the tool up.
func (s *Server) resolveToolName(ctx context.Context, _ any, r *mcp.CallToolRequest) {
	if d := s.Pipeline.FindServedTool(r.Params.Name); d != nil {
		r.Params.Name = d.Name
		return
	}
	setRPCError(ctx, mcp.INVALID_PARAMS, (&ErrUnknownTool{Name: r.Params.Name}).Error())
}

// callTool carries one tools/call through the pipeline. It never returns an
// error: mcp-go would send its raw text to the client.
func (s *Server) callTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	call := s.identifyCaller(ctx, r)
	response, err := s.Pipeline.Call(ctx, Request{Tool: r.Params.Name, Arguments: rawArguments(r), Call: call})
	if err != nil {
		setRPCError(ctx, mcp.INVALID_PARAMS, err.Error())
		return nil, errors.New(err.Error())
	}
	return &mcp.CallToolResult{
		Result:               mcp.Result{Meta: &mcp.Meta{AdditionalFields: response.Meta}},
		Content:              response.buildContent(),
		RawStructuredContent: response.Structured,
		IsError:              response.IsError,
	}, nil
}

// buildContent returns the family's text, and a second block where there is a warning, so
// that it also reaches models whose client passes on only text. It is annotated
// for the assistant: a person who reads the text sees the documented one. What is
// stored commands nothing in either, and the JSON has the values as they are stored.
func (r *Response) buildContent() []mcp.Content {
	blocks := []mcp.Content{mcp.TextContent{Type: "text", Text: r.neutralizedText()}}
	if r.Warning == "" {
		return blocks
	}
	forAssistant := mcp.Annotated{Annotations: &mcp.Annotations{Audience: []mcp.Role{mcp.RoleAssistant}}}
	return append(blocks, mcp.TextContent{Type: "text", Text: language.QuoteLine(r.Warning), Annotated: forAssistant})
}

// neutralizedText is the text of a response as a model may read it. What was encoded here needs
// no look whether it is JSON.
func (r *Response) neutralizedText() string {
	if r.isEncoded {
		return language.EscapeHidden(r.Text)
	}
	return neutralizeResultText(r.Text)
}

// neutralizeResultText is the text of a result as a model may read it: JSON with escapes,
// a sentence without what they would stand for.
func neutralizeResultText(text string) string {
	if json.Valid([]byte(text)) {
		return language.EscapeHidden(text)
	}
	return language.NeutralizeUntrustedText(text)
}

// rawArguments keeps the exact JSON: integers beyond 2^53 survive.
func rawArguments(r mcp.CallToolRequest) json.RawMessage {
	if len(r.Params.RawArguments) > 0 {
		return r.Params.RawArguments
	}
	if r.Params.Arguments == nil {
		return nil
	}
	raw, _ := encodeJSON(r.Params.Arguments) // what cannot be encoded was not sent
	return raw
}

func (s *Server) identifyCaller(ctx context.Context, r mcp.CallToolRequest) Call {
	var c Call
	if session := server.ClientSessionFromContext(ctx); session != nil {
		c.SessionID = session.SessionID()
		if known, ok := session.(server.SessionWithClientInfo); ok {
			info := known.GetClientInfo()
			c.AgentID, c.AgentVersion = info.Name, info.Version
		}
	}
	if meta := r.Params.Meta; meta != nil {
		s.readCallerMetadata(ctx, meta, &c)
	}
	return c
}

// readCallerMetadata takes from _meta what the caller says of itself.
func (s *Server) readCallerMetadata(ctx context.Context, meta *mcp.Meta, c *Call) {
	text := func(key string) string {
		v, _ := meta.AdditionalFields[key].(string)
		return v
	}
	c.TraceID = TraceID(text("traceparent"))
	c.UserID = text("userId")
	if token := meta.ProgressToken; token != nil {
		c.Progress = func(done, total float64, message string) {
			params := map[string]any{"progressToken": token, "progress": done}
			if total > 0 {
				params["total"] = total
			}
			if message != "" {
				params["message"] = message
			}
			if err := s.notify(ctx, "notifications/progress", params); err != nil {
				s.Pipeline.o.Logger.Debug("progress was not sent", "error", err.Error())
			}
		}
	}
}

// replaceToolList puts the real definitions, in their fixed order, into tools/list.
func (s *Server) replaceToolList(ctx context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	list, err := s.ListTools(ctx)
	if err != nil {
		s.Pipeline.o.Logger.Error("listing tools", "error", err.Error())
		list = []mcp.Tool{}
	}
	if mustOmitOutputSchemas(ctx) {
		list = slices.Clone(list)
		for i := range list {
			list[i].RawOutputSchema = nil
		}
	}
	result.Tools = list
}

// mustOmitOutputSchemas reports whether the client hides errors behind output
// schemas: Gemini CLI takes an error's text that is JSON for structured content,
// holds it to the schema of the success, and shows its model only that it does
// not fit.
func mustOmitOutputSchemas(ctx context.Context) bool {
	known, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && strings.HasPrefix(known.GetClientInfo().Name, "gemini-cli")
}

// buildToolList reflects every schema, which takes long, on all processors.
func (s *Server) buildToolList() ([]mcp.Tool, error) {
	listed := s.Pipeline.ListVisibleTools()
	list := make([]mcp.Tool, len(listed))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range listed {
		work.Go(func() (err error) {
			shown := *d
			shown.RateLimit = s.Pipeline.rateLimitOf(d)
			if s.Pipeline.o.Access.Toolset == CoreTools {
				shown.InputSchema = d.coreSchema
			}
			list[i], err = shown.buildListing(s.Pipeline.o.HintsInMeta)
			return err
		})
	}
	return list, work.Wait()
}

// ListTools returns what tools/list shows, in its order: what the caller may use.
func (s *Server) ListTools(ctx context.Context) ([]mcp.Tool, error) {
	list, err := s.listed()
	if has := rightsOf(ctx); err == nil && has != AllRights {
		list = slices.DeleteFunc(slices.Clone(list), func(t mcp.Tool) bool { return !has.Has(s.Pipeline.FindServedTool(t.Name).RequiredRight()) })
	}
	return list, err
}

// About returns what a client shows of the server as a whole, and what it tells
// its model.
func (s *Server) About() (description, instructions string) { return s.Pipeline.describeServer() }

// buildListing returns a definition as tools/list shows it.
func (d *Definition) buildListing(hintsInMeta bool) (mcp.Tool, error) {
	in, err := d.InputSchema()
	if err != nil {
		return mcp.Tool{}, err
	}
	output := d.outputWithHints
	if hintsInMeta {
		output = d.OutputSchema
	}
	out, err := output()
	if err != nil {
		return mcp.Tool{}, err
	}
	description := d.Description
	if p := d.Deprecated; p != nil {
		description = "Deprecated: use " + p.Replacement + ". " + description
	}
	readOnly, destructive, idempotent, open := !d.Writes(), d.Destructive, d.Idempotent, d.OpenWorld
	return mcp.Tool{
		Name: d.Name, Title: d.Title, Description: description,
		RawInputSchema: in, RawOutputSchema: out,
		Annotations: mcp.ToolAnnotation{
			Title: d.Title, ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &idempotent, OpenWorldHint: &open,
		},
		Meta: &mcp.Meta{AdditionalFields: d.contractFields()},
	}, nil
}

// contractFields are the parts of a definition that MCP has no place for.
func (d *Definition) contractFields() map[string]any {
	permissions := make([]string, len(d.Permissions))
	for i, p := range d.Permissions {
		permissions[i] = string(p)
	}
	m := map[string]any{
		"family": d.Family, "permissions": permissions, "category": d.Category, "responseTime": d.ResponseTime,
		"cacheable": d.Cacheable(), "idempotent": d.Idempotent, "tags": d.Tags, "version": d.Version,
	}
	if d.Cacheable() {
		m["cacheTTL"] = d.CacheTTL.Seconds()
	}
	if l := d.RateLimit; l != nil {
		m["rateLimit"] = map[string]any{"maxCalls": l.MaxCalls, "windowMs": l.Window.Milliseconds()}
	}
	if p := d.Deprecated; p != nil {
		m["deprecated"] = map[string]any{"since": p.Since, "replacement": p.Replacement, "removalDate": p.RemovalDate.Format("2006-01-02")}
	}
	return m
}

// Describe is the full definition of a tool with its examples, as the resource
// toolkit://tools/{name} and the command line show it.
func (d *Definition) Describe() (json.RawMessage, error) {
	in, err := d.InputSchema()
	if err != nil {
		return nil, err
	}
	out, err := d.OutputSchema()
	if err != nil {
		return nil, err
	}
	m := d.contractFields()
	m["name"], m["title"], m["description"] = d.Name, d.Title, d.Description
	m["alias"] = Kebab(d.Name)
	m["parameters"], m["result"] = in, out
	m["examples"] = d.Examples()
	m["timeoutMs"] = d.ResponseTime.Timeout().Milliseconds()
	m["destructive"], m["openWorld"] = d.Destructive, d.OpenWorld
	return encodeJSON(m)
}
