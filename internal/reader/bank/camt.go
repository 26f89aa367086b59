package bank

import (
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/reader/value"
	"toolkit/internal/reader/xmltree"
)

// containers are the elements of camt.053, 052 and 054 that hold the entries of an account.
var containers = map[string]bool{"Stmt": true, "Rpt": true, "Ntfctn": true}

// IsCamtRoot tells whether an element is the root of a statement, report or notification of
// ISO 20022, of any version.
func IsCamtRoot(root xml.Name) bool {
	return root.Local == "Document" && (strings.Contains(root.Space, "camt.053.") || strings.Contains(root.Space, "camt.052.") || strings.Contains(root.Space, "camt.054."))
}

// deepest is the nesting of elements that camt has at most, and more.
const deepest = 40

type element = xmltree.Element

// camtReader takes entries and statements as they end, and lets them go.
type camtReader struct {
	file      *File
	statement *Statement // nil before its first entry
	entries   int
	room      int
	held      int  // elements that wait for the end of their entry or statement
	cut       bool // the entry has more than there was room for
}

// mostHeld bounds the elements that wait; a batch of ten thousand payments has fewer.
const mostHeld = 250_000

// ReadCamt reads camt.053, 052 and 054, keeping at most so many movements. What was read before
// an error comes with it.
func ReadCamt(ctx context.Context, decoder *xml.Decoder, maxMovements int) (File, error) {
	file := File{}
	reader := camtReader{file: &file, room: maxMovements}
	if _, err := xmltree.Read(ctx, decoder, deepest, nil, reader.finishEntryOrStatement); err != nil {
		return file, fmt.Errorf("invalid XML: %w", err)
	}
	return file, nil
}

// finishEntryOrStatement takes an entry or the end of a statement; the other elements wait for it.
func (reader *camtReader) finishEntryOrStatement(of *element) (stays bool, err error) {
	isEntry := of.Name == "Ntry" && of.Parent != nil && containers[of.Parent.Name]
	switch {
	case !isEntry && !containers[of.Name] && reader.held < mostHeld:
		reader.held++
		return true, nil
	case !isEntry && !containers[of.Name]:
		reader.cut = true
		return false, nil
	case reader.statement == nil:
		reader.statement = &Statement{Fields: Fields{}}
	}
	reader.held -= of.CountDescendants()
	if !isEntry {
		reader.finishStatement(of)
		return false, nil
	}
	if reader.entries++; reader.cut {
		reader.file.Truncated = true
	} else {
		reader.addMovementsOfEntry(of, of.Parent.Name)
	}
	reader.cut = false
	return false, nil
}

// finishStatement keeps what is said of the account and ends its statement.
func (reader *camtReader) finishStatement(of *element) {
	statement := reader.statement
	fields := statement.Fields
	fields.setIBANOrAccountNumber(of.FirstText("Acct/Id/IBAN", "Acct/Id/Othr/Id"), AccountIBAN, AccountNumber)
	fields.setIfAbsent(Currency, of.FirstText("Acct/Ccy"))
	fields.setIfAbsent(Holder, of.FirstText("Acct/Ownr/Nm"))
	fields.setIfAbsent(Institution, of.FirstText("Acct/Svcr/FinInstnId/Nm"))
	fields.setIfAbsent(BIC, of.FirstText("Acct/Svcr/FinInstnId/BICFI", "Acct/Svcr/FinInstnId/BIC"))
	fields.setIfAbsent(Number, of.FirstText("ElctrncSeqNb", "LglSeqNb", "Id"))
	fields.setIfAbsent(PeriodStart, parseISODay(of.FirstText("FrToDt/FrDtTm", "FrToDt/FrDt")))
	fields.setIfAbsent(PeriodEnd, parseISODay(of.FirstText("FrToDt/ToDtTm", "FrToDt/ToDt")))
	fields.setIfAbsent(Date, parseISODay(of.FirstText("CreDtTm")))
	balances := map[string]*element{}
	for _, balance := range of.FindAll(xmltree.ParseSteps("Bal")) {
		if code := balance.FirstText("Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry"); balances[code] == nil {
			balances[code] = balance.Element
		}
	}
	for _, one := range []struct{ code, name, day string }{
		{"OPBD", OpeningBalance, PeriodStart}, {"PRCD", OpeningBalance, ""}, {"CLBD", ClosingBalance, PeriodEnd}, {"CLAV", "available_balance", ""},
	} {
		if balance := balances[one.code]; balance != nil {
			amount, code, ok := parseSignedAmount(balance)
			if !ok {
				statement.warn("the balance %s has no amount that can be read", one.code)
				continue
			}
			statement.setBalanceIfAbsent(one.name, amount, Place{Element: fmt.Sprintf("%s[%d]/Bal[%s]", of.Name, len(reader.file.Statements)+1, one.code)})
			fields.setIfAbsent(Currency, code)
			if one.day != "" {
				fields.setIfAbsent(one.day, parseISODay(balance.FirstText("Dt/Dt", "Dt/DtTm")))
			}
		}
	}
	statement.warnOfPending(0)
	statement.completeAndCheckMovements(!reader.file.Truncated)
	reader.file.Statements = append(reader.file.Statements, *statement)
	reader.statement, reader.entries = nil, 0
}

