package reader

import (
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

// addressEnd is the last line of a postal address: postcode and town, in the notations of
// the countries whose labels are read.
var addressEnd = lazyregexp.New(`^(?:[A-Z]{1,3}[- ])?(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}) ?\pL[\pL .\-/()'’]+$|^\pL[\pL .'\-]+,? [A-Z]{2,3},? \d{4,5}(?:-\d{4})?(?:, [A-Z]{2})?$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|\b[A-Z]\d[A-Z] ?\d[A-Z]\d$|\b[A-Z]\d[\dW] ?[A-Z\d]{4}$`)

// endsAddress tells the last line of an address, or one that says all of it behind the street.
func endsAddress(text string) bool {
	text = strings.TrimSpace(text)
	_, town, _ := strings.Cut(text, ", ")
	return addressEnd().MatchString(text) || addressEnd().MatchString(town)
}

// streetEnd is a street with its number, as many countries write it.
var streetEnd = lazyregexp.New(`^\pL[\pL .'\-]+ \d{1,4} ?[a-zA-Z]?$`)

// wholeAddress is an address in one line, as senders print it above an address window.
var wholeAddress = lazyregexp.New(`[,;·|•●] +(?:[A-Z]{1,3}[- ])?(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}) ?\pL`)

// attention opens the line of an address that says who in a firm a letter is for: with its own words,
// or the title of a person before a name.
var attention = lazyregexp.New(`(?i)^(?:c/o|z\. ?hd?\.|t\.a\.v\.|attn|att\.|fao|for the attention|à l.attention|alla c\.a\.)|^(?:Herrn?|Frau|Mrs?|Ms|Mme|Mlle|Monsieur|Madame|Sig|Sig\.ra|Signora?|Sra?|Dhr|Mevr|Mevrouw)\.? \pL`)

// isSalutation tells a line that only says how somebody is addressed, or which department: the name
// stands on another line.
func isSalutation(text string) bool {
	phrase := phraseKey(text)
	if inList("words of departments", phrase) {
		return true
	}
	words := strings.Fields(phrase)
	for _, word := range words {
		if !inList("words of salutations", word) {
			return false
		}
	}
	return len(words) > 0 && len(words) < 5
}

// isBlockContinuation tells whether a cell stands directly under another of the same column that is
// a name of its own: then the block starts above. A sender's line in small letters above
// an address window is no part of it.
func (read *labeledPages) isBlockContinuation(at place) bool {
	lines, line := read.pages[at.page].Lines, read.line(at)
	for above := at.line - 1; above >= 0 && line.Base-lines[above].Base <= 1.9*line.Size; above-- {
		for index, cell := range lines[above].Cells {
			if cell.Size < 0.75*line.Size || misalignment(read.cell(at).Left, read.cell(at).Right, cell) > 0.8*line.Size || senderLineName(cell.Text) != cell.Text || wholeAddress().MatchString(cell.Text) {
				continue
			}
			next := place{at.page, above, index}
			if isSalutation(cell.Text) {
				return read.isBlockContinuation(next)
			}
			return read.nameText(read.candidateOf(next, read.tokens[next])) != "" || streetStart().MatchString(cell.Text) && !addressEnd().MatchString(cell.Text)
		}
	}
	return false
}

// findNameInAddressLine is the name in a line that says who sends a letter and from where or under which number he is
// registered, above an address window or at the foot.
func (read *labeledPages) findNameInAddressLine(at place) (name partyName, ok bool) {
	text := strings.Join(strings.Fields(read.line(at).Text()), " ")
	first := capitalBehind().ReplaceAllString(legalNameInLine(text), "")
	if name, form, found := strings.Cut(first, " – "); found && language.LegalFormOf(form) != nil { // it tells what the firm is
		first = name
	}
	legal := hasCompanySuffix(first) || capitalBehind().MatchString(text)
	registered := legal && countDigits(text) >= minTaxDigits && !hasCustomerWord(text) && (hasTaxName(text) || containsPhrase("words of registers", text))
	addressed := wholeAddress().MatchString(text) || slices.ContainsFunc(splitAddressLine(text), addressEnd().MatchString)
	if first == text || !registered && !addressed || countDigits(first) > 0 || containsPhrase("words of registers", first) {
		return partyName{}, false
	}
	next := read.candidateOf(at, wordTokens(strings.Fields(first)))
	next.text = first
	name = read.newPartyName(next, read.nameText(next))
	name.add(true, addressLine)
	name.add(legal, legalForm)
	return name, name.text != "" && !read.isLabel(at) && !read.isInLabeledBlock(at)
}

// legalNameInLine is the name in a line of an address: of the parts that signs set apart the first with a
// legal form, for slogans stand before it, else the first. A hyphen may be a part of the name.
func legalNameInLine(text string) string {
	for _, part := range strings.FieldsFunc(text, func(sign rune) bool { return strings.ContainsRune("·•●|—", sign) }) {
		words := strings.Fields(part)
		words = words[:endOfLegalForm(words)]
		if name := strings.Join(words, " "); name != "" && !isProse(words) && countDigits(name) == 0 && !ownerPrefix().MatchString(name) {
			return name
		}
	}
	return senderLineName(text)
}

// capitalBehind is what French firms print behind their names at the foot.
var capitalBehind = lazyregexp.New(`(?i),?\s+au capital .*`)

// isUnderSenderLine tells whether a small line with a whole address stands right above a cell: the
// sender's, over the window of an envelope, in which the recipient's address follows.
func (read *labeledPages) isUnderSenderLine(at place) bool {
	lines, cell := read.pages[at.page].Lines, read.cell(at)
	for above := at.line - 1; above >= 0 && lines[at.line].Base-lines[above].Base < 4*cell.Size; above-- {
		first := lines[above].Cells[0]
		if first.Size < 0.8*cell.Size && abs(first.Left-cell.Left) < 0.8*cell.Size && wholeAddress().MatchString(first.Text) {
			return true
		}
	}
	return false
}
