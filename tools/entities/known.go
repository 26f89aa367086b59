package entities

import (
	"fmt"

	"toolkit/store/entities"
)

// knownEntity is an entity with what is known of it.
type knownEntity struct {
	entities.KnownEntity
	state  state
	values object // that stand
}

// readKnown reads what is known of the entities that the store returned.
func readKnown(list []entities.KnownEntity, err error) ([]knownEntity, error) {
	if err != nil {
		return nil, err
	}
	known := make([]knownEntity, len(list))
	for i, e := range list {
		current, err := parseState(e.State)
		if err != nil {
			return nil, fmt.Errorf("entity %s: %w", e.ID, err)
		}
		known[i] = knownEntity{e, current, current.values()}
	}
	return known, nil
}

// loadKnown reads what is known of the entity that holds the observations of one; false:
// nothing is.
func loadKnown(tx entities.Rows, e entities.Entity) (knownEntity, bool, error) {
	list, err := readKnown(tx.KnownEntities([]int64{e.Root}))
	if err != nil || len(list) == 0 {
		return knownEntity{}, false, err
	}
	return list[0], true, nil
}

// loadOfType reads what is known of up to limit entities of a type, the last observed first.
func loadOfType(tx entities.Rows, entityType string, limit int) ([]knownEntity, error) {
	found, _, err := tx.Find(entities.EntityFilter{Types: []string{entityType}}, limit, 0)
	if err != nil {
		return nil, err
	}
	rows := make([]int64, len(found))
	for i, e := range found {
		rows[i] = e.Seq
	}
	return readKnown(tx.KnownEntities(rows))
}
