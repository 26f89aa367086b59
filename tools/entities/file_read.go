package entities

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"toolkit/fixtures"
	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/records"
)

// Bounds of what a file becomes.
const (
	maxFileParts   = 2000   // records made of the rows or items of one file
	maxFileContent = 10_000 // bytes of running text that a record shows; the index has more
)

// analysisTimeout is what reading may take of a call: two thirds of what it has left. The rest
// is for finding fields and for storing what was read until then.
func analysisTimeout(ctx context.Context) time.Duration {
	deadline, limited := ctx.Deadline()
	if !limited {
		return 0 // the reader's own
	}
	return max(time.Until(deadline)*2/3, time.Millisecond)
}

// maxIdleMemory is what a process may hold after an upload without giving it back at once.
const maxIdleMemory = 128 << 20

// releaseMemory returns the memory that reading a file took: an idle process keeps it for minutes.
func releaseMemory() {
	var now runtime.MemStats
	if runtime.ReadMemStats(&now); now.Sys-now.HeapReleased > maxIdleMemory {
		debug.FreeOSMemory()
	}
}

// Types and properties of records made of files.
const (
	financialType    = "FinancialRecord"
	fileType         = "file" // of a file that could not be analysed
	rowType          = "row"
	fileNameField    = "file_name"
	sourcesField     = "field_sources"
	failureField     = "analysis_error"
	contentField     = "content"
	contentCutField  = "content_truncated"
	rowCountField    = "row_count"
	rowsStoredField  = "rows_stored"
	itemTypeField    = "item_type"
	truncatedField   = "truncated"
	warningsField    = "warnings"
	metadataField    = "metadata"
	maxWarningsShown = 20
)

// reading is what a file says.
type reading struct {
	recordType    string
	properties    object
	statements    []statement
	parts         []part
	total         int      // rows or items in the file; parts are those that became records
	text          string   // for the full-text index
	confidence    float64  // of its classification
	warnings      []string // what was left out
	fieldWarnings []string // what is read, but not plain
	cut           bool     // values beyond maxFileValues were left out
	failure       string   // why it could not be analysed; empty: it was
}

// part is an item of a file: a row, a message, a contact, a transaction.
type part struct {
	recordType string
	properties object
	places     map[string]documents.Source // of its properties
	key        string                      // what tells it and its entity from others in any file; empty: its place does
	bankID     string                      // the bank's id of it, when that is its own in the file
}

// analyseFile reads a staged file. An error is the caller's giving up; what is wrong
// with the file is in the reading.
func (f *family) analyseFile(ctx context.Context, b *store.StagedBlob, kind documents.Type, name string) (reading, error) {
	content, err := documents.Extract(ctx, b, b.Size, kind, documents.Limits{MaxRows: maxFileParts, Timeout: analysisTimeout(ctx), EngineCache: f.Files.EngineCache, OCR: f.Files.OCR})
	if err != nil {
		if ctx.Err() != nil {
			return reading{}, err
		}
		return newFailedReading(name, err), nil
	}
	class, confidence := documents.Classify(content)
	values, sources := documents.ExtractFields(content, class)
	r := reading{confidence: confidence, warnings: slices.Clone(content.Warnings), text: documents.TruncateText(content.Text, kinds.MaxBlobTextBytes)}
	r.parts = makeParts(content, class, &r)
	if err := ctx.Err(); err != nil {
		return reading{}, err
	}
	if len(r.parts) > 0 && class != documents.KindDataset && class != documents.KindStatement {
		values = map[string]any{itemTypeField: class}
		class = documents.KindDataset
	}
	r.properties = toObject(values)
	r.dropValuesBeyondLimit()
	if err := r.redactSecrets(ctx, class); err != nil {
		return reading{}, err
	}
	r.completeRecordAndStatements(fileRecordID(b.SHA256), class, name, content, sources)
	return r, nil
}

func newFailedReading(name string, err error) reading {
	why := "the reader failed"
	if errors.Is(err, documents.ErrAnalysis) {
		why = strings.TrimPrefix(err.Error(), documents.ErrAnalysis.Error()+": ")
	}
	return reading{recordType: fileType, properties: object{fileNameField: name, failureField: why}, failure: why}
}