// parseISODay returns the day of a date or a moment as ISO 20022 writes them.
func parseISODay(text string) string { return value.ISO(text[:min(len(text), 10)], value.UnknownOrder) }

// parseSignedAmount is the signed amount of an entry or a balance with its currency.
func parseSignedAmount(of *element) (amount float64, currency string, ok bool) {
	written := of.FindFirst("Amt")
	amount, ok = parseDecimal(written.Text)
	if of.FirstText("CdtDbtInd") == "DBIT" {
		amount = -amount
	}
	return amount, written.Attribute("Ccy"), ok
}

// parseDecimal reads a number as machines write it, with a point; a comma may stand for it where
// it cannot part thousands.
func parseDecimal(text string) (float64, bool) {
	if strings.Contains(text, ",") && value.IsAmbiguousNumber(text) || strings.Trim(text, " 0123456789.,+-") != "" {
		return 0, false
	}
	amount, ok := value.ParseAmount(text, value.Point)
	return amount.Value, ok
}

// addMovementsOfEntry makes movements of an entry: one, or one of each of the payments it sums up when
// their amounts make up its own.
func (reader *camtReader) addMovementsOfEntry(entry *element, container string) {
	path := fmt.Sprintf("%s[%d]/Ntry[%d]", container, len(reader.file.Statements)+1, reader.entries)
	amount, currency, ok := parseSignedAmount(entry)
	payments := entry.FindAll(xmltree.ParseSteps("NtryDtls/TxDtls"))
	entry.Below = slices.DeleteFunc(entry.Below, func(child *element) bool { return child.Name == "NtryDtls" }) // which may be many
	amounts := splitEntryAmount(payments, amount, currency)
	if len(payments) > 1 && amounts == nil {
		reader.statement.warn("%s sums up %d payments whose amounts do not make up its own: it is kept as one, without who was paid", path, len(payments))
	}
	if amounts == nil {
		one := &element{}
		if len(payments) == 1 {
			one = payments[0].Element
		}
		if reader.file.takeRoomForMovement(&reader.room) {
			movement := reader.makeMovement(entry, one, path)
			movement.Fields.setIfAbsent(TransactionID, entry.FirstText("AcctSvcrRef"))
			if ok {
				movement.Fields.setIfAbsent(Amount, amount)
			}
			if len(payments) > 1 {
				movement.Fields["payments"] = float64(len(payments))
			}
			reader.statement.Movements = append(reader.statement.Movements, movement)
		}
		return
	}
	for index, payment := range payments {
		if !reader.file.takeRoomForMovement(&reader.room) {
			return
		}
		movement := reader.makeMovement(entry, payment.Element, fmt.Sprintf("%s/TxDtls[%d]", path, index+1))
		movement.Fields.setIfAbsent(Amount, amounts[index])
		movement.Fields.setIfAbsent("batch_reference", entry.FirstText("AcctSvcrRef", "NtryRef"))
		reader.statement.Movements = append(reader.statement.Movements, movement)
	}
}

// splitEntryAmount returns the signed amounts of an entry's payments; nil when there are fewer than two
// or they do not make up the entry.
func splitEntryAmount(payments []xmltree.Found, whole float64, currency string) []float64 {
	if len(payments) < 2 {
		return nil
	}
	amounts, sum := make([]float64, len(payments)), int64(0)
	for index, payment := range payments {
		written := payment.FindFirst("Amt")
		for _, path := range []string{"AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"} {
			if written.Text == "" {
				written = payment.FindFirst(path)
			}
		}
		amount, ok := parseDecimal(written.Text)
		if !ok || written.Attribute("Ccy") != currency {
			return nil
		}
		if side := payment.FirstText("CdtDbtInd"); side == "DBIT" || (side == "" && whole < 0) {
			amount = -amount
		}
		amounts[index] = amount
		sum += toTenThousandths(amount)
	}
	if sum != toTenThousandths(whole) {
		return nil
	}
	return amounts
}

