package entities

import (
	"maps"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

// indexSnapshot is under what an entity in a state can be found.
func indexSnapshot(entityType string, s state) *entities.SnapshotIndex {
	values := s.values()
	name := documentName(capabilityOf(entityType).Title, values, entityType)
	i := &entities.SnapshotIndex{Name: name, NameKey: normaliseName(entityType, name), Words: searchText(values), Values: valueKeys(values)}
	if keys := linkingKeys(entityType, values); len(keys) > 0 {
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

// recordIndex is under what a record can be found. Where in a file its values
// stand is nothing to look for.
func recordIndex(recordType string, properties object) records.Index {
	if _, placed := properties[sourcesField]; placed {
		properties = maps.Clone(properties)
		delete(properties, sourcesField)
	}
	return records.Index{Types: typeKeys(recordType, properties), Values: valueKeys(properties), Words: searchText(properties)}
}

// indexWithText is the index of a stored record with the text of its file.
func indexWithText(tx records.Rows, r records.Record, properties object) (records.Index, error) {
	index := recordIndex(r.Type, properties)
	text, err := tx.Text(r.Seq)
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

// replace updates a record: what it was, and its files, are kept.
func (f *family) replace(tx *store.Tx, r records.Record, formerType string, before, after object) error {
	index, err := indexWithText(records.In(tx), r, after)
	if err != nil {
		return err
	}
	if err := records.In(tx).Update(r, recordIndex(formerType, before), index); err != nil {
		return err
	}
	return f.updateVectors(tx, r)
}

// ingest stores a new document: record, entities, observations, snapshots. It
// returns the record and the fields that did not follow it.
func (f *family) ingest(tx *store.Tx, d document, now int64) (r records.Record, overruled []string, err error) {
	rows := records.In(tx)
	r = d.Record
	index := recordIndex(r.Type, d.Properties)
	if d.Text != "" {
		index.Words += "\n" + d.Text
	}
	if err := identify(entities.In(tx), d.Statements, ""); err != nil {
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
		if err := holdStoredFiles(rows, r.Seq, r.FileURLs); err != nil {
			return r, nil, err
		}
	}
	if overruled, err = d.observe(entities.In(tx), r.Seq, now, nil); err != nil {
		return r, nil, err
	}
	return r, overruled, linkDocument(entities.In(tx), r.Seq, d.Statements)
}

// observeStored observes what a record that is stored says now: of the entity that it is,
// which it stays, and of those found in its fields. A record that was none becomes one.
func (d document) observeStored(tx *store.Tx, r *records.Record, now int64, skip skipRule) (overruled []string, err error) {
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
	if err := identify(rows, unknown, r.ID); err != nil {
		return nil, err
	}
	if r.Entity == 0 {
		r.Entity = self.entity.Seq
		if err := records.In(tx).SetEntity(r.Seq, r.Entity); err != nil {
			return nil, err
		}
	}
	if overruled, err = d.observe(rows, r.Seq, now, skip); err != nil {
		return nil, err
	}
	return overruled, relinkRecord(tx, *r)
}
