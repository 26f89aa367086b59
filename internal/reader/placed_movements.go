package reader

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// datedLine is a line that may be a movement: its day, its words, and the amounts at its end.
type datedLine struct {
	place
	day, text string
	left      float64 // of the text
	amounts   []layout.Cell
	columns   []int // in which the amounts stand
}

// datedLines are the lines that begin with a day, or stand under one, and end in amounts, with the lines
// of words below them.
func (result *extraction) datedLines() (found []datedLine) {
	read, day, left := result.form, "", -1.0 // where the days stand
	headings, below := result.dayHeadings(), place{}
	for at, line := range read.lines(every, every) {
		if line.Aside || len(line.Cells) == 0 || read.saysBalance(at) {
			continue
		}
		words, amounts := read.amountsAtEnd(line.Cells)
		begins := left >= 0 && math.Abs(line.Cells[0].Left-left) < line.Size
		heading, headed := result.dayHeading(line)
		switch date, behind, ok := result.dayAtStart(words); {
		case ok && len(amounts) > 0:
			day, words, left = date, behind, line.Cells[0].Left
		case ok && (begins || len(behind) == 0 && len(headings) == 0):
			day, words = date, behind
		case headings[heading]:
			day = headed
		case begins && len(amounts) > 0:
			day = "" // what stands in the place of one cannot be read
		}
		text := strings.TrimSpace(wordsText(words))
		switch last := len(found) - 1; {
		case len(amounts) > 0 && day != "" && countLetters(text) > 1:
			found, below = append(found, datedLine{place: at, day: day, text: text, left: words[0].Left, amounts: amounts, columns: make([]int, len(amounts))}), at
		case len(amounts) == 0 && headed == "" && last >= 0 && below == place{page: at.page, line: at.line - 1} && read.goesOn(found[last], line):
			found[last].text, below = found[last].text+" "+text, at
		}
	}
	return found
}

// goesOn tells whether a line has more words of a movement: below its own, and no amounts.
func (read *form) goesOn(movement datedLine, line layout.Line) bool {
	hasAmount := func(cell layout.Cell) bool {
		amount, ok := read.movementAmount(cell.Text)
		return ok && amount.Marked()
	}
	in := line.Cells[0].Left - movement.left
	return in > -line.Size && in < 3*line.Size && !slices.ContainsFunc(line.Cells, hasAmount)
}

// dayHeadings are the names of days that come again, each over the movements of its day:
// "Buchungsdatum: 01.03.2024".
func (result *extraction) dayHeadings() map[string]bool {
	once, again := map[string]bool{}, map[string]bool{}
	for _, line := range result.form.lines(every, every) {
		heading, _ := result.dayHeading(line)
		if heading != "" && once[heading] {
			again[heading] = true
		}
		once[heading] = true
	}
	return again
}

func (result *extraction) dayHeading(line layout.Line) (heading, day string) {
	heading, rest, _ := strings.Cut(line.Text(), ":")
	if day = result.rowDate(strings.TrimSpace(rest)); day == "" {
		return "", ""
	}
	return heading, day
}

// amountsAtEnd parts the amounts at the end of a line from the words before them.
func (read *form) amountsAtEnd(cells []layout.Cell) (words []layout.Word, amounts []layout.Cell) {
	first := len(cells)
	for ; first > 0; first-- {
		text := cells[first-1].Text
		amount, ok := read.movementAmount(text)
		other := value.ConventionOf([]string{text})
		if !ok || amount.Decimals != 2 || read.numbers != value.Unknown && other != value.Unknown && other != read.numbers {
			break // "12.03" is a day where amounts have commas
		}
	}
	for _, cell := range cells[:first] {
		words = append(words, cell.Words...)
	}
	return words, cells[first:]
}

