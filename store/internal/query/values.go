package query

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Numbers and Texts are lists as arguments, JSON arrays that json_each takes apart.
// Their types tell an engine what the values are.
type (
	Numbers string
	Texts   string
)

// List is the argument through which a list travels.
func List[T int64 | string](list []T) any {
	if rows, ok := any(list).([]int64); ok {
		return Numbers(encodeNumbers(rows))
	}
	if len(list) == 0 {
		return Texts("[]")
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic("store: " + err.Error()) // strings always encode
	}
	return Texts(b)
}

func encodeNumbers(rows []int64) string {
	b := make([]byte, 0, 8*len(rows)+2)
	b = append(b, '[')
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r, 10)
	}
	return string(append(b, ']'))
}

// NullIfEmpty returns an argument that is NULL without contents.
func NullIfEmpty(raw json.RawMessage) any {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return string(raw)
}

// NullIfZero returns an argument that is NULL when it is 0.
func NullIfZero(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// Vector is the vector of a row in the vector space of a model, in a form of the caller's
// choosing.
type Vector struct {
	Seq     int64  // place in the feed of vectors
	ID      int64  // of the row
	Version int64  // of the text that was read; see Unembedded
	Vector  []byte // nil: there is nothing to compare
}

// Unembedded is a row that has no vector of its present text.
type Unembedded struct {
	ID      int64
	Version int64
	Text    string // as much of it as a model may read
}

const (
	// UnembeddedBatch is how many rows are read at a time to be embedded. Some are long, and of those only the
	// beginning stays in memory.
	UnembeddedBatch = 8
	// maxEmbeddedText is how much of a text, in bytes, is embedded: more than any model reads.
	maxEmbeddedText = 64 << 10
	// maxWordLength is how far from there, in bytes, a space is looked for, so that no secret is cut in two.
	maxWordLength = 4 << 10
)

// NewUnembedded is a row that has no vector, with the beginning of a long text.
func NewUnembedded(id, version int64, text string) Unembedded {
	if len(text) > maxEmbeddedText {
		end := maxEmbeddedText
		for !utf8.RuneStart(text[end]) && end > maxEmbeddedText-utf8.UTFMax {
			end--
		}
		if space := strings.LastIndexFunc(text[:end], unicode.IsSpace); space > end-maxWordLength {
			end = space
		}
		text = strings.Clone(text[:end])
	}
	return Unembedded{ID: id, Version: version, Text: text}
}

// VectorTable names a table of vectors, its column of the rows that they are of, and the
// table of its spaces.
type VectorTable struct{ Name, Key, Spaces string }

// ListChanges returns up to limit vectors in the space of a model that came or went after a
// place in the feed, in order.
func (t VectorTable) ListChanges(tx *Tx, model string, after int64, limit int) ([]Vector, error) {
	return Select(tx, func(v *Vector) []any { return []any{&v.Seq, &v.ID, &v.Vector} }, `SELECT seq, `+t.Key+`, vector FROM `+t.Name+` WHERE space = (SELECT id FROM `+t.Spaces+` WHERE model = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3`, model, after, limit)
}

// NullIfNil keeps a nil slice from being stored as an empty one.
func NullIfNil(data []byte) any {
	if data == nil {
		return nil
	}
	return data
}
