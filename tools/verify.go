package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"
)

// Check is one line of the contract's verification checklist, decided for one
// tool.
type Check struct {
	Tool    string `json:"tool"`
	Line    string `json:"line"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"` // why it is not ok
}

// Verify walks the checklist for every tool. fresh returns server options over
// an empty database and a function that discards it; each tool's examples run
// on one of its own.
func Verify(ctx context.Context, r *Registry, fresh func() (ServerOptions, func(), error)) ([]Check, error) {
	var all []Check
	for _, d := range r.All() {
		checks, err := verifyTool(ctx, r, d, fresh)
		if err != nil {
			return nil, fmt.Errorf("verifying %s: %w", d.Name, err)
		}
		all = append(all, checks...)
	}
	return all, nil
}

// observed is what running a tool's examples showed.
type observed struct {
	results  []*Response
	refusal  *Response // of a call with impossible arguments
	problems []string  // examples that did not give what they promise
	log      string
	stats    ToolStats
}

func verifyTool(ctx context.Context, r *Registry, d *Definition, fresh func() (ServerOptions, func(), error)) ([]Check, error) {
	seen, err := observe(ctx, d, fresh)
	if err != nil {
		return nil, err
	}
	var checks []Check
	for _, line := range checklist {
		problem := line.decide(r, d, seen)
		checks = append(checks, Check{Tool: d.Name, Line: line.text, OK: problem == "", Problem: problem})
	}
	return checks, nil
}

func observe(ctx context.Context, d *Definition, fresh func() (ServerOptions, func(), error)) (*observed, error) {
	seen := &observed{}
	for _, e := range d.Examples {
		o, discard, err := fresh()
		if err != nil {
			return nil, err
		}
		var log bytes.Buffer
		o.Logger = slog.New(slog.NewJSONHandler(&log, nil))
		p, err := NewPipeline(o)
		if err == nil {
			err = seen.runExample(ctx, p, d, e)
		}
		discard()
		if err != nil {
			return nil, err
		}
		seen.log += log.String()
	}
	return seen, nil
}

