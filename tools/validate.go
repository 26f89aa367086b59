package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"toolkit/internal/language"
)

// validated are arguments that fit the schema: unknown keys removed, nulls for
// absent values removed, whole numbers written as such, defaults filled in.
type validated struct {
	arguments json.RawMessage
	unknown   []unknownArgument // in the order of their paths
}

// validateArguments checks raw arguments against the tool's schema. Absent arguments
// equal {}. The first violation wins, in the contract's order: missing, then
// type, length and enum, then format.
func (d *Definition) validateArguments(raw json.RawMessage) (validated, error) {
	held, err := d.arguments()
	if err != nil {
		return validated{}, err
	}
	if len(raw) > maxArgumentBytes {
		return validated{}, argumentsTooLargeError()
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	tree, err := decodeJSON(raw)
	if err != nil {
		return validated{}, Invalid(CodeInvalid, "arguments", "valid JSON", "arguments are not valid JSON; send a JSON object")
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return validated{}, Invalid(CodeInvalid, "arguments", "type object", "arguments must be a JSON object, not %s", addArticle(typeNameOf(tree)))
	}
	if err := checkDuplicateKeys(raw); err != nil {
		return validated{}, err
	}
	n := normaliser{tool: d}
	n.normaliseObject(object, held, "")
	v := validated{unknown: n.unknown}
	if err := held.refuseUnwrapped(v.unknown, object); err != nil {
		return v, err
	}
	if err := d.checkUnknownArguments(v.unknown, held); err != nil {
		return v, err
	}
	if n.exceeded != nil {
		return v, cmp.Or(held.checkRequiredArguments(object), n.exceeded)
	}
	if err := held.findFirstViolation(object); err != nil {
		return v, err
	}
	v.arguments, err = encodeJSON(object)
	return v, err
}

// normaliser brings arguments into the form that the schema and Go expect.
type normaliser struct {
	tool     *Definition
	unknown  []unknownArgument
	exceeded *Error // the first value beyond its bound; nothing in it is looked at
}

// normalise walks a value beside its schema: it drops unknown keys (noting them)
// and nulls where the schema knows no null, fills in defaults, and turns
// whole numbers such as 5.0 into the integers Go expects.
func (n *normaliser) normalise(value any, held *schema, at string) any {
	if err := held.checkSizeLimits(value, at); err != nil {
		n.exceeded = cmp.Or(n.exceeded, err)
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		n.normaliseObject(v, held, at)
	case []any:
		for i := range v {
			if held.Items != nil {
				v[i] = n.normalise(v[i], held.Items, fmt.Sprintf("%s[%d]", at, i))
			}
		}
	case json.Number:
		if held.Type.allows("integer") && !held.Type.allows("number") {
			return normaliseWholeNumber(v)
		}
	}
	return value
}

// normaliseObject normalises an object. One that has a default of its own is filled in
// whole or not at all.
func (n *normaliser) normaliseObject(v map[string]any, held *schema, at string) {
	if held.Properties == nil {
		return
	}
	if len(n.unknown)+len(v) > maxUnknownArguments+len(held.Properties) {
		name := cmp.Or(at, "arguments")
		n.exceeded = cmp.Or(n.exceeded, Invalid(CodeInvalid, name, fmt.Sprintf("at most %d unknown", maxUnknownArguments),
			"the call has more than %d arguments that %s does not have; leave them out", maxUnknownArguments, n.tool.Name))
		return
	}
	renameAliasKeys(v, held.Properties)
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if held.Properties[key] == nil {
			n.removeOrRenameUnknownKey(v, held, at, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v)) {
		inner := v[key]
		p := held.Properties[key]
		if inner == nil && !p.Type.allows("null") {
			delete(v, key)
		} else {
			v[key] = n.normalise(inner, p, JoinPath(at, key))
		}
	}
	if held.Default != nil {
		return // its members depend on each other: they are not filled in one by one
	}
	for key, p := range held.Properties {
		if _, given := v[key]; !given && p.Default != nil {
			v[key] = p.Default
		}
	}
}

// renameAliasKeys gives arguments that came under another name of a property its own.
func renameAliasKeys(v map[string]any, properties map[string]*schema) {
	for name, p := range properties {
		inner, given := v[p.Also]
		if _, known := v[name]; given && p.Also != "" && !known {
			v[name] = inner
			delete(v, p.Also)
		}
	}
}

// removeOrRenameUnknownKey takes out a key that the object does not have. In a tool that
// writes, the other spelling of a name counts as the name: what was given must
// not be lost over an underscore.
func (n *normaliser) removeOrRenameUnknownKey(v map[string]any, held *schema, at string, key string) {
	u := unknownArgument{path: JoinPath(at, key), fromClient: at == "" && words().additions[key]}
	value := v[key]
	delete(v, key)
	if value == nil {
		return // a null says nothing, under whatever name
	}
	if len(key) > maxNameLength {
		n.unknown = append(n.unknown, u) // it cannot mean an argument
		return
	}
	names, how := findIntendedArguments(key, value, held, v, toolNouns(n.tool.Name, at))
	meantPaths := make([]string, len(names))
	for i, name := range names {
		meantPaths[i] = JoinPath(at, name)
	}
	u.suggestions = meantPaths
	if how == sameSpelling && n.tool.Writes() {
		u.accepted = true
		v[names[0]] = value
	}
	n.unknown = append(n.unknown, u)
}

// checkUnknownArguments refuses a call in which an argument plainly means another one.
// A dropped filter would answer another question, a dropped field of a write
// would be lost.
func (d *Definition) checkUnknownArguments(unknown []unknownArgument, held *schema) error {
	for _, u := range unknown {
		name := cleanArgumentPath(u.path)
		if d.Strict && len(u.suggestions) == 0 && !u.fromClient {
			return Invalid(CodeInvalid, name, "a known argument", "%s is not an argument of %s, which takes %s: nothing was done, call again without it", name, d.Name,
				strings.Join(slices.Sorted(maps.Keys(held.Properties)), ", "))
		}
		if len(u.suggestions) == 0 || u.accepted {
			continue
		}
		use := strings.Join(u.suggestions, " or ")
		return Invalid(CodeInvalid, name, "a known argument", "%s is not an argument of %s; use %s: nothing was done, call again with that name", name, d.Name, use).
			WithDetail("use", u.suggestions)
	}
	return nil
}

// maxShownNameLength is how much of a caller's name for an argument is repeated.
const maxShownNameLength = 80

// cleanArgumentPath is a path as it may be repeated: bounded, without control characters.
func cleanArgumentPath(path string) string {
	path = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, path)
	return language.Shorten(path, maxShownNameLength)
}

// normaliseWholeNumber rewrites 5.0 and 5e3 as 5 and 5000; other numbers stay.
func normaliseWholeNumber(n json.Number) json.Number {
	s := n.String()
	if !strings.ContainsAny(s, ".eE") || len(s) > 64 {
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f > 1e18 || f < -1e18 {
		return n
	}
	if r, ok := new(big.Rat).SetString(s); ok && r.IsInt() {
		return json.Number(r.Num().String())
	}
	return n
}

// findSubschema returns the part of an object schema that describes a path such as items[2].id;
// nil when there is none.
func (s *schema) findSubschema(path string) *schema {
	for part := range strings.SplitSeq(path, ".") {
		name, rest, _ := strings.Cut(part, "[")
		if s != nil {
			s = s.Properties[name]
		}
		for ; rest != "" && s != nil; _, rest, _ = strings.Cut(rest, "[") {
			s = s.Items
		}
	}
	return s
}

// checkRequiredArguments tells which of the tool's own arguments is missing, if one is: that is said
// before what is wrong with others.
func (s *schema) checkRequiredArguments(arguments map[string]any) *Error {
	for _, name := range s.Required {
		if _, given := arguments[name]; !given {
			return missingArgumentError(name)
		}
	}
	return nil
}
