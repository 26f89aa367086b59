package telemetry

import (
	"fmt"
	"strings"

	"toolkit/store/internal/query"
)

// Arrivals are the users first seen from one time to another, both included,
// with one agent or (0) with all.
type Arrivals struct{ Agent, From, To int64 }

// ofArrivals picks the users; its arguments come first in every query here.
const ofArrivals = ` FROM analytics_actors WHERE agent = ?1 AND first_at >= ?2 AND first_at <= ?3`

// firstColumns are the columns of Journey.First.
var firstColumns = [6]string{"first_upload", "first_extraction", "first_entity", "first_event", "first_search", "first_query"}

// CountActivated counts the arrivals, and those who took a step (an index of
// Journey.First) in their first session.
func (tx Rows) CountActivated(a Arrivals, step int) (reached, all int64, err error) {
	err = tx.sql.Row(`SELECT count(*), coalesce(sum(`+firstColumns[step]+` <= session_end), 0)`+ofArrivals, a.Agent, a.From, a.To).Scan(&all, &reached)
	return reached, all, err
}

// CountFunnel counts the arrivals, and those who came through each step of
// Journey.Funnel up to a time.
func (tx Rows) CountFunnel(a Arrivals, until int64) (counts [5]int64, err error) {
	err = tx.sql.Row(`SELECT count(*), coalesce(sum(funnel_upload <= ?4), 0), coalesce(sum(funnel_extraction <= ?4), 0),
		coalesce(sum(funnel_entity <= ?4), 0), coalesce(sum(funnel_timeline <= ?4), 0)`+ofArrivals, a.Agent, a.From, a.To, until).
		Scan(&counts[0], &counts[1], &counts[2], &counts[3], &counts[4])
	return counts, err
}

// WeekCount counts the users first seen in a week, and those of them who
// returned.
type WeekCount struct{ Week, Returned, All int64 }

// CountReturning counts, by weeks from a day, the arrivals of days before
// another day, and those who were active on one of the days that mask has.
func (tx Rows) CountReturning(a Arrivals, firstDay, before, mask int64) ([]WeekCount, error) {
	return query.Select(tx.sql, func(w *WeekCount) []any { return []any{&w.Week, &w.All, &w.Returned} }, `SELECT (first_at / 86400000 - ?4) / 7 AS week, count(*), sum(days & ?6 <> 0)`+ofArrivals+` AND first_at / 86400000 < ?5 GROUP BY week ORDER BY week`,
		a.Agent, a.From, a.To, firstDay, before, mask)
}

// RememberedWeeks is how many weeks from its first day a journey remembers.
const RememberedWeeks = 9

// stayingQuery counts week by week those for whom it is over, and of them those
// who were active in it.
var stayingQuery = func() string {
	var columns []string
	for n := range RememberedWeeks {
		over := fmt.Sprintf("first_at / 86400000 + %d < ?4", n*7+6)
		columns = append(columns, "coalesce(sum("+over+"), 0)", fmt.Sprintf("coalesce(sum(%s AND days & %d <> 0), 0)", over, int64(127)<<(n*7)))
	}
	return "SELECT " + strings.Join(columns, ", ") + ofArrivals
}()

// CountReturnedByWeek counts, for each week since the first day of the arrivals, those
// for whom it ended before a day, and those of them who were active in it.
func (tx Rows) CountReturnedByWeek(a Arrivals, before int64) (weeks [RememberedWeeks]WeekCount, err error) {
	var into []any
	for n := range weeks {
		weeks[n].Week = int64(n)
		into = append(into, &weeks[n].All, &weeks[n].Returned)
	}
	err = tx.sql.Row(stayingQuery, a.Agent, a.From, a.To, before).Scan(into...)
	return weeks, err
}
