package entities

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

// buildSnapshotIndex returns under what an entity in a state can be found.
func buildSnapshotIndex(entityType string, s state) *entities.SnapshotIndex {
	values := s.currentValues()
	name := documentName(capabilityForType(entityType).Title, values, entityType)
	i := &entities.SnapshotIndex{Name: name, NameKey: normalizeEntityName(entityType, name), Words: joinTextsForSearch(values), Values: hashAllValues(values)}
	if keys := hashLinkingValues(entityType, values); len(keys) > 0 {
		i.Values = append(i.Values, keys...)
		slices.Sort(i.Values)
		i.Values = slices.Compact(i.Values)
	}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		text, ok := values[field].(string)
		if at, dated := tools.ParseTime(text); ok && dated && (field == "start" || isDateField(field)) {
			i.Events = append(i.Events, entities.Event{Field: field, At: at})
		}
	}
	return i
}

// isDateField reports whether a field is meant to hold a date.
func isDateField(field string) bool {
	switch field {
	case "date", "due", "deadline":
		return true
	}
	endings := []string{"_date", "_at", "_on", "_time", "Date", "At"}
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(field, end) })
}

// document is a source about to be stored as a record with what it says.
type document struct {
	source
	Record     records.Record
	Properties object      // of the record
	Statements []statement // the document itself first
	Text       string      // of its file, for the full-text index
}

// buildRecordIndex returns under what a record can be found. Where in a file its values
// stand is nothing to look for.
func buildRecordIndex(recordType string, properties object) records.Index {
	if _, placed := properties[sourcesField]; placed {
		properties = maps.Clone(properties)
		delete(properties, sourcesField)
	}
	return records.Index{Types: listMatchingTypes(recordType, properties), Values: hashAllValues(properties), Words: joinTextsForSearch(properties)}
}

// buildRecordIndexWithText returns the index of a stored record with the text of its file.
func buildRecordIndexWithText(tx records.Rows, r records.Record, properties object) (records.Index, error) {
	index := buildRecordIndex(r.Type, properties)
	text, err := tx.FileText(r.Seq)
	if text != "" {
		index.Words += "\n" + text
	}
	return index, err
}

// updateVectors keeps the vectors of a record that was written up to date.
func (f *family) updateVectors(tx *store.Tx, r records.Record) error {
	if f.Vectors == nil {
		return nil
	}
	return f.Vectors.UpdateRecord(tx, r)
}

// updateRecordAndIndex updates a record: what it was, and its files, are kept.
func (f *family) updateRecordAndIndex(tx *store.Tx, r records.Record, formerType string, before, after object) error {
	index, err := buildRecordIndexWithText(records.In(tx), r, after)
	if err != nil {
		return err
	}
	if err := records.In(tx).Update(r, buildRecordIndex(formerType, before), index); err != nil {
		return err
	}
	return f.updateVectors(tx, r)
}

// ingestDocument stores a new document: record, entities, observations, snapshots. It
// returns the record and the fields that did not follow it.
func (f *family) ingestDocument(tx *store.Tx, d document, now int64) (r records.Record, overruled []string, err error) {
	rows := records.In(tx)
	r = d.Record
	index := buildRecordIndex(r.Type, d.Properties)
	if d.Text != "" {
		index.Words += "\n" + d.Text
	}
	if err := resolveOrAddEntities(entities.In(tx), d.Statements, ""); err != nil {
		return r, nil, err
	}
	if len(d.Statements) > 0 && d.Statements[0].Role == selfRole {
		r.Entity = d.Statements[0].entity.Seq
	}
	if r.Seq, err = rows.Insert(r, index); err != nil {
		return r, nil, err
	}
	if err := f.updateVectors(tx, r); err != nil {
		return r, nil, err
	}
	if len(r.FileURLs) > 0 {
		if err := linkStoredFiles(rows, r.Seq, r.FileURLs); err != nil {
			return r, nil, err
		}
	}
	if overruled, err = d.storeObservations(entities.In(tx), r.Seq, now, nil); err != nil {
		return r, nil, err
	}
	return r, overruled, linkDocument(entities.In(tx), r.Seq, d.Statements)
}

