package reader

import (
	"context"
	"fmt"
	"strings"
)

// Bounds of the lines of calendars and contacts. Nothing real is longer or deeper.
const (
	longestParameters = 4 << 10
	maxComponentDepth = 8
)

// cutUnfoldedLine takes the next line off a text, its continuations joined to it.
func cutUnfoldedLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	line = strings.TrimRight(line, "\r")
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return line, rest
	}
	var joined strings.Builder
	joined.WriteString(line)
	for rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		line, rest, _ = strings.Cut(rest[1:], "\n")
		joined.WriteString(strings.TrimRight(line, "\r"))
	}
	return joined.String(), rest
}

// property is a line of a calendar or a contact: NAME;PARAMETER=VALUE:value.
type property struct {
	name       string // in capital letters
	parameters map[string]string
	value      string
}

// parseProperty reads a line, and tells whether it has a value.
func parseProperty(line string) (found property, ok bool) {
	head, value, ok := cutUnquoted(line, ':')
	name, rest, more := cutUnquoted(head, ';')
	name = name[strings.LastIndexByte(name, '.')+1:] // "item1.EMAIL": the group ties a label to it
	found = property{name: strings.ToUpper(name), value: value, parameters: map[string]string{}}
	for more {
		var parameter string
		parameter, rest, more = cutUnquoted(rest, ';')
		key, text, _ := strings.Cut(parameter, "=")
		found.parameters[strings.ToUpper(key)] = strings.Trim(text, `"`)
	}
	return found, ok
}

// cutUnquoted cuts a text at the first separator that is outside of quotation marks.
func cutUnquoted(text string, separator byte) (before, after string, found bool) {
	quoted := false
	for index := range len(text) {
		switch {
		case text[index] == '"':
			quoted = !quoted
		case text[index] == separator && !quoted:
			return text[:index], text[index+1:], true
		}
	}
	return text, "", false
}

// text is the value without its escapes.
func (found property) text() string { return unescape.Replace(found.value) }

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\:`, ":")

// propertyReader reads the properties of a file, and bounds what it takes.
type propertyReader struct {
	ctx     context.Context
	content *Content
	rest    string
}

// next is the next property. A line whose parameters are longer than any is passed over.
func (reader *propertyReader) next() (property, bool) {
	for reader.rest != "" && reader.ctx.Err() == nil {
		var line string
		line, reader.rest = cutUnfoldedLine(reader.rest)
		if len(line) > longestParameters {
			if _, _, found := cutUnquoted(line[:longestParameters], ':'); !found {
				reader.content.markTruncated(fmt.Sprintf("lines with more than %d bytes of parameters were left out", longestParameters))
				continue
			}
		}
		if found, ok := parseProperty(line); ok {
			return found, true
		}
	}
	return property{}, false
}

// readComponent collects the properties of the component that has begun by their names, and tells
// whether it has an end. What components within it say is left out.
func (reader *propertyReader) readComponent() (properties map[string][]property, whole bool) {
	properties = map[string][]property{}
	depth := 1
	for depth > 0 {
		found, ok := reader.next()
		switch {
		case !ok:
			return properties, false
		case found.name == "BEGIN":
			depth++
			if depth > maxComponentDepth {
				reader.content.markTruncated(fmt.Sprintf("components nested deeper than %d were left out", maxComponentDepth))
			}
		case found.name == "END":
			depth--
		case depth == 1:
			properties[found.name] = append(properties[found.name], found)
		}
	}
	return properties, true
}
