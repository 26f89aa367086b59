package orientation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is one word, number or dividing mark of a text.
type token struct {
	word       string // folded: lower case, straight apostrophe, nothing invisible
	start, end int    // where it stands in the text, in bytes
	number     bool   // begins with a digit
	mark       bool   // punctuation that divides phrases; word holds one of . , : ;
	capital    bool   // written with a first capital letter
	quoted     bool   // inside quotation marks that do not hold the whole text
}

// sentence is the tokens between two full stops.
type sentence []token

// word returns the folded word at i, or "" outside the sentence and at a mark.
func (s sentence) word(i int) string {
	if i < 0 || i >= len(s) || s[i].mark {
		return ""
	}
	return s[i].word
}

// ends reports whether nothing but marks follows from i on in the same phrase.
func (s sentence) ends(i int) bool { return i >= len(s) || s[i].mark }

// number reports whether a number in digits stands at i.
func (s sentence) number(i int) bool { return i < len(s) && s[i].number }

// when reports whether the word at i says when: "June", "2027".
func (s sentence) when(i int) bool { return calendar(s.word(i)) || s.number(i) }

// has reports whether the words of a phrase stand at i.
func (s sentence) has(i int, phrase []string) bool {
	for k, word := range phrase {
		if s.word(i+k) != word {
			return false
		}
	}
	return true
}

// some reports whether a condition holds at a place of the sentence.
func (s sentence) some(holds func(i int) bool) bool {
	for i := range s {
		if holds(i) {
			return true
		}
	}
	return false
}

// later reports whether a condition holds at i or after it in the same phrase.
func (s sentence) later(i int, holds func(i int) bool) bool {
	for ; !s.ends(i); i++ {
		if holds(i) {
			return true
		}
	}
	return false
}

// afterAdverbs steps over adverbs.
func (s sentence) afterAdverbs(i int) int {
	for isAdverb(s.word(i)) {
		i++
	}
	return i
}

// text is what was written together with how it was read.
type text struct {
	written   string
	sentences []sentence
}

// some reports whether a condition holds at a place of a sentence.
func (t text) some(holds func(s sentence, i int) bool) bool {
	return slices.ContainsFunc(t.sentences, func(s sentence) bool {
		return s.some(func(i int) bool { return holds(s, i) })
	})
}

func read(written string) text {
	t := text{written: written}
	rest := tokenize(written)
	for len(rest) > 0 {
		end := slices.IndexFunc(rest, func(tok token) bool { return tok.mark && tok.word == "." })
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			t.sentences = append(t.sentences, rest[:end])
		}
		rest = rest[min(end+1, len(rest)):]
	}
	return t
}

// slice returns what was written from token i up to, not including, token j or the end.
func (t text) slice(s sentence, i, j int) string {
	j = min(j, len(s))
	if i >= j {
		return ""
	}
	return strings.TrimSpace(t.written[s[i].start:s[j-1].end])
}

// whole returns a sentence as it was written, with the marks and quotation that close it.
func (t text) whole(s sentence) string {
	before, after := t.written[:s[0].start], t.written[s[len(s)-1].end:]
	start := len(strings.TrimRight(before, "“„«\"(¿¡"))
	end := len(t.written) - len(strings.TrimLeft(after, ".!?…。！？”\"»)'’"))
	return strings.TrimSpace(t.written[start:end])
}

// words returns the words and numbers of all sentences.
func (t text) words() []token {
	all := slices.Concat(t.sentences...)
	return slices.DeleteFunc(all, func(tok token) bool { return tok.mark })
}