// observeAndRelinkRecord observes what a record that is stored says now: of the entity that it is,
// which it stays, and of those found in its fields. A record that was none becomes one.
func (d document) observeAndRelinkRecord(tx *store.Tx, r *records.Record, now int64, skip skipRule) (overruled []string, err error) {
	if len(d.Statements) == 0 {
		return nil, nil
	}
	rows, self, unknown := entities.In(tx), &d.Statements[0], d.Statements
	if r.Entity != 0 {
		if self.entity, err = rows.ByRow(r.Entity); err != nil {
			return nil, err
		}
		unknown = d.Statements[1:]
	}
	if err := resolveOrAddEntities(rows, unknown, r.ID); err != nil {
		return nil, err
	}
	if r.Entity == 0 {
		r.Entity = self.entity.Seq
		if err := records.In(tx).SetEntity(r.Seq, r.Entity); err != nil {
			return nil, err
		}
	}
	if overruled, err = d.storeObservations(rows, r.Seq, now, skip); err != nil {
		return nil, err
	}
	return overruled, relinkRecord(tx, *r)
}

// Intake puts what other families bring into the payload store: as records, by
// the rules that records of every origin follow, and where asked for with the
// entities they speak of. It works inside the caller's transaction.
type Intake struct {
	// Vectors are kept up to date with what is taken in; nil: by words only.
	Vectors Vectors
}

func (i Intake) newFamily() *family { return &family{Deps{Vectors: i.Vectors}} }

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
	unclear := listReadFieldWarnings(capabilityForType(r.Type), dropNulls(properties))
	for at := range unclear {
		unclear[at] = r.Type + ": " + unclear[at]
	}
	if known {
		if changed, stands, err = i.newFamily().amendRecord(tx, old, properties, observedAt, entityList); changed {
			stands = append(stands, unclear...)
		}
		return false, changed, stands, err
	}
	r.FileURLs = tools.OrEmpty(r.FileURLs)
	d := document{Record: r, Properties: properties}
	if entityList {
		d = newRecordDocument(r, properties)
		d.ObservedAt = min(observedAt, r.CreatedAt)
	}
	_, overruled, err := i.newFamily().ingestDocument(tx, d, r.CreatedAt)
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
	return i.newFamily().amendRecord(tx, r, given, observedAt, false)
}

func (f *family) amendRecord(tx *store.Tx, r records.Record, given object, observedAt int64, entityList bool) (changed bool, stands []string, err error) {
	old, err := decodeObject(r.Properties)
	if err != nil {
		return false, nil, fmt.Errorf("record %s: %w", r.ID, err)
	}
	says := maps.Clone(old)
	maps.Copy(says, dropNulls(given))
	if string(encodeCanonicalJSON(says, exact)) == string(encodeCanonicalJSON(old, exact)) {
		return false, nil, nil
	}
	merged, err := preserveUserUpdates(entities.In(tx), r, says, old)
	if err != nil {
		return false, nil, err
	}
	if changed = string(encodeCanonicalJSON(merged, exact)) != string(encodeCanonicalJSON(old, exact)); changed {
		r.Properties, r.UpdatedAt = encodeJSON(merged), max(r.UpdatedAt, observedAt)
		if err := f.updateRecordAndIndex(tx, r, r.Type, old, merged); err != nil {
			return true, nil, err
		}
	}
	if !entityList && r.Entity == 0 {
		return changed, nil, nil
	}
	// Of itself a record speaks each time; another entity is observed only when something
	// new is said of it.
	d := newRecordDocument(r, says)
	d.ObservedAt = observedAt
	overruled, err := d.observeAndRelinkRecord(tx, &r, observedAt, func(_ *entityState, s statement, c claim, earlier []entities.Observation) (bool, error) {
		return s.Role != selfRole && c.isRepeated(earlier), nil
	})
	return changed, distinctLines(overruled), err
}

// preserveUserUpdates are the properties that a source gives a record, but for those that
// somebody updated explicitly.
func preserveUserUpdates(tx entities.Rows, r records.Record, says, old object) (object, error) {
	merged := maps.Clone(says)
	if r.Entity == 0 {
		return merged, nil
	}
	observations, err := tx.ObservationsOfRecord(r.Seq, r.Entity)
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
