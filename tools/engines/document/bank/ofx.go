package bank

import (
	"context"
	"errors"
	"html"
	"strings"

	"toolkit/tools/engines/document/value"
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
	trades      int // of an investment account, which are not read
	positions   int
	undated     int // movements without a day that can be read
}

// isTrade tells the elements of an investment account's list that are no movements of money:
// BUYSTOCK, SELLMF, INCOME, REINVEST and the rest of the list.
func isTrade(tag string) bool {
	switch tag {
	case "INCOME", "REINVEST", "TRANSFER", "INVEXPENSE", "MARGININTEREST", "RETOFCAP", "SPLIT", "JRNLFUND", "JRNLSEC", "CLOSUREOPT":
		return true
	}
	return strings.HasPrefix(tag, "BUY") && tag != "BUYTYPE" || strings.HasPrefix(tag, "SELL") && tag != "SELLTYPE" && tag != "SELLREASON"
}

// OFX reads both versions of the format, keeping at most so many movements.
func OFX(ctx context.Context, text string, most int) (File, error) {
	file := File{}
	reader := ofxReader{file: &file, room: most}
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
			reader.end(name)
		} else {
			reader.element(tag, strings.TrimSpace(html.UnescapeString(said)), line)
		}
	}
	reader.close()
	if len(file.Statements) == 0 && ctx.Err() == nil {
		return file, errors.New("invalid OFX: it has no statement of an account")
	}
	return file, ctx.Err()
}

func (reader *ofxReader) element(tag, said string, line int) {
	switch {
	case statementsOf[tag]:
		reader.close()
		reader.statement = &Statement{Fields: Fields{}}
	case tag == "STMTTRN" && reader.statement != nil:
		reader.leave("STMTTRN") // one that was not closed
		reader.movement = &Movement{Place: Place{Line: line}, Fields: Fields{}}
	}
	if sections[tag] && said == "" {
		if len(reader.within) < deepest {
			reader.within = append(reader.within, tag)
		}
		return
	}
	if said == "" {
		if isTrade(tag) {
			reader.trades++
		} else if strings.HasPrefix(tag, "POS") && tag != "POSTYPE" {
			reader.positions++
		}
		return
	}
	section := ""
	if len(reader.within) > 0 {
		section = reader.within[len(reader.within)-1]
	}
	switch {
	case tag == "ORG":
		reader.institution = said
	case reader.movement != nil:
		reader.movement.Fields.ofx(section, tag, said)
	case reader.statement != nil:
		reader.account(section, tag, said, line)
	}
}

// end leaves a section, and those inside it that were not closed.
func (reader *ofxReader) end(name string) {
	if statementsOf[name] {
		reader.close()
	}
	reader.leave(name)
}

func (reader *ofxReader) leave(name string) {
	for index := len(reader.within) - 1; index >= 0; index-- {
		if reader.within[index] == name {
			reader.within = reader.within[:index]
			break
		}
	}
	if name != "STMTTRN" || reader.movement == nil {
		return
	}
	if reader.movement.Fields[BookingDate] == nil && reader.movement.Fields[Date] == nil {
		reader.undated++
	}
	if reader.statement != nil && reader.file.limit(&reader.room) {
		reader.statement.Movements = append(reader.statement.Movements, *reader.movement)
	}
	reader.movement = nil
}

// close ends the statement of an account.
func (reader *ofxReader) close() {
	reader.leave("STMTTRN")
	if reader.statement == nil {
		return
	}
	if reader.trades+reader.positions > 0 {
		reader.statement.warn("%d trades and %d positions of an investment account are not read; they stay in the text", reader.trades, reader.positions)
	}
	if reader.undated > 0 {
		reader.statement.warn("%d movements have no day, or one that is none", reader.undated)
	}
	reader.trades, reader.positions, reader.undated = 0, 0, 0
	fields := reader.statement.Fields
	fields.set(Institution, reader.institution)
	// The ledger's balance closes the period only when it is of its last day.
	if of, ended := fields.text("balance_date"), fields.text(PeriodEnd); of == "" || ended == "" || of <= ended {
		if balance, ok := fields.number(Balance); ok {
			delete(fields, Balance)
			delete(fields, "balance_date")
			reader.statement.balance(ClosingBalance, balance, reader.statement.Places[Balance])
		}
	}
	reader.statement.finish(!reader.file.Truncated)
	reader.file.Statements = append(reader.file.Statements, *reader.statement)
	reader.statement = nil
}

