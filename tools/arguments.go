package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"

	"toolkit/fixtures"
	"toolkit/internal/language"
)

// unknownArgument is an argument that its tool does not have.
type unknownArgument struct {
	path        string   // JSON path, as it was given
	suggestions []string // paths of the arguments it plainly means; none: it is foreign
	accepted    bool     // its value was taken for that of meant[0]
	fromClient  bool     // the client sends it with every call: nobody chose it
}

// argumentWords is the data about names of arguments, made ready once.
type argumentWords struct {
	synonyms                      map[string][]string
	modifiers, generic, additions map[string]bool
}

var words = sync.OnceValue(func() argumentWords {
	data := fixtures.Arguments()
	var additions []string
	for _, a := range data.Additions {
		additions = append(additions, a.Arguments...)
	}
	return argumentWords{data.Synonyms, makeWordSet(data.Modifiers), makeWordSet(data.Generic), makeWordSet(additions)}
})

func makeWordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// argumentName is a name taken apart, to compare it with others.
type argumentName struct {
	bare  string   // letters and digits, lower case
	words []string // singular
	core  []string // the words that say something
}

func parseArgumentName(name string) argumentName {
	a := argumentName{words: splitNameWords(name)}
	a.bare = strings.ToLower(strings.Join(strings.FieldsFunc(name, isWordSeparator), ""))
	a.core = removeWords(a.words, words().modifiers)
	return a
}

func isWordSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// splitNameWords returns the words of a name in snake, kebab or camel case, singular.
func splitNameWords(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	parts := strings.FieldsFunc(strings.ToLower(spaced.String()), isWordSeparator)
	shown := make([]string, len(parts))
	for i, part := range parts {
		shown[i] = singularizeWord(part)
	}
	return shown
}

func singularizeWord(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 2:
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// removeWords returns the words that are not dull; all of them where every one is.
func removeWords(all []string, ignored map[string]bool) []string {
	kept := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return ignored[w] })
	if len(kept) == 0 {
		return all
	}
	return kept
}

// matchRank is how plainly one name means another; the least is the plainest.
type matchRank int

const (
	sameSpelling matchRank = iota // due_date for dueDate
	sameWords                     // entity_names for entityName
	sameMeaning                   // top_k for limit, search_query for query, chart_id for id
	partOf                        // due for dueDate
	misspelt                      // limt for limit
	noMatch
)

// rankMatch compares an unknown name with a known one. Nouns are the words of the
// tool, which callers put before its arguments, or leave out.
func (a argumentName) rankMatch(known argumentName, nouns map[string]bool) matchRank {
	switch {
	case a.bare == known.bare:
		return sameSpelling
	case isSameSet(a.words, known.words):
		return sameWords
	case isSameSet(a.core, known.core),
		isSameSet(removeWords(a.words, nouns), removeWords(known.words, nouns)),
		a.isSynonymOf(known, nouns):
		return sameMeaning
	case isSubset(a.core, known.words):
		return partOf
	case isTypo(a.bare, known.bare):
		return misspelt
	}
	return noMatch
}

func isSameSet(a, b []string) bool { return len(a) == len(b) && isSubset(a, b) }

func isSubset(part, whole []string) bool {
	return len(part) > 0 && !slices.ContainsFunc(part, func(w string) bool { return !slices.Contains(whole, w) })
}

// isSynonymOf reports whether a name is listed as another one of a known name,
// either of them whole or without its dull words.
func (a argumentName) isSynonymOf(known argumentName, nouns map[string]bool) bool {
	var listed []string
	for _, form := range []string{strings.Join(known.words, ""), strings.Join(known.core, "")} {
		listed = append(listed, words().synonyms[form]...)
		for noun := range nouns {
			listed = append(listed, words().synonyms[noun+" "+form]...)
		}
	}
	forms := [][]string{a.words, a.core, removeWords(a.core, nouns)}
	return slices.ContainsFunc(forms, func(form []string) bool { return slices.Contains(listed, strings.Join(form, "")) })
}

// Lengths from which a slip is plainly one.
const (
	minSwapLength     = 4 // two neighbouring letters changed places: form for from
	minOneTypoLength  = 5 // a letter more, less or other
	minTwoTyposLength = 9
)

func isTypo(a, b string) bool {
	apart, length := language.EditDistance(a, b), max(len(a), len(b))
	if apart == 2 && len(a) == len(b) && length >= minSwapLength {
		x, y := []byte(a), []byte(b)
		slices.Sort(x)
		slices.Sort(y)
		if string(x) == string(y) {
			return true
		}
	}
	return apart == 1 && length >= minOneTypoLength || apart == 2 && length >= minTwoTyposLength
}

// maxSuggestions is how many arguments a name may mean and still mean them plainly.
const maxSuggestions = 3

// argumentSearch is the search for what an unknown argument plainly means.
type argumentSearch struct {
	unknown argumentName
	value   any
	vague   bool // no word of it tells which argument is meant
	names   []string
	rank    matchRank
}

