package entities

import (
	"cmp"
	"fmt"
	"strconv"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/value"
	"toolkit/store"
	"toolkit/store/records"

	documents "toolkit/internal/reader"
)

// makeTransactions makes records of the movements of accounts. What tells one from all others
// follows from what it says and not from its file, so that an account exported again, with
// more rows, adds the new ones only:
//
//   - the account and the bank's id of the transaction, where that is one movement's only, with
//     the day and the amount: some banks number the rows of each file from one;
//   - else the account and all that the movement says of itself, and which of several equal
//     ones it is: two equal movements of a day are two.
//
// A running balance and what the row says besides are no part of it: banks and people change
// them afterwards. It is compared where one of two files leaves the day open.
func makeTransactions(content *documents.Content, r *reading) []part {
	r.total = countItems(content)
	var parts []part
	ids, equal := map[string]int{}, map[string]int{}
	for _, record := range content.Records {
		if id, given := record.Fields["transaction_id"].(string); given {
			ids[id]++
		}
	}
	for _, record := range content.Records[:min(len(content.Records), maxFileParts)] {
		properties := toObject(record.Fields)
		cutFields(properties)
		p := part{recordType: transactionType, properties: properties, places: mergeSources(record, properties)}
		id, _ := properties["transaction_id"].(string)
		if ids[id] == 1 {
			p.key = string(canonical([]any{"id", emptyToNil(properties["account"]), id, emptyToNil(properties["date"]), emptyToNil(properties["amount"])}, exact))
			p.bankID = id
		} else {
			facts := string(appendFields(nil, properties, []string{"account", "amount", "counterparty", "currency", "date", "description", "reference", "time", "transaction_id"}, normalised))
			equal[facts]++
			p.key = facts + strconv.Itoa(equal[facts])
		}
		parts = append(parts, p)
	}
	return parts
}

func emptyToNil(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// holdExisting makes an item that another file said before hold this file too. difference says that
// a movement of the same id, but of another day or amount, is known.
func (f *family) holdExisting(tx *store.Tx, p part, id, url string) (known bool, difference string, err error) {
	rows := records.In(tx)
	if p.key == "" {
		return false, "", nil
	}
	r, known, err := rows.ByID(id)
	if err != nil {
		return false, "", err
	}
	if !known && p.bankID != "" {
		if r, known, difference, err = findByBankID(rows, p); err != nil {
			return false, "", err
		}
	}
	if !known {
		if r, known, err = findByOpenDate(rows, p); err != nil {
			return false, "", err
		}
	}
	if !known {
		return false, difference, nil
	}
	if err := holdStoredFiles(rows, r.Seq, []string{url}); err != nil {
		return false, "", err
	}
	return true, "", f.bookPending(tx, r, p)
}

// bookedStatus is the state of a movement that was pending and that a later file, which names no
// states, has among its bookings.
const bookedStatus = "booked"

// bookedFields are what a bank settles only when it books a movement.
var bookedFields = []string{"amount", "balance", "booking_date", "date", "value_date"}

// bookPending gives a movement that was pending the state, the day and the amount with which a
// later file has it.
func (f *family) bookPending(tx *store.Tx, r records.Record, p part) error {
	facts, err := decodeObject(r.Properties)
	if err != nil || !isBooking(p, facts) {
		return err
	}
	now := object{"status": cmp.Or(textOf(p.properties, "status"), bookedStatus)}
	for _, field := range bookedFields {
		if v := p.properties[field]; v != nil && v != facts[field] {
			now[field] = v
		}
	}
	_, err = f.updateFound(tx, r, updateInput{}, now)
	return err
}

// isBooking tells whether a movement was pending and a part of a file is it no more.
func isBooking(p part, facts object) bool {
	return bank.IsPending(textOf(facts, "status")) && !bank.IsPending(textOf(p.properties, "status"))
}

// findByBankID finds the movement with the id, day and amount of a part, or the pending one that
// it books. Of one that has only the id, difference says how the two differ.
func findByBankID(rows records.Rows, p part) (r records.Record, known bool, difference string, err error) {
	filter := records.Filter{Type: commonType(transactionType), Values: []int64{valueKey("transaction_id", p.bankID)}}
	if account := p.properties["account"]; account != nil {
		filter.Values = append(filter.Values, valueKey("account", account))
	}
	found, _, err := rows.Find(filter, maxSameIDs)
	for _, other := range found {
		facts, err := decodeObject(other.Properties)
		if err != nil {
			return r, false, "", err
		}
		if facts["account"] == nil && p.properties["account"] != nil || facts["account"] != nil && p.properties["account"] == nil {
			continue
		}
		day, amount := emptyToNil(facts["date"]), emptyToNil(facts["amount"])
		if day == emptyToNil(p.properties["date"]) && amount == emptyToNil(p.properties["amount"]) {
			return other, true, "", nil
		}
		if isBooking(p, facts) && (amount == emptyToNil(p.properties["amount"]) || facts["description"] != nil && facts["description"] == p.properties["description"]) {
			return other, true, "", nil
		}
		difference = fmt.Sprintf("%s: %v %v, and now %v %v", p.bankID, day, amount, emptyToNil(p.properties["date"]), emptyToNil(p.properties["amount"]))
	}
	return r, false, difference, err
}

// movementFacts are the fields in which a movement equals one that is known by another reading
// of its date.
var movementFacts = []string{"account", "amount", "balance", "counterparty", "currency", "description", "reference"}

// findByOpenDate finds the movement of a part whose date one of two files leaves open: 03/04/2025
// in one is 2025-04-03 in the other. The balance behind it shows that it is the same.
func findByOpenDate(rows records.Rows, p part) (r records.Record, known bool, err error) {
	amount, balance := p.properties["amount"], p.properties["balance"]
	if amount == nil || balance == nil {
		return r, false, nil
	}
	filter := records.Filter{Type: commonType(transactionType), Values: []int64{valueKey("balance", balance), valueKey("amount", amount)}}
	found, _, err := rows.Find(filter, maxSameIDs)
	if err != nil {
		return r, false, err
	}
	facts := string(appendFields(nil, p.properties, movementFacts, normalised))
	for _, other := range found {
		values, err := decodeObject(other.Properties)
		if err != nil {
			return r, false, err
		}
		if string(appendFields(nil, values, movementFacts, normalised)) == facts && isReadingOf(textOf(values, "date"), textOf(p.properties, "date")) {
			return other, true, nil
		}
	}
	return r, false, nil
}

// isReadingOf tells whether one of two dates is open and the other is one of its readings.
func isReadingOf(one, other string) bool {
	for _, dates := range [][2]string{{one, other}, {other, one}} {
		dayFirst, monthFirst := value.ISO(dates[0], value.DayFirst), value.ISO(dates[0], value.MonthFirst)
		if dayFirst != monthFirst && (dates[1] == dayFirst || dates[1] == monthFirst) {
			return true
		}
	}
	return false
}

// maxSameIDs bounds the movements of one id that are compared.
const maxSameIDs = 100
