package bank

import (
	"context"
	"strconv"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// swiftField is a field of MT940 or MT942: its tag, and its lines.
type swiftField struct {
	tag, text string
	line      int
}

// swiftTag opens a field; the envelope of a message may stand before the first.
var swiftTag = lazyregexp.New(`^(?:\{[^\n]*\{4:)?:(\d\d[A-Z]?):(.*)$`)

// IsMT940 tells whether a text is MT940 or MT942, by the fields every message opens with.
func IsMT940(text string) bool {
	at := strings.Index("\n"+text, "\n:20:")
	if at < 0 || at > 1024 {
		return false
	}
	rest := text[at:]
	return strings.Contains(rest, "\n:25") && (strings.Contains(rest, "\n:60") || strings.Contains(rest, "\n:28") || strings.Contains(rest, "\n:61:") || strings.Contains(rest, "\n:34F:"))
}

// swiftReader keeps what the messages say.
type swiftReader struct {
	file      *File
	statement *Statement
	last      bool // the last field was a movement, which the next may explain
	skipped   bool // it was not kept
	broken    int
	unvalued  int // value dates that are no days
	room      int
}

// ReadMT940 reads MT940 and MT942, keeping at most so many movements.
func ReadMT940(ctx context.Context, text string, maxMovements int) (File, error) {
	file := File{}
	reader := swiftReader{file: &file, room: maxMovements}
	var field swiftField
	var lines strings.Builder
	end := func() {
		field.text = lines.String()
		reader.readField(field)
		field, lines = swiftField{}, strings.Builder{}
	}
	number := 0
	for line := range strings.Lines(text) {
		if number++; number%1024 == 0 && ctx.Err() != nil {
			break
		}
		line = strings.TrimRight(line, "\r\n ")
		match := swiftTag().FindStringSubmatch(line)
		switch {
		case match != nil:
			end()
			field = swiftField{tag: match[1], line: number}
			lines.WriteString(match[2])
		case line == "-" || line == "-}" || strings.HasPrefix(line, "-}"):
			end()
		case field.tag != "":
			lines.WriteString("\n" + line)
		}
	}
	end()
	reader.finishStatement()
	return file, ctx.Err()
}

// readField keeps what a field says.
func (reader *swiftReader) readField(field swiftField) {
	if field.tag == "20" {
		reader.finishStatement()
		reader.statement = &Statement{Fields: Fields{}}
	}
	if reader.statement == nil || field.tag == "" {
		return
	}
	fields := reader.statement.Fields
	explains := reader.last && field.tag == "86"
	reader.last = false
	switch field.tag {
	case "25", "25P":
		fields.setSwiftAccount(firstLine(field.text))
	case "28", "28C":
		fields.setIfAbsent(Number, firstLine(field.text))
	case "60F", "60M":
		reader.readBalance(field, OpeningBalance, PeriodStart)
	case "62F", "62M":
		reader.readBalance(field, ClosingBalance, PeriodEnd)
	case "64":
		reader.readBalance(field, "available_balance", "")
	case "34F":
		if code := firstLine(field.text); len(code) >= 3 {
			fields.setIfAbsent(Currency, code[:3])
		}
	case "61":
		reader.readMovement(field)
	case "86":
		if movements := reader.statement.Movements; explains && !reader.skipped {
			movements[len(movements)-1].Fields.readRemittance(field.text)
		} else if !explains {
			fields.setIfAbsent("information", strings.Join(strings.Fields(field.text), " "))
		}
	}
}

// finishStatement closes the statement of a message.
func (reader *swiftReader) finishStatement() {
	if reader.statement == nil {
		return
	}
	if reader.broken > 0 {
		reader.statement.warn("%d movements (:61:) could not be read", reader.broken)
	}
	if reader.unvalued > 0 {
		reader.statement.warn("%d value dates are no days of the calendar and are left out", reader.unvalued)
	}
	reader.statement.warnOfPending(0)
	reader.statement.completeAndCheckMovements(!reader.file.Truncated && reader.broken == 0)
	reader.file.Statements = append(reader.file.Statements, *reader.statement)
	reader.statement, reader.broken, reader.unvalued, reader.last = nil, 0, 0, false
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// setSwiftAccount reads "DE89…", "DE89…EUR", "bank code/account" or "BIC/account".
func (fields Fields) setSwiftAccount(text string) {
	if end := len(text) - 3; end > 8 && value.IsCurrencyCode(text[end:]) {
		fields.setIfAbsent(Currency, text[end:])
		text = strings.TrimSpace(text[:end])
	}
	bank, account, parted := strings.Cut(text, "/")
	if parted {
		fields.setBICOrBankNumber(bank, BIC, "bank_id")
		text = account
	}
	fields.setIBANOrAccountNumber(text, AccountIBAN, AccountNumber)
}

var swiftBalance = lazyregexp.New(`^([CD])(\d{6})([A-Z]{3})([\d,.]+)$`)

func (reader *swiftReader) readBalance(field swiftField, name, day string) {
	fields := reader.statement.Fields
	match := swiftBalance().FindStringSubmatch(firstLine(field.text))
	amount, ok := value.Amount{}, false
	if match != nil {
		amount, ok = value.ParseAmount(match[4], value.Comma)
	}
	if !ok {
		reader.statement.warn("the balance :%s: cannot be read", field.tag)
		return
	}
	if match[1] == "D" {
		amount.Value = -amount.Value
	}
	reader.statement.setBalanceIfAbsent(name, amount.Value, Place{Line: field.line})
	fields.setIfAbsent(Currency, match[3])
	if day != "" {
		fields.setIfAbsent(day, parseYYMMDD(match[2]))
	}
}

// parseYYMMDD returns the day written as YYMMDD.
func parseYYMMDD(text string) string {
	return value.ISO(centuryOfShortYear(text)+text, value.UnknownOrder)
}

func centuryOfShortYear(text string) string {
	if text >= "80" {
		return "19"
	}
	return "20"
}

// swiftMovement is the line of a movement: value date, booking date, side, amount, kind,
// the customer's reference and the bank's.
var swiftMovement = lazyregexp.New(`^(\d{6})(\d{4})?(R?[CD]|E[CD])([A-Z])?(\d[\d,.]*)([A-Z][A-Z0-9]{3})?([^\n]*?)(?://([^\n]*))?$`)

func (reader *swiftReader) readMovement(field swiftField) {
	reader.last = true // also what cannot be read is explained by the next field
	line, further, _ := strings.Cut(field.text, "\n")
	match := swiftMovement().FindStringSubmatch(strings.TrimSpace(line))
	if match == nil { // some banks break the line
		second, rest, _ := strings.Cut(further, "\n")
		match, further = swiftMovement().FindStringSubmatch(strings.TrimSpace(line)+strings.TrimSpace(second)), rest
	}
	amount, ok := value.Amount{}, false
	if match != nil {
		amount, ok = value.ParseAmount(match[5], value.Comma)
	}
	if reader.skipped = !ok; !ok {
		reader.broken++
		return
	}
	if reader.skipped = !reader.file.takeRoomForMovement(&reader.room); reader.skipped {
		return
	}
	fields := Fields{}
	switch match[3] {
	case "D", "RC", "ED": // a reversed credit goes out
		amount.Value = -amount.Value
	}
	fields.setIfAbsent(Amount, amount.Value)
	if fields.setIfAbsent(ValueDate, parseYYMMDD(match[1])); fields[ValueDate] == nil {
		reader.unvalued++
	}
	if match[2] != "" {
		fields.setIfAbsent(BookingDate, dayOfNearestYear(match[1], match[2]))
	}
	fields.setIfAbsent(Type, match[6])
	if reference := strings.TrimSpace(match[7]); reference != "NONREF" {
		fields.setIfAbsent(Reference, reference)
	}
	fields.setIfAbsent("bank_reference", strings.TrimSpace(match[8]))
	fields.setIfAbsent("supplementary_details", strings.Join(strings.Fields(further), " "))
	if strings.HasPrefix(match[3], "R") {
		fields.setIfAbsent("reversal", true)
	}
	if strings.HasPrefix(match[3], "E") {
		fields.setIfAbsent(Status, "expected")
	}
	reader.statement.Movements = append(reader.statement.Movements, Movement{Place: Place{Line: field.line}, Fields: fields, Pending: match[3][0] == 'E'})
}

// dayOfNearestYear is the day MMDD of the year that lies nearest to the day YYMMDD.
func dayOfNearestYear(other, monthDay string) string {
	month, _ := strconv.Atoi(monthDay[:2])
	near := value.Span{End: centuryOfShortYear(other) + other[:2] + "-" + other[2:4]}
	return value.ISO(strconv.Itoa(near.YearOf(month))+monthDay, value.UnknownOrder)
}
