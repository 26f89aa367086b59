package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	reflector "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas holds the JSON Schemas of one tool. Reflecting and compiling them
// costs time that start-up does not have, so both happen at first use; a test
// does it for every tool.
type schemas struct {
	input, output reflect.Type

	once     sync.Once
	err      error
	in, out  json.RawMessage // as published, without agentHints
	inTree   map[string]any  // what arguments are held to: in, and what cannot be published
	compiled struct{ in, out *jsonschema.Schema }
}

// InputSchema is the published JSON Schema of the arguments.
func (d *Definition) InputSchema() (json.RawMessage, error) {
	return d.schemas.in, d.schemas.ready()
}

// OutputSchema is the JSON Schema of the documented result, without agentHints.
func (d *Definition) OutputSchema() (json.RawMessage, error) {
	return d.schemas.out, d.schemas.ready()
}

// compactHints is how agentHints appears in each output schema: the full schema
// is a resource, sixty copies of it would drown the tool list.
const compactHints = `{"type":"object","description":"What to do next; full schema: toolkit://schemas/agent-hints","required":["suggestedNextActions","relatedResources","confidence","sourceQuality","validityPeriod","contextNeeded","assumptions","riskFactors","dependencies","estimatedImpact","preferenceAlignment"]}`

// outputWithHints is the output schema as listed when hints travel in
// structuredContent.
func (d *Definition) outputWithHints() (json.RawMessage, error) {
	plain, err := d.OutputSchema()
	if err != nil {
		return nil, err
	}
	tree := map[string]json.RawMessage{}
	properties := map[string]json.RawMessage{}
	if err := json.Unmarshal(plain, &tree); err != nil {
		return nil, err
	}
	if p, ok := tree["properties"]; ok {
		if err := json.Unmarshal(p, &properties); err != nil {
			return nil, err
		}
	}
	properties["agentHints"] = json.RawMessage(compactHints)
	var required []string
	if r, ok := tree["required"]; ok {
		if err := json.Unmarshal(r, &required); err != nil {
			return nil, err
		}
	}
	tree["properties"] = mustEncode(properties)
	tree["required"] = mustEncode(append(required, "agentHints"))
	return encode(tree)
}

func (s *schemas) ready() error {
	s.once.Do(func() { s.err = s.build() })
	return s.err
}

func (s *schemas) build() error {
	if err := s.buildInput(); err != nil {
		return fmt.Errorf("input schema: %w", err)
	}
	if err := s.buildOutput(); err != nil {
		return fmt.Errorf("output schema: %w", err)
	}
	return nil
}

func (s *schemas) buildInput() error {
	schema, err := reflectSchema(s.input, true)
	if err != nil {
		return err
	}
	held, err := encode(schema)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(held, &s.inTree); err != nil {
		return err
	}
	if s.compiled.in, err = compileSchema(held); err != nil {
		return err
	}
	publish(schema)
	s.in, err = encode(schema)
	return err
}

func (s *schemas) buildOutput() error {
	schema, err := reflectSchema(s.output, false)
	if err != nil {
		return err
	}
	if s.out, err = encode(schema); err != nil {
		return err
	}
	s.compiled.out, err = compileSchema(s.out)
	return err
}

// reflectSchema describes a struct for clients of every age: one closed object
// without references, definitions or a dialect marker, since some clients drop
// a tool, or all tools, over any of these.
func reflectSchema(t reflect.Type, input bool) (*reflector.Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	r := reflector.Reflector{
		Anonymous: true, DoNotReference: true, ExpandedStruct: true,
		AllowAdditionalProperties:  true,
		RequiredFromJSONSchemaTags: input,
		Mapper:                     openTypes,
	}
	s := r.ReflectFromType(t)
	s.Version = ""
	return s, nil
}

// alsoCalled is a keyword that only we read, given by a tag jsonschema_extras: the
// other name of an argument, which is accepted and not published.
const alsoCalled = "also"

// ExampleField describes a field of an object that takes any: one among others.
const ExampleField = "e.g."

// publish takes out of an input schema what some model service refuses, and with
// it the whole list of tools: null as a second type (it still counts as absent),
// additionalProperties, and objects without a property. An object of any fields
// shows those named in its tag jsonschema_extras:"fields=a b", which are text: some
// clients hold what they send to the type of an example. It takes others as well. A value of several types is
// published as the one named by jsonschema_extras:"publish=string"; the others
// are accepted as well.
func publish(s *reflector.Schema) {
	if one, ok := s.Extras["publish"].(string); ok {
		s.Type, s.Items, s.Extras = one, nil, nil
	}
	delete(s.Extras, alsoCalled)
	if types, ok := s.Extras["type"].([]string); ok {
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
		if len(types) == 1 {
			s.Type = types[0]
			delete(s.Extras, "type")
		}
	}
	s.AdditionalProperties = nil
	if fields, ok := s.Extras["fields"].(string); ok {
		delete(s.Extras, "fields")
		open := s
		if s.Items != nil {
			open = s.Items
		}
		open.Properties = reflector.NewProperties()
		for _, name := range strings.Fields(fields) {
			open.Properties.Set(name, &reflector.Schema{Type: "string", Description: ExampleField})
		}
	}
	if s.Items != nil {
		publish(s.Items)
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		publish(p.Value)
	}
}

// openTypes gives values of no fixed shape an object schema: a bare true is
// valid JSON Schema but breaks clients.
func openTypes(t reflect.Type) *reflector.Schema {
	switch t {
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]json.RawMessage]():
		return &reflector.Schema{Type: "object"}
	case reflect.TypeFor[any]():
		return &reflector.Schema{Type: "object"}
	}
	return nil
}

func compileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// property returns the schema of one property of an object schema, or nil.
func property(schema map[string]any, name string) map[string]any {
	properties, _ := schema["properties"].(map[string]any)
	p, _ := properties[name].(map[string]any)
	return p
}

// allows reports whether a schema's type admits the JSON type.
func allows(schema map[string]any, jsonType string) bool {
	switch t := schema["type"].(type) {
	case string:
		return t == jsonType
	case []any:
		for _, one := range t {
			if one == jsonType {
				return true
			}
		}
		return false
	}
	return true // no type stated: anything goes
}
