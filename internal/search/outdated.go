package search

import (
	"context"
	"slices"
	"strconv"
	"time"

	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/sessions"
)

// maxDecided is among how many statements of a project, the newest, it is decided which of them a
// later one makes untrue.
const maxDecided = 400

// A Later is an insight that makes an earlier statement untrue.
type Later struct {
	ID  int64
	Ref string
	At  time.Time
}

// FindOutdated returns which of some insights a later one makes untrue today, by their ids. Whoever
// tells of insights asks it, so that none is called earlier in one place and current in another. An
// insight is compared with the newest ones of the project in which it was said, and of none.
func FindOutdated(ctx context.Context, tx *store.Tx, ids []int64, now time.Time) (map[int64]Later, error) {
	sources, err := sessions.In(tx).SourcesOfInsights(ids)
	if err != nil {
		return nil, err
	}
	wanted := map[int64][]int64{} // by project
	for _, id := range ids {
		project := sources[id].Project
		wanted[project] = append(wanted[project], id)
	}
	outdated := map[int64]Later{}
	for project, ids := range wanted {
		list, err := ListStatements(ctx, tx, project, "", notice.Style, maxDecided)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(s Statement) bool { return language.HoldsLater(s.Text, s.At.Local(), now.Local()) })
		for earlier, later := range FindChanges(list, MinChangeScore) {
			if slices.Contains(ids, list[earlier].ID) {
				outdated[list[earlier].ID] = Later{list[later].ID, list[later].Ref, list[later].At}
			}
		}
	}
	return outdated, nil
}

// FindReplaced returns the statement that an insight makes untrue, nil if it makes none so.
func FindReplaced(ctx context.Context, tx *store.Tx, id int64, now time.Time) (*Statement, error) {
	sources, err := sessions.In(tx).SourcesOfInsights([]int64{id})
	if err != nil {
		return nil, err
	}
	list, err := ListStatements(ctx, tx, sources[id].Project, "", notice.Style, maxDecided)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	outdated, err := FindOutdated(ctx, tx, ids, now)
	for i := range list {
		if outdated[list[i].ID].ID == id {
			return &list[i], err
		}
	}
	return nil, err
}

// GroupOutdated puts behind each statement that holds what it made untrue, and what that made
// untrue before, the newest first. The topics stand in the order of their first statements.
func GroupOutdated(list []Statement, outdated map[int64]Later) []Topic {
	places := map[int64]int{}
	for i := range list {
		places[list[i].ID] = i
	}
	madeUntrue := map[int]int{}
	for i := range list {
		if at, listed := places[outdated[list[i].ID].ID]; listed {
			madeUntrue[i] = at
		}
	}
	return groupChanges(list, madeUntrue)
}

// insightRef is by what an insight is known among all that is remembered.
func insightRef(id int64) string { return kinds.Insight + ":" + strconv.FormatInt(id, 10) }
