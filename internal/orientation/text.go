package orientation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"toolkit/internal/lazyregexp"
)

// token is one word, number or dividing mark of a text.
type token struct {
	word       string // folded: lower case, straight apostrophe, nothing invisible
	start, end int    // where it stands in the text, in bytes
	number     bool   // begins with a digit
	mark       bool   // punctuation that divides phrases
}

// sentence is the tokens between two full stops.
type sentence []token

// wordAt returns the folded word at i, or "" outside the sentence and at a mark.
func (s sentence) wordAt(i int) string {
	if i < 0 || i >= len(s) || s[i].mark {
		return ""
	}
	return s[i].word
}

// endsPhraseBefore reports whether the phrase ends before i.
func (s sentence) endsPhraseBefore(i int) bool { return s.wordAt(i) == "" }

// hasPhraseAt reports whether the words of a phrase stand at i. A word that ends in * stands for
// all words that begin so.
func (s sentence) hasPhraseAt(i int, phrase []string) bool {
	for k, word := range phrase {
		stem, open := strings.CutSuffix(word, "*")
		if at := s.wordAt(i + k); at != word && (!open || !strings.HasPrefix(at, stem)) {
			return false
		}
	}
	return true
}

// longestPhraseAt returns how many words the longest phrase of a list that stands at i has.
func (s sentence) longestPhraseAt(i int, list string) int {
	longest := 0
	for _, phrase := range phrases()[list] {
		if s.hasPhraseAt(i, phrase) {
			longest = max(longest, len(phrase))
		}
	}
	return longest
}

// containsLater reports whether a condition holds at i or after it in the same phrase.
func (s sentence) containsLater(i int, holds func(i int) bool) bool {
	for ; !s.endsPhraseBefore(i); i++ {
		if holds(i) {
			return true
		}
	}
	return false
}

// skipListed steps over words of a list.
func (s sentence) skipListed(i int, list string) int {
	for !s.endsPhraseBefore(i) && isInList(list, s.wordAt(i)) {
		i++
	}
	return i
}

// lastNoun returns the last word before an article, a preposition or a comparison: the
// noun that a phrase such as "pain clinic in Lyon" is about.
func (s sentence) lastNoun(i int) string {
	last := ""
	for i = s.skipListed(i, "determiners"); !s.endsPhraseBefore(i); i++ {
		w := s.wordAt(i)
		if isInList("prepositions", w) || isInList("determiners", w) || isInList("comparatives", w) {
			break
		}
		last = w
	}
	return last
}

// text is what was written together with how it was read.
type text struct {
	written   string
	sentences []sentence // at least one, which may be empty
}

// writtenBetween returns what was written from token i up to, not including, token j.
func (t text) writtenBetween(s sentence, i, j int) string { return t.written[s[i].start:s[j-1].end] }

// writtenSentence returns a sentence as it was written, with the marks and quotation that close it.
func (t text) writtenSentence(s sentence) string {
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
	leadForm = lazyregexp.New(`^(\s*(?:\d{1,2}[.)]\s|[-•*]\s)?\s*)(?:(["“„«])[^"“”„«»]*["”“»]\s*$)?`)
	// tokenForm is a title in quotation marks, which is one word; a title such as Dr.; a
	// word; the end of a sentence; or a mark that divides phrases.
	tokenForm = lazyregexp.New(`"[^".!?…]*"|“[^“”.!?…]*”` + `|\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|approx)\.` +
		`|` + wordForm + `(?:['’ʼ‐‑.-]` + wordForm + `|,\d` + `)*` + `|[.!?…。！？\r\n]+\s*` + `|[-,:;、，；：–—()\[\]|]`)
)

// splitText cuts a text into sentences of tokens. Ornaments such as asterisks vanish; dashes and
// brackets divide like a comma. A line break ends a sentence unless it goes on in lower case.
func splitText(written string) text {
	t := text{written: written}
	var s sentence
	lead := leadForm().FindStringSubmatchIndex(written)
	start := max(lead[3], lead[5])
	for _, at := range tokenForm().FindAllStringIndex(written[start:], -1) {
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
		case strings.ContainsRune("-,:;、，；：–—()[]|", r):
			s = append(s, token{word: fold(raw), start: from, end: to, mark: true})
		default:
			for _, word := range expandContraction(fold(raw)) {
				s = append(s, token{word: word, start: from, end: to, number: unicode.IsDigit(r)})
			}
		}
	}
	if len(s) > 0 || len(t.sentences) == 0 {
		t.sentences = append(t.sentences, s)
	}
	return t
}

var plainMarks = strings.NewReplacer("’", "'", "ʼ", "'", "‐", "-")

// fold brings a word into the one spelling that the word lists use, without accents.
func fold(raw string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Mn) {
			return -1
		}
		return unicode.ToLower(r)
	}, plainMarks.Replace(norm.NFKD.String(raw)))
}

// expandContraction returns the words a contraction stands for, or the word itself.
func expandContraction(word string) []string {
	if opened, ok := values()["contractions"][word]; ok {
		return strings.Fields(opened)
	}
	before, clitic, _ := strings.Cut(word, "'")
	if opened, ok := values()["clitics"][clitic]; ok {
		return []string{strings.TrimSuffix(before, "n"), opened} // "don't" is cut behind the n
	}
	return []string{word}
}
