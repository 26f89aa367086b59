package tools

import (
	"math"
	"reflect"
	"slices"
	"strings"
)

// priorityBenefit are how much of what could be gained depends on a suggestion or warning.
var priorityBenefit = map[Priority]float64{PriorityLow: 0.1, PriorityMedium: 0.3, PriorityHigh: 0.6, PriorityCritical: 0.9}

// What following hints asks of a caller, as shares of the most it could ask.
const (
	reading   = 0.05 // the hints themselves
	asking    = 0.05 // another call
	changing  = 0.1  // a call that writes
	risking   = 0.1  // a call that removes something, or leaves the machine
	waiting   = 0.1  // a call that may take more than a second
	supplying = 0.1  // an argument or a fact that nobody knows yet
)

// estimateConfidenceAndImpact derives from facts how sure hints are and what following them is
// worth: the evidence; what is assumed, doubtful, or needed and not known yet;
// how urgent the suggestions and warnings are; and what the suggested tools do. A tool gives evidence, never numbers.
// Called is the tool that gave them; find knows the suggested ones.
func (h *Hints) estimateConfidenceAndImpact(called *Definition, find func(string) *Definition) {
	known, open := len(h.evidence), len(h.ContextNeeded)+len(h.Assumptions)+len(h.RiskFactors)
	lost, effort := 1.0, reading+supplying*float64(len(h.ContextNeeded))
	for _, a := range h.SuggestedNextActions {
		d := find(a.Action)
		missing := d.countMissingArguments(a.Data)
		if d == called && a.Data == nil { // the call again, better
			missing = 0
		}
		known, open = known+len(a.Data), open+missing
		lost *= 1 - priorityBenefit[a.Priority]
		effort += d.estimateEffort() + supplying*float64(missing)
	}
	for _, w := range h.Warnings {
		lost *= 1 - priorityBenefit[w.Severity]
		if w.Type == "conflict" || w.Type == "duplicate" || w.Type == "validation" {
			open++
		}
	}
	h.Confidence = round2(h.findLowestEvidenceConfidence() * float64(known) / float64(known+open))
	benefit := round2((1 - lost) * (1 + h.Confidence) / 2) // unsure advice may be worth nothing
	effort = round2(math.Min(1, effort))
	h.EstimatedImpact = Impact{Benefit: benefit, Effort: effort, ROI: round2(benefit / effort)}
}

// estimateEffort is what a call of the tool asks of its caller.
func (d *Definition) estimateEffort() float64 {
	effort := asking
	for _, demand := range []struct {
		share float64
		fact  bool
	}{{changing, d.Writes()}, {risking, d.Destructive || d.OpenWorld}, {waiting, d.ResponseTime == Slow}} {
		if demand.fact {
			effort += demand.share
		}
	}
	return effort
}

// countMissingArguments returns how many of the arguments that a tool requires are not given.
func (d *Definition) countMissingArguments(data map[string]any) (n int) {
	for _, name := range d.required() {
		if _, given := data[name]; !given {
			n++
		}
	}
	return n
}

// requiredArguments are the arguments that an input demands. Its schema says the same,
// but takes long to reflect.
func requiredArguments(input reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(input) {
		if slices.Contains(strings.Split(field.Tag.Get("jsonschema"), ","), "required") {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}
