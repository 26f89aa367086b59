package query

import (
	"encoding/json"
	"fmt"
	"time"
)

// Select reads every row of a query; the list is never nil. Fields is where the columns of
// a row go: pointers into a T, in the order of the columns.
func Select[T any](r Reader, fields func(*T) []any, query string, args ...any) ([]T, error) {
	list := []T{}
	err := EachRow(r, fields, func(row T) error {
		list = append(list, row)
		return nil
	}, query, args...)
	return list, err
}

// SelectPointers returns Select with pointers to the rows.
func SelectPointers[T any](r Reader, fields func(*T) []any, query string, args ...any) ([]*T, error) {
	list := []*T{}
	err := EachRow(r, fields, func(row T) error {
		list = append(list, &row)
		return nil
	}, query, args...)
	return list, err
}

// EachRow calls f for every row of a query, read as Select does.
func EachRow[T any](r Reader, fields func(*T) []any, f func(T) error, query string, args ...any) error {
	var row, empty T
	into := fields(&row)
	return r.Each(func(scan Scan) error {
		row = empty
		if err := scan(into...); err != nil {
			return err
		}
		return f(row)
	}, query, args...)
}

// Read reads the row of a query, which is there, as Select does.
func Read[T any](tx *Tx, fields func(*T) []any, query string, args ...any) (row T, err error) {
	err = tx.Row(query, args...).Scan(fields(&row)...)
	return row, err
}

// Find is Read for a row that need not be there.
func Find[T any](tx *Tx, fields func(*T) []any, query string, args ...any) (row T, known bool, err error) {
	row, err = Read(tx, fields, query, args...)
	known, err = RowFound(err)
	return row, known, err
}

// Get is Find with nil for a row that is not there.
func Get[T any](tx *Tx, fields func(*T) []any, query string, args ...any) (*T, error) {
	row, known, err := Find(tx, fields, query, args...)
	if !known {
		return nil, err
	}
	return &row, err
}

// Value reads the one column of a row that is there.
func Value[T any](tx *Tx, query string, args ...any) (T, error) {
	return Read(tx, Column[T], query, args...)
}

// Column is the field of a row of one column.
func Column[T any](v *T) []any { return []any{v} }

// Millis is a field for a moment that is stored in unix milliseconds; NULL is the zero time.
func Millis(into *time.Time) any { return &millisField{into} }

type millisField struct{ into *time.Time }

// Scan takes the column.
func (f *millisField) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*f.into = time.Time{}
	case int64:
		*f.into = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("a moment of the unexpected kind %T", value)
	}
	return nil
}

// FromJSON is a field for a column of JSON: what it says, or the text itself for a
// json.RawMessage. NULL and an empty text change nothing.
func FromJSON(into any) any { return &jsonField{into: into} }

type jsonField struct {
	into   any
	decode func(string) string // of another engine than SQLite; see Dialect
}

// Scan takes the column.
func (f *jsonField) Scan(value any) error {
	text := ""
	switch v := value.(type) {
	case nil:
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("JSON of the unexpected kind %T", value)
	}
	if f.decode != nil {
		text = f.decode(text)
	}
	if text == "" {
		return nil
	}
	if raw, ok := f.into.(*json.RawMessage); ok {
		*raw = json.RawMessage(text)
		return nil
	}
	return json.Unmarshal([]byte(text), f.into)
}

// scanDecoded scans a row of another engine than SQLite.
func scanDecoded(d Dialect, scan Scan, into []any) error {
	for _, target := range into {
		if f, ok := target.(*jsonField); ok {
			f.decode = d.DecodeText
		}
	}
	if err := scan(into...); err != nil {
		return err
	}
	d.Decode(into)
	return nil
}
