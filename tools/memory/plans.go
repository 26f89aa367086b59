package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

// Plan is an insight that names a day, or that stands in the place of one which does.
type Plan struct {
	memory.Insight
	Due      string          // its own day, the next one of several; empty: it names none
	Replaced *memory.Insight // the plan in whose place it stands; nil: none
}

// ListPlans returns what is planned from one day to another, the first due first. In the place of a plan
// that a later insight makes untrue stands the later one, where it is not among the others anyway.
func ListPlans(ctx context.Context, tx *store.Tx, from, to string, limit int, now time.Time) (plans []Plan, err error) {
	list, err := memory.In(tx).InsightsDue(from, to, limit)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	laters, newer, err := readReplacements(ctx, tx, list, now)
	if err != nil {
		return nil, err
	}
	places, replaced := map[int64]int{}, map[int64]*memory.Insight{}
	for i := range list {
		last := list[i].ID
		for later, found := laters[last]; found; later, found = laters[last] {
			last = later.ID
		}
		if last == list[i].ID {
			places[last] = len(plans)
			plans = append(plans, Plan{Insight: list[i], Due: NextDueDay(list[i].Content, DueDayOf(&list[i]), list[i].Created, now)})
		} else if replaced[last] == nil || laters[list[i].ID].ID == last { // of several the one that it replaces itself
			replaced[last] = &list[i]
		}
	}
	for id, old := range replaced {
		if place, listed := places[id]; listed {
			plans[place].Replaced = old
		} else if later, known := newer[id]; known {
			plans = append(plans, Plan{Insight: later, Due: NextDueDay(later.Content, DueDayOf(&later), later.Created, now), Replaced: old})
		}
	}
	slices.SortFunc(plans, comparePlans)
	return plans, nil
}

// readReplacements returns which later insight makes which untrue, from some insights on, and those of them that are
// not among these.
func readReplacements(ctx context.Context, tx *store.Tx, list []memory.Insight, now time.Time) (laters map[int64]search.Later, newer map[int64]memory.Insight, err error) {
	laters, newer = map[int64]search.Later{}, map[int64]memory.Insight{}
	known := map[int64]bool{}
	var ids []int64
	for _, i := range list {
		ids, known[i.ID] = append(ids, i.ID), true
	}
	for len(ids) > 0 {
		found, err := search.FindOutdatedInsights(ctx, tx, ids, now)
		if err != nil {
			return nil, nil, err
		}
		ids = nil
		for id, later := range found {
			laters[id] = later
			if !known[later.ID] {
				ids, known[later.ID] = append(ids, later.ID), true
			}
		}
		rows, err := memory.In(tx).InsightsByID(ids)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range rows {
			newer[row.ID] = row
		}
	}
	return laters, newer, nil
}

// Day is the day on which a plan is told of; that of the plan in whose place it stands where it names none.
func (p *Plan) Day() string {
	if p.Due == "" && p.Replaced != nil {
		return DueDayOf(p.Replaced)
	}
	return p.Due
}

// DescribeReplaced names the plan in whose place it stands; empty: none.
func (p *Plan) DescribeReplaced() string {
	if p.Replaced == nil {
		return ""
	}
	return fmt.Sprintf("in place of insight %d, which was due %s", p.Replaced.ID, DueDayOf(p.Replaced))
}

// comparePlans puts what is due first in front.
func comparePlans(a, b Plan) int {
	return cmp.Or(cmp.Compare(a.Day(), b.Day()), cmp.Compare(a.ID, b.ID))
}
