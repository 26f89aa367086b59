package redact

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// name is a word that comes before a secret.
type name struct {
	word, kind string
	whole      bool // no part of a longer word
}

// lexicon are the names by their first two bytes, the longer ones first, and the words
// between a name and its value.
type lexicon struct {
	begins                                [1 << 16]bool // whether a name begins with two bytes
	names                                 map[uint16][]name
	is, whatFor, accounts, sets, tos, now map[string]bool
	modal, or                             map[string]bool
	joined, nearKey, nearCode             []string // joined: of is, where nothing stands between words
}

// nameLists are the lists of names with what they name.
var nameLists = map[string]name{
	"password": {kind: "password"}, "short": {kind: "password", whole: true}, "pin": {kind: "pin", whole: true}, "token": {kind: "token"}, keyKind: {kind: keyKind},
}

// keyKind is of names that are common words, such as key and code: they count only where something that
// they open is named nearby.
const keyKind = "key"

var vocabulary = sync.OnceValue(func() *lexicon {
	v := &lexicon{names: map[uint16][]name{}, is: loadWordSet("is"), whatFor: loadWordSet("what for"), accounts: loadWordSet("accounts"), sets: loadWordSet("sets"), tos: loadWordSet("to"), now: loadWordSet("now"), modal: loadWordSet("modal"), or: loadWordSet("or")}
	v.nearKey, v.nearCode = slices.Sorted(maps.Keys(loadWordSet("near key"))), slices.Sorted(maps.Keys(loadWordSet("near code")))
	for list, n := range nameLists {
		for _, word := range words()[list] {
			for n.word = range caseSpellings(word) {
				begin := firstTwoBytes(n.word, 0)
				v.begins[begin], v.names[begin] = true, append(v.names[begin], n)
			}
		}
	}
	for i := range v.names {
		slices.SortFunc(v.names[i], func(a, b name) int {
			return cmp.Or(len(b.word)-len(a.word), cmp.Compare(a.word, b.word), cmp.Compare(a.kind, b.kind))
		})
	}
	for word := range v.is {
		if strings.ContainsFunc(word, func(c rune) bool { return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Hangul) }) {
			v.joined = append(v.joined, word)
		}
	}
	return v
})

// caseSpellings are a word in small, in large letters and with a large one first, as they
// are when only letters of ASCII are made small.
func caseSpellings(word string) map[string]bool {
	first, n := utf8.DecodeRuneInString(word)
	return map[string]bool{word: true, lowerASCII(strings.ToUpper(word)): true, lowerASCII(string(unicode.ToUpper(first)) + word[n:]): true}
}

func loadWordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range words()[list] {
		for spelling := range caseSpellings(word) {
			set[spelling] = true
		}
	}
	return set
}

// secretName is where a name of some kind stands in a text, with what belongs to it behind it.
type secretName struct {
	kind       string
	start, end int
}

// findSecretNames finds every name in a text, in order. They are sought once.
func (t *text) findSecretNames() []secretName {
	if t.names != nil {
		return t.names
	}
	known := vocabulary()
	t.names = []secretName{}
	for at := 0; at+1 < len(t.lower) && !t.isStoppedAfterSteps(); at++ {
		begin := firstTwoBytes(t.lower, at)
		if !known.begins[begin] {
			continue
		}
		for _, n := range known.names[begin] {
			if !strings.HasPrefix(t.lower[at:], n.word) || n.whole && (at > 0 && isLetterOrDigitAt(t.lower, at-1) || isLetterOrDigitAt(t.lower, at+len(n.word))) {
				continue
			}
			start := at
			at += len(n.word)
			t.names = append(t.names, secretName{n.kind, start, at + len(nameSuffix().FindString(t.lower[at:min(len(t.lower), at+maxNameGap)]))})
			at--
			break
		}
	}
	return t.names
}

