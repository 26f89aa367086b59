package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxFileBytes bounds what is held in memory of one file.
	maxFileBytes = 1 << 30
	// maxLineBytes bounds one line, far below what a database can hold as one text.
	maxLineBytes = 64 << 20
)

// ErrNoRecords says that everything an input holds had to be skipped.
var ErrNoRecords = errors.New("no record could be read; expected JSON lines of a memory server, see the report for each line")

// errUTF16 is what a file saved by some Windows programs gets, whose every
// line would otherwise be reported.
var errUTF16 = errors.New("the file is UTF-16 text; save it as UTF-8 and import it again")

var errFileTooLarge = fmt.Errorf("the file is larger than %d MiB; split it between two lines and import each part", maxFileBytes>>20)

// Read reads one memory file. Lines that cannot be used are skipped and
// reported. An error means that the input as a whole is of no use: reading
// failed, it is UTF-16 or too large, or nothing in it is a record
// ([ErrNoRecords]; the report is complete then). An empty input or graph is an
// empty document.
func Read(source io.Reader) (*Document, *Report, error) {
	text, err := io.ReadAll(io.LimitReader(source, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("read memory file: line %d: %w", 1+bytes.Count(text, []byte{'\n'}), err)
	case len(text) > maxFileBytes:
		return nil, nil, errFileTooLarge
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return nil, nil, errUTF16
	}
	return readLimited(text, maxLineBytes)
}

func readLimited(text []byte, maxLine int) (*Document, *Report, error) {
	r := &reader{index: map[string]int{}, known: map[string]map[string]bool{}, report: &Report{}, maxLine: maxLine}
	r.readLines(text)
	r.dropObjectsWithoutType()
	document := assemble(r)
	r.report.Counts = document.counts()
	r.report.sort()
	for _, problem := range r.report.Problems {
		if problem.Skipped {
			r.report.Skipped++
		}
	}
	if r.report.Skipped > 0 && len(r.entities)+len(r.relations)+len(r.others) == 0 {
		return document, r.report, ErrNoRecords
	}
	return document, r.report, nil
}

// reader collects the records of an input as they come, before anything is
// known about how they belong together.
type reader struct {
	report    *Report
	maxLine   int
	entities  []Entity
	index     map[string]int             // entity name to its place in entities
	known     map[string]map[string]bool // observations of entities that came again
	relations []Relation
	others    []otherObject
}

// otherObject is an object that is no record.
type otherObject struct {
	text     json.RawMessage
	line     int
	typeless bool // only what stands beside it says that it belongs to a memory
	ofGraph  bool // further members of a whole graph
}

const notARecord = `an object without a "type" is no record`

// dropObjectsWithoutType keeps objects without a type beside records for
// export; alone they are a file of another kind.
func (r *reader) dropObjectsWithoutType() {
	typed := func(o otherObject) bool { return !o.typeless }
	alone := len(r.entities)+len(r.relations) == 0 && !slices.ContainsFunc(r.others, typed)
	for _, o := range r.others {
		switch {
		case typed(o):
		case alone:
			r.report.skip(o.line, notARecord)
		case !o.ofGraph:
			r.report.note(o.line, notARecord+"; it is kept for export only")
		}
	}
	if alone {
		r.others = nil
	}
}

// readLines reads one record from each line. Only the first may begin a value
// that ends on a later one: a whole graph, printed for people to read.
func (r *reader) readLines(text []byte) {
	number, first := 0, true
	for len(text) > 0 {
		line, rest := cutLine(text)
		number++
		content := trimLine(line)
		switch {
		case len(content) == 0:
		case len(content) > r.maxLine:
			r.report.skip(number, "the line is longer than %d MiB", maxLineBytes>>20)
		case first && content[0] == '{' && !json.Valid(content):
			value, behind := spreadValue(text[bytes.IndexByte(text, '{'):])
			if value == nil {
				r.readValue(content, number)
				break
			}
			r.readValue(value, number)
			number += bytes.Count(value, []byte{'\n'})
			if rest = behind; len(trimLine(firstLine(behind))) > 0 {
				number-- // the line is read once more
			} else {
				_, rest = cutLine(behind)
			}
		default:
			r.readValue(content, number)
		}
		first = first && len(content) == 0
		text = rest
	}
	r.report.Lines = number
}

func cutLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte{'\n'})
	return line, rest
}

func firstLine(text []byte) []byte {
	line, _ := cutLine(text)
	return line
}

// trimLine accepts a byte order mark on any line: concatenated files have one
// in the middle.
func trimLine(text []byte) []byte {
	text = bytes.Trim(text, " \t\r\n")
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n")
}

// spreadValue returns the JSON value that the text begins with, and what is
// behind it; nil if there is none.
func spreadValue(text []byte) (value, behind []byte) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if decoder.Decode(&raw) != nil || !bytes.Contains(raw, []byte{'\n'}) {
		return nil, nil
	}
	end := decoder.InputOffset()
	return text[:end], text[end:]
}

