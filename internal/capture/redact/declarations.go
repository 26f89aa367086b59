package redact

import (
	"strings"

	"toolkit/internal/lazyregexp"
)

// maxDeclaration is how far behind its name, in bytes, a value may be declared.
const maxDeclaration = 300

var (
	// valueKey is what the value of a declared name is called.
	valueKey = lazyregexp.New(`(?:^|[\s{,;"'(])(?:default|value|default_?value|parametervalue|secure_?value)["']?[ \t]*[:=][ \t]*`)
	// nextDeclaration ends a declaration: a block closes, or another name comes.
	nextDeclaration = lazyregexp.New(`[}\]<>]|\n[ \t\r]*\n|\n[ \t]*-[ \t]|\b(?:name|key|parameterkey|variable|valuefrom)\b`)
	nameKey         = lazyregexp.New(`(?:^|[^\w])(?:name|key|parameterkey)[ \t]*[:=][ \t]*$`)
)

// findDeclaredValue finds the value that is declared for a name further on: behind "default" in
// a block of that name, or behind "value" beside it.
func (t *text) findDeclaredValue(name, end int) (from, to int) {
	if !t.isDeclaration(name, end) {
		return 0, 0
	}
	behind := t.lower[end:min(len(t.lower), end+maxDeclaration)]
	if !strings.Contains(behind, "default") && !strings.Contains(behind, "value") {
		return 0, 0
	}
	key := valueKey().FindStringIndex(behind)
	if key == nil || nextDeclaration().MatchString(behind[:key[0]]) || t.isOutsideBlock(name, end, key[0]) {
		return 0, 0
	}
	from, to = scanValue(t.whole, end+key[1])
	for _, reference := range []string{"$(", "#{", "!ref", "!sub", "!vault", "enc["} {
		if strings.HasPrefix(t.lower[from:], reference) {
			return 0, 0
		}
	}
	return from, to
}

// isDeclaration reports whether a name is one that a block or a "name" declares: it stands in
// quotes, behind name: or key:, or heads lines of its own.
func (t *text) isDeclaration(name, end int) bool {
	rest := t.lower[end:]
	if rest == "" {
		return false
	}
	switch rest[0] {
	case '"', '\'':
		return true
	case ':':
		return strings.HasPrefix(rest, ":\n") || strings.HasPrefix(rest, ":\r\n")
	case '\n', '\r', ',':
		first := max(0, name-maxNameBehindKey)
		before := t.lower[first:name]
		return nameKey().MatchString(strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz0123456789_.-"))
	}
	return false
}

// maxNameBehindKey is how long the beginning of a name may be, with name: before it.
const maxNameBehindKey = 60

// isOutsideBlock reports whether a line up to a place belongs no more to the block that a
// name heads: it begins as far left as the name does.
func (t *text) isOutsideBlock(name, end, length int) bool {
	if t.lower[end] != ':' {
		return false
	}
	first := t.lineAround(name).start
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	own := indent(t.lower[first:end])
	for _, line := range strings.Split(t.lower[end:end+length+1], "\n")[1:] {
		if strings.TrimSpace(line) != "" && indent(line) <= own {
			return true
		}
	}
	return false
}

// isDeclaredSecret judges a declared value.
func (t *text) isDeclaredSecret(kind string, start, end int) bool {
	written := t.whole[start:end]
	if start >= end || kind == "pin" || kind == keyKind {
		return false
	}
	if kind == "token" {
		return looksRandom(trimTrailingMarks(written)) || len(trimTrailingMarks(written)) >= minTokenLength && looksLikeChosenPassword(written)
	}
	return isPlausibleSecret(t.whole, start, end, false)
}
