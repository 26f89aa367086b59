package bank

import (
	"strings"
)

// element is an element of XML with its content.
type element struct {
	name, text string
	written    strings.Builder // what text is made of
	currency   string          // its attribute Ccy
	children   []*element
}

// at is the first element at the end of a path such as "Acct/Id/IBAN", an
// empty one when there is none.
func (from *element) at(path string) *element {
	step, rest, more := strings.Cut(path, "/")
	for _, child := range from.children {
		if child.name != step {
			continue
		}
		if !more {
			return child
		}
		if found := child.at(rest); found.name != "" {
			return found
		}
	}
	return &element{}
}

// say is the text of the first of some paths that has one.
func (from *element) say(paths ...string) string {
	for _, path := range paths {
		if text := from.at(path).text; text != "" {
			return text
		}
	}
	return ""
}

// all are the children of a name.
func (from *element) all(name string) []*element {
	var found []*element
	for _, child := range from.children {
		if child.name == name {
			found = append(found, child)
		}
	}
	return found
}
