package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"math/bits"
	"slices"
	"strings"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
)

// EachRow calls f with the values of every row of a table, in the order of columns, as they
// are stored: nil, int64, float64, string or []byte. Rows come in the order of the key, or of
// the rowid. On a damaged page it ends with an error for which [IsUnreadable] holds; the rows
// before it have been given, and in the order of a number as key those behind it, too.
func (i *Inspection) EachRow(ctx context.Context, t Table, f func(values []any) error) error {
	onServer := i.server != nil
	if onServer || !t.isNumbered() {
		return classifyError(eachStoredRow(ctx, i.conn, onServer, len(t.Columns), f, t.selectStatement(onServer)))
	}
	column, last := slices.Index(t.Columns, t.Key[0]), int64(0)
	each := func(statement string) error {
		return classifyError(eachStoredRow(ctx, i.conn, false, len(t.Columns), func(values []any) error {
			last, _ = values[column].(int64)
			return f(values)
		}, statement))
	}
	damage := each(t.selectStatement(false))
	var newest int64
	if IsUnreadable(damage) && i.conn.QueryRowContext(ctx, `SELECT max(rowid) FROM `+quoteName(t.Name)).Scan(&newest) != nil {
		return damage
	}
	// Ever longer steps leave a damaged page that holds many keys.
	for next := last + 1; IsUnreadable(damage) && next <= newest; next += 1 + (next-last)/8 {
		before := last
		err := each(strings.Replace(t.selectStatement(false), ` ORDER BY `, fmt.Sprintf(` WHERE rowid >= %d ORDER BY `, next), 1))
		if err == nil || !IsUnreadable(err) {
			return cmp.Or(err, damage)
		}
		if last > before { // another page is damaged
			next = last
		}
	}
	return damage
}

// IsUnreadable reports whether an error means that a part of a file cannot be read, rather
// than that reading had to end.
func IsUnreadable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable) }

// Fingerprint stands for all that an ordinary table holds: tables with the same contents
// have the same, in a file and in PostgreSQL.
func (i *Inspection) Fingerprint(ctx context.Context, t Table) (string, error) {
	rows, onServer := newRowHash(), i.server != nil
	err := eachStoredRow(ctx, i.conn, onServer, len(t.Columns), rows.addRow, t.selectStatement(onServer))
	return rows.String(), classifyError(err)
}

// rowHash stands for the rows that were added to it, in whatever order: a NUL in a key
// comes first in SQLite and last in PostgreSQL. It is the sum of the hashes of all rows.
type rowHash struct {
	row   hash.Hash
	sum   [sha256.Size / 8]uint64
	count int
}

func newRowHash() *rowHash { return &rowHash{row: sha256.New()} }

func (h *rowHash) addRow(values []any) error {
	h.row.Reset()
	for _, v := range values {
		if err := hashValue(h.row, v); err != nil {
			return err
		}
	}
	digest := h.row.Sum(nil)
	var carry uint64
	for i := range h.sum {
		h.sum[i], carry = bits.Add64(h.sum[i], binary.LittleEndian.Uint64(digest[8*i:]), carry)
	}
	h.count++
	return nil
}

func (h *rowHash) String() string { return fmt.Sprintf("%d rows %x", h.count, h.sum) }

// selectStatement returns the query for all rows of a table as they are stored, in the order of
// its key or in the other direction.
func (t Table) selectStatement(onServer bool) string {
	// The driver would turn columns that are declared as dates or truth values into those;
	// an expression has no declared type.
	columns, order := joinPrefixedNames(t.Columns, "+"), t.Key
	if onServer {
		columns = quoteNames(t.Columns)
	}
	if len(order) == 0 {
		order = t.Columns
	}
	return `SELECT ` + columns + ` FROM ` + quoteName(t.Name) + ` ORDER BY ` + quoteNames(order)
}

// eachStoredRow calls f with the values of every row of a query, which are valid during
// the call.
func eachStoredRow(ctx context.Context, on query.Connection, onServer bool, width int, f func(values []any) error, statement string) error {
	values, targets := make([]any, width), make([]any, width)
	for i := range values {
		targets[i] = &values[i]
	}
	return rawReader{ctx, on}.Each(func(scan query.Scan) error {
		if err := scan(targets...); err != nil {
			return err
		}
		if onServer {
			dialect.Decode(targets)
		}
		for i, v := range values {
			if blob, ok := v.([]byte); ok && blob == nil { // an empty one; written like this it would be NULL
				values[i] = []byte{}
			}
		}
		return f(values)
	}, statement)
}

var dialect postgres.Dialect

// hashValue writes a value with its kind and length, so that no two rows look
// alike.
func hashValue(sum hash.Hash, value any) error {
	var head [9]byte
	var body []byte
	switch v := value.(type) {
	case nil:
	case int64:
		head[0] = 'i'
		binary.BigEndian.PutUint64(head[1:], uint64(v))
	case float64:
		head[0] = 'r'
		binary.BigEndian.PutUint64(head[1:], math.Float64bits(v))
	case string:
		head[0], body = 't', []byte(v)
		binary.BigEndian.PutUint64(head[1:], uint64(len(v)))
	case []byte:
		head[0], body = 'b', v
		binary.BigEndian.PutUint64(head[1:], uint64(len(v)))
	default:
		return fmt.Errorf("a value of the unexpected kind %T", value)
	}
	sum.Write(head[:]) //nolint:errcheck // a hash never fails
	sum.Write(body)    //nolint:errcheck // a hash never fails
	return nil
}
