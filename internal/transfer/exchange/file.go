// Package exchange moves the knowledge graph between the store and the memory
// files of the official memory server and of coaia-narrative: [Read] makes a
// [File] of JSON lines, [Import] applies it, and [Export] writes what is stored.
//
// What has no column stays in the columns metadata (keys of "metadata"), extra
// (members of the line) and origin (the parts of a chart that have no row). An
// incomplete chart, and a step or beat without chart, become plain entities. A
// relation with a missing end and a line of an unknown type become foreign lines.
// Dates come back in UTC, and keys and lines in the order of this program.
package exchange

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"toolkit/store/plainjson"
)

// File is the content of one memory file.
type File struct {
	Lines     int       // blank ones included
	Entities  []*Entity // the plain nodes of the graph
	Charts    []*Chart  // each behind its parent
	Beats     []*Beat   // each behind the beat it details
	Relations []*Relation
	Foreign   []json.RawMessage // objects of unknown types
	Remarks
}

// IsEmpty reports whether the file holds no record.
func (f *File) IsEmpty() bool {
	return len(f.Entities)+len(f.Charts)+len(f.Beats)+len(f.Relations)+len(f.Foreign) == 0
}

// Entity is an entity line.
type Entity struct {
	Name         string   `json:"name,omitempty"`
	Type         string   `json:"entityType,omitempty"`
	Observations []string `json:"observations,omitempty"`
	extraMembers
	Line int `json:"-"`
}

// Relation is a relation line. The ends are names of entities as a file has them.
type Relation struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"type"`
	extraMembers
	Line int `json:"-"`
}

// extraMembers is what a line has beyond the fields of the official server.
type extraMembers struct {
	Metadata object `json:"metadata,omitempty"`
	Extra    object `json:"extra,omitempty"` // the unknown members
}

func decodeFurther(metadata, extra json.RawMessage) extraMembers {
	return extraMembers{decodeObject(metadata).clone(), decodeObject(extra)}
}

// merge returns all of f and what other has in addition, and whether there is any.
func (f extraMembers) merge(other extraMembers) (merged extraMembers, isMore bool) {
	merged = extraMembers{f.Metadata.merge(other.Metadata), f.Extra.merge(other.Extra)}
	return merged, len(merged.Metadata) > len(f.Metadata) || len(merged.Extra) > len(f.Extra)
}

// Chart is a structural tension chart: in a file the entities <ID>_chart,
// <ID>_desired_outcome and <ID>_current_reality and those of its steps.
type Chart struct {
	ID                       string
	ParentChart              string // ID of the chart that this one is part of, or empty
	ParentStep               string // name of the parent's step that this chart details, or empty
	Entity, Outcome, Reality *Entity
	Steps                    []*Entity   // each has its title as first observation
	Ties                     []*Relation // of the outcome and the reality
	names                    []string    // that it needs in the store and in files
}

// Beat is a narrative beat of a chart.
type Beat struct {
	*Entity
	Chart  string // ID of the chart
	Parent string // name of the beat this one details, or empty
}

// Problem is something the reader of a report should know about one line.
type Problem struct {
	Line    int    `json:"line"`
	Skipped bool   `json:"skipped"` // the record was left out; otherwise it was kept as the message says
	Message string `json:"message"`
}

// Remarks are what there is to say about the lines of a file.
type Remarks struct {
	Problems     []Problem `json:"-"`
	SkippedCount int       `json:"-"` // records that were left out
}

func (r *Remarks) skip(line int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{Line: line, Message: fmt.Sprintf(format, args...), Skipped: true})
	r.SkippedCount++
}

func (r *Remarks) note(line int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{Line: line, Message: fmt.Sprintf(format, args...)})
}

// object is a JSON object whose values are decoded where they are needed, so
// that what is not understood is kept.
type object map[string]json.RawMessage

// decodeObject returns nil for anything that is no object.
func decodeObject(text []byte) object {
	var o object
	json.Unmarshal(text, &o) //nolint:errcheck // it is nil then
	return o
}

// encode writes the object with its keys sorted; one without members is nil.
func (o object) encode() json.RawMessage {
	if len(o) == 0 {
		return nil
	}
	return encodeValue(o)
}

// encodeValue encodes what has a JSON form: texts, numbers, lists, decoded JSON.
func encodeValue(value any) json.RawMessage {
	text, _ := plainjson.Encode(value) //nolint:errcheck // see above
	return text
}

// text returns the value of a key when it is a text, else the empty text.
func (o object) text(key string) string {
	var text string
	json.Unmarshal(o[key], &text) //nolint:errcheck // it is empty then
	return text
}

// takeMember removes a member and returns its value. A member of another type stays
// where it is.
func takeMember[T any](o object, key string) (value T) {
	if json.Unmarshal(o[key], &value) != nil {
		var zero T
		return zero
	}
	delete(o, key)
	return value
}

// takeDate removes a date, in UTC without a zone. Text that is no date stays.
func (o object) takeDate(key string, byDefault time.Time) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(form, o.text(key)); err == nil {
			delete(o, key)
			return t.UTC().Truncate(time.Millisecond)
		}
	}
	return byDefault
}

// setText sets a key to a text, unless that is empty.
func (o object) setText(key, text string) {
	if text != "" {
		o[key] = encodeValue(text)
	}
}

// fill sets a key that the object does not have.
func (o object) fill(key string, value any) {
	if o[key] == nil {
		o[key] = encodeValue(value)
	}
}

// clone returns a copy that can be written to, also of nil.
func (o object) clone() object { return o.merge(nil) }

// merge returns a new object with the members of o and those that it lacks of other.
func (o object) merge(other object) object {
	merged := object{}
	maps.Copy(merged, other)
	maps.Copy(merged, o)
	return merged
}

// formatDate writes a stored date with the precision it has.
func formatDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
