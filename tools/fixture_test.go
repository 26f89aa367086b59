package tools

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// sampleIn has one field of each kind the validator treats differently.
type sampleIn struct {
	Name   string     `json:"name" jsonschema:"required,minLength=1,maxLength=5" jsonschema_description:"A short name"`
	Kind   string     `json:"kind,omitempty" jsonschema:"enum=red,enum=blue,default=red" jsonschema_description:"A colour"`
	Count  int64      `json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many"`
	Date   string     `json:"date" jsonschema:"required,pattern=^\\d{4}$" jsonschema_description:"A year"`
	Items  []sampleIt `json:"items,omitempty" jsonschema:"minItems=1" jsonschema_description:"Parts"`
	Ratio  float64    `json:"ratio,omitempty" jsonschema_description:"Any number"`
	Action string     `json:"action,omitempty" jsonschema_description:"What the handler should do"`
}

type sampleIt struct {
	ID string `json:"id" jsonschema:"required" jsonschema_description:"An id"`
}

type sampleOut struct {
	Echo  sampleIn `json:"echo"`
	Names []string `json:"names"`
	Ratio float64  `json:"ratio"`
}

// sampleTool does what its argument action says.
func sampleTool(change func(*Tool[sampleIn, sampleOut])) *Definition {
	t := Tool[sampleIn, sampleOut]{
		Name: "do_sample", Title: "Sample", Description: "Does what the argument action says, so that tests can see each way a call may end.",
		Permissions: []Permission{"samples:read"}, Category: Query, ResponseTime: Fast, Idempotent: true,
		Version: "1.2.3", Tags: []string{"test"},
		Examples: []Example[sampleIn, sampleOut]{{
			Description: "an echo", Params: sampleIn{Name: "ann", Date: "2026", Kind: "red"},
			Result: sampleOut{Echo: sampleIn{Name: "ann", Date: "2026", Kind: "red"}, Names: []string{}},
		}},
		Handle: handleSample,
	}
	if change != nil {
		change(&t)
	}
	return Define(t)
}

func handleSample(ctx context.Context, in sampleIn) (Result[sampleOut], error) {
	r := Result[sampleOut]{Data: sampleOut{Echo: in, Names: []string{}}}
	r.Hints = NewHints(NewReadEvidence(1)).SuggestCall("do_sample", PriorityLow, nil, "again").Because("a test asked")
	switch in.Action {
	case "panic":
		panic("a secret")
	case "fail":
		return r, errors.New("secret detail /home/someone")
	case "refuse":
		return r, Refused("NOT_FOUND", "name", "exists", "%s was not found", in.Name)
	case "wait":
		<-ctx.Done()
		return r, ctx.Err()
	case "null list":
		r.Data.Names = nil
	case "no hints":
		r.Hints = nil
	case "no evidence":
		r.Hints.evidence = nil
	case "invented numbers":
		r.Hints.Confidence, r.Hints.EstimatedImpact = 0.123, Impact{Benefit: 0.4, Effort: 0.4, ROI: 1}
	case "unknown suggestion":
		r.Hints.SuggestCall("no_such_tool", PriorityHigh, nil, "")
	}
	return r, nil
}

// pipelineOf builds a pipeline over one family with the given tools.
func pipelineOf(t *testing.T, change func(*ServerOptions), tools ...*Definition) *Pipeline {
	t.Helper()
	registry, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	o := ServerOptions{Registry: registry, Version: "9.9.9"}
	if change != nil {
		change(&o)
	}
	p, err := NewPipeline(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func callSample(t *testing.T, p *Pipeline, arguments string) *Response {
	t.Helper()
	r, err := p.Call(t.Context(), Request{Tool: "do_sample", Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// steppingClock is a clock that tests move by hand.
type steppingClock struct{ now time.Time }

func (c *steppingClock) Now() time.Time { return c.now }

func newClock() *steppingClock {
	return &steppingClock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}
