package einvoice

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// Bounds of a tree and of what is taken from it. A thousand lines are some fifty thousand
// elements; a text of a field is a sentence or a list of conditions.
const (
	mostElements = 500_000
	mostDepth    = 60
	mostItems    = 10_000 // of a list
	mostInvoices = 1000   // of a file
	mostText     = 10_000 // bytes of a text
)

// element is one of an XML document.
type element struct {
	name   string // as the file has it
	known  string // as it is called in the tables
	space  string // namespace
	text   string
	given  []xml.Attr
	parent *element
	below  []*element
	nth    int // of several invoices in the file, from 1
}

// path names the element for a reader: Invoice/InvoiceLine[2]/Price.
func (e *element) path() string {
	if e.parent == nil {
		return e.name
	}
	name, nth, of := e.name, 0, 0
	for _, beside := range e.parent.below {
		if beside.name == e.name {
			of++
		}
		if beside == e {
			nth = of
		}
	}
	if nth = max(nth, e.nth); of > 1 || e.nth > 0 {
		name = fmt.Sprintf("%s[%d]", name, nth)
	}
	return e.parent.path() + "/" + name
}

func (e *element) attribute(name string) string {
	for _, attribute := range e.given {
		if attribute.Name.Local == name {
			return strings.TrimSpace(attribute.Value)
		}
	}
	return ""
}

// parse reads a document. Entities of its own are not expanded.
func parse(ctx context.Context, source io.Reader, rename map[string]string) (*element, error) {
	decoder := xml.NewDecoder(source)
	decoder.Strict = false
	decoder.CharsetReader = charset.NewReaderLabel
	var root, at *element
	var spoken [mostDepth][]byte // the text of the elements that are open
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
			at, spoken[depth-1] = next, spoken[depth-1][:0]
		case xml.CharData:
			if at != nil {
				spoken[depth-1] = append(spoken[depth-1], token...)
			}
		case xml.EndElement:
			if at != nil {
				at.text = string(bytes.TrimSpace(spoken[depth-1]))
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
	next := &element{name: token.Name.Local, known: token.Name.Local, space: token.Name.Space, given: token.Attr, parent: e}
	if known := rename[next.name]; known != "" {
		next.known = known
	}
	if e != nil {
		e.below = append(e.below, next)
	}
	return next
}

// found is what a path leads to: an element, or one of its attributes.
type found struct {
	*element
	value string
	of    string // the attribute
}

func (f found) path() string {
	if f.of != "" {
		return f.element.path() + "/@" + f.of
	}
	return f.element.path()
}

// step is one of a path: the name of an element and what it must have, or an attribute.
type step struct {
	name, attribute string
	where           []step   // what must have one of the values
	is              []string // nil: no condition
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
			where, is, _ := strings.Cut(condition, "=")
			next.where, next.is = stepsOf(where), strings.Split(is, ",")
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
		return []found{{element: e, value: e.text}}
	}
	if name := steps[0].attribute; name != "" {
		if text := e.attribute(name); text != "" {
			return []found{{e, text, name}}
		}
		return nil
	}
	var list []found
	for _, next := range e.below {
		if next.known == steps[0].name && next.meets(steps[0]) {
			list = append(list, next.all(steps[1:])...)
		}
	}
	return list
}

// meets reports whether what a step asks for is so; an attribute that is not there is "".
func (e *element) meets(s step) bool {
	if s.is == nil {
		return true
	}
	if name := s.where[0].attribute; name != "" {
		return slices.Contains(s.is, e.attribute(name))
	}
	return slices.ContainsFunc(e.all(s.where), func(one found) bool { return slices.Contains(s.is, one.value) })
}
