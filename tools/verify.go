package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// Check is one line of the contract's verification checklist, decided for one
// tool.
type Check struct {
	Tool    string `json:"tool"`
	Line    string `json:"line"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"` // why it is not ok
	Needs   string `json:"needs,omitempty"`   // what must be there to decide it; it is neither ok nor failed
}

// Ground is where examples run.
type Ground struct {
	// Fresh returns server options over an empty database and a function that
	// discards it. Each example has one of its own.
	Fresh func() (ServerOptions, func(), error)
	Lacks string // what examples may need and is not there
}

// Verify walks the checklist for every tool.
func Verify(ctx context.Context, r *Registry, g Ground) ([]Check, error) {
	var all []Check
	for _, d := range r.All() {
		seen, err := g.observe(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("verifying %s: %w", d.Name, err)
		}
		for _, line := range checklist {
			all = append(all, line.check(r, d, seen))
		}
	}
	return all, nil
}

// observed is what running a tool's examples showed.
type observed struct {
	results  []*Response
	refusal  *Response // of a call with impossible arguments
	problems []string  // examples that did not give what they promise
	needs    string    // what an example needed that was not there
	log      string
	stats    ToolStats
}

// observe runs the examples that the ground can bear, and a call that must be
// refused.
func (g Ground) observe(ctx context.Context, d *Definition) (*observed, error) {
	seen := &observed{}
	for _, e := range d.Examples() {
		if err := g.runExample(ctx, d, e, seen); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

func (g Ground) runExample(ctx context.Context, d *Definition, e Example[json.RawMessage, json.RawMessage], seen *observed) error {
	o, discard, err := g.Fresh()
	if err != nil {
		return err
	}
	defer discard()
	var log bytes.Buffer
	o.Logger = slog.New(slog.NewJSONHandler(&log, nil))
	p, err := NewPipeline(o)
	if err != nil {
		return err
	}
	if e.Needs == "" || e.Needs != g.Lacks {
		err = seen.call(ctx, p, d, e)
	} else {
		seen.needs = e.Needs
	}
	if err == nil {
		seen.refusal, err = p.Call(ctx, Request{Tool: d.Name, Arguments: json.RawMessage(`[]`)})
	}
	seen.log += log.String()
	seen.stats.Calls += p.Stats()[d.Name].Calls
	seen.stats.Errors += p.Stats()[d.Name].Errors
	return err
}

// call makes the calls of an example.
func (seen *observed) call(ctx context.Context, p *Pipeline, d *Definition, e Example[json.RawMessage, json.RawMessage]) error {
	for _, step := range e.Setup {
		r, err := p.Call(ctx, Request{Tool: step.Tool, Arguments: mustEncode(step.Params)})
		if err != nil {
			return err
		}
		if r.IsError {
			seen.problems = append(seen.problems, fmt.Sprintf("setup of example %q failed: %s", e.Description, r.Text))
			return nil
		}
	}
	r, err := p.Call(ctx, Request{Tool: d.Name, Arguments: e.Params})
	if err != nil {
		return err
	}
	seen.results = append(seen.results, r)
	if problem := compare(e, r); problem != "" {
		seen.problems = append(seen.problems, fmt.Sprintf("example %q: %s", e.Description, problem))
	}
	return nil
}

// compare checks a response against the example's expected result; "" is equal.
func compare(e Example[json.RawMessage, json.RawMessage], r *Response) string {
	if r.IsError {
		return "it failed: " + r.Text
	}
	want, err := decode(e.Result)
	if err != nil {
		return err.Error()
	}
	got, err := decode(r.Data)
	if err != nil {
		return err.Error()
	}
	return difference(want, got, "", e.Varies)
}

// difference names the first place where got differs from want; fields named in
// varies only have to be present.
func difference(want, got any, path string, varies []string) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: want an object, got %v", path, got)
		}
		for key, inner := range w {
			other, present := g[key]
			if !present {
				return JoinPath(path, key) + " is missing"
			}
			if slices.Contains(varies, key) {
				continue
			}
			if problem := difference(inner, other, JoinPath(path, key), varies); problem != "" {
				return problem
			}
		}
		for key := range g {
			if _, expected := w[key]; !expected {
				return JoinPath(path, key) + " was not expected"
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: want %d item(s), got %v", path, len(w), got)
		}
		for i := range w {
			if problem := difference(w[i], g[i], fmt.Sprintf("%s[%d]", path, i), varies); problem != "" {
				return problem
			}
		}
		return ""
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s: want %v, got %v", path, want, got)
	}
	return ""
}

