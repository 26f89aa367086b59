package entities

import (
	"slices"

	"toolkit/store"
	"toolkit/store/entities"
)

// UnlinkedCreditNote is the warning of a credit note whose invoice is not stored yet.
const UnlinkedCreditNote = "credited_invoice names no invoice of this vendor that is stored; the credit note is related to it once it is"

// IsCreditNoteLinked reports whether nothing is left to say of the invoice of a credit note: another file may have
// brought it since.
func IsCreditNoteLinked(tx *store.Tx, id string) (bool, error) {
	note, err := resolveEntity(entities.In(tx), entityIDValue(id), "entity_id")
	if err != nil {
		return false, err
	}
	warning, err := warnUnlinkedCreditNote(entities.In(tx), note.state.currentValues())
	return warning == "", err
}

// warnUnlinkedCreditNote says why a credit note is not related to its invoice; empty: it is, or
// names none.
func warnUnlinkedCreditNote(tx entities.Rows, values object) (string, error) {
	if values["credited_invoice"] == nil {
		return "", nil
	}
	invoices, err := findCreditedInvoices(tx, values)
	switch {
	case err != nil || len(invoices) == 1:
		return "", err
	case len(invoices) == 0:
		return UnlinkedCreditNote, nil
	}
	return "credited_invoice names several stored invoices of this vendor; none was related: relate the right one with " + relateName, nil
}

// warnSimilarReceipt says that another receipt of the vendor has the day and the amount of one, and nothing tells
// the two apart; empty: there is none.
func warnSimilarReceipt(tx entities.Rows, receipt knownEntity) (string, error) {
	day := firstText(receipt.values, "date")
	if day == "" || receipt.values["amount"] == nil {
		return "", nil
	}
	others, err := findDocumentsOfVendor(tx, receiptType, hashValue("amount", receipt.values["amount"]), receipt.values)
	for _, other := range others {
		differs := slices.ContainsFunc([]string{"receipt_number", "time"}, func(field string) bool {
			a, b := firstText(receipt.values, field), firstText(other.values, field)
			return a != "" && b != "" && a != b
		})
		if other.Root != receipt.Root && !differs && firstText(other.values, "date") == day {
			return "another stored receipt of this vendor has the same day and amount; if it is the same one, join the two with " + mergeName, err
		}
	}
	return "", err
}

// findOpenLinks says which links of documents that came in are left to a person, which credit notes are
// not related to their invoices, and which receipts may be stored already.
func findOpenLinks(tx entities.Rows, documents []entities.Entity) (suggestions []suggestion, warnings []string, err error) {
	for _, e := range documents {
		if len(suggestions) < maxSuggestions {
			list, err := suggestSettlements(tx, e)
			if err != nil {
				return nil, nil, err
			}
			suggestions = append(suggestions, list...)
		}
		if e.Type != creditNoteType && e.Type != receiptType {
			continue
		}
		one, _, err := loadKnownEntity(tx, e)
		if err != nil {
			return nil, nil, err
		}
		warning, err := warnUnlinkedCreditNote(tx, one.values)
		if e.Type == receiptType {
			warning, err = warnSimilarReceipt(tx, one)
		}
		if err != nil {
			return nil, nil, err
		}
		if warning != "" && !slices.Contains(warnings, warning) {
			warnings = append(warnings, warning)
		}
	}
	return suggestions, warnings, nil
}
