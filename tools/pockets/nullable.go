package pockets

import (
	"encoding/json"

	reflector "github.com/invopop/jsonschema"
)

// nullable is a value that may be absent from an answer, null, or there: a thin
// answer leaves it out, a full one shows null for what is not known.
type nullable[T float64 | string] struct {
	shown bool
	value *T
}

// known shows a value, or null.
func known[T float64 | string](value *T) nullable[T] { return nullable[T]{shown: true, value: value} }

// IsZero tells the encoder to leave the value out.
func (n nullable[T]) IsZero() bool { return !n.shown }

// MarshalJSON writes the value or null.
func (n nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// JSONSchema admits null.
func (n nullable[T]) JSONSchema() *reflector.Schema {
	kind := "string"
	if _, ok := any(*new(T)).(float64); ok {
		kind = "number"
	}
	return &reflector.Schema{OneOf: []*reflector.Schema{{Type: kind}, {Type: "null"}}}
}
