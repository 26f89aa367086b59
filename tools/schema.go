package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	reflector "github.com/invopop/jsonschema"
)

// schema is what values are held to: the keywords that the schemas of tools have, and no others.
type schema struct {
	Type                 typeNames          `json:"type"`
	Properties           map[string]*schema `json:"properties"`
	AdditionalProperties *schema            `json:"additionalProperties"`
	Required             []string           `json:"required"`
	Items                *schema            `json:"items"`
	OneOf                []*schema          `json:"oneOf"`
	Enum                 []any              `json:"enum"`
	Default              any                `json:"default"`
	Title                string             `json:"title"`
	Description          string             `json:"description"`
	MinLength            int                `json:"minLength"`
	MaxLength            int                `json:"maxLength"`
	MinItems             int                `json:"minItems"`
	MaxItems             int                `json:"maxItems"`
	Minimum              json.Number        `json:"minimum"`
	Maximum              json.Number        `json:"maximum"`
	Pattern              string             `json:"pattern"`
	Format               string             `json:"format"`
	// MaxBytes bounds an object of any fields; it is not published.
	MaxBytes int `json:"maxBytes"`
	// Also is the other name of an argument, which is accepted and not published.
	Also string `json:"also"`
	// These are marks for those who publish a schema: simplifySchemaForClients reads them.
	Publish string `json:"publish"`
	Fields  string `json:"fields"`
	Seldom  any    `json:"seldom"`
	Bounded any    `json:"bounded"`

	compiledPattern *regexp.Regexp
}

// compilePatterns compiles the patterns of a schema and of all within it.
func (s *schema) compilePatterns() (err error) {
	if s == nil {
		return nil
	}
	if s.compiledPattern, err = regexp.Compile(s.Pattern); err != nil {
		return err
	}
	if s.Format != "" && formats[s.Format] == nil {
		return fmt.Errorf("values are held to no format %q", s.Format)
	}
	for _, inner := range slices.Concat(slices.Collect(maps.Values(s.Properties)), s.OneOf, []*schema{s.Items, s.AdditionalProperties}) {
		if err := inner.compilePatterns(); err != nil {
			return err
		}
	}
	return nil
}

// typeNames are the JSON types that a value may have; none: any.
type typeNames []string

// UnmarshalJSON reads one name or a list of them.
func (t *typeNames) UnmarshalJSON(raw []byte) error {
	var several []string
	if err := json.Unmarshal(raw, &several); err == nil {
		*t = several
		return nil
	}
	*t = make([]string, 1)
	return json.Unmarshal(raw, &(*t)[0])
}

// allows reports whether the JSON type is one of them.
func (t typeNames) allows(jsonType string) bool { return len(t) == 0 || slices.Contains(t, jsonType) }

// reflectSchemas prepares the schemas of a tool. Reflecting takes time that start-up does not
// have, so it happens at first use; a test does it for every tool.
func (d *Definition) reflectSchemas(input, output reflect.Type) {
	var adapt []adaptSchema
	if d.LongNames {
		adapt = append(adapt, raiseNameLengthLimits)
	}
	d.InputSchema = sync.OnceValues(func() (json.RawMessage, error) {
		return reflectSchema(input, true, append(adapt, simplifySchemaForClients)...)
	})
	d.coreSchema = func() (json.RawMessage, error) {
		return reflectSchema(input, true, shortenForCore, simplifySchemaForClients)
	}
	d.OutputSchema = sync.OnceValues(func() (json.RawMessage, error) { return reflectSchema(output, false) })
	d.outputWithHints = func() (json.RawMessage, error) { return reflectSchema(output, false, addHintsProperty) }
	d.arguments = compileSchemaOnce(func() (json.RawMessage, error) { return reflectSchema(input, true, adapt...) })
	d.result = compileSchemaOnce(d.OutputSchema)
}

// compileSchemaOnce is a schema as values are held to it, made at first use.
func compileSchemaOnce(text func() (json.RawMessage, error)) func() (*schema, error) {
	return sync.OnceValues(func() (*schema, error) {
		raw, err := text()
		if err != nil {
			return nil, err
		}
		return decodeSchema(raw)
	})
}

