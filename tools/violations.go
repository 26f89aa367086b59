package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"toolkit/internal/language"
)

// violation is one broken constraint.
type violation struct {
	rank int // 0 missing, 1 type, length, enum, 2 format
	path string
	err  *Error
}

// findFirstViolation holds a value to the schema and returns the violation to report: by rank, then by the
// order in which the schema lists its properties; nil: it fits.
func (s *schema) findFirstViolation(value any) *Error {
	c := schemaCheck{}
	c.checkValue(value, s, nil)
	if len(c.violations) == 0 {
		return nil
	}
	sort.SliceStable(c.violations, func(i, j int) bool {
		a, b := c.violations[i], c.violations[j]
		if order := cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(requiredPosition(a.path, s), requiredPosition(b.path, s))); order != 0 {
			return order < 0
		}
		return naturalLess(a.path, b.path)
	})
	first := c.violations[0]
	if p := s.findSubschema(first.path); first.rank == 2 && p != nil && p.Description != "" {
		first.err.Message += ": " + p.Description
	}
	return first.err
}

// schemaCheck collects what is wrong with a value.
type schemaCheck struct{ violations []violation }

func (c *schemaCheck) add(rank int, err *Error) {
	c.violations = append(c.violations, violation{rank, err.Field, err})
}

// place is where a value stands: a member or an item of the value at another place. Its path is only put
// together for what is wrong.
type place struct {
	within *place
	key    string // of a member
	index  int    // of an item
}

// path is as a caller reads it, such as items[2].id; that of the whole is empty.
func (p *place) path() string {
	switch {
	case p == nil:
		return ""
	case p.key == "":
		return fmt.Sprintf("%s[%d]", p.within.path(), p.index)
	}
	return JoinPath(p.within.path(), p.key)
}

// name is what a place is called in a sentence.
func (p *place) name() string { return cmp.Or(p.path(), "arguments") }

// formats are those that values are held to.
var formats = map[string]func(text string) bool{
	"date-time": func(text string) bool {
		_, err := time.Parse(time.RFC3339, strings.ToUpper(text))
		return err == nil
	},
	"uuid": func(text string) bool { return len(text) == len(uuid.Nil.String()) && uuid.Validate(text) == nil },
}

// checkValue holds a value at a place to a schema, with the keywords that the schemas of tools have.
func (c *schemaCheck) checkValue(value any, s *schema, at *place) {
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return isOfType(value, t) }) {
		wanted := strings.Join(s.Type, " or ")
		c.add(1, Invalid(CodeInvalid, at.name(), "type "+wanted, "%s must be %s, not %s", at.name(), addArticle(wanted), typeNameOf(value)))
		return
	}
	if len(s.OneOf) > 0 && !s.fitsExactlyOne(value) {
		c.add(1, Invalid(CodeInvalid, at.name(), "oneOf", "%s must fit one of %d forms", at.name(), len(s.OneOf)))
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, value) {
		c.add(1, Invalid(CodeInvalid, at.name(), "enum "+joinValues(s.Enum, "|"), "%s must be one of %s", at.name(), joinValues(s.Enum, ", ")))
	}
	switch v := value.(type) {
	case string:
		c.checkString(v, s, at)
	case json.Number:
		c.checkNumber(v, s, at)
	case []any:
		c.checkList(v, s, at)
	case map[string]any:
		c.checkObject(v, s, at)
	}
}

func (c *schemaCheck) checkString(v string, s *schema, at *place) {
	length := 0
	if s.MinLength > 0 || s.MaxLength > 0 {
		length = utf8.RuneCountInString(v)
	}
	switch {
	case length < s.MinLength && s.MinLength == 1:
		c.add(1, Invalid(CodeInvalid, at.name(), "minLength 1", "%s must not be empty", at.name()))
	case length < s.MinLength:
		c.add(1, Invalid(CodeInvalid, at.name(), fmt.Sprintf("minLength %d", s.MinLength), "%s must have at least %d characters; it has %d", at.name(), s.MinLength, length))
	case s.MaxLength > 0 && length > s.MaxLength:
		c.add(1, textTooLongError(at.name(), s.MaxLength, length))
	}
	if s.Pattern != "" && !s.compiledPattern.MatchString(v) { // a regular expression says nothing to a person: the description does
		c.add(2, Invalid(CodeFormat, at.name(), "form", "%s %s", at.name(), describePattern(s.Pattern)))
	}
	if s.Format != "" && !formats[s.Format](v) {
		c.add(2, Invalid(CodeFormat, at.name(), "format "+s.Format, "%s is not a valid %s", at.name(), s.Format))
	}
}

