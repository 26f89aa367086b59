package tools

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// NewObjectDecoder makes a function that holds objects to the schema of the struct T, as the
// arguments of a tool are held to that of its input, and decodes them. A null and an empty
// text are as good as none; a field that T lacks is refused.
func NewObjectDecoder[T any]() func(object map[string]any) (T, error) {
	held := compileSchemaOnce(func() (json.RawMessage, error) { return reflectSchema(reflect.TypeFor[T](), true) })
	return func(object map[string]any) (value T, err error) {
		s, err := held()
		if err != nil {
			return value, err
		}
		if err := s.removeBlanks(object); err != nil {
			return value, err
		}
		raw, err := encodeJSON(object)
		if err != nil {
			return value, err
		}
		tree, err := decodeJSON(raw)
		if err != nil {
			return value, err
		}
		if err := s.findFirstViolation(tree); err != nil {
			return value, err
		}
		return value, json.Unmarshal(raw, &value)
	}
}

// removeBlanks takes out of an object what says nothing, and refuses a field that the schema lacks.
func (s *schema) removeBlanks(object map[string]any) error {
	var unknown []string
	for name, value := range object {
		if s.Properties[name] == nil {
			unknown = append(unknown, name)
		} else if value == nil || value == "" {
			delete(object, name)
		}
	}
	if len(unknown) > 0 {
		known := make([]string, 0, len(s.Properties))
		for name := range s.Properties {
			known = append(known, name)
		}
		slices.Sort(known)
		name := slices.Min(unknown)
		return Invalid(CodeInvalid, name, "known field", "%q is no field; the fields are %s", name, strings.Join(known, ", "))
	}
	return nil
}
