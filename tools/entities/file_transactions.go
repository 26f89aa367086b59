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
		truncateFields(properties)
		p := part{recordType: transactionType, properties: properties, places: itemFieldSources(record, properties)}
		id, _ := properties["transaction_id"].(string)
		if ids[id] == 1 {
			p.key = string(encodeCanonicalJSON([]any{"id", nilToEmpty(properties["account"]), id, nilToEmpty(properties["date"]), nilToEmpty(properties["amount"])}, exact))
			p.bankID = id
		} else {
			facts := string(appendCanonicalFields(nil, properties, []string{"account", "amount", "counterparty", "currency", "date", "description", "reference", "time", "transaction_id"}, normalised))
			equal[facts]++
			p.key = facts + strconv.Itoa(equal[facts])
		}
		parts = append(parts, p)
	}
	return parts
}

func nilToEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// addFileToExistingItem makes an item that another file said before hold this file too. difference says that
// a movement of the same id, but of another day or amount, is known.
func (f *family) addFileToExistingItem(tx *store.Tx, p part, id, url string) (known bool, difference string, err error) {
	rows := records.In(tx)
	if p.key == "" {
		return false, "", nil
	}
	r, known, err := rows.ByID(id)
	if err == nil && !known {
		r, known, difference, err = findSameMovement(rows, p)
	}
	if err != nil || !known {
		return false, difference, err
	}
	if err := linkStoredFiles(rows, r.Seq, []string{url}); err != nil {
		return false, "", err
	}
	return true, "", f.bookPendingTransaction(tx, r, p)
}

// bookedStatus is the state of a movement that was pending and that a later file, which names no
// states, has among its bookings.
const bookedStatus = "booked"

// bookedFields are what a bank settles only when it books a movement.
var bookedFields = []string{"amount", "balance", "booking_date", "date", "value_date"}

// bookPendingTransaction gives a movement that was pending the state, the day and the amount with which a
// later file has it.
func (f *family) bookPendingTransaction(tx *store.Tx, r records.Record, p part) error {
	facts, err := decodeObject(r.Properties)
	if err != nil || !isBookingOfPending(p, facts) {
		return err
	}
	now := object{"status": cmp.Or(firstText(p.properties, "status"), bookedStatus)}
	for _, field := range bookedFields {
		if v := p.properties[field]; v != nil && v != facts[field] {
			now[field] = v
		}
	}
	_, err = f.applyUpdate(tx, r, updateInput{}, now)
	return err
}

// isBookingOfPending tells whether a movement was pending and a part of a file is it no more.
func isBookingOfPending(p part, facts object) bool {
	return bank.IsPending(firstText(facts, "status")) && !bank.IsPending(firstText(p.properties, "status"))
}

// findSameMovement finds the movement that a part is in another file: among those of its bank's id, and
// those of its amount and the balance behind it. Of one that has only the id, difference says how
// the two differ.
func findSameMovement(rows records.Rows, p part) (r records.Record, known bool, difference string, err error) {
	var searches [][]int64
	if p.bankID != "" {
		searches = append(searches, []int64{hashValue("transaction_id", p.bankID)})
	}
	if amount, balance := p.properties["amount"], p.properties["balance"]; amount != nil && balance != nil {
		searches = append(searches, []int64{hashValue("balance", balance), hashValue("amount", amount)})
	}
	for _, values := range searches {
		found, _, err := rows.Find(records.Filter{Type: resolveTypeAlias(transactionType), Values: values}, maxSameIDs)
		if err != nil {
			return r, false, "", err
		}
		for _, other := range found {
			facts, err := decodeObject(other.Properties)
			if err != nil {
				return r, false, "", err
			}
			hasID := p.bankID != "" && facts["transaction_id"] == p.bankID && facts["account"] == p.properties["account"]
			if hasID && p.isSameMovement(facts) || p.isSameExceptAmbiguousDate(facts) {
				return other, true, "", nil
			}
			if hasID {
				difference = fmt.Sprintf("%s: %v %v, and now %v %v", p.bankID, nilToEmpty(facts["date"]), nilToEmpty(facts["amount"]), nilToEmpty(p.properties["date"]), nilToEmpty(p.properties["amount"]))
			}
		}
	}
	return r, false, difference, nil
}

// isSameMovement tells whether a part of the id of a movement has its day and amount, or books it.
func (p part) isSameMovement(facts object) bool {
	sameAmount := facts["amount"] == p.properties["amount"]
	return sameAmount && facts["date"] == p.properties["date"] ||
		isBookingOfPending(p, facts) && (sameAmount || facts["description"] != nil && facts["description"] == p.properties["description"])
}

// movementFacts are the fields in which a movement equals one that is known by another reading
// of its date.
var movementFacts = []string{"account", "amount", "balance", "counterparty", "currency", "description", "reference"}

// isSameExceptAmbiguousDate tells whether a part equals a movement but for the day, which one of two files leaves open:
// 03/04/2025 in one is 2025-04-03 in the other. The balance behind it shows that it is the same.
func (p part) isSameExceptAmbiguousDate(facts object) bool {
	return facts["balance"] != nil && isReadingOfAmbiguousDate(firstText(facts, "date"), firstText(p.properties, "date")) &&
		string(appendCanonicalFields(nil, facts, movementFacts, normalised)) == string(appendCanonicalFields(nil, p.properties, movementFacts, normalised))
}

// isReadingOfAmbiguousDate tells whether one of two dates is open and the other is one of its readings.
func isReadingOfAmbiguousDate(one, other string) bool {
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
