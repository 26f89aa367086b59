package orientation

import (
	"regexp"
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
	mark       bool   // punctuation that divides phrases; word is , or :
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

// ends reports whether the phrase ends before i.
func (s sentence) ends(i int) bool { return s.word(i) == "" }

// number reports whether a number in digits stands at i.
func (s sentence) number(i int) bool { return i < len(s) && s[i].number }

// has reports whether the words of a phrase stand at i.
func (s sentence) has(i int, phrase []string) bool {
	for k, word := range phrase {
		if s.word(i+k) != word {
			return false
		}
	}
	return true
}

// longest returns how many words the longest phrase of a list that stands at i has.
func (s sentence) longest(i int, list string) int {
	longest := 0
	for _, line := range lists()[list] {
		if first, _, _ := strings.Cut(line, " "); first != s.word(i) {
			continue
		}
		if phrase := strings.Fields(line); len(phrase) > longest && s.has(i, phrase) {
			longest = len(phrase)
		}
	}
	return longest
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

// after steps over words of a list.
func (s sentence) after(i int, list string) int {
	for !s.ends(i) && in(list, s.word(i)) {
		i++
	}
	return i
}

// afterAdverbs steps over adverbs.
func (s sentence) afterAdverbs(i int) int {
	for isAdverb(s.word(i)) {
		i++
	}
	return i
}

// lastNoun returns the last word before an article, a preposition or a comparison: the
// noun that a phrase such as "pain clinic in Lyon" is about.
func (s sentence) lastNoun(i int) string {
	last := ""
	for i = s.after(i, "determiners"); !s.ends(i); i++ {
		w := s.word(i)
		if in("prepositions", w) || in("determiners", w) || in("comparatives", w) {
			break
		}
		if !in("scales", w) {
			last = w
		}
	}
	return last
}

// text is what was written together with how it was read.
type text struct {
	written   string
	sentences []sentence
}

// first returns the first sentence, which may be empty.
func (t text) first() sentence {
	if len(t.sentences) == 0 {
		return nil
	}
	return t.sentences[0]
}

// slice returns what was written from token i up to, not including, token j.
func (t text) slice(s sentence, i, j int) string { return t.written[s[i].start:s[j-1].end] }

// whole returns a sentence as it was written, with the marks and quotation that close it.
func (t text) whole(s sentence) string {
	before, after := t.written[:s[0].start], t.written[s[len(s)-1].end:]
	start := len(strings.TrimRight(before, "“„«\"(¿¡"))
	end := len(t.written) - len(strings.TrimLeft(after, ".!?…。！？”\"»)'’"))
	return strings.TrimSpace(t.written[start:end])
}

// words returns the words and numbers of all sentences.
func (t text) words() []token {
	return slices.DeleteFunc(slices.Concat(t.sentences...), func(tok token) bool { return tok.mark })
}

const wordForm = `[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}%]*`

var (
	// leadForm is the number or bullet of a list, and a quotation mark around the whole text.
	leadForm = regexp.MustCompile(`^\s*(?:\d{1,2}[.)]\s|[-•*]\s)?\s*(?:["“„«][^"“”„«»]*["”“»]\s*$)?`)
	// tokenForm is a title in quotation marks, which is one word; a title such as Dr.; a
	// word; the end of a sentence; or a mark that divides phrases.
	tokenForm = regexp.MustCompile(`"[^".!?…]*"|“[^“”.!?…]*”` + `|\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|approx)\.` +
		`|` + wordForm + `(?:['’ʼ‐‑.-]` + wordForm + `|,\d` + `)*` + `|[.!?…。！？\r\n]+\s*` + `|[-,:;、，；：–—()\[\]|]`)
)

// read cuts a text into sentences of tokens. Ornaments such as asterisks vanish; dashes and
// brackets divide like a comma. A line break ends a sentence unless it goes on in lower case.
func read(written string) text {
	t := text{written: written}
	var s sentence
	lead := leadForm.FindString(written)
	start := len(lead)
	if i := strings.IndexAny(lead, `"“„«`); i >= 0 {
		_, size := utf8.DecodeRuneInString(written[i:])
		start = i + size
	}
	for _, at := range tokenForm.FindAllStringIndex(written[start:], -1) {
		from, to := start+at[0], start+at[1]
		raw := written[from:to]
		switch r, _ := utf8.DecodeRuneInString(raw); {
		case strings.ContainsRune(".!?…。！？\r\n", r):
			next, _ := utf8.DecodeRuneInString(written[to:])
			if strings.Trim(raw, "\r\n \t") == "" && unicode.IsLower(next) {
				continue
			}
			if len(s) > 0 {
				t.sentences = append(t.sentences, s)
			}
			s = nil
		case r == ':' || r == '：':
			s = append(s, token{word: ":", start: from, end: to, mark: true})
		case strings.ContainsRune("-,;、，；–—()[]|", r):
			s = append(s, token{word: ",", start: from, end: to, mark: true})
		default:
			for _, word := range openContraction(fold(raw)) {
				s = append(s, token{word: word, start: from, end: to, number: unicode.IsDigit(r)})
			}
		}
	}
	if len(s) > 0 {
		t.sentences = append(t.sentences, s)
	}
	return t
}

// fold brings a word into the one spelling that the word lists use, without accents.
func fold(raw string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r):
			return -1
		case r == '’' || r == 'ʼ':
			return '\''
		case r == '‐' || r == '‑':
			return '-'
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(raw))
}

// openContraction returns the words a contraction stands for, or the word itself.
// An 's is opened only where the list says so: elsewhere it is a possessive.
func openContraction(word string) []string {
	if opened, ok := values()["contractions"][word]; ok {
		return strings.Fields(opened)
	}
	if verb, ok := strings.CutSuffix(word, "n't"); ok && verb != "" {
		return []string{verb, "not"}
	}
	before, clitic, _ := strings.Cut(word, "'")
	if opened, ok := values()["clitics"][clitic]; ok {
		return []string{before, opened}
	}
	return []string{word}
}
