package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"

	reflector "github.com/invopop/jsonschema"
)

// What an argument may hold where its field names no bound of its own by the tag maxLength
// or maxItems. Tags name that of queries (10,000 characters) and of texts (1,048,576), which
// is also that of names of the graph by which something stored is opened or deleted: earlier
// versions stored names of any length.
const (
	maxIDLength   = 200
	maxNameLength = 1000 // of every other text
	maxListLength = 1000

	// maxFreeBytes bounds an object of any fields, or a value of any type, by the size of
	// its JSON: as much as a text. Its schema cannot say so.
	maxFreeBytes = 1 << 20

	// maxArgumentBytes bounds all arguments of a call together, as they came: the slowest
	// tools take about a second for so much. Larger documents are uploaded.
	maxArgumentBytes = 4 << 20

	// maxNumberLength and maxExponentLength bound a number in characters: the validator
	// computes exactly, and 1e999999 takes it a tenth of a second.
	maxNumberLength, maxExponentLength = 400, 4

	// maxUnknownArguments is how many arguments that the tool does not have are compared
	// with those it has.
	maxUnknownArguments = 5000
)

// setDefaultSizeLimits gives a text, list or free object of an input schema that has no bound the
// one of its kind. The name is that of the argument.
func setDefaultSizeLimits(name string, s *reflector.Schema) {
	switch types := schemaTypes(s); {
	case len(types) > 1 && slices.Contains(types, "object") || s.Type == "object" && s.Properties.Len() == 0:
		setExtra(s, "maxBytes", maxFreeBytes)
	case slices.Contains(types, "string") && s.MaxLength == nil && len(s.Enum) == 0:
		s.MaxLength = new(uint64(defaultMaxLengthOfArgument(name)))
	case slices.Contains(types, "array") && s.MaxItems == nil:
		s.MaxItems = new(uint64(maxListLength))
	}
}

// adaptSchema changes a schema, or a part of one: the name is that of the property; empty: it is the whole.
type adaptSchema = func(name string, s *reflector.Schema)

// visitSchemas visits a schema and all within it.
func visitSchemas(name string, s *reflector.Schema, visit adaptSchema) {
	visit(name, s)
	if s.Items != nil {
		visitSchemas(name, s.Items, visit)
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		visitSchemas(p.Key, p.Value, visit)
	}
}

// raiseNameLengthLimits lets a text of an input schema that has no bound of its own be as long as
// any text.
func raiseNameLengthLimits(_ string, s *reflector.Schema) {
	if s.MaxLength != nil && *s.MaxLength == maxNameLength {
		s.MaxLength = new(uint64(maxFreeBytes))
	}
}

// removeSizeLimits takes the bounds of shared types out of a part of an output schema: what is stored may
// be longer than what is taken today.
func removeSizeLimits(_ string, s *reflector.Schema) { s.MaxLength, s.MaxItems = nil, nil }

func schemaTypes(s *reflector.Schema) []string {
	if several, ok := s.Extras["type"].([]string); ok {
		return several
	}
	return []string{s.Type}
}

func setExtra(s *reflector.Schema, key string, value any) {
	if s.Extras == nil {
		s.Extras = map[string]any{}
	}
	s.Extras[key] = value
}

func defaultMaxLengthOfArgument(name string) int {
	if parts := splitNameWords(name); len(parts) > 0 && parts[len(parts)-1] == "id" {
		return maxIDLength
	}
	return maxNameLength
}

// checkSizeLimits refuses a value that is longer than its schema allows, before anything is
// computed from it. It does not look into lists and objects.
func (s *schema) checkSizeLimits(value any, at string) *Error {
	if s.MaxBytes > 0 {
		if size := estimateJSONSize(value, s.MaxBytes); size > s.MaxBytes {
			return Invalid(CodeInvalid, at, fmt.Sprintf("maxBytes %d", s.MaxBytes), "%s must have at most %d bytes as JSON: shorten it, or upload a file", at, s.MaxBytes)
		}
		return nil
	}
	switch v := value.(type) {
	case string:
		if s.MaxLength > 0 && len(v) > s.MaxLength {
			if length := utf8.RuneCountInString(v); length > s.MaxLength {
				return textTooLongError(at, s.MaxLength, length)
			}
		}
	case []any:
		if s.MaxItems > 0 && len(v) > s.MaxItems {
			return tooManyItemsError(at, s.MaxItems, len(v))
		}
	case json.Number:
		if exponent := strings.IndexAny(v.String(), "eE"); len(v) > maxNumberLength || exponent >= 0 && len(v)-exponent-1 > maxExponentLength {
			return numberTooLargeError(at)
		}
	}
	return nil
}

func argumentsTooLargeError() *Error {
	return Invalid(CodeInvalid, "arguments", fmt.Sprintf("maxBytes %d", maxArgumentBytes),
		"the arguments of a call must have at most %d bytes together: split the call, or upload a file", maxArgumentBytes)
}

func textTooLongError(at string, limit, length int) *Error {
	return Invalid(CodeInvalid, at, fmt.Sprintf("maxLength %d", limit), "%s must have at most %s; it has %d: shorten it", at, language.FormatCount(limit, "character", "characters"), length)
}

func tooManyItemsError(at string, limit, count int) *Error {
	e := Invalid(CodeInvalid, at, fmt.Sprintf("maxItems %d", limit), "%s takes at most %s; it has %d: split the call", at, language.FormatCount(limit, "item", "items"), count)
	e.Size = count
	return e
}

func numberTooLargeError(at string) *Error {
	return Invalid(CodeInvalid, at, "64 bits", "%s is a number beyond what 64 bits hold; give a smaller one", at)
}

// estimateJSONSize is about how many bytes a value takes as JSON. It stops counting beyond the limit.
func estimateJSONSize(value any, limit int) int {
	const punctuation = 2 // quotation marks, brackets, a comma
	size := punctuation
	switch v := value.(type) {
	case string:
		size += len(v)
	case json.Number:
		size += len(v)
	case []any:
		for i := 0; i < len(v) && size <= limit; i++ {
			size += estimateJSONSize(v[i], limit-size)
		}
	case map[string]any:
		for key, inner := range v {
			if size > limit {
				break
			}
			size += len(key) + punctuation + estimateJSONSize(inner, limit-size)
		}
	}
	return size
}
