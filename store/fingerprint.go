package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"
)

// fingerprint hashes the rows of an ordinary table in the order of its key, and
// of a full-text index every place of every term.
func fingerprint(ctx context.Context, db execer, t Table) (string, error) {
	query := `SELECT ` + exactColumns(t.Columns) + ` FROM ` + quoteName(t.Name) + ` ORDER BY ` + quoteNames(t.orderedBy())
	width := len(t.Columns)
	if t.Virtual {
		// A view in the temporary schema, which belongs to this connection alone.
		if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', '`+strings.ReplaceAll(t.Name, `'`, `''`)+`', 'instance')`); err != nil {
			return "", err
		}
		defer db.ExecContext(ctx, `DROP TABLE temp.places`) //nolint:errcheck // it ends with the connection at the latest
		query, width = `SELECT term, doc, col, "offset" FROM temp.places ORDER BY doc, col, "offset", term`, 4
	}
	sum := sha256.New()
	values, targets := scanTargets(width)
	err := eachRow(ctx, db, func(scan func(...any) error) error {
		if err := scan(targets...); err != nil {
			return err
		}
		for _, v := range values {
			if err := hashValue(sum, v); err != nil {
				return err
			}
		}
		return nil
	}, query)
	return hex.EncodeToString(sum.Sum(nil)), err
}

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

// exactColumns reads columns as they are stored: the driver would turn columns
// declared as dates or truth values into those, but an expression has no
// declared type.
func exactColumns(columns []string) string {
	exact := make([]string, len(columns))
	for i, c := range columns {
		exact[i] = "+" + quoteName(c)
	}
	return strings.Join(exact, ", ")
}

// orderedBy names columns that put the rows of a table in one order.
func (t Table) orderedBy() []string {
	if len(t.Key) > 0 {
		return t.Key
	}
	return t.Columns
}

func scanTargets(width int) (values []any, targets []any) {
	values, targets = make([]any, width), make([]any, width)
	for i := range values {
		targets[i] = &values[i]
	}
	return values, targets
}
