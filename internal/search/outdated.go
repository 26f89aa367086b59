package search

import (
	"context"
	"slices"
	"strconv"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/sessions"
)

// A Later is an insight that makes an earlier statement untrue.
type Later struct {
	ID  int64     `json:"id"`
	Ref string    `json:"-"`
	At  time.Time `json:"at"`
}

// FindOutdatedInsights returns which of some insights a later one makes untrue today, by their ids.
func FindOutdatedInsights(ctx context.Context, tx *store.Tx, ids []int64, now time.Time) (map[int64]Later, error) {
	decisions, err := ReadOutdated(ctx, tx, ids, now, nil)
	if err != nil {
		return nil, err
	}
	outdated := map[int64]Later{}
	for _, id := range ids {
		if later, found := decisions.LaterOf(id); found {
			outdated[id] = later
		}
	}
	return outdated, nil
}

// Outdated decides which insights a later one makes untrue today. Whoever tells of insights asks it,
// so that none is called earlier in one place and current in another. An insight is compared with the
// newest ones of the project in which it was said, and of none. It is not for use by several
// goroutines.
type Outdated struct {
	projects map[int64]int64         // in which each insight was said
	groups   map[int64]*insightGroup // by project
}

// insightGroup is the insights of one project and of none.
type insightGroup struct {
	list    []Statement
	places  map[int64]int
	changes *Changes
	moves   []move
}

// ReadOutdated reads what is needed to decide it of some insights. The statements of some projects may
// have been read already.
func ReadOutdated(ctx context.Context, tx *store.Tx, ids []int64, now time.Time, read map[int64][]Statement) (*Outdated, error) {
	sources, err := sessions.In(tx).SourcesOfInsights(ids)
	if err != nil {
		return nil, err
	}
	o := &Outdated{map[int64]int64{}, map[int64]*insightGroup{}}
	for _, id := range ids {
		project := sources[id].Project
		o.projects[id] = project
		if o.groups[project] != nil {
			continue
		}
		list, known := read[project]
		if !known {
			if list, err = ListStatements(ctx, tx, project, ""); err != nil {
				return nil, err
			}
		}
		list = slices.DeleteFunc(slices.Clone(list), func(s Statement) bool { return language.TakesEffectAfter(s.Text, s.At.Local(), now.Local()) })
		places := make(map[int64]int, len(list))
		for i := range list {
			places[list[i].ID] = i
		}
		o.groups[project] = &insightGroup{list, places, NewChanges(list, MinChangeScore), findMoves(list)}
	}
	return o, nil
}

// LaterOf returns what made an insight untrue.
func (o *Outdated) LaterOf(id int64) (Later, bool) {
	group, place := o.findGroup(id)
	if group == nil {
		return Later{}, false
	}
	at, found := group.changes.LaterOf(place)
	for i := 0; i < len(group.moves) && !found; i++ {
		at, found = group.moves[i].later, group.moves[i].earlier == place
	}
	if !found {
		return Later{}, false
	}
	later := &group.list[at]
	return Later{later.ID, later.Ref, later.At}, true
}

// EarlierOf returns what an insight made untrue of those in its project and of none, nil if it made
// none so.
func (o *Outdated) EarlierOf(id int64) *Statement {
	group, place := o.findGroup(id)
	if group == nil {
		return nil
	}
	at, found := group.changes.EarlierOf(place)
	for i := 0; i < len(group.moves) && !found; i++ {
		at, found = group.moves[i].earlier, group.moves[i].later == place
	}
	if !found {
		return nil
	}
	return &group.list[at]
}

// findGroup returns the group in which an insight is compared, and its place there; nil: in none.
func (o *Outdated) findGroup(id int64) (*insightGroup, int) {
	group := o.groups[o.projects[id]]
	if group == nil {
		return nil, 0
	}
	place, listed := group.places[id]
	if !listed {
		return nil, 0
	}
	return group, place
}

// FindStatementMadeUntrue returns the statement that an insight makes untrue, nil if it makes none so.
func FindStatementMadeUntrue(ctx context.Context, tx *store.Tx, id int64, now time.Time) (*Statement, error) {
	decisions, err := ReadOutdated(ctx, tx, []int64{id}, now, nil)
	if err != nil {
		return nil, err
	}
	earlier := decisions.EarlierOf(id)
	if earlier == nil {
		return nil, nil
	}
	outdated, err := FindOutdatedInsights(ctx, tx, []int64{earlier.ID}, now) // that of none may be current among those of none
	if outdated[earlier.ID].ID != id {
		return nil, err
	}
	return earlier, err
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
	return groupByChange(list, madeUntrue)
}

// insightRef is by what an insight is known among all that is remembered.
func insightRef(id int64) string { return kinds.Insight + ":" + strconv.FormatInt(id, 10) }
