package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

const provenanceName = "get_field_provenance"

type fieldInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Field    string        `json:"field" jsonschema:"required,minLength=1" jsonschema_extras:"also=field_name" jsonschema_description:"Field of the snapshot, such as address"`
}

type provenanceOutput struct {
	Field             string            `json:"field"`
	Value             jsonValue         `json:"value"`
	SourceObservation sourceObservation `json:"source_observation"`
	SourceRecord      sourceRecord      `json:"source_record"`
	ObservedAt        string            `json:"observed_at"`
	SourceLocation    *sourceLocation   `json:"source_location,omitempty" jsonschema_description:"Where in the file the value was read, when it was"`
	ObservationIDs    []string          `json:"observation_ids" jsonschema_description:"All observations the value comes from; several for a merged array"`
}

type sourceObservation struct {
	ID               string  `json:"id"`
	SourceRecordID   string  `json:"source_record_id"`
	SourcePayloadID  *string `json:"source_payload_id" jsonschema:"oneof_type=string;null" jsonschema_description:"null when the source is no payload"`
	ObservedAt       string  `json:"observed_at"`
	SpecificityScore float64 `json:"specificity_score"`
	SourcePriority   int     `json:"source_priority"`
}

type sourceRecord struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	FileURLs  []string `json:"file_urls"`
	CreatedAt string   `json:"created_at"`
	Reason    string   `json:"reason,omitempty" jsonschema_description:"Why it was corrected, as it was given"`
}

// sourceLocation is a place in a file: a page and a line, which count from 1 (0 is unknown), or
// an element of a structured file.
type sourceLocation struct {
	Page    int        `json:"page,omitempty"`
	Line    int        `json:"line,omitempty"`
	Label   string     `json:"label,omitempty" jsonschema_description:"The kind of label that announced the value"`
	Element string     `json:"element,omitempty" jsonschema_description:"Of an e-invoice: the element that says it"`
	Box     *boxOnPage `json:"box,omitempty" jsonschema_description:"Of a PDF: where the value stands on the page, else its line"`
	OCR     bool       `json:"ocr,omitempty" jsonschema_description:"Read from a picture: it may be misread"`
	Text    string     `json:"text,omitempty" jsonschema_description:"The line, with two before and two after it"`
}