// nameSuffix is a number behind a name, or what it is for: password2, pass_1, password_db.
var nameSuffix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[._-](?:` + strings.Join(words()["accounts"], "|") + `)\b|[_-]?[0-9]{1,2}\b)`)
})

// isLetterOrDigitAt reports whether a letter or a digit stands at a place.
func isLetterOrDigitAt(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	c := text[at]
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// connection is how a value belongs to its name.
type connection int

const (
	connectNone     connection = iota
	connectAdjacent            // the next word, or the next but for what it is for
	connectLoose               // by a dash, an arrow, the border of a table, the end of a line, or "to"
	connectIs                  // by "is"
	connectAssigned            // by a colon or a sign of equality
)

const (
	// maxNameGap bounds in bytes what stands between a name and its value.
	maxNameGap = 200
	// maxPurposeWords is how many words tell what a secret is for.
	maxPurposeWords = 8
	// maxBlanks is how many blanks there may be on either side of a sign.
	maxBlanks = 24
)

// findConnectedValue finds the value of a name, and how it is connected to that.
func (t *text) findConnectedValue(name, at int) (value int, how connection) {
	known := vocabulary()
	end := at
	for end < len(t.lower) && end < at+3 && strings.IndexByte("\"'`*_])\\", t.lower[end]) >= 0 {
		end++
	}
	pause, paused := t.findValueAfterPause(end, false)
	if paused == connectIs {
		return pause, paused
	}
	if aside := t.skipParenthesis(end); aside > 0 {
		if value, how = t.findValueAfterSign(aside); how > connectLoose {
			return value, how
		}
	}
	if value, how = t.findValueAfterSign(end); how != connectNone {
		return value, how
	}
	first := t.skipBlanks(end)
	if paused != connectNone || first == end {
		if isLetterOrDigitAt(t.lower, end) && t.isForeignName(name) { // without a blank, as in Chinese
			return end, connectAdjacent
		}
		return pause, paused
	}
	next, ought := t.skipFillerWords(first)
	if value, how = t.findValueAfterSign(next); next > first && how > connectLoose && !ought {
		return value, how
	} else if ought { // the next word may be one of the sentence
		return max(value, next), connectLoose
	}
	word, after := t.readWord(next)
	if value, how = t.findValueAfterChange(next); how != connectNone {
		return value, how
	}
	if known.tos[word] && t.isSetOrChanged(name, t.skipBlanks(after)) {
		return t.skipBlanks(after), connectIs
	}
	if value, how = t.findValueAfterPurpose(name, next); how != connectNone {
		return value, how
	}
	return next, connectAdjacent
}

// findValueAfterPurpose finds a value behind what a secret is for: "for the router is …". Without
// a word between them it is the first with a digit, unless that is the name of a person.
func (t *text) findValueAfterPurpose(name, start int) (value int, how connection) {
	known := vocabulary()
	word, after := t.readWord(start)
	called, isPerson := known.accounts[word] || containsAnyWord(word, known.nearCode), false
	if !known.whatFor[word] && !called && !t.isForeignName(name) {
		if value, how = t.findValueAfterSign(after); how == connectAssigned && looksLikeMadeUpPassword(firstWord(t.whole[value:])) { // "password guests: …"
			return value, how
		}
		return 0, connectNone
	}
	for n, next := 0, start; n < maxPurposeWords && after > next && after < start+maxNameGap && word != "where"; n++ {
		if aside := t.skipParenthesis(after); aside > 0 && t.lower[t.skipBlanks(after)] == '(' {
			after = aside
		}
		if value, how = t.findValueAfterSign(after); how > connectLoose && (called || n > 0) {
			return value, how
		}
		if value, how = t.findValueAfterPause(after, true); how == connectIs {
			return value, how
		}
		if known.tos[word] && n > 0 && t.isSetOrChanged(name, t.skipBlanks(after)) {
			return t.skipBlanks(after), connectIs
		}
		if n > 0 && strings.ContainsAny(word, digits) && (!isPerson || strings.Trim(word, digits) == "") && (n == 1 && called || t.isAtClauseEnd(after)) {
			return next, connectAdjacent
		}
		isPerson = slices.Contains(words()["persons"], word)
		if next = t.skipBlanks(after); strings.HasPrefix(t.lower[next:], "'") || strings.HasPrefix(t.lower[next:], "’") {
			_, size := utf8.DecodeRuneInString(t.lower[next:])
			next += size
		}
		word, after = t.readWord(next)
	}
	return 0, connectNone
}

