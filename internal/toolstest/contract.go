package toolstest

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolkit/tools"
)

// Suggestions requires that hints give a reason, and that what they suggest
// exists and takes the arguments given, though others may be missing. It returns
// how many suggestions were seen. A pipeline drops suggestions of tools that it
// does not serve, so those never come to be seen in a response.
func Suggestions(t testing.TB, r *tools.Registry, tool string, hints *tools.Hints) (seen int) {
	t.Helper()
	if hints == nil || hints.Reasoning == "" {
		t.Errorf("%s gives no reasoned hints", tool)
		return 0
	}
	for _, a := range hints.SuggestedNextActions {
		d := r.Get(a.Action)
		if d == nil {
			t.Errorf("%s suggests %s, which is no tool", tool, a.Action)
			continue
		}
		seen++
		if err := partial(t, d).Validate(generic(t, a.Data)); err != nil {
			t.Errorf("%s suggests %s with %s, which it does not take: %v", tool, a.Action, JSON(a.Data), err)
		}
	}
	return seen
}

// Suggestions makes a call, which may fail, and checks what its hints suggest.
func (b *Bench) Suggestions(tool string, in any) (seen int) {
	b.T.Helper()
	r := b.Respond(tool, in)
	whole := *r.Hints
	whole.SuggestedNextActions = r.Suggested
	return Suggestions(b.T, b.Registry, tool, &whole)
}

// partial is the schema of some of a tool's inputs: any may be missing, and
// there are no others.
func partial(t testing.TB, d *tools.Definition) *jsonschema.Schema {
	t.Helper()
	schema := inputSchema(t, d)
	walk(d.Name, schema, func(_ string, s Args) {
		delete(s, "required")
		if s["properties"] != nil {
			s["additionalProperties"] = false
		}
	})
	c := jsonschema.NewCompiler()
	if err := c.AddResource("partial.json", generic(t, schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("partial.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// generic is a value as the schema library wants JSON; none is an empty object.
func generic(t testing.TB, object Args) any {
	t.Helper()
	if object == nil {
		return Args{}
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(JSON(object)))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// SameInput requires that a tool takes what its source document says, which is a
// schema without descriptions, and further optional inputs of ours; and that
// every input is described. Where the document bounds no length, the tool may.
func SameInput(t testing.TB, r *tools.Registry, tool, documented string, ours ...string) {
	t.Helper()
	d := r.Get(tool)
	if d == nil {
		t.Errorf("%s is missing", tool)
		return
	}
	got := inputSchema(t, d)
	undescribe(t, tool, got)
	properties, _ := got["properties"].(Args)
	for _, name := range ours {
		if properties[name] == nil {
			t.Errorf("%s: the optional input %s is missing", tool, name)
		}
		delete(properties, name)
	}
	var want Args
	Decode(t, []byte(documented), &want)
	removeOwnBounds(got, want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the schema is\n%s\nthe documentation has\n%s", tool, JSON(got), documented)
	}
}

// removeOwnBounds takes the bounds of lengths out of a schema that another does not have.
func removeOwnBounds(schema, other Args) {
	for _, bound := range []string{"maxLength", "maxItems"} {
		if _, documented := other[bound]; !documented {
			delete(schema, bound)
		}
	}
	for key, inner := range schema {
		if inner, ok := inner.(Args); ok {
			others, _ := other[key].(Args)
			removeOwnBounds(inner, others)
		}
	}
}

// EveryInputIsDescribed requires a description of every input of every tool.
func EveryInputIsDescribed(t testing.TB, r *tools.Registry) {
	t.Helper()
	for _, d := range r.All() {
		undescribe(t, d.Name, inputSchema(t, d))
	}
}

// undescribe removes the descriptions and sees that every property had one.
func undescribe(t testing.TB, tool string, schema Args) {
	t.Helper()
	walk(tool, schema, func(path string, s Args) {
		properties, _ := s["properties"].(Args)
		for name, inner := range properties {
			p := inner.(Args)
			if text, _ := p["description"].(string); text == "" {
				t.Errorf("%s.%s has no description", path, name)
			}
			delete(p, "description")
		}
	})
}

// walk visits a schema and those of its properties and items.
func walk(path string, schema Args, visit func(path string, schema Args)) {
	visit(path, schema)
	properties, _ := schema["properties"].(Args)
	for name, inner := range properties {
		walk(path+"."+name, inner.(Args), visit)
	}
	if items, ok := schema["items"].(Args); ok {
		walk(path, items, visit)
	}
}

// inputSchema is what a tool takes, without the examples of fields.
func inputSchema(t testing.TB, d *tools.Definition) (schema Args) {
	t.Helper()
	raw, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	Decode(t, raw, &schema)
	walk(d.Name, schema, func(_ string, s Args) {
		properties, _ := s["properties"].(Args)
		if len(properties) == 0 {
			return
		}
		maps.DeleteFunc(properties, func(_ string, inner any) bool { return inner.(Args)["description"] == tools.ExampleField })
		if len(properties) == 0 {
			delete(s, "properties") // an object of any fields
		}
	})
	return schema
}

// Object is what the schema of an object says of its keys.
type Object struct {
	Properties map[string]json.RawMessage
	Required   []string
}

// Output is the schema of a tool's result.
func Output(t testing.TB, r *tools.Registry, tool string) (object Object) {
	t.Helper()
	d := r.Get(tool)
	if d == nil {
		t.Fatalf("%s is missing", tool)
	}
	raw, err := d.OutputSchema()
	if err != nil {
		t.Fatal(err)
	}
	Decode(t, raw, &object)
	return object
}
