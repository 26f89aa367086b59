package bank

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolkit/internal/reader/value"
)

// containers are the elements of camt.053, 052 and 054 that hold the entries of an account.
var containers = map[string]bool{"Stmt": true, "Rpt": true, "Ntfctn": true}

// CamtRoot tells whether an element is the root of a statement, report or notification of
// ISO 20022, of any version.
func CamtRoot(root xml.Name) bool {
	return root.Local == "Document" && (strings.Contains(root.Space, "camt.053.") || strings.Contains(root.Space, "camt.052.") || strings.Contains(root.Space, "camt.054."))
}

// deepest is the nesting of elements that camt has at most, and more.
const deepest = 40

// camtReader builds an entry's elements, keeps what it says, and lets them go.
type camtReader struct {
	file      *File
	stack     []*element
	statement *Statement
	entries   int
	room      int
	held      int  // elements that wait for the end of their entry or statement
	before    int  // of them, when the entry began
	cut       bool // the entry has more than there was room for
}

// mostHeld bounds the elements that wait; a batch of ten thousand payments has fewer.
const mostHeld = 250_000

// Camt reads camt.053, 052 and 054, keeping at most so many movements. What was read before
// an error comes with it.
func Camt(ctx context.Context, decoder *xml.Decoder, most int) (File, error) {
	file := File{}
	reader := camtReader{file: &file, room: most}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return file, ctx.Err()
		}
		if err != nil {
			return file, fmt.Errorf("invalid XML: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(reader.stack) >= deepest {
				return file, errors.New("the statement is nested too deeply")
			}
			reader.open(token)
		case xml.CharData:
			if depth := len(reader.stack); depth > 0 {
				reader.stack[depth-1].written.Write(token)
			}
		case xml.EndElement:
			reader.close()
		}
	}
}

func (reader *camtReader) open(start xml.StartElement) {
	next := &element{name: start.Name.Local}
	for _, attribute := range start.Attr {
		if attribute.Name.Local == "Ccy" {
			next.currency = attribute.Value
		}
	}
	switch {
	case containers[next.name]:
		reader.statement, reader.entries, reader.held = &Statement{Fields: Fields{}}, 0, 0
	case next.name == "Ntry":
		reader.before, reader.cut = reader.held, false
	}
	reader.stack = append(reader.stack, next)
}

func (reader *camtReader) close() {
	depth := len(reader.stack)
	if depth == 0 {
		return
	}
	ended := reader.stack[depth-1]
	ended.text = strings.TrimSpace(ended.written.String())
	reader.stack = reader.stack[:depth-1]
	parent := &element{}
	if depth > 1 {
		parent = reader.stack[depth-2]
	}
	switch {
	case ended.name == "Ntry" && containers[parent.name] && reader.statement != nil:
		reader.held = reader.before
		if reader.entries++; reader.cut {
			reader.file.Truncated = true
		} else {
			reader.entry(ended, parent.name)
		}
	case containers[ended.name] && reader.statement != nil:
		reader.account(ended)
	case reader.held >= mostHeld:
		reader.cut = true
	default:
		reader.held++
		parent.children = append(parent.children, ended)
	}
}

// account keeps what is said of the account and ends its statement.
func (reader *camtReader) account(of *element) {
	statement := reader.statement
	fields := statement.Fields
	fields.setAccount(of.say("Acct/Id/IBAN", "Acct/Id/Othr/Id"), AccountIBAN, AccountNumber)
	fields.set(Currency, of.say("Acct/Ccy"))
	fields.set(Holder, of.say("Acct/Ownr/Nm"))
	fields.set(Institution, of.say("Acct/Svcr/FinInstnId/Nm"))
	fields.set(BIC, of.say("Acct/Svcr/FinInstnId/BICFI", "Acct/Svcr/FinInstnId/BIC"))
	fields.set(Number, of.say("ElctrncSeqNb", "LglSeqNb", "Id"))
	fields.set(PeriodStart, day(of.say("FrToDt/FrDtTm", "FrToDt/FrDt")))
	fields.set(PeriodEnd, day(of.say("FrToDt/ToDtTm", "FrToDt/ToDt")))
	fields.set(Date, day(of.say("CreDtTm")))
	balances := map[string]*element{}
	for _, balance := range of.all("Bal") {
		if code := balance.say("Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry"); balances[code] == nil {
			balances[code] = balance
		}
	}
	for _, one := range []struct{ code, name, day string }{
		{"OPBD", OpeningBalance, PeriodStart}, {"PRCD", OpeningBalance, ""}, {"CLBD", ClosingBalance, PeriodEnd}, {"CLAV", "available_balance", ""},
	} {
		if balance := balances[one.code]; balance != nil {
			amount, code, ok := money(balance)
			if !ok {
				statement.warn("the balance %s has no amount that can be read", one.code)
				continue
			}
			statement.balance(one.name, amount, Place{Element: fmt.Sprintf("%s[%d]/Bal[%s]", of.name, len(reader.file.Statements)+1, one.code)})
			fields.set(Currency, code)
			if one.day != "" {
				fields.set(one.day, day(balance.say("Dt/Dt", "Dt/DtTm")))
			}
		}
	}
	statement.finish(!reader.file.Truncated)
	reader.file.Statements = append(reader.file.Statements, *statement)
	reader.statement = nil
}

