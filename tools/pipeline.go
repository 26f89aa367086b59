package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
)

// Request is one call of a tool, from whichever door it came.
type Request struct {
	Tool      string          // published name or kebab form
	Arguments json.RawMessage // as sent; absent equals {}
	Call      Call            // ids and agent; the pipeline fills in what is missing
}

// Response is the result of a call, ready to be put on the wire.
type Response struct {
	Structured json.RawMessage // documented object, with agentHints unless hints travel in Meta; nil on errors
	Text       string          // the family's text
	Warning    string          // what Hints warn of, for clients that pass on only text
	Meta       map[string]any  // metadata, errorKind on errors, hints in meta mode, attribution
	IsError    bool
	// The parts again, for callers inside the process.
	Data      json.RawMessage
	Hints     *Hints
	Suggested []Action // all that the tool suggested, also what Hints leave out
	Err       *Error
	code      string // documented code of Err
	isEncoded bool   // Text is JSON that the pipeline encoded
}

// ErrUnknownTool is returned for a name that no served tool has.
type ErrUnknownTool struct{ Name string }

func (e *ErrUnknownTool) Error() string { return "unknown tool: " + e.Name }

// ServerOptions configure the pipeline and the MCP server around it. The zero
// value is usable except for Registry.
type ServerOptions struct {
	Registry *Registry
	Access   Access
	// HintsInMeta moves agentHints out of structuredContent and of error texts
	// into _meta, for clients that want the documented objects and no more.
	HintsInMeta bool
	Version     string // of the service, semantic
	// Patience multiplies the time a call may take, for slow machines; 0 is 1.
	TimeoutFactor int
	Logger        *slog.Logger
	Now           func() time.Time
	NewID         func() string // UUID version 7
	// Sequence is the change sequence of topics; without it nothing is cached.
	Sequence func(ctx context.Context, topics []string) (int64, error)
	// RateLimits change the published limits of tools.
	RateLimits RateLimits
	// Observe hears of every finished call. It must be quick: the call waits.
	Observe func(CallRecord)
	// Classify turns a failure of a family's storage into an *Error, or returns
	// nil when it does not know it.
	Classify func(error) *Error
}

// Pipeline carries calls from a name and raw arguments to a response. It is
// safe for concurrent use.
type Pipeline struct {
	o      ServerOptions
	limits *RateWindows[window]
	cache  *resultCache
}

// NewPipeline builds the pipeline; it fails when the access settings name
// something unknown.
func NewPipeline(o ServerOptions) (*Pipeline, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = newUUIDv7
	}
	o.Version = cmp.Or(o.Version, "0.0.0")
	o.TimeoutFactor = max(o.TimeoutFactor, 1)
	if err := o.Access.CheckNamesAndGrants(o.Registry); err != nil {
		return nil, err
	}
	limits, err := o.RateLimits.resolveToolNames(o.Registry)
	if err != nil {
		return nil, err
	}
	o.RateLimits = limits
	return &Pipeline{o: o, cache: newResultCache(), limits: NewRateWindows[window](maxWindows)}, nil
}

// FindServedTool finds a served tool by name; nil when there is none.
func (p *Pipeline) FindServedTool(name string) *Definition {
	d := p.o.Registry.Get(name)
	if d == nil || !p.o.Access.isServed(d) {
		return nil
	}
	return d
}

// isCallable reports whether there is a served tool of a name that may be called.
func (p *Pipeline) isCallable(name string) bool {
	d := p.FindServedTool(name)
	return d != nil && p.o.Access.findMissingPermission(d) == ""
}

// ListVisibleTools returns the tools a client may see: served and permitted, in order.
func (p *Pipeline) ListVisibleTools() []*Definition {
	return p.o.Registry.filter(func(d *Definition) bool {
		return p.o.Access.isServed(d) && p.o.Access.IsInToolset(d) && p.o.Access.findMissingPermission(d) == ""
	})
}

// ListCallableTools returns the tools that a caller may use, listed or not, in order; without
// the doors that lead to them.
func (p *Pipeline) ListCallableTools(ctx context.Context) []*Definition {
	return p.o.Registry.filter(func(d *Definition) bool {
		return !d.Door && p.o.Access.isServed(d) && p.o.Access.findMissingPermission(d) == "" && rightsOf(ctx).Has(d.RequiredRight())
	})
}