// dayAtStart reads the day at the beginning of a line's words, or behind a number there, of its year or
// of the statement's; a second day behind it, that of the booking or the value, is passed.
func (result *extraction) dayAtStart(words []layout.Word) (day string, rest []layout.Word, ok bool) {
	if wordDigits(wordsText(words[:min(len(words), 5)])) == 0 {
		return "", words, false
	}
	start := words
	if len(words) > 1 && wordDigits(words[0].Text) > 0 && countLetters(words[0].Text) > 0 && result.rowDate(words[0].Text) == "" {
		start = words[1:]
	}
	for end := min(len(start), 4); end > 0; end-- {
		found := result.rowDate(wordsText(start[:end]))
		if found == "" {
			continue
		}
		rest = start[end:]
		for length := min(len(rest), 3); length > 0; length-- {
			if result.rowDate(wordsText(rest[:length])) != "" {
				return found, rest[length:], true
			}
		}
		return found, rest, true
	}
	return "", words, false
}

// saysBalance tells lines that state a balance, a sum or another labelled value.
func (read *form) saysBalance(at place) bool {
	kinds, length := matchLabel(read.lineTokens(at.page, at.line), 0)
	return length > 0 && slices.ContainsFunc(kinds, func(kind labelKind) bool {
		switch kind {
		case labelOpening, labelClosing, labelPeriod, labelTotal, labelGrandTotal, labelAmountDue, labelAccountNumber, labelHolder:
			return true
		}
		return length > 1 && kind == labelOther
	})
}

// lineTokens are the tokens of all cells of a line.
func (read *form) lineTokens(pageIndex, lineIndex int) (tokens []token) {
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens = append(tokens, read.tokens[place{pageIndex, lineIndex, cellIndex}]...)
	}
	return tokens
}

// Most columns of amounts that a list of movements has: money out and in, and two balances.
const maxAmountColumns = 4

// placeAmounts numbers the columns of amounts by where these end, and tells how many there are.
func placeAmounts(lines []datedLine) int {
	var ends []float64
	for _, line := range lines {
		for _, amount := range line.amounts {
			ends = append(ends, endOfNumber(amount))
		}
	}
	slices.Sort(ends)
	var columns []float64 // their right ends
	for index, end := range ends {
		if index > 0 && end-ends[index-1] < lines[0].amounts[0].Size {
			columns = columns[:len(columns)-1]
		}
		columns = append(columns, end)
	}
	for _, line := range lines {
		for index, amount := range line.amounts {
			line.columns[index], _ = slices.BinarySearch(columns, endOfNumber(amount))
		}
	}
	return len(columns)
}

// orderAmounts numbers amounts that stand in no columns: the first of each line, and those behind it.
func orderAmounts(lines []datedLine) (count int) {
	for _, line := range lines {
		for index := range line.columns {
			line.columns[index] = index
		}
		count = max(count, len(line.columns))
	}
	return count
}

// endOfNumber is where the digits of an amount end, whatever mark stands behind them.
func endOfNumber(amount layout.Cell) float64 {
	at := slices.IndexFunc(amount.Words, func(word layout.Word) bool { return wordDigits(word.Text) > 0 })
	word := amount.Words[max(at, 0)]
	mark := len(word.Text) - strings.LastIndexAny(word.Text, "0123456789") - 1
	return word.Right - (word.Right-word.Left)*float64(mark)/float64(len(word.Text))
}

// possibleRoles are what so many columns of amounts can be, each a column of movementHead or 0 for
// another one: amounts, or money out and money in, perhaps beside balances and one that is neither.
func possibleRoles(count int) (all [][]int) {
	if count > maxAmountColumns {
		return nil
	}
	kinds := []int{atBalance, atAmount, atDebit, atCredit, 0}
	combinations := 1
	for range count {
		combinations *= len(kinds)
	}
	for number := range combinations {
		roles, times := make([]int, count), map[int]int{}
		for column := range roles {
			roles[column] = kinds[number%len(kinds)]
			times[roles[column]]++
			number /= len(kinds)
		}
		single := times[atAmount] == 1 && times[atDebit]+times[atCredit] == 0
		sided := times[atAmount] == 0 && times[atDebit] == 1 && times[atCredit] == 1
		if (single || sided) && times[0] < 2 && times[atBalance] < 2 {
			all = append(all, roles)
		}
	}
	return all
}

