package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"

	"toolkit/embed"
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
	store *store.DB
	known atomic.Bool // the vector space is
}

// Unembedded makes the vector space known first, so that a record which changes
// while the model thinks is seen to have changed.
func (u *recordTable) Unembedded(ctx context.Context, model string, after int64, limit int) (rows []embed.Row, last int64, err error) {
	if err := u.ensureSpace(ctx, model); err != nil {
		return nil, 0, err
	}
	err = u.store.Read(ctx, func(tx *store.Tx) error {
		var list []records.Pending
		if list, last, err = records.In(tx).Unembedded(model, after, limit); err != nil {
			return err
		}
		for _, r := range list {
			properties, err := decodeObject(r.Properties)
			if err != nil {
				return err
			}
			rows = append(rows, embed.Row{ID: r.Seq, Version: r.Version, Text: embeddedText(r.Type, properties)})
		}
		return nil
	})
	return rows, last, err
}

func (u *recordTable) ensureSpace(ctx context.Context, model string) error {
	if u.known.Load() {
		return nil
	}
	known, err := store.ReadValue(ctx, u.store, func(tx *store.Tx) (bool, error) { return records.In(tx).HasSpace(model) })
	if err == nil && !known {
		err = u.store.Write(ctx, func(tx *store.Tx) error { return records.In(tx).EnsureSpace(model) })
	}
	u.known.Store(err == nil)
	return err
}

func (u *recordTable) StoreVectors(ctx context.Context, model string, rows []embed.Row) error {
	return u.store.Write(ctx, func(tx *store.Tx) error {
		for _, row := range rows {
			if err := records.In(tx).FillVector(model, row.ID, row.Version, row.Vector); err != nil {
				return err
			}
		}
		return nil
	})
}

func (u *recordTable) CountUnembedded(ctx context.Context, model string) (int, error) {
	return store.ReadValue(ctx, u.store, func(tx *store.Tx) (int, error) { return records.In(tx).CountUnembedded(model) })
}

func (u *recordTable) DeleteVectors(ctx context.Context, except string) (int64, error) {
	return store.WriteValue(ctx, u.store, func(tx *store.Tx) (int64, error) { return records.In(tx).DropVectors(except) })
}

// vectorSpace is a vector space of the store as the source of an index.
type vectorSpace struct {
	store *store.DB
	model string
}

func (v vectorSpace) Changes(ctx context.Context, after int64, limit int) ([]embed.Change, error) {
	return store.ReadValue(ctx, v.store, func(tx *store.Tx) ([]embed.Change, error) {
		rows, err := records.In(tx).VectorChanges(v.model, after, limit)
		changes := make([]embed.Change, len(rows))
		for i, row := range rows {
			vector, _ := embed.Unpack(row.Vector) // one that cannot be read is none
			changes[i] = embed.Change{Seq: row.Seq, ID: row.Record, Vector: vector}
		}
		return changes, err
	})
}

func (v vectorSpace) CountChanges(ctx context.Context, after int64, limit int) (int, error) {
	return store.ReadValue(ctx, v.store, func(tx *store.Tx) (int, error) {
		return records.In(tx).CountVectorChanges(v.model, after, limit)
	})
}

func (v vectorSpace) exact(ctx context.Context, list []int64) (map[int64][]float32, error) {
	vectors := make(map[int64][]float32, len(list))
	err := v.store.Read(ctx, func(tx *store.Tx) error {
		packed, err := records.In(tx).Vectors(v.model, list)
		for record, data := range packed {
			if vector, err := embed.Unpack(data); err == nil {
				vectors[record] = vector
			}
		}
		return err
	})
	return vectors, err
}
