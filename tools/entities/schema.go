package entities

import reflector "github.com/invopop/jsonschema"

// JSONSchema describes a value of any type but null: a bare true would be valid
// JSON Schema, but some clients break on it.
func (jsonValue) JSONSchema() *reflector.Schema {
	return &reflector.Schema{
		Description: "any value but null", Items: &reflector.Schema{Description: "any value"},
		Extras: map[string]any{"type": []string{"string", "number", "boolean", "object", "array"}},
	}
}

// entityIDValue is the id of an entity, checked by its form before a handler
// runs.
type entityIDValue string

// JSONSchema describes the id.
func (entityIDValue) JSONSchema() *reflector.Schema {
	return &reflector.Schema{Type: "string", Pattern: `^ent_[A-Za-z0-9_-]+$`, Description: "Entity id, such as ent_af939bedafbd1838b259772a"}
}