// tokenize cuts a text into tokens. Quotation marks, asterisks and other ornaments
// vanish; dashes and brackets divide like a comma. A hyphen gets here only when it
// stands alone: inside a word it belongs to the word.
func tokenize(written string) []token {
	var tokens []token
	quoted := false
	for i := 0; i < len(written); {
		r, size := utf8.DecodeRuneInString(written[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end := wordEnd(written, i)
			tokens = appendWord(tokens, written, i, end, quoted)
			i = end
			continue
		case strings.ContainsRune(`"“”„«»`, r):
			quoted = strings.ContainsRune("“„«", r) || r == '"' && !quoted
		case strings.ContainsRune(".!?…。！？\n\r", r):
			switch {
			case (r == '\n' || r == '\r') && continues(written[i+size:]):
			case r == '.' && !endsSentence(written[i+size:], tokens):
			case startsWithListNumber(tokens): // "1. Write": the number counts the list
				tokens = tokens[:0]
			default:
				tokens = append(tokens, token{word: ".", start: i, end: i + size, mark: true})
			}
		case strings.ContainsRune(",:;、，；：–—-()[]|", r):
			word := ","
			if r == ':' || r == '：' {
				word = ":"
			}
			tokens = append(tokens, token{word: word, start: i, end: i + size, mark: true})
		}
		i += size
	}
	return unquoteWhole(tokens)
}

// continues tells a line break inside a sentence from one between two: what follows goes
// on in lower case.
func continues(rest string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \t\r\n"))
	return unicode.IsLower(next)
}

// endsSentence tells the point that ends a sentence from those in "Node.js" and "Dr. Li".
func endsSentence(rest string, before []token) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLetter(next) || unicode.IsDigit(next) {
		return false
	}
	return len(before) == 0 || !abbreviations(before[len(before)-1].word)
}

var abbreviations = wordSet("abbreviations")

// startsWithListNumber reports whether all that was read is the number of a list.
func startsWithListNumber(tokens []token) bool {
	return len(tokens) == 1 && len(tokens[0].word) <= 2 && tokens[0].number
}

// unquoteWhole clears the quotation of a text that stands in quotation marks as a whole:
// then they are manners, not a title mentioned within.
func unquoteWhole(tokens []token) []token {
	if slices.ContainsFunc(tokens, func(tok token) bool { return !tok.mark && !tok.quoted }) {
		return tokens
	}
	for i := range tokens {
		tokens[i].quoted = false
	}
	return tokens
}

// wordEnd returns the end of the word that begins at start. Apostrophes, hyphens and
// the points of a number belong to it when a letter or digit follows.
func wordEnd(written string, start int) int {
	i := start
	for i < len(written) {
		r, size := utf8.DecodeRuneInString(written[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r) || r == '%' {
			i += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(written[i+size:])
		joins := strings.ContainsRune("'’ʼ-‐‑", r) && (unicode.IsLetter(next) || unicode.IsDigit(next))
		if (r == '.' || r == ',') && i > start {
			last, _ := utf8.DecodeLastRuneInString(written[start:i])
			joins = unicode.IsDigit(last) && unicode.IsDigit(next)
		}
		if !joins {
			break
		}
		i += size
	}
	return i
}

func appendWord(tokens []token, written string, start, end int, quoted bool) []token {
	raw := written[start:end]
	first, _ := utf8.DecodeRuneInString(raw)
	tok := token{
		word: fold(raw), start: start, end: end, quoted: quoted,
		number: unicode.IsDigit(first), capital: unicode.IsUpper(first),
	}
	for _, tok.word = range openContraction(tok.word) {
		tokens = append(tokens, tok)
	}
	return tokens
}

// fold brings a word into the one spelling that the word lists use.
func fold(raw string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || r == utf8.RuneError:
			return -1
		case r == '’' || r == 'ʼ':
			return '\''
		case r == '‐' || r == '‑':
			return '-'
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(raw))
}

// unaccent removes the accents of a folded word, for texts typed without them.
func unaccent(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

var (
	contractions = table("contractions")
	clitics      = table("clitics")
)

// openContraction returns the words a contraction stands for, or the word itself.
// An 's is opened only where the list says so: elsewhere it is a possessive.
func openContraction(word string) []string {
	if opened, ok := contractions()[word]; ok {
		return strings.Fields(opened)
	}
	if verb, ok := strings.CutSuffix(word, "n't"); ok && verb != "" {
		return []string{verb, "not"}
	}
	before, clitic, _ := strings.Cut(word, "'")
	if opened, ok := clitics()[clitic]; ok {
		return []string{before, opened}
	}
	return []string{word}
}
