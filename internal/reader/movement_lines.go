package reader

import (
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// readMovementLines returns the movements of lines that stand in no table with heads: a line begins with a day, or
// stands under one, and ends in the amount, with the balance behind it where there are two. Lines set further in
// that have no amount below those of the others say what the movement above them was for, unless amounts stand in
// the last line of each movement.
func (result *extraction) readMovementLines() (rows []printedRow) {
	read, day, left := result.form, "", -1.0        // where the days stand
	right, last := result.findAmountEdge(), place{} // the last line of a movement
	purposes, amountsLast := map[int]string{}, false
	for at, line := range read.lines(every, every) {
		if line.Aside || len(line.Cells) == 0 || read.isSummaryLine(at) {
			continue
		}
		words, amounts := read.splitAmountsAtEnd(line.Cells)
		begins := left >= 0 && math.Abs(line.Cells[0].Left-left) < line.Size
		isFurtherIn := left >= 0 && line.Cells[0].Left > left+line.Size
		date, behind, dated := result.splitDayAtStart(words)
		switch {
		case isFurtherIn && len(behind) > 0 && (len(amounts) == 0 || amounts[len(amounts)-1].Right < right-line.Size):
			if len(rows) > 0 && at.page == last.page && at.line == last.line+1 && at.line <= rows[len(rows)-1].line+maxRowLines {
				purposes[len(rows)-1] += " " + wordsText(line.Words())
				last = at
			}
			continue
		case dated && len(amounts) > 0:
			day, words, left = date, behind, line.Cells[0].Left
		case dated && (begins || len(behind) == 0):
			day, words, amountsLast = date, behind, amountsLast || len(behind) > 0
		case begins && len(amounts) > 0:
			day = "" // what stands in the place of one cannot be read
		}
		text := strings.TrimSpace(wordsText(words))
		if len(amounts) == 0 || day == "" || countLetters(text) < 2 {
			continue
		}
		if len(amounts) > 2 {
			return nil // only heads tell what each of them is
		}
		columns := map[string]string{columnText: text, columnAmount: amounts[0].Text}
		if len(amounts) > 1 {
			columns[columnBalance] = amounts[1].Text
		}
		rows, last = append(rows, read.newPrintedRow(at, day, columns)), at
	}
	for index, purpose := range purposes {
		if !amountsLast {
			rows[index].cells[atDescription] += purpose
		}
	}
	return rows
}

// findAmountEdge returns where the amounts end that stand furthest left in lines that begin with a day.
func (result *extraction) findAmountEdge() float64 {
	right := math.Inf(1)
	for _, line := range result.form.lines(every, every) {
		words, amounts := result.form.splitAmountsAtEnd(line.Cells)
		if _, _, dated := result.splitDayAtStart(words); dated && len(amounts) > 0 {
			right = min(right, amounts[0].Right)
		}
	}
	return right
}

// splitAmountsAtEnd parts the amounts at the end of a line from the words before them.
func (read *labeledPages) splitAmountsAtEnd(cells []layout.Cell) (words []layout.Word, amounts []layout.Cell) {
	first := len(cells)
	for ; first > 0; first-- {
		text := cells[first-1].Text
		amount, ok := read.movementAmount(text)
		other := value.ConventionOf([]string{text})
		if !ok || amount.Decimals != 2 || read.numbers != value.Unknown && other != value.Unknown && other != read.numbers {
			break // "12.03" is a day where amounts have commas
		}
	}
	return layout.Line{Cells: cells[:first]}.Words(), cells[first:]
}

// splitDayAtStart reads the day at the beginning of a line's words, of its year or of the statement's; a
// second day behind it, that of the booking or the value, is passed.
func (result *extraction) splitDayAtStart(words []layout.Word) (day string, rest []layout.Word, ok bool) {
	for end := min(len(words), 4); end > 0; end-- {
		found := result.parseRowDate(wordsText(words[:end]))
		if found == "" {
			continue
		}
		rest = words[end:]
		for length := min(len(rest), 3); length > 0; length-- {
			if result.parseRowDate(wordsText(rest[:length])) != "" {
				return found, rest[length:], true
			}
		}
		return found, rest, true
	}
	return "", words, false
}

// isSummaryLine tells lines that state a balance, a sum or another labelled value.
func (read *labeledPages) isSummaryLine(at place) bool {
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
func (read *labeledPages) lineTokens(pageIndex, lineIndex int) (tokens []token) {
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens = append(tokens, read.tokens[place{pageIndex, lineIndex, cellIndex}]...)
	}
	return tokens
}

// minBalances is how many balances behind movements are enough where those before and behind all of them
// are not known, and something else tells what goes out: a plan of payments has balances too.
const minBalances = 3

// canProveMovements tells whether balances of the statement can prove movements that no heads name.
func (result *extraction) canProveMovements(rows []printedRow) bool {
	if result.hasField("opening_balance") && result.hasField("closing_balance") {
		return len(rows) > 0
	}
	balances, signed := 0, false
	for _, row := range rows {
		signed = signed || row.side != 0 || strings.HasPrefix(row.cells[atAmount], "-")
		if row.cells[atBalance] != "" {
			balances++
		}
	}
	return signed && balances >= minBalances
}
