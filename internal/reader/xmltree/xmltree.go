// Package xmltree reads XML into elements and finds what paths lead to among them. A reader of a
// format takes the elements that it is done with as they end, so that the tree holds no file as a
// whole that may be large.
package xmltree

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

// Element is one of an XML document.
type Element struct {
	Name   string // as the file has it
	Known  string // as paths call it
	Space  string // namespace
	Text   string
	Parent *Element
	Below  []*Element
	Nth    int // of several things in the file, from 1

	given []xml.Attr
}

// Path names the element for a reader: Invoice/InvoiceLine[2]/Price.
func (e *Element) Path() string {
	if e.Parent == nil {
		return e.Name
	}
	name, nth, of := e.Name, 0, 0
	for _, beside := range e.Parent.Below {
		if beside.Name == e.Name {
			of++
		}
		if beside == e {
			nth = of
		}
	}
	if nth = max(nth, e.Nth); of > 1 || e.Nth > 0 {
		name = fmt.Sprintf("%s[%d]", name, nth)
	}
	return e.Parent.Path() + "/" + name
}

// Attribute is the value of an attribute, "" for one that is not there.
func (e *Element) Attribute(name string) string {
	for _, attribute := range e.given {
		if attribute.Name.Local == name {
			return strings.TrimSpace(attribute.Value)
		}
	}
	return ""
}

// CountDescendants returns how many elements stand below one.
func (e *Element) CountDescendants() (count int) {
	for _, next := range e.Below {
		count += 1 + next.CountDescendants()
	}
	return count
}

// NewDecoder reads XML without expanding entities of the document's own: the decoder knows the
// five predefined ones only, so that entity bombs are mere text.
func NewDecoder(source io.Reader) *xml.Decoder {
	decoder := xml.NewDecoder(source)
	decoder.Strict = false
	decoder.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		found, _ := charset.Lookup(label)
		if found == nil {
			return input, nil
		}
		return found.NewDecoder().Reader(input), nil
	}
	return decoder
}

// ErrDepth tells of a document that is nested more deeply than its format.
var ErrDepth = errors.New("it is nested too deeply")

// Read reads a document of so many levels at most and returns its first element; nil when there
// is none, or it does not end. Elements with a new name are known by that one. Ended is told of
// each element that was read, and whether it stays in the tree.
func Read(ctx context.Context, decoder *xml.Decoder, maxDepth int, rename map[string]string, onElementEnd func(*Element) (stays bool, err error)) (root *Element, err error) {
	var at *Element
	var said [][]byte // the text of the elements that are open
	for elements, open := 0, 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && at == nil {
			return root, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if elements++; elements%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if open == maxDepth {
				return nil, ErrDepth
			}
			at = &Element{Name: token.Name.Local, Known: token.Name.Local, Space: token.Name.Space, given: token.Attr, Parent: at}
			if known := rename[at.Name]; known != "" {
				at.Known = known
			}
			if open == len(said) {
				said = append(said, nil)
			}
			said[open], open = said[open][:0], open+1
		case xml.CharData:
			if at != nil {
				said[open-1] = append(said[open-1], token...)
			}
		case xml.EndElement:
			if at == nil {
				continue
			}
			open--
			at.Text = string(bytes.TrimSpace(said[open]))
			stays, err := onElementEnd(at)
			switch {
			case err != nil:
				return nil, err
			case at.Parent == nil && root == nil:
				root = at
			case at.Parent != nil && stays:
				at.Parent.Below = append(at.Parent.Below, at)
			}
			at = at.Parent
		}
	}
}

// Found is what a path leads to: an element, or one of its attributes.
type Found struct {
	*Element
	Value     string
	attribute string
}

// Path names the element, or the attribute in it.
func (f Found) Path() string {
	if f.attribute != "" {
		return f.Element.Path() + "/@" + f.attribute
	}
	return f.Element.Path()
}

// Step is one of a path: the name of an element and what it must have, or an attribute.
type Step struct {
	name, attribute string
	where           []Step   // what must have one of the values
	is              []string // nil: no condition
}

// ParseSteps are those of a path such as Party/Id[@scheme=VA]/@country.
func ParseSteps(path string) (steps []Step) {
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
		next := Step{name: one}
		if name, condition, asked := strings.Cut(strings.TrimSuffix(one, "]"), "["); asked {
			next.name = name
			where, is, _ := strings.Cut(condition, "=")
			next.where, next.is = ParseSteps(where), strings.Split(is, ",")
		}
		if attribute, is := strings.CutPrefix(one, "@"); is {
			next = Step{attribute: attribute}
		}
		steps = append(steps, next)
	}
	return steps
}

// FindAll returns what a path leads to, in the order of the document.
func (e *Element) FindAll(steps []Step) []Found {
	if len(steps) == 0 {
		return []Found{{Element: e, Value: e.Text}}
	}
	if name := steps[0].attribute; name != "" {
		if text := e.Attribute(name); text != "" {
			return []Found{{e, text, name}}
		}
		return nil
	}
	var list []Found
	for _, next := range e.Below {
		if next.Known == steps[0].name && next.meetsStepCondition(steps[0]) {
			list = append(list, next.FindAll(steps[1:])...)
		}
	}
	return list
}

// FindFirst is the first element that a path leads to, one without anything when there is none.
func (e *Element) FindFirst(path string) *Element {
	if list := e.FindAll(ParseSteps(path)); len(list) > 0 {
		return list[0].Element
	}
	return &Element{}
}

// FirstText is the text of the first of some paths that has one.
func (e *Element) FirstText(paths ...string) string {
	for _, path := range paths {
		if text := e.FindFirst(path).Text; text != "" {
			return text
		}
	}
	return ""
}

// meetsStepCondition reports whether what a step asks for is so; an attribute that is not there is "".
func (e *Element) meetsStepCondition(s Step) bool {
	if s.is == nil {
		return true
	}
	if name := s.where[0].attribute; name != "" {
		return slices.Contains(s.is, e.Attribute(name))
	}
	return slices.ContainsFunc(e.FindAll(s.where), func(one Found) bool { return slices.Contains(s.is, one.Value) })
}
