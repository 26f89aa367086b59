package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/internal/capture/redact"
	"toolkit/store/plainjson"
	"toolkit/tools"
)

// ExchangeFile is the content of one memory file.
type ExchangeFile struct {
	Lines     int               // blank ones included
	Entities  []*ExchangeEntity // the plain nodes of the graph
	Charts    []*ExchangeChart  // each behind its parent
	Beats     []*ExchangeBeat   // each behind the beat it details
	Relations []*ExchangeRelation
	Foreign   []json.RawMessage // objects of unknown types
	Joined    int               // lines that added to the entity of an earlier one
	ExchangeProblems
}

// HasKnownRecords reports whether the file holds a record of a known type.
func (f *ExchangeFile) HasKnownRecords() bool {
	return len(f.Entities)+len(f.Charts)+len(f.Beats)+len(f.Relations) > 0
}

// IsEmpty reports whether the file holds no record.
func (f *ExchangeFile) IsEmpty() bool { return !f.HasKnownRecords() && len(f.Foreign) == 0 }

// CountSecrets counts the observations of entities that look as if they held a secret, such as a password behind its
// name. Numbers of accounts and cards are none: documents hold them openly.
func (f *ExchangeFile) CountSecrets(ctx context.Context) (count int) {
	for _, e := range f.Entities {
		for _, observation := range e.Observations {
			if _, kinds := redact.TextExcept(ctx, e.Name+": "+observation, redact.KindAccount, redact.KindCard); len(kinds) > 0 {
				count++
			}
		}
	}
	return count
}

// ExchangeEntity is an entity line.
type ExchangeEntity struct {
	Name         string   `json:"name,omitempty"`
	Type         string   `json:"entityType,omitempty"`
	Observations []string `json:"observations,omitempty"`
	extraMembers
	Line int `json:"-"`
}

// ExchangeRelation is a relation line. The ends are names of entities as a file has them.
type ExchangeRelation struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"type"`
	extraMembers
	Line int `json:"-"`
}

// extraMembers is what a line has beyond the fields of the official server.
type extraMembers struct {
	Metadata jsonObject `json:"metadata,omitempty"`
	Extra    jsonObject `json:"extra,omitempty"` // the unknown members
}

func decodeExtraMembers(metadata, extra json.RawMessage) extraMembers {
	return extraMembers{decodeJSONObject(metadata).clone(), decodeJSONObject(extra)}
}

// merge returns all of f and what other has in addition, and whether there is any.
func (f extraMembers) merge(other extraMembers) (merged extraMembers, isMore bool) {
	merged = extraMembers{f.Metadata.merge(other.Metadata), f.Extra.merge(other.Extra)}
	return merged, len(merged.Metadata) > len(f.Metadata) || len(merged.Extra) > len(f.Extra)
}

// ExchangeChart is a structural tension chart: in a file the entities <ID>_chart,
// <ID>_desired_outcome and <ID>_current_reality and those of its steps.
type ExchangeChart struct {
	ID                       string
	ParentChart              string // ID of the chart that this one is part of, or empty
	ParentStep               string // name of the parent's step that this chart details, or empty
	Entity, Outcome, Reality *ExchangeEntity
	Steps                    []*ExchangeEntity   // each has its title as first observation
	Ties                     []*ExchangeRelation // of the outcome and the reality
	names                    []string            // that it needs in the store and in files
}

// ExchangeBeat is a narrative beat of a chart.
type ExchangeBeat struct {
	*ExchangeEntity
	Chart  string // ID of the chart
	Parent string // name of the beat this one details, or empty
}

// ExchangeProblem is something the reader of a report should know about one line.
type ExchangeProblem struct {
	Line    int    `json:"line"`
	Skipped bool   `json:"skipped"` // the record was left out; otherwise it was kept as the message says
	Message string `json:"message"`
}

// ExchangeProblems are what there is to say about the lines of a file.
type ExchangeProblems struct {
	Problems     []ExchangeProblem `json:"-"`
	SkippedCount int               `json:"-"` // records that were left out
}

// IsForeign reports whether none of several lines was JSON or the beginning of it: the file is of something else.
func (r *ExchangeProblems) IsForeign() bool {
	return len(r.Problems) > 1 && !slices.ContainsFunc(r.Problems, func(p ExchangeProblem) bool {
		return !strings.HasPrefix(p.Message, "not valid JSON: invalid character")
	})
}

func (r *ExchangeProblems) addSkipped(line int, format string, args ...any) {
	r.Problems = append(r.Problems, ExchangeProblem{Line: line, Message: fmt.Sprintf(format, args...), Skipped: true})
	r.SkippedCount++
}

func (r *ExchangeProblems) addProblem(line int, format string, args ...any) {
	r.Problems = append(r.Problems, ExchangeProblem{Line: line, Message: fmt.Sprintf(format, args...)})
}

// jsonObject is a JSON object whose values are decoded where they are needed, so
// that what is not understood is kept.
type jsonObject map[string]json.RawMessage

// decodeJSONObject returns nil for anything that is no object.
func decodeJSONObject(text []byte) jsonObject {
	var o jsonObject
	json.Unmarshal(text, &o) //nolint:errcheck // it is nil then
	return o
}

// encode writes the object with its keys sorted; one without members is nil.
func (o jsonObject) encode() json.RawMessage {
	if len(o) == 0 {
		return nil
	}
	return encodeExchangeValue(o)
}

// encodeExchangeValue encodes what has a JSON form: texts, numbers, lists, decoded JSON.
func encodeExchangeValue(value any) json.RawMessage {
	text, _ := plainjson.Encode(value) //nolint:errcheck // see above
	return text
}

// text returns the value of a key when it is a text, else the empty text.
func (o jsonObject) text(key string) string {
	var text string
	json.Unmarshal(o[key], &text) //nolint:errcheck // it is empty then
	return text
}

// takeMember removes a member and returns its value. A member of another type stays
// where it is.
func takeMember[T any](o jsonObject, key string) (value T) {
	if json.Unmarshal(o[key], &value) != nil {
		var zero T
		return zero
	}
	delete(o, key)
	return value
}

// takeDate removes a date, in UTC without a zone. Text that is no date stays.
func (o jsonObject) takeDate(key string, byDefault time.Time) time.Time {
	ms, ok := tools.ParseTime(o.text(key))
	if !ok {
		return byDefault
	}
	delete(o, key)
	return time.UnixMilli(ms).UTC()
}

// setText sets a key to a text, unless that is empty.
func (o jsonObject) setText(key, text string) {
	if text != "" {
		o[key] = encodeExchangeValue(text)
	}
}

// setIfMissing sets a key that the object does not have.
func (o jsonObject) setIfMissing(key string, value any) {
	if o[key] == nil {
		o[key] = encodeExchangeValue(value)
	}
}

// clone returns a copy that can be written to, also of nil.
func (o jsonObject) clone() jsonObject { return o.merge(nil) }

// merge returns a new object with the members of o and those that it lacks of other.
func (o jsonObject) merge(other jsonObject) jsonObject {
	merged := jsonObject{}
	maps.Copy(merged, other)
	maps.Copy(merged, o)
	return merged
}

// formatExchangeDate writes a stored date with the precision it has.
func formatExchangeDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
