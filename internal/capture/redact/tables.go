package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

const (
	// Bounds of a row that heads a table.
	maxHeaderLength, maxColumns, maxColumnName = 1000, 30, 40
	// maxRows is how many rows of a table are read.
	maxRows = 5000
)

// column is a column of passwords in a table.
type column struct {
	place, cells int
	kind         string
	of           owner
	layout       layout
	mark         string // between its cells; see separators
}

// layout is how the cells of a row are kept apart.
type layout int

const (
	barred layout = iota
	tight         // by a mark, without a blank, as programs write them
	listed        // by a mark and a blank, as in a sentence
	spaced        // by two blanks or more
)

// owner says how sure the other columns of a table tell whose a password is.
type owner int

const (
	nobody owner = iota
	thing        // a host, a service
	person       // a user, a login
)

// findSecretsInTables finds what stands below the name of a password in a table: with bars between
// the cells, commas, semicolons, tabs, or two blanks.
func findSecretsInTables(t *text) (found []span) {
	last := 0
	for _, name := range t.findSecretNames() {
		if name.start < last || name.kind == keyKind { // in the table before, or a common word
			continue
		}
		if t.isStoppedAfterSteps() {
			break
		}
		line := t.lineAround(name.start)
		last = line.end
		if line.end-line.start > maxHeaderLength {
			continue
		}
		if c, rows, heads := t.readTableHeader(line); heads {
			for range maxRows {
				row := t.lineAfter(rows)
				if row.start < 0 || !t.addSecretOfRow(c, row, &found) {
					break
				}
				rows, last = row, row.end
			}
		}
	}
	return found
}

// lineAround is the line in which a place is, or a part of a longer one.
func (t *text) lineAround(at int) span {
	first := max(0, at-maxHeaderLength)
	line := span{start: first + strings.LastIndexByte(t.lower[first:at], '\n') + 1, end: min(len(t.lower), at+maxHeaderLength)}
	if n := strings.IndexByte(t.lower[at:line.end], '\n'); n >= 0 {
		line.end = at + n
	}
	return line
}

// lineAfter is the line behind another; it starts at -1 when there is none.
func (t *text) lineAfter(line span) span {
	if line.end >= len(t.lower) || t.lower[line.end] != '\n' {
		return span{start: -1}
	}
	next := span{start: line.end + 1, end: len(t.lower)}
	if n := strings.IndexByte(t.lower[next.start:], '\n'); n >= 0 {
		next.end = next.start + n
	}
	return next
}

// ruler is a line between the head and the rows of a table.
var ruler = lazyregexp.New(`^[ \t\r]*[|+│├┼┤┃╟╫╢╠╬╣═─:=-][|+│├┼┤┃╟╫╢╠╬╣═─:= \t\r-]*-?[ \t\r]*$`)

// readTableHeader reads a line as the head of a table with passwords; rows is the last line
// before the first row.
func (t *text) readTableHeader(line span) (c column, rows span, heads bool) {
	rows = line
	next := t.lineAfter(line)
	ruled := next.start >= 0 && next.end-next.start <= maxHeaderLength && ruler().MatchString(t.whole[next.start:next.end])
	if ruled {
		rows = next
	}
	written := t.lower[line.start:line.end]
	c.layout, c.mark = spaced, "  "
	if strings.ContainsAny(written, "|│┃║") {
		if !ruled {
			return c, rows, false
		}
		c.layout, c.mark = barred, "|"
		return c, rows, c.findPasswordColumn(t, line, ruled)
	}
	for _, mark := range []string{"\t", ";", ","} {
		if strings.Contains(written, mark) {
			c.layout, c.mark = tight, mark
			if strings.Contains(written, mark+" ") {
				c.layout = listed
			}
			break
		}
	}
	return c, rows, c.findPasswordColumn(t, line, ruled)
}

// findPasswordColumn finds the column of passwords among the names of a head.
func (c *column) findPasswordColumn(t *text, line span, ruled bool) bool {
	cells := t.splitRow(line, c.mark)
	c.cells, c.place = len(cells), -1
	if len(cells) < 2 || len(cells) > maxColumns {
		return false
	}
	for i, cell := range cells {
		name := strings.Trim(t.lower[cell.start:cell.end], "*_\"'` ")
		if len(name) > maxColumnName || strings.ContainsAny(name, ".!?") {
			return false
		}
		if kind := secretKindOfColumn(name); kind != "" && c.place < 0 {
			c.place, c.kind = i, kind
		} else {
			c.of = max(c.of, ownerKindOfColumn(name))
		}
	}
	return c.place >= 0 && (c.of > nobody || ruled)
}

// secretKindOfColumn is the kind of secret in a column: its name ends with that of one, but for
// what stands in brackets behind it. Empty: none.
func secretKindOfColumn(name string) string {
	if n := strings.IndexByte(name, '('); n > 0 && strings.HasSuffix(name, ")") {
		name = strings.TrimSpace(name[:n])
	}
	kind := ""
	named := &text{whole: name, lower: name}
	for _, of := range named.findSecretNames() {
		if kind = ""; of.end == len(name) && of.kind != keyKind {
			kind = of.kind
		}
	}
	return kind
}

