package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/tools/engines/document/layout"
	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
)

var (
	taxFormName = pattern.New(`\b(?:Form|FORM|Formulaire|Schedule|SCHEDULE)\s+(W-?2[A-Z]?|W-?[489](?:BEN)?|1099-?[A-Z]{0,4}|1098-?[A-Z]{0,2}|1095-?[A-C]|1040-?[A-Z]{0,3}|1041|1065|1120-?S?|94[01]|990|K-1|T4A?|P60|P45)\b`)
	taxPaper    = pattern.New(`(?i)(elektronische lohnsteuerbescheinigung|ausdruck der elektronischen lohnsteuerbescheinigung|lohnsteuerbescheinigung|einkommensteuerbescheid|bescheid für \d{4} über einkommensteuer|steuerbescheid|einkommensteuererklärung|umsatzsteuer-voranmeldung|\bP60\b|avis d.impôt|declaración de la renta)`)
	yearAlone   = pattern.New(`^(?:19|20)\d{2}$`)
	yearPhrase  = pattern.New(`(?i)(?:tax year|calendar year|taxable year|for the year|kalenderjahr|für das jahr|bescheinigung für|steuerjahr|bescheid für|veranlagungszeitraum|année|ejercicio|end of year certificate|tax year to 5 april)\s*(?:ended|ending|beginning|:)?\s*((?:19|20)\d{2})`)
	// The year of a form's revision is not the year of the tax.
	yearBesideForm = pattern.New(`\b(?:Form|FORM) [\w-]+ (?:[^\d(]{0,60} )?((?:19|20)\d{2})\b`)
	labelTail      = pattern.New(`(?i)\b(?:street|address|city|town|state|province|country|zip|postal|telephone)\b`)
	boxLabel       = pattern.New(`^(\d{1,2}[a-z]?)[.)]?\s+(\pL.{3,})$`)
	leaders        = pattern.New(`(?:\s*\.){2,}\s*`)
)

// taxForm reads which form it is, for which year, whose, and its numbered boxes.
func (result *extraction) taxForm() {
	read := result.form
	for at, line := range read.lines(3, every) {
		if match := taxFormName().FindStringSubmatch(line.Text()); match != nil {
			result.set("form", strings.ToUpper(match[1]), read.source(at))
			break
		}
	}
	if !result.has("form") {
		if match := taxPaper().FindString(result.content.Text); match != "" {
			result.set("form", match, result.locate(match))
		}
	}
	result.taxPaper()
	result.taxYear()
	result.partyName("payer_name", labelPayer)
	result.partyName("recipient_name", labelRecipient)
	result.boxes()
	result.assessed()
}

// taxYear is the labelled year, else a year that stands alone in great letters or beside
// the form's name.
func (result *extraction) taxYear() {
	read := result.form
	isYear := func(next candidate) bool { return yearAlone().MatchString(strings.Trim(next.text, " .,")) }
	for _, item := range read.find(labelTaxYear, isYear) {
		result.set("tax_year", strings.Trim(item.candidate.text, " .,"), item.source())
		return
	}
	if match := yearPhrase().FindStringSubmatch(flowing(result.content.Text)); match != nil {
		result.set("tax_year", match[1], result.locate(match[1]))
		return
	}
	if result.namedYear(); result.has("tax_year") {
		return
	}
	for at, line := range read.lines(1, every) {
		if match := yearBesideForm().FindStringSubmatch(line.Text()); match != nil {
			result.set("tax_year", match[1], read.source(at))
			return
		}
	}
	years := map[string]Source{}
	for at, cell := range read.cells(1, every) {
		if text := strings.TrimSpace(cell.Text); yearAlone().MatchString(text) {
			years[text] = read.source(at)
		}
	}
	result.only("tax_year", years)
}

// partyName reads a name below a label that goes on to say what else belongs there, over
// several lines: "PAYER'S name, street address, city …".
func (result *extraction) partyName(key string, kind labelKind) {
	read := result.form
	if result.nameField(key, kind); result.has(key) {
		return
	}
	for found := range read.labelled(kind) {
		if found.start != 0 {
			continue
		}
		for _, next := range read.block(found.at)[1:] {
			if labelTail().MatchString(next.text) {
				continue
			}
			if name := read.nameText(next); name != "" {
				result.set(key, name, Source{Page: next.page, Line: next.line, Label: string(kind)})
				return
			}
			break
		}
	}
}

// boxes reads the numbered boxes that hold an amount: behind the label, to its right, or
// below it.
func (result *extraction) boxes() {
	read := result.form
	var boxes listed
	seen := map[string]bool{}
	for at, cell := range read.cells(every, every) {
		box, ok := read.box(at, cell)
		if !ok || seen[box["box"].(string)] {
			continue
		}
		seen[box["box"].(string)] = true
		boxes.add(box, read.source(at))
	}
	result.setList("boxes", boxes)
}

