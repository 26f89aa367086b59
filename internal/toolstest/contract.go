package toolstest

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolkit/tools"
)

// checkSuggestions requires of a response that its hints give a reason, and that what its tool
// suggests takes the arguments given, though others may be missing. The pipeline drops
// suggestions of tools that it does not serve.
func (b *Bench) checkSuggestions(tool string, r *tools.Response) {
	b.T.Helper()
	if r.Hints == nil || r.Hints.Reasoning == "" {
		b.T.Errorf("%s gives no reasoned hints", tool)
		return
	}
	for _, a := range slices.Concat(r.Suggested, r.Hints.SuggestedNextActions) {
		if err := partial(b.T, b.Registry.Get(a.Action)).Validate(generic(b.T, a.Data)); err != nil {
			b.T.Errorf("%s suggests %s with %s, which it does not take: %v", tool, a.Action, JSON(a.Data), err)
		}
	}
}

// partials are the schemas that partial has compiled, by the published ones.
var partials sync.Map

// partial is the schema of some of a tool's inputs: any may be missing, and
// there are no others.
func partial(t testing.TB, d *tools.Definition) *jsonschema.Schema {
	t.Helper()
	published, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	if compiled, known := partials.Load(string(published)); known {
		return compiled.(*jsonschema.Schema)
	}
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
	partials.Store(string(published), compiled)
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

// requireDescriptions requires one of every input.
func requireDescriptions(t testing.TB, tool string, schema Args) {
	t.Helper()
	walk(tool, schema, func(path string, s Args) {
		properties, _ := s["properties"].(Args)
		for name, inner := range properties {
			if text, _ := inner.(Args)["description"].(string); text == "" {
				t.Errorf("%s.%s has no description", path, name)
			}
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