func (r *reader) readValue(text []byte, line int) {
	if !utf8.Valid(text) {
		r.report.note(line, "bytes that are not UTF-8 were replaced by the replacement character")
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		r.report.skip(line, "not valid JSON: %v", err)
		return
	}
	if text[0] != '{' {
		r.report.skip(line, "not a JSON object")
		return
	}
	members := r.members(compact.Bytes(), line)
	if !members.has("type") && (isArray(members["entities"]) || isArray(members["relations"])) {
		r.readGraph(text, line)
		return
	}
	r.readRecord(members, line)
}

// members decodes an object. Of equal keys the last wins.
func (r *reader) members(text []byte, line int) object {
	members := object{}
	for _, p := range splitJSON(text) {
		if _, repeated := members[p.key]; repeated {
			r.report.note(line, "the key %q comes more than once; its last value is used", p.key)
		}
		members[p.key] = p.value
	}
	return members
}

// readGraph reads a whole graph in one object. The text is as it was read, so
// that every element is reported with its own line.
func (r *reader) readGraph(text []byte, line int) {
	lists := map[string]string{"entities": "entity", "relations": "relation"}
	rest := object{}
	for _, m := range splitJSON(text) {
		recordType, listed := lists[m.key]
		if !listed || !isArray(m.value) {
			rest[m.key] = m.value
			continue
		}
		at, counted := line+bytes.Count(text[:m.offset], []byte{'\n'}), 0
		for _, e := range splitJSON(m.value) {
			at += bytes.Count(m.value[counted:e.offset], []byte{'\n'})
			counted = e.offset
			if e.value[0] != '{' {
				r.report.skip(at, "not a JSON object")
				continue
			}
			members := r.members(decodeCompact(e.value), at)
			if !members.has("type") {
				members["type"] = encodeValue(recordType)
			}
			r.readRecord(members, at)
		}
	}
	if len(rest) > 0 {
		r.others = append(r.others, otherObject{text: rest.encode(), line: line, typeless: true, ofGraph: true})
	}
}

func decodeCompact(text json.RawMessage) json.RawMessage {
	var compact bytes.Buffer
	json.Compact(&compact, text) //nolint:errcheck // it is part of valid JSON
	return compact.Bytes()
}

// readRecord takes in one record, or keeps the object as it is.
func (r *reader) readRecord(members object, line int) {
	recordType := members.text("type")
	record := unwrap(members)
	known := recordType == "entity" || recordType == "relation" || recordType == typeBeat
	switch {
	case known && record.text("type") != recordType:
		r.report.note(line, "a %s whose data has a type of its own; the line is kept for export only", recordType)
	case recordType == "entity":
		r.addEntity(r.entity(record, line))
		return
	case recordType == "relation":
		r.readRelation(record, line)
		return
	case known && record.has("entityType") && record.text("entityType") != typeBeat:
		r.report.note(line, "a %s line of entityType %s; the line is kept for export only", typeBeat, record["entityType"])
	case known:
		r.addEntity(r.entity(beatAsEntity(record), line))
		return
	case len(members) == 0:
		r.report.skip(line, notARecord)
		return
	}
	r.others = append(r.others, otherObject{text: members.encode(), line: line, typeless: recordType == ""})
}

// unwrap replaces {"type":…,"data":{…}} by what data holds.
func unwrap(members object) object {
	data := decodeObject(members["data"])
	if data == nil || members.has("name") || members.has("from") || members.has("to") {
		return members
	}
	for key, value := range members {
		if _, inner := data[key]; !inner && key != "data" {
			data[key] = value
		}
	}
	return data
}

// beatAsEntity gives an old beat line the form of an entity, so that all else
// sees one kind of beat. Members that do not fit stay where they are.
func beatAsEntity(members object) object {
	entity := maps.Clone(members)
	entity["entityType"] = encodeValue(typeBeat)
	metadata := decodeObject(members["metadata"])
	if metadata == nil {
		if members.has("metadata") {
			return entity
		}
		metadata = object{}
	}
	move := func(key, to string) {
		if value, known := members[key]; known && metadata[to] == nil {
			metadata[to] = value
			delete(entity, key)
		}
	}
	if _, isText := asText(members["title"]); isText {
		move("title", "title")
	}
	for key, to := range map[string]string{"narrative": "narrative", "relational_alignment": "relationalAlignment", "four_directions": "fourDirections"} {
		if decodeObject(members[key]) != nil {
			move(key, to)
		}
	}
	if len(metadata) > 0 {
		entity["metadata"] = metadata.encode()
	}
	return entity
}

