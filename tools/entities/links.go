package entities

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/language"
	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// Types of relationships that documents say, and of entities that have them.
const (
	correctsType = "CORRECTS"
	settlesType  = "SETTLES"

	invoiceType     = "invoice"
	transactionType = "transaction"
	creditNoteType  = documents.KindCreditNote
	receiptType     = documents.KindReceipt
)

// partyTypes are the documents that are related to the parties they name.
var partyTypes = []string{invoiceType, creditNoteType, receiptType, "contract"}

// linkDocument relates a document to what it names: to its parties, and a credit note to its
// invoice, whichever of the two came first. The statements are identified.
func linkDocument(tx entities.Rows, record int64, statements []statement) error {
	if len(statements) == 0 || statements[0].Role != selfRole {
		return nil
	}
	self := statements[0].entity
	if slices.Contains(partyTypes, self.Type) {
		var parties []entities.Relationship
		for _, s := range statements[1:] {
			if isPartyType(s.EntityType) && s.entity.Root != self.Root {
				parties = append(parties, makeRelationship(refersToType, self, s.entity, object{"role": partyRole(s.Role)}))
			}
		}
		if err := tx.AddRelationships(parties, record); err != nil {
			return err
		}
	}
	switch self.Type {
	case creditNoteType:
		return linkCreditNote(tx, self)
	case invoiceType:
		return linkCreditNotesFor(tx, self, statements[0].Fields)
	}
	return nil
}

// partyRole is what a company is to a document, by the field that names it.
func partyRole(field string) string {
	if field == "parties" {
		return "party"
	}
	return strings.TrimSuffix(field, "_name")
}

func makeRelationship(relationshipType string, source, target entities.Entity, metadata object) entities.Relationship {
	r := entities.Relationship{ID: relationshipID(relationshipType, source.ID, target.ID), Type: relationshipType, Source: source, Target: target}
	if len(metadata) > 0 {
		r.Metadata = encodeJSON(metadata)
	}
	return r
}

// relinkRecord takes back what a stored record says of relationships and says what it says now: of the parties
// that the user corrected, what the user said.
func relinkRecord(tx *store.Tx, r records.Record) error {
	if r.Entity == 0 {
		return nil
	}
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return err
	}
	rows := entities.In(tx)
	self, err := rows.ByRow(r.Entity)
	if err != nil || !slices.Contains(partyTypes, self.Type) {
		return err
	}
	known, err := loadEntityState(rows, self)
	if err != nil {
		return err
	}
	for _, party := range capabilityForType(self.Type).Extract {
		if known.state.isCorrected(party.Field) {
			properties[party.Field] = decodeValue(known.state.currentClaim(party.Field).encodeValue())
		}
	}
	statements := newRecordDocument(r, properties).Statements
	if len(statements) == 0 {
		return nil
	}
	if err := resolveOrAddEntities(rows, statements[1:], r.ID); err != nil {
		return err
	}
	statements[0].entity = self
	invoices, err := rows.WithdrawRelationshipSource(r.Seq, r.Entity)
	if err != nil {
		return err
	}
	if err := linkDocument(rows, r.Seq, statements); err != nil {
		return err
	}
	return updateInvoiceStatuses(rows, invoices)
}

// relinkRecords relates documents again to what they name.
func relinkRecords(tx *store.Tx, documents []int64) error {
	list, err := records.In(tx).ByRows(documents)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := relinkRecord(tx, r); err != nil {
			return err
		}
	}
	return nil
}

// Paths of values that are derived for the index: numbers as they are compared.
const (
	numberPath    = "#number"
	creditedPath  = "#credited"
	referencePath = "#reference"
	payablePath   = "#payable"
	paidPath      = "#paid"
	reachPath     = "#reach" // of people
)

// hashLinkingValues returns the hashed values by which documents that belong together are found.
func hashLinkingValues(entityType string, values object) (keys []int64) {
	switch entityType {
	case invoiceType:
		if n := compactDocumentNumber(values["invoice_number"]); n != "" {
			keys = append(keys, hashValue(numberPath, n))
		}
		for _, p := range listPayableAmounts(values) {
			if key := hashAmount("amount", p.amount); key != hashValue("amount", values["amount"]) {
				keys = append(keys, hashAmount(payablePath, p.amount))
			}
		}
	case creditNoteType:
		if n := compactDocumentNumber(values["credited_invoice"]); n != "" {
			keys = append(keys, hashValue(creditedPath, n))
		}
	case transactionType:
		for _, n := range extractReferenceNumbers(values) {
			keys = append(keys, hashValue(referencePath, n))
		}
		if a := parseAmount(values["amount"]); a != nil {
			keys = append(keys, hashAmount(paidPath, new(big.Rat).Abs(a)))
		}
	}
	if slices.Contains(personTypes, entityType) {
		for _, by := range contactKeys(values) {
			keys = append(keys, hashValue(reachPath, by))
		}
	}
	return keys
}