// day is the day of a date or a moment as ISO 20022 writes them.
func day(text string) string { return value.ISO(text[:min(len(text), 10)], value.UnknownOrder) }

// money is the signed amount of an entry or a balance with its currency.
func money(of *element) (amount float64, currency string, ok bool) {
	written := of.at("Amt")
	amount, ok = decimal(written.text)
	if of.say("CdtDbtInd") == "DBIT" {
		amount = -amount
	}
	return amount, written.currency, ok
}

// decimal reads a number as machines write it, with a point; a comma may stand for it where
// it cannot part thousands.
func decimal(text string) (float64, bool) {
	if strings.Contains(text, ",") && value.IsOpenNumber(text) || strings.Trim(text, " 0123456789.,+-") != "" {
		return 0, false
	}
	amount, ok := value.ParseAmount(text, value.Point)
	return amount.Value, ok
}

// entry makes movements of an entry: one, or one of each of the payments it sums up when
// their amounts make up its own.
func (reader *camtReader) entry(entry *element, container string) {
	path := fmt.Sprintf("%s[%d]/Ntry[%d]", container, len(reader.file.Statements)+1, reader.entries)
	amount, currency, ok := money(entry)
	var payments []*element
	head := &element{name: entry.name} // what is said of all payments, without each of them
	for _, child := range entry.children {
		if child.name == "NtryDtls" {
			payments = append(payments, child.all("TxDtls")...)
		} else {
			head.children = append(head.children, child)
		}
	}
	entry = head
	amounts := shares(payments, amount, currency)
	if len(payments) > 1 && amounts == nil {
		reader.statement.warn("%s sums up %d payments whose amounts do not make up its own: it is kept as one, without who was paid", path, len(payments))
	}
	if amounts == nil {
		one := &element{}
		if len(payments) == 1 {
			one = payments[0]
		}
		if reader.file.limit(&reader.room) {
			movement := reader.movement(entry, one, path)
			movement.Fields.set(TransactionID, entry.say("AcctSvcrRef"))
			if ok {
				movement.Fields.set(Amount, amount)
			}
			if len(payments) > 1 {
				movement.Fields["payments"] = float64(len(payments))
			}
			reader.keep(movement, currency)
		}
		return
	}
	for index, payment := range payments {
		if !reader.file.limit(&reader.room) {
			return
		}
		movement := reader.movement(entry, payment, fmt.Sprintf("%s/TxDtls[%d]", path, index+1))
		movement.Fields.set(Amount, amounts[index])
		movement.Fields.set("batch_reference", entry.say("AcctSvcrRef", "NtryRef"))
		reader.keep(movement, currency)
	}
}

func (reader *camtReader) keep(movement Movement, currency string) {
	movement.Fields.set(Currency, currency)
	reader.statement.Movements = append(reader.statement.Movements, movement)
}

// shares are the signed amounts of an entry's payments; nil when there are fewer than two
// or they do not make up the entry.
func shares(payments []*element, whole float64, currency string) []float64 {
	if len(payments) < 2 {
		return nil
	}
	amounts, sum := make([]float64, len(payments)), int64(0)
	for index, payment := range payments {
		written := payment.at("Amt")
		for _, path := range []string{"AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"} {
			if written.text == "" {
				written = payment.at(path)
			}
		}
		amount, ok := decimal(written.text)
		if !ok || written.currency != currency {
			return nil
		}
		if side := payment.say("CdtDbtInd"); side == "DBIT" || (side == "" && whole < 0) {
			amount = -amount
		}
		amounts[index] = amount
		sum += units(amount)
	}
	if sum != units(whole) {
		return nil
	}
	return amounts
}