// ownerKindOfColumn reads the name of a column that may tell whose a password is.
func ownerKindOfColumn(name string) owner {
	of := nobody
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '_' || c == '-' || c == '/' }) {
		switch {
		case slices.Contains(words()["persons"], word):
			of = person
		case slices.Contains(words()["things"], word):
			of = max(of, thing)
		}
	}
	return of
}

// addSecretOfRow takes the secret of a row; false: the table ends before it.
func (t *text) addSecretOfRow(c column, line span, found *[]span) bool {
	written := t.whole[line.start:line.end]
	if strings.TrimSpace(written) == "" {
		return false
	}
	if ruler().MatchString(written[:min(len(written), maxHeaderLength)]) {
		return true
	}
	cells := t.splitRow(line, c.mark)
	if c.place >= len(cells) || len(cells) != c.cells {
		return len(cells) > 1 // a row that is cut off
	}
	cell := cells[c.place]
	start, end, quoted := unquoteCell(t.whole, cell)
	if start < end && c.isSecretCell(t.whole[start:end], quoted) {
		*found = append(*found, span{start, end, c.kind})
	}
	return true
}

// unquoteCell is a cell without the marks around it.
func unquoteCell(text string, cell span) (start, end int, quoted bool) {
	start, end = cell.start, cell.end
	for _, mark := range []string{"**", "`", `"`, "'"} {
		if end-start > 2*len(mark) && strings.HasPrefix(text[start:end], mark) && strings.HasSuffix(text[start:end], mark) {
			start, end, quoted = start+len(mark), end-len(mark), quoted || mark != "**"
		}
	}
	return start, end, quoted
}

var (
	// ofType is a type with its size, and dated what begins as a day or is a version.
	ofType = lazyregexp.New(`^[A-Za-z]+\([0-9, ]*\)$`)
	dated  = lazyregexp.New(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}|v?[0-9]+(?:\.[0-9]+)+$|[0-9]{1,3}%$|https?:|/)`)
)

// isSecretCell reports whether what stands in the column is a secret.
func (c column) isSecretCell(value string, quoted bool) bool {
	lower := strings.ToLower(value)
	switch {
	case isNonSecretWord(value), slices.Contains(words()["states"], lower), strings.HasPrefix(value, "[redacted"), strings.Trim(value, "*•.xX-_—–?/ ") == "":
		return false
	case strings.ContainsAny(value[:1], "$<{%[(") && (value[0] != '$' || isVariableName(value[1:])), ofType().MatchString(value), dated().MatchString(value), isCodeExpression(value):
		return false
	case c.kind == "pin":
		return c.of > nobody && len(value) >= 3 && len(value) <= 8 && strings.Trim(value, digits) == ""
	case c.kind == "token":
		return looksRandom(value) || len(value) >= minTokenLength && looksLikeChosenPassword(value)
	}
	mixed := strings.ContainsFunc(value, func(r rune) bool {
		return unicode.IsDigit(r) || unicode.IsSymbol(r) || strings.ContainsRune("!$%&*?@#§", r)
	})
	number := strings.Trim(value, digits+".,") == ""
	switch {
	case strings.ContainsAny(value, " \t"):
		return quoted && c.of == person && (mixed || c.layout == tight)
	case looksLikeChosenPassword(value):
		return true
	case c.of == nobody || len(value) < 4 && !mixed || len(value) < 3:
		return false
	case number:
		return c.of == person && len(value) >= 4
	case mixed:
		return c.of == person || !commonValue().MatchString(value)
	}
	rare := len(value) >= 6 && language.TermFrequency(language.Stem(lower), language.Unknown) == 0
	switch c.layout {
	case barred, tight:
		return c.of == person || rare
	case spaced:
		return c.of == person && rare
	}
	return false
}

// separators are what stands between the cells of a row, or what holds such marks and is none: a quotation, or
// a bar behind a backslash.
var separators = map[string]*regexp.Regexp{
	"|": regexp.MustCompile(`\\[|]|[|│┃║]`), "  ": regexp.MustCompile(`[ ]{2,}`),
	",": regexp.MustCompile(`"[^"]*"?|,`), ";": regexp.MustCompile(`"[^"]*"?|;`), "\t": regexp.MustCompile(`"[^"]*"?|\t`),
}

// splitRow splits a row. Bars may stand before its first cell and behind its last; blanks around.
func (t *text) splitRow(line span, mark string) (cells []span) {
	start, framed := line.start, mark == "|" || mark == "  "
	for _, m := range separators[mark].FindAllStringIndex(t.whole[line.start:line.end], -1) {
		if c := t.whole[line.start+m[0]]; c == '"' || c == '\\' {
			continue
		}
		cell := t.trimSpan(start, line.start+m[0])
		if start = line.start + m[1]; cell.start < cell.end || mark != "  " && (!framed || len(cells) > 0 || cell.start > t.trimSpan(line.start, line.end).start) {
			cells = append(cells, cell)
		}
	}
	if rest := t.trimSpan(start, line.end); !framed || rest.start < rest.end {
		cells = append(cells, rest)
	}
	return cells
}

// trimSpan returns a part of the text without the blanks around it.
func (t *text) trimSpan(start, end int) span {
	cell := t.whole[start:end]
	start += len(cell) - len(strings.TrimLeft(cell, " \t\r"))
	return span{start: start, end: start + len(strings.Trim(cell, " \t\r"))}
}