// callState is what one call gathers on its way.
type callState struct {
	d        *Definition
	call     Call
	started  time.Time
	unknown  []unknownArgument
	cached   bool
	argBytes int
	outcome  outcome
}

// Call runs the eight steps. The error is *ErrUnknownTool; everything else that
// goes wrong is a Response with IsError. A call that is forwarded is the call of the
// tool it names: that is what is logged and measured, unless it names none.
func (p *Pipeline) Call(ctx context.Context, r Request) (*Response, error) {
	d := p.FindServedTool(r.Tool) // 1 resolve
	if d == nil {
		return nil, &ErrUnknownTool{Name: r.Tool}
	}
	s := &callState{d: d, call: p.completeCallContext(r.Call, d), started: p.o.Now(), argBytes: len(r.Arguments)}
	ctx = WithCall(ctx, s.call)
	p.logStart(s)
	if d.Forward != nil {
		target, err := p.resolveForwardedCall(ctx, s, r)
		if err == nil {
			return p.Call(ctx, target)
		}
		response := p.buildErrorResponse(s, p.classifyError(ctx, s, err))
		p.recordFinishedCall(s, response)
		return response, nil
	}
	err := p.runWithChecksAndLimits(ctx, s, r.Arguments)
	var response *Response
	if err == nil {
		if response, err = p.buildSuccessResponse(s); err != nil { // 7 check
			err = p.toInternalError(s, err)
		}
	}
	if err != nil {
		response = p.buildErrorResponse(s, p.classifyError(ctx, s, err))
	}
	p.recordFinishedCall(s, response) // 8 record
	return response, nil
}

// completeCallContext completes the context of a call.
func (p *Pipeline) completeCallContext(c Call, d *Definition) Call {
	c.Tool = d.Name
	c.Timestamp = p.o.Now().UTC()
	if c.CorrelationID == "" {
		c.CorrelationID = p.o.NewID()
	}
	if c.TraceID == "" {
		c.TraceID = p.o.NewID()
	}
	c.AgentID = cmp.Or(c.AgentID, "unknown")
	c.AgentVersion = cmp.Or(c.AgentVersion, "unknown")
	return c
}

func (p *Pipeline) runWithChecksAndLimits(ctx context.Context, s *callState, raw json.RawMessage) error {
	arguments, err := p.checkRightsAndArguments(ctx, s, raw)
	if err != nil {
		return err
	}
	if l := p.rateLimitOf(s.d); l != nil { // 4 limit
		if wait := p.limits.Take(window{l.windowKey(s.d.Name), s.call.UserID}, l.MaxCalls, l.Window, s.started); wait > 0 {
			return rateLimitError(s.d, *l, wait)
		}
	}
	if s.d.Cacheable() && p.o.Sequence != nil { // 5 cache
		return p.runCached(ctx, s, arguments)
	}
	return p.runTool(ctx, s, arguments)
}

// checkRightsAndArguments checks what the caller may do and whether the arguments are valid, and returns
// them in the form that handlers expect.
func (p *Pipeline) checkRightsAndArguments(ctx context.Context, s *callState, raw json.RawMessage) (json.RawMessage, error) {
	if missing := p.o.Access.findMissingPermission(s.d); missing != "" { // 2 permit
		return nil, Refused(CodePermission, "tool", string(missing), "%s needs the permission %s, which this server was not started with; ask the user to grant it (--grant %s, or drop --read-only)", s.d.Name, missing, missing)
	}
	if need := s.d.RequiredRight(); !rightsOf(ctx).Has(need) {
		return nil, Refused(CodePermission, "tool", need.Names()[0], "%s needs the right %s, which your token does not give; ask whoever runs this server for one that does", s.d.Name, need.Names()[0])
	}
	v, err := s.d.validateArguments(raw) // 3 validate
	s.unknown = v.unknown
	return v.arguments, err
}

