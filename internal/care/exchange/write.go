package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Format is a file format that Write can print.
type Format string

const (
	// Memory is the format of the official memory server: entity and relation
	// lines with nothing but their own fields. Charts, steps and beats become
	// plain entities whose observations hold all their text, and due dates and
	// completion; metadata, unknown fields and foreign lines have no place in it.
	Memory Format = "memory"
	// Coaia is the format of coaia-narrative. It holds everything a Document
	// holds.
	Coaia Format = "coaia"
)

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	switch format := Format(name); format {
	case Memory, Coaia:
		return format, nil
	}
	return "", fmt.Errorf("unknown format %q: use %q or %q", name, Memory, Coaia)
}

// Write prints a document: entities, charts, beats, relations, foreign lines,
// each in the order of the document. Equal documents give equal bytes. A
// document that no file could hold is an error, and then nothing is written:
// two nodes of one name, a node without a name, metadata that is no JSON object.
//
// Reading what Coaia wrote gives the document again. To that end Metadata and
// Extra must not hold what a typed field says, and a plain entity must not be
// complete as a part of a chart, as a step or as a beat.
func Write(destination io.Writer, document *Document, format Format) error {
	if _, err := ParseFormat(string(format)); err != nil {
		return err
	}
	if err := checkNames(document); err != nil {
		return fmt.Errorf("write %s file: %w", format, err)
	}
	// The first pass finds what cannot be written before anything is.
	for _, w := range []io.Writer{io.Discard, destination} {
		out := bufio.NewWriterSize(w, 64<<10)
		p := newPrinter(out, document, format)
		p.document(document)
		if p.err == nil {
			p.err = out.Flush()
		}
		if p.err != nil {
			return fmt.Errorf("write %s file: %w", format, p.err)
		}
	}
	return nil
}

// checkNames refuses names that would be one node when read again.
func checkNames(document *Document) error {
	for i := range document.Charts {
		if document.Charts[i].ID == "" {
			return fmt.Errorf("chart number %d has no ID", i+1)
		}
	}
	taken := make(map[string]string, len(document.Entities))
	var fault error
	document.eachName(func(name, owner string) {
		other, used := taken[name]
		switch {
		case fault != nil:
		case name == "":
			fault = fmt.Errorf("%s has no name", owner)
		case used:
			fault = fmt.Errorf("%s and %s both need the name %q; rename or delete one of them and export again", other, owner, name)
		}
		taken[name] = owner
	})
	return fault
}

// printer prints lines until one fails.
type printer struct {
	out      io.Writer
	format   Format
	line     []byte
	charts   map[string]bool      // IDs
	explicit map[relationKey]bool // relations of the document that a chart or beat would imply
	err      error
}

func newPrinter(w io.Writer, document *Document, format Format) *printer {
	p := &printer{
		out:      w,
		format:   format,
		charts:   map[string]bool{},
		explicit: map[relationKey]bool{},
	}
	for i := range document.Charts {
		p.charts[document.Charts[i].ID] = true
	}
	if len(p.charts) == 0 {
		return p
	}
	for _, relation := range document.Relations {
		switch relation.RelationType {
		case relationContains, relationTension, relationAdvances, relationTelescopes, relationDocuments:
			relation = p.inFileNames(relation)
			p.explicit[relation.key()] = true
		}
	}
	return p
}

func (p *printer) document(document *Document) {
	for i := range document.Entities {
		p.entity(&document.Entities[i])
	}
	for i := range document.Charts {
		p.chart(&document.Charts[i])
	}
	for i := range document.Beats {
		p.beat(&document.Beats[i])
	}
	for i := range document.Charts {
		p.ties(impliedByChart(&document.Charts[i]), document.Charts[i].Ties)
	}
	for i := range document.Beats {
		p.ties([]Relation{impliedByBeat(&document.Beats[i])}, document.Beats[i].Ties)
	}
	for _, relation := range document.Relations {
		p.relation(p.inFileNames(relation))
	}
	for i, foreign := range document.Foreign {
		p.foreign(i, foreign)
	}
}

// inFileNames names charts by their entity.
func (p *printer) inFileNames(relation Relation) Relation {
	if p.charts[relation.From] {
		relation.From = ChartEntityName(relation.From)
	}
	if p.charts[relation.To] {
		relation.To = ChartEntityName(relation.To)
	}
	return relation
}