func (seen *observed) runExample(ctx context.Context, p *Pipeline, d *Definition, e Example[json.RawMessage, json.RawMessage]) error {
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
	if seen.refusal, err = p.Call(ctx, Request{Tool: d.Name, Arguments: json.RawMessage(`[]`)}); err != nil {
		return err
	}
	s := p.Stats()[d.Name]
	seen.stats.Calls += s.Calls
	seen.stats.Errors += s.Errors
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
				return joinPath(path, key) + " is missing"
			}
			if slices.Contains(varies, key) {
				continue
			}
			if problem := difference(inner, other, joinPath(path, key), varies); problem != "" {
				return problem
			}
		}
		for key := range g {
			if _, expected := w[key]; !expected {
				return joinPath(path, key) + " was not expected"
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
// returns the problem or "".
type checkLine struct {
	text   string
	decide func(r *Registry, d *Definition, seen *observed) string
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}

// everyHint applies a test to the hints of each success and of the refusal.
func (seen *observed) everyHint(problem string, ok func(*Hints) bool) string {
	all := append(slices.Clone(seen.results), seen.refusal)
	for _, r := range all {
		if r == nil || r.Hints == nil || !ok(r.Hints) {
			return problem
		}
	}
	return ""
}

// checklist is the source's "Verification Checklist", in its order. Zod stands
// for the validator in use; kebab-case for a name that is callable in that form.
var checklist = []checkLine{
	{"Tool has unique name in kebab-case", func(r *Registry, d *Definition, _ *observed) string {
		return unless(r.Get(Kebab(d.Name)) == d && r.Get(d.Name) == d, "its kebab-case name does not lead to it alone")
	}},
	{"Description is clear and complete (>50 chars)", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(utf8.RuneCountInString(d.Description) > minDescription, "it is too short")
	}},
	{"All parameters validated with the reflected schema", verifyParameters},
	{"Permissions array defined", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(d.Permissions != nil, "it is nil")
	}},
	{"Category specified", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(d.Category != "", "it is empty")
	}},
	{"responseTime specified", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(d.ResponseTime != "", "it is empty")
	}},
	{"cacheable flag set correctly", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(!d.Cacheable() || !d.Writes(), "a tool that writes is cached")
	}},
	{"cacheTTL set if cacheable", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(!d.Cacheable() || (d.CacheTTL > 0 && len(d.Reads) > 0), "time or topics are missing")
	}},
	{"idempotent flag set correctly", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(d.Idempotent || d.Writes() || d.OpenWorld, "a local tool that does not write is always idempotent")
	}},
	{"At least 1 example provided", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(len(d.Examples) > 0, "there is none")
	}},
	{"At least 1 tag provided", func(_ *Registry, d *Definition, _ *observed) string {
		return unless(len(d.Tags) > 0, "there is none")
	}},
	{"Handler returns ToolResult structure", verifyToolResult},
	{"agentHints ALWAYS included in response", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("a response has none", func(h *Hints) bool { return h.check() == nil })
	}},
	{"agentHints.confidence calculated (not hardcoded)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it does not follow from evidence", func(h *Hints) bool { return len(h.evidence) > 0 && h.Confidence <= h.certainty() })
	}},
	{"agentHints.sourceQuality specified", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is empty", func(h *Hints) bool { return h.SourceQuality != "" })
	}},
	{"agentHints.validityPeriod specified", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is empty", func(h *Hints) bool { return h.ValidityPeriod != "" })
	}},
	{"agentHints.contextNeeded array present (can be empty)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is absent", func(h *Hints) bool { return h.ContextNeeded != nil })
	}},
	{"agentHints.assumptions array present (can be empty)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is absent", func(h *Hints) bool { return h.Assumptions != nil })
	}},
	{"agentHints.riskFactors array present (can be empty)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is absent", func(h *Hints) bool { return h.RiskFactors != nil })
	}},
	{"agentHints.dependencies array present (can be empty)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is absent", func(h *Hints) bool { return h.Dependencies != nil })
	}},
	{"agentHints.estimatedImpact object present with benefit/effort/roi", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is empty, or roi is not benefit / effort", func(h *Hints) bool {
			i := h.EstimatedImpact
			return i.Effort > 0 && i.ROI == round2(i.Benefit/i.Effort)
		})
	}},
	{"agentHints.preferenceAlignment array present (can be empty)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("it is absent", func(h *Hints) bool { return h.PreferenceAlignment != nil })
	}},
	{"agentHints.reasoning included (strongly recommended)", func(_ *Registry, _ *Definition, seen *observed) string {
		return seen.everyHint("a response gives none", func(h *Hints) bool { return h.Reasoning != "" })
	}},
	{"All metadata fields populated", verifyMetadata},
	{"Error handling implemented", func(_ *Registry, _ *Definition, seen *observed) string {
		return unless(seen.refusal != nil && seen.refusal.IsError && seen.refusal.Err.Kind == Validation && seen.refusal.Text != "", "impossible arguments were not refused as a validation error")
	}},
	{"Logging added", func(_ *Registry, d *Definition, seen *observed) string {
		ok := strings.Contains(seen.log, `"msg":"tool call","tool":"`+d.Name+`"`) && strings.Contains(seen.log, `"msg":"tool done"`) && strings.Contains(seen.log, `"traceId"`)
		return unless(ok, "start and end with trace id were not logged")
	}},
	{"Metrics emitted", func(_ *Registry, d *Definition, seen *observed) string {
		return unless(seen.stats.Calls >= 2*int64(len(d.Examples)) && seen.stats.Errors >= int64(len(d.Examples)), "calls and errors were not counted")
	}},
	{"Tests written (unit + integration)", func(_ *Registry, _ *Definition, seen *observed) string {
		return strings.Join(seen.problems, "; ") // the examples are the integration tests that ship with the tool
	}},
	{"Tool registered in ToolRegistry", func(r *Registry, d *Definition, _ *observed) string {
		return unless(slices.Contains(r.All(), d) && slices.Contains(r.ByCategory(d.Category), d), "it is not found there")
	}},
}

// verifyParameters checks that the schema compiles and describes every input.
func verifyParameters(_ *Registry, d *Definition, _ *observed) string {
	if err := d.schemas.ready(); err != nil {
		return err.Error()
	}
	properties, _ := d.schemas.inTree["properties"].(map[string]any)
	for name := range properties {
		if text, _ := property(d.schemas.inTree, name)["description"].(string); text == "" {
			return name + " has no description"
		}
	}
	for _, forbidden := range []string{"$schema", "$ref", "$defs", "oneOf", "anyOf", "allOf"} {
		if _, ok := d.schemas.inTree[forbidden]; ok {
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
