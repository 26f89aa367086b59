package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"toolkit/internal/document/layout"
	"toolkit/internal/plainjson"
)

// readJSON reads one JSON value. A list of objects becomes a table, an object a list of
// names and values that the label reader understands.
func readJSON(_ context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	content.setText(text, limits)
	if err := checkDepth(text, limits.MaxDepth); err != nil {
		return err
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("invalid JSON: text follows the first value; lines of JSON are of the type ndjson")
	}
	content.structured(root, limits)
	return nil
}

// readLines reads lines of JSON as one table. Lines that are no JSON are counted, not fatal.
func readLines(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	content.setText(text, limits)
	var values []any
	total, broken := 0, 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if total++; total%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(values) >= limits.MaxRows {
			continue
		}
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		var item any
		if checkDepth(line, limits.MaxDepth) != nil || decoder.Decode(&item) != nil {
			broken++
			continue
		}
		values = append(values, item)
	}
	if len(values) == 0 && total > 0 {
		return errors.New("no line is valid JSON")
	}
	if broken > 0 {
		content.Warnings = append(content.Warnings, fmt.Sprintf("%d of %d lines are not valid JSON and were left out", broken, total))
	}
	content.structured(values, limits)
	if len(content.Tables) > 0 {
		content.Tables[0].Total = total - broken
		if total-broken > len(content.Tables[0].Rows) {
			content.Tables[0].Truncated = true
			content.cut("rows beyond the limit were left out")
		}
		content.Metadata["rows"] = total - broken
	}
	return nil
}

// checkDepth bounds the nesting before a decoder recurses into it.
func checkDepth(text string, limit int) error {
	depth, quoted := 0, false
	for index := 0; index < len(text); index++ {
		switch octet := text[index]; {
		case quoted && octet == '\\':
			index++
		case octet == '"':
			quoted = !quoted
		case quoted:
		case octet == '{' || octet == '[':
			if depth++; depth > limit {
				return fmt.Errorf("nested deeper than %d levels", limit)
			}
		case octet == '}' || octet == ']':
			depth--
		}
	}
	return nil
}

// structured keeps a decoded value as a table or as lines of names and values.
func (content *Content) structured(root any, limits Limits) {
	composer := layout.Composer{}
	switch root := root.(type) {
	case []any:
		if table, ok := objectTable(root, limits.MaxRows); ok {
			content.addTable(table, limits)
			content.Metadata["rows"] = table.Total
			composer.Rows(append([][]string{table.Header}, table.Rows[:min(len(table.Rows), 200)]...))
		}
	case map[string]any:
		content.Metadata["keys"] = sortedKeys(root)
		for _, key := range sortedKeys(root) {
			if list, ok := root[key].([]any); ok {
				if table, ok := objectTable(list, limits.MaxRows); ok {
					table.Name = key
					content.addTable(table, limits)
					composer.Gap()
					composer.Rows(append([][]string{table.Header}, table.Rows[:min(len(table.Rows), 200)]...))
					composer.Gap()
					continue
				}
			}
			named(&composer, key, root[key], 0)
		}
	}
	content.Pages = []layout.Page{composer.Page(1)}
}

// named adds the values of an object as lines "name: value", with the names of nested
// objects before those of their members.
func named(composer *layout.Composer, name string, item any, depth int) {
	label := strings.Join(strings.FieldsFunc(name, func(character rune) bool { return character == '_' || character == '-' }), " ")
	if members, ok := item.(map[string]any); ok && depth < 4 {
		for _, key := range sortedKeys(members) {
			if slices.Contains([]string{"name", "value", "amount", "number"}, strings.ToLower(key)) {
				named(composer, name, members[key], depth+1)
				continue
			}
			named(composer, name+" "+key, members[key], depth+1)
		}
		return
	}
	if text := scalar(item); text != "" {
		composer.Paragraph(label + ": " + strings.Join(strings.Fields(text), " "))
	}
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// objectTable makes a table of a list that consists of objects; a column for every key.
func objectTable(list []any, limit int) (Table, bool) {
	table := Table{Total: len(list), Truncated: len(list) > limit}
	column := map[string]int{}
	for _, item := range list[:min(len(list), limit)] {
		object, ok := item.(map[string]any)
		if !ok {
			return Table{}, false
		}
		row := make([]string, len(table.Header))
		for _, key := range sortedKeys(object) {
			index, known := column[key]
			if !known {
				index = len(table.Header)
				column[key] = index
				table.Header = append(table.Header, key)
				row = append(row, "")
			}
			row[index] = scalar(object[key])
		}
		table.Rows = append(table.Rows, row)
	}
	return table, len(list) > 0
}

// scalar is a value as text; lists and objects as compact JSON.
func scalar(item any) string {
	switch item := item.(type) {
	case nil:
		return ""
	case string:
		return item
	case json.Number:
		return item.String()
	case bool:
		return fmt.Sprint(item)
	}
	text, err := plainjson.Encode(item)
	if err != nil {
		return ""
	}
	return string(text)
}
