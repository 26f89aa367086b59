package embed_test

import (
	"context"
	"testing"
	"time"

	"toolkit/embed"
)

// manyVectors is a feed of so many vectors.
type manyVectors int

func (n manyVectors) Changes(_ context.Context, after int64, limit int) (changes []embed.Change, err error) {
	for seq := after + 1; seq <= int64(n) && len(changes) < limit; seq++ {
		changes = append(changes, embed.Change{Seq: seq, ID: seq, Vector: []float32{1, 0}})
	}
	return changes, nil
}

// noRows is a table in which nothing lacks a vector.
type noRows struct{}

func (noRows) Unembedded(context.Context, string, int64, int) ([]embed.Row, int64, error) {
	return nil, 0, nil
}
func (noRows) StoreVectors(context.Context, string, []embed.Row) error       { return nil }
func (noRows) CountUnembedded(context.Context, string) (int, error)          { return 3, nil }
func (noRows) DeleteVectors(_ context.Context, except string) (int64, error) { return 7, nil }

func TestKeeperFollowsFewChangesAtOnceAndManyInTheBackground(t *testing.T) {
	keeper := embed.NewTableIndex(embed.BuiltIn(), noRows{}, time.Now)
	defer keeper.Close()
	few, many := manyVectors(3), manyVectors(embed.MaxFollowed+1)
	index, err := keeper.UpdateIndex(t.Context(), "few", few, few)
	if err != nil || index == nil || !index.Contains(3) {
		t.Fatalf("three changes were not taken in at once: %v, %v", index, err)
	}
	if index, err = keeper.UpdateIndex(t.Context(), "many", many, many); err != nil || index != nil {
		t.Fatalf("many changes were waited for: %v, %v", index, err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if index, err = keeper.UpdateIndex(t.Context(), "many", many, many); err != nil || time.Now().After(deadline) {
			t.Fatalf("many changes never come: %v", err)
		}
		if index != nil {
			break
		}
	}
	if !index.Contains(int64(many)) {
		t.Error("the last of many changes is missing")
	}
}

func TestKeeperOfWordsAloneMakesAndCountsNothing(t *testing.T) {
	keeper := embed.NewTableIndex(embed.Off(), noRows{}, time.Now)
	defer keeper.Close()
	pending, err := keeper.CountPending(t.Context())
	if err != nil || pending != 0 {
		t.Errorf("pending: %d, %v", pending, err)
	}
	if done, err := keeper.EmbedAll(t.Context(), nil); done != 0 || err != nil {
		t.Errorf("refreshed: %d, %v", done, err)
	}
	if complete, err := keeper.CatchUp(t.Context()); !complete || err != nil {
		t.Errorf("caught up: %v, %v", complete, err)
	}
}