// checkLine is a line of the source's checklist and how it is decided; decide
// returns the problem or "". Without it a rule of the definition decides, or for
// a field of agentHints that it is there.
type checkLine struct {
	text    string
	decide  func(r *Registry, d *Definition, seen *observed) string
	results bool // it is about the results of examples
}

func (l checkLine) check(r *Registry, d *Definition, seen *observed) Check {
	c := Check{Tool: d.Name, Line: l.text}
	field, hint := strings.CutPrefix(l.text, "agentHints.")
	switch {
	case seen.needs != "" && (l.results || hint):
		c.Needs = seen.needs
		return c
	case l.decide != nil:
		c.Problem = l.decide(r, d, seen)
	case hint:
		c.Problem = seen.everyHint("it is absent", hasField(strings.Fields(field)[0]))
	default:
		c.Problem = d.problem(l.text)
	}
	c.OK = c.Problem == ""
	return c
}

// problem is what rules say that stand for a line of the checklist.
func (d *Definition) problem(line string) string {
	problem := "no rule decides this"
	for _, rule := range d.rules() {
		switch {
		case rule.line != line:
		case !rule.kept:
			return rule.problem
		default:
			problem = ""
		}
	}
	return problem
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}

// everyHint applies a test to the hints of each success and of the refusal.
func (seen *observed) everyHint(problem string, ok func(*Hints) bool) string {
	for _, r := range append(slices.Clone(seen.results), seen.refusal) {
		if r == nil || r.Hints == nil || !ok(r.Hints) {
			return problem
		}
	}
	return ""
}

// hasField tests that a field of hints says something or is an empty list.
func hasField(name string) func(*Hints) bool {
	return func(h *Hints) bool {
		var fields map[string]json.RawMessage
		err := json.Unmarshal(mustEncode(h), &fields)
		value := string(fields[name])
		return err == nil && value != "" && value != "null" && value != `""`
	}
}

// checklist is the source's "Verification Checklist", in its order. Zod stands
// for the validator in use; kebab-case for a name that is callable in that form.
var checklist = []checkLine{
	{text: "Tool has unique name in kebab-case", decide: func(r *Registry, d *Definition, _ *observed) string {
		return unless(r.Get(Kebab(d.Name)) == d && r.Get(d.Name) == d, "its kebab-case name does not lead to it alone")
	}},
	{text: "Description is clear and complete (>50 chars)"},
	{text: "All parameters validated with the reflected schema", decide: verifyParameters},
	{text: "Permissions array defined"},
	{text: "Category specified"},
	{text: "responseTime specified"},
	{text: "cacheable flag set correctly"},
	{text: "cacheTTL set if cacheable"},
	{text: "idempotent flag set correctly"},
	{text: "At least 1 example provided"},
	{text: "At least 1 tag provided"},
	{text: "Handler returns ToolResult structure", decide: verifyToolResult, results: true},
	{text: "agentHints ALWAYS included in response", results: true, decide: func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("a response has none", func(h *Hints) bool { return h.check() == nil })
	}},
	{text: "agentHints.confidence calculated (not hardcoded)", decide: verifyEstimate},
	{text: "agentHints.sourceQuality specified"},
	{text: "agentHints.validityPeriod specified"},
	{text: "agentHints.contextNeeded array present (can be empty)"},
	{text: "agentHints.assumptions array present (can be empty)"},
	{text: "agentHints.riskFactors array present (can be empty)"},
	{text: "agentHints.dependencies array present (can be empty)"},
	{text: "agentHints.estimatedImpact object present with benefit/effort/roi", decide: verifyEstimate},
	{text: "agentHints.preferenceAlignment array present (can be empty)"},
	{text: "agentHints.reasoning included (strongly recommended)"},
	{text: "All metadata fields populated", decide: verifyMetadata, results: true},
	{text: "Error handling implemented", decide: func(_ *Registry, _ *Definition, seen *observed) string {
		return unless(seen.refusal != nil && seen.refusal.IsError && seen.refusal.Err.Kind == Validation && seen.refusal.Text != "", "impossible arguments were not refused as a validation error")
	}},
	{text: "Logging added", decide: func(_ *Registry, d *Definition, seen *observed) string {
		ok := strings.Contains(seen.log, `"msg":"tool call","tool":"`+d.Name+`"`) && strings.Contains(seen.log, `"traceId"`) &&
			(strings.Contains(seen.log, `"msg":"tool done"`) || seen.needs != "")
		return unless(ok, "start and end with trace id were not logged")
	}},
	{text: "Metrics emitted", decide: func(_ *Registry, d *Definition, seen *observed) string {
		ok := seen.stats.Errors >= int64(len(d.Examples())) && seen.stats.Calls >= int64(len(d.Examples())+len(seen.results))
		return unless(ok, "calls and errors were not counted")
	}},
	{text: "Tests written (unit + integration)", results: true, decide: func(_ *Registry, _ *Definition, seen *observed) string {
		return strings.Join(seen.problems, "; ") // the examples are the integration tests that ship with the tool
	}},
	{text: "Tool registered in ToolRegistry", decide: func(r *Registry, d *Definition, _ *observed) string {
		return unless(slices.Contains(r.All(), d) && slices.Contains(r.ByCategory(d.Category), d), "it is not found there")
	}},
}

