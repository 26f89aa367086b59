package entities

import (
	"encoding/json"
	"fmt"
	"maps"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

// Intake puts what other families bring into the payload store: as records, by
// the rules that records of every origin follow, and where asked for with the
// entities they speak of. It works inside the caller's transaction.
type Intake struct {
	// Vectors are kept up to date with what is taken in; nil: by words only.
	Vectors Vectors
}

func (i Intake) family() *family { return &family{Deps{Vectors: i.Vectors}} }

// Add stores a record, or brings the one of the same id up to date: fields that
// the new properties have replace the old, but not those that somebody updated
// explicitly; others stay. With entities it is compiled like a submitted
// document. It reports whether the record is new, or else whether it changed, and
// says in words where more weight stands against it, and what it does not say plainly.
func (i Intake) Add(tx *store.Tx, r records.Record, observedAt int64, entityList bool) (created, changed bool, stands []string, err error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return false, false, nil, err
	}
	old, known, err := records.In(tx).ByID(r.ID)
	if err != nil {
		return false, false, nil, err
	}
	unclear := checkReadFields(capabilityOf(r.Type), dropNulls(properties))
	for at := range unclear {
		unclear[at] = r.Type + ": " + unclear[at]
	}
	if known {
		if changed, stands, err = i.family().amend(tx, old, properties, observedAt, entityList); changed {
			stands = append(stands, unclear...)
		}
		return false, changed, stands, err
	}
	r.FileURLs = tools.OrEmpty(r.FileURLs)
	d := document{Record: r, Properties: properties}
	if entityList {
		d = recordDocument(r, properties)
		d.ObservedAt = min(observedAt, r.CreatedAt)
	}
	_, overruled, err := i.family().ingest(tx, d, r.CreatedAt)
	return true, false, append(distinctLines(overruled), unclear...), err
}

// Amend sets properties of a record that is there, as Add does; of one that is
// not it says false.
func (i Intake) Amend(tx *store.Tx, id string, properties json.RawMessage, observedAt int64) (changed bool, stands []string, err error) {
	given, err := decodeObject(properties)
	if err != nil {
		return false, nil, err
	}
	r, known, err := records.In(tx).ByID(id)
	if err != nil || !known {
		return false, nil, err
	}
	return i.family().amend(tx, r, given, observedAt, false)
}

func (f *family) amend(tx *store.Tx, r records.Record, given object, observedAt int64, entityList bool) (changed bool, stands []string, err error) {
	old, err := decodeObject(r.Properties)
	if err != nil {
		return false, nil, fmt.Errorf("record %s: %w", r.ID, err)
	}
	says := maps.Clone(old)
	maps.Copy(says, dropNulls(given))
	if string(canonical(says, exact)) == string(canonical(old, exact)) {
		return false, nil, nil
	}
	merged, err := keepUpdates(entities.In(tx), r, says, old)
	if err != nil {
		return false, nil, err
	}
	if changed = string(canonical(merged, exact)) != string(canonical(old, exact)); changed {
		r.Properties, r.UpdatedAt = encodeJSON(merged), max(r.UpdatedAt, observedAt)
		if err := f.replace(tx, r, r.Type, old, merged); err != nil {
			return true, nil, err
		}
	}
	if !entityList && r.Entity == 0 {
		return changed, nil, nil
	}
	// Of itself a record speaks each time; another entity is observed only when something
	// new is said of it.
	d := recordDocument(r, says)
	d.ObservedAt = observedAt
	overruled, err := d.observeStored(tx, &r, observedAt, func(_ *entityState, s statement, c claim, earlier []entities.Observation) (bool, error) {
		return s.Role != selfRole && c.isRepeated(earlier), nil
	})
	return changed, distinctLines(overruled), err
}

// keepUpdates are the properties that a source gives a record, but for those that
// somebody updated explicitly.
func keepUpdates(tx entities.Rows, r records.Record, says, old object) (object, error) {
	merged := maps.Clone(says)
	if r.Entity == 0 {
		return merged, nil
	}
	observations, err := tx.RecordObservations(r.Seq, r.Entity)
	if err != nil {
		return nil, err
	}
	for _, o := range observations {
		if o.Source != fromUpdate {
			continue
		}
		fields, err := decodeObject(o.Fields)
		if err != nil {
			return nil, err
		}
		for name := range fields {
			if value, known := old[name]; known {
				merged[name] = value
			}
		}
	}
	return merged, nil
}
