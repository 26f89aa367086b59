package query

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
	Text    string
}

// VectorTable names a table of vectors, its column of the rows that they are of, and the
// table of its spaces.
type VectorTable struct{ Name, Key, Spaces string }

// ListChanges returns up to limit vectors in the space of a model that came or went after a
// place in the feed, in order.
func (t VectorTable) ListChanges(tx *Tx, model string, after int64, limit int) ([]Vector, error) {
	return Select(tx, func(v *Vector) []any { return []any{&v.Seq, &v.ID, &v.Vector} }, `SELECT seq, `+t.Key+`, vector FROM `+t.Name+` WHERE space = (SELECT id FROM `+t.Spaces+` WHERE model = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3`, model, after, limit)
}

// CountChanges counts what ListChanges would return.
func (t VectorTable) CountChanges(tx *Tx, model string, after int64, limit int) (int, error) {
	return Value[int](tx, `SELECT count(*) FROM (SELECT 1 FROM `+t.Name+` WHERE space = (SELECT id FROM `+t.Spaces+` WHERE model = ?1) AND seq > ?2 LIMIT ?3)`, model, after, limit)
}

// Blob keeps a nil slice from being stored as an empty one.
func Blob(data []byte) any {
	if data == nil {
		return nil
	}
	return data
}
