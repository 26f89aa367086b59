package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"toolkit/fixtures"
)

// words are the lists by which passwords are found.
var words = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("redaction") })

// named is where a secret's name ends and its value begins.
var named = sync.OnceValue(func() (n struct{ password, pin, token *regexp.Regexp }) {
	spaced, joined := []string{}, []string{}
	for _, word := range words()["is"] {
		if strings.ContainsFunc(word, func(c rune) bool { return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Hangul) }) {
			joined = append(joined, word)
		} else {
			spaced = append(spaced, word)
		}
	}
	is := `(?:` + anyOf(spaced) + `)[ \t:]{1,3}|(?:` + anyOf(joined) + `)[ \t:：]{0,3}`
	whatFor := `(?:[ \t](?:` + anyOf(words()["what for"]) + `)(?:[ \t][^\s:=：＝,;.!?"'\x60]{1,30}){1,5}?)?`
	between := `["'\x60]?` + whatFor + `[ \t]{0,4}(?:(:=|=>|[:=：＝])|[ \t]?(` + is + `))[ \t]{0,4}`
	n.password = regexp.MustCompile(`(?i)(?:` + anyOf(words()["password"]) + `)(?:[_-]?[0-9]{1,2})?(?:` + between + `|[ \t])`)
	n.pin = regexp.MustCompile(`(?i)\b(?:` + anyOf(words()["pin"]) + `)` + between + `([0-9]{3,8})\b`)
	n.token = regexp.MustCompile(`(?i)^(?:` + between + `|[ \t])`)
	return n
})

func anyOf(list []string) string {
	quoted := make([]string, len(list))
	for i, word := range list {
		quoted[i] = regexp.QuoteMeta(word)
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(quoted, "|")
}

// mostPassword bounds the length of a password, in bytes.
const mostPassword = 256

// passwords finds what stands behind the name of a password, however short and in
// whatever letters.
func passwords(t *text) []span {
	var found []span
	folded := strings.ToLower(t.whole)
	if !slices.ContainsFunc(words()["password"], func(w string) bool { return strings.Contains(folded, w) }) && !slices.ContainsFunc(words()["pin"], func(w string) bool { return strings.Contains(folded, w) }) {
		return nil
	}
	last := 0
	for _, m := range named().password.FindAllStringSubmatchIndex(t.whole, -1) {
		if m[0] < last { // in the one before
			continue
		}
		said, told := m[4] >= 0, m[2] >= 0 || m[4] >= 0 // "is" rather than "="; either of them
		if start, end := value(t.whole, m[1]); start < end && secret(t.whole, start, end, said) && (told || strong(t.whole[start:end])) {
			found = append(found, span{start, end, "password"})
			last = end
		}
	}
	for _, m := range named().pin.FindAllStringSubmatchIndex(t.whole, -1) {
		found = append(found, span{m[6], m[7], "pin"})
	}
	return found
}

// longestName bounds in bytes what stands between "token" and the token: what it is for.
const longestName = 200

// tokens finds what looks made by chance behind what is called a token or a key.
func tokens(t *text) (found []span) {
	for _, word := range words()["token"] {
		for at := indexAfter(t.lower, 0, word); at >= 0; at = indexAfter(t.lower, at, word) {
			at += len(word)
			m := named().token.FindStringIndex(t.whole[at:min(len(t.whole), at+longestName)])
			if m == nil {
				continue
			}
			if start, end := value(t.whole, at+m[1]); start < end && random(core(t.whole[start:end])) {
				found = append(found, span{start, end, "token"})
			}
		}
	}
	return found
}

// value is what stands at a place: up to the closing quote, else up to a blank.
func value(text string, at int) (start, end int) {
	rest := text[at:min(len(text), at+mostPassword)]
	for _, q := range []string{`"`, `'`, "`", "„", "“", "«", "「"} {
		if !strings.HasPrefix(rest, q) {
			continue
		}
		closing := map[string]string{"„": "“", "“": "”", "«": "»", "「": "」"}[q]
		if closing == "" {
			closing = q
		}
		if n := strings.Index(rest[len(q):], closing); n >= 0 && !strings.Contains(rest[len(q):len(q)+n], "\n") {
			return at + len(q), at + len(q) + n
		}
		at, rest = at+len(q), rest[len(q):]
	}
	n := strings.IndexFunc(rest, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("，。、；）」", c) })
	if n < 0 {
		n = len(rest)
	}
	return at, at + len(core(rest[:n])) + len(belonging(rest[:n]))
}

// core is a value without the marks behind it.
func core(value string) string { return strings.TrimRight(value, ",;.!?)]}\"'`") }

// belonging is what of the marks behind a value may be part of it: a password may end in one. A
// comma goes with the sentence, a quote or a bracket with the one that opened it elsewhere.
func belonging(value string) string {
	marks := value[len(core(value)):]
	for i, c := range marks {
		opening := map[rune]string{')': "(", ']': "[", '}': "{"}[c]
		if strings.ContainsRune("\"'`", c) || opening != "" && !strings.Contains(value, opening) {
			marks = marks[:i]
			break
		}
	}
	return strings.TrimRight(marks, ",;")
}