// completeRecordAndStatements turns the fields into the properties of a record and compiles them.
func (r *reading) completeRecordAndStatements(id, class, name string, content *documents.Content, sources map[string]documents.Source) {
	if truncateFields(r.properties) {
		r.addWarning("the record shows the beginning of the text; the rest is in the file, and its first megabyte in the search index")
	}
	if len(r.parts) > 0 {
		if _, counted := r.properties[rowCountField]; !counted {
			r.properties[rowCountField] = jsonInteger(int64(r.total))
		}
		r.properties[rowsStoredField] = jsonInteger(int64(len(r.parts)))
	}
	r.recordType = class
	if isFinancial(class) {
		r.recordType = financialType
	}
	facts := dropNulls(r.properties)
	r.properties[subtypeField] = class
	r.properties[fileNameField] = name
	if len(content.Metadata) > 0 {
		r.properties[metadataField] = toObject(content.Metadata)
	}
	if places := selectLocatedSources(sources, facts); len(places) > 0 {
		r.properties[sourcesField] = toObject(places)
	}
	if content.Truncated || r.cut {
		r.properties[truncatedField] = true
	}
	if r.warnings = r.warnings[:min(len(r.warnings), maxWarningsShown)]; len(r.warnings) > 0 {
		r.properties[warningsField] = decodeValue(encodeJSON(r.warnings))
	}
	c := fileCapability(class)
	r.fieldWarnings = r.listFieldWarnings(c, facts)
	if c.ID == "" && documentName(c.Title, facts, "") == "" {
		facts["title"] = name // people need something to call it by
	}
	r.statements = compileStatements(c, facts, id)
}

// listFieldWarnings returns the doubts of the fields and of the file's rows or items.
func (r *reading) listFieldWarnings(c fixtures.Capability, facts object) []string {
	if len(r.parts) == 0 {
		return listReadFieldWarnings(c, facts)
	}
	given := make([]object, len(r.parts))
	for i, p := range r.parts {
		given[i] = p.properties
	}
	return append(listReadFieldWarnings(c, facts), listItemWarnings(fileCapability(r.parts[0].recordType), given)...)
}

func (r *reading) addWarning(text string) {
	if !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

// isFinancial reports whether uploads of a kind are records of money.
func isFinancial(class string) bool {
	switch class {
	case documents.KindStatement, documents.KindTaxForm, documents.KindHolding:
		return true
	}
	return typeFamilyOf(resolveTypeAlias(class)) == resolveTypeAlias(financialType)
}

// selectLocatedSources returns the places of fields that come from a page or from an element.
func selectLocatedSources(sources map[string]documents.Source, fields object) map[string]documents.Source {
	places := map[string]documents.Source{}
	for field, source := range sources {
		if _, facts := fields[field]; facts && (source.Page > 0 || source.Element != "") && field != contentField {
			places[field] = source
		}
	}
	return places
}

// fileCapability is how a kind of document is compiled. Kinds without a
// capability are themselves and no other: two tables called "Report" are two.
func fileCapability(class string) fixtures.Capability {
	c := capabilityForType(class)
	if c.ID != "" || class == documents.KindContact {
		return c
	}
	c = fixtures.Capability{EntityType: class, Title: plainTitle}
	if class == documents.KindMessage {
		c.Identity = [][]fixtures.IdentityPart{{{Field: "message_id"}}} // one mail, however often it was saved
	}
	return c
}

// makeParts makes records of the rows of tables, or of several messages, events
// or contacts.
func makeParts(content *documents.Content, class string, r *reading) []part {
	switch {
	case class == documents.KindDataset:
		return makeRows(content, r)
	case class == documents.KindStatement && len(content.Records) > 0:
		return append(makeTransactions(content, r), makeRows(content, r)...)
	case len(content.Records) < 2:
		return nil
	}
	var parts []part
	r.total = countItems(content)
	for _, record := range content.Records[:min(len(content.Records), maxFileParts)] {
		properties := toObject(record.Fields)
		truncateFields(properties)
		parts = append(parts, part{recordType: record.Kind, properties: properties, places: itemFieldSources(record, properties)})
	}
	return parts
}

// itemFieldSources says where the properties of an item stand: where it does.
func itemFieldSources(record documents.Record, properties object) map[string]documents.Source {
	places := map[string]documents.Source{}
	for field := range properties {
		if place, known := record.Sources[field]; known {
			places[field] = place
		} else if record.Source != (documents.Source{}) {
			places[field] = record.Source
		}
	}
	return places
}

// countItems counts the messages, events or contacts of a file, also those beyond
// what is read of it.
func countItems(content *documents.Content) int {
	total := len(content.Records)
	if total > 0 {
		if stated, ok := content.Metadata[content.Records[0].Kind+"s"].(int); ok {
			total = max(total, stated)
		}
	}
	return total
}

// truncateFields shortens long texts and says so in the properties. It reports
// whether there were any.
func truncateFields(properties object) bool {
	cut := false
	for name, value := range properties {
		if text, ok := value.(string); ok && len(text) > maxFileContent {
			properties[name], cut = documents.TruncateText(text, maxFileContent), true
		}
	}
	if cut {
		properties[contentCutField] = true
	}
	return cut
}

// makeRows makes records of the rows of tables, up to the first beyond maxFileValues: of a
// table of thousands of columns most rows would be made to be left out.
func makeRows(content *documents.Content, r *reading) []part {
	var parts []part
	values := 0
	for _, table := range content.Tables {
		if table.Movements { // its rows are transactions
			continue
		}
		r.total += table.Count()
		if len(parts) >= maxFileParts || values > maxFileValues {
			continue
		}
		data := content.MakeDataset(table, min(maxFileParts-len(parts), (maxFileValues-values)/max(table.Width(), 1)+1))
		for _, row := range data.Rows {
			parts = append(parts, part{recordType: rowType, properties: rowProperties(data.Columns, row)})
		}
		values += len(data.Rows) * len(data.Columns)
	}
	return parts
}

// rowProperties has every column. A cell becomes a number only if nothing of it
// is lost by that.
func rowProperties(columns []documents.Column, row documents.Row) object {
	o := object{}
	for _, column := range columns {
		cell := row.Values[column.Name]
		o[column.Name] = cell
		switch typed := row.Typed[column.Name].(type) {
		case float64:
			if isPlainNumber(cell) && !math.IsInf(typed, 0) && !math.IsNaN(typed) {
				o[column.Name] = typed
			}
		case string, bool:
			o[column.Name] = typed
		}
	}
	return toObject(o)
}

// isPlainNumber reports whether a cell is a number without a unit and of no more
// digits than a floating point number holds.
func isPlainNumber(cell string) bool {
	digits := 0
	for _, c := range strings.TrimSpace(cell) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case !strings.ContainsRune(".,'+-−()  ", c):
			return false
		}
	}
	return digits <= 15
}

