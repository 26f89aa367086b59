package bank

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// The names of columns and the words of their cells are data: fixtures/words/bank. They are
// read when the first table is.
var words = sync.OnceValue(func() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for name, lines := range fixtures.WordLists("bank") {
		set := map[string]bool{}
		for phrase := range strings.SplitSeq(strings.Join(lines, "\n"), "|") {
			for word := range strings.SplitSeq(phrase, "\n") {
				if key := normalizeText(word); key != "" {
					set[key] = true
				}
			}
		}
		sets[name] = set
	}
	return sets
})

// struck are letters whose stroke is no accent that folding takes off.
var struck = strings.NewReplacer("ø", "o", "Ø", "o", "ł", "l", "Ł", "l", "æ", "ae", "Æ", "ae", "ı", "i", "đ", "d")

func isHan(character rune) bool { return unicode.Is(unicode.Han, character) }

// dropHiragana leaves out what Japanese writes around and between the signs that say something: an
// honorific before a word, the end of a verb, or neither.
func dropHiragana(character rune) rune {
	if unicode.Is(unicode.Hiragana, character) || unicode.IsSpace(character) {
		return -1
	}
	return character
}

// normalizeText returns the form in which names are compared: words of letters and digits without
// accents, and of names in Chinese characters these alone; a text without any is itself.
func normalizeText(text string) string {
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, isHan) {
		return strings.Map(dropHiragana, text)
	}
	parts := strings.FieldsFunc(struck.Replace(text), func(character rune) bool { return !unicode.IsLetter(character) && !unicode.IsNumber(character) })
	for index, part := range parts {
		parts[index] = language.Fold(part)
	}
	switch spaced := func(part string) bool { return utf8.RuneCountInString(part) == 1 }; {
	case len(parts) == 0:
		return text
	case len(parts) > 2 && !slices.ContainsFunc(parts, func(part string) bool { return !spaced(part) }):
		return strings.Join(parts, "") // "S A L D O"
	}
	return strings.Join(parts, " ")
}

// bracketed is a remark behind a name: "출금액(원)", "Datum (Buchung)".
var bracketed = lazyregexp.New(`\s*[(（\[].*?[)）\]]`)

// listHeadNameVariants are the forms of a head in which it may be known, and the currency that it states.
func listHeadNameVariants(head string) (names []string, currency string) {
	var kept []string
	for index, word := range strings.Fields(strings.NewReplacer("(", " ", ")", " ", "[", " ", "]", " ", "（", " ", "）", " ").Replace(head)) {
		code, ok := value.CurrencyOf(word)
		if dollar, is := value.CurrencyOf(strings.TrimSuffix(word, "$")); is && dollar != "" {
			code, ok = dollar, true // "CAD$"
		}
		if ok && word != "$" { // which may be any dollar
			currency = code
		}
		if ok && index > 0 {
			continue
		}
		kept = append(kept, word)
	}
	bare := normalizeText(strings.Join(kept, " "))
	if currency != "" && !strings.ContainsAny(head, "([（") {
		bare = strings.TrimSuffix(bare, " in") // "Amount in CHF" is none that came in
	}
	return []string{normalizeText(head), bare, normalizeText(bracketed().ReplaceAllString(head, "")), strings.TrimSuffix(strings.TrimSuffix(bare, " in"), " en")}, currency
}

// originalWord is a word of heads of amounts before they were changed to the currency of the account.
var originalWord = lazyregexp.New(`\b(?:original|originaal|orijinal|oryginal)`)

// rolesByName are the roles that a normalized name of a column stands for, in the order of tableRoles.
var rolesByName = sync.OnceValue(func() map[string][]string {
	roles := map[string][]string{}
	for _, role := range tableRoles {
		for name := range words()["column "+role] {
			roles[name] = append(roles[name], role)
		}
	}
	return roles
})

// rolesOfHead are the roles a column may have by its name, most plausible first, and the currency
// that its name states.
func rolesOfHead(head string) (roles []string, currency string) {
	if head == "" { // as most cells of a wide sheet are
		return nil, ""
	}
	names, currency := listHeadNameVariants(head)
	for _, name := range names {
		if roles = slices.Clone(rolesByName()[name]); len(roles) > 0 { // a caller adds to them
			break
		}
	}
	if name := strings.TrimRightFunc(names[0], func(character rune) bool { return character == ' ' || unicode.IsDigit(character) }); len(roles) == 0 && words()["column "+Description][name] {
		return []string{Description}, currency // "Description 2"
	}
	if (len(roles) == 0 || slices.Contains(roles, Amount)) && originalWord().MatchString(names[0]) {
		return []string{roleForeign}, currency
	}
	return roles, currency
}

// isCalled tells whether a head is one of the words of a list.
func isCalled(list, head string) bool {
	names, _ := listHeadNameVariants(head)
	return slices.ContainsFunc(names, func(name string) bool { return words()[list][name] })
}

// isListedWord tells whether a cell is one of the words of a list.
func isListedWord(list, cell string) bool { return words()[list][normalizeText(cell)] }

// NamesCard tells words that only lists of cards have.
func NamesCard(text string) bool { return mentionsListedPhrase("card", text) }

// NamesBalance tells words that speak of a balance.
func NamesBalance(text string) bool { return mentionsListedPhrase("balance nouns", text) }

// mentionsListedPhrase tells whether a text has a phrase of a list in it.
func mentionsListedPhrase(list, text string) bool {
	text = " " + normalizeText(text) + " "
	for phrase := range words()[list] {
		if strings.Contains(text, " "+phrase+" ") {
			return true
		}
	}
	return false
}
