package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolkit/internal/capture/redact"
)

// redactSecrets takes the secrets out of what was read of a file, as they are taken out of what is said,
// and says how many they were. The file itself stays as it is. Numbers of accounts stay, too, and in
// papers of money those that look like cards: it is by them that such papers are told apart.
func (r *reading) redactSecrets(ctx context.Context, class string) error {
	c := secretCleaner{ctx: ctx, stay: []string{redact.KindAccount}}
	if isFinancial(class) {
		c.stay = append(c.stay, redact.KindCard)
	}
	text, inText := redact.TextExcept(ctx, r.text, c.stay...)
	r.text = text
	c.redactObject(r.properties)
	for _, p := range r.parts {
		c.redactObject(p.properties)
	}
	if err := ctx.Err(); err != nil { // what was not looked through is empty
		return err
	}
	if n := max(countSecrets(inText), c.count); n > 0 {
		r.addWarning(fmt.Sprintf("%d secret(s), such as passwords and keys, were left out of what is kept of the text; the file itself still has them", n))
	}
	return nil
}

func countSecrets(kinds map[string]int) (n int) {
	for _, count := range kinds {
		n += count
	}
	return n
}

// secretCleaner takes secrets out of properties.
type secretCleaner struct {
	ctx   context.Context
	stay  []string
	count int
}

// redactObject looks at all fields at once, and at each only where there is a secret.
func (c *secretCleaner) redactObject(o object) {
	_, kinds := redact.TextExcept(c.ctx, formatFieldLines(o), c.stay...)
	if kinds == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		o[name] = c.redactValue(name, o[name])
	}
}

// redactValue takes the secrets out of a value as if it were said with its name: what stands in a column of
// passwords is one.
func (c *secretCleaner) redactValue(name string, v any) any {
	switch v := v.(type) {
	case string:
		text, kinds := redact.TextExcept(c.ctx, formatFieldLabel(name)+v, c.stay...)
		if value, whole := strings.CutPrefix(text, formatFieldLabel(name)); whole && kinds != nil {
			c.count += countSecrets(kinds)
			return value
		}
	case json.Number:
		if text, whole := c.redactValue(name, v.String()).(string); whole && text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = c.redactValue(name, v[i])
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = c.redactValue(key, v[key])
		}
	}
	return v
}

func formatFieldLabel(name string) string { return strings.ReplaceAll(name, "_", " ") + ": " }

// formatFieldLines returns the fields of an object, each with its name before it.
func formatFieldLines(o object) string {
	var b strings.Builder
	visitTexts(nil, o, func(names []string, leaf any) {
		fmt.Fprintln(&b, formatFieldLabel(names[len(names)-1])+fmt.Sprint(leaf))
	})
	return b.String()
}