// toDocument is the file as a source of observations.
func (r reading) toDocument(id, url string, now int64) document {
	d := part{recordType: r.recordType, properties: r.properties}.toDocumentWithoutStatements(id, url, now)
	d.Statements, d.Text = r.statements, r.text
	return d
}

// recordID names an item of a file by what tells it from others, else by its place.
func (p part) recordID(hash string, n int) string {
	if p.key != "" {
		return uuid.NewSHA1(payloadSpace, []byte(p.recordType+":"+p.key)).String()
	}
	return uuid.NewSHA1(payloadSpace, []byte("file:"+hash+":"+strconv.Itoa(n))).String()
}

// toDocumentWithoutStatements is what a file or its item becomes a record of, still without what it says.
func (p part) toDocumentWithoutStatements(id, url string, now int64) document {
	return document{
		source: newDocumentSource(id, fromRecord, now), Properties: p.properties,
		Record: records.Record{ID: id, Type: p.recordType, Properties: encodeJSON(p.properties), FileURLs: []string{url}, CreatedAt: now, UpdatedAt: now},
	}
}

// toDocument is an item as a source of observations.
func (p part) toDocument(id, url string, now int64) document {
	facts := dropNulls(p.properties)
	if len(p.places) > 0 {
		p.properties[sourcesField] = toObject(p.places)
	}
	d := p.toDocumentWithoutStatements(id, url, now)
	if len(facts) > 0 {
		c := fileCapability(p.recordType)
		d.Statements = compileStatements(c, facts, id)
		if p.key != "" {
			d.Statements[0].EntityID = entityID(c.EntityType, p.key)
		}
	}
	return d
}

// maxFileValues bounds how many values of a file become fields that are searched:
// storing them holds the write lock for about a second. The file keeps the others.
const maxFileValues = 40_000

// cutOff stands for a number of values left after some were left out.
const cutOff = -1

// dropValuesBeyondLimit leaves out what a file has beyond maxFileValues: whole rows or items, and
// of a single one that has too many its last fields.
func (r *reading) dropValuesBeyondLimit() {
	left := maxFileValues
	dropValuesBeyondCount(r.properties, &left)
	for i, p := range r.parts {
		if dropValuesBeyondCount(p.properties, &left); left == cutOff {
			r.parts = r.parts[:max(i, 1)] // half a row would be a wrong one
			break
		}
	}
	if len(r.parts) > 0 && len(r.parts) < r.total {
		r.addWarning(fmt.Sprintf("%d of %d %ss became records; the others are in the file only", len(r.parts), r.total, r.parts[0].recordType))
	}
	if left == cutOff {
		r.cut = true
		r.addWarning(fmt.Sprintf("the file holds more than %d values; those beyond are in the file only", maxFileValues))
	}
}

// dropValuesBeyondCount takes out of a value what lies beyond the number left.
func dropValuesBeyondCount(value any, left *int) any {
	switch v := value.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if *left <= 0 {
				delete(v, name)
				*left = cutOff
				continue
			}
			v[name] = dropValuesBeyondCount(v[name], left)
		}
		return v
	case []any:
		for i := range v {
			if *left <= 0 {
				*left = cutOff
				return v[:i]
			}
			v[i] = dropValuesBeyondCount(v[i], left)
		}
		return v
	}
	*left--
	return value
}