// verifyEstimate checks that confidence and impact are those that follow from
// the facts.
func verifyEstimate(r *Registry, d *Definition, seen *observed) string {
	return seen.everyHint("it does not follow from the facts", func(h *Hints) bool {
		again := *h
		again.estimate(d, r.Get)
		i, j := h.EstimatedImpact, again.EstimatedImpact
		return h.Confidence == again.Confidence && i.Benefit == j.Benefit && i.Effort == j.Effort && i.ROI == j.ROI && i.Effort > 0
	})
}

// verifyParameters checks that the schema compiles and describes every input.
func verifyParameters(_ *Registry, d *Definition, _ *observed) string {
	held, err := d.arguments()
	if err == nil {
		_, err = d.result()
	}
	if err != nil {
		return err.Error()
	}
	for name, p := range held.Properties {
		if p.Description == "" {
			return name + " has no description"
		}
	}
	published, err := d.InputSchema()
	if err != nil {
		return err.Error()
	}
	var keywords map[string]json.RawMessage
	if err := json.Unmarshal(published, &keywords); err != nil {
		return err.Error()
	}
	for _, forbidden := range []string{"$schema", "$ref", "$defs", "oneOf", "anyOf", "allOf"} {
		if _, ok := keywords[forbidden]; ok {
			return "the schema has " + forbidden + " at its top, which some clients refuse"
		}
	}
	return ""
}

// verifyToolResult checks the identity of the two halves of a result.
func verifyToolResult(_ *Registry, _ *Definition, seen *observed) string {
	if len(seen.results) == 0 {
		return "no example gave a result"
	}
	for _, r := range seen.results {
		if r.IsError {
			return "an example failed: " + r.Text
		}
		structured, err := decode(r.Structured)
		if err != nil {
			return err.Error()
		}
		object, ok := structured.(map[string]any)
		if !ok || r.Data == nil {
			return "data is absent or no object"
		}
		delete(object, "agentHints")
		data, err := decode(r.Data)
		if err != nil {
			return err.Error()
		}
		if problem := difference(data, object, "", nil); problem != "" {
			return "structuredContent differs from the data: " + problem
		}
	}
	return ""
}

func verifyMetadata(_ *Registry, _ *Definition, seen *observed) string {
	for _, r := range append(slices.Clone(seen.results), seen.refusal) {
		if r == nil {
			return "no response"
		}
		m, _ := r.Meta["metadata"].(map[string]any)
		for _, key := range []string{"toolVersion", "timestamp", "executionTime", "serviceVersion", "traceId", "correlationId", "cached"} {
			if v, ok := m[key]; !ok || v == "" {
				return key + " is missing"
			}
		}
	}
	return ""
}