// box reads one box; false for a cell that starts none, or one without an amount.
func (read *form) box(at place, cell layout.Cell) (map[string]any, bool) {
	text := strings.TrimSpace(leaders().ReplaceAllString(cell.Text, " "))
	match := boxLabel().FindStringSubmatch(text)
	if match == nil || strings.HasSuffix(match[2], ":") && len(match[2]) < 4 {
		return nil, false
	}
	name := strings.TrimSpace(match[2])
	build := func(label string, amount value.Amount) (map[string]any, bool) {
		return map[string]any{"box": match[1], "label": strings.TrimSpace(label), "amount": amount.Value}, true
	}
	// The amount may close the label's own cell; a number without any sign of money is a postcode.
	words := strings.Fields(name)
	for cut := len(words) - 1; cut > 0 && cut >= len(words)-2; cut-- {
		tail := strings.Join(words[cut:], " ")
		if amount, ok := read.boxAmount(tail); ok && (amount.Marked() || strings.ContainsAny(tail, ",.")) && strings.TrimSpace(strings.Join(words[:cut], " ")) != "" {
			return build(strings.TrimSuffix(strings.Join(words[:cut], " "), " "+match[1]), amount)
		}
	}
	cells := read.pages[at.page].Lines[at.line].Cells
	for index := at.cell + 1; index < len(cells) && index <= at.cell+4; index++ {
		next := strings.TrimSpace(leaders().ReplaceAllString(cells[index].Text, " "))
		next = strings.TrimSpace(strings.TrimPrefix(next, match[1]+" "))
		if amount, ok := read.boxAmount(next); ok {
			return build(name, amount)
		}
		if next != "" && next != match[1] && next != "$" && strings.Trim(next, ". ") != "" {
			break
		}
	}
	at, name = read.wrappedName(at, cell, name)
	label := label{at: at, left: cell.Left, right: cell.Right, whole: true, start: 0}
	below, ok := read.belowOf(label, func(next candidate) bool {
		_, ok := read.boxAmount(next.text)
		return ok && boxLabel().FindString(next.text) == ""
	})
	if ok {
		if amount, ok := read.boxAmount(below.text); ok {
			return build(name, amount)
		}
	}
	return nil, false
}

// wrappedName follows a box's label over the lines it is broken into: words in small
// letters right below, in the same column.
func (read *form) wrappedName(at place, cell layout.Cell, name string) (place, string) {
	lines := read.pages[at.page].Lines
	base := lines[at.line].Base
	for index := at.line + 1; index < len(lines) && index <= at.line+4 && lines[index].Base-base < 1.5*cell.Size; index++ {
		for position, next := range lines[index].Cells {
			if first, _ := utf8.DecodeRuneInString(next.Text); abs(next.Left-cell.Left) < 0.6*cell.Size && unicode.IsLower(first) && wordDigits(next.Text) == 0 {
				at, name, base = place{at.page, index, position}, name+" "+strings.TrimSpace(next.Text), lines[index].Base
				break
			}
		}
	}
	return at, name
}

// boxAmount is an amount with cents, a currency or thousands: bare small numbers are codes
// and the numbers of other boxes.
func (read *form) boxAmount(text string) (value.Amount, bool) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	amount, ok := value.ParseAmount(text, read.numbers)
	if !ok || yearAlone().MatchString(text) {
		return amount, false
	}
	return amount, amount.Marked() || strings.ContainsAny(text, ",.") || amount.Value >= 1000
}

// holding reads a list of positions: what is held, how much of it, at what value.
func (result *extraction) holding() {
	read := result.form
	result.identifierField("account_number", labelAccountNumber)
	result.nameField("account_holder", labelHolder)
	result.nameField("institution", labelInstitution)
	result.letterhead("institution")
	result.dateField("date", labelAsOf, labelDate)
	result.onlyDate("date")
	total, known := result.amountField("total_value", labelTotalValue, labelGrandTotal, labelTotal)
	var holdings listed
	for _, grid := range read.grids {
		if !grid.isHoldings() {
			continue
		}
		for _, row := range grid.rows {
			if item := read.position(row); item != nil {
				holdings.add(item, read.source(row.place))
			}
		}
	}
	result.setList("holdings", holdings)
	result.currencyField(total, known)
}

func (found grid) isHoldings() bool {
	return found.has(columnQuantity) && (found.has(columnValue) || (found.has(columnSymbol) && (found.has(columnPrice) || found.has(columnAmount)))) && !found.has(columnDebit)
}

func (read *form) position(row gridRow) map[string]any {
	item := map[string]any{}
	for key, kind := range map[string]string{"symbol": columnSymbol, "name": columnText, "code": columnCode} {
		if text := row.cells[kind]; text != "" {
			item[key] = text
		}
	}
	amount := row.cells[columnValue]
	if amount == "" {
		amount = row.cells[columnAmount]
	}
	for key, text := range map[string]string{"quantity": row.cells[columnQuantity], "price": row.cells[columnPrice], "value": amount, "cost": row.cells[columnCost]} {
		if number, _, ok := read.number(text); ok {
			item[key] = number
		}
	}
	if (item["symbol"] == nil && item["name"] == nil && item["code"] == nil) || (item["quantity"] == nil && item["value"] == nil) {
		return nil
	}
	return item
}
