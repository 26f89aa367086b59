package integrations

import (
	"context"
	"math/bits"
	"time"

	"toolkit/store"
	telemetryrows "toolkit/store/telemetry"
	"toolkit/tools/integrations/telemetry"
)

const millisecondsADay = int64(24 * time.Hour / time.Millisecond)

// localCalculation answers one request from what was recorded here.
type localCalculation struct {
	q     *analyticsQuery
	tx    telemetryrows.Rows
	agent int64 // 0: all
}

// computeLocalAnalytics answers from what was recorded here.
func (f *family) computeLocalAnalytics(ctx context.Context, q *analyticsQuery) (a analyticsAnswer, err error) {
	f.flushRecorder(ctx)
	err = f.Store.Read(ctx, func(tx *store.Tx) error {
		l := &localCalculation{q: q, tx: telemetryrows.In(tx)}
		if name, ok := q.filters["agent"].(string); ok {
			if l.agent, err = telemetryrows.In(tx).FindName(name); err != nil {
				return err
			}
			if l.agent == 0 {
				l.agent = -1 // an agent that was never seen
			}
		}
		a, err = l.compute()
		return err
	})
	return a, err
}

func (l *localCalculation) compute() (analyticsAnswer, error) {
	switch l.q.metric.kind {
	case typeActivation:
		return l.computeActivation()
	case typeRetention:
		return l.computeRetention()
	case typeFunnel:
		return l.computeFunnel()
	case typeCohort:
		return l.computeCohorts()
	}
	return l.computeUsage()
}

// arrivalsFilter returns the users first seen in the window, and in the cohort.
func (l *localCalculation) arrivalsFilter() telemetryrows.Arrivals {
	a := telemetryrows.Arrivals{Agent: l.agent, From: l.q.window.from, To: l.q.window.to}
	if c := l.q.cohort; c != nil {
		a.From, a.To = max(a.From, c.from), min(a.To, c.to)
	}
	return a
}

func (l *localCalculation) computeActivation() (analyticsAnswer, error) {
	reached, all, err := l.tx.CountActivated(l.arrivalsFilter(), int(l.q.metric.step))
	return ratioAnswer(float64(reached), float64(all)), err
}

// funnelSteps are the steps of the funnel after signing up.
var funnelSteps = [4]string{"upload", "extraction", "entity", "timeline"}

func (l *localCalculation) computeFunnel() (analyticsAnswer, error) {
	counts, err := l.tx.CountFunnel(l.arrivalsFilter(), l.q.window.to)
	return funnelAnswer(counts[:]), err
}

// funnelAnswer makes an answer of the users at each step, the signups first.
func funnelAnswer(counts []int64) analyticsAnswer {
	all := float64(counts[0])
	a := ratioAnswer(float64(counts[len(counts)-1]), all)
	for i, n := range counts {
		name := "signup"
		if i > 0 {
			name = funnelSteps[i-1]
		}
		a.steps = append(a.steps, funnelStep{Step: name, Users: n, Conversion: divideOrZero(float64(n), all)})
	}
	return a
}

func formatDay(day int64) string {
	return time.UnixMilli(day * millisecondsADay).UTC().Format(time.DateOnly)
}

// dayMask has a bit for each day from one to another.
func dayMask(from, to int64) int64 { return (1<<(to-from+1) - 1) << from }

func (l *localCalculation) computeRetention() (analyticsAnswer, error) {
	m := l.q.metric
	first := telemetry.DayNumber(l.q.window.from)
	list, err := l.tx.CountReturning(l.arrivalsFilter(), first, telemetry.DayNumber(l.q.now)-m.to, dayMask(m.from, m.to))
	return seriesAnswer(pointsByWeek(first, list)), err
}

