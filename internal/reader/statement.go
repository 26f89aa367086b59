package reader

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/value"
)

// setBalancesAndTransactions sets the balances and the movements between them.
func (result *extraction) setBalancesAndTransactions() {
	opening, hasOpening := result.setBalanceField("opening_balance", labelOpening)
	closing, hasClosing := result.setBalanceField("closing_balance", labelClosing)
	if !hasClosing {
		closing = opening
	}
	result.form.redetectCurrencyWithoutRows()
	result.setCurrencyField(closing, hasClosing || hasOpening)
	result.setTransactions()
}

// redetectCurrencyWithoutRows finds the currency of the document without what the texts of its movements name: they
// tell what was paid abroad.
func (read *labeledPages) redetectCurrencyWithoutRows() {
	var texts []string
	for at, cell := range read.cells(every, every) {
		describes := func(found grid) bool {
			first := found.rows[0].place
			below := at.page > first.page || at.page == first.page && at.line >= first.line
			return below && found.has(columnDate) && found.columns[read.nearestColumn(cell, found.columns)].kind == columnText
		}
		if !read.inTable(at) || !slices.ContainsFunc(read.grids, describes) {
			texts = append(texts, cell.Text)
		}
	}
	read.money, _ = detectDocumentCurrency(texts)
}

// headLines are the lines at the top of a statement among which its account stands.
const headLines = 14

// findAccountHolders are the names that stand beside the number of an account, above it or below it.
func (read *labeledPages) findAccountHolders() (names []partyName) {
	for at, cell := range read.cells(1, headLines) {
		if read.inTable(at) {
			break
		}
		if !accountNumber().MatchString(cell.Text) {
			continue
		}
		for _, text := range read.textsNearAccountNumber(at) {
			next := read.candidateOf(at, wordTokens(strings.Fields(text)))
			next.text = text
			if name := read.nameText(next); canBeHolder(name) {
				names = append(names, read.newPartyName(next, name))
				names[len(names)-1].evidence = besideAccount
			}
		}
	}
	return names
}