// compactDocumentNumber is a document's number without what writers put between its letters and
// digits; empty when it has no digit.
func compactDocumentNumber(v any) string {
	text := normalizeValue("", v)
	number := language.KeepRunes(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if strings.IndexFunc(number, unicode.IsDigit) < 0 {
		return ""
	}
	return number
}

// maxLinkCandidates bounds the documents that are compared with one.
const maxLinkCandidates = 50

// linkCreditNote relates a credit note to the one stored invoice that it names, and to
// none when it names none or several.
func linkCreditNote(tx entities.Rows, note entities.Entity) error {
	known, is, err := loadKnownEntity(tx, note)
	if err != nil || !is {
		return err
	}
	invoices, err := findCreditedInvoices(tx, known.values)
	if err != nil {
		return err
	}
	left, err := tx.DeleteDerivedRelationships(note.Root, correctsType)
	if err != nil {
		return err
	}
	if len(invoices) == 1 && invoices[0].Root != note.Root {
		facts, err := tx.RecordsOfEntity(note.Root, maxLinkCandidates)
		if err != nil {
			return err
		}
		for _, record := range facts {
			if err := tx.AddRelationships([]entities.Relationship{makeRelationship(correctsType, note, invoices[0].Entity, nil)}, record); err != nil {
				return err
			}
		}
		left = append(left, invoices[0].Root)
	}
	return updateInvoiceStatuses(tx, left)
}

// findCreditedInvoices returns the stored invoices of a credit note's vendor that have the number it names.
func findCreditedInvoices(tx entities.Rows, note object) ([]knownEntity, error) {
	number := compactDocumentNumber(note["credited_invoice"])
	if number == "" {
		return nil, nil
	}
	return findDocumentsOfVendor(tx, invoiceType, hashValue(numberPath, number), note)
}

// findDocumentsOfVendor returns the documents of a type that hold a value and have the vendor of another.
func findDocumentsOfVendor(tx entities.Rows, entityType string, key int64, other object) ([]knownEntity, error) {
	list, err := parseKnownEntities(tx.FindEntitiesByValues(entityType, []int64{key}, maxLinkCandidates))
	return slices.DeleteFunc(list, func(e knownEntity) bool { return !isSameVendor(e.values, other) }), err
}

// isSameVendor compares by tax number where both have one, else by name.
func isSameVendor(a, b object) bool {
	x, y := compactDocumentNumber(a["vendor_tax_id"]), compactDocumentNumber(b["vendor_tax_id"])
	if x != "" && y != "" {
		return x == y
	}
	name := normalizeValue("company", a["vendor_name"])
	return name != "" && name == normalizeValue("company", b["vendor_name"])
}

// linkCreditNotesFor looks again at the credit notes that name an invoice.
func linkCreditNotesFor(tx entities.Rows, invoice entities.Entity, values object) error {
	number := compactDocumentNumber(values["invoice_number"])
	if number == "" {
		return nil
	}
	notes, err := findDocumentsOfVendor(tx, creditNoteType, hashValue(creditedPath, number), values)
	if err != nil {
		return err
	}
	for _, note := range notes {
		if err := linkCreditNote(tx, note.Entity); err != nil {
			return err
		}
	}
	return nil
}

const (
	// maxReferenceWords is how many words of a text together may be a number: "RE 2025 001".
	maxReferenceWords = 4
	// maxReferences bounds the numbers that are taken from one payment.
	maxReferences = 40
	// minReferenceLength is the letters and digits of a number at least, for a text to name
	// it: "12" stands in too many.
	minReferenceLength = 4
)

// extractReferenceNumbers returns the numbers that a payment's text may name, as they are compared.
func extractReferenceNumbers(values object) (list []string) {
	for _, field := range []string{"reference", "description"} {
		text, _ := values[field].(string)
		words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:#+&()", r) })
		for from := range words {
			for n := 1; n <= maxReferenceWords && from+n <= len(words) && len(list) < maxReferences; n++ {
				list = appendReferenceNumber(list, strings.Join(words[from:from+n], ""))
			}
			for _, piece := range strings.Split(words[from], "/") {
				list = appendReferenceNumber(list, piece)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func appendReferenceNumber(list []string, text string) []string {
	if number := compactDocumentNumber(text); isReferenceNumber(number) {
		return append(list, number)
	}
	return list
}

// isReferenceNumber reports whether a number is long enough to be told in a text, and no year.
func isReferenceNumber(number string) bool {
	if len(number) < minReferenceLength {
		return false
	}
	return len(number) > 4 || filterDigits(number) != number || number[:2] != "19" && number[:2] != "20"
}

// suggestDuplicates says which companies or people may be the same as one: of one name in
// another spelling, or of the same tax number, account, mail address or telephone.
func suggestDuplicates(tx entities.Rows, e entities.Entity) ([]suggestion, error) {
	var found map[int64]string
	var err error
	switch {
	case e.Type == companyType, e.Type == openType:
		found, err = findSimilarCompanies(tx, e)
	case slices.Contains(personTypes, e.Type):
		found, err = findPersonsSharingContact(tx, e)
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	delete(found, e.Root)
	entityList, err := tx.KnownEntities(slices.Sorted(maps.Keys(found)))
	list := make([]suggestion, len(entityList))
	for i, other := range entityList {
		list[i] = suggestion{RelationshipType: duplicateOfType, SourceEntityID: other.ID, TargetEntityID: e.ID, Reason: found[other.Seq]}
	}
	return list[:min(len(list), maxSuggestions)], err
}

const duplicateOfType = "DUPLICATE_OF"

// findSimilarCompanies finds companies by name, and by what invoices say of them.
func findSimilarCompanies(tx entities.Rows, e entities.Entity) (map[int64]string, error) {
	found, err := findSimilarlyNamed(tx, e)
	if err != nil {
		return nil, err
	}
	documents, err := parseKnownEntities(tx.RelatedEntities(e.Root, entities.Inbound, refersToType, maxLinkCandidates))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, d := range documents {
		role := parseRole(d.Metadata)
		for _, field := range companyEvidence[role] {
			if key := field + "=" + compactDocumentNumber(d.values[field]); d.values[field] != nil && !seen[key] {
				seen[key] = true
				if err := addCompaniesSharingValue(tx, d.Type, role, field, d.values[field], found); err != nil {
					return nil, err
				}
			}
		}
	}
	return found, nil
}

// companyEvidence are the fields of a document that only one company has, by its role.
var companyEvidence = map[string][]string{"vendor": {"vendor_tax_id", "iban", "vendor_address"}, "customer": {"customer_tax_id", "customer_address"}}

func parseRole(metadata []byte) string {
	var facts struct{ Role string }
	if json.Unmarshal(metadata, &facts) != nil {
		return ""
	}
	return facts.Role
}

// addCompaniesSharingValue adds the companies of a role on documents that hold the same value.
func addCompaniesSharingValue(tx entities.Rows, documentType, role, field string, shared any, found map[int64]string) error {
	documents, err := tx.FindEntitiesByValues(documentType, []int64{hashValue(field, shared)}, maxLinkCandidates)
	if err != nil {
		return err
	}
	for _, d := range documents {
		companies, err := tx.RelatedEntities(d.Seq, entities.Outbound, refersToType, maxLinkCandidates)
		if err != nil {
			return err
		}
		for _, c := range companies {
			if parseRole(c.Metadata) == role {
				found[c.Seq] = "documents give both the same " + field
			}
		}
	}
	return nil
}

// findSimilarlyNamed finds companies whose names differ by a missing legal form or one letter, if at all.
// Of two legal forms that differ it says nothing: these are two companies.
func findSimilarlyNamed(tx entities.Rows, e entities.Entity) (map[int64]string, error) {
	found := map[int64]string{}
	stem, form := language.SplitLegalForm(e.Name)
	runes := []rune(stem)
	if len(runes) < 3 {
		return found, nil
	}
	start := string(runes[:max(3, len(runes)/2)])
	near, err := tx.FindByNameRange(e.Type, start, start+"\U0010ffff", maxLinkCandidates)
	if err != nil {
		return nil, err
	}
	for _, other := range near {
		theirs, theirForm := language.SplitLegalForm(other.Name)
		switch {
		case other.Seq == e.Root || form != nil && theirForm != nil && form != theirForm && !(form.Silent && theirForm.Silent):
		case theirs == stem:
			found[other.Seq] = "the names are the same, but perhaps for a legal form that one of them lacks"
		case len(runes) >= 5 && language.WithinOneEdit(theirs, stem):
			found[other.Seq] = "the names differ by one letter"
		}
	}
	return found, nil
}

// findPersonsSharingContact finds people who can be reached in the same way.
func findPersonsSharingContact(tx entities.Rows, e entities.Entity) (map[int64]string, error) {
	person, _, err := loadKnownEntity(tx, e)
	if err != nil {
		return nil, err
	}
	allItems := contactKeys(person.values)
	keys := make([]int64, len(allItems))
	for i, by := range allItems {
		keys[i] = hashValue(reachPath, by)
	}
	found := map[int64]string{}
	others, err := tx.FindEntitiesByValues(e.Type, keys, maxLinkCandidates)
	for _, other := range others {
		found[other.Seq] = "both have the same mail address or telephone number"
	}
	return found, err
}
