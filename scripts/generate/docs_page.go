package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"toolkit/tools"
)

const toolsPreamble = `# Tools

Generated from the registry by ` + "`make docs`" + `; a test fails when it is stale. Every name is also callable in its
kebab-case form. What every result carries besides its data (agentHints, metadata) and how errors look is described
in [contract.md](contract.md).

`

// toolsPage is the text of docs/tools.md.
func toolsPage(r *tools.Registry) (string, error) {
	var b strings.Builder
	b.WriteString(toolsPreamble)
	for _, f := range r.Families() {
		fmt.Fprintf(&b, "- [%s](#%s): ", f.Name, f.Name)
		for i, d := range listedTools(f) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "[%s](#%s)", d.Name, d.Name)
		}
		b.WriteString("\n")
	}
	for _, f := range r.Families() {
		fmt.Fprintf(&b, "\n## %s\n", f.Name)
		for _, d := range listedTools(f) {
			if err := writeSection(&b, d); err != nil {
				return "", fmt.Errorf("%s: %w", d.Name, err)
			}
		}
		writeResourcesAndPrompts(&b, f)
	}
	return b.String(), nil
}

func listedTools(f tools.Family) []*tools.Definition {
	return slices.DeleteFunc(slices.Clone(f.Tools), func(d *tools.Definition) bool { return d.Unlisted })
}

func writeSection(b *strings.Builder, d *tools.Definition) error {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", d.Name, d.Description)
	permissions := make([]string, len(d.Permissions))
	for i, p := range d.Permissions {
		permissions[i] = "`" + string(p) + "`"
	}
	facts := []string{string(d.Category), string(d.ResponseTime) + " (stopped after " + d.ResponseTime.Timeout().String() + ")"}
	if len(permissions) > 0 {
		facts = append(facts, "needs "+strings.Join(permissions, ", "))
	}
	if d.Idempotent {
		facts = append(facts, "safe to repeat")
	}
	if d.Destructive {
		facts = append(facts, "removes data")
	}
	if d.Cacheable() {
		facts = append(facts, "cached for up to "+d.CacheTTL.String())
	}
	fmt.Fprintf(b, "%s · version %s · tags %s\n\n", strings.Join(facts, " · "), d.Version, strings.Join(d.Tags, ", "))
	if err := writeArgumentTable(b, d); err != nil {
		return err
	}
	return writeExample(b, d.Examples()[0])
}

type argumentSchema struct {
	Type        any                       `json:"type"`
	Description string                    `json:"description"`
	Enum        []any                     `json:"enum"`
	Default     any                       `json:"default"`
	MinLength   *int                      `json:"minLength"`
	MaxLength   *int                      `json:"maxLength"`
	MinItems    *int                      `json:"minItems"`
	MaxItems    *int                      `json:"maxItems"`
	Minimum     json.Number               `json:"minimum"`
	Maximum     json.Number               `json:"maximum"`
	Pattern     string                    `json:"pattern"`
	Required    []string                  `json:"required"`
	Items       *argumentSchema           `json:"items"`
	Properties  map[string]argumentSchema `json:"properties"`
}

func writeArgumentTable(b *strings.Builder, d *tools.Definition) error {
	raw, err := d.InputSchema()
	if err != nil {
		return err
	}
	var s argumentSchema
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	if len(s.Properties) == 0 {
		b.WriteString("No arguments.\n")
		return nil
	}
	b.WriteString("| argument | type | required | meaning |\n|---|---|---|---|\n")
	writeArgumentRows(b, "", s)
	return nil
}

// writeArgumentRows lists required arguments in the schema's order, then the others by name,
// nested ones below their parent.
func writeArgumentRows(b *strings.Builder, prefix string, s argumentSchema) {
	names := slices.Clone(s.Required)
	var others []string
	for name := range s.Properties {
		if !slices.Contains(s.Required, name) {
			others = append(others, name)
		}
	}
	sort.Strings(others)
	for _, name := range append(names, others...) {
		p := s.Properties[name]
		required := ""
		if slices.Contains(s.Required, name) {
			required = "yes"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s | %s |\n", prefix, name, argumentKind(p), required, strings.ReplaceAll(argumentMeaning(p), "|", "\\|"))
		if p.Items != nil && len(p.Items.Properties) > 0 {
			writeArgumentRows(b, prefix+name+"[].", *p.Items)
		}
		if len(p.Properties) > 0 {
			writeArgumentRows(b, prefix+name+".", p)
		}
	}
}

func argumentKind(p argumentSchema) string {
	text := fmt.Sprint(p.Type)
	if p.Items != nil {
		text = "array of " + argumentKind(*p.Items)
	}
	return text
}

// formatValue is a value as JSON, but text without its quotation marks.
func formatValue(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}

func argumentMeaning(p argumentSchema) string {
	parts := []string{p.Description}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if len(p.Enum) > 0 {
		values := make([]string, len(p.Enum))
		for i, v := range p.Enum {
			values[i] = fmt.Sprintf("`%v`", v)
		}
		add("one of %s", strings.Join(values, ", "))
	}
	if p.Default != nil {
		add("default `%s`", formatValue(p.Default))
	}
	switch {
	case p.MinLength != nil && p.MaxLength != nil:
		add("%d to %d characters", *p.MinLength, *p.MaxLength)
	case p.MinLength != nil:
		add("at least %d character(s)", *p.MinLength)
	case p.MaxLength != nil:
		add("at most %d characters", *p.MaxLength)
	}
	if p.MinItems != nil {
		add("at least %d item(s)", *p.MinItems)
	}
	if p.MaxItems != nil {
		add("at most %d items", *p.MaxItems)
	}
	if p.Minimum != "" {
		add("from %s", p.Minimum)
	}
	if p.Maximum != "" {
		add("up to %s", p.Maximum)
	}
	if p.Pattern != "" {
		add("form `%s`", p.Pattern)
	}
	return strings.Join(parts, "; ")
}

func writeExample(b *strings.Builder, e tools.Example[json.RawMessage, json.RawMessage]) error {
	fmt.Fprintf(b, "\nExample: %s\n\n", e.Description)
	for _, part := range []struct {
		label string
		text  json.RawMessage
	}{{"arguments", e.Params}, {"result", e.Result}} {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, part.text, "", "  "); err != nil {
			return err
		}
		fmt.Fprintf(b, "```json\n// %s\n%s\n```\n", part.label, pretty.String())
	}
	return nil
}

// writeResourcesAndPrompts lists a family's resources and prompts.
func writeResourcesAndPrompts(b *strings.Builder, f tools.Family) {
	for _, r := range f.Resources {
		fmt.Fprintf(b, "\nResource `%s`: %s\n", r.URI, r.Description)
	}
	for _, t := range f.Templates {
		fmt.Fprintf(b, "\nResource template `%s`: %s\n", t.URITemplate, t.Description)
	}
	for _, p := range f.Prompts {
		fmt.Fprintf(b, "\nPrompt `%s`: %s\n", p.Name, p.Description)
	}
}
