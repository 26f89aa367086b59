package bank

import (
	"context"
	"errors"
	"strings"

	"toolkit/tools/engines/document/value"
)

// IsQIF tells whether a text is in Quicken's format: it opens with a header of an account, a
// list or an option.
func IsQIF(text string) bool {
	line := strings.ToLower(firstLine(strings.TrimSpace(text)))
	return strings.HasPrefix(line, "!type:") || line == "!account" || strings.HasPrefix(line, "!option:") || strings.HasPrefix(line, "!clear:")
}

// accountLists are the kinds of lists that hold movements of an account.
var accountLists = map[string]bool{"bank": true, "cash": true, "ccard": true, "oth a": true, "oth l": true}

// qifItem is an item of a list: its lines.
type qifItem struct {
	lines []string
	line  int
}

// qifReader keeps what the lists of a file say.
type qifReader struct {
	file    *File
	header  Fields // of the account whose list follows
	list    string
	items   []qifItem
	ignored int
	room    int
}

// QIF reads Quicken's format, keeping at most so many movements.
func QIF(ctx context.Context, text string, most int) (File, error) {
	file := File{}
	reader := qifReader{file: &file, header: Fields{}, room: most}
	item := qifItem{}
	number := 0
	for line := range strings.Lines(text) {
		if number++; number%1024 == 0 && ctx.Err() != nil {
			break
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line[0] == '!':
			reader.take(item)
			reader.heading(strings.ToLower(line[1:]))
			item = qifItem{}
		case line == "^":
			reader.take(item)
			item = qifItem{}
		default:
			if len(item.lines) == 0 {
				item.line = number
			}
			item.lines = append(item.lines, line)
		}
	}
	reader.take(item)
	reader.end()
	if reader.ignored > 0 {
		file.Warnings = append(file.Warnings, "lists of investments, categories or classes are not read; they are in the text")
	}
	if len(file.Statements) == 0 && ctx.Err() == nil {
		return file, errors.New("invalid QIF: it has no movements of an account")
	}
	return file, ctx.Err()
}

func (reader *qifReader) heading(line string) {
	kind, typed := strings.CutPrefix(line, "type:")
	switch {
	case typed:
		reader.end()
		reader.list = strings.TrimSpace(kind)
		if !accountLists[reader.list] {
			reader.ignored++
		}
	case line == "account":
		reader.end()
		reader.list = line
	}
}

// take keeps an item of the list at hand.
func (reader *qifReader) take(item qifItem) {
	if len(item.lines) == 0 {
		return
	}
	switch {
	case reader.list == "account":
		reader.header = Fields{}
		for _, line := range item.lines {
			switch said := strings.TrimSpace(line[1:]); line[0] {
			case 'N':
				reader.header.setAccount(said, AccountIBAN, "account_name")
			case 'D':
				reader.header.set(Description, said)
			}
		}
	case accountLists[reader.list]:
		if reader.file.limit(&reader.room) {
			reader.items = append(reader.items, item)
		}
	}
}

// end makes a statement of the list's items: how dates and numbers are written shows in all
// of them together.
func (reader *qifReader) end() {
	if !accountLists[reader.list] || (len(reader.items) == 0 && len(reader.header) == 0) {
		reader.list, reader.items = "", nil
		return
	}
	statement := Statement{Fields: reader.header}
	statement.Fields.set("account_type", reader.list)
	dates, numbers := make([]string, 0, len(reader.items)), []string{}
	for _, item := range reader.items {
		for _, line := range item.lines {
			switch line[0] {
			case 'D':
				dates = append(dates, qifDate(line[1:]))
			case 'T', 'U', '$':
				numbers = append(numbers, line[1:])
			}
		}
	}
	read := written{order: value.ColumnOrder(dates, value.Span{}, runningDays), numbers: value.ColumnConvention(numbers)}
	for _, item := range reader.items {
		read.qifMovement(item, &statement)
	}
	read.warn(&statement)
	statement.finish(!reader.file.Truncated)
	reader.file.Statements = append(reader.file.Statements, statement)
	reader.header, reader.list, reader.items = Fields{}, "", nil
}

// qifDate writes a date of Quicken's as others do: 1/ 5'26 is 1/5/26.
func qifDate(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), " ", ""), "'", "/")
}

const longestAddress = 500

// qifMovement makes a movement of an item; one called "Opening Balance" is the balance.
func (read *written) qifMovement(item qifItem, statement *Statement) {
	fields := Fields{}
	var splits []map[string]any
	for _, line := range item.lines {
		switch said := strings.TrimSpace(line[1:]); line[0] {
		case 'D':
			read.day(fields, Date, qifDate(said), said)
		case 'T', 'U':
			if amount, ok := value.ParseAmount(said, read.numbers); ok {
				fields.set(Amount, amount.Value)
			}
		case 'P':
			fields.set(Counterparty, said)
		case 'M':
			fields.set(Description, said)
		case 'N':
			fields.set(Reference, said)
		case 'L':
			fields.set("category", said)
		case 'C':
			fields.set("cleared", said)
		case 'A':
			if before := fields.text("address"); len(before) < longestAddress {
				fields.replace("address", strings.Trim(before+", "+said, ", "))
			}
		case 'S':
			splits = append(splits, map[string]any{"category": said})
		case 'E', '$':
			read.split(splits, line[0], said)
		}
	}
	amount, known := fields.number(Amount)
	if known && strings.EqualFold(fields.text(Counterparty), "opening balance") {
		statement.balance(OpeningBalance, amount, Place{Line: item.line})
		statement.Fields.set(PeriodStart, fields.text(Date))
		if name := fields.text("category"); strings.HasPrefix(name, "[") {
			statement.Fields.set("account_name", strings.Trim(name, "[]"))
		}
		return
	}
	if len(splits) > 0 {
		fields["splits"] = splits
		read.checkSplits(splits, amount, statement, item.line)
	}
	statement.Movements = append(statement.Movements, Movement{Place: Place{Line: item.line}, Fields: fields})
}

// split keeps a line of the last part of a movement.
func (read *written) split(splits []map[string]any, mark byte, said string) {
	if len(splits) == 0 {
		return
	}
	last := splits[len(splits)-1]
	if mark == 'E' {
		last[Description] = said
	} else if amount, ok := value.ParseAmount(said, read.numbers); ok {
		last[Amount] = amount.Value
	}
}

// checkSplits tells of parts that do not make up their movement.
func (read *written) checkSplits(splits []map[string]any, amount float64, statement *Statement, line int) {
	sum := int64(0)
	for _, split := range splits {
		part, ok := split[Amount].(float64)
		if !ok {
			return
		}
		sum += units(part)
	}
	if sum != units(amount) {
		statement.warn("the parts of the movement of line %d make %.2f, and it says %.2f", line, float64(sum)/10_000, amount)
	}
}
