package payloads

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"toolkit/store"
)

// Intake puts what other families bring into the payload store: as records, by
// the rules that records of every origin follow, and where asked for with the
// entities they speak of. It works inside the caller's transaction.
type Intake struct {
	// Vectors are kept up to date with what is taken in; nil: by words only.
	Vectors Vectors
}

func (i Intake) family() *family { return &family{vectors: i.Vectors} }

// Add stores a record, or brings the one of the same id up to date: fields that
// the new properties have replace the old, others stay. With entities it is
// compiled like a submitted document. It reports whether the record is new, or
// else whether it changed.
func (i Intake) Add(tx *store.Tx, r store.Record, observedAt int64, entities bool) (created, changed bool, err error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return false, false, err
	}
	old, known, err := tx.RecordByID(r.ID)
	if err != nil {
		return false, false, err
	}
	if known {
		changed, err = i.family().amend(tx, old, properties, observedAt, entities)
		return false, changed, err
	}
	r.FileURLs = nonNil(r.FileURLs)
	d := document{Record: r, Properties: properties}
	if entities {
		d = recordDocument(r, properties)
		d.ObservedAt = min(observedAt, r.CreatedAt)
	}
	return true, false, i.family().ingest(tx, d, r.CreatedAt)
}

// Amend sets properties of a record that is there; of one that is not it says
// false.
func (i Intake) Amend(tx *store.Tx, id string, properties json.RawMessage, observedAt int64) (changed bool, err error) {
	given, err := decodeObject(properties)
	if err != nil {
		return false, err
	}
	r, known, err := tx.RecordByID(id)
	if err != nil || !known {
		return false, err
	}
	return i.family().amend(tx, r, given, observedAt, r.Entity != 0)
}

func (f *family) amend(tx *store.Tx, r store.Record, given object, observedAt int64, entities bool) (bool, error) {
	old, err := decodeObject(r.Properties)
	if err != nil {
		return false, fmt.Errorf("record %s: %w", r.ID, err)
	}
	merged := maps.Clone(old)
	maps.Copy(merged, facts(given))
	if string(canonical(merged, exact)) == string(canonical(old, exact)) {
		return false, nil
	}
	before := recordIndex(r.Type, old)
	r.Properties, r.UpdatedAt = encodeJSON(merged), max(r.UpdatedAt, observedAt)
	if err := tx.UpdateRecord(r, before, recordIndex(r.Type, merged)); err != nil {
		return true, err
	}
	if err := f.enter(tx, r); err != nil || !entities {
		return true, err
	}
	return true, restate(tx, r, merged, observedAt)
}

// restate observes what a changed record now says. Of itself it speaks each
// time; another entity is observed only when something new is said of it.
func restate(tx *store.Tx, r store.Record, properties object, observedAt int64) error {
	d := recordDocument(r, properties)
	d.ObservedAt = observedAt
	for _, s := range d.Statements {
		e, err := tx.EnsureTruthEntity(s.EntityID, s.EntityType)
		if err != nil {
			return err
		}
		c := d.claim(e, r.Seq, s)
		if s.Role != selfRole {
			earlier, err := tx.RecordObservations(r.Seq, e.Seq)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(earlier, func(o store.TruthObservation) bool { return o.Digest == digestOf(c.Fields) }) {
				continue
			}
		}
		if _, err := assert(tx, c, observedAt); err != nil {
			return err
		}
	}
	return nil
}