func (reader *ofxReader) account(section, tag, said string, line int) {
	fields := reader.statement.Fields
	switch section + "/" + tag {
	case "STMTRS/CURDEF", "CCSTMTRS/CURDEF", "INVSTMTRS/CURDEF":
		fields.set(Currency, said)
	case "BANKACCTFROM/ACCTID", "CCACCTFROM/ACCTID", "INVACCTFROM/ACCTID":
		fields.setAccount(said, AccountIBAN, AccountNumber)
	case "BANKACCTFROM/BANKID":
		fields.set("bank_id", said)
	case "BANKACCTFROM/ACCTTYPE":
		fields.set("account_type", strings.ToLower(said))
	case "BANKTRANLIST/DTSTART", "INVTRANLIST/DTSTART":
		fields.set(PeriodStart, ofxDay(said))
	case "BANKTRANLIST/DTEND", "INVTRANLIST/DTEND":
		fields.set(PeriodEnd, ofxDay(said))
	case "LEDGERBAL/DTASOF":
		fields.set("balance_date", ofxDay(said))
	case "LEDGERBAL/BALAMT", "AVAILBAL/BALAMT":
		amount, ok := ofxAmount(said)
		if !ok {
			reader.statement.warn("a balance (%s) cannot be read", section)
		} else if section == "LEDGERBAL" {
			reader.statement.balance(Balance, amount, Place{Line: line})
		} else {
			reader.statement.balance("available_balance", amount, Place{Line: line})
		}
	}
}

// ofx keeps what an element says of a movement.
func (fields Fields) ofx(section, tag, said string) {
	switch {
	case section == "BANKACCTTO" || section == "CCACCTTO":
		if tag == "ACCTID" {
			fields.setAccount(said, CounterpartyIBAN, CounterpartyAccount)
		}
		return
	case tag == "CURSYM" && section == "CURRENCY":
		fields.set(Currency, said)
		return
	case tag == "CURSYM" && section == "ORIGCURRENCY":
		fields.set("original_currency", said)
		return
	}
	switch tag {
	case "TRNTYPE":
		fields.set(Type, strings.ToLower(said))
	case "DTPOSTED":
		fields.set(BookingDate, ofxDay(said))
		fields.set(Time, ofxTime(said))
	case "DTUSER":
		fields.set(Date, ofxDay(said))
	case "DTAVAIL":
		fields.set(ValueDate, ofxDay(said))
	case "TRNAMT":
		if amount, ok := ofxAmount(said); ok {
			fields.set(Amount, amount)
		}
	case "FITID":
		fields.set(TransactionID, said)
	case "NAME":
		fields.set(Counterparty, said)
	case "MEMO":
		fields.set(Description, said)
	case "CHECKNUM":
		fields.set("check_number", said)
		fields.set(Reference, said)
	case "REFNUM":
		fields.set(Reference, said)
	}
}

// ofxAmount reads an amount, also of the banks that write it as people do.
func ofxAmount(said string) (float64, bool) {
	if amount, ok := decimal(said); ok {
		return amount, true
	}
	amount, ok := value.ParseAmount(said, value.Unknown)
	return amount.Value, ok
}

// ofxDay is the day of YYYYMMDD…; the time and its zone may follow.
func ofxDay(said string) string {
	if len(said) < 8 {
		return ""
	}
	date, _ := value.ParseDate(said[:8], value.UnknownOrder)
	return date.ISO
}

// ofxTime is the time of day behind the day, unless it is midnight or noon, which banks
// write that have none.
func ofxTime(said string) string {
	if len(said) < 14 || strings.Trim(said[8:14], "0123456789") != "" || said[8:14] == "000000" || said[8:14] == "120000" {
		return ""
	}
	return value.TimeOf(said[8:10] + ":" + said[10:12] + ":" + said[12:14])
}
