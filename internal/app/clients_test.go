package app

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// One bad schema costs a user the whole list of tools: a service refuses the
// request, not the tool. Each rule is what a service or a client publishes, or
// answers, about the tools it is sent.
var schemaRules = []struct {
	name, source string
	broken       func(n schema, root bool) string // what breaks the rule; "": nothing
}{
	{"an array says what its items are", "OpenAI: 'array schema missing items' (github.com/sigoden/aichat/pull/1049); VS Code: 'array type must have items' (vscode-copilot-chat, toolSchemaNormalizer)", func(n schema, _ bool) string {
		items, ok := n["items"].(schema)
		return when(n["type"] == "array" && (!ok || items["type"] == nil), "no items")
	}},
	{"an enum holds strings only", "Gemini: Schema.enum is string[] (cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema); 'TYPE_STRING' (github.com/microsoft/azure-devops-mcp/issues/139)", func(n schema, _ bool) string {
		enum, ok := n["enum"].([]any)
		return when(ok && (n["type"] != "string" || len(enum) == 0 || slices.ContainsFunc(enum, func(v any) bool { s, text := v.(string); return !text || s == "" })), fmt.Sprint("enum ", enum))
	}},
	{"a value has one type", "Gemini: 'Proto field is not repeating, cannot start list' for unions and nullable types (github.com/WordPress/ai-provider-for-google/issues/33)", func(n schema, _ bool) string {
		_, one := n["type"].(string)
		return when(!one, fmt.Sprint("type ", n["type"]))
	}},
	{"an object names a property", "Gemini: 'properties: should be non-empty for OBJECT type' (github.com/agno-agi/agno/issues/2112); OpenAI: 'object schema missing properties' (github.com/openai/openai-agents-python/issues/449)", func(n schema, root bool) string {
		properties, ok := n["properties"].(schema)
		// A tool without arguments has an empty object: every client knows that
		// case, since MCP demands a schema, and sends none to Gemini.
		return when(n["type"] == "object" && (!ok || len(properties) == 0 && !root), "no properties")
	}},
	{"only keywords that every service reads", "Anthropic refuses $ref anywhere and oneOf, anyOf, allOf at the top (platform.claude.com/docs, custom tools); OpenAI's subset has no allOf, not, if (Structured Outputs, supported schemas); Gemini: 'Unknown name' for const, additionalProperties, exclusiveMinimum … (github.com/promptfoo/promptfoo/issues/6902, zendev-sh/goai/pull/108)", func(n schema, _ bool) string {
		for key := range n {
			if !slices.Contains(keywords, key) {
				return "keyword " + key
			}
		}
		return ""
	}},
	{"the whole is an object", "MCP, OpenAI and VS Code: the schema of a tool has type object and properties", func(n schema, root bool) string {
		return when(root && n["type"] != "object", fmt.Sprint("type ", n["type"]))
	}},
	{"a key is a plain short name", "Anthropic: property keys match ^[a-zA-Z0-9_.-]{1,64}$ (github.com/n8n-io/n8n/issues/30590); Gemini: letters, digits and underscores, starting with a letter or underscore (Vertex AI, FunctionDeclaration.parameters)", func(n schema, _ bool) string {
		properties, _ := n["properties"].(schema)
		for key := range properties {
			if !plainKey.MatchString(key) {
				return "key " + key
			}
		}
		return ""
	}},
	{"what is required is there", "VS Code drops a required property that is not defined (toolSchemaNormalizer); Gemini: 'property is not defined'", func(n schema, _ bool) string {
		properties, _ := n["properties"].(schema)
		required, _ := n["required"].([]any)
		for _, name := range required {
			if properties[name.(string)] == nil {
				return fmt.Sprint("required ", name)
			}
		}
		return ""
	}},
	{"a description has at most 1,024 characters", "OpenAI: 'Expected a string with maximum length 1024' (github.com/probelabs/probe/issues/9); VS Code cuts longer ones for GPT-4", func(n schema, _ bool) string {
		text, _ := n["description"].(string)
		return when(utf8.RuneCountInString(text) > 1024, "a long description")
	}},
	{"a format is one that all know", "Gemini API: format of a string is enum or date-time, otherwise the request fails (react-native-firebase, SchemaInterface); OpenAI's subset has date-time too", func(n schema, _ bool) string {
		return when(n["format"] != nil && n["format"] != "date-time", fmt.Sprint("format ", n["format"]))
	}},
}

type schema = map[string]any

var (
	plainKey = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)
	// keywords are those of Gemini's Schema that Anthropic and OpenAI know as well.
	keywords = []string{"type", "format", "description", "enum", "items", "properties", "required", "default", "pattern", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"}
)

func when(broken bool, what string) string {
	if broken {
		return what
	}
	return ""
}

