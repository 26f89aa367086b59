package bank

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"
	"time"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// IsOFX tells whether a text is OFX, of version 1 (SGML) or 2 (XML).
func IsOFX(text string) bool {
	head := strings.ToUpper(text[:min(len(text), 2048)])
	return strings.HasPrefix(strings.TrimSpace(head), "OFXHEADER:") || strings.Contains(head, "<?OFX ") || strings.Contains(head, "<OFX>")
}

// sections are the elements of OFX whose parts are read; others are passed through, so that
// an element without an end (which SGML allows) takes nothing with it.
var sections = map[string]bool{
	"STMTTRN": true, "BANKACCTFROM": true, "CCACCTFROM": true, "BANKACCTTO": true, "CCACCTTO": true, "LEDGERBAL": true, "AVAILBAL": true,
	"PAYEE": true, "CURRENCY": true, "ORIGCURRENCY": true, "BANKTRANLIST": true, "STMTRS": true, "CCSTMTRS": true, "SONRS": true, "FI": true,
	"INVSTMTRS": true, "INVACCTFROM": true, "INVTRANLIST": true,
}

// statementsOf are the elements that hold an account's statement.
var statementsOf = map[string]bool{"STMTRS": true, "CCSTMTRS": true, "INVSTMTRS": true}

// ofxReader keeps what elements say.
type ofxReader struct {
	file        *File
	statement   *Statement
	movement    *Movement
	within      []string // sections
	institution string
	room        int
	securities  int // in trades and positions, which are not read
	numbers     value.NumberConvention
	open        []string // amounts with a separator that may part thousands or decimals
}

var (
	ofxData   = lazyregexp.New(`(?s)<!\[CDATA\[.*?\]\]>`)
	ofxNumber = lazyregexp.New(`(?i)<(?:TRNAMT|BALAMT)>([^<]*)`)
)

// ReadOFX reads both versions of the format, keeping at most so many movements.
func ReadOFX(ctx context.Context, text string, maxMovements int) (File, error) {
	text = ofxData().ReplaceAllStringFunc(text, func(data string) string { return html.EscapeString(data[len("<![CDATA[") : len(data)-len("]]>")]) })
	file := File{}
	reader := ofxReader{file: &file, room: maxMovements}
	var amounts []string
	for _, amount := range ofxNumber().FindAllStringSubmatch(text, -1) {
		amounts = append(amounts, strings.TrimSpace(amount[1]))
	}
	reader.numbers = value.ColumnConvention(amounts)
	line, elements := 1, 0
	for {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			break
		}
		line += strings.Count(text[:at], "\n")
		text = text[at+1:]
		end := strings.IndexByte(text, '>')
		if end < 0 {
			break
		}
		tag := strings.ToUpper(strings.TrimSpace(text[:end]))
		line += strings.Count(text[:end], "\n")
		text = text[end+1:]
		said := text
		if next := strings.IndexByte(text, '<'); next >= 0 {
			said = text[:next]
		}
		if elements++; elements%1024 == 0 && ctx.Err() != nil {
			break
		}
		if name, ends := strings.CutPrefix(tag, "/"); ends {
			reader.endElement(name)
		} else {
			reader.readElement(tag, strings.TrimSpace(html.UnescapeString(said)), line)
		}
	}
	reader.finishStatement()
	if len(file.Statements) == 0 && ctx.Err() == nil {
		return file, errors.New("invalid OFX: it has no statement of an account")
	}
	return file, ctx.Err()
}

func (reader *ofxReader) readElement(tag, content string, line int) {
	switch {
	case statementsOf[tag]:
		reader.finishStatement()
		reader.statement = &Statement{Fields: Fields{}}
	case tag == "STMTTRN" && reader.statement != nil:
		reader.closeSectionOrMovement("STMTTRN") // one that was not closed
		reader.movement = &Movement{Place: Place{Line: line}, Fields: Fields{}}
	}
	if sections[tag] && content == "" {
		if len(reader.within) < deepest {
			reader.within = append(reader.within, tag)
		}
		return
	}
	if content == "" {
		if tag == "SECID" {
			reader.securities++
		}
		return
	}
	section := ""
	if len(reader.within) > 0 {
		section = reader.within[len(reader.within)-1]
	}
	switch {
	case tag == "ORG":
		reader.institution = content
	case reader.movement != nil:
		reader.readMovementElement(section, tag, content)
	case reader.statement != nil:
		reader.readAccountElement(section, tag, content, line)
	}
}

