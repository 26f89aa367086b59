package view

import (
	"context"
	"time"

	"toolkit/internal/search"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
)

// describeAndMarkReplaced describes insights, and says by which later one each may be replaced.
func (s *Server) describeAndMarkReplaced(ctx context.Context, tx *store.Tx, list []memoryrows.Insight) ([]insightRow, error) {
	described, err := describeInsights(tx, list)
	if err != nil {
		return nil, err
	}
	return described, markReplacedInsights(ctx, tx, s.o.Store.Now(), described)
}

// markReplacedInsights notes of insights that hold by which later one each may be replaced.
func markReplacedInsights(ctx context.Context, tx *store.Tx, now time.Time, parts ...[]insightRow) error {
	var ids []int64
	for _, part := range parts {
		for _, row := range part {
			ids = append(ids, row.ID)
		}
	}
	outdated, err := search.FindOutdatedInsights(ctx, tx, ids, now)
	for _, part := range parts {
		for i := range part {
			if later, found := outdated[part[i].ID]; found && part[i].State == "current" {
				part[i].Later = &later
			}
		}
	}
	return err
}