// firstWord is what a text begins with, up to a blank.
func firstWord(text string) string {
	word, _, _ := strings.Cut(firstLine(text[:min(len(text), maxPasswordLength)]), " ")
	return word
}

// findValueAfterPause reads a pause, and a phrase such as "it's" that brings on a value that no word is. Behind
// what a secret is for it needs no pause.
func (t *text) findValueAfterPause(end int, behindPurpose bool) (value int, how connection) {
	at := t.skipBlanks(end)
	start := at
	for _, mark := range []string{",", ";", "(", "?", "...", "…", "—", "–", "-"} {
		if strings.HasPrefix(t.lower[at:], mark) {
			start = t.skipBlanks(at + len(mark))
		}
	}
	for _, phrase := range words()["it is"] {
		if start == at && !behindPurpose && !strings.ContainsAny(phrase, "'’") {
			continue
		}
		if rest := t.lower[start:]; strings.HasPrefix(rest, phrase) && strings.HasPrefix(rest[len(phrase):], " ") {
			value, _ = t.skipFillerWords(start + len(phrase))
			from, to := scanValue(t.whole, value)
			if written := trimTrailingMarks(t.whole[from:to]); strings.ContainsAny(written, digits) && !algorithm().MatchString(written) {
				return value, connectIs
			}
		}
	}
	pause, _ := utf8.DecodeRuneInString(t.lower[at:])
	if start > at+1 && strings.ContainsRune(",;?.…", pause) || at > end && strings.HasPrefix(t.lower[at:], "(") {
		return start, connectAdjacent
	}
	return 0, connectNone
}

// maxFillers is how many words such as "still" stand before a value, and maxAside how long what somebody says
// between a name and its value is, in bytes.
const maxFillers, maxAside = 3, 60

// skipFillerWords returns where words end that say nothing of a value, and whether one of them tells what it ought to be.
func (t *text) skipFillerWords(at int) (next int, ought bool) {
	next = t.skipBlanks(at)
	for range maxFillers {
		word, after := t.readWord(next)
		more := ought && (vocabulary().tos[word] || vocabulary().is[word]) // ought to be
		if !more && !vocabulary().now[word] && !vocabulary().modal[word] || after == len(t.lower) || strings.IndexByte(" \t:=", t.lower[after]) < 0 {
			break
		}
		next, ought = t.skipBlanks(after), ought || vocabulary().modal[word]
	}
	return next, ought
}

// findValueAfterChange finds what a password was changed to: behind "changed to", and short words before that.
func (t *text) findValueAfterChange(at int) (value int, how connection) {
	known := vocabulary()
	for range maxFillers + 1 {
		word, after := t.readWord(at)
		next := t.skipBlanks(after)
		if to, then := t.readWord(next); known.sets[word] && known.tos[to] {
			return t.skipBlanks(then), connectIs
		}
		if len(word) > 3 && !known.now[word] && !known.is[word] || next == after {
			break
		}
		at = next
	}
	return 0, connectNone
}

// skipParenthesis returns where what somebody says of a name ends: in brackets, or between commas or dashes. 0: there is
// nothing.
func (t *text) skipParenthesis(at int) int {
	at = t.skipBlanks(at)
	line := firstLine(t.lower[at:min(len(t.lower), at+maxAside)])
	for opens, closes := range map[string]string{"(": ")", ", ": ",", "- ": " -", "– ": " –", "— ": " —"} {
		if rest, ok := strings.CutPrefix(line, opens); ok && strings.Contains(rest, closes) {
			return at + len(opens) + strings.Index(rest, closes) + len(closes)
		}
	}
	return 0
}

