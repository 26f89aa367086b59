package reader

import (
	"math"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
)

// partyName is a name that may be a party's, with its evidence.
type partyName struct {
	candidate // its text is the name
	cell      layout.Cell
	key       string // its text made comparable
	legal     bool   // it has a legal form
	evidence  evidence
	source    Source
}

// newPartyName is a candidate as a name of a party.
func (read *labeledPages) newPartyName(next candidate, text string) partyName {
	next.text = text
	return partyName{candidate: next, cell: read.cell(next.at), key: phraseKey(text), legal: hasCompanySuffix(text), source: Source{Page: next.page, Line: next.line}}
}

// add adds evidence that was found.
func (name *partyName) add(is bool, found evidence) {
	if is {
		name.evidence |= found
	}
}

// maxPartyNames bounds the names that are compared with each other.
const maxPartyNames = 300

// headShare is the part of a page's height in which its parties stand.
const headShare = 0.45

// findPartyNames are the names in the head of the first page, above its tables, and those in lines
// that say a whole address.
func (read *labeledPages) findPartyNames(slip *tillSlip) (names []partyName) {
	page := read.pages[0]
	reach := max(headShare*(page.Bottom-page.Top), 25*bodyTextSize(page))
	domains, inHead := read.findDomainNames(), true
	for at, line := range read.lines(1, every) {
		if len(names) > maxPartyNames {
			break
		}
		if name, ok := read.findNameInAddressLine(at); ok {
			names = append(names, name)
		}
		for index := 0; at.line >= len(page.Lines)-footLines && index < len(line.Cells); index++ {
			if name, ok := read.findNameInFoot(place{at.page, at.line, index}); ok {
				names = append(names, name)
			}
		}
		inHead = inHead && !read.isInTableOrStamp(at) && line.Base-page.Top <= reach
		for index := 0; inHead && index < min(len(line.Cells), 6); index++ {
			at.cell = index
			if name, ok := read.findPartyNameInCell(at, domains); ok {
				names = append(names, name)
			}
		}
	}
	for index, name := range names {
		names[index].text = read.joinNameLines(names, name, false)
		names[index].key = phraseKey(names[index].text)
	}
	slip.addEvidence(names)
	return names
}

// footLines are the last lines of a page, in which firms say who they are.
const footLines = 8

// findNameInFoot is a name with its legal form over an address in small print at the foot of a page.
func (read *labeledPages) findNameInFoot(at place) (name partyName, ok bool) {
	next := read.candidateOf(at, read.tokens[at])
	text := read.nameText(next)
	small := read.cell(at).Size < 0.95*bodyTextSize(read.pages[at.page])
	if !small || !hasCompanySuffix(text) || read.isLabel(at) || read.isInTableOrStamp(at) || read.isInLabeledBlock(at) {
		return partyName{}, false
	}
	name = read.newPartyName(next, text)
	name.add(true, addressLine|legalForm)
	return name, slices.ContainsFunc(read.collectAlignedCellsBelow(at)[1:], func(line candidate) bool { return endsAddress(line.text) })
}

func (read *labeledPages) findPartyNameInCell(at place, domains []string) (name partyName, ok bool) {
	cell := read.cell(at)
	next := read.candidateOf(at, read.tokens[at])
	next.text = remarkBehind().ReplaceAllString(senderLineName(cell.Text), "$1")
	letter := false
	if words := strings.Fields(next.text); len(words) > 1 && inList("words of the addressed", words[len(words)-1]) {
		letter, next.text = true, strings.Join(words[:len(words)-1], " ")
	}
	text := read.nameText(next)
	if text == "" || read.isLabel(at) || copyright().MatchString(text) || addressEnd().MatchString(text) || streetEnd().MatchString(text) || isProse(strings.Fields(text)) {
		return partyName{}, false
	}
	block, whole := read.collectAlignedCellsBelow(at), text
	if len(block) > 1 && language.LegalFormOf(block[1].text) != nil { // a form that stands alone below the name
		whole = text + " " + block[1].text
	}
	name = read.newPartyName(next, whole)
	if !name.legal && (strings.ContainsAny(whole, "()[]") || hasDocumentTitle(whole)) {
		return partyName{}, false
	}
	alone := len(splitAddressLine(cell.Text)) == 1
	under := read.isBlockContinuation(at)
	first := strings.HasPrefix(cell.Text, text) && alone && !under
	addressed := false
	for below, line := range block[1:] {
		addressed = addressed || endsAddress(line.text)
		likeName := abs(read.cell(line.at).Size-cell.Size) < 0.25*cell.Size // not a brand over the letter
		letter = letter || likeName && below < 2 && attention().MatchString(line.text)
	}
	top := at.line < headingTopLines
	beside := cellText(read.line(at).Cells, at.cell+1)
	name.add(letter || first && read.isUnderSenderLine(at), attentionWord)
	name.add(read.isInLabeledBlock(at), foreignLabel)
	name.add(name.legal && (top || !addressed), legalForm)
	name.add(name.legal && !top && addressed, legalFormOnLetter)
	name.add(isOfDomain(text, domains), ownDomain)
	name.add(read.hasTaxNumberBelow(at), taxNumberBelow)
	name.add(first && addressed && top, letterhead)
	name.add(first && addressed, addressHead)
	name.add(isBankName(text) && countDigits(beside) <= countLetters(beside), bankWord) // else it names a number
	name.add(cell.Size > 1.25*bodyTextSize(read.pages[0]), largePrint)
	name.add(top, topLines)
	name.add(at.line == 0, topLine)
	name.add(under && !name.legal, underName)
	name.add(!name.legal && titleLexicon()[name.key[strings.LastIndex(name.key, " ")+1:]] != "", titleWord)
	name.add(countDigits(text) > 0 && !name.legal, digitsInName)
	name.add(!name.legal && len(block) > 1 && professional().MatchString(block[1].text), ownerBelow)
	return name, true
}

