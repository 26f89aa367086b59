package reader

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// signedAmount reads the amount of a movement, with its side behind it: "96,00-", "148.30 CR",
// "12,50 S".
func signedAmount(text string, numbers value.Convention) (amount value.Amount, ok bool) {
	text = strings.TrimSpace(text)
	if match := sideBehind().FindStringSubmatch(text); match != nil {
		side := normalised(match[2])
		debit, credit := inList("debit marks", side), inList("credit marks", side)
		if amount, ok = value.ParseAmount(match[1], numbers); ok && (debit || credit) {
			if debit {
				amount.Value = -amount.Value
			}
			return amount, true
		}
	}
	return value.ParseAmount(text, numbers)
}

// isCredited tells whether an amount has a mark of credit behind it.
func isCredited(text string) bool {
	match := sideBehind().FindStringSubmatch(strings.TrimSpace(text))
	return match != nil && inList("credit marks", normalised(match[2]))
}

var sideBehind = value.NewPattern(`^(\d.*\d)\s*(\pL{1,6})\.?$`)

// ledger are the movements of a statement on their way from one balance to the other.
type ledger struct {
	items            []map[string]any
	opening, closing float64
	opened, closed   bool
	marked           bool // credit is, and nothing else
}

// takeMarks makes money out of the amounts without a sign, where others are marked as credit:
// what goes out needs no mark on a card or an account of payments.
func (book *ledger) takeMarks() {
	signed := func(item map[string]any) bool { amount, _ := item["amount"].(float64); return amount < 0 }
	isCredit := func(item map[string]any) bool { return item[creditMark] != nil }
	book.marked = slices.ContainsFunc(book.items, isCredit) && !slices.ContainsFunc(book.items, signed)
	for _, item := range book.items {
		if amount, _ := item["amount"].(float64); book.marked && !isCredit(item) {
			item["amount"] = -amount
		}
		delete(item, creditMark)
	}
}

// creditMark is where a movement keeps that its amount has a mark of credit behind it.
const creditMark = "credit mark"

// owed turns the balances, where the movements with marks only lead from one to the other as
// those of a card: what is owed.
func (book *ledger) owed() bool {
	turned := *book
	turned.opening, turned.closing = -book.opening, -book.closing
	if fit, checked := turned.fits(); !book.marked || !fit || !checked {
		return false
	}
	*book = turned
	return true
}

// fits tells whether the movements lead from the opening balance over those printed beside
// them to the closing one, top to bottom or bottom to top, or nothing could be compared, which
// checked tells. A side that an amount does not tell is that of the balances.
func (book *ledger) fits() (fit, checked bool) {
	for _, upwards := range []bool{false, true} {
		items := slices.Clone(book.items)
		if upwards {
			slices.Reverse(items)
		}
		signs, compared, right := book.walk(items)
		checked = checked || compared
		if !right || !compared {
			continue
		}
		for index, item := range items {
			item["amount"] = signs[index]
		}
		return true, true
	}
	return !checked, checked
}

// hasSides tells whether columns of money out and in, or signs, tell which way the movements go.
func (read *form) hasSides(items []map[string]any) bool {
	return slices.ContainsFunc(read.grids, func(found grid) bool { return found.has(columnDebit) || found.has(columnCredit) }) ||
		slices.ContainsFunc(items, func(item map[string]any) bool { return item["amount"].(float64) < 0 })
}

// walk goes through movements in order; it returns their amounts with the sign that fits.
func (book *ledger) walk(items []map[string]any) (amounts []float64, compared, ok bool) {
	at, known := book.opening, book.opened
	sum, since := 0.0, 0 // of movements since the last known balance
	for _, item := range items {
		amount, _ := item["amount"].(float64)
		sum, since = sum+amount, since+1
		amounts = append(amounts, amount)
		balance, printed := item["balance"].(float64)
		if !printed {
			continue
		}
		switch {
		case !known:
		case near(at+sum, balance):
			compared = true
		case since == 1 && near(at-sum, balance):
			amounts[len(amounts)-1], compared = -amount, true
		default:
			return nil, true, false
		}
		at, known, sum, since = balance, true, 0, 0
	}
	if !book.closed || !known {
		return amounts, compared, true
	}
	return amounts, true, near(at+sum, book.closing)
}

