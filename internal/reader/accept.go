package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// isIdentifier is what numbers of documents look like: one word, or few, with a digit, no
// sentence, no date, no amount.
func (read *labeledPages) isIdentifier(next candidate) bool { return read.identifierText(next) != "" }

var identifierWord = lazyregexp.New(`^[\pL\pN*•][\pL\pN\-_/.\\:*•]*$`)

func (read *labeledPages) identifierText(next candidate) string {
	tokens := next.tokens
	for len(tokens) > 0 && (tokens[0].raw == "#" || len(tokens) > 1 && tokens[0].raw == "č." || len(tokens) > 1 && (tokens[0].norm == "no" || tokens[0].raw == "/")) {
		tokens = tokens[1:]
	}
	for at := 1; at < len(tokens); at++ { // the day of the document stands behind its number
		if _, _, dated := read.parseAnnouncedDay(tokens[at:]); dated {
			tokens = tokens[:at]
		}
	}
	if len(tokens) == 0 || len(tokens) > 6 || (next.below && !read.canBeValueBelow(next)) {
		return ""
	}
	digits := 0
	for _, next := range tokens {
		word := strings.Trim(next.raw, "#,;()")
		if word == "/" {
			continue // between the series and the number
		}
		if word == "" || !identifierWord().MatchString(word) {
			return ""
		}
		if countDigits(word) == 0 && (utf8.RuneCountInString(word) > 5 || (len(tokens) > 1 && word != strings.ToUpper(word))) {
			return ""
		}
		digits += countDigits(word)
	}
	text := strings.Trim(rawText(tokens), " #,;.")
	if digits == 0 || utf8.RuneCountInString(text) > 48 || strings.HasSuffix(text, "-") || strings.HasSuffix(text, "/") { // the rest is on the next line
		return ""
	}
	// Several words are one number only when they are groups: "DE12 3456", "RE 2025 001".
	if len(tokens) > 1 && (digits*2 < utf8.RuneCountInString(strings.ReplaceAll(text, " ", "")) || countDigits(tokens[len(tokens)-1].raw) == 0) {
		return ""
	}
	if _, date := value.ParseDate(text, read.order); date && strings.ContainsAny(text, "./ ") {
		return ""
	}
	if amount, ok := value.ParseAmount(text, read.numbers); ok && (amount.Sign != "" || (amount.Decimals == 2 && strings.ContainsAny(text, ".,"))) {
		return ""
	}
	return text
}

// canBeValueBelow guards against a title ("INVOICE") taken for the label of what happens to
// stand under it: a telephone number, a street.
func (read *labeledPages) canBeValueBelow(next candidate) bool {
	if next.label == nil || next.label.words() > 1 || strings.Contains(next.label.first, "-") || strings.HasSuffix(next.label.first, "nummer") || strings.HasSuffix(next.label.first, "nr") {
		return true
	}
	return len(next.tokens) == 1 && countDigits(next.text) >= 3 && next.label.size < 1.3*read.cell(next.at).Size && !telephone().MatchString(next.text)
}

var telephone = lazyregexp.New(`^\+?\(?\d{2,4}\)?[-./ ]\d{3}[-./ ]\d{3,4}$|^\+\d{6,}$`)

func countDigits(word string) int {
	count := 0
	for _, character := range word {
		if unicode.IsDigit(character) {
			count++
		}
	}
	return count
}

func (read *labeledPages) isDate(next candidate) bool { return read.dateText(next) != "" }

// dateText is a day, as it is written where day and month cannot be told apart.
func (read *labeledPages) dateText(next candidate) string {
	date, ok := value.ParseDate(next.text, read.order)
	for at, sign := range next.text {
		if ok || !strings.ContainsRune("(.;,–—-|", sign) || at == 0 || next.text[at-1] != ' ' && !strings.HasPrefix(next.text[at+1:], " ") {
			continue // no remark or sentence begins here
		}
		date, ok = value.ParseDate(next.text[:at], read.order)
	}
	return date.String()
}