// headingTopLines are the lines in which a letterhead begins.
const headingTopLines = 3

// findLabeledParties is the name that a label of a role announces: its value, or one in the block under it.
func (read *labeledPages) findLabeledParties(kind labelKind, found evidence) (names []partyName) {
	add := func(next candidate, text string) {
		name := read.newPartyName(next, text)
		name.evidence, name.source.Label = found, string(kind)
		names = append(names, name)
	}
	if items := read.findValues(kind, read.isRoleName); len(items) > 0 {
		add(items[0].candidate, read.nameText(items[0].candidate))
		names[0].add(items[0].below && read.isColumnOfLabels(items[0].label.at, items[0].at), labelColumn)
		return names
	}
	for label := range read.labelsOfKind(kind) {
		_, more := matchLabel(label.inline, 0)
		if len(names) == 0 && (label.whole || more > 0 && len(label.inline) < 4) && label.start == 0 && (kind == labelVendor || kind == labelCustomer) {
			if next, ok := read.findNameInBlock(label); ok && (countDigits(next.text) == 0 || hasCompanySuffix(next.text)) {
				add(next, next.text)
			}
		}
	}
	return names
}

// isColumnOfLabels tells whether two cells above each other have values beside them, which are aligned.
func (read *labeledPages) isColumnOfLabels(upper, lower place) bool {
	above, below := read.line(upper).Cells[upper.cell+1:], read.line(lower).Cells[lower.cell+1:]
	upper.cell, lower.cell = upper.cell+1, lower.cell+1
	return len(above) > 0 && len(below) > 0 && countDigits(above[0].Text) > 0 && countDigits(below[0].Text) > 0 && !read.isLabel(upper) && !read.isLabel(lower) && abs(above[0].Left-below[0].Left) < 0.3*below[0].Size
}

// completeSenderName returns the name of a sender with the line that belongs to it. What a label says is complete.
func (read *labeledPages) completeSenderName(names []partyName, shop partyName) partyName {
	if shop.source.Label != "" {
		return shop
	}
	shop.text = read.joinNameLines(names, shop, true)
	return shop
}

// copyright begins a line that says who made a text or a form.
var copyright = lazyregexp.New(`(?i)^(?:\(c\)|©|copyright)`)

// remarkBehind is a remark in brackets behind a name in ideographs, which have no spaces between.
var remarkBehind = lazyregexp.New(`^(.*[\p{Han}\p{Hiragana}\p{Katakana}])[(（][^()（）]*[)）]$`)

// hasTaxNumberBelow tells whether one of the lines right below a cell says the number of a tax payer.
func (read *labeledPages) hasTaxNumberBelow(at place) bool {
	lines := read.pages[at.page].Lines
	for index := at.line + 1; index < min(len(lines), at.line+6) && lines[index].Base-lines[index-1].Base < 1.9*max(lines[index].Size, lines[index-1].Size); index++ {
		if _, ok := read.cellBelow(at, index); ok {
			text := lines[index].Text()
			named := hasTaxName(text) || numberOfJapan().MatchString(text)
			if named && !hasCustomerWord(text) && !strings.ContainsAny(text, "%$€£") && countDigits(text) >= minTaxDigits || capitalBehind().MatchString(text) {
				return true
			}
		}
	}
	return false
}

// numberOfJapan is the number of those who may write invoices with tax in Japan.
var numberOfJapan = lazyregexp.New(`^T\d{13}$`)

