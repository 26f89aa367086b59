package entities

import (
	"encoding/json"
	"maps"
	"path"
	"slices"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// maxSourcedFields bounds of how many fields of an entity the sources are told at once.
const maxSourcedFields = 200

// FieldSource is where the value that stands of a field was said.
type FieldSource struct {
	Kind    string `json:"kind"` // file, payload, record, update or correction
	File    string `json:"file,omitempty"`
	Stored  bool   `json:"stored,omitempty"` // the file is here and can be opened
	Page    int    `json:"page,omitempty"`
	Line    int    `json:"line,omitempty"`
	Element string `json:"element,omitempty"`
}

// FieldSources returns where the fields of an entity were said, as [provenanceName] tells it
// of each, in as many look-ups as there are sources.
func FieldSources(tx *store.Tx, id string) (map[string]FieldSource, error) {
	s, err := resolve(entities.In(tx), entityIDValue(id), "entity_id")
	if err != nil {
		return nil, err
	}
	var ids []string
	names := slices.Sorted(maps.Keys(s.state))
	for _, name := range names[:min(maxSourcedFields, len(names))] {
		if top := s.state.currentClaim(name); top != nil {
			ids = append(ids, top.sources()[0])
		}
	}
	observations, err := entities.In(tx).ObservationsByID(slices.Compact(slices.Sorted(slices.Values(ids))))
	if err != nil {
		return nil, err
	}
	sources := map[string]observationSource{}
	for _, o := range observations {
		if sources[o.ID], err = readObservationSource(tx, o); err != nil {
			return nil, err
		}
	}
	found := map[string]FieldSource{}
	for _, name := range names {
		if top := s.state.currentClaim(name); top != nil {
			if from, known := sources[top.sources()[0]]; known {
				found[name] = from.fieldSource(name, jsonValue{top.value()})
			}
		}
	}
	return found, nil
}

// observationSource is what is behind an observation.
type observationSource struct {
	FieldSource
	record      records.Record
	isOwnRecord bool // the record is of the entity that was observed
}

func (s observationSource) fieldSource(field string, value jsonValue) FieldSource {
	from := s.FieldSource
	if from.Kind == "file" {
		if at := locationOf(s.record, field, value, s.isOwnRecord); at != nil {
			from.Page, from.Line, from.Element = at.Page, at.Line, at.Element
		}
	}
	return from
}

func readObservationSource(tx *store.Tx, o entities.Observation) (s observationSource, err error) {
	rows := records.In(tx)
	if s.record, err = rows.ByRow(o.Record); err != nil {
		return s, err
	}
	s.isOwnRecord = o.Origin == s.record.Entity
	switch {
	case o.SourcePriority >= correctionPriority:
		s.Kind = "correction"
	case o.Source == fromPayload:
		s.Kind = "payload"
		p, known, err := rows.PayloadByID(o.RecordID)
		if err == nil && known && len(p.SourceRefs) > 0 {
			s.File = path.Base(p.SourceRefs[0])
		}
		return s, err
	case o.SourcePriority > 0:
		s.Kind = "update"
	default:
		s.Kind = "record"
		if s.File, err = FileName(tx, s.record.FileURLs); s.File != "" {
			s.Kind, s.Stored = "file", true
		}
	}
	return s, err
}

// maxFileObservations is how many of the newest observations are looked at for a file.
const maxFileObservations = 5

// Figure is what a document comes to and when: what it says itself, or nothing; and the
// file in which it was said last.
type Figure struct {
	Amount   json.RawMessage `json:"amount,omitempty"`
	Currency string          `json:"currency,omitempty"` // that the source of the amount states
	From     string          `json:"from,omitempty"`     // who made it out
	Date     string          `json:"date,omitempty"`
	File     string          `json:"file,omitempty"`
}

var (
	amountFields = []string{"amount", "net_pay", "total", "amount_due", "closing_balance", "total_value"}
	dateFields   = []string{"date", "start_date", "period_end", "due_date"}
)

// Figures returns the figures of those of some entities that have any.
func Figures(tx *store.Tx, ids []string) (map[string]Figure, error) {
	rows := entities.In(tx)
	found := map[string]Figure{}
	for _, id := range ids {
		e, exists, err := rows.ByID(id)
		if err != nil {
			return nil, err
		}
		if !exists {
			continue
		}
		known, err := loadState(rows, e)
		if err != nil {
			return nil, err
		}
		f := readFigure(known.state)
		if f.File, err = newestFile(tx, e.Root); err != nil {
			return nil, err
		}
		if f.Amount != nil || f.Date != "" || f.File != "" {
			found[id] = f
		}
	}
	return found, nil
}

// newestFile is the name of the file that said something of an entity last; empty: none did
// of late.
func newestFile(tx *store.Tx, root int64) (string, error) {
	observations, err := entities.In(tx).Observations(root, maxFileObservations, 0)
	if err != nil {
		return "", err
	}
	for _, o := range observations {
		s, err := readObservationSource(tx, o)
		if err != nil || s.File != "" {
			return s.File, err
		}
	}
	return "", nil
}

func readFigure(s state) (f Figure) {
	values := s.values()
	f.From, f.Date = textOf(values, "vendor_name"), textOf(values, dateFields...)
	at := slices.IndexFunc(amountFields, func(field string) bool { return parseAmount(values[field]) != nil })
	if at < 0 {
		return f
	}
	amount := s.currentClaim(amountFields[at])
	f.Amount = amount.value()
	if c := s.currentClaim("currency"); c != nil && c.sources()[0] == amount.sources()[0] {
		f.Currency = textOf(values, "currency")
	}
	return f
}