func (reader *camtReader) movement(entry, payment *element, path string) Movement {
	fields := Fields{}
	fields.set(BookingDate, day(entry.say("BookgDt/Dt", "BookgDt/DtTm")))
	fields.set(Time, clockOf(entry.say("BookgDt/DtTm")))
	fields.set(ValueDate, day(entry.say("ValDt/Dt", "ValDt/DtTm")))
	fields.set(TransactionID, payment.say("Refs/AcctSvcrRef"))
	endToEnd := provided(payment.say("Refs/EndToEndId"))
	fields.set(Reference, payment.say("RmtInf/Strd/CdtrRefInf/Ref"))
	fields.set(Reference, endToEnd)
	fields.set("end_to_end_id", endToEnd)
	fields.set("mandate_reference", payment.say("Refs/MndtId"))
	fields.original(payment.at("AmtDtls/InstdAmt/Amt"), entry.at("Amt").currency)
	fields.original(payment.at("Amt"), entry.at("Amt").currency)
	var purpose []string
	for _, information := range payment.all("RmtInf") {
		for _, line := range information.all("Ustrd") {
			purpose = append(purpose, line.text)
		}
	}
	fields.set(Description, strings.Join(purpose, " "))
	fields.set(Description, payment.say("AddtlTxInf"))
	fields.set(Description, entry.say("AddtlNtryInf"))
	fields.set("information", entry.say("AddtlNtryInf"))
	fields.set(Type, codeOf(entry.at("BkTxCd")))
	reversal := entry.say("RvslInd") == "true" || entry.say("RvslInd") == "1"
	fields.party(payment, (entry.say("CdtDbtInd") == "DBIT") != reversal) // what is turned back keeps its parties
	status := entry.say("Sts/Cd", "Sts")
	pending := status == "PDNG" || status == "INFO"
	if pending {
		fields.set(Status, map[string]string{"PDNG": "pending", "INFO": "information"}[status])
	}
	if reversal {
		fields.set("reversal", true)
	}
	return Movement{Place: Place{Element: path}, Fields: fields, Pending: pending}
}

// provided is a reference that says something.
func provided(text string) string {
	if is("no reference", text) || strings.Trim(text, "0-. ") == "" {
		return ""
	}
	return text
}

// original keeps an amount that was paid in another currency than the account's.
func (fields Fields) original(of *element, currency string) {
	amount, ok := decimal(of.text)
	if _, known := fields["original_amount"]; ok && !known && of.currency != "" && of.currency != currency {
		fields.set("original_amount", amount)
		fields.set("original_currency", of.currency)
	}
}

// codeOf is the kind of a booking: what the bank calls it, else the code of ISO 20022.
func codeOf(of *element) string {
	if code := of.say("Domn/Fmly/SubFmlyCd"); code != "" {
		return of.say("Domn/Cd") + "-" + of.say("Domn/Fmly/Cd") + "-" + code
	}
	return of.say("Prtry/Cd")
}

// party sets the other side: who receives what goes out, who sends what comes in.
func (fields Fields) party(payment *element, out bool) {
	party, account, agent := "Dbtr", "DbtrAcct", "DbtrAgt"
	if out {
		party, account, agent = "Cdtr", "CdtrAcct", "CdtrAgt"
	}
	related := payment.at("RltdPties")
	fields.set(Counterparty, related.say(party+"/Nm", party+"/Pty/Nm", "Ultmt"+party+"/Nm", "Ultmt"+party+"/Pty/Nm"))
	fields.setAccount(related.say(account+"/Id/IBAN", account+"/Id/Othr/Id"), CounterpartyIBAN, CounterpartyAccount)
	fields.set(CounterpartyBIC, payment.say("RltdAgts/"+agent+"/FinInstnId/BICFI", "RltdAgts/"+agent+"/FinInstnId/BIC"))
}

// clockOf is the time of day of a moment, unless it is midnight, which stands for none.
func clockOf(text string) string {
	if clock := value.TimeOf(text); !strings.HasPrefix(clock, "00:00:00") {
		return clock
	}
	return ""
}