// isAmount accepts a number that is money. Behind a label without a colon it must have a sign
// or cents: "Net 30" is a term of payment.
func (read *labeledPages) isAmount(next candidate) bool {
	amount, ok := value.ParseAmount(amountText(next), read.numbers)
	if ok && next.label != nil && !amount.HasCurrencyOrCents() && next.inline && !next.label.colon {
		return false
	}
	return ok && (amount.HasCurrencyOrCents() || countDigits(next.text) < 9)
}

// amountText is a candidate's text without a remark: "119.00 (incl. VAT)", "119,00 inkl. MwSt".
func amountText(next candidate) string {
	words := strings.Fields(strings.TrimRight(next.text, ".*"))
	isRemark := func(word string) bool {
		return strings.HasPrefix(word, "(") || inList("words of including", normalizeWord(word))
	}
	if at := slices.IndexFunc(words[min(1, len(words)):], isRemark); at >= 0 {
		words = words[:at+1]
	}
	text := strings.Join(words, " ")
	if !strings.Contains(text, "(") {
		text = strings.TrimRight(text, ")")
	}
	return text
}

var (
	emailAddress = lazyregexp.New(`[\w.+-]+@[\w-]+\.[\w.-]+`)
	webAddress   = lazyregexp.New(`(?i)^(https?://|www\.)|^[\w-]+\.(com|org|net|de|io|co|eu|fr|es|at|ch|uk)\b`)
	streetStart  = lazyregexp.New(`^\d+[a-zA-Z]?,?\s+\pL`)
	postcode     = lazyregexp.New(`^([A-Z]{1,2}-)?\d{4,5}\s+\pL|\b[A-Z]{2}\s+\d{5}(-\d{4})?$`)
)

// isName accepts what can be the name of a person or company: words, not a label, not an
// address, a number, a date, a sentence.
func (read *labeledPages) isName(next candidate) bool { return read.nameText(next) != "" }

// longestName is the number of words of a name at most.
const longestName = 10

func (read *labeledPages) nameText(next candidate) string {
	text := strings.TrimFunc(strings.Join(strings.Fields(next.text), " "), isMarkAroundName)
	if before, glued := cutGluedLabel(text); glued {
		text, next.tokens = before, wordTokens(strings.Fields(before))
	}
	if half := text[:len(text)/2]; half+half == text { // drawn twice, side by side
		text = half
	}
	if inside, after, ok := strings.Cut(text, ", "); ok && (hasTaxName(firstWord(after)) || hasCompanySuffix(inside) || next.inline && wholeAddress().MatchString(text)) {
		text = inside // an address follows on the line
	}
	if parts := splitAddressLine(text); next.inline && len(parts) > 1 && countDigits(text[len(parts[0]):]) > 0 {
		if hasCompanySuffix(parts[0]) {
			return parts[0] // its address follows
		}
		return "" // a room, a seat or a contract of somebody, who need not be the one billed
	}
	words := strings.Fields(text)
	if end := endOfLegalForm(words); end > 0 && end < len(words) {
		if _, length := matchLabel(wordTokens(words[end:]), 0); length > 0 || countDigits(strings.Join(words[end:], "")) > 3 { // "Acme S.A. de C.V. RFC ACM010101AB1"
			words, text = words[:end], strings.Join(words[:end], " ")
		}
	}
	if len(words) == 0 || len(words) > longestName || strings.ContainsAny(text, ":：") || utf8.RuneCountInString(text) > 90 || utf8.RuneCountInString(text) < 2 {
		return ""
	}
	letters, digits := 0, 0
	for _, character := range strings.ReplaceAll(strings.ToUpper(text), "XXXX", "") { // of a hidden number
		switch {
		case unicode.IsLetter(character):
			letters++
		case unicode.IsDigit(character):
			digits++
		}
	}
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case letters < 2 || digits > letters/2 || (unicode.IsLower(first) && !strings.ContainsAny(words[0], ".") && !hasCompanySuffix(text)):
	case emailAddress().MatchString(text), webAddress().MatchString(text), streetStart().MatchString(text), postcode().MatchString(text):
	case strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") || strings.Contains(text, ": "):
	case strings.HasSuffix(text, ".") && !hasCompanySuffix(text) && len(words) > 3 && strings.Count(words[len(words)-1], ".") == 1:
	case normalizeWord(text) == "no":
	case language.LegalFormOf(text) != nil: // of a name in the line above
	case read.hasLabelAtStart(next.tokens), isDocumentTitle(text), isSalutation(text), ownerPrefix().MatchString(text):
	case next.inline && isProse(words):
	case inList("words of headings", normalizeWord(words[0])) && !hasCompanySuffix(text):
	default:
		_, date := value.ParseDate(text, read.order)
		if _, amount := value.ParseAmount(text, read.numbers); !date && !amount {
			return text
		}
	}
	return ""
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// isMarkAroundName tells a sign that is no part of a name: punctuation, or the mark of a logo beside it.
func isMarkAroundName(character rune) bool {
	return strings.ContainsRune(" ,;:-–|•*", character) || unicode.Is(unicode.So, character)
}

