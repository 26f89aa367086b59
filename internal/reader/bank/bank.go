// Package bank reads what banks write for machines: camt, MT940 and MT942, OFX, and
// tells whether a table of any bank is a list of movements and which column is what. It knows
// files' texts and cells only; package reader gives it both and makes records of the result.
//
// Readers for these formats were looked for: of those that the module proxy offers, ofxgo is
// under the GPL, has 13,000 lines and refuses a file for one missing element.
package bank

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// Names of the fields of movements and statements that rules are about.
const (
	Date                = "date"
	BookingDate         = "booking_date"
	ValueDate           = "value_date"
	Time                = "time"
	Amount              = "amount" // signed: what goes out is negative
	Currency            = "currency"
	Counterparty        = "counterparty"
	CounterpartyIBAN    = "counterparty_iban"
	CounterpartyAccount = "counterparty_account"
	CounterpartyBIC     = "counterparty_bic"
	Description         = "description"
	Reference           = "reference"
	TransactionID       = "transaction_id"
	Balance             = "balance" // of the account behind a movement
	Account             = "account" // IBAN, else the number
	Type                = "type"
	Status              = "status"

	AccountNumber  = "account_number"
	AccountIBAN    = "iban"
	BIC            = "bic"
	Holder         = "account_holder"
	Institution    = "institution"
	OpeningBalance = "opening_balance"
	ClosingBalance = "closing_balance"
	PeriodStart    = "period_start"
	PeriodEnd      = "period_end"
	Number         = "statement_number"
)

// Fields are the named values of a movement or a statement: texts, numbers, lists.
type Fields map[string]any

// Place is where something stands in a file.
type Place struct {
	Line    int    // of the text, from 1; 0 for an element
	Element string // path of the element, "" for a line
}

// Movement is one booking of an account.
type Movement struct {
	Place
	Fields  Fields
	Pending bool  // in no balance yet, or never
	fee     int64 // that the balances take off besides the amount
}

// Statement is what a file says of one account.
type Statement struct {
	Fields    Fields
	Movements []Movement
	Warnings  []string
	Places    map[string]Place // of balances
	Other     []string         // lines of a list that are no movements
	Owed      bool             // the balances are what is owed
	Misfits   bool             // the balances do not fit the movements
}

// File is what a file of a bank says.
type File struct {
	Statements []Statement
	Warnings   []string
	Truncated  bool // movements beyond the limit were left out
}

// setIfAbsent keeps a value that says something; what was set before stands.
func (fields Fields) setIfAbsent(name string, item any) {
	if text, ok := item.(string); ok && text == "" {
		return
	}
	if _, known := fields[name]; !known {
		fields[name] = item
	}
}

// replace is set, but what was said before gives way.
func (fields Fields) replace(name, text string) {
	if text != "" {
		fields[name] = text
	}
}

func (fields Fields) text(name string) string { text, _ := fields[name].(string); return text }

// number is the value of an amount; false when there is none.
func (fields Fields) number(name string) (float64, bool) {
	number, ok := fields[name].(float64)
	return number, ok
}

// toTenThousandths are ten-thousandths: sums of them are exact.
func toTenThousandths(number float64) int64 { return int64(math.Round(number * 10_000)) }

// completeAndCheckMovements gives the movements what holds for all of them, checks the balances and warns of
// movements without an amount or a day.
func (statement *Statement) completeAndCheckMovements(allRead bool) {
	account := cmp.Or(statement.Fields.text(AccountIBAN), statement.Fields.text(AccountNumber), statement.Fields.text("account_name"))
	missing, undated := 0, 0
	for _, movement := range statement.Movements {
		fields := movement.Fields
		fields.setIfAbsent(Account, account)
		fields.setIfAbsent(Currency, statement.Fields.text(Currency))
		fields.setIfAbsent(Date, fields.text(BookingDate))
		fields.setIfAbsent(Date, fields.text(ValueDate))
		for _, name := range []string{TransactionID, Reference} {
			if dropPlaceholderReference(fields.text(name)) == "" {
				delete(fields, name)
			}
		}
		if _, ok := fields.number(Amount); !ok {
			missing++
		}
		if fields[Date] == nil && !movement.Pending {
			undated++
		}
	}
	if undated > 0 {
		statement.warn("%d movements have no day, or one that is none", undated)
	}
	if missing > 0 {
		statement.warn("%d of %d movements have no amount that can be read", missing, len(statement.Movements))
	}
	statement.useDayBalanceAsClosing()
	if allRead {
		statement.warnOfBalanceMismatch()
	}
}

// useDayBalanceAsClosing takes the balance of a day for the closing one, unless the day lies behind the
// period or movements were booked after it.
func (statement *Statement) useDayBalanceAsClosing() {
	fields := statement.Fields
	balance, known := fields.number(Balance)
	of, ended := fields.text("balance_date"), fields.text(PeriodEnd)
	later := func(movement Movement) bool { return !movement.Pending && movement.Fields.text(Date) > of }
	if !known || of == "" || ended != "" && of > ended || slices.ContainsFunc(statement.Movements, later) {
		return
	}
	delete(fields, Balance)
	delete(fields, "balance_date")
	statement.setBalanceIfAbsent(ClosingBalance, balance, statement.Places[Balance])
}