// broken names every place of a schema that breaks a rule.
func broken(n schema, path string) (faults []string) {
	for _, rule := range schemaRules {
		if what := rule.broken(n, !strings.ContainsAny(path, ".[")); what != "" {
			faults = append(faults, fmt.Sprintf("%s: %s, but %s: %s", path, what, rule.name, rule.source))
		}
	}
	properties, _ := n["properties"].(schema)
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		inner, _ := properties[key].(schema)
		faults = append(faults, broken(inner, path+"."+key)...)
	}
	if items, ok := n["items"].(schema); ok {
		faults = append(faults, broken(items, path+"[]")...)
	}
	return faults
}

func TestEveryModelServiceTakesTheInputSchemas(t *testing.T) {
	registry := allTools(t)
	for _, d := range registry.All() {
		raw, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var n schema
		toolstest.Decode(t, raw, &n)
		for _, fault := range broken(n, d.Name) {
			t.Error(fault)
		}
		for _, fault := range limits(n) {
			t.Errorf("%s: %s", d.Name, fault)
		}
	}
}

// limits are those of OpenAI's Structured Outputs, to which strict function
// calling holds a tool (Supported schemas: 5,000 properties, 10 levels, 1,000
// enum values, 120,000 characters of names and values). That mode also wants
// every property required and additionalProperties false, which no tool with
// optional arguments has: clients rewrite a schema for it, or leave it off.
func limits(n schema) (faults []string) {
	var properties, values, characters int
	var walk func(n schema, depth int)
	walk = func(n schema, depth int) {
		if depth > 10 {
			faults = append(faults, "more than 10 levels")
		}
		enum, _ := n["enum"].([]any)
		values += len(enum)
		for _, v := range enum {
			characters += len(fmt.Sprint(v))
		}
		inner, _ := n["properties"].(schema)
		for key, p := range inner {
			properties++
			characters += len(key)
			walk(p.(schema), depth+1)
		}
		if items, ok := n["items"].(schema); ok {
			walk(items, depth+1)
		}
	}
	walk(n, 1)
	if properties > 5000 || values > 1000 || characters > 120_000 {
		faults = append(faults, fmt.Sprintf("%d properties, %d enum values, %d characters", properties, values, characters))
	}
	return faults
}

func TestNamesAndDescriptionsFitEveryClient(t *testing.T) {
	registry := allTools(t)
	form := regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]*$`) // Gemini and OpenAI; Anthropic takes them too
	for _, d := range registry.All() {
		// Claude Code puts a prefix before the name; Cursor allows 60 characters
		// of both, the model services 64.
		if name := "mcp__toolkit__" + d.Name; len(name) > 60 || !form.MatchString(name) {
			t.Errorf("%s has %d characters, or others than letters, digits, _ and -", name, len(name))
		}
		listed := tools.Kebab(d.Name)
		if same := registry.Get(strings.ReplaceAll(listed, "-", "_")); same != nil && same != d {
			t.Errorf("Codex makes one name of %s and %s", d.Name, same.Name)
		}
		// OpenAI takes 1,024 characters; a model reads all of them with every request.
		if n := utf8.RuneCountInString(d.Description); n > 360 || !strings.Contains(d.Description, "Example:") {
			t.Errorf("%s is described in %d characters, or without an example", d.Name, n)
		}
	}
	if n := len(registry.All()); n > 128 { // OpenAI and VS Code (microsoft/vscode/issues/256629)
		t.Errorf("%d tools are more than a request may hold", n)
	}
}

func TestASchemaThatBreaksARuleIsNoticed(t *testing.T) {
	tests := map[string]string{
		"an array says what its items are":             `{"type":"array"}`,
		"an enum holds strings only":                   `{"type":"number","enum":[1,2,3]}`,
		"a value has one type":                         `{"type":["string","null"]}`,
		"an object names a property":                   `{"type":"object"}`,
		"only keywords that every service reads":       `{"type":"string","const":"a"}`,
		"a key is a plain short name":                  `{"type":"object","properties":{"filter[id]":{"type":"string"}}}`,
		"what is required is there":                    `{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
		"a description has at most 1,024 characters":   `{"type":"string","description":"` + strings.Repeat("x", 1025) + `"}`,
		"a format is one that all know":                `{"type":"string","format":"uri-reference"}`,
		"a value has one type, also where none stands": `{"description":"anything"}`,
	}
	for name, property := range tests {
		var n schema
		toolstest.Decode(t, []byte(`{"type":"object","properties":{"list":{"type":"array","items":`+property+`}}}`), &n)
		rule, _, _ := strings.Cut(name, ", also")
		if faults := broken(n, "tool"); !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, "tool.list") && strings.Contains(f, rule) }) {
			t.Errorf("%s: %v", name, faults)
		}
	}
	if faults := broken(schema{"type": "string"}, "tool"); len(faults) == 0 {
		t.Error("a schema that is no object passed")
	}
}