func (p *printer) fail(what, name string, err error) {
	if p.err == nil {
		p.err = fmt.Errorf("%s %q: %w", what, name, err)
	}
}

// end prints the line that has been built.
func (p *printer) end() {
	p.line = append(p.line, '\n')
	if _, err := p.out.Write(p.line); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *printer) entity(entity *Entity) {
	if p.err != nil {
		return
	}
	fields := object{
		field("type", stringValue("entity")),
		field("name", stringValue(entity.Name)),
		field("entityType", stringValue(entity.EntityType)),
		field("observations", stringsValue(entity.Observations)),
	}
	if p.format == Coaia {
		var err error
		if fields, err = withRest(fields, "entityType", entity.Metadata, entity.Extra); err != nil {
			p.fail("entity", entity.Name, err)
			return
		}
	}
	p.line = fields.append(p.line[:0])
	p.end()
}

func (p *printer) relation(relation Relation) {
	if p.err != nil {
		return
	}
	if p.format == Memory {
		relation.Metadata, relation.Extra = nil, nil
	}
	fields, err := relationFields(&relation)
	if err != nil {
		p.fail("relation from", relation.From, err)
		return
	}
	p.line = fields.append(p.line[:0])
	p.end()
}

// appendRelation renders a relation whose metadata is known to be valid.
func appendRelation(dst []byte, relation *Relation) []byte {
	fields, err := relationFields(relation)
	if err != nil {
		panic("exchange: " + err.Error())
	}
	return fields.append(dst)
}

func relationFields(relation *Relation) (object, error) {
	return withRest(object{
		field("type", stringValue("relation")),
		field("from", stringValue(relation.From)),
		field("to", stringValue(relation.To)),
		field("relationType", stringValue(relation.RelationType)),
	}, "relationType", relation.Metadata, relation.Extra)
}

// withRest adds metadata and unknown keys. The type that a record did not
// properly name may be among these.
func withRest(fields object, typeKey string, metadata, extra json.RawMessage) (object, error) {
	if metadata != nil {
		compact, err := compactObject(metadata)
		if err != nil {
			return nil, fmt.Errorf("metadata: %w", err)
		}
		fields = append(fields, field("metadata", compact))
	}
	if extra == nil {
		return fields, nil
	}
	rest, err := parseObject(extra)
	if err != nil {
		return nil, fmt.Errorf("unknown fields: %w", err)
	}
	if string(fields.value(typeKey)) == `""` && rest.has(typeKey) {
		fields.remove(typeKey)
	}
	return withoutKnown(fields, rest), nil
}

// withoutKnown appends the members whose keys are new.
func withoutKnown(fields, rest object) object {
	known := len(fields)
	for _, m := range rest {
		if !fields[:known].has(m.key) {
			fields = append(fields, m)
		}
	}
	return fields
}

func compactObject(text json.RawMessage) (json.RawMessage, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	if !isObject(compact.Bytes()) {
		return nil, errNotObject
	}
	return compact.Bytes(), nil
}

// ties prints the implied relations, each as it is known best, then the others.
func (p *printer) ties(implied, own []Relation) {
	known := make(map[relationKey]*Relation, len(own))
	for i := range own {
		known[own[i].key()] = &own[i]
	}
	for _, relation := range implied {
		key := relation.key()
		if tie := known[key]; tie != nil {
			relation = *tie
			delete(known, key)
		} else if p.explicit[key] {
			continue
		}
		p.relation(relation)
	}
	for i := range own {
		if known[own[i].key()] == &own[i] {
			p.relation(own[i])
		}
	}
}

// foreign prints an object that is no record. The official server knows only
// relations among them, those without an entity at one end.
func (p *printer) foreign(number int, foreign json.RawMessage) {
	if p.err != nil {
		return
	}
	name := fmt.Sprintf("number %d", number+1)
	members, err := parseObject(foreign)
	if err != nil || len(foreign) == 0 {
		p.fail("foreign object", name, errNotObject)
		return
	}
	if p.format == Memory {
		if relation := pendingRelation(foreign); relation != nil {
			p.relation(*relation)
		}
		return
	}
	p.line = append(p.line[:0], foreign...)
	if bytes.ContainsAny(foreign, "\r\n") {
		p.line = object(members).append(p.line[:0])
	}
	p.end()
}