// pointsByWeek makes points of counts by week from a day; weeks without anybody are
// left out.
func pointsByWeek(first int64, list []telemetryrows.WeekCount) []analyticsPoint {
	points := []analyticsPoint{}
	for _, w := range list {
		if w.All > 0 {
			part, whole := float64(w.Returned), float64(w.All)
			points = append(points, analyticsPoint{Date: formatDay(first + w.Week*7), Value: divideOrZero(part, whole), Numerator: part, Denominator: whole})
		}
	}
	return points
}

// computeCohorts answers how many users came each week, or how many of them stay.
func (l *localCalculation) computeCohorts() (analyticsAnswer, error) {
	first, last := telemetry.DayNumber(l.q.window.from), telemetry.DayNumber(l.q.window.to)
	arrivals := l.arrivalsFilter()
	if l.q.metric.name == "cohort_size" {
		list, err := l.tx.CountReturning(arrivals, first, last+1, 0)
		points := make([]analyticsPoint, len(list))
		for i, w := range list {
			points[i] = analyticsPoint{Date: formatDay(first + w.Week*7), Value: float64(w.All), Numerator: float64(w.All), Denominator: 1}
		}
		a := seriesAnswer(points)
		a.denominator = float64((last-first)/7 + 1)
		return a, err
	}
	list, err := l.tx.CountReturnedByWeek(arrivals, telemetry.DayNumber(l.q.now))
	return seriesAnswer(pointsByWeek(telemetry.DayNumber(arrivals.From), list[:])), err
}

// computeUsage counts users by day or week from the days on which each was active,
// and for the averages what they did.
func (l *localCalculation) computeUsage() (analyticsAnswer, error) {
	first, last := telemetry.DayNumber(l.q.window.from), telemetry.DayNumber(l.q.window.to)
	length := int64(7)
	if l.q.metric.name == "daily_active_users" {
		length = 1
	}
	users := make([]float64, (last-first)/length+1)
	if err := l.addActiveUsersByPeriod(users, first, last, length); err != nil {
		return analyticsAnswer{}, err
	}
	done := make([]float64, len(users))
	averages := l.q.metric.name != "daily_active_users" && l.q.metric.name != "weekly_active_users"
	if averages {
		list, err := l.tx.ActivityDays(l.agent, first, last)
		if err != nil {
			return analyticsAnswer{}, err
		}
		for _, d := range list {
			n := d.Searches
			if l.q.metric.name == "avg_uploads_per_user_per_week" {
				n = d.Uploads
			}
			done[(d.Day-first)/length] += float64(n)
		}
	}
	points := []analyticsPoint{}
	for i, n := range users {
		if n == 0 {
			continue
		}
		p := analyticsPoint{Date: formatDay(first + int64(i)*length), Value: n, Numerator: n, Denominator: 1}
		if averages {
			p.Value, p.Numerator, p.Denominator = done[i]/n, done[i], n
		}
		points = append(points, p)
	}
	a := seriesAnswer(points)
	if !averages {
		a.denominator = float64(len(users))
	}
	return a, nil
}

// addActiveUsersByPeriod counts the users who were active in each stretch of days, each
// once. A stretch may lie across two blocks of days.
func (l *localCalculation) addActiveUsersByPeriod(users []float64, first, last, length int64) error {
	var cohort span
	if l.q.cohort != nil {
		cohort = *l.q.cohort
	}
	straddling := map[[2]int64]bool{} // user and stretch across a border of blocks
	return l.tx.EachActivity(l.agent, first, last, cohort.from, cohort.to, func(a telemetryrows.Activity) error {
		start := a.Block * telemetryrows.ActivityBlock
		counted := int64(-1)
		for days := uint64(a.Days); days != 0; days &= days - 1 {
			day := start + int64(bits.TrailingZeros64(days))
			if day < first || day > last {
				continue
			}
			stretch := (day - first) / length
			if stretch == counted {
				continue
			}
			counted = stretch
			if begins := first + stretch*length; begins < start || begins+length > start+telemetryrows.ActivityBlock {
				key := [2]int64{a.Actor, stretch}
				if straddling[key] {
					continue
				}
				straddling[key] = true
			}
			users[stretch]++
		}
		return nil
	})
}
