package view

import (
	"context"
	"maps"
	"slices"

	"toolkit/internal/search"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
)

// maxCompared is among how many insights, the newest, one is sought that may replace another.
const maxCompared = 400

// laterInsight is an insight that may replace an earlier one.
type laterInsight struct {
	ID int64  `json:"id"`
	At string `json:"at"`
}

// markEarlier notes of insights that hold by which later one of the same project each may be
// replaced, as recall and a session's beginning say of them.
func markEarlier(ctx context.Context, tx *store.Tx, parts ...[]insightRow) error {
	shown := map[int64][]*insightRow{}
	for _, part := range parts {
		for i := range part {
			if part[i].State == "current" {
				shown[part[i].ID] = append(shown[part[i].ID], &part[i])
			}
		}
	}
	if len(shown) == 0 {
		return nil
	}
	byProject, err := comparedInsights(tx, slices.Sorted(maps.Keys(shown)))
	if err != nil {
		return err
	}
	for _, list := range byProject {
		statements, err := search.StatementsOf(ctx, tx, list)
		if err != nil {
			return err
		}
		for earlier, later := range search.FindChanges(statements, search.MinChangeScore) {
			for _, row := range shown[list[earlier].ID] {
				row.Later = &laterInsight{list[later].ID, timestamp(list[later].Created)}
			}
		}
	}
	return nil
}

// comparedInsights are insights of some ids and the newest ones, by their projects; those of
// projects in which none is sought are left out.
func comparedInsights(tx *store.Tx, wanted []int64) (map[int64][]memoryrows.Insight, error) {
	rows := memoryrows.In(tx)
	list, err := rows.InsightsByID(wanted)
	if err != nil {
		return nil, err
	}
	newest, err := rows.Insights(memoryrows.InsightFilter{Limit: maxCompared})
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(wanted)
	for _, i := range newest {
		if !slices.Contains(wanted, i.ID) {
			ids, list = append(ids, i.ID), append(list, i)
		}
	}
	sources, err := sessions.In(tx).SourcesOfInsights(ids)
	if err != nil {
		return nil, err
	}
	byProject := map[int64][]memoryrows.Insight{}
	for at, i := range list {
		project := sources[i.ID].Project
		if at < len(wanted) || len(byProject[project]) > 0 {
			byProject[project] = append(byProject[project], i)
		}
	}
	return byProject, nil
}