// accountNumber is an account's number alone in a cell or among other things of a line.
var accountNumber = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b|^[*xX•]*\d{6,14}$`)

// textsNearAccountNumber are the texts around an account's number: those of its line, else those of the
// lines above and below in its column.
func (read *labeledPages) textsNearAccountNumber(at place) (texts []string) {
	lines, cell := read.pages[at.page].Lines, read.cell(at)
	if texts = splitAddressLine(cell.Text); len(texts) > 1 {
		return texts
	}
	texts = nil
	for index := max(at.line-2, 0); index <= min(at.line+2, len(lines)-1); index++ {
		for position, other := range lines[index].Cells {
			beside := place{at.page, index, position}
			if index != at.line && abs(lines[index].Base-lines[at.line].Base) < 2.2*cell.Size && misalignment(cell.Left, cell.Right, other) < 0.6*cell.Size && !read.isLabel(beside) {
				texts = append(texts, other.Text)
			}
		}
	}
	return texts
}

// canBeHolder tells whether a name can be that of a person or firm.
func canBeHolder(name string) bool {
	return !hasDocumentTitle(name) && countDigits(name) == 0 && len(strings.Fields(name)) > 1 && !streetEnd().MatchString(name)
}

// setBalanceField reads a balance: that of the tables of movements, else the first or the last behind a
// label.
func (result *extraction) setBalanceField(key string, kind labelKind) (item money, found bool) {
	read := result.form
	if item, found = result.findBalanceRow(kind); !found {
		for label := range read.labelsOfKind(kind) {
			next, ok := read.findLabelValue(label, read.isAmount)
			if !ok || found && kind == labelOpening {
				continue
			}
			if behind := (place{next.at.page, next.at.line, next.at.cell + 1}); !read.hasCurrencyOrCents(next.at) && behind.cell < len(read.line(behind).Cells) && read.hasCurrencyOrCents(behind) {
				next = read.candidateOf(behind, read.tokens[behind]) // "Ending balance  16  $3,087.44" of 16 movements
			}
			amount, _ := value.ParseAmount(amountText(next), read.numbers)
			amount.Currency = cmp.Or(amount.Currency, label.currency)
			item, found = money{foundAs(next, label.kinds[0]), amount}, true
		}
	}
	if found {
		result.setField(key, item.amount.Value, item.source())
		if days := value.FindDates(read.line(item.at).Text(), read.order); len(days) == 1 && days[0].ISO != "" {
			result.balanceDays = append(result.balanceDays, days[0].ISO)
		}
	}
	return item, found
}

// findBalanceRow finds a balance that stands in the tables of movements as a row of its own: the first
// of the opening ones, the last of the closing ones.
func (result *extraction) findBalanceRow(kind labelKind) (item money, found bool) {
	for _, grid := range result.form.grids {
		for index, row := range grid.rows {
			if !grid.has(columnDate) || grid.balanceKind(index) != kind || found && kind == labelOpening {
				continue
			}
			for _, column := range []string{columnDebit, columnCredit, columnAmount, columnBalance} {
				if amount, ok := value.ParseAmount(row.cells[column], result.form.numbers); ok {
					at := result.form.source(row.place)
					item, found = money{foundAs(candidate{page: at.Page, line: at.Line, at: row.place}, kind), amount}, true
				}
			}
		}
	}
	return item, found
}

// balanceKind tells whether a row states a balance: by its words, and where these are the
// same for both balances ("Kontostand am …") or for none by its place before or behind the
// movements.
func (found grid) balanceKind(index int) labelKind {
	row := found.rows[index]
	closing := rowHasLabel(row, labelClosing)
	dated := func(row gridRow) bool { return row.hasAnyColumn(columnDate) }
	begins := !slices.ContainsFunc(found.rows[:index], dated) && slices.ContainsFunc(found.rows[index+1:], dated)
	switch {
	case rowHasLabel(row, labelOpening), begins && (closing || bank.NamesBalance(row.cells[columnText]) && !dated(row)):
		return labelOpening
	case closing:
		return labelClosing
	}
	return ""
}

// rowHasLabel tells whether a row's text is a label of the kind, not a movement.
func rowHasLabel(row gridRow, kind labelKind) bool {
	for _, column := range []string{columnText, columnDate} { // the words may begin under the first head
		if kinds, _ := matchLabel(wordTokens(strings.Fields(row.cells[column])), 0); slices.Contains(kinds, kind) {
			return true
		}
	}
	return false
}

var periodSeparator = lazyregexp.New(`(?i)^\s*(-|–|—|to|through|thru|until|bis|bis zum|au|al|a|hasta)\s*$`)

// setStatementPeriod sets the first and last day a statement covers: two dates joined by a dash or a
// word, beside a label of a period if there is one.
func (result *extraction) setStatementPeriod() {
	read := result.form
	if result.setPeriodFromLabels(); result.hasField("period_start") {
		return
	}
	for at, cell := range read.cells(2, every) {
		if first, last, ok := read.findDatePair(cell.Text); ok && len(cell.Words) <= 16 {
			result.setPeriod(first, last, read.source(at))
			return
		}
	}
	result.setTextField("period_start", (*labeledPages).dateText, labelStart)
	result.setTextField("period_end", (*labeledPages).dateText, labelEnd)
}

// setPeriodFromLabels sets the first and the last day of the time that a label of one names.
func (result *extraction) setPeriodFromLabels() {
	for _, item := range result.form.findValues(labelPeriod, result.form.isPeriod) {
		first, last, _ := result.form.findDatePair(item.candidate.text)
		result.setPeriod(first, last, item.source())
		return
	}
}

func (read *labeledPages) isPeriod(next candidate) bool {
	_, _, ok := read.findDatePair(next.text)
	return ok
}

func (result *extraction) setPeriod(first, last string, source Source) {
	result.setField("period_start", first, source)
	result.setField("period_end", last, source)
}

var sharedYear = lazyregexp.New(`(?i)\b(\pL{3,}\.? \d{1,2}|\d{1,2}\.? \pL{3,}|\d{1,2}\.\d{1,2}\.)\s*(?:-|–|—|to|through|bis)\s*(\pL{3,}\.? \d{1,2},? \d{4}|\d{1,2}\.? \pL{3,} \d{4}|\d{1,2}\.\d{1,2}\.\d{4})`)

// findDatePair finds two dates joined as a span of time.
func (read *labeledPages) findDatePair(text string) (first, last string, ok bool) {
	dates := value.FindDates(text, read.order)
	for index := 1; index < len(dates); index++ {
		if !periodSeparator().MatchString(text[dates[index-1].End:dates[index].Start]) {
			continue
		}
		a, b := dates[index-1], dates[index]
		if a.Ambiguous || b.Ambiguous {
			return a.Text, b.Text, true
		}
		if a.ISO <= b.ISO {
			return a.ISO, b.ISO, true
		}
	}
	// "January 1 - January 31, 2025": the year stands once.
	if match := sharedYear().FindStringSubmatch(text); match != nil {
		if end, known := value.ParseDate(match[2], read.order); known && end.ISO != "" {
			year, _ := strconv.Atoi(end.ISO[:4])
			last, _ := strconv.Atoi(end.ISO[5:7])
			start, known := value.ParseDayMonth(match[1], read.order, func(month int) int {
				if month > last { // of the year before
					return year - 1
				}
				return year
			})
			if known && start.ISO != "" && start.ISO <= end.ISO {
				return start.ISO, end.ISO, true
			}
		}
	}
	return "", "", false
}

// parseRowDate reads the date of a row, "" for none; one without a year takes it from the period,
// else from the head.
func (result *extraction) parseRowDate(text string) string {
	if date, ok := value.ParseDate(text, result.form.order); ok {
		return date.String()
	}
	if countDigits(text) == 0 {
		return ""
	}
	start, end := result.textField("period_start"), result.textField("period_end")
	if end == "" {
		end = result.textField("date")
	}
	if end == "" && len(result.balanceDays) > 0 {
		start, end = result.balanceDays[0], result.balanceDays[len(result.balanceDays)-1]
	}
	span := value.Span{Start: start, End: end}
	yearOf := span.YearOf
	if len(end) != len("2006-01-02") || end[4] != '-' {
		yearOf = func(int) int { return result.findStatementYear() }
	}
	date, _ := value.ParseDayMonth(text, result.form.order, yearOf)
	if date.Ambiguous && len(start) == len("2006-01-02") && len(end) == len(start) {
		return span.AddYears([]string{text})[0] // in the order in which it lies in the period
	}
	return date.ISO
}

var numberOfYear = lazyregexp.New(`(?:^|[^\d/.-])(\d{1,3})/((?:19|20)\d{2})(?:$|[^\d/.-])`)

// findStatementYear is the one year that the head of a statement names, 0 for none or several.
func (result *extraction) findStatementYear() (year int) {
	years := map[string]bool{}
	for at, line := range result.form.lines(1, every) {
		if result.form.inTable(at) {
			continue
		}
		if match := numberOfYear().FindStringSubmatch(line.Text()); match != nil {
			years[match[2]] = true
		}
		for _, date := range value.FindDates(line.Text(), result.form.order) {
			if date.ISO != "" {
				years[date.ISO[:4]] = true
			}
		}
	}
	if len(years) == 1 {
		year, _ = strconv.Atoi(slices.Collect(maps.Keys(years))[0])
	}
	return year
}
