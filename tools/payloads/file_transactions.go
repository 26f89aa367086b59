package payloads

import (
	"strconv"

	documents "toolkit/tools/engines/document"
)

// transactionsOf makes records of the movements of accounts. What tells one from all others
// follows from what it says and not from its file, so that an account exported again, with
// more rows, adds the new ones only:
//
//   - the account and the bank's id of the transaction, where that is one movement's only;
//   - else the account and all that the movement says of itself, and which of several equal
//     ones it is: two equal movements of a day are two.
//
// A running balance and what the row says besides are no part of it: banks and people change
// them afterwards.
func transactionsOf(content *documents.Content, r *reading) []part {
	r.total = itemsIn(content)
	var parts []part
	ids, equal := map[string]int{}, map[string]int{}
	for _, record := range content.Records {
		if id, given := record.Fields["transaction_id"].(string); given {
			ids[id]++
		}
	}
	for _, record := range content.Records[:min(len(content.Records), maxFileParts)] {
		properties, err := decodeObject(encodeJSON(record.Fields))
		if err != nil {
			continue
		}
		cutFields(properties)
		p := part{recordType: transactionType, properties: properties, places: standing(record, properties)}
		id, _ := properties["transaction_id"].(string)
		if ids[id] == 1 {
			p.key = string(canonical([]any{"id", orNothing(properties["account"]), id}, exact))
		} else {
			said := string(appendFields(nil, properties, []string{"account", "amount", "counterparty", "currency", "date", "description", "reference", "time", "transaction_id"}, normalised))
			equal[said]++
			p.key = said + strconv.Itoa(equal[said])
		}
		if ids[id] != 1 || properties["account"] != nil { // an id alone is what the capability goes by
			p.entity = p.key
		}
		parts = append(parts, p)
	}
	return parts
}

func orNothing(v any) any {
	if v == nil {
		return ""
	}
	return v
}