// reconcileMovements sets the movements where they add up. Those that do not are left out, and why
// says so: one of them was not read, or its side was not.
func (result *extraction) reconcileMovements(movements listed, book ledger) (why string) {
	if len(movements.items) == 0 {
		return ""
	}
	book.items = movements.items
	book.takeMarks()
	fit, checked := book.fits()
	if row, found := result.balanceRow(labelClosing); !fit && found { // the labelled one is of another account
		book.closing, book.closed = row.amount.Value, true
		if fit, checked = book.fits(); fit {
			result.set("closing_balance", row.amount.Value, row.source())
		}
	}
	switch {
	case !fit && book.owed():
		result.content.warn(cardBalances)
	case !fit:
		return "the movements that were read do not add up to the balances of the statement and were left out"
	case !checked && !result.form.hasSides(movements.items):
		return "the movements were left out: their amounts have no signs and nothing tells what goes out"
	}
	result.turnCard(movements.items)
	undated := 0
	for _, item := range movements.items {
		if item["date"] == nil {
			undated++
		}
	}
	if undated > 0 {
		result.content.warn(fmt.Sprintf("%d movements have no day, or one that is none", undated))
	}
	result.setList("transactions", movements)
	return ""
}

// turnCard makes what is bought with a credit card money out, where the statement is called
// one of a card and the payment of the bill is thanked for with a minus.
func (result *extraction) turnCard(items []map[string]any) {
	thanked := 0.0
	for _, item := range items {
		if text, _ := item["description"].(string); bank.ThanksForPayment(text) {
			thanked += item["amount"].(float64)
		}
	}
	if thanked >= 0 || !slices.ContainsFunc(titleLines(result.form.pages), bank.NamesCard) {
		return
	}
	for _, item := range items {
		item["amount"] = -item["amount"].(float64)
	}
	result.content.warn(cardBalances)
}

const cardBalances = "the statement is one of a credit card: its balances are what is owed"

// listedMovements reads movements that stand in no table: lines that begin with a day, or
// stand under one, and end in an amount, perhaps with the balance behind it.
func (result *extraction) listedMovements() (movements listed) {
	read := result.form
	day := ""
	for at, line := range read.lines(every, every) {
		if line.Aside || len(line.Cells) == 0 || read.saysBalance(at) {
			continue
		}
		rest, amounts, credit := read.movementAmounts(line.Cells)
		words := rest
		if date, behind, ok := result.dayAtStart(rest); ok {
			day, words = date, behind
		}
		text := strings.TrimSpace(wordsText(words))
		if len(amounts) == 0 || day == "" || countLetters(text) < 2 {
			continue
		}
		movement := map[string]any{"date": day, "description": text, "amount": amounts[0]}
		if len(amounts) > 1 {
			movement["balance"] = amounts[1]
		}
		if credit {
			movement[creditMark] = true
		}
		movements.add(movement, read.source(at))
	}
	return movements
}

// movementAmounts parts one or two amounts at the end of a line from the words before them.
func (read *form) movementAmounts(cells []layout.Cell) (rest []layout.Word, amounts []float64, credit bool) {
	count := len(cells)
	for count > 0 && len(amounts) < 2 {
		amount, ok := signedAmount(cells[count-1].Text, read.numbers)
		if !ok || amount.Decimals != 2 {
			break
		}
		amounts, credit = append([]float64{amount.Value}, amounts...), isCredited(cells[count-1].Text)
		count--
	}
	for _, cell := range cells[:count] {
		rest = append(rest, cell.Words...)
	}
	return rest, amounts, credit
}

// dayAtStart reads the day at the beginning of a line's words, of its year or of the
// statement's; a second day behind it, that of the booking or the value, is passed.
func (result *extraction) dayAtStart(words []layout.Word) (day string, rest []layout.Word, ok bool) {
	for end := min(len(words), 4); end > 0; end-- {
		found := result.rowDate(wordsText(words[:end]))
		if found == "" {
			continue
		}
		rest = words[end:]
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