func (reader *camtReader) makeMovement(entry, payment *element, path string) Movement {
	fields := Fields{}
	fields.setIfAbsent(Currency, entry.FindFirst("Amt").Attribute("Ccy"))
	fields.setIfAbsent(BookingDate, parseISODay(entry.FirstText("BookgDt/Dt", "BookgDt/DtTm")))
	fields.setIfAbsent(Time, parseTimeUnlessMidnight(entry.FirstText("BookgDt/DtTm")))
	fields.setIfAbsent(ValueDate, parseISODay(entry.FirstText("ValDt/Dt", "ValDt/DtTm")))
	fields.setIfAbsent(TransactionID, payment.FirstText("Refs/AcctSvcrRef"))
	endToEnd := dropPlaceholderReference(payment.FirstText("Refs/EndToEndId"))
	fields.setIfAbsent(Reference, payment.FirstText("RmtInf/Strd/CdtrRefInf/Ref"))
	fields.setIfAbsent(Reference, endToEnd)
	fields.setIfAbsent("end_to_end_id", endToEnd)
	fields.setIfAbsent("mandate_reference", payment.FirstText("Refs/MndtId"))
	fields.setOriginalAmount(payment.FindFirst("AmtDtls/InstdAmt/Amt"), entry.FindFirst("Amt").Attribute("Ccy"))
	fields.setOriginalAmount(payment.FindFirst("Amt"), entry.FindFirst("Amt").Attribute("Ccy"))
	var purpose []string
	for _, line := range payment.FindAll(xmltree.ParseSteps("RmtInf/Ustrd")) {
		purpose = append(purpose, line.Value)
	}
	fields.setIfAbsent(Description, strings.Join(purpose, " "))
	fields.setIfAbsent(Description, payment.FirstText("AddtlTxInf"))
	fields.setIfAbsent(Description, entry.FirstText("AddtlNtryInf"))
	fields.setIfAbsent("information", entry.FirstText("AddtlNtryInf"))
	fields.setIfAbsent(Type, bookingCode(entry.FindFirst("BkTxCd")))
	reversal := entry.FirstText("RvslInd") == "true" || entry.FirstText("RvslInd") == "1"
	out := entry.FirstText("CdtDbtInd") == "DBIT"
	fields.setCounterparty(payment, out != reversal) // what is turned back keeps its parties
	if own := entry.Parent.FindFirst("Acct"); reversal && fields[Counterparty] == nil && fields[CounterpartyIBAN] == nil {
		fields.setCounterparty(payment, out) // some banks name who the money comes from now
		isOwn := func(name, path string) bool { return fields[name] != nil && fields.text(name) == own.FirstText(path) }
		if isOwn(Counterparty, "Ownr/Nm") || isOwn(CounterpartyIBAN, "Id/IBAN") {
			for _, name := range []string{Counterparty, CounterpartyIBAN, CounterpartyAccount, CounterpartyBIC} {
				delete(fields, name)
			}
		}
	}
	status := entry.FirstText("Sts/Cd", "Sts")
	pending := status == "PDNG" || status == "INFO"
	if pending {
		fields.setIfAbsent(Status, map[string]string{"PDNG": "pending", "INFO": "information"}[status])
	}
	if reversal {
		fields.setIfAbsent("reversal", true)
	}
	return Movement{Place: Place{Element: path}, Fields: fields, Pending: pending}
}

// dropPlaceholderReference returns a reference that says something.
func dropPlaceholderReference(text string) string {
	if isListedWord("no reference", text) || strings.Trim(text, "0-. ") == "" {
		return ""
	}
	return text
}

// setOriginalAmount keeps an amount that was paid in another currency than the account's.
func (fields Fields) setOriginalAmount(of *element, currency string) {
	amount, ok := parseDecimal(of.Text)
	if _, known := fields["original_amount"]; ok && !known && of.Attribute("Ccy") != "" && of.Attribute("Ccy") != currency {
		fields.setIfAbsent("original_amount", amount)
		fields.setIfAbsent("original_currency", of.Attribute("Ccy"))
	}
}

// bookingCode is the kind of a booking: what the bank calls it, else the code of ISO 20022.
func bookingCode(of *element) string {
	if code := of.FirstText("Domn/Fmly/SubFmlyCd"); code != "" {
		return of.FirstText("Domn/Cd") + "-" + of.FirstText("Domn/Fmly/Cd") + "-" + code
	}
	return of.FirstText("Prtry/Cd")
}

// setCounterparty sets the other side: who receives what goes out, who sends what comes in.
func (fields Fields) setCounterparty(payment *element, out bool) {
	party, account, agent := "Dbtr", "DbtrAcct", "DbtrAgt"
	if out {
		party, account, agent = "Cdtr", "CdtrAcct", "CdtrAgt"
	}
	related := payment.FindFirst("RltdPties")
	fields.setIfAbsent(Counterparty, related.FirstText(party+"/Nm", party+"/Pty/Nm", "Ultmt"+party+"/Nm", "Ultmt"+party+"/Pty/Nm"))
	fields.setIBANOrAccountNumber(related.FirstText(account+"/Id/IBAN", account+"/Id/Othr/Id"), CounterpartyIBAN, CounterpartyAccount)
	fields.setIfAbsent(CounterpartyBIC, payment.FirstText("RltdAgts/"+agent+"/FinInstnId/BICFI", "RltdAgts/"+agent+"/FinInstnId/BIC"))
}

// parseTimeUnlessMidnight is the time of day of a moment, unless it is midnight, which stands for none.
func parseTimeUnlessMidnight(text string) string {
	if clock := value.TimeOf(text); !strings.HasPrefix(clock, "00:00:00") {
		return clock
	}
	return ""
}