// findIntendedArguments finds the arguments that an unknown one plainly means, among those of
// its object, and of the objects in it, that were not given.
func findIntendedArguments(unknown string, value any, object *schema, provided map[string]any, nouns map[string]bool) ([]string, matchRank) {
	m := argumentSearch{unknown: parseArgumentName(unknown), value: value, rank: noMatch}
	m.vague = !slices.ContainsFunc(m.unknown.core, func(w string) bool { return !words().generic[w] })
	for name, p := range object.Properties {
		if provided[name] != nil {
			continue
		}
		m.addIfNameAndTypeMatch(name, name, p, nouns, slices.Contains(object.Required, name))
		if p.Also != "" {
			m.addIfNameAndTypeMatch(name, p.Also, p, nouns, slices.Contains(object.Required, name))
		}
		for part, inner := range p.Properties {
			m.addIfNestedFieldMatches(name, part, inner)
		}
	}
	if len(m.names) > maxSuggestions || m.rank > sameSpelling && words().additions[unknown] {
		return nil, noMatch
	}
	slices.Sort(m.names)
	return slices.Compact(m.names), m.rank
}

// SuggestParameters are the parameters of an address that an unknown one plainly
// means; none when it is foreign.
func SuggestParameters(unknown string, known []string) []string {
	address := schema{Properties: map[string]*schema{}}
	for _, name := range known {
		address.Properties[name] = &schema{Type: typeNames{"string"}}
	}
	names, _ := findIntendedArguments(unknown, "", &address, nil, nil)
	return names
}

// addIfNameAndTypeMatch compares the unknown argument with a known one.
func (m *argumentSearch) addIfNameAndTypeMatch(path, name string, held *schema, nouns map[string]bool, required bool) {
	l := m.unknown.rankMatch(parseArgumentName(name), nouns)
	if l > sameWords && !mayFitSchemaType(m.value, held) || l >= partOf && m.vague && !required {
		return
	}
	m.addIfBestMatch(path, l)
}

// addIfNestedFieldMatches compares it with a field of an object that was not given: since
// for time_range.start.
func (m *argumentSearch) addIfNestedFieldMatches(object, name string, held *schema) {
	if l := m.unknown.rankMatch(parseArgumentName(name), toolNouns(object, "")); l <= sameMeaning && !m.vague && mayFitSchemaType(m.value, held) {
		m.addIfBestMatch(object+"."+name, sameMeaning) // never its own spelling: it stands elsewhere
	}
}

func (m *argumentSearch) addIfBestMatch(path string, l matchRank) {
	switch {
	case l < m.rank:
		m.names, m.rank = []string{path}, l
	case l == m.rank && l != noMatch:
		m.names = append(m.names, path)
	}
}

// mayFitSchemaType reports whether a value could be that of an argument: of its type, alone
// or as one of a list, or a number in quotes.
func mayFitSchemaType(value any, held *schema) bool {
	could := func(jsonType string) bool {
		return held.Type.allows(jsonType) || held.Items != nil && held.Items.Type.allows(jsonType)
	}
	switch v := value.(type) {
	case string:
		_, err := json.Number(v).Float64()
		return could("string") || err == nil && held.Type.allows("integer")
	case json.Number:
		return held.Type.allows("number") || could("integer")
	case bool:
		return held.Type.allows("boolean")
	case []any:
		return held.Items != nil || held.Type.allows("array") || len(v) == 1 && mayFitSchemaType(v[0], held)
	}
	return could("object")
}

// toolNouns are the words of a tool's name and of the list an object stands in.
func toolNouns(tool, path string) map[string]bool {
	return makeWordSet(splitNameWords(tool + " " + path))
}

// refuseUnwrapped refuses the fields of an item that stand beside the list that is missing, not in
// it, and shows the form of the whole.
func (s *schema) refuseUnwrapped(unknown []unknownArgument, arguments map[string]any) error {
	for _, list := range s.Required {
		item := s.Properties[list].Items
		if _, isPresent := arguments[list]; isPresent || item == nil {
			continue
		}
		for _, u := range unknown {
			if item.Properties[u.path] != nil {
				return Invalid(CodeInvalid, u.path, "a field of "+list, `%s is a field of the items of %s; nothing was done, call again with {"%s":[%s]}`, u.path, list, list, item.describeForm())
			}
		}
	}
	return nil
}

// describeForm is an example of a value, without its text.
func (s *schema) describeForm() string {
	switch {
	case s.Items != nil:
		return "[" + s.Items.describeForm() + "]"
	case len(s.Properties) > 0:
		fields := make([]string, len(s.Required))
		for i, name := range s.Required {
			fields[i] = `"` + name + `":` + s.Properties[name].describeForm()
		}
		return "{" + strings.Join(fields, ",") + "}"
	case s.Type.allows("string"):
		return `"…"`
	}
	return "…"
}