// endElement leaves a section, and those inside it that were not closed.
func (reader *ofxReader) endElement(name string) {
	if statementsOf[name] {
		reader.finishStatement()
	}
	reader.closeSectionOrMovement(name)
}

func (reader *ofxReader) closeSectionOrMovement(name string) {
	for index := len(reader.within) - 1; index >= 0; index-- {
		if reader.within[index] == name {
			reader.within = reader.within[:index]
			break
		}
	}
	if name != "STMTTRN" || reader.movement == nil {
		return
	}
	if fields := reader.movement.Fields; fields[Date] != nil && fields[Date] != fields[BookingDate] {
		delete(fields, Time) // it is of the booking
	}
	if reader.statement != nil && reader.file.takeRoomForMovement(&reader.room) {
		reader.statement.Movements = append(reader.statement.Movements, *reader.movement)
	}
	reader.movement = nil
}

// finishStatement ends the statement of an account.
func (reader *ofxReader) finishStatement() {
	reader.closeSectionOrMovement("STMTTRN")
	if reader.statement == nil {
		return
	}
	if reader.securities > 0 {
		reader.statement.warn("%d trades and positions of an investment account are not read; they stay in the text", reader.securities)
	}
	if len(reader.open) > 0 {
		reader.statement.warn("%d amounts can be read with thousands or with decimals, and nothing in the file decides: %s; they are left out", len(reader.open), value.DescribeBothReadings(reader.open[0]))
	}
	reader.statement.correctSignsByTypes()
	reader.securities, reader.open = 0, nil
	fields := reader.statement.Fields
	fields.setIfAbsent(Institution, reader.institution)
	reader.statement.completeAndCheckMovements(!reader.file.Truncated)
	reader.file.Statements = append(reader.file.Statements, *reader.statement)
	reader.statement = nil
}

// ofxFields are the fields of movements and accounts that elements say as they stand.
var ofxFields = map[string]string{
	"CURDEF": Currency, "BANKID": "bank_id", "FITID": TransactionID, "NAME": Counterparty, "MEMO": Description, "REFNUM": Reference,
	"DTSTART": PeriodStart, "DTEND": PeriodEnd, "DTASOF": "balance_date", "DTPOSTED": BookingDate, "DTUSER": Date, "DTAVAIL": ValueDate,
}

// readAccountElement keeps what an element says of the account.
func (reader *ofxReader) readAccountElement(section, tag, content string, line int) {
	fields := reader.statement.Fields
	switch from := strings.HasSuffix(section, "ACCTFROM"); {
	case from && tag == "ACCTID":
		fields.setIBANOrAccountNumber(content, AccountIBAN, AccountNumber)
	case from && tag == "ACCTTYPE":
		fields.setIfAbsent("account_type", strings.ToLower(content))
	case from && tag == "BANKID", tag == "CURDEF" && statementsOf[section]:
		fields.setIfAbsent(ofxFields[tag], content)
	case (tag == "DTSTART" || tag == "DTEND") && strings.HasSuffix(section, "TRANLIST"), section == "LEDGERBAL" && tag == "DTASOF":
		fields.setIfAbsent(ofxFields[tag], parseOFXDay(content))
	case tag == "BALAMT" && (section == "LEDGERBAL" || section == "AVAILBAL"):
		name := map[string]string{"LEDGERBAL": Balance, "AVAILBAL": "available_balance"}[section]
		if amount, ok := reader.parseAmount(content); ok {
			reader.statement.setBalanceIfAbsent(name, amount, Place{Line: line})
		} else {
			reader.statement.warn("a balance (%s) cannot be read", section)
		}
	}
}

