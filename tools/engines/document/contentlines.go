package document

import (
	"context"
	"fmt"
	"strings"
)

// Bounds of the lines of calendars and contacts, which a library reads a component at a
// time: it takes the square of the length of a parameter, and of the depth of nesting.
const (
	longestParameters = 4 << 10
	maxComponentDepth = 8
)

// unfold takes the next line off a text, its continuations joined to it.
func unfold(text string) (line, rest string) {
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

// componentReader cuts components out of lines.
type componentReader struct {
	ctx     context.Context
	content *Content
	rest    string
}

// next is the next line that says something. One whose parameters are longer than any is
// passed over.
func (reader *componentReader) next() (string, bool) {
	for reader.rest != "" && reader.ctx.Err() == nil {
		var line string
		line, reader.rest = unfold(reader.rest)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(line) > longestParameters && !valueBegins(line[:longestParameters]) {
			reader.content.cut(fmt.Sprintf("lines with more than %d bytes of parameters were left out", longestParameters))
			continue
		}
		return line, true
	}
	return "", false
}

// valueBegins tells whether the colon before the value, one outside of quotation marks, is
// within the beginning of a line.
func valueBegins(line string) bool {
	quoted := false
	for index := range len(line) {
		switch {
		case line[index] == '"':
			quoted = !quoted
		case line[index] == ':' && !quoted:
			return true
		}
	}
	return false
}

// component collects the lines from the one that begins a component to the one that ends
// it, and tells whether it has an end. What is nested deeper than anything real is left out.
func (reader *componentReader) component(begin string) (lines string, whole bool) {
	var text strings.Builder
	text.WriteString(begin + "\r\n")
	depth := 1
	for depth > 0 {
		line, ok := reader.next()
		if !ok {
			return text.String(), false
		}
		name, _, _ := strings.Cut(line, ":")
		switch {
		case strings.EqualFold(name, "BEGIN"):
			depth++
		case strings.EqualFold(name, "END"):
			depth--
			if depth >= maxComponentDepth {
				continue
			}
		}
		if depth > maxComponentDepth {
			reader.content.cut(fmt.Sprintf("components nested deeper than %d were left out", maxComponentDepth))
			continue
		}
		text.WriteString(line + "\r\n")
	}
	return text.String(), true
}
