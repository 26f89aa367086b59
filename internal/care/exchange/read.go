package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// ErrNoRecords says that everything an input holds had to be skipped.
var ErrNoRecords = errors.New("no record could be read; expected JSON lines of a memory server, see the report for each line")

// Read reads one memory file. Lines that cannot be used are skipped and
// reported. An error means that the input as a whole is of no use: reading
// failed, it is UTF-16, or nothing in it is a record ([ErrNoRecords]; the report
// is complete then). An empty input or graph is an empty document.
func Read(source io.Reader) (*Document, *Report, error) {
	return readLimited(source, maxValueBytes)
}

func readLimited(source io.Reader, limit int) (*Document, *Report, error) {
	in := newIntake()
	if err := in.lines(newLineReader(source, limit)); err != nil {
		return nil, nil, fmt.Errorf("read memory file: %w", err)
	}
	in.dropLoose()
	document := in.assemble()
	report := in.report
	report.sort()
	for _, problem := range report.Problems {
		if problem.Skipped {
			report.Skipped++
		}
	}
	if report.Skipped > 0 && len(in.entities) == 0 && len(in.relations) == 0 && len(in.foreign) == 0 {
		return document, report, ErrNoRecords
	}
	return document, report, nil
}

// intake collects the records of an input as they come, before anything is
// known about how they belong together.
type intake struct {
	report    *Report
	entities  []Entity
	index     map[string]int // entity name to its place in entities
	relations []Relation
	foreign   []foreignRecord

	// The order in which relations and foreign records came, because a
	// relation may turn out to be foreign later.
	arrived       int
	relationOrder []int

	loose []looseObject

	sawText bool
	compact bytes.Buffer
}

func newIntake() *intake { return &intake{index: map[string]int{}, report: &Report{}} }

// foreignRecord is an object that no record can hold, and when it came.
type foreignRecord struct {
	raw   json.RawMessage
	order int
}

// looseObject is an object in foreign that has no type: nothing but what stands
// beside it says that it belongs to a memory.
type looseObject struct {
	line    int
	ofGraph bool // further fields of a whole graph
}

const notARecord = `an object without a "type" is no record`

// dropLoose decides about objects without a type: beside records they are kept
// for export, alone they are a file of another kind.
func (in *intake) dropLoose() {
	alone := len(in.entities) == 0 && len(in.relations) == 0 && len(in.foreign) == len(in.loose)
	for _, o := range in.loose {
		switch {
		case alone:
			in.report.skip(o.line, notARecord)
		case !o.ofGraph:
			in.report.note(o.line, notARecord+"; it is kept for export only")
		}
	}
	if alone {
		in.foreign = nil
	}
}

func (in *intake) lines(reader *lineReader) error {
	for {
		line, err := reader.next()
		in.report.Lines = reader.count
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if line.tooLong {
			in.sawText = true
			in.report.skip(line.number, "the line is longer than %d MiB", maxValueBytes>>20)
			continue
		}
		if len(line.text) == 0 {
			continue
		}
		first := !in.sawText
		in.sawText = true
		if err := in.line(line, reader, first); err != nil {
			return err
		}
	}
}

// line handles one line that is not blank. Only the first may begin a value
// that ends on a later one: a whole graph, printed for people to read.
func (in *intake) line(line inputLine, reader *lineReader, first bool) error {
	text := in.validText(line.text, line.number)
	invalid := in.compactInto(text)
	if invalid == nil {
		in.value(text, line.number)
		return nil
	}
	if first && text[0] == '{' {
		value, ok, err := reader.spreadValue(inputLine{text: bytes.Clone(text), number: line.number})
		if err != nil {
			return err
		}
		if ok {
			in.spread(in.validText(value, line.number), line.number)
			return nil
		}
	}
	in.report.skip(line.number, "not valid JSON: %v", invalid)
	return nil
}

func (in *intake) validText(text []byte, line int) []byte {
	if utf8.Valid(text) {
		return text
	}
	in.report.note(line, "bytes that are not UTF-8 were replaced by the replacement character")
	return bytes.ToValidUTF8(text, []byte("\uFFFD"))
}

func (in *intake) compactInto(text []byte) error {
	in.compact.Reset()
	return json.Compact(&in.compact, text)
}

