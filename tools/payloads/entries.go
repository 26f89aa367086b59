package payloads

import (
	"cmp"
	"math/big"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/records"
	"toolkit/store/truth"
)

// Entry is an invoice, a credit note or a receipt as a ledger counts it. What cannot be
// told is empty or nil; nothing is guessed.
type Entry struct {
	EntityID string
	Type     string // invoice, credit_note or receipt
	Number   string
	Vendor   string   // as its entity is called, else as written
	VendorID string   // entity; of a merged one the one that holds it
	Date     string   // as stated
	Month    string   // of the date, such as 2025-01
	Due      string   // as stated
	Currency string   // as stated, in capitals
	Amount   *big.Rat // gross; of a credit note never above 0
	Status   string   // of an invoice: open, part, overdue, paid or unknown
	Unpaid   *big.Rat // of an invoice
	Source   Source   // of Amount
}

// Source is the document that a number of an Entry comes from, and where it stands there.
type Source struct {
	RecordID   string
	File       string // its name; empty: the document was no file
	FileURL    string
	Page, Line int    // count from 1; 0: unknown
	Element    string // of an e-invoice
}

// entryTypes are the documents that a ledger counts, in its order.
var entryTypes = []string{invoiceType, creditNoteType, "receipt"}

// EachEntry calls f for every invoice, then every credit note and every receipt, each type
// in the order of its last observation. Overdue is reckoned from now. It reads pages of a
// fixed size, so the memory it takes does not grow with the store.
func EachEntry(tx *store.Tx, now time.Time, f func(Entry) error) error {
	for _, entityType := range entryTypes {
		err := eachPage(truth.In(tx), entityType, func(page []truth.Snapshot) error { return entriesOf(tx, page, now, f) })
		if err != nil {
			return err
		}
	}
	return nil
}

// eachPage calls f for the snapshots of a type in the order of their last observation, a page
// at a time.
func eachPage(tx truth.Rows, entityType string, f func(page []truth.Snapshot) error) error {
	for last := (truth.Snapshot{}); ; {
		page, err := tx.SnapshotsOfType(entityType, last, rebuildBatch)
		if err == nil {
			err = f(page)
		}
		if err != nil || len(page) < rebuildBatch {
			return err
		}
		last = page[len(page)-1]
	}
}

func entriesOf(tx *store.Tx, page []truth.Snapshot, now time.Time, f func(Entry) error) error {
	rows := make([]int64, len(page))
	for i, s := range page {
		rows[i] = s.Entity
	}
	states, err := truth.In(tx).InvoiceStatusOf(rows)
	if err != nil {
		return err
	}
	for _, s := range page {
		e, err := entryOf(tx, s)
		if err != nil {
			return err
		}
		if status, known := states[s.Entity]; known {
			e.Status = stateOfPayment(status, now.UnixMilli())
			e.Unpaid, _ = new(big.Rat).SetString(cmp.Or(status.Unpaid, "-"))
		}
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

func entryOf(tx *store.Tx, s truth.Snapshot) (Entry, error) {
	entity, err := truth.In(tx).ByRow(s.Entity)
	if err != nil {
		return Entry{}, err
	}
	current, err := parseState(s.State)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		EntityID: entity.ID, Type: entity.Type, Number: entity.Name, Vendor: current.text("vendor_name"),
		Date: current.text("date"), Due: current.text("due_date"), Currency: strings.ToUpper(current.text("currency")), Amount: current.amount("amount"),
	}
	if at, ok := parseTime(strings.TrimSpace(e.Date)); ok {
		e.Month = time.UnixMilli(at).UTC().Format("2006-01")
	}
	if e.Type == creditNoteType && e.Amount != nil {
		e.Amount = new(big.Rat).Neg(new(big.Rat).Abs(e.Amount))
	}
	if err := e.nameVendor(truth.In(tx), s.Entity); err != nil || e.Amount == nil {
		return e, err
	}
	e.Source, err = sourceOf(tx, entity.ID, "amount")
	return e, err
}

// nameVendor takes the vendor's name from the entity that it is.
func (e *Entry) nameVendor(tx truth.Rows, row int64) error {
	parties, err := tx.Neighbours(row, truth.Outbound, refersTo, mostCandidates)
	if err != nil {
		return err
	}
	for _, p := range parties {
		if roleIn(p.Metadata) == "vendor" {
			e.VendorID, e.Vendor = p.ID, cmp.Or(p.Name, e.Vendor)
			return nil
		}
	}
	return nil
}

// sourceOf is where the value that stands of a field comes from.
func sourceOf(tx *store.Tx, entity, field string) (Source, error) {
	o, err := trace(tx, entityIDValue(entity), field)
	if err != nil {
		return Source{}, err
	}
	s := Source{RecordID: o.record.ID, FileURL: storedFile(o.record)}
	if properties, err := decodeObject(o.record.Properties); err == nil {
		s.File, _ = properties[fileNameField].(string)
	}
	if s.File == "" && s.FileURL != "" { // a row or item of a file
		if blob, known, err := records.In(tx).BlobByHash(s.FileURL[strings.LastIndexByte(s.FileURL, '/')+1:]); err != nil {
			return s, err
		} else if known {
			s.File = blob.Name
		}
	}
	if first := o.observations[0]; first.Source == fromRecord {
		if place := locationOf(o.record, field, o.value, first.Origin == o.record.Entity); place != nil {
			s.Page, s.Line, s.Element = place.Page, place.Line, place.Element
		}
	}
	return s, nil
}
