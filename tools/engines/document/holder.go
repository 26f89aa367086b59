package document

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"toolkit/tools/engines/document/layout"
	"toolkit/tools/engines/document/pattern"
)

// headLines are the lines at the top of a statement among which its parties stand.
const headLines = 14

// bank sets the institution: the one name at the top that says it is a bank.
func (result *extraction) bank() {
	read := result.form
	names := map[string]Source{}
	for at, cell := range read.headCells() {
		next := read.candidateOf(at, read.tokens[at])
		next.text = firstPart(cell.Text)
		name := read.nameText(next)
		words := " " + phraseKey(name)
		isBank := slices.ContainsFunc(lists()["words of banks"], func(word string) bool { return strings.Contains(words, " "+word) })
		if name != "" && (isBank || institutionName().MatchString(name)) && !read.isLabel(at) && !isTitle(name) {
			names[name] = read.source(at)
		}
	}
	result.only("institution", names)
}

// headCells visits the cells at the top of the first page, above its tables.
func (read *form) headCells() iter.Seq2[place, layout.Cell] {
	return func(yield func(place, layout.Cell) bool) {
		for at, cell := range read.cells(1, headLines) {
			if read.inTable(at) || !read.line(at).Aside && !yield(at, cell) {
				return
			}
		}
	}
}

// owner sets the account and whose it is: beside its number in one line, above or below it,
// or the one postal address. The bank and the vendor of nothing are none.
func (result *extraction) owner() {
	read := result.form
	accounts, holders := map[string]Source{}, map[string]Source{}
	for at, cell := range read.headCells() {
		source := read.source(at)
		source.Label = "iban"
		for _, number := range ibansIn(cell.Text) {
			accounts[number] = source
		}
		if !accountNumber().MatchString(cell.Text) {
			continue
		}
		if said := parts(cell.Text); len(said) > 1 {
			for _, part := range said {
				result.holder(holders, part, at)
			}
			continue
		}
		for _, step := range []int{-1, 1, -2, 2} {
			if beside, ok := read.inColumn(at, at.line+step); ok && !read.isLabel(beside) {
				result.holder(holders, read.cell(beside).Text, beside)
			}
		}
	}
	result.only("iban", accounts)
	if !result.has("account_holder") {
		result.only("account_holder", holders)
	}
	result.addressee("account_holder", "institution")
}

// accountNumber is an account's number alone in a cell or among other things of a line.
var accountNumber = pattern.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b|^[*xX•]*\d{6,14}$`)

// holder notes a text that can be the name of a person or firm other than the bank.
func (result *extraction) holder(holders map[string]Source, text string, at place) {
	read := result.form
	bank, _ := result.values["institution"].(string)
	text = strings.TrimSpace(text)
	name := read.nameText(candidate{text: text, tokens: wordTokens(strings.Fields(text)), at: at})
	if name == "" || wordDigits(name) > 0 || len(strings.Fields(name)) < 2 || strings.EqualFold(name, bank) || streetEnd().MatchString(name) || read.saysTitle(name) {
		return
	}
	holders[name] = read.source(at)
}

// saysTitle tells a text that begins with the title of a statement.
func (read *form) saysTitle(text string) bool {
	_, end := titleAt(wordTokens(strings.Fields(text)))
	return end > 0
}

// inColumn is the cell of a line that is aligned with another one.
func (read *form) inColumn(at place, lineIndex int) (place, bool) {
	lines, cell := read.pages[at.page].Lines, read.cell(at)
	if lineIndex < 0 || lineIndex >= len(lines) || abs(lines[lineIndex].Base-lines[at.line].Base) > 2.2*cell.Size {
		return place{}, false
	}
	for index, other := range lines[lineIndex].Cells {
		if misalignment(cell.Left, cell.Right, other) < 0.6*cell.Size {
			return place{at.page, lineIndex, index}, true
		}
	}
	return place{}, false
}

var numberOfYear = pattern.New(`(?:^|[^\d/.-])(\d{1,3})/((?:19|20)\d{2})(?:$|[^\d/.-])`)

// statementYear is the one year that the head of a statement names, 0 for none or several.
func (result *extraction) statementYear() (year int) {
	read := result.form
	for at, line := range read.lines(1, every) {
		if read.inTable(at) {
			continue
		}
		var years []string
		if match := numberOfYear().FindStringSubmatch(line.Text()); match != nil {
			years = append(years, match[2])
		}
		for _, cell := range line.Cells {
			if date, ok := read.dateIn(cell.Text); ok && date.ISO != "" {
				years = append(years, date.ISO[:4])
			}
		}
		for _, text := range years {
			if next, _ := strconv.Atoi(text); year != 0 && next != year {
				return 0
			} else {
				year = next
			}
		}
	}
	return year
}
