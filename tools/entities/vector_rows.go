package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/records"
)

// UpdateRecord stores the vector that came with a record which is written in this transaction.
// That of the model is made after the commit.
func (s *VectorSearch) UpdateRecord(tx *store.Tx, r records.Record) error {
	supplied, space, err := suppliedVector(r.Embedding)
	if err != nil {
		return err
	}
	if err := records.In(tx).SupplyVector(space, r.Seq, supplied); err != nil {
		return err
	}
	if !s.IsOff() {
		s.ExpectRows()
	}
	return nil
}

// suppliedVector is the packed form of an embedding that came with a record and
// the space it belongs to: vectors of another length cannot be compared with it.
func suppliedVector(embedding json.RawMessage) (vector []byte, space string, err error) {
	if len(embedding) == 0 {
		return nil, "", nil
	}
	var numbers []float64
	if err := json.Unmarshal(embedding, &numbers); err != nil {
		return nil, "", fmt.Errorf("reading the embedding of a record: %w", err)
	}
	unit, ok := normalizeVector(numbers)
	if !ok {
		return nil, "", nil
	}
	vector, err = embed.PackHalf(unit)
	return vector, suppliedSpace(len(unit)), err
}

func suppliedSpace(dimension int) string { return fmt.Sprintf("%s:%d", suppliedModel, dimension) }

// normalizeVector scales an embedding to length 1, which single precision can hold
// whatever the numbers are; not ok when it has no direction.
func normalizeVector(numbers []float64) ([]float32, bool) {
	largest := 0.0
	for _, x := range numbers {
		largest = max(largest, math.Abs(x))
	}
	if !(largest > 0) || math.IsInf(largest, 0) || len(numbers) > maxEmbeddingLength {
		return nil, false
	}
	unit := make([]float32, len(numbers))
	for i, x := range numbers {
		unit[i] = float32(x / largest)
	}
	return unit, embed.Normalize(unit)
}

// recordTable are the records as a keeper of their vectors takes them.
type recordTable struct {
	search.VectorTable
	known atomic.Bool // the vector space is
}

func newRecordTable(db *store.DB) *recordTable {
	return &recordTable{VectorTable: search.VectorTable{Store: db, Rows: func(tx *store.Tx) search.VectorRows { return recordRows{records.In(tx)} }}}
}

// Unembedded makes the vector space known first, so that a record which changes
// while the model thinks is seen to have changed.
func (u *recordTable) Unembedded(ctx context.Context, model string, after int64, limit int) (rows []embed.Row, last int64, err error) {
	if err := u.ensureSpace(ctx, model); err != nil {
		return nil, 0, err
	}
	return u.VectorTable.Unembedded(ctx, model, after, limit)
}

func (u *recordTable) ensureSpace(ctx context.Context, model string) error {
	if u.known.Load() {
		return nil
	}
	known, err := store.ReadValue(ctx, u.Store, func(tx *store.Tx) (bool, error) { return records.In(tx).HasSpace(model) })
	if err == nil && !known {
		err = u.Store.Write(ctx, func(tx *store.Tx) error { return records.In(tx).EnsureSpace(model) })
	}
	u.known.Store(err == nil)
	return err
}

// recordRows are records with the texts that stand for them in a vector space.
type recordRows struct{ records.Rows }

// ListUnembedded returns records that have no vector of their present text.
func (r recordRows) ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error) {
	return r.Rows.ListUnembedded(model, after, limit, func(record records.Record) (string, error) {
		properties, err := decodeObject(record.Properties)
		if err != nil {
			return "", err
		}
		delete(properties, warningsField) // they say how it was read, and not what it says
		return embeddedText(record.Type, properties), nil
	})
}

// exactVectors are the vectors of records in a space as they are stored.
func exactVectors(ctx context.Context, db *store.DB, space string, list []int64) (map[int64][]float32, error) {
	vectors := make(map[int64][]float32, len(list))
	err := db.Read(ctx, func(tx *store.Tx) error {
		packed, err := records.In(tx).Vectors(space, list)
		for record, data := range packed {
			if vector, err := embed.Unpack(data); err == nil {
				vectors[record] = vector
			}
		}
		return err
	})
	return vectors, err
}