// endOfLegalForm returns how many words the name at the beginning of a text has, up to its legal form,
// which may have several words: "GmbH & Co. KG", "S.A. de C.V."; 0 where it has none.
func endOfLegalForm(words []string) (end int) {
	for length := 2; length <= min(len(words), longestName) && (end == 0 || length < end+3); length++ {
		if endsInLegalForm(strings.Join(words[:length], " ")) {
			end = length
		}
	}
	return end
}

// cutGluedLabel returns a text before a label of several words that was set without a space behind it:
// "Brightwell LtdInvoice to".
func cutGluedLabel(text string) (before string, glued bool) {
	previous := rune(0)
	for index, character := range text {
		if unicode.IsUpper(character) && unicode.IsLower(previous) {
			rest := wordTokens(strings.Fields(text[index:]))
			if _, length := matchLabel(rest, 0); length > 1 && length == len(rest) {
				return text[:index], true
			}
		}
		previous = character
	}
	return text, false
}

// ownerPrefix starts a line that names the person behind a firm, not the firm.
var ownerPrefix = lazyregexp.New(`(?i)^(?:lautend |zu ?gunsten |t\.n\.v\.|ten name |intestat[oa] |a favor |en faveur |au nom |inh\.|inhaber(?:in)?\b|prop\.|proprietor\b|geschäftsführer(?:in)?\b|c/o\b|z\. ?hd\.|t\.a\.v\.|attn\b|att\.)`)

// isProse tells running text from a name: mostly lower-case words.
func isProse(words []string) bool {
	lower := 0
	for _, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		if unicode.IsLower(first) && size < len(word) && word == strings.ToLower(word) && !strings.Contains(word, ".") { // neither "i" nor "sp.j." nor "gGmbH"
			lower++
		}
	}
	return len(words) > 2 && lower*2 >= len(words)
}

// hasLabelAtStart tells whether the tokens are a label, or start with one of several words, with
// one that a colon marks or with one that a date or an amount answers.
func (read *labeledPages) hasLabelAtStart(tokens []token) bool {
	_, length := matchLabel(tokens, 0)
	if length == 0 || length == len(tokens) || length > 1 || tokens[length-1].colon {
		return length > 0
	}
	rest := rawText(tokens[length:])
	_, date := value.ParseDate(rest, read.order)
	return date || read.isNumber(rest)
}

// heavyGoods are goods and how heavy they are, in the letters of a legal form: "Coffee 1 kg".
var heavyGoods = lazyregexp.New(`\d ?kg$`)

// endsInLegalForm tells a name with its legal form. "AS" is one in capitals alone, else a word.
func endsInLegalForm(text string) bool {
	return language.EndsInLegalForm(text) || strings.HasSuffix(text, " AS")
}

// hasCompanySuffix tells whether the text ends with a legal form, or has one of its longer
// ones inside.
func hasCompanySuffix(text string) bool {
	if heavyGoods().MatchString(text) {
		return false
	}
	return endsInLegalForm(text) || language.EndsInLegalForm(strings.ReplaceAll(text, "-", " ")) || strings.Contains(strings.ToLower(text)+" ", " gmbh ") || strings.Contains(strings.ToLower(text), "& co. kg") ||
		slices.ContainsFunc(lists()["words of companies"], func(form string) bool { return strings.Contains(text, form) })
}
