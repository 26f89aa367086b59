package entities

import (
	"encoding/json"
	"maps"
	"slices"

	"toolkit/internal/language"
	"toolkit/store/entities"
)

// suggestDuplicates says which companies or people may be the same as one: of one name in
// another spelling, or of the same tax number, account, mail address or telephone.
func suggestDuplicates(tx entities.Rows, e entities.Entity) ([]suggestion, error) {
	var found map[int64]string
	var err error
	switch {
	case e.Type == companyType:
		found, err = findSimilarCompanies(tx, e)
	case slices.Contains(personTypes, e.Type):
		found, err = findSimilarPersons(tx, e)
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
	found, err := findSimilarNames(tx, e)
	if err != nil {
		return nil, err
	}
	documents, err := readKnown(tx.Neighbours(e.Root, entities.Inbound, refersToType, maxLinkCandidates))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, d := range documents {
		role := parseRole(d.Metadata)
		for _, field := range companyEvidence[role] {
			if key := field + "=" + compactNumber(d.values[field]); d.values[field] != nil && !seen[key] {
				seen[key] = true
				if err := addSharing(tx, d.Type, role, field, d.values[field], found); err != nil {
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

// addSharing adds the companies of a role on documents that hold the same value.
func addSharing(tx entities.Rows, documentType, role, field string, shared any, found map[int64]string) error {
	documents, err := tx.FindByValues(documentType, []int64{valueKey(field, shared)}, maxLinkCandidates)
	if err != nil {
		return err
	}
	for _, d := range documents {
		companies, err := tx.Neighbours(d.Seq, entities.Outbound, refersToType, maxLinkCandidates)
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

// findSimilarNames finds companies whose names differ by a missing legal form or one letter, if at all.
// Of two legal forms that differ it says nothing: these are two companies.
func findSimilarNames(tx entities.Rows, e entities.Entity) (map[int64]string, error) {
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

// findSimilarPersons finds people who can be reached in the same way.
func findSimilarPersons(tx entities.Rows, e entities.Entity) (map[int64]string, error) {
	person, _, err := loadKnown(tx, e)
	if err != nil {
		return nil, err
	}
	allItems := contactKeys(person.values)
	keys := make([]int64, len(allItems))
	for i, by := range allItems {
		keys[i] = valueKey(reachPath, by)
	}
	found := map[int64]string{}
	others, err := tx.FindByValues(e.Type, keys, maxLinkCandidates)
	for _, other := range others {
		found[other.Seq] = "both have the same mail address or telephone number"
	}
	return found, err
}
