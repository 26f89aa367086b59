package recall

import (
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store/kinds"
)

// What was read of a file says much twice: its title is a field and a line of its text, and its text is a field
// and a passage.

// plainLabels are the fields whose names say nothing that their values do not.
var plainLabels = []string{"title", "name", "subject", "content", "text", "body", "description"}

// omitRepeatedLines returns a text without the lines that say no more than one before them.
func omitRepeatedLines(text string) string {
	var kept, values []string
	for line := range strings.Lines(text) {
		value, isPlain := plainValue(line)
		if value != "" && isPlain && slices.ContainsFunc(values, func(other string) bool { return isLineOf(value, other) }) {
			continue
		}
		kept, values = append(kept, line), append(values, value)
	}
	return strings.TrimRight(strings.Join(kept, ""), "\n")
}

// plainValue returns what a line says, without the label of its field and the marks of Markdown, and whether the
// label says nothing beside it. A label with spaces names a field of a part, by its last word.
func plainValue(line string) (value string, isPlain bool) {
	value, isPlain = line, true
	if label, rest, labelled := strings.Cut(line, ": "); labelled && !strings.ContainsAny(label, ".,;(") {
		words := strings.Fields(strings.ToLower(label))
		if isPlain = len(words) > 0 && (slices.Contains(plainLabels, words[0]) || words[len(words)-1] == "title"); isPlain {
			value = rest
		}
	}
	value = strings.TrimLeft(strings.TrimSpace(value), "#-*[]xX> ")
	return normalizeText(value), isPlain
}

// isLineOf reports whether another text says a line: all of it, what stands before its kind in brackets, or a line
// that is not short.
func isLineOf(line, other string) bool {
	head, _, _ := strings.Cut(other, " (")
	return line == other || line == head || len(language.Words(line)) >= minTellingWords && strings.Contains(other, line)
}

// isReadFromFile reports whether a candidate is a document or what was made of one.
func (r ranked) isReadFromFile() bool {
	return slices.Contains([]string{kinds.TruthEntity, kinds.Record, kinds.Document}, r.Kind)
}

// isNameOnly reports whether a thing has nothing but its name.
func (r ranked) isNameOnly() bool {
	return r.Kind == kinds.TruthEntity && len(r.Facts) == 0 && r.Note == "" && strings.HasSuffix(r.Text, ")") && !strings.Contains(r.Text, "\n")
}

// isListOf reports whether a document only lists what another hit tells, read from the same file.
func (r ranked) isListOf(row ranked) bool {
	name, _, _ := strings.Cut(row.Text, " (")
	return r.Kind == kinds.Document && row.Kind != kinds.Document && r.Place.Document != "" && r.Place.Document == row.Place.Document &&
		name != "" && strings.Contains(r.Text, name) && !r.hasExtraQueryWord(row)
}
