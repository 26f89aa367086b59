package memory

import (
	"cmp"
	"slices"

	"toolkit/store/internal/query"
)

// positionGap is how far from each other places stand of rows between which others may be.
const positionGap = 1000

// neighbourQuery are the ids of up to reach turns on one side of a turn h in its session, by
// time and, where that is equal, by arrival. Only dialogue has sessions. One query
// for each kind of comparison lets the index answer it, however many times are equal.
func neighbourQuery(side, order, reach string) string {
	some := func(condition string) string {
		return `SELECT * FROM (SELECT m.id, m.created FROM memory_rows m WHERE m.session = h.session AND ` + condition + ` ORDER BY m.created ` + order + `, m.id ` + order + ` LIMIT ` + reach + `)`
	}
	return `SELECT id FROM (SELECT * FROM (` + some(`m.created = h.created AND m.id `+side+` h.id`) + ` UNION ALL ` + some(`m.created `+side+` h.created`) + `)
		ORDER BY created ` + order + `, id ` + order + ` LIMIT ` + reach + `)`
}

// assignPositions gives rows their places in their sessions, as far as they are known: the
// rows up to reach before and after each wanted one are next to it.
func assignPositions(list []Indexed, wanted []int64, reach int) {
	order := make([]*Indexed, 0, len(list))
	for i := range list {
		if list[i].SessionID != "" {
			order = append(order, &list[i])
		}
	}
	slices.SortFunc(order, func(a, b *Indexed) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	})
	known := make(map[int64]bool, len(wanted))
	for _, id := range wanted {
		known[id] = true
	}
	follows := make([]bool, len(order)) // the row before directly
	for i, row := range order {
		if known[row.ID] {
			for at := max(i-reach, 0) + 1; at <= min(i+reach, len(order)-1); at++ {
				follows[at] = true
			}
		}
	}
	for i, row := range order {
		switch {
		case i == 0 || order[i-1].SessionID != row.SessionID:
			row.Position = 1
		case follows[i]:
			row.Position = order[i-1].Position + 1
		default:
			row.Position = order[i-1].Position + positionGap
		}
	}
}

// Turns count the turns of a session up to each of some indexed rows, by their ids.
func (tx Rows) Turns(ids []int64) (map[int64]int, error) {
	return query.Map[int64, int](tx.sql, `SELECT h.id, (SELECT count(*) FROM memory_rows m WHERE m.session = h.session AND m.created < h.created)
			+ (SELECT count(*) FROM memory_rows m WHERE m.session = h.session AND m.created = h.created AND m.id <= h.id)
		FROM json_each(?) j CROSS JOIN memory_rows h ON h.id = j.value`, query.List(ids))
}