// entity makes an entity of a record; its name is empty if the record has none.
func (r *reader) entity(members object, line int) Entity {
	delete(members, "type")
	entity := Entity{Name: members.takeText("name"), Line: line}
	if entity.Name == "" {
		return entity
	}
	owner := fmt.Sprintf("entity %q", entity.Name)
	entity.EntityType = r.typeName(members, "entityType", owner, line)
	entity.Observations = r.observations(members, entity.Name, line)
	entity.Metadata, entity.Extra = r.splitRest(members, line)
	return entity
}

// typeName takes the type of a record. One that is no text is kept as its JSON.
func (r *reader) typeName(members object, key, owner string, line int) string {
	value := members[key]
	delete(members, key)
	text, isText := asText(value)
	switch {
	case text == "" && (isText || value == nil || string(value) == "null"):
		r.report.note(line, "%s has no %s", owner, key)
	case !isText:
		r.report.note(line, "the %s of %s is not a text; its JSON was kept as one", key, owner)
		return string(value)
	}
	return text
}

func (r *reader) observations(members object, name string, line int) []string {
	value := members["observations"]
	delete(members, "observations")
	switch {
	case value == nil, string(value) == "null":
		return nil
	case !isArray(value):
		r.report.note(line, "the observations of %q are not a list; they became one observation", name)
		if text, ok := asText(value); ok {
			return []string{text}
		}
		return []string{string(value)}
	}
	var texts []string
	converted := 0
	for _, e := range splitJSON(value) {
		text, ok := asText(e.value)
		if !ok {
			text = string(e.value)
			converted++
		}
		texts = append(texts, text)
	}
	if converted > 0 {
		r.report.note(line, "%d observations of %q are not strings; their JSON text was kept", converted, name)
	}
	return texts
}

func (r *reader) readRelation(members object, line int) {
	delete(members, "type")
	relation := Relation{From: members.takeText("from"), To: members.takeText("to"), Line: line}
	if relation.From == "" || relation.To == "" {
		r.report.skip(line, `a relation without both ends: "from" and "to" must be texts`)
		return
	}
	relation.RelationType = r.typeName(members, "relationType", fmt.Sprintf("the relation from %q to %q", relation.From, relation.To), line)
	relation.Metadata, relation.Extra = r.splitRest(members, line)
	r.relations = append(r.relations, relation)
}

// splitRest parts what is left of a record into its metadata and its unknown
// members.
func (r *reader) splitRest(members object, line int) (metadata, extra json.RawMessage) {
	value := members["metadata"]
	switch {
	case value == nil, string(value) == "null":
	case value[0] == '{':
		metadata = r.members(value, line).encode()
	default:
		r.report.note(line, `the metadata is not an object; it is kept as the "value" of one`)
		metadata = object{"value": value}.encode()
	}
	delete(members, "metadata")
	return metadata, members.encode()
}

// addEntity takes in an entity. One that comes again is merged into the first
// as an import merges the entity of another file into a stored one.
func (r *reader) addEntity(entity Entity) {
	if entity.Name == "" {
		r.report.skip(entity.Line, `an entity without a name: "name" must be a text`)
		return
	}
	at, again := r.index[entity.Name]
	if !again {
		r.index[entity.Name] = len(r.entities)
		r.entities = append(r.entities, entity)
		return
	}
	first := &r.entities[at]
	known := r.known[entity.Name]
	if known == nil {
		known = map[string]bool{}
		for _, text := range first.Observations {
			known[text] = true
		}
		r.known[entity.Name] = known
	}
	for _, text := range entity.Observations {
		if !known[text] {
			known[text] = true
			first.Observations = append(first.Observations, text)
		}
	}
	_, differing := mergeRest(&first.Metadata, &first.Extra, entity.Metadata, entity.Extra)
	if entity.EntityType != "" && entity.EntityType != first.EntityType {
		differing = append(differing, "entityType")
	}
	remark := ""
	if len(differing) > 0 {
		remark = fmt.Sprintf("; it has another %s there, which was kept", strings.Join(differing, ", "))
	}
	r.report.note(entity.Line, "entity %q was merged into that of line %d%s", entity.Name, first.Line, remark)
}

// mergeRest adds the keys that metadata and unknown members do not have yet, and
// reports whether there were any. It returns the keys that have another value there.
func mergeRest(metadata, extra *json.RawMessage, moreMetadata, moreExtra json.RawMessage) (added bool, differing []string) {
	merge := func(into *json.RawMessage, more json.RawMessage) {
		merged := decodeObject(*into)
		if merged == nil {
			merged = object{}
		}
		for key, value := range decodeObject(more) {
			if has, known := merged[key]; !known {
				merged[key], added = value, true
			} else if !bytes.Equal(has, value) {
				differing = append(differing, key)
			}
		}
		*into = merged.encode()
	}
	merge(metadata, moreMetadata)
	merge(extra, moreExtra)
	slices.Sort(differing)
	return added, differing
}