// warnOfBalanceMismatch compares the closing balance with the opening one and the movements.
func (statement *Statement) warnOfBalanceMismatch() {
	opening, opened := statement.Fields.number(OpeningBalance)
	closing, closed := statement.Fields.number(ClosingBalance)
	if !opened || !closed {
		return
	}
	sum, awaited := int64(0), int64(0) // a few banks print balances that have what is still to come
	for _, movement := range statement.Movements {
		amount, ok := movement.Fields.number(Amount)
		if !ok || movement.Fields.text(Currency) != statement.Fields.text(Currency) {
			return
		}
		if movement.Pending {
			awaited += toTenThousandths(amount) - movement.fee
		} else {
			sum += toTenThousandths(amount) - movement.fee
		}
	}
	if statement.Owed {
		sum, awaited = -sum, -awaited
	}
	if expected := toTenThousandths(opening) + sum; expected != toTenThousandths(closing) && expected+awaited != toTenThousandths(closing) {
		statement.Misfits = true
		statement.warn("the balances do not fit the movements: %.2f at the beginning and %.2f of %d movements make %.2f, and the closing balance is %.2f",
			opening, float64(sum)/10_000, len(statement.Movements), float64(expected)/10_000, closing)
	}
}

// setBalanceIfAbsent keeps a balance and where it stands; one of the name that came before stands.
func (statement *Statement) setBalanceIfAbsent(name string, amount float64, place Place) {
	if _, known := statement.Fields[name]; known {
		return
	}
	if statement.Places == nil {
		statement.Places = map[string]Place{}
	}
	statement.Fields[name], statement.Places[name] = amount, place
}

func (statement *Statement) warn(format string, arguments ...any) {
	statement.Warnings = append(statement.Warnings, fmt.Sprintf(format, arguments...))
}

// Summary is what the statements of a file say together: the fields they agree on, the first
// opening and the last closing balance where one follows the other, and otherwise the list
// of accounts.
func (file File) Summary() Fields {
	summary := Fields{}
	if len(file.Statements) == 0 {
		return summary
	}
	first, last := file.Statements[0].Fields, file.Statements[len(file.Statements)-1].Fields
	for name, item := range first {
		if slices.IndexFunc(file.Statements, func(other Statement) bool { return other.Fields[name] != item }) < 0 {
			summary[name] = item
		}
	}
	if len(file.Statements) == 1 {
		return summary
	}
	if !file.isContinuous() {
		accounts := make([]map[string]any, 0, len(file.Statements))
		for _, statement := range file.Statements {
			accounts = append(accounts, maps.Clone(statement.Fields))
		}
		summary["accounts"] = accounts
		for _, name := range []string{OpeningBalance, ClosingBalance} {
			delete(summary, name) // of one account each
		}
		return summary
	}
	delete(summary, Number)
	for name, of := range map[string]Fields{OpeningBalance: first, PeriodStart: first, ClosingBalance: last, PeriodEnd: last} {
		delete(summary, name)
		if item, known := of[name]; known {
			summary[name] = item
		}
	}
	return summary
}

// PlaceOf is where a balance of the summary stands.
func (file File) PlaceOf(name string) Place {
	if name == OpeningBalance {
		return file.Statements[0].Places[name]
	}
	return file.Statements[len(file.Statements)-1].Places[name]
}

// isContinuous tells whether the statements are those of one account, each opening where the
// one before closed.
func (file File) isContinuous() bool {
	for index, statement := range file.Statements[1:] {
		before, now := file.Statements[index].Fields, statement.Fields
		if before[AccountIBAN] != now[AccountIBAN] || before[AccountNumber] != now[AccountNumber] || before[Currency] != now[Currency] || before[ClosingBalance] != now[OpeningBalance] {
			return false
		}
	}
	return true
}

// takeRoomForMovement takes one more movement, or tells that there are too many.
func (file *File) takeRoomForMovement(room *int) bool {
	if *room--; *room < 0 {
		file.Truncated = true
	}
	return *room >= 0
}

// setIBANOrAccountNumber keeps an account's number as an IBAN when its check digits say that it is one. The currency
// of the account, which may stand behind it, is no part of it.
func (fields Fields) setIBANOrAccountNumber(text, iban, number string) {
	if at := strings.LastIndex(text, " "); at > 0 && value.IsCurrencyCode(text[at+1:]) {
		text = strings.TrimSpace(text[:at])
	}
	if code, ok := value.ParseIBAN(text); ok {
		fields.setIfAbsent(iban, code)
		return
	}
	fields.setIfAbsent(number, text)
}
