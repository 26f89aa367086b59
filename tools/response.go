package tools

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
)

// buildSuccessResponse returns step 7 and the encoding of a result: data present, hints complete
// and in range, output schema satisfied.
func (p *Pipeline) buildSuccessResponse(s *callState) (*Response, error) {
	data := s.outcome.Data
	if len(data) == 0 || string(data) == "null" {
		return nil, errors.New("the handler returned no data")
	}
	if !s.cached {
		if err := s.d.checkOutput(s.outcome.checked); err != nil {
			return nil, err
		}
	}
	hints, err := p.checkAndCompleteHints(s)
	if err != nil {
		return nil, err
	}
	encodedHints, err := encodeJSON(hints)
	if err != nil {
		return nil, fmt.Errorf("encoding hints: %w", err)
	}
	r := &Response{Data: data, Hints: hints, Suggested: p.selectCallableActions(s.outcome.Hints.SuggestedNextActions), Meta: p.buildMetadata(s)}
	maps.Copy(r.Meta, s.outcome.Meta)
	if r.Text, err = s.formatResultText(); err != nil {
		return nil, err
	}
	r.isEncoded = s.outcome.Voice == ""
	r.Structured = data
	if p.o.HintsInMeta {
		r.Meta["agentHints"] = json.RawMessage(encodedHints)
	} else {
		r.Structured = appendJSONKey(data, "agentHints", encodedHints)
		r.Warning = hints.formatWarnings(p.o.Registry)
	}
	return r, nil
}