func rateLimitError(d *Definition, l RateLimit, wait time.Duration) *Error {
	seconds := int((wait + time.Second - 1) / time.Second)
	who, verb := d.Name, "takes"
	if l.Shared != "" {
		who, verb = "the tools of "+l.Shared, "together take"
	}
	most := fmt.Sprintf("at most %s in %s", language.FormatCount(l.MaxCalls, "call", "calls"), l.Window)
	e := Refused(CodeRateLimited, "", most, "%s %s %s; call again in %d s", who, verb, most, seconds)
	e.Retryable = true
	return e.WithDetail("retry_after_seconds", seconds)
}

func (p *Pipeline) runCached(ctx context.Context, s *callState, arguments json.RawMessage) error {
	sequence, err := p.o.Sequence(ctx, s.d.Reads)
	if err != nil {
		return err
	}
	key := cacheKey{tool: s.d.Name, arguments: string(arguments)}
	if hit, ok := p.cache.get(key, sequence, s.started); ok {
		s.outcome, s.cached = hit, true
		return nil
	}
	if err := p.runTool(ctx, s, arguments); err != nil {
		return err
	}
	p.cache.put(key, sequence, s.started.Add(s.d.CacheTTL), s.outcome)
	return nil
}

// runTool is step 6. The handler runs on this goroutine, so that a timeout
// never leaves a write in doubt: it ends when the handler, whose context has
// expired, gives up.
func (p *Pipeline) runTool(ctx context.Context, s *callState, arguments json.RawMessage) (err error) {
	limit := time.Duration(p.o.TimeoutFactor) * s.d.ResponseTime.Timeout()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			p.o.Logger.Error("panic in a tool", "tool", s.d.Name, "traceId", s.call.TraceID, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = Failed(CodeInternal, false, nil, "%s failed unexpectedly; the details are in the server's log under trace %s", s.d.Name, s.call.TraceID)
		}
	}()
	s.outcome, err = s.d.Handle(ctx, arguments)
	if err != nil && asError(err) == nil && !errors.Is(err, store.ErrBusy) && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Failed(CodeTimeout, true, err, "%s did not finish within %s and was stopped; nothing was changed: try again, or ask for less", s.d.Name, limit)
	}
	return err
}

// classifyError gives every failure its kind.
func (p *Pipeline) classifyError(ctx context.Context, s *callState, err error) *Error {
	if e := asError(err); e != nil {
		return s.d.explainRefusedList(e)
	}
	if ctx.Err() != nil && !errors.Is(err, store.ErrBusy) {
		return Failed(CodeCancelled, true, err, "the call was cancelled; nothing was changed")
	}
	if p.o.Classify != nil {
		if e := p.o.Classify(err); e != nil {
			return e
		}
	}
	return p.toInternalError(s, err)
}

func (p *Pipeline) toInternalError(s *callState, err error) *Error {
	if e := asError(err); e != nil {
		return e
	}
	return Failed(CodeInternal, false, err, "%s failed inside the server; the details are in its log under trace %s", s.d.Name, s.call.TraceID)
}

func (p *Pipeline) logStart(s *callState) {
	p.o.Logger.Info("tool call", "tool", s.d.Name, "traceId", s.call.TraceID, "correlationId", s.call.CorrelationID,
		"agent", s.call.AgentID, "argumentBytes", s.argBytes)
}

func (p *Pipeline) recordFinishedCall(s *callState, r *Response) {
	took := p.o.Now().Sub(s.started)
	p.reportCall(s, r, took)
	log := p.o.Logger.With("tool", s.d.Name, "traceId", s.call.TraceID, "durationMs", toMilliseconds(took), "resultBytes", len(r.Text), "cached", s.cached)
	switch {
	case r.Err == nil:
		log.Info("tool done")
	case r.Err.Kind == System:
		log.Error("tool failed", "code", r.Err.Code, "error", fmt.Sprint(r.Err.Err))
	default:
		log.Info("tool refused", "kind", string(r.Err.Kind), "code", r.Err.Code, "field", r.Err.Field)
	}
}

// Version is the version of the service.
func (p *Pipeline) Version() string { return p.o.Version }

// ReadOnly returns a pipeline over the same tools that denies those that write.
func (p *Pipeline) ReadOnly() (*Pipeline, error) {
	o := p.o
	o.Access.ReadOnly = true
	return NewPipeline(o)
}

// Writes reports whether tools that write are served at all.
func (p *Pipeline) Writes() bool { return !p.o.Access.ReadOnly }
