package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"toolkit/store/nodes"
)

const (
	// maxFileBytes bounds what is held in memory of one file.
	maxFileBytes = 1 << 30
	// maxLineBytes bounds one line, far below what a database can hold as one text.
	maxLineBytes = 64 << 20
)

// ErrNoRecords says that no line of an input could be read.
var ErrNoRecords = errors.New("no record could be read; expected JSON lines of a memory server, see the report for each line")

var errFileTooLarge = fmt.Errorf("the file is larger than %d MiB; split it between two lines and import each part", maxFileBytes>>20)

// Read reads one memory file. Lines that cannot be read are skipped and reported
// in the file's Problems. An error means that the input as a whole is of no use:
// reading failed, it is too large, or no line is a record ([ErrNoRecords]; the
// problems are complete then). An empty input is an empty file.
func Read(source io.Reader) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(source, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read memory file: line %d: %w", 1+bytes.Count(text, []byte{'\n'}), err)
	}
	if len(text) > maxFileBytes {
		return nil, errFileTooLarge
	}
	return readText(text, maxLineBytes)
}

func readText(text []byte, maxLine int) (*File, error) {
	r := &reader{file: &File{}, byName: map[string]*Entity{}}
	for line := range bytes.Lines(text) {
		r.file.Lines++
		content := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
		if len(content) > maxLine {
			r.file.skip(r.file.Lines, "the line is longer than %d MiB", maxLine>>20)
			continue
		}
		if err := r.readLine(content); err != nil {
			r.file.skip(r.file.Lines, "%v", err)
		}
	}
	assemble(r)
	r.file.sort()
	if r.file.IsEmpty() && len(r.file.Problems) > 0 {
		return r.file, ErrNoRecords
	}
	return r.file, nil
}

// reader collects the records of an input as they come, before it is known how
// they belong together.
type reader struct {
	file      *File
	entities  []*Entity
	byName    map[string]*Entity
	relations []*Relation
}

// readLine takes in one record. The error says why the line cannot be read.
func (r *reader) readLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	members := decodeObject(compact.Bytes())
	switch recordType := members.text("type"); {
	case members == nil:
		return errors.New("not a JSON object")
	case recordType == "":
		return errors.New(`an object without a "type" is no record`)
	case recordType == "entity":
		return r.readEntity(members)
	case recordType == nodes.TypeBeat:
		return r.readEntity(beatAsEntity(members))
	case recordType == "relation":
		relation, err := parseRelation(members)
		if err != nil {
			return err
		}
		relation.Line = r.file.Lines
		r.relations = append(r.relations, relation)
		return nil
	}
	r.file.Foreign = append(r.file.Foreign, members.encode())
	return nil
}

// beatAsEntity gives an old beat line the form of an entity.
func beatAsEntity(members object) object {
	members.fill("entityType", nodes.TypeBeat)
	metadata := take[object](members, "metadata").clone()
	moved := map[string]string{"title": "title", "narrative": "narrative", "relational_alignment": "relationalAlignment", "four_directions": "fourDirections"}
	for key, to := range moved {
		if members[key] != nil && metadata[to] == nil {
			metadata[to] = members[key]
			delete(members, key)
		}
	}
	members.fill("metadata", metadata)
	return members
}

// readEntity takes in an entity. One that comes again adds what the first line
// does not say, as an import adds to a stored entity.
func (r *reader) readEntity(members object) error {
	delete(members, "type")
	e := &Entity{
		Name: take[string](members, "name"), Type: take[string](members, "entityType"),
		Observations: take[[]string](members, "observations"), Metadata: take[object](members, "metadata"), Line: r.file.Lines,
	}
	if e.Name == "" {
		return errors.New(`an entity without a name: "name" must be a text`)
	}
	if err := checkTaken(members, "entityType", "observations", "metadata"); err != nil {
		return fmt.Errorf("entity %q: %w", e.Name, err)
	}
	e.Extra = members
	if first := r.byName[e.Name]; first != nil {
		first.merge(e)
		return nil
	}
	r.byName[e.Name] = e
	r.entities = append(r.entities, e)
	return nil
}

// checkTaken returns an error if one of the members was not taken, because its
// value is of another type.
func checkTaken(members object, keys ...string) error {
	for _, key := range keys {
		if members[key] != nil {
			return fmt.Errorf("the value of %q is of the wrong type", key)
		}
	}
	return nil
}

// merge adds what another line says of the entity. What differs stays as it was.
func (e *Entity) merge(other *Entity) {
	for _, text := range other.Observations {
		if !slices.Contains(e.Observations, text) {
			e.Observations = append(e.Observations, text)
		}
	}
	e.Metadata, _ = e.Metadata.merge(other.Metadata)
	e.Extra, _ = e.Extra.merge(other.Extra)
}

func parseRelation(members object) (*Relation, error) {
	delete(members, "type")
	r := &Relation{
		From: take[string](members, "from"), To: take[string](members, "to"),
		Type: take[string](members, "relationType"), Metadata: take[object](members, "metadata"),
	}
	if r.From == "" || r.To == "" {
		return nil, errors.New(`a relation without both ends: "from" and "to" must be texts`)
	}
	if err := checkTaken(members, "relationType", "metadata"); err != nil {
		return nil, fmt.Errorf("the relation from %q to %q: %w", r.From, r.To, err)
	}
	r.Extra = members
	return r, nil
}

// parseForeignRelation returns the relation that a foreign line is, or nil.
func parseForeignRelation(raw json.RawMessage) *Relation {
	members := decodeObject(raw)
	if members.text("type") != "relation" {
		return nil
	}
	relation, err := parseRelation(members)
	if err != nil {
		return nil
	}
	return relation
}