// formatResultText returns the documented text of a result: its JSON, the plain array of its one
// list, or the family's sentence.
func (s *callState) formatResultText() (string, error) {
	if s.outcome.Voice != "" {
		return s.outcome.Voice, nil
	}
	if s.d.BareList == "" {
		return string(s.outcome.Data), nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(s.outcome.Data, &object); err != nil {
		return "", err
	}
	list, ok := object[s.d.BareList]
	if !ok {
		return "", fmt.Errorf("the result has no list %q", s.d.BareList)
	}
	return string(list), nil
}

const (
	// maxCheckedBytes is the size of a result from which only the first maxCheckedItems of
	// each of its lists are checked: to decode and validate a graph of 10,000 entities took
	// two fifths of a call, and the items of a list are of one type.
	maxCheckedBytes, maxCheckedItems = 1 << 16, 100
)

// shortenDataToCheck is what is checked of a result that was encoded as data.
func shortenDataToCheck[Out any](data json.RawMessage, result Out) (json.RawMessage, error) {
	if len(data) <= maxCheckedBytes {
		return data, nil
	}
	return encodeJSON(shortenLists(result))
}

// shortenLists returns a result with no more than the first items of each of its lists.
func shortenLists[Out any](result Out) Out {
	fields := reflect.ValueOf(&result).Elem()
	if fields.Kind() != reflect.Struct {
		return result
	}
	for i := range fields.NumField() {
		list := fields.Field(i)
		isList := list.Kind() == reflect.Slice && list.Type().Elem().Kind() != reflect.Uint8
		if isList && list.CanSet() && list.Len() > maxCheckedItems {
			list.Set(list.Slice(0, maxCheckedItems))
		}
	}
	return result
}

// checkOutput validates a result against the published output schema.
func (d *Definition) checkOutput(data json.RawMessage) error {
	held, err := d.result()
	if err != nil {
		return err
	}
	tree, err := decodeJSON(data)
	if err != nil {
		return err
	}
	if err := held.findFirstViolation(tree); err != nil {
		return fmt.Errorf("the result breaks the output schema: %s", err.Message) // it is no error of the caller
	}
	return nil
}

// checkAndCompleteHints checks a handler's hints and completes them.
func (p *Pipeline) checkAndCompleteHints(s *callState) (*Hints, error) {
	if s.outcome.Hints == nil {
		return nil, errors.New("the handler returned no hints")
	}
	h := *s.outcome.Hints
	if err := h.checkFieldsAndRanges(); err != nil {
		return nil, fmt.Errorf("hints: %w", err)
	}
	h.SuggestedNextActions = p.selectCallableActions(h.SuggestedNextActions)
	h.trimToBudget(s.outcome.Data)
	p.completeHints(s, &h)
	return &h, nil
}

// completeHints adds to hints what only the pipeline knows.
func (p *Pipeline) completeHints(s *callState, h *Hints) {
	p.addCallWarnings(s, h)
	h.SuggestedNextActions = p.selectCallableActions(h.SuggestedNextActions)
	h.estimateConfidenceAndImpact(s.d, p.FindServedTool)
}

// addCallWarnings reports ignored arguments and deprecation.
func (p *Pipeline) addCallWarnings(s *callState, h *Hints) {
	more := warnUnknownArguments(s.d, s.unknown)
	if d := s.d.Deprecated; d != nil {
		text := fmt.Sprintf("%s is deprecated and works until %s", s.d.Name, d.RemovalDate.Format(time.DateOnly))
		more = append(more, Warning{Type: "deprecation", Severity: PriorityMedium, Message: text, SuggestedFix: "use " + d.Replacement})
		p.o.Logger.Warn("deprecated tool called", "tool", s.d.Name, "replacement", d.Replacement, "traceId", s.call.TraceID)
	}
	h.Warnings = slices.Concat(h.Warnings, more)
	for i := range h.Warnings {
		w := &h.Warnings[i]
		w.Message, w.SuggestedFix = p.annotateUnlistedToolNames(w.Message), p.annotateUnlistedToolNames(w.SuggestedFix)
	}
}

// warnUnknownArguments say which arguments were ignored, and which were taken for
// others. What a client adds to every call of every tool is left out: neither
// the model nor the person chose it, and a warning on each answer would only
// hide the others.
func warnUnknownArguments(d *Definition, unknown []unknownArgument) []Warning {
	var ignored, warnings = []string{}, []Warning(nil)
	for _, u := range unknown {
		name := cleanArgumentPath(u.path)
		switch {
		case u.accepted:
			warnings = append(warnings, Warning{
				Type: "validation", Severity: PriorityLow, RelatedIDs: []string{name},
				Message:      fmt.Sprintf("%s was taken for %s", name, u.suggestions[0]),
				SuggestedFix: "the argument of " + d.Name + " is called " + u.suggestions[0],
			})
		case len(u.suggestions) == 0 && !u.fromClient && !d.Strict:
			ignored = append(ignored, name)
		}
	}
	if len(ignored) > 0 {
		shown := ignored[:min(len(ignored), maxIgnored)]
		text := language.FormatCount(len(ignored), "unknown argument was", "unknown arguments were") + " ignored: " + strings.Join(shown, ", ")
		if len(shown) < len(ignored) {
			text += " …"
		}
		warnings = append(warnings, Warning{
			Type: "validation", Severity: PriorityLow, RelatedIDs: shown, Message: text,
			SuggestedFix: "leave them out, or look for the right name in the input schema of " + d.Name,
		})
	}
	return warnings
}

// maxIgnored is how many ignored arguments a warning names.
const maxIgnored = 10

// selectCallableActions drops suggestions of tools that this server does not offer, and suggests the others as
// they are listed, or through the door that leads to them.
func (p *Pipeline) selectCallableActions(actions []Action) []Action {
	actions = slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return !p.isCallable(a.Action) })
	for i := range actions {
		a := &actions[i]
		if door, through := p.WrapUnlistedToolCall(a.Action, a.Data); door != a.Action {
			a.Action, a.Data = Kebab(door), through
		}
		a.Tool = p.FindServedTool(a.Action).Name
	}
	return actions
}

// checkFieldsAndRanges enforces the contract's ranges on hints.
func (h *Hints) checkFieldsAndRanges() error {
	unit := func(name string, x float64) error {
		if math.IsNaN(x) || x < 0 || x > 1 {
			return fmt.Errorf("%s is %v, not between 0 and 1", name, x)
		}
		return nil
	}
	var errs []error
	for _, r := range h.RelatedResources {
		errs = append(errs, unit("relevance", r.Relevance))
	}
	for _, r := range h.RiskFactors {
		errs = append(errs, unit("probability", r.Probability), unit("impact", r.Impact))
	}
	if len(h.evidence) == 0 {
		errs = append(errs, errors.New("they rest on no evidence; build hints with NewHints"))
	}
	if h.SourceQuality == "" || h.ValidityPeriod == "" {
		errs = append(errs, errors.New("sourceQuality and validityPeriod are required"))
	}
	if h.SuggestedNextActions == nil || h.RelatedResources == nil || h.ContextNeeded == nil || h.Assumptions == nil ||
		h.RiskFactors == nil || h.Dependencies == nil || h.PreferenceAlignment == nil {
		errs = append(errs, errors.New("a required list is missing; build hints with NewHints"))
	}
	if len(h.SuggestedNextActions) > maxActions || len(h.RelatedResources) > maxResources {
		errs = append(errs, fmt.Errorf("at most %d actions and %d resources", maxActions, maxResources))
	}
	return errors.Join(errs...)
}

