package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// token is a word or a dividing mark.
type token struct {
	word       string // folded; a mark is one of , : . ?
	start, end int    // where it stands in the turn, in bytes
	mark       bool
	capital    bool
	aside      bool // quoted or code: it may be spoken of, but says nothing itself
}

// is reports whether the speaker's own word stands here.
func (t token) is(word string) bool { return t.word == word && !t.aside }

// sentence is the tokens up to a full stop; the mark that ends it is the last.
type sentence []token

func (s sentence) question() bool { return s[len(s)-1].word == "?" }

// mark reports whether a mark, or the end, stands at i.
func (s sentence) mark(i int) bool { return i >= len(s) || s[i].mark }

// has reports whether the words of a phrase stand at i.
func (s sentence) has(i int, phrase []string) bool {
	if i+len(phrase) > len(s) {
		return false
	}
	for k, word := range phrase {
		if !s[i+k].is(word) || s[i+k].mark {
			return false
		}
	}
	return true
}

// sentences cuts what stands between two places of a text. A line goes on in the next one only
// when that begins with a small letter.
func sentences(text string, from, to int) (all []sentence) {
	r := reader{text: text[:to], at: from}
	for r.at < len(r.text) {
		r.next()
	}
	r.closeSentence(".")
	return r.all
}

type reader struct {
	text    string
	at      int
	all     []sentence
	current sentence
	quote   rune // the mark that will end the quotation, 0 outside
}

func (r *reader) next() {
	c, size := utf8.DecodeRuneInString(r.text[r.at:])
	start := r.at
	r.at += size
	switch {
	case c == '\n':
		r.lineBreak()
	case unicode.IsLetter(c) || unicode.IsDigit(c):
		r.word(start)
	case c == '`':
		r.code(start)
	case r.quote == c || r.quote == '”' && c == '“':
		r.quote = 0
	case quotes[c] != 0 && r.quote == 0:
		r.openQuote(c, start)
	case c == '/' && strings.HasPrefix(r.text[r.at:], "s") && !continuesWord(r.text[r.at+1:]):
		r.current = append(r.current, token{word: "/s", start: start, end: r.at + 1})
		r.at++
	case strings.ContainsRune(",;:，；：–—()", c) || c == '-' && strings.HasPrefix(r.text[r.at:], " "):
		word := ","
		if c == ':' || c == '：' {
			word = ":"
		}
		r.current = append(r.current, token{word: word, start: start, end: r.at, mark: true})
	case strings.ContainsRune("?？", c) && r.quote == 0:
		r.closeSentence("?")
	case strings.ContainsRune(".!…。！", c) && r.quote == 0 && !(c == '.' && r.goesOn()):
		r.closeSentence(".")
	}
}

// quotes are the marks that open a quotation, with those that end it.
var quotes = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '\'': '\'', '‘': '’'}

// openQuote begins a quotation when its end stands in the same line; an apostrophe opens one
// only in front of a word.
func (r *reader) openQuote(c rune, start int) {
	rest := r.restOfLine()
	before, _ := utf8.DecodeLastRuneInString(r.text[:start])
	if (c == '\'' || c == '‘') && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return
	}
	if strings.ContainsRune(rest, quotes[c]) || c == '„' && strings.ContainsRune(rest, '”') {
		r.quote = quotes[c]
	}
}

// longestQuote bounds in bytes how far the end of a quotation is looked for.
const longestQuote = 500

func (r *reader) restOfLine() string {
	rest := r.text[r.at:min(len(r.text), r.at+longestQuote)]
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// code takes what stands between backticks as one word, which names something.
func (r *reader) code(start int) {
	rest := r.restOfLine()
	if end := strings.IndexByte(rest, '`'); end > 0 {
		r.at += end + 1
		r.current = append(r.current, token{word: language.Fold(rest[:end]), start: start, end: r.at, aside: true})
	}
}

func (r *reader) lineBreak() {
	next := strings.TrimLeft(r.text[r.at:min(len(r.text), r.at+20)], " \t\r")
	c, _ := utf8.DecodeRuneInString(next)
	r.quote = 0
	if unicode.IsLower(c) && len(r.current) > 0 && !r.current[len(r.current)-1].mark {
		return
	}
	r.closeSentence(".")
}

// goesOn tells the point of "Node.js", "Dr. Li" and "15. April" from that of a sentence.
func (r *reader) goesOn() bool {
	c, _ := utf8.DecodeRuneInString(r.text[r.at:])
	if unicode.IsLetter(c) || unicode.IsDigit(c) || len(r.current) == 0 {
		return true
	}
	last := r.current[len(r.current)-1]
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(r.text[r.at:min(len(r.text), r.at+20)], " "))
	ordinal := len(last.word) <= 2 && last.word[0] >= '0' && last.word[0] <= '9' && unicode.IsLetter(next)
	if ordinal && unicode.IsLower(next) { // "am 28. frei"
		r.current[len(r.current)-1].word = last.word + "th"
	}
	return ordinal || words("abbreviations")[last.word]
}

func (r *reader) closeSentence(mark string) {
	if len(r.current) > 0 {
		end := r.current[len(r.current)-1].end
		r.all = append(r.all, append(r.current, token{word: mark, start: end, end: end, mark: true}))
	}
	r.current = nil
}

// word takes a word with what its apostrophes, hyphens and points join to it, and opens its
// contraction.
func (r *reader) word(start int) {
	for r.at < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[r.at:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) {
			if !(strings.ContainsRune("'’-._/@", c) || c == ':' && isDigit(r.text[r.at-1]) && isDigit(r.text[min(r.at+1, len(r.text)-1)])) || !continuesWord(r.text[r.at+size:]) {
				break
			}
		}
		r.at += size
	}
	first, _ := utf8.DecodeRuneInString(r.text[start:])
	for _, word := range open(r.text[start:r.at]) {
		r.current = append(r.current, token{word: word, start: start, end: r.at, capital: unicode.IsUpper(first), aside: r.quote != 0})
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func continuesWord(rest string) bool {
	c, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// open gives the words that one stands for: "don't" is do not, "j'aime" j aime.
func open(raw string) []string {
	parts := strings.FieldsFunc(raw, func(c rune) bool { return c == '\'' || c == '’' })
	for i, part := range parts {
		parts[i] = fold(part)
	}
	joined := strings.Join(parts, "")
	if opened, ok := table("contractions")[joined]; ok {
		return strings.Fields(opened)
	}
	if verb, ok := strings.CutSuffix(joined, "nt"); ok && len(parts) == 2 && parts[1] == "t" {
		return []string{verb, "not"}
	}
	last := len(parts) - 1
	if last == 1 && parts[1] == "s" && words("is after")[parts[0]] {
		parts[1] = "is"
	} else if opened, ok := table("clitics")[parts[last]]; ok && last > 0 {
		parts[last] = opened
	}
	return parts
}

// fold is language.Fold that leaves hyphens in words with accents too.
func fold(word string) string {
	parts := strings.Split(word, "-")
	for i, part := range parts {
		parts[i] = language.Fold(part)
	}
	return strings.Join(parts, "-")
}
