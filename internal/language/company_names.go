package language

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"toolkit/fixtures"
)

// LegalForm is what a company is by law.
type LegalForm struct {
	Name      string   // its usual spelling in small letters, without stops
	Countries []string // that have it, by ISO 3166
	Silent    bool     // the source document leaves it out of names
}

// legalForms are what is known of the legal forms of companies.
type legalForms struct {
	of      map[string]*LegalForm // by compact spelling
	longest int                   // words of a spelling at most
	joining map[string]bool
}

var companies = sync.OnceValue(func() legalForms {
	lists := fixtures.WordLists("companies")
	known := legalForms{of: map[string]*LegalForm{}, joining: makeWordSet(strings.Fields(strings.Join(lists["joining words"], " ")))}
	for _, list := range []string{"legal forms without effect", "legal forms"} {
		for _, line := range lists[list] {
			parts := strings.Split(line, "|")
			form := &LegalForm{Name: FoldNameLetters(strings.TrimSpace(parts[0])), Countries: strings.Fields(parts[2]), Silent: list != "legal forms"}
			for _, spelling := range append(strings.Split(parts[1], ";"), form.Name) {
				// Stops of a spelling may be followed by spaces.
				known.longest = max(known.longest, len(strings.Fields(spelling)), strings.Count(strings.TrimRight(spelling, "."), ".")+1)
				if key := compactForm(FoldNameLetters(spelling)); key != "" {
					known.of[key] = form
				}
			}
		}
	}
	return known
})

// compactForm is a spelling of a legal form without what writers put in or leave out.
func compactForm(text string) string { return formMarks.Replace(text) }

var formMarks = strings.NewReplacer(".", "", ",", "", " ", "", "(", "", ")", "")

// LegalFormOf is the legal form that a text is, or nil.
func LegalFormOf(text string) *LegalForm { return companies().of[compactForm(FoldNameLetters(text))] }

// SplitLegalForm parts the name of a company, in the form in which such names are compared,
// from the legal form at its end; nil when there is none. A name that is a legal form and
// no more stays. Small and capital letters, accents, "ü" and "ue", kinds of apostrophes,
// "&" and "and" are the same.
func SplitLegalForm(name string) (stem string, form *LegalForm) {
	known := companies()
	words := strings.Fields(strings.ReplaceAll(trimTrailingPunctuation(FoldNameLetters(name)), " ,", ","))
	for i, word := range words {
		if i > 0 && i < len(words)-1 && known.joining[word] {
			words[i] = "&"
		}
	}
	for n := min(known.longest, len(words)-1); n > 0; n-- {
		before, last := words[:len(words)-n], words[len(words)-n:]
		if found := known.of[compactForm(strings.Join(last, ""))]; found != nil {
			if stem = trimTrailingPunctuation(strings.Join(before, " ")); stem != "" {
				return stem, found
			}
		}
	}
	return trimTrailingPunctuation(strings.Join(words, " ")), nil
}

// EndsInLegalForm tells whether a text is a name and a legal form.
func EndsInLegalForm(text string) bool {
	_, form := SplitLegalForm(text)
	return form != nil
}

func trimTrailingPunctuation(name string) string {
	return strings.TrimRight(strings.TrimSpace(name), " ,.;")
}

// FoldNameLetters writes a text in small letters without accents, umlauts as the two letters
// that stand for them where a keyboard has none, and apostrophes and dashes of one kind.
func FoldNameLetters(text string) string {
	text = strings.ToLower(text)
	if IsASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(letterPairs.Replace(norm.NFC.String(text))) {
		if !slices.Contains(unseen, r) && (r < 0x300 || r > 0x36f) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseen are marks that a reader does not see.
var unseen = []rune{'\u200b', '\u200e', '\u200f', '\u2060', '\ufeff', '\u00ad'}

var letterPairs = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "oe", "ł", "l", "đ", "d", "ı", "i",
	"’", "'", "‘", "'", "ʼ", "'", "´", "'", "`", "'", "′", "'", "‐", "-", "‑", "-", "–", "-")