// buildErrorResponse encodes an error in the family's dialect.
func (p *Pipeline) buildErrorResponse(s *callState, e *Error) *Response {
	told := *e
	told.Message = p.annotateUnlistedToolNames(e.Message)
	e = &told
	hints := e.Hints
	if hints == nil {
		hints = errorHints(s.d, e)
	}
	h := *hints
	p.completeHints(s, &h)
	r := &Response{IsError: true, Err: e, Hints: &h, Suggested: h.SuggestedNextActions, Meta: p.buildMetadata(s)}
	r.Meta["errorKind"] = string(e.Kind)
	text := s.d.dialect(e, s.call)
	r.code, r.Text = cmp.Or(text.Code, e.Code), text.Plain
	if text.Object != nil {
		r.Text = string(mustEncodeJSON(text.Object))
	}
	switch encoded := mustEncodeJSON(&h); {
	case p.o.HintsInMeta:
		r.Meta["agentHints"] = encoded
	case text.Object != nil:
		r.Text = string(appendJSONKey(json.RawMessage(r.Text), "agentHints", encoded))
	default: // the plain text of an error carries no hints
		r.Meta["agentHints"], r.Warning = encoded, h.formatWarnings(p.o.Registry)
	}
	return r
}

// formatWarnings returns what hints warn of, with the next step, in one line for clients
// that pass on only text; "" when there is no warning.
func (h *Hints) formatWarnings(r *Registry) string {
	if len(h.Warnings) == 0 {
		return ""
	}
	var parts []string
	for _, w := range h.Warnings {
		text := w.Message
		if w.SuggestedFix != "" {
			text += ": " + w.SuggestedFix
		}
		parts = append(parts, text)
	}
	line := "Warning: " + strings.Join(parts, "; ") + "."
	if len(h.SuggestedNextActions) > 0 {
		line += " Next: " + h.SuggestedNextActions[0].formatLine(r)
	}
	return oneLine.Replace(line)
}

var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// maxDataLength is how large the arguments of an action may be that a line of text
// repeats; structuredContent has them all.
const maxDataLength = 300

// formatLine returns an action as a person reads it, with the name that clients list: most
// refuse any other before it reaches us.
func (a Action) formatLine(r *Registry) string {
	line := a.Action
	if d := r.Get(line); d != nil {
		line = d.Name
	}
	if data := mustEncodeJSON(a.Data); len(a.Data) > 0 && len(data) <= maxDataLength {
		line += " " + string(data)
	}
	if a.Description != "" {
		line += " (" + a.Description + ")"
	}
	return line + "."
}

// errorHints says what to do about an error whose family had nothing better.
func errorHints(d *Definition, e *Error) *Hints {
	switch {
	case e.Kind == Validation:
		h := NewHints(Evidence{Quality: QualityHigh, Validity: Immediate}).
			SuggestCall(d.Name, PriorityHigh, nil, "call again with "+cmp.Or(e.Field, "the arguments")+" corrected").
			Because(e.Message)
		if e.Field != "" {
			h.Needs("a valid value for " + e.Field)
		}
		return h
	case e.Retryable:
		return NewHints(Evidence{Quality: QualityMedium, Validity: Short}).
			SuggestCall(d.Name, PriorityMedium, nil, "try the same call again").Because(e.Message)
	case e.Kind == Business:
		return NewHints(Evidence{Quality: QualityHigh, Validity: Immediate}).Because(e.Message)
	}
	return NewHints(Evidence{Quality: QualityUnknown, Validity: Immediate}).
		Because("the failure is inside the server; repeating the call is unlikely to help")
}

// buildMetadata returns the metadata of the contract.
func (p *Pipeline) buildMetadata(s *callState) map[string]any {
	return map[string]any{"metadata": map[string]any{
		"toolVersion":    s.d.Version,
		"serviceVersion": p.o.Version,
		"timestamp":      s.call.Timestamp.Format("2006-01-02T15:04:05.000Z"),
		"executionTime":  toMilliseconds(p.o.Now().Sub(s.started)),
		"traceId":        s.call.TraceID,
		"correlationId":  s.call.CorrelationID,
		"cached":         s.cached,
	}}
}

// toMilliseconds keeps microseconds as decimals.
func toMilliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
