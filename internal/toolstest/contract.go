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
		if err := compilePartialSchema(b.T, b.Registry.Get(a.Action)).Validate(toGenericJSON(b.T, a.Data)); err != nil {
			b.T.Errorf("%s suggests %s with %s, which it does not take: %v", tool, a.Action, EncodeJSON(a.Data), err)
		}
	}
}

// partials are the schemas that partial has compiled, by the published ones.
var partials sync.Map

// compilePartialSchema is the schema of some of a tool's inputs: any may be missing, and
// there are no others.
func compilePartialSchema(t testing.TB, d *tools.Definition) *jsonschema.Schema {
	t.Helper()
	published, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	if compiled, known := partials.Load(string(published)); known {
		return compiled.(*jsonschema.Schema)
	}
	schema := inputSchema(t, d)
	walkSchema(d.Name, schema, func(_ string, s Args) {
		delete(s, "required")
		if s["properties"] != nil {
			s["additionalProperties"] = false
		}
	})
	c := jsonschema.NewCompiler()
	if err := c.AddResource("partial.json", toGenericJSON(t, schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("partial.json")
	if err != nil {
		t.Fatal(err)
	}
	partials.Store(string(published), compiled)
	return compiled
}

// toGenericJSON is a value as the schema library wants JSON; none is an empty object.
func toGenericJSON(t testing.TB, object Args) any {
	t.Helper()
	if object == nil {
		return Args{}
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(EncodeJSON(object)))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// requireDescriptions requires one of every input.
func requireDescriptions(t testing.TB, tool string, schema Args) {
	t.Helper()
	walkSchema(tool, schema, func(path string, s Args) {
		properties, _ := s["properties"].(Args)
		for name, inner := range properties {
			if text, _ := inner.(Args)["description"].(string); text == "" {
				t.Errorf("%s.%s has no description", path, name)
			}
		}
	})
}

// walkSchema visits a schema and those of its properties and items.
func walkSchema(path string, schema Args, visit func(path string, schema Args)) {
	visit(path, schema)
	properties, _ := schema["properties"].(Args)
	for name, inner := range properties {
		walkSchema(path+"."+name, inner.(Args), visit)
	}
	if items, ok := schema["items"].(Args); ok {
		walkSchema(path, items, visit)
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
	walkSchema(d.Name, schema, func(_ string, s Args) {
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