// spread handles a value that spans lines.
func (in *intake) spread(value json.RawMessage, line int) {
	if isGraph(splitObject(value)) {
		in.graph(value, line)
		return
	}
	// Foreign lines must be lines.
	if err := in.compactInto(value); err != nil {
		in.report.skip(line, "not valid JSON: %v", err)
		return
	}
	in.value(bytes.Clone(in.compact.Bytes()), line)
}

// value handles the text of one line, which in.compact holds without space.
func (in *intake) value(text []byte, line int) {
	compact := in.compact.Bytes()
	if !isObject(compact) {
		in.report.skip(line, "not a JSON object")
		return
	}
	members := splitObject(compact)
	if isGraph(members) {
		in.graph(text, line)
		return
	}
	if in.record(members, members.text("type"), line) {
		return
	}
	if members.text("type") == "" {
		if len(members) == 0 {
			in.report.skip(line, notARecord)
			return
		}
		in.loose = append(in.loose, looseObject{line: line})
	}
	in.keep(bytes.Clone(text))
}

// record takes one entity, relation or beat apart. It reports false for
// anything else, of which it has taken nothing.
func (in *intake) record(members object, recordType string, line int) bool {
	switch recordType {
	case "entity", "relation", typeBeat:
	default:
		return false
	}
	members, ok := unwrap(members, recordType)
	if !ok {
		in.report.note(line, "a %s whose data has a type of its own; the line is kept as it is", recordType)
		return false
	}
	members.remove("type")
	switch recordType {
	case "entity":
		in.entity(members, line)
	case "relation":
		in.relation(members, line)
	default:
		if other := members.value("entityType"); other != nil && members.text("entityType") != typeBeat {
			in.report.note(line, "a %s line of entityType %s; the line is kept as it is", typeBeat, other)
			return false
		}
		members.remove("entityType")
		in.entity(beatLineAsEntity(members), line)
	}
	return true
}

// unwrap replaces {"type":…,"data":{…}} by what data holds. It reports false
// when the data cannot stand for the record.
func unwrap(members object, recordType string) (object, bool) {
	data := members.value("data")
	if !isObject(data) || members.has("name") || members.has("from") || members.has("to") {
		return slices.Clone(members), true
	}
	inner := splitObject(data)
	if inner.has("type") && inner.text("type") != recordType {
		return nil, false
	}
	for _, m := range members {
		if m.key != "data" && m.key != "type" && !inner.has(m.key) {
			inner = append(inner, m)
		}
	}
	return inner, true
}

func (in *intake) keep(foreign json.RawMessage) {
	in.foreign = append(in.foreign, foreignRecord{foreign, in.arrived})
	in.arrived++
}

func isGraph(members object) bool {
	return !members.has("type") && (isArray(members.value("entities")) || isArray(members.value("relations")))
}

// graph handles a whole graph in one object. The text is as it was read, so
// that every element can be reported with its own line.
func (in *intake) graph(text []byte, line int) {
	at := lineCounter{text: text, line: line}
	var rest object
	for _, m := range splitObject(text) {
		recordType, listed := graphLists[m.key]
		if !listed || !isArray(m.value) {
			rest = append(rest, m)
			continue
		}
		for _, e := range splitArray(m.value) {
			in.graphElement(e.value, recordType, at.lineOf(m.offset+e.offset))
		}
	}
	if len(rest) > 0 && in.compactInto(rest.raw()) == nil {
		in.loose = append(in.loose, looseObject{line: line, ofGraph: true})
		in.keep(bytes.Clone(in.compact.Bytes()))
	}
}

var graphLists = map[string]string{"entities": "entity", "relations": "relation"}

func (in *intake) graphElement(value json.RawMessage, recordType string, line int) {
	if err := in.compactInto(value); err != nil || !isObject(in.compact.Bytes()) {
		in.report.skip(line, "not a JSON object")
		return
	}
	members := splitObject(in.compact.Bytes())
	if !members.has("type") {
		members = append(object{field("type", stringValue(recordType))}, members...)
	}
	if !in.record(members, members.text("type"), line) {
		in.keep(members.raw())
	}
}

// lineCounter tells the lines of offsets that are asked for in order.
type lineCounter struct {
	text     []byte
	at, line int
}

func (c *lineCounter) lineOf(offset int) int {
	c.line += bytes.Count(c.text[c.at:offset], []byte{'\n'})
	c.at = offset
	return c.line
}