// strong reports whether a text is a password although nothing says so but the word before it:
// "the password Zug!1907".
func strong(value string) bool {
	return strings.ContainsFunc(value, unicode.IsUpper) && strings.ContainsFunc(value, unicode.IsLower) &&
		strings.ContainsFunc(value, unicode.IsDigit) && strings.ContainsAny(value, "!$%&*+?@^~=§")
}

// Bounds of a token: nobody calls words of a sentence, names, dates and versions one.
const (
	leastToken   = 8  // characters
	leastPart    = 8  // characters of a part that looks random
	leastChange  = 3  // between letters and digits in it
	leastLetters = 16 // of a part without digits, in which the case changes at every third at least
)

var (
	inGroups = regexp.MustCompile(`^[A-Z0-9]{4,8}(-[A-Z0-9]{4,8}){2,}$`)
	parted   = regexp.MustCompile(`[A-Za-z0-9]+`)
)

// random reports whether a value looks made by chance, as a token does.
func random(value string) bool {
	if len(value) < leastToken || strings.ContainsAny(value[:1], "$<{%/~[") || strings.Contains(value, "://") {
		return false
	}
	if inGroups.MatchString(value) && strings.ContainsAny(value, digits) {
		return true
	}
	return slices.ContainsFunc(parted.FindAllString(value, -1), func(part string) bool {
		digits, cases := 0, 0 // changes between letters and digits, and between large and small
		for i := 1; i < len(part); i++ {
			if (part[i] <= '9') != (part[i-1] <= '9') {
				digits++
			} else if (part[i] >= 'a') != (part[i-1] >= 'a') {
				cases++
			}
		}
		return len(part) >= leastPart && digits >= leastChange || len(part) >= leastLetters && 3*cases >= len(part)
	})
}

const digits = "0123456789"

// secret reports whether a value may be a password and no word of the sentence,
// type, variable or placeholder.
func secret(text string, start, end int, said bool) bool {
	value := core(text[start:end])
	if value == "" {
		return false
	}
	quoted := start > 0 && strings.ContainsAny(text[start-1:start], "\"'`") || strings.HasPrefix(text[end:], "“") || strings.HasPrefix(text[end:], "”") || strings.HasPrefix(text[end:], "»") || strings.HasPrefix(text[end:], "」")
	switch {
	case slices.Contains(words()["open"], strings.ToLower(value)), strings.HasPrefix(value, "[redacted"), strings.Trim(value, "*•.xX-_") == "":
		return false
	case strings.ContainsAny(value[:1], "$<{%") && len(value) > 1 && (value[0] != '$' || variable(value[1:])), strings.HasPrefix(value, "//"):
		return false
	}
	mixed := strings.ContainsFunc(value, func(c rune) bool {
		return unicode.IsDigit(c) || unicode.IsSymbol(c) || unicode.IsPunct(c) && c != '.' && c != '\'' && c != '-' && c != '(' && c != '_'
	})
	switch {
	case quoted:
		return !strings.Contains(value, " ") || mixed || !said
	case expression(value) && !(said && strings.ContainsAny(value, digits) && !strings.Contains(value, "://")):
		return false
	case said && len(value) < 4 && strings.Trim(value, digits) == "": // "12 characters long"
		return alone(text[end:])
	case mixed:
		return true
	case said: // the next word of a sentence
		return !latin(value) && utf8.RuneCountInString(value) >= 4 && strings.TrimSpace(firstLine(text[end:])) == ""
	}
	return alone(text[end:])
}

// variable reports whether a text is a name, as behind a $.
func variable(name string) bool {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

var code = regexp.MustCompile(`^[A-Za-z_][\w.]*[(\[]|^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$|^[a-z]+([A-Z][a-z]+)+$|^[a-z]+(_[a-z]+)+$|^https?:|^&|^\*[A-Za-z]`)

// expression reports whether a value is code that computes one.
func expression(value string) bool { return code.MatchString(value) }

func latin(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) })
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// alone reports whether nothing that reads as a sentence follows in the line.
func alone(rest string) bool {
	rest = strings.TrimLeft(firstLine(rest), "\"'`")
	return strings.TrimSpace(rest) == "" || strings.ContainsAny(rest[:1], ",;.!?)]}&")
}

// address is one that carries a password, and a header that carries a token.
var (
	address = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@'"<>]{0,100}:([^\s/@'"<>]{1,200})@`)
	header  = regexp.MustCompile(`(?i)\b(?:bearer|basic|token)[ \t]+([a-z0-9._~+/-]{16,}={0,2})`)
)

// addresses finds passwords in addresses and tokens in headers.
func addresses(t *text) []span {
	var found []span
	if strings.Contains(t.whole, "://") {
		for _, m := range address.FindAllStringSubmatchIndex(t.whole, -1) {
			if v := t.whole[m[2]:m[3]]; !strings.ContainsAny(v[:1], "$<{*[") && !slices.Contains(words()["open"], strings.ToLower(v)) {
				found = append(found, span{m[2], m[3], "password"})
			}
		}
	}
	if strings.Contains(t.lower, "bearer") || strings.Contains(t.lower, "basic ") || strings.Contains(t.lower, "authorization") {
		for _, m := range header.FindAllStringSubmatchIndex(t.whole, -1) {
			if v := t.whole[m[2]:m[3]]; strings.ContainsAny(v, "0123456789") || entropy(v) > 4 {
				found = append(found, span{m[2], m[3], "token"})
			}
		}
	}
	return found
}