// cellBelow is the cell of a line that is aligned with one above it.
func (read *labeledPages) cellBelow(at place, lineIndex int) (place, bool) {
	above := read.cell(at)
	for index, cell := range read.pages[at.page].Lines[lineIndex].Cells {
		if misalignment(above.Left, above.Right, cell) < 0.8*above.Size {
			return place{at.page, lineIndex, index}, true
		}
	}
	return place{}, false
}

// minTaxDigits is how many digits the number of a tax payer has at least.
const minTaxDigits = 8

// professional is somebody with the title of a profession: "Dott.ssa Anna Bruni", "Dr. med. Ulla Kern".
var professional = lazyregexp.New(`^(?:Dr|Dra|Dott|Dott\.ssa|Prof|Ing|Dipl|Mag|Mgr|MUDr|MDDr|JUDr|Avv|Arch|Geom|Rag|Me|Maître)[.-]? ?\pL`)

// smallWord opens the second line of a name: "del Dr. Gallo s.n.c.".
var smallWord = lazyregexp.New(`^\p{Ll}{1,4} `)

// joinNameLines returns a name with its second line, or with the first where a legal form ends it: where the first is
// a name by itself elsewhere, and of a sender in large print or with a small word at the start of the second.
func (read *labeledPages) joinNameLines(names []partyName, name partyName, sender bool) string {
	lines, other := read.pages[name.at.page].Lines, name.at.line+1
	if name.legal {
		other = name.at.line - 1
	}
	if other < 0 || other >= len(lines) {
		return name.text
	}
	at, ok := read.cellBelow(name.at, other)
	if !ok || read.isLabel(at) {
		return name.text
	}
	cell := read.cell(at)
	rest := read.nameText(read.candidateOf(at, read.tokens[at]))
	key := phraseKey(rest)
	alike := abs(cell.Size-name.cell.Size) <= 0.05*name.cell.Size
	goesOn := sender && name.legal && smallWord().MatchString(name.text)
	large := sender && alike && name.evidence&addressLine == 0 && name.cell.Size >= 1.15*bodyTextSize(read.pages[0])
	known := alike && name.legal && slices.ContainsFunc(names, func(other partyName) bool { return other.key == key && other.at != at })
	far := abs(lines[other].Base-lines[name.at.line].Base) > 1.5*max(cell.Size, name.cell.Size)
	isOther := rest == "" || hasDocumentTitle(rest) || countDigits(rest) > 0 || addressEnd().MatchString(rest) || streetEnd().MatchString(rest)
	switch {
	case far || isOther || !goesOn && !large && !known || strings.Contains(phraseKey(name.text), key):
		return name.text
	case name.legal:
		return rest + " " + name.text
	}
	return name.text + " " + rest
}

// hasDocumentTitle tells a text that begins with the title of a document.
func hasDocumentTitle(text string) bool {
	_, end := matchTitleAtStart(wordTokens(strings.Fields(text)))
	return end > 0
}

// senderLineName is the name of a sender's line "Acme GmbH · Street 1 · 12345 Town".
func senderLineName(text string) string { return splitAddressLine(text)[0] }

func splitAddressLine(text string) []string {
	for _, separator := range []string{" · ", " • ", " ● ", " | ", " – ", " — ", " - ", " * "} {
		if strings.Contains(text, separator) {
			return strings.Split(text, separator)
		}
	}
	return []string{text}
}

// blockLines is how many lines under the name of a role may belong to it.
const blockLines = 9

// findNameInBlock finds the name of the party in the block under the label of its role: the line that
// is called a name, or the first that is no statement of something else.
func (read *labeledPages) findNameInBlock(role label) (best candidate, ok bool) {
	page := read.pages[role.at.page]
	for lineIndex := role.at.line + 1; lineIndex < min(len(page.Lines), role.at.line+1+blockLines); lineIndex++ {
		line := page.Lines[lineIndex]
		if line.Aside || read.blocked[[2]int{role.at.page, lineIndex}] || line.Base-page.Lines[lineIndex-1].Base > 2.6*max(line.Size, 1) {
			break
		}
		if name, ok := read.findNameUnderHead(role.at.page, lineIndex); ok {
			return name, true
		}
		at, is := read.findCellUnderLabel(role, lineIndex)
		if !is {
			continue
		}
		if title, stated, is := read.parsePartyDetail(at); is {
			if inList("words of names", title) && read.nameText(stated) != "" {
				stated.text = read.nameText(stated)
				return stated, true
			}
			continue
		}
		next := read.candidateOf(at, read.tokens[at])
		next.below = true
		if name := read.nameText(next); name != "" && best.text == "" && !isDocumentTitle(name) && !read.isLabel(at) {
			next.text = name
			best = next
		}
	}
	return best, best.text != ""
}