// decodeSchema reads a schema. A keyword to which no value would be held is refused.
func decodeSchema(raw json.RawMessage) (*schema, error) {
	var s schema
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, err
	}
	return &s, s.compilePatterns()
}

// compactHints is how agentHints appears in each output schema: the full schema
// is a resource, sixty copies of it would drown the tool list.
var compactHints = &reflector.Schema{
	Type: "object", Description: "What to do next; full schema: toolkit://schemas/agent-hints",
	Required: []string{
		"suggestedNextActions", "relatedResources", "confidence", "sourceQuality", "validityPeriod", "contextNeeded",
		"assumptions", "riskFactors", "dependencies", "estimatedImpact", "preferenceAlignment",
	},
}

// addHintsProperty puts agentHints into an output schema, which as a whole has no name.
func addHintsProperty(name string, s *reflector.Schema) {
	if name != "" {
		return
	}
	s.Properties.Set("agentHints", compactHints)
	s.Required = append(s.Required, "agentHints")
}

// reflectSchema describes a struct for clients of every age: one closed object
// without references, definitions or a dialect marker, since some clients drop
// a tool, or all tools, over any of these. What adapts it does so before it is encoded.
func reflectSchema(t reflect.Type, input bool, adapt ...adaptSchema) (json.RawMessage, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	r := reflector.Reflector{
		Anonymous: true, DoNotReference: true, ExpandedStruct: true,
		AllowAdditionalProperties:  true,
		RequiredFromJSONSchemaTags: input,
		Mapper:                     mapUntypedToObject,
	}
	s := r.ReflectFromType(t)
	s.Version = ""
	if input {
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			visitSchemas(p.Key, p.Value, setDefaultSizeLimits)
		}
	} else {
		visitSchemas("", s, removeSizeLimits)
	}
	for _, change := range adapt {
		visitSchemas("", s, change)
	}
	return encodeJSON(s)
}

// ExampleField describes a field of an object that takes any: one among others.
const ExampleField = "An example field"

// simplifySchemaForClients takes out of an input schema what some model service refuses, and with
// it the whole list of tools: null as a second type (it still counts as absent),
// additionalProperties, and objects without a property. An object of any fields
// shows those named in its tag jsonschema_extras:"fields=a b", which are text: some
// clients hold what they send to the type of an example. It takes others as well. A value of several types is
// published as the one named by jsonschema_extras:"publish=string"; the others
// are accepted as well.
func simplifySchemaForClients(_ string, s *reflector.Schema) {
	if one, ok := s.Extras["publish"].(string); ok {
		s.Type, s.Items, s.Extras = one, nil, nil
		s.MaxLength = new(uint64(maxFreeBytes))
	}
	delete(s.Extras, "also")
	delete(s.Extras, seldom)
	delete(s.Extras, bounded)
	delete(s.Extras, "maxBytes")
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
}

// Marks of arguments for the small toolset, which every request carries.
const (
	// seldom marks, by jsonschema_extras:"seldom=true", an argument that it does not show. It is
	// accepted all the same.
	seldom = "seldom"
	// bounded marks one of which it shows the bounds, since a source document spells them. Of
	// others a caller is told when it exceeds them.
	bounded = "bounded"
)

// shortenForCore takes out of an input schema what a caller of the small toolset can do without.
func shortenForCore(_ string, s *reflector.Schema) {
	if s.Extras[bounded] == nil {
		s.MinLength, s.MaxLength, s.MaxItems, s.Minimum, s.Maximum = nil, nil, nil, "", ""
	}
	for p := s.Properties.Oldest(); p != nil; {
		name, value := p.Key, p.Value
		p = p.Next()
		if value.Extras[seldom] != nil {
			s.Properties.Delete(name)
		}
	}
}

// mapUntypedToObject gives values of no fixed shape an object schema: a bare true is
// valid JSON Schema but breaks clients.
func mapUntypedToObject(t reflect.Type) *reflector.Schema {
	switch t {
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]json.RawMessage]():
		return &reflector.Schema{Type: "object"}
	case reflect.TypeFor[any]():
		return &reflector.Schema{Type: "object"}
	}
	return nil
}