// rowsAs are the movements of lines whose columns of amounts have some roles; none where a line has not
// one amount of money.
func (read *form) rowsAs(lines []datedLine, roles []int) (rows []printedRow) {
	for _, line := range lines {
		row := printedRow{place: line.place, cells: make([]string, len(movementHead))}
		row.cells[0], row.cells[1] = line.day, line.text
		moved := 0
		for index, amount := range line.amounts {
			role := roles[line.columns[index]]
			if role == 0 {
				continue
			}
			if role != atBalance {
				moved++
			}
			row.cells[role] = read.plainAmount(amount.Text)
			if said, _ := read.movementAmount(amount.Text); role == atAmount && said.Side > 0 {
				row.side = atCredit
			}
		}
		if moved != 1 {
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// placedMovements are movements whose amounts stand in columns of their own. Which column is what
// the balances have to prove, in one way only, and which of two is that of money out the heads have to
// say; else why says that they do not.
func (result *extraction) placedMovements() (rows []printedRow, why string) {
	lines := result.datedLines()
	if len(lines) == 0 {
		return nil, ""
	}
	var proven []float64
	sides := result.form.sidesInOrder()
	for _, number := range []func([]datedLine) int{placeAmounts, orderAmounts} {
		for _, roles := range possibleRoles(number(lines)) {
			out, in := slices.Index(roles, atDebit), slices.Index(roles, atCredit)
			if (out >= 0 || sides != 0) && cmp.Compare(in, out) != sides {
				continue // what goes out of an account comes in on a card: no balance tells the two apart
			}
			next := result.form.rowsAs(lines, roles)
			amounts := result.provenAmounts(next)
			switch {
			case amounts == nil:
			case proven != nil && !slices.EqualFunc(amounts, proven, isSameOrOpen):
				return nil, "the movements were left out: their balances fit several of their columns"
			case proven == nil:
				rows, proven = next, amounts
			}
		}
	}
	switch {
	case proven != nil:
		return rows, ""
	case len(lines) > 1 || result.has("opening_balance") && result.has("closing_balance"):
		return nil, unfitting
	}
	return nil, ""
}

// sidesInOrder is 1 where heads name money out before money in, -1 where they name it behind, and 0 where
// they name neither or both orders.
func (read *form) sidesInOrder() int {
	orders := map[int]bool{}
	for _, line := range read.lines(every, every) {
		var sides []int
		if wordDigits(line.Text()) > 0 {
			continue
		}
		for _, cell := range line.Cells {
			if side := bank.SideOfHead(cell.Text); side != 0 {
				sides = append(sides, side)
			}
		}
		if len(sides) == 2 && sides[0] != sides[1] {
			orders[sides[1]] = true
		}
	}
	if len(orders) != 1 {
		return 0
	}
	return slices.Collect(maps.Keys(orders))[0]
}

func isSameOrOpen(a, b float64) bool { return a == b || math.IsNaN(a) || math.IsNaN(b) }

// minBalances is how many balances behind movements are enough where those before and behind all of them
// are not known, and something else tells what goes out: a plan of payments has balances too.
const minBalances = 3

// provenAmounts are the amounts of movements that their balances prove, nil where they do not. One whose
// sign is open is no number.
func (result *extraction) provenAmounts(rows []printedRow) (amounts []float64) {
	balances, told := 0, false
	for _, row := range rows {
		told = told || row.side != 0 || row.cells[atDebit] != "" || strings.HasPrefix(row.cells[atAmount], "-")
		if row.cells[atBalance] != "" {
			balances++
		}
	}
	known := result.has("opening_balance") && result.has("closing_balance")
	if len(rows) == 0 || !known && (!told || balances < minBalances) {
		return nil
	}
	statement, _, ok := bank.Movements(result.movementTable(rows))
	if !ok || statement.Misfits {
		return nil
	}
	for _, movement := range statement.Movements {
		amount, known := movement.Fields[bank.Amount].(float64)
		if !known {
			amount = math.NaN()
		}
		amounts = append(amounts, amount)
	}
	return amounts
}
