package reader

import (
	"math"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
)

// A party is a name with evidence: the label of its role, a line that says the sender's whole
// address, or, in the head of the first page, a legal form, a tax number, a postal address below
// it, the sender's domain. Great letters and the first line only choose between names that
// something supports.

// partyName is a name on the first page, with its evidence.
type partyName struct {
	candidate // its text is the name
	cell      layout.Cell
	first     bool // it is the first that its block says
	legal     bool // it has a legal form
	bank      bool // it says that it is a bank, a broker, an insurer
	domain    bool // a mail or web address of the page has its name
	taxed     bool // a tax number stands in its block
	addressed bool // a postal address ends its block
	whole     bool // its line says the whole address, as above the window of an envelope
	letter    bool // a word behind it says that the letter is for it
	others    bool // it stands under a label that names somebody else
}

// headShare is the part of a page's height in which its parties stand.
const headShare = 0.45

// partyNames are the names in the head of the first page, above its tables, and those in lines
// that say a whole address.
func (read *labeledPages) partyNames() (names []partyName) {
	if len(read.pages) == 0 {
		return nil
	}
	page := read.pages[0]
	reach := max(headShare*(page.Bottom-page.Top), 25*bodySize(page))
	domains, inHead := read.domains(), true
	for at, line := range read.lines(1, every) {
		if name, ok := read.addressLineName(at); ok {
			names = append(names, name)
		}
		inHead = inHead && !read.isInTableOrStamp(at) && line.Base-page.Top <= reach
		for index := 0; inHead && index < min(len(line.Cells), 6); index++ {
			at.cell = index
			if name, ok := read.partyName(at, domains); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

func (read *labeledPages) partyName(at place, domains []string) (name partyName, ok bool) {
	cell := read.cell(at)
	next := read.candidateOf(at, read.tokens[at])
	next.text = remarkBehind().ReplaceAllString(senderLineName(cell.Text), "$1")
	if words := strings.Fields(next.text); len(words) > 1 && inList("words of the addressed", words[len(words)-1]) {
		name.letter, next.text = true, strings.Join(words[:len(words)-1], " ")
	}
	text := read.nameText(next)
	if text == "" || read.isLabel(at) || addressEnd().MatchString(text) || streetEnd().MatchString(text) || isProse(strings.Fields(text)) {
		return partyName{}, false
	}
	next.text = text
	block := read.collectBlock(at)
	if len(block) > 1 && language.LegalFormOf(block[1].text) != nil { // a form that stands alone below the name
		next.text = text + " " + block[1].text
	}
	name = partyName{candidate: next, cell: cell, letter: name.letter, legal: hasCompanySuffix(next.text), bank: isBankName(text), domain: isOfDomain(text, domains), others: read.isInLabeledBlock(at)}
	if !name.legal && (strings.ContainsAny(text, "()[]") || hasDocumentTitle(text)) {
		return partyName{}, false
	}
	name.first = strings.HasPrefix(cell.Text, text) && len(splitAddressLine(cell.Text)) == 1 && !read.isBlockContinuation(at)
	for index, line := range block {
		name.addressed = name.addressed || index > 0 && endsAddress(line.text)
		likeName := abs(read.cell(line.at).Size-cell.Size) < 0.25*cell.Size // not a brand over the letter
		name.letter = name.letter || index > 0 && likeName && attention().MatchString(line.text)
	}
	name.taxed = read.hasTaxNumberBelow(at)
	name.letter = name.letter || name.first && read.isUnderSenderLine(at)
	return name, true
}

// remarkBehind is a remark in brackets behind a name in ideographs, which have no spaces between.
var remarkBehind = lazyregexp.New(`^(.*[\p{Han}\p{Hiragana}\p{Katakana}])[(（][^()（）]*[)）]$`)

// hasTaxNumberBelow tells whether one of the lines right below a cell says the number of a tax payer.
func (read *labeledPages) hasTaxNumberBelow(at place) bool {
	lines := read.pages[at.page].Lines
	for index := at.line + 1; index < min(len(lines), at.line+6) && lines[index].Base-lines[index-1].Base < 1.9*max(lines[index].Size, lines[index-1].Size); index++ {
		if under, ok := read.cellBelow(at, index); ok && !read.isRole(under) {
			text := lines[index].Text()
			named := hasTaxName(text) || numberOfJapan().MatchString(text)
			if named && !hasCustomerWord(text) && wordDigits(text) >= minTaxDigits || capitalBehind().MatchString(text) {
				return true
			}
		} else if ok {
			return false
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

// senderScore is how much speaks for a name being the sender's; 0 for one that nothing supports: that
// it says it is a bank, its size and its place only choose between names that something supports.
func (name partyName) senderScore(body float64) (score float64) {
	sum := func(is bool, worth float64) {
		if is {
			score += worth
		}
	}
	sum(name.whole, 3.5)
	sum(name.legal, 3)
	sum(name.domain, 3)
	sum(name.taxed, 3)
	sum(name.addressed && name.first && name.at.line < 3, 1)
	if score == 0 || name.others || name.letter || score == 3 && name.legal && name.addressed && name.at.line > 2 {
		return 0
	}
	sum(name.bank, 1.5)
	sum(name.cell.Size > 1.25*body, 1.5)
	sum(name.at.line < 3, 0.75)
	sum(name.at.line == 0, 0.75)
	return score
}

// minSenderScore is the score from which a name is taken for the sender's.
const minSenderScore = 3

// minTaxDigits is how many digits the number of a tax payer has at least.
const minTaxDigits = 8

// setSender sets who sends the paper where no label says it: the name that most speaks for. Two
// lines with a whole address that name different senders tell nobody.
func (result *extraction) setSender(key string) {
	read := result.form
	if len(read.pages) == 0 || result.hasField(key) {
		return
	}
	body, most := bodySize(read.pages[0]), 0.0
	var best partyName
	for _, name := range read.partyNames() {
		if strings.EqualFold(name.text, result.textField("customer_name")) || result.slip.isBelowGoods(name.at) {
			continue
		}
		if best.whole && name.whole && !strings.EqualFold(name.text, best.text) {
			return
		}
		if score := name.senderScore(body); score > most {
			best, most = name, score
		}
	}
	if most >= minSenderScore {
		best = read.findLegalNameBelow(best)
		if block := read.collectBlock(best.at); !best.legal && !best.whole && len(block) > 1 && professional().MatchString(block[1].text) {
			return // the practice or its owner
		}
		whole := read.findFullLegalName(best.candidate)
		if whole.text == best.text {
			whole.text = read.joinSecondNameLine(best)
		}
		result.setField(key, whole.text, Source{Page: whole.page, Line: whole.line})
	}
}

// professional is somebody with the title of a profession: "Dott.ssa Anna Bruni", "Dr. med. Ulla Kern".
var professional = lazyregexp.New(`^(?:Dr|Dra|Dott|Dott\.ssa|Prof|Ing|Dipl|Mag|Mgr|MUDr|MDDr|JUDr|Avv|Arch|Geom|Rag|Me|Maître)[.-]? ?\pL`)

// smallWord opens the second line of a name: "del Dr. Gallo s.n.c.".
var smallWord = lazyregexp.New(`^\p{Ll}{1,4} `)

// joinSecondNameLine returns a name that is printed larger than the rest of the page, or whose second line
// begins with a small word, with its second line, or with the first where a legal form ends it.
func (read *labeledPages) joinSecondNameLine(name partyName) string {
	lines, other := read.pages[name.at.page].Lines, name.at.line+1
	if name.legal {
		other = name.at.line - 1
	}
	small := name.cell.Size < 1.15*bodySize(read.pages[0]) && !(name.legal && smallWord().MatchString(name.text))
	if name.whole || small || other < 0 || other >= len(lines) {
		return name.text
	}
	at, ok := read.cellBelow(name.at, other)
	if !ok || abs(read.cell(at).Size-name.cell.Size) > 0.05*name.cell.Size || abs(lines[other].Base-lines[name.at.line].Base) > 1.5*name.cell.Size || read.isLabel(at) {
		return name.text
	}
	rest := read.nameText(read.candidateOf(at, read.tokens[at]))
	if rest == "" || strings.Contains(phraseKey(name.text), phraseKey(rest)) || hasDocumentTitle(rest) || wordDigits(rest) > 0 || addressEnd().MatchString(rest) || streetEnd().MatchString(rest) {
		return name.text
	}
	if name.legal {
		return rest + " " + name.text
	}
	return name.text + " " + rest
}

// findFullLegalName returns the name in the head that says one with its legal form, or the name itself.
func (read *labeledPages) findFullLegalName(short candidate) candidate {
	for _, name := range read.partyNames() {
		if name.legal && !hasCompanySuffix(short.text) && strings.HasPrefix(phraseKey(name.text), phraseKey(short.text)+" ") && len(strings.Fields(name.text)) <= len(strings.Fields(short.text))+2 {
			return name.candidate
		}
	}
	return short
}

// findLegalNameBelow returns the name with a legal form in the block that the name of a shop heads, or
// the name itself.
func (read *labeledPages) findLegalNameBelow(shop partyName) partyName {
	for _, name := range read.partyNames() {
		below := name.at.line - shop.at.line
		if !shop.legal && name.legal && !name.others && !name.letter && below > 0 && below < 3 && misalignment(shop.cell.Left, shop.cell.Right, name.cell) < 0.8*shop.cell.Size {
			return name
		}
	}
	return shop
}

// setParty sets the name of a party from a label of its role: the value, or the block under it.
func (result *extraction) setParty(key string, kind labelKind) {
	read := result.form
	var name candidate
	ok := false
	if items := read.findValues(kind, read.isRoleName); len(items) > 0 {
		name, ok = items[0].candidate, true
		name.text = read.nameText(name)
	}
	for label := range read.labelled(kind) {
		_, more := matchLabel(label.inline, 0)
		if !ok && (label.whole || more > 0 && len(label.inline) < 4) && label.start == 0 && (kind == labelVendor || kind == labelCustomer) {
			name, ok = read.findNameInBlock(label)
		}
	}
	if ok {
		name = read.findFullLegalName(name)
		result.setField(key, name.text, Source{Page: name.page, Line: name.line, Label: string(kind)})
	}
}

// setRecipient sets the recipient of a letter that has no label for it: the one postal address in
// the head that is neither the sender's, which is the field from, nor belongs to another label, or the
// one that says who in a firm the letter is for.
func (result *extraction) setRecipient(key, from string) {
	sender := result.textField(from)
	if sender == "" {
		return
	}
	names, letters := map[string]Source{}, map[string]Source{}
	for _, name := range result.form.partyNames() {
		alone, source := len(splitAddressLine(name.cell.Text)) == 1, Source{Page: name.page, Line: name.line}
		switch {
		case strings.EqualFold(name.text, sender):
		case name.letter:
			letters[name.text] = source
		case name.first && alone && name.addressed && !name.others && !name.whole:
			names[name.text] = source
		}
	}
	if len(letters) > 0 {
		names = letters
	}
	result.setIfSingleValue(key, names)
}

// setBank sets the institution: the one name in the head that says it is a bank.
func (result *extraction) setBank() {
	names := map[string]Source{}
	for _, name := range result.form.partyNames() {
		beside := cellText(result.form.line(name.at).Cells, name.at.cell+1)
		if name.bank && name.at.line < headLines && wordDigits(beside) <= countLetters(beside) { // else it names a number
			names[name.text] = result.form.source(name.at)
		}
	}
	result.setIfSingleValue("institution", names)
}

// hasDocumentTitle tells a text that begins with the title of a document.
func hasDocumentTitle(text string) bool {
	_, end := titleAt(wordTokens(strings.Fields(text)))
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
		at, is := read.findCellUnderLabel(role, lineIndex)
		if !is {
			continue
		}
		if read.isRole(at) {
			break
		}
		if lineIndex > role.at.line+1 && read.cell(at).Size > 1.1*page.Lines[lineIndex-1].Size {
			break // larger print heads something else
		}
		if title, stated, is := read.parsePartyDetail(at); is {
			if inList("words of names", title) && read.nameText(stated) != "" {
				stated.text = read.nameText(stated)
				return stated, true
			}
			continue
		}
		if text := strings.TrimSpace(line.Cells[at.cell].Text); addressEnd().MatchString(text) || streetEnd().MatchString(text) {
			break
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
			rest := tokens[index+1:]
			for start := range rest { // another detail follows on the line
				if _, length := matchLabel(rest, start); length > 0 && rest[start+length-1].colon {
					rest = rest[:start]
					break
				}
			}
			return strings.Join(words, " "), read.candidateOf(at, rest), true
		}
	}
	return "", candidate{}, false
}

// isRole tells whether a cell names a role, so that the block above it ends.
func (read *labeledPages) isRole(at place) bool {
	return slices.ContainsFunc(read.labeled[at], func(found label) bool {
		return found.start == 0 && found.whole && (found.hasKind(labelVendor) || found.hasKind(labelCustomer) || found.hasKind(labelParty))
	})
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

// domains are the names of mail and web addresses on the first page, without the public
// mail providers.
func (read *labeledPages) domains() (names []string) {
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

// bodySize is the size of most of a page's text, in points.
func bodySize(page layout.Page) float64 {
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
		if label.at.line == at.line && label.at.cell == at.cell-1 {
			return true
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