// readMovementElement keeps what an element says of a movement.
func (reader *ofxReader) readMovementElement(section, tag, content string) {
	fields := reader.movement.Fields
	switch {
	case section == "BANKACCTTO" || section == "CCACCTTO":
		if tag == "ACCTID" {
			fields.setIBANOrAccountNumber(content, CounterpartyIBAN, CounterpartyAccount)
		}
	case tag == "CURSYM" && section == "CURRENCY":
		fields.setIfAbsent(Currency, content)
	case tag == "CURSYM" && section == "ORIGCURRENCY":
		fields.setIfAbsent("original_currency", content)
	case tag == "TRNTYPE":
		fields.setIfAbsent(Type, strings.ToLower(content))
	case tag == "TRNAMT":
		if amount, ok := reader.parseAmount(content); ok {
			fields.setIfAbsent(Amount, amount)
		}
	case tag == "CHECKNUM":
		fields.setIfAbsent("check_number", content)
		fields.setIfAbsent(Reference, content)
	case tag == "DTPOSTED":
		fields.setIfAbsent(Time, parseOFXTime(content))
		fields.setIfAbsent(BookingDate, parseOFXDay(content))
	case tag == "DTUSER", tag == "DTAVAIL":
		fields.setIfAbsent(ofxFields[tag], parseOFXDay(content))
	default:
		if name := ofxFields[tag]; name == TransactionID || name == Counterparty || name == Description || name == Reference {
			fields.setIfAbsent(name, content)
		}
	}
}

// parseAmount reads an amount, also of the banks that write it as people do: all amounts of the
// file tell how, or a currency that has three decimals.
func (reader *ofxReader) parseAmount(text string) (float64, bool) {
	if reader.numbers == value.Unknown && value.IsAmbiguousNumber(text) {
		if !value.HasThousandths(reader.statement.Fields.text(Currency)) {
			reader.open = append(reader.open, text)
			return 0, false
		}
		return parseDecimal(strings.Replace(text, ",", ".", 1))
	}
	amount, ok := value.ParseAmount(text, reader.numbers)
	return amount.Value, ok
}

// ofxSides are the types that say which way money goes.
var ofxSides = map[string]int{"debit": -1, "directdebit": -1, "credit": 1, "directdep": 1}

// correctSignsByTypes compares the signs of movements with their types. Where no debit has a minus, the
// file writes no signs, or all the other way round, and the types tell what goes out;
// otherwise an amount whose sign contradicts its type is left out.
func (statement *Statement) correctSignsByTypes() {
	least, most := map[int]float64{}, map[int]float64{} // of the amounts of each side
	for _, movement := range statement.Movements {
		amount, _ := movement.Fields.number(Amount)
		side := ofxSides[movement.Fields.text(Type)]
		least[side], most[side] = min(least[side], amount), max(most[side], amount)
	}
	if most[-1] <= 0 && least[1] >= 0 {
		return
	}
	unsigned := least[-1] == 0 && least[0] == 0
	turned, doubts, first := 0, 0, ""
	for _, movement := range statement.Movements {
		amount, known := movement.Fields.number(Amount)
		side := ofxSides[movement.Fields.text(Type)]
		switch {
		case !known || amount == 0 || float64(side)*amount > 0 || side == 0 && !unsigned:
		case unsigned && (side < 0 || side > 0 && most[1] == 0):
			movement.Fields[Amount] = -amount
			turned++
		default:
			delete(movement.Fields, Amount)
			if doubts++; doubts == 1 {
				first = fmt.Sprintf("line %d: %.2f of the type %s is %.2f or %.2f", movement.Line, amount, movement.Fields.text(Type), amount, -amount)
			}
		}
	}
	if turned > 0 {
		statement.warn("the signs of %d movements contradict their types, in the whole file: debits were read as money out and credits as money in", turned)
	}
	if doubts > 0 {
		statement.warn("%d amounts have a sign that their type contradicts or does not tell, and are left out (%s)", doubts, first)
	}
}

// parseOFXDay is the day of YYYYMMDD…, also with dashes; the time and its zone may follow.
func parseOFXDay(text string) string {
	length := len("20060102")
	if strings.Count(text, "-") > 1 {
		length = len(time.DateOnly)
	}
	return value.ISO(text[:min(length, len(text))], value.UnknownOrder)
}

// parseOFXTime is the time of day behind the day, unless it is midnight or noon, which banks
// write that have none.
func parseOFXTime(text string) string {
	if len(text) < 14 || strings.Trim(text[8:14], "0123456789") != "" || text[8:14] == "000000" || text[8:14] == "120000" {
		return ""
	}
	return value.TimeOf(text[8:10] + ":" + text[10:12] + ":" + text[12:14])
}
