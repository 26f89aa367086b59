package tools

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestValuesFitASchemaWhereAValidatorSaysSo compares random values and schemas with what a whole validator of
// JSON Schema says of them.
func TestValuesFitASchemaWhereAValidatorSaysSo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fitting := 0
	const rounds = 20_000
	for range rounds {
		text := encodeOrFail(t, randomSchema(random, 3))
		held, err := decodeSchema(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		value := randomValue(random, 3)
		fits := held.findFirstViolation(value) == nil
		if wants := fitsByValidator(t, text, value); fits != wants {
			t.Fatalf("%s fits %s: %v, want %v", encodeOrFail(t, value), text, fits, wants)
		}
		if fits {
			fitting++
		}
	}
	if fitting < rounds/20 || fitting > rounds-rounds/20 {
		t.Errorf("%d of %d values fit: the comparison shows little", fitting, rounds)
	}
}

// TestSchemasWithOtherKeywordsAreRefused shows that no keyword is without effect.
func TestSchemasWithOtherKeywordsAreRefused(t *testing.T) {
	for _, text := range []string{`{"multipleOf":2}`, `{"type":"object","properties":{"a":{"const":1}}}`, `{"format":"email"}`, `{"items":{"pattern":"("}}`} {
		if _, err := decodeSchema(json.RawMessage(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func encodeOrFail(t *testing.T, value any) json.RawMessage {
	t.Helper()
	text, err := encodeJSON(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func fitsByValidator(t *testing.T, schema json.RawMessage, value any) bool {
	t.Helper()
	document, err := decodeJSON(schema)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return compiled.Validate(value) == nil
}

// randomSchema has keywords of one type or of two, and schemas within it.
func randomSchema(random *rand.Rand, depth int) map[string]any {
	s := map[string]any{}
	add := func(keyword string, value any) {
		if random.IntN(2) == 0 {
			s[keyword] = value
		}
	}
	kind := []string{"string", "number", "integer", "boolean", "null", "array", "object"}[random.IntN(7)]
	switch form := random.IntN(6); {
	case form == 0 && kind != "null":
		s["type"] = []string{kind, "null"}
	case form != 1:
		s["type"] = kind
	}
	switch kind {
	case "string":
		add("minLength", random.IntN(3))
		add("maxLength", 1+random.IntN(3))
		add("pattern", "^[ab]")
		add("enum", []any{"a", "b", "äb"})
		if random.IntN(4) == 0 {
			s["format"] = []string{"date-time", "uuid"}[random.IntN(2)]
		}
	case "number", "integer":
		add("minimum", random.IntN(3)-1)
		add("maximum", json.Number("1.5"))
	case "array":
		add("minItems", random.IntN(3))
		add("maxItems", 1+random.IntN(2))
		if depth > 0 {
			add("items", randomSchema(random, depth-1))
		}
	case "object":
		add("required", []string{"a"})
		if depth > 0 {
			s["properties"] = map[string]any{"a": randomSchema(random, depth-1), "b": randomSchema(random, depth-1)}
			add("additionalProperties", randomSchema(random, depth-1))
		}
	}
	if depth > 0 && random.IntN(5) == 0 {
		s["oneOf"] = []any{randomSchema(random, depth-1), map[string]any{"type": "null"}}
	}
	return s
}

func randomValue(random *rand.Rand, depth int) any {
	switch random.IntN(10) {
	case 0:
		return nil
	case 1:
		return random.IntN(2) == 0
	case 2, 3:
		return json.Number([]string{"0", "1", "-1", "1.0", "1.5", "1e0", "2.5", "-0.5"}[random.IntN(8)])
	case 4, 5:
		list := []any{}
		for range random.IntN(4) {
			if depth > 0 {
				list = append(list, randomValue(random, depth-1))
			}
		}
		return list
	case 6, 7:
		object := map[string]any{}
		for _, key := range []string{"a", "b", "c"} {
			if depth > 0 && random.IntN(2) == 0 {
				object[key] = randomValue(random, depth-1)
			}
		}
		return object
	}
	return []string{"", "a", "b", "äb", "abab", "2026-01-02T03:04:05Z", "2026-01-02t03:04:05.5+01:00", "2026-13-02T03:04:05Z", "0e984725-c51c-4bf4-9960-E1c80e27aba0", "0e984725c51c4bf49960e1c80e27aba0"}[random.IntN(10)]
}