// boxOnPage is a rectangle on a page as it is shown.
type boxOnPage struct {
	Left   float64 `json:"left" jsonschema_description:"Points from the left edge of the page"`
	Top    float64 `json:"top" jsonschema_description:"Points from the top edge"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

// locateValue is where in its file a record has a value from, or nil. The field of
// another entity than the document's own has its place under the document's
// field of that value.
func locateValue(r records.Record, field string, value jsonValue, isDocumentEntity bool) *sourceLocation {
	properties, sources := parseSourceLocations(r)
	if !isDocumentEntity {
		names := slices.Sorted(maps.Keys(sources))
		i := slices.IndexFunc(names, func(name string) bool { return string(properties[name]) == string(value.RawMessage) })
		if i < 0 {
			return nil
		}
		field = names[i]
	}
	if l, known := sources[field]; known && (l.Page > 0 || l.Element != "") {
		return &l
	}
	return nil
}

// parseSourceLocations returns the properties of a record and where in its file they stand.
func parseSourceLocations(r records.Record) (properties map[string]json.RawMessage, locations map[string]sourceLocation) {
	// A record of somebody's own making may have anything under these names.
	if json.Unmarshal(r.Properties, &properties) != nil || json.Unmarshal(properties[sourcesField], &locations) != nil {
		return nil, nil
	}
	return properties, locations
}

// addSurroundingLines adds the lines around the place, of what was read of the file.
func (l *sourceLocation) addSurroundingLines(text string, facts jsonValue) {
	var item any
	if l != nil && json.Unmarshal(facts.RawMessage, &item) == nil {
		l.Text = documents.LinesAround(text, l.Page, l.Line, item)
	}
}

// firstStoredFileURL is the first of some file URLs that names a stored file.
func firstStoredFileURL(urls []string) string {
	for _, url := range urls {
		if _, ok := parseStoredFileHash(url); ok {
			return url
		}
	}
	return ""
}

func (f *family) provenanceTool() tools.Tool[fieldInput, provenanceOutput] {
	return tools.Tool[fieldInput, provenanceOutput]{
		Name:  provenanceName,
		Title: "Trace a field to its source",
		Description: "Trace a field of an entity's snapshot to the observation that gave it, the record or payload behind it, and its files. " +
			"Returns value, observation and record. Example: who said this is the vendor's address?",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.1.0",
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[fieldInput, provenanceOutput]{{
			Description: "The name of a vendor",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      fieldInput{EntityID: exampleAcme, Field: "name"},
			Result: provenanceOutput{
				Field: "name", Value: jsonValue{[]byte(`"Acme Corp"`)}, ObservedAt: "2025-01-15T10:30:00Z", ObservationIDs: []string{exampleAcmeObservation},
				SourceObservation: sourceObservation{ID: exampleAcmeObservation, ObservedAt: "2025-01-15T10:30:00Z", SpecificityScore: documentSpecificity},
				SourceRecord:      sourceRecord{FileURLs: []string{}},
			},
			Varies: []string{"source_record_id", "source_payload_id", "source_record"},
		}},
		Handle: f.traceProvenance,
	}
}

func (f *family) traceProvenance(ctx context.Context, in fieldInput) (r tools.Result[provenanceOutput], err error) {
	if err := checkNotBlank("field", in.Field); err != nil {
		return r, err
	}
	return runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[provenanceOutput], err error) {
		s, err := resolveEntity(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return r, err
		}
		if r.Data, err = traceField(tx, s, in.Field); err != nil {
			return r, err
		}
		from := r.Data.SourceRecord
		h := tools.NewHints(tools.NewReadEvidence(len(r.Data.ObservationIDs))).
			Because(fmt.Sprintf("%s comes from %d observation(s), first of a %s", in.Field, len(r.Data.ObservationIDs), from.Type)).
			SuggestCall(observationsName, tools.PriorityLow, map[string]any{"entity_id": s.ID}, "see what other sources said")
		if url := firstStoredFileURL(from.FileURLs); url != "" {
			h.SuggestCall(fileURLName, tools.PriorityMedium, map[string]any{"file_path": url}, "open the file it comes from")
		}
		h.SuggestCall(correctName, tools.PriorityLow, map[string]any{"entity_id": s.ID, "field": in.Field}, "set it right if the source is wrong")
		s.warnOfMerge(h)
		r.Hints = h
		return r, nil
	})
}

func traceField(tx *store.Tx, s *entityState, field string) (out provenanceOutput, err error) {
	known := s.state.currentClaim(field)
	if known == nil {
		return out, fieldNotFoundError(s)
	}
	out = provenanceOutput{Field: field, Value: jsonValue{known.encodeValue()}, ObservationIDs: known.listObservationIDs()}
	first, err := s.loadSourceObservation(entities.In(tx), out.ObservationIDs[0])
	if err != nil {
		return out, err
	}
	record, err := records.In(tx).ByRow(first.Record)
	if err != nil {
		return out, err
	}
	out.ObservedAt = tools.FormatTimestamp(first.ObservedAt)
	out.SourceObservation = sourceObservation{ID: first.ID, SourceRecordID: first.RecordID, SourcePayloadID: payloadIDOf(first), ObservedAt: out.ObservedAt,
		SpecificityScore: first.SpecificityScore, SourcePriority: first.SourcePriority}
	out.SourceRecord = sourceRecord{ID: record.ID, Type: record.Type, FileURLs: tools.OrEmpty(record.FileURLs), CreatedAt: tools.FormatTimestamp(record.CreatedAt), Reason: correctionReason(record)}
	if first.Source != fromRecord {
		return out, nil
	}
	out.SourceLocation = locateValue(record, field, out.Value, first.Origin == record.Entity)
	text, err := records.In(tx).FileText(record.Seq)
	out.SourceLocation.addSurroundingLines(text, out.Value)
	return out, err
}

// correctionReason is why a correction was made, empty of other records.
func correctionReason(r records.Record) string {
	if r.Type != correctionType {
		return ""
	}
	var properties struct{ Reason string }
	json.Unmarshal(r.Properties, &properties) //nolint:errcheck // then it gives none
	return properties.Reason
}

// loadSourceObservation reads the observation that the snapshot of an entity rests on.
func (a *entityState) loadSourceObservation(tx entities.Rows, id string) (entities.Observation, error) {
	found, err := tx.ObservationsByID([]string{id})
	if err != nil {
		return entities.Observation{}, err
	}
	if len(found) == 0 {
		return entities.Observation{}, fmt.Errorf("the snapshot of %s rests on an observation that is gone; rebuild the snapshots", a.ID)
	}
	return found[0], nil
}

// maxFieldsNamed bounds how many fields an error names.
const maxFieldsNamed = 50

// listFieldNames returns the first of the fields that are so.
func (s state) listFieldNames(matches func(name string) bool) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(name string) bool { return !matches(name) })
	return tools.OrEmpty(names[:min(maxFieldsNamed, len(names))])
}

func fieldNotFoundError(s *entityState) error {
	names := s.state.listFieldNames(func(name string) bool { return s.state.currentClaim(name) != nil })
	return tools.Refused(codeFieldNotFound, "field", "field of the snapshot", "field is not in the snapshot; it has %s", strings.Join(names, ", ")).
		WithDetail("available_fields", names).
		WithHints(tools.NewRefusalHints().Because("the field is not known of this entity").
			SuggestCall(snapshotName, tools.PriorityHigh, map[string]any{"entity_id": s.ID}, "see the fields with their values"))
}

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
	s, err := resolveEntity(entities.In(tx), entityIDValue(id), "entity_id")
	if err != nil {
		return nil, err
	}
	sources, found := map[string]observationSource{}, map[string]FieldSource{}
	names := slices.Sorted(maps.Keys(s.state))
	for _, name := range names[:min(maxSourcedFields, len(names))] {
		top := s.state.currentClaim(name)
		if top == nil {
			continue
		}
		id := top.listObservationIDs()[0]
		if _, known := sources[id]; !known {
			o, err := s.loadSourceObservation(entities.In(tx), id)
			if err != nil {
				return nil, err
			}
			if sources[id], err = readObservationSource(tx, o); err != nil {
				return nil, err
			}
		}
		found[name] = sources[id].fieldSource(name, jsonValue{top.encodeValue()})
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
		if at := locateValue(s.record, field, value, s.isOwnRecord); at != nil {
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

// ReadAmountsAndDates returns the figures of those of some entities that have any.
func ReadAmountsAndDates(tx *store.Tx, ids []string) (map[string]Figure, error) {
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
		known, err := loadEntityState(rows, e)
		if err != nil {
			return nil, err
		}
		f := extractAmountAndDate(known.state)
		if f.File, err = findNewestFileName(tx, e.Root); err != nil {
			return nil, err
		}
		if f.Amount != nil || f.Date != "" || f.File != "" {
			found[id] = f
		}
	}
	return found, nil
}

// findNewestFileName returns the name of the file that said something of an entity last; empty: none did
// of late.
func findNewestFileName(tx *store.Tx, root int64) (string, error) {
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

func extractAmountAndDate(s state) (f Figure) {
	values := s.currentValues()
	f.From, f.Date = firstText(values, "vendor_name"), firstText(values, dateFields...)
	at := slices.IndexFunc(amountFields, func(field string) bool { return parseAmount(values[field]) != nil })
	if at < 0 {
		return f
	}
	amount := s.currentClaim(amountFields[at])
	f.Amount = amount.encodeValue()
	if c := s.currentClaim("currency"); c != nil && c.listObservationIDs()[0] == amount.listObservationIDs()[0] {
		f.Currency = firstText(values, "currency")
	}
	return f
}
