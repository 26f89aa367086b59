package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/reader/layout"
	"toolkit/store/plainjson"
)

// readJSON reads one JSON value. A list of objects becomes a table, an object a list of
// names and values that the label reader understands.
func readJSON(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	content.setText(text, limits)
	values := maxNodes
	root, rest, err := content.decodeJSON(ctx, text, limits, &values)
	if err != nil {
		return err
	}
	if _, err := rest.Token(); !errors.Is(err, io.EOF) {
		return errors.New("invalid JSON: text follows the first value; lines of JSON are of the type ndjson")
	}
	return content.storeJSONValue(ctx, root, limits)
}

// decodeJSON decodes the first value of a text and returns what reads on behind it.
func (content *Content) decodeJSON(ctx context.Context, text string, limits Limits, values *int) (root any, rest *json.Decoder, err error) {
	cut, err := truncateJSON(text, limits.MaxDepth, values)
	if err != nil {
		return nil, nil, err
	}
	if len(cut) != len(text) {
		content.markTruncated(string(errNodes))
	}
	rest = json.NewDecoder(contextReader{ctx, strings.NewReader(cut)})
	rest.UseNumber()
	if err := rest.Decode(&root); err != nil {
		return nil, nil, fmt.Errorf("invalid JSON: %w", err)
	}
	return root, rest, nil
}

// readJSONLines reads lines of JSON as one table. Lines that are no JSON are counted, not fatal.
func readJSONLines(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	content.setText(text, limits)
	var values []any
	total, broken, nodes := 0, 0, maxNodes
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		if total++; len(values) >= limits.MaxRows || nodes == 0 {
			continue
		}
		item, _, err := content.decodeJSON(ctx, line, limits, &nodes)
		if err != nil {
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
	if err := content.storeJSONValue(ctx, values, limits); err != nil {
		return err
	}
	if len(content.Tables) > 0 {
		content.Tables[0].Total = total - broken
		if total-broken > len(content.Tables[0].Rows) {
			content.Tables[0].Truncated = true
			content.markTruncated("rows beyond the limit were left out")
		}
		content.Metadata["rows"] = total - broken
	}
	return nil
}

// truncateJSON bounds nesting and number of values before a decoder makes memory of them. It
// takes the values from those that are left; text with more ends before the first that is
// too many, with everything closed that is open there.
func truncateJSON(text string, depth int, values *int) (string, error) {
	var closers []byte
	quoted := false
	for index := 0; index < len(text); index++ {
		switch octet := text[index]; {
		case quoted && octet == '\\':
			index++
		case octet == '"':
			quoted = !quoted
		case quoted:
		case octet == '{' || octet == '[':
			if len(closers) == depth {
				return "", errDepth
			}
			closers = append(closers, octet+2) // '}' and ']' come two after
		case (octet == '}' || octet == ']') && len(closers) > 0:
			closers = closers[:len(closers)-1]
		case octet == ',':
			if *values--; *values <= 0 {
				*values = 0
				slices.Reverse(closers)
				return text[:index] + string(closers), nil
			}
		}
	}
	return text, nil
}

// maxKeys and longestKey bound what is told of the names in an object, and maxPathWords the names of objects that
// are repeated before each of their members: no label has more words.
const (
	maxKeys      = 1000
	longestKey   = 200
	maxPathWords = 12
)

// storeJSONValue keeps a decoded value as a table or as lines of names and values.
func (content *Content) storeJSONValue(ctx context.Context, root any, limits Limits) error {
	composer := layout.Composer{}
	collector := newRowCollector(content, limits.MaxRows)
	switch root := root.(type) {
	case []any:
		if table, ok := makeTableOfObjects(root, collector); ok {
			content.addTable(table, limits)
			content.Metadata["rows"] = table.Total
			composer.AddTable(table.displayedRows())
		}
	case map[string]any:
		keys := slices.Sorted(maps.Keys(root))
		content.Metadata["keys"] = truncateKeys(keys)
		for _, key := range keys {
			if ctx.Err() != nil {
				break
			}
			if list, ok := root[key].([]any); ok {
				if table, ok := makeTableOfObjects(list, collector); ok {
					table.Name = key
					content.addTable(table, limits)
					composer.AddEmptyLine()
					composer.AddTable(table.displayedRows())
					composer.AddEmptyLine()
					continue
				}
			}
			addNamedLines(&composer, key, root[key], 0)
		}
	}
	content.Pages = composeSinglePage(&composer)
	return ctx.Err()
}

func truncateKeys(keys []string) []string {
	shown := make([]string, min(len(keys), maxKeys))
	for index := range shown {
		shown[index] = TruncateText(keys[index], longestKey)
	}
	return shown
}

// addNamedLines adds the values of an object as lines "name: value", with the names of nested
// objects before those of their members.
func addNamedLines(composer *layout.Composer, name string, item any, depth int) {
	if composer.Full() {
		return
	}
	name = TruncateText(name, longestKey)
	words := strings.FieldsFunc(name, func(character rune) bool { return character == '_' || character == '-' || unicode.IsSpace(character) })
	label := strings.Join(words[max(0, len(words)-maxPathWords):], " ")
	if members, ok := item.(map[string]any); ok && depth < 4 {
		for _, key := range slices.Sorted(maps.Keys(members)) {
			if slices.Contains([]string{"name", "value", "amount", "number"}, strings.ToLower(key)) {
				addNamedLines(composer, label, members[key], depth+1)
				continue
			}
			addNamedLines(composer, label+" "+key, members[key], depth+1)
		}
		return
	}
	if text := formatJSONValue(item); text != "" {
		composer.AddParagraph(label + ": " + strings.Join(strings.Fields(text), " "))
	}
}

// makeTableOfObjects makes a table of a list that consists of objects; a column for every key.
func makeTableOfObjects(list []any, collector *rowCollector) (Table, bool) {
	table := Table{}
	column := map[string]int{}
	for _, item := range list[:min(len(list), collector.limit)] {
		object, ok := item.(map[string]any)
		if !ok {
			collector.finishTable()
			return Table{}, false
		}
		if !collector.hasRoom() {
			continue
		}
		row := make([]string, len(table.Header), len(table.Header)+len(object))
		for _, key := range slices.Sorted(maps.Keys(object)) {
			index, known := column[key]
			if !known && len(table.Header) == maxColumns {
				collector.content.markTruncated(columnsCut)
				continue
			}
			if !known {
				index = len(table.Header)
				column[key] = index
				table.Header = append(table.Header, key)
				row = append(row, "")
			}
			row[index] = formatJSONValue(object[key])
		}
		collector.addWithinLimits(row)
	}
	table.Rows, _, _ = collector.finishTable()
	table.Total, table.Truncated = len(list), len(list) > len(table.Rows)
	return table, len(list) > 0
}

// formatJSONValue returns a value as text; lists and objects as compact JSON.
func formatJSONValue(item any) string {
	switch item := item.(type) {
	case nil:
		return ""
	case string:
		return item
	case json.Number:
		return item.String()
	}
	text, err := plainjson.Encode(item)
	if err != nil {
		return ""
	}
	return string(text)
}
