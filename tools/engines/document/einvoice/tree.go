package einvoice

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// Bounds of a tree. An invoice of a thousand lines has some fifty thousand elements.
const (
	mostElements = 1_000_000
	mostDepth    = 60
)

// element is one of an XML document, without its namespace.
type element struct {
	name   string // as the file has it
	known  string // as it is called in the tables
	text   string
	spoken []byte            // the text while it is read
	given  map[string]string // attributes
	parent *element
	below  []*element
	nth    int // among the elements of its name, from 1
	named  map[string]int
}

// path names the element for a reader: Invoice/InvoiceLine[2]/Price.
func (e *element) path() string {
	name := e.name
	if e.parent == nil {
		return name
	}
	if e.parent.named[e.name] > 1 {
		name = fmt.Sprintf("%s[%d]", name, e.nth)
	}
	return e.parent.path() + "/" + name
}

// parse reads a document. Entities of its own are not expanded.
func parse(ctx context.Context, source io.Reader, rename map[string]string) (*element, error) {
	decoder := xml.NewDecoder(source)
	decoder.Strict = false
	decoder.CharsetReader = charset.NewReaderLabel
	var root, at *element
	for elements, depth := 0, 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if elements, depth = elements+1, depth+1; elements > mostElements || depth > mostDepth {
				return nil, errors.New("the invoice has more elements than are read")
			}
			if elements%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			next := at.add(token, rename)
			if root == nil {
				root = next
			}
			at = next
		case xml.CharData:
			if at != nil {
				at.spoken = append(at.spoken, token...)
			}
		case xml.EndElement:
			if at != nil {
				at.text, at.spoken = string(bytes.TrimSpace(at.spoken)), nil
				at, depth = at.parent, depth-1
			}
		}
	}
	if root == nil || at != nil {
		return nil, errors.New("the XML is cut off")
	}
	return root, nil
}

func (e *element) add(token xml.StartElement, rename map[string]string) *element {
	next := &element{name: token.Name.Local, known: token.Name.Local, parent: e}
	if known := rename[next.name]; known != "" {
		next.known = known
	}
	for _, attribute := range token.Attr {
		if attribute.Name.Space == "xmlns" || attribute.Name.Local == "xmlns" {
			continue
		}
		if next.given == nil {
			next.given = map[string]string{}
		}
		next.given[attribute.Name.Local] = strings.TrimSpace(attribute.Value)
	}
	if e != nil {
		if e.named == nil {
			e.named = map[string]int{}
		}
		e.named[next.name]++
		next.nth, e.below = e.named[next.name], append(e.below, next)
	}
	return next
}

// found is what a path leads to: an element, or one of its attributes.
type found struct {
	*element
	value string
	path  string
}

// step is one of a path: the name of an element and what it must have, or an attribute.
type step struct {
	name, attribute, where, is string
}

func stepsOf(path string) (steps []step) {
	for rest := path; rest != ""; {
		end, inside := len(rest), false
		for i, c := range rest {
			if inside = inside && c != ']' || c == '['; c == '/' && !inside {
				end = i
				break
			}
		}
		one := rest[:end]
		rest = strings.TrimPrefix(rest[end:], "/")
		next := step{name: one}
		if name, condition, asked := strings.Cut(strings.TrimSuffix(one, "]"), "["); asked {
			next.name = name
			next.where, next.is, _ = strings.Cut(condition, "=")
		}
		if attribute, is := strings.CutPrefix(one, "@"); is {
			next = step{attribute: attribute}
		}
		steps = append(steps, next)
	}
	return steps
}

// all returns what a path leads to, in the order of the document.
func (e *element) all(steps []step) []found {
	if len(steps) == 0 {
		return []found{{e, e.text, e.path()}}
	}
	if name := steps[0].attribute; name != "" {
		if e.given[name] == "" {
			return nil
		}
		return []found{{e, e.given[name], e.path() + "/@" + name}}
	}
	var list []found
	for _, next := range e.below {
		if next.known == steps[0].name && next.meets(steps[0]) {
			list = append(list, next.all(steps[1:])...)
		}
	}
	return list
}

func (e *element) meets(s step) bool {
	if s.where == "" {
		return true
	}
	if name, is := strings.CutPrefix(s.where, "@"); is {
		return e.given[name] == s.is
	}
	for _, one := range e.all(stepsOf(s.where)) {
		if one.value == s.is {
			return true
		}
	}
	return false
}