// isSetOrChanged reports whether what stands before the name of a password, or the word behind its value, says
// that it is set or changed.
func (t *text) isSetOrChanged(name, value int) bool {
	before := t.lower[max(0, name-60):name]
	_, end := scanValue(t.whole, value)
	behind, next := t.readWord(t.skipBlanks(end))
	if vocabulary().tos[behind] { // to another
		_, end = scanValue(t.whole, t.skipBlanks(next))
		behind, _ = t.readWord(t.skipBlanks(end))
	}
	said := append(strings.Fields(before[strings.LastIndexAny(before, ".;\n")+1:]), behind)
	return slices.ContainsFunc(said, func(word string) bool { return vocabulary().sets[word] })
}

// skipBlanks returns where blanks end.
func (t *text) skipBlanks(at int) int {
	for end := at + maxBlanks; at < len(t.lower) && at < end && (t.lower[at] == ' ' || t.lower[at] == '\t'); {
		at++
	}
	return at
}

// readWord returns what stands at a place, up to a blank or a mark, and where it ends.
func (t *text) readWord(at int) (word string, end int) {
	for end = at; end < len(t.lower) && end < at+31 && strings.IndexByte(" \t\r\n:=,;.!?\"'`|()", t.lower[end]) < 0; end++ {
	}
	return t.lower[at:end], end
}

var assignSigns, looseSigns = []string{":=", "=>", "：", "＝", ":", "="}, []string{"→", "->", "⇒", "—", "–", "-- ", "- ", "|", "「", "『"}

// findValueAfterSign reads what connects a name to a value.
func (t *text) findValueAfterSign(at int) (value int, how connection) {
	at = t.skipBlanks(at)
	rest := t.lower[at:]
	if rest == "" || strings.HasPrefix(rest, "==") {
		return 0, connectNone
	}
	for _, sign := range assignSigns {
		if strings.HasPrefix(rest, sign) {
			return t.findValueStart(at+len(sign), connectAssigned)
		}
	}
	for _, sign := range looseSigns {
		if strings.HasPrefix(rest, sign) {
			return t.findValueStart(at+len(sign), connectLoose)
		}
	}
	if rest[0] == '\n' || rest[0] == '\r' {
		return t.skipToNextLine(at, connectLoose)
	}
	for _, word := range vocabulary().joined {
		if strings.HasPrefix(rest, word) {
			at += len(word)
			for at < len(t.lower) && strings.HasPrefix("：", t.lower[at:min(len(t.lower), at+3)]) && len(t.lower) >= at+3 {
				at += 3
			}
			return t.findValueStart(at, connectIs)
		}
	}
	if word, end := t.readWord(at); vocabulary().is[word] && end < len(t.lower) && strings.IndexByte(" \t:", t.lower[end]) >= 0 {
		for end < len(t.lower) && strings.IndexByte(" \t:", t.lower[end]) >= 0 && end < at+len(word)+maxBlanks {
			end++
		}
		if value, how = t.findValueAfterChange(end); how != connectNone {
			return value, how
		}
		end, _ = t.skipFillerWords(end)
		return t.findValueStart(end, connectIs)
	}
	return 0, connectNone
}

// findValueStart returns where a value begins behind what connects it: behind the marks of Markdown
// that close a name, and in the next line when nothing more stands in this one.
func (t *text) findValueStart(at int, how connection) (int, connection) {
	if strings.HasPrefix(t.lower[at:], "**") || strings.HasPrefix(t.lower[at:], "__") {
		at += 2
	}
	at = t.skipBlanks(at)
	for _, phrase := range words()["it is"] {
		if rest, ok := strings.CutPrefix(t.lower[at:], phrase+" "); ok && strings.ContainsAny(phrase, " '’") {
			value, _ := t.skipFillerWords(len(t.lower) - len(rest))
			return value, connectIs
		}
	}
	if at < len(t.lower) && (t.lower[at] == '\n' || t.lower[at] == '\r') {
		at, how = t.skipToNextLine(at, connectLoose)
		return t.skipToNextLine(at, how) // one may be empty
	}
	return at, how
}

func (t *text) skipToNextLine(at int, how connection) (int, connection) {
	if strings.HasPrefix(t.lower[at:], "\r") {
		at++
	}
	if strings.HasPrefix(t.lower[at:], "\n") {
		at++
	}
	return t.skipBlanks(at), how
}
