package redact

import (
	"slices"
	"strings"
	"unicode"
)

// maxReach is how far behind a secret or its name, in bytes, another is looked for in the line.
const maxReach = 120

// findFurther finds a second secret that the line tells behind the first: "the old password was … and
// the new one is …". Where the first is empty it was only told of, and comes behind a comma.
func (t *text) findFurther(kind string, first span) span {
	line := firstLine(t.lower[first.end:min(len(t.lower), first.end+maxReach)])
	known, before := vocabulary(), t.whole[first.start:first.end]
	introduced, paused := false, false
	for at := 0; at < len(line) && (before != "" || !strings.HasPrefix(line[at:], ". ")); {
		word, end := t.word(first.end + at)
		if word == "" {
			introduced = introduced || line[at] == ':' || line[at] == '='
			paused = line[at] == ',' || paused && line[at] == ' '
			at++
			continue
		}
		from, to := scanValue(t.whole, first.end+at)
		if before == "" && paused && t.looksApposed(from, to) || before != "" && isFurther(kind, introduced, before, t.whole[from:to]) {
			return span{start: from, end: to}
		}
		introduced = introduced && kind != "password" || known.is[word] || known.tos[word] || kind != "password" && (known.whatFor[word] || slices.Contains(words()["near code"], word))
		at, paused = end-first.end, false
	}
	return span{}
}

// isFurther judges what stands behind a secret: a word or a sign may introduce it, or it is much like
// the first one.
func isFurther(kind string, introduced bool, first, written string) bool {
	value := trimMarks(written)
	switch kind {
	case "pin", doorCode:
		return introduced && len(value) >= 4 && isDoorCode(value)
	case "password", networkKey:
		alike := len(value) > 4 && len(first) > 4 && strings.EqualFold(value[:4], first[:4]) && strings.ContainsAny(value, digits)
		return alike || introduced && looksMadeUp(written)
	}
	return false
}

// looksApposed reports whether a value that ends a part of the sentence looks made up.
func (t *text) looksApposed(start, end int) bool {
	written := t.whole[start:end]
	return looksMadeUp(written) && t.endsPart(start+len(trimMarks(written)))
}

// endsPart reports whether a clause ends at a place, or "and" follows.
func (t *text) endsPart(at int) bool {
	word, _ := t.word(t.skipBlanks(at))
	return endsClause(t.whole[at:]) || slices.Contains(words()["and"], word)
}

// isDoorCode reports whether a value may open a door: digits, with a letter or two among them.
func isDoorCode(value string) bool {
	digitCount, letterCount := 0, 0
	for _, c := range value {
		switch {
		case unicode.IsDigit(c):
			digitCount++
		case unicode.IsUpper(c):
			letterCount++
		case c != '#' && c != '*':
			return false
		}
	}
	return 3 <= digitCount && digitCount <= 8 && letterCount <= 2
}

// isNetworkKey reports whether a value behind a key is one of a network that is named nearby.
func (t *text) isNetworkKey(how connection, name, start, end int) bool {
	value := trimMarks(t.whole[start:end])
	chosen := how >= connectIs && len(value) >= 6 && !algorithm.MatchString(value) && strings.ContainsAny(value, digits+"!#$%&*+?@^§") && isPlausibleSecret(t.whole, start, end, false)
	return (chosen || looksMadeUp(t.whole[start:end])) && t.isNamedNear("near key", name, start)
}

// isNamedNear reports whether something that a key or a code opens is named in the same line.
func (t *text) isNamedNear(list string, name, value int) bool {
	line := t.lineAround(name)
	around := t.lower[max(line.start, name-maxReach):min(line.end, value+maxReach)]
	return slices.ContainsFunc(words()[list], func(word string) bool {
		for at := indexAfter(around, 0, word); at >= 0; at = indexAfter(around, at+1, word) {
			begins, ends := at == 0 || !inWord(around, at-1), !inWord(around, at+len(word))
			if begins && ends || len(word) > 4 && (begins || ends) {
				return true
			}
		}
		return false
	})
}

// isOtherCode reports whether the word before a code tells that it opens nothing: "error code".
func (t *text) isOtherCode(name int) bool {
	before := strings.TrimRight(t.lower[max(0, name-20):name], " -_")
	return slices.ContainsFunc(words()["other codes"], func(word string) bool { return strings.HasSuffix(before, word) })
}
