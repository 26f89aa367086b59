package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// boundedIn has one field of each kind that is bounded by default.
type boundedIn struct {
	ID     string           `json:"sample_id,omitempty" jsonschema_description:"An id"`
	Name   string           `json:"name" jsonschema:"required" jsonschema_description:"A name"`
	Text   string           `json:"text,omitempty" jsonschema:"maxLength=20000" jsonschema_description:"A longer text"`
	List   []string         `json:"list,omitempty" jsonschema_description:"Names"`
	Few    []int            `json:"few,omitempty" jsonschema:"maxItems=2" jsonschema_description:"Two at most"`
	Object json.RawMessage  `json:"object,omitempty" jsonschema_description:"Any fields"`
	Parts  []map[string]any `json:"parts,omitempty" jsonschema_description:"Any fields, several times"`
	Number float64          `json:"number,omitempty" jsonschema:"minimum=0" jsonschema_description:"A number"`
}

// boundedTool is a tool of boundedIn that notes when it is reached.
func boundedTool(reached *bool) *Definition {
	return Define(Tool[boundedIn, sampleOut]{
		Name: "do_sample", Title: "Sample", Description: "Notes that it was reached, so that tests can see what is refused before anything is computed.",
		Permissions: []Permission{"samples:create"}, Category: Mutation, ResponseTime: Fast, Version: "1.2.3", Tags: []string{"test"},
		Examples: []Example[boundedIn, sampleOut]{{Description: "a name", Params: boundedIn{Name: "ann"}}},
		Handle: func(context.Context, boundedIn) (Result[sampleOut], error) {
			*reached = true
			return Result[sampleOut]{Data: sampleOut{Echo: sampleIn{Name: "ann", Date: "2026", Kind: "red"}, Names: []string{}}, Hints: NewHints(WriteEvidence())}, nil
		},
	})
}

func TestArgumentsBeyondTheirBoundsAreRefusedBeforeTheToolIsReached(t *testing.T) {
	long := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	many := func(n int, item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	var keys strings.Builder
	for i := range maxUnknownArguments + 10 {
		fmt.Fprintf(&keys, `,"k%d":1`, i)
	}
	object := func(n int) string { return `{"a":["` + strings.Repeat("x", n) + `"]}` }
	for name, test := range map[string]struct{ arguments, field, constraint string }{
		"a name of the greatest length": {`{"name":` + long(1000) + `}`, "", ""},
		"a longer name":                 {`{"name":` + long(1001) + `}`, "name", "maxLength 1000"},
		"a name of 3 MB":                {`{"name":` + long(3<<19) + `}`, "name", "maxLength 1000"},
		"a name of 12 MB":               {`{"name":` + long(6<<20) + `}`, "arguments", "maxBytes 4194304"},
		"an id":                         {`{"name":"a","sample_id":` + long(200) + `}`, "", ""},
		"a longer id":                   {`{"name":"a","sample_id":` + long(201) + `}`, "sample_id", "maxLength 200"},
		"an id under another spelling":  {`{"name":"a","sampleId":` + long(201) + `}`, "sample_id", "maxLength 200"},
		"a text as long as its tag":     {`{"name":"a","text":` + long(20000) + `}`, "", ""},
		"a text longer than its tag":    {`{"name":"a","text":` + long(20001) + `}`, "text", "maxLength 20000"},
		"a full list":                   {`{"name":"a","list":` + many(1000, `"x"`) + `}`, "", ""},
		"a longer list":                 {`{"name":"a","list":` + many(1001, `"x"`) + `}`, "list", "maxItems 1000"},
		"a long list of wrong items":    {`{"name":"a","list":` + many(testenv.Choose(1<<17, 1<<20), `1`) + `}`, "list", "maxItems 1000"},
		"a list longer than its tag":    {`{"name":"a","few":[1,2,3]}`, "few", "maxItems 2"},
		"a long name in a list":         {`{"name":"a","list":["x",` + long(1001) + `]}`, "list[1]", "maxLength 1000"},
		"an object":                     {`{"name":"a","object":` + object(maxFreeBytes-100) + `}`, "", ""},
		"a longer object":               {`{"name":"a","object":` + object(maxFreeBytes) + `}`, "object", "maxBytes 1048576"},
		"an object of many fields":      {`{"name":"a","object":{"a":` + many(1<<19, `{}`) + `}}`, "object", "maxBytes 1048576"},
		"a longer object in a list":     {`{"name":"a","parts":[{},` + object(maxFreeBytes) + `]}`, "parts[1]", "maxBytes 1048576"},
		"a great number":                {`{"name":"a","number":1e308}`, "", ""},
		"a number of many digits":       {`{"name":"a","number":` + strings.Repeat("9", 401) + `}`, "number", "64 bits"},
		"a number of a great exponent":  {`{"name":"a","number":1e999999}`, "number", "64 bits"},
		"a number of a small exponent":  {`{"name":"a","number":1e-999999}`, "number", "64 bits"},
		"many arguments it lacks":       {`{"name":"a"` + keys.String() + `}`, "arguments", "at most 5000 unknown"},
		"an argument with a long name":  {`{"name":"a","` + strings.Repeat("x", 1<<20) + `":1}`, "", ""},
		"what is missing comes first":   {`{"text":` + long(20001) + `}`, "name", "required"},
	} {
		t.Run(name, func(t *testing.T) {
			var reached bool
			p := pipelineOf(t, nil, boundedTool(&reached))
			r, err := p.Call(t.Context(), Request{Tool: "do_sample", Arguments: json.RawMessage(test.arguments)})
			if err != nil {
				t.Fatal(err)
			}
			if test.field == "" {
				if r.IsError || !reached {
					t.Errorf("refused: %.300s", r.Text)
				}
				return
			}
			if reached || r.Err == nil || r.Err.Field != test.field || r.Err.Rule != test.constraint {
				t.Errorf("reached %v, %.300s", reached, r.Text)
			}
		})
	}
}

func TestResultsMayBeLongerThanArguments(t *testing.T) {
	d := Define(Tool[boundedIn, boundedIn]{Name: "do_sample"})
	out, err := d.OutputSchema()
	if err != nil || strings.Contains(string(out), "maxLength") || strings.Contains(string(out), "maxItems") {
		t.Errorf("%s, %v", out, err)
	}
}
