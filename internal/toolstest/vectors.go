package toolstest

import (
	"context"
	"math"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/memory"
)

// StoreInsightVectors stores the vectors of all insights, as the program does once nothing is
// written for a while. Without them every question makes those that it needs anew.
func StoreInsightVectors(ctx context.Context, db *store.DB) error {
	var vectors []store.Vector
	var texts []string
	err := db.Read(ctx, func(tx *store.Tx) error {
		missing, _, err := memory.In(tx).ListUnembedded(embed.BuiltInModel, 0, math.MaxInt32)
		if err != nil {
			return err
		}
		ids := make([]int64, len(missing))
		for i, row := range missing {
			ids[i] = row.ID
		}
		rows, err := memory.In(tx).RowsAt(ids)
		for _, row := range missing {
			if rows[row.ID].Source == memory.SourceInsight {
				vectors, texts = append(vectors, store.Vector{ID: row.ID}), append(texts, row.Text)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	embedded, err := embed.BuiltIn().Embed(ctx, texts)
	if err != nil {
		return err
	}
	for i, vector := range embedded {
		if vectors[i].Vector, err = embed.Pack(vector); err != nil {
			return err
		}
	}
	return db.Write(ctx, func(tx *store.Tx) error { return memory.In(tx).InsertVectors(embed.BuiltInModel, vectors) })
}