// findNameUnderHead is the name below a cell of a form that is called a name and nothing else.
func (read *labeledPages) findNameUnderHead(page, line int) (name candidate, ok bool) {
	for index, cell := range read.pages[page].Lines[line].Cells {
		at := place{page, line, index}
		if inList("words of names", phraseKey(cell.Text)) {
			name, ok = read.findValueBelow(label{at: at, size: cell.Size, left: cell.Left, right: cell.Right, whole: true}, read.isName)
		}
	}
	return name, ok
}

// parsePartyDetail reads a line that says something of a party: "Nummer: 549910", "Name : Ann Lee".
func (read *labeledPages) parsePartyDetail(at place) (title string, stated candidate, is bool) {
	line := read.pages[at.page].Lines[at.line]
	tokens := slices.Clone(read.tokens[at])
	for index := at.cell + 1; index < len(line.Cells) && index < at.cell+3; index++ {
		tokens = append(tokens, read.tokens[place{at.page, at.line, index}]...)
	}
	words := make([]string, 0, 5)
	for index, next := range tokens[:min(len(tokens), 5)] {
		words = append(words, next.norm)
		if next.colon {
			return strings.Join(words, " "), read.candidateOf(at, tokens[index+1:]), true
		}
	}
	return "", candidate{}, false
}

// cellText is the text of a cell, "" for one that is not there.
func cellText(cells []layout.Cell, at int) string {
	if at >= len(cells) {
		return ""
	}
	return cells[at].Text
}

// institutionName recognises names of banks, brokers and offices, which have no legal form.
var institutionName = lazyregexp.New(`(?i)\b(?:bank|banco|banque|credit union|savings|brokerage|securities|investments|wealth management|asset management|insurance|card)$|sparkasse|volksbank|raiffeisenbank|bank\b.*\beg$`)

func isBankName(name string) bool {
	words := " " + strings.ReplaceAll(phraseKey(name), "bank account", "account")
	return institutionName().MatchString(name) || slices.ContainsFunc(lists()["words of banks"], func(word string) bool { return strings.Contains(words, " "+word) })
}

var domainName = lazyregexp.New(`(?i)(?:@|www\.|https?://)([\w-]+(?:\.[\w-]+)*)\.[a-z]{2,}`)

// mailProviders are domains that are nobody's own.
var mailProviders = strings.Fields("gmail outlook hotmail yahoo gmx web icloud example co www")

// findDomainNames are the names of mail and web addresses on the first page, without the public
// mail providers.
func (read *labeledPages) findDomainNames() (names []string) {
	for _, line := range read.pages[0].Lines {
		for _, match := range domainName().FindAllStringSubmatch(line.Text(), -1) {
			parts := strings.Split(strings.ToLower(match[1]), ".")
			name := parts[len(parts)-1]
			if len(parts) > 1 && len(name) <= 3 { // "co.uk", "com.au"
				name = parts[len(parts)-2]
			}
			if name = strings.ReplaceAll(name, "-", ""); !slices.Contains(mailProviders, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isOfDomain tells whether a domain is made of a name, or nearly all of one, or a name of a domain.
func isOfDomain(name string, domains []string) bool {
	compact := filterRunes(strings.ToLower(strings.ReplaceAll(name, "&", "and")), isWordRune)
	return slices.ContainsFunc(domains, func(domain string) bool {
		return len(domain) >= 4 && (strings.Contains(compact, domain) || strings.Contains(domain, compact) && len(compact) >= 4 && 3*len(compact) >= 2*len(domain))
	})
}

func isWordRune(character rune) bool {
	return character == '_' || character >= '0' && character <= '9' || character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character > 127
}

// bodyTextSize is the size of most of a page's text, in points.
func bodyTextSize(page layout.Page) float64 {
	counts := map[int]int{}
	for _, line := range page.Lines {
		for _, cell := range line.Cells {
			counts[int(math.Round(cell.Size*2))] += len(cell.Text)
		}
	}
	best, most := 20, 0
	for size, count := range counts {
		if count > most || (count == most && size < best) {
			best, most = size, count
		}
	}
	return float64(best) / 2
}

// isInLabeledBlock tells whether a cell stands under or beside a label that names somebody
// else: the recipient's block, a delivery address.
func (read *labeledPages) isInLabeledBlock(at place) bool {
	for _, label := range read.labels {
		if label.at.page != at.page || !(label.hasKind(labelCustomer) || label.hasKind(labelOther) || label.hasKind(labelHolder)) || !label.whole || isDocumentTitle(read.cell(label.at).Text) {
			continue
		}
		if under, ok := read.findCellUnderLabel(label, at.line); ok && under == at && at.line > label.at.line && at.line-label.at.line <= 5 {
			lines := read.pages[at.page].Lines
			if lines[at.line].Base-lines[label.at.line].Base < 7*lines[at.line].Size {
				return true
			}
		}
	}
	return false
}