func (c *schemaCheck) checkNumber(v json.Number, s *schema, at *place) {
	if s.Minimum != "" && compareNumbers(v, s.Minimum) < 0 {
		c.add(1, Invalid(CodeInvalid, at.name(), "minimum "+s.Minimum.String(), "%s must be at least %s", at.name(), s.Minimum))
	}
	if s.Maximum != "" && compareNumbers(v, s.Maximum) > 0 {
		c.add(1, Invalid(CodeInvalid, at.name(), "maximum "+s.Maximum.String(), "%s must be at most %s", at.name(), s.Maximum))
	}
}

func (c *schemaCheck) checkList(v []any, s *schema, at *place) {
	if len(v) < s.MinItems {
		err := Invalid(CodeInvalid, at.name(), fmt.Sprintf("minItems %d", s.MinItems), "%s needs at least %s; it has %d", at.name(), language.FormatCount(s.MinItems, "item", "items"), len(v))
		err.Size = len(v)
		c.add(1, err)
	}
	if s.MaxItems > 0 && len(v) > s.MaxItems {
		c.add(1, tooManyItemsError(at.name(), s.MaxItems, len(v)))
	}
	for i := 0; i < len(v) && s.Items != nil; i++ {
		c.checkValue(v[i], s.Items, &place{within: at, index: i})
	}
}

func (c *schemaCheck) checkObject(v map[string]any, s *schema, at *place) {
	for _, key := range s.Required {
		if _, given := v[key]; !given {
			c.add(0, missingArgumentError(JoinPath(at.path(), key)))
		}
	}
	for key, inner := range v {
		if p := cmp.Or(s.Properties[key], s.AdditionalProperties); p != nil {
			c.checkValue(inner, p, &place{within: at, key: key})
		}
	}
}

// fitsExactlyOne reports whether a value fits one of the forms of a schema, and no other.
func (s *schema) fitsExactlyOne(value any) bool {
	fitting := 0
	for _, form := range s.OneOf {
		if form.findFirstViolation(value) == nil {
			fitting++
		}
	}
	return fitting == 1
}

// isOfType reports whether a value is of a JSON type. A whole number is an integer however it is written.
func isOfType(value any, jsonType string) bool {
	if n, isNumber := value.(json.Number); isNumber && jsonType == "integer" {
		r, ok := new(big.Rat).SetString(n.String())
		return ok && r.IsInt()
	}
	return typeNameOf(value) == jsonType
}

// compareNumbers compares two numbers exactly.
func compareNumbers(a, b json.Number) int {
	x, xOK := new(big.Rat).SetString(a.String())
	y, yOK := new(big.Rat).SetString(b.String())
	if !xOK || !yOK {
		return 0
	}
	return x.Cmp(y)
}

// requiredPosition is the position of a path's first key among the required ones, which
// keep the order of the documentation; others come after.
func requiredPosition(path string, held *schema) int {
	first := path
	if i := strings.IndexAny(first, ".["); i >= 0 {
		first = first[:i]
	}
	if i := slices.Index(held.Required, first); i >= 0 {
		return i
	}
	return len(held.Required)
}

// naturalLess orders items[2] before items[10].
func naturalLess(a, b string) bool {
	if len(a) != len(b) && strings.Contains(a, "[") && strings.Contains(b, "[") {
		return len(a) < len(b)
	}
	return a < b
}

func missingArgumentError(at string) *Error {
	return Invalid(CodeMissing, at, "required", "%s is required; add it and call again", at)
}

// describePattern says what a pattern wants, as far as its first letters tell it.
func describePattern(pattern string) string {
	if r, err := regexp.Compile(strings.TrimPrefix(pattern, "^")); err == nil {
		if prefix, _ := r.LiteralPrefix(); prefix != "" {
			return "does not have the right form, which begins with " + prefix
		}
	}
	return "does not have the right form"
}

func joinValues(values []any, separator string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, separator)
}

func addArticle(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// typeNameOf is the JSON type of a decoded value.
func typeNameOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
