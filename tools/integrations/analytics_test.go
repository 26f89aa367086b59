package integrations

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/telemetry"
	"toolkit/tools"
)

const aDay = 24 * time.Hour

// by makes up a call of a user.
func by(user string, at time.Time, tool string) tools.CallRecord {
	c := done(at, tool, time.Millisecond)
	c.UserID = user
	return c
}

func TestActivationCountsOnlyTheFirstSession(t *testing.T) {
	m := newMeasured(t, nil)
	start := monday.Add(-10 * aDay)
	m.record(
		by("a", start, "read_graph"), by("a", start.Add(29*time.Minute), "read_graph"), by("a", start.Add(58*time.Minute), "submit_payload"), // no pause of half an hour
		by("b", start, "read_graph"), by("b", start.Add(31*time.Minute), "submit_payload"), // in a second session
		by("c", start, "submit_payload"),
		by("d", start, "search_nodes"), by("d", start.Add(aDay), "upload_file"),
		by("e", start.Add(-60*aDay), "read_graph"), by("e", start, "upload_file"), // first seen before the range
	)
	failing := by("f", start, "submit_payload")
	failing.Kind = tools.Validation
	m.record(failing)
	out := m.analytics(args{"metric_type": "activation", "metric_name": "activation_first_upload_rate"})
	if out.number(t) != 0.4 || out.Numerator != 2 || out.Denominator != 5 || out.Source != "local" {
		t.Errorf("the rate is %s (%v of %v)", out.Value, out.Numerator, out.Denominator)
	}
	if th := out.Metadata.Threshold; th == nil || *th != (threshold{0.6, 0.8}) {
		t.Errorf("the threshold is %v", th)
	}
	for name, want := range map[string]float64{"activation_first_extraction_rate": 2, "activation_first_search_rate": 1, "activation_first_entity_rate": 0, "activation_first_event_rate": 0, "activation_first_ai_query_rate": 4} {
		if got := m.analytics(args{"metric_type": "activation", "metric_name": name}); got.Numerator != want || got.Denominator != 5 {
			t.Errorf("%s is %v of %v, want %v of 5", name, got.Numerator, got.Denominator, want)
		}
	}
}

func TestRetentionLeavesOutUsersWhoseTimeIsNotOver(t *testing.T) {
	m := newMeasured(t, nil)
	first := monday.Add(-20 * aDay).Truncate(aDay).Add(23 * time.Hour)
	m.record(
		by("a", first, "read_graph"), by("a", first.Add(90*time.Minute), "read_graph"), // the next day
		by("b", first, "read_graph"), by("b", first.Add(2*aDay), "read_graph"),
		by("c", first.Add(7*aDay), "read_graph"), by("c", first.Add(8*aDay), "read_graph"), by("c", first.Add(15*aDay), "read_graph"),
		by("d", monday.Add(-time.Hour), "read_graph"), // came today
	)
	in := args{"metric_type": "retention", "metric_name": "day_1_retention", "time_range": between(first.Add(-time.Hour), monday)}
	out := m.analytics(in)
	same(t, "day 1", out.points(t), []analyticsPoint{{"2026-02-10", 0.5, 1, 2}, {"2026-02-17", 1, 1, 1}})
	if out.Numerator != 2 || out.Denominator != 3 {
		t.Errorf("in all %v of %v", out.Numerator, out.Denominator)
	}
	in["metric_name"] = "week_1_retention"
	same(t, "week 1", m.analytics(in).points(t), []analyticsPoint{{"2026-02-10", 0, 0, 2}})
	in["metric_name"] = "month_1_retention"
	same(t, "month 1", m.analytics(in).points(t), []analyticsPoint{})
}

func TestTheFunnelCountsStepsInTheirOrder(t *testing.T) {
	m := newMeasured(t, nil)
	at := monday.Add(-5 * aDay)
	var calls []tools.CallRecord
	for user, path := range map[string][]string{
		"all":      {"read_graph", "submit_payload", "get_entity_snapshot", "list_timeline_events"},
		"entity":   {"submit_payload", "find_entities"},
		"reversed": {"list_timeline_events", "get_entity_snapshot", "submit_payload"},
		"again":    {"list_timeline_events", "get_entity_snapshot", "submit_payload", "get_entity_snapshot", "list_timeline_events"},
		"stored":   {"store_record", "get_entity_snapshot"},
		"none":     {"read_graph"},
	} {
		for i, tool := range path {
			calls = append(calls, by(user, at.Add(time.Duration(i)*time.Hour), tool))
		}
	}
	slices.SortStableFunc(calls, func(a, b tools.CallRecord) int { return a.Started.Compare(b.Started) })
	m.record(calls...)
	out := m.analytics(args{"metric_type": "funnel"})
	same(t, "the steps", out.Steps, []funnelStep{{"signup", 6, 1}, {"upload", 5, 5.0 / 6}, {"extraction", 4, 4.0 / 6}, {"entity", 3, 0.5}, {"timeline", 2, 2.0 / 6}})
	if out.Numerator != 2 || out.Denominator != 6 {
		t.Errorf("%v of %v came through", out.Numerator, out.Denominator)
	}
}

func TestAFilterAndACohortNarrowWhoIsCounted(t *testing.T) {
	m := newMeasured(t, nil)
	other := by("b", monday.Add(-aDay), "search_nodes")
	other.AgentID = "other"
	m.record(by("a", monday.Add(-20*aDay), "submit_payload"), by("a", monday.Add(-aDay), "search_nodes"), other)
	usage := args{"metric_type": "usage", "metric_name": "weekly_active_users"}
	same(t, "everybody", m.analytics(usage).Numerator, 3)
	usage["filters"] = args{"agent": "other"}
	same(t, "one agent", m.analytics(usage).Numerator, 1)
	usage["filters"] = args{"agent": "nobody"}
	same(t, "an agent never seen", m.analytics(usage).Numerator, 0)
	delete(usage, "filters")
	for cohort, want := range map[string]int{"2026": 3, "2026-02": 2, "2026-W07": 2, "2026-03-01": 1, "2025": 0} {
		usage["cohort"] = cohort
		same(t, "cohort "+cohort, m.analytics(usage).Numerator, want)
	}
	for field, in := range map[string]args{
		"filters":     {"metric_type": "usage", "filters": args{"country": "x"}},
		"cohort":      {"metric_type": "usage", "cohort": "2026-W54"},
		"metric_type": {"metric_type": "love"},
		"time_range":  {"metric_type": "usage", "time_range": args{"start": "1970-01-01", "end": "2026-01-01"}},
	} {
		m.refuse(analyticsName, in, "VALIDATION_ERROR", field)
	}
	m.refuse(analyticsName, args{"metric_type": "usage", "metric_name": "avg_uploads_per_user_per_week", "cohort": "2026"}, "VALIDATION_ERROR", "cohort")
	m.refuse(analyticsName, args{"metric_type": "usage", "metric_name": "day_1_retention"}, "METRIC_NOT_FOUND", "metric_name")
}

// logged is the log of calls, read row by row.
func (m *measured) logged() (list []telemetry.Call) {
	m.T.Helper()
	storetest.Read(m.T, m.Store, func(tx *store.Tx) error {
		return telemetry.In(tx).EachCall(0, 1_000_000, func(_ int64, e telemetry.Call) error {
			list = append(list, e)
			return nil
		})
	})
	return list
}

// TestWhatIsCountedEqualsTheLog lets users act at random and compares the
// answers with a plain computation over the log of calls.
func TestWhatIsCountedEqualsTheLog(t *testing.T) {
	m := newMeasured(t, nil)
	random := rand.New(rand.NewPCG(5, 6))
	names := []string{"submit_payload", "search_nodes", "read_graph", "store_record"}
	var calls []tools.CallRecord
	for user := range 120 {
		at := monday.Add(-80 * aDay).Add(time.Duration(random.Int64N(int64(70 * aDay))))
		for range 1 + random.IntN(30) {
			calls = append(calls, by(fmt.Sprint("user", user), at, names[random.IntN(len(names))]))
			at = at.Add(time.Duration(random.ExpFloat64() * random.Float64() * float64(2*aDay)))
			if at.After(monday) {
				break
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b tools.CallRecord) int { return a.Started.Compare(b.Started) })
	// Some calls arrive late, as from another process.
	for i := 7; i < len(calls); i += 7 {
		if calls[i].Started.Sub(calls[i-1].Started) < time.Minute {
			calls[i], calls[i-1] = calls[i-1], calls[i]
		}
	}
	for chunk := range slices.Chunk(calls, 37) {
		m.record(chunk...)
	}
	list := m.logged()
	if len(list) != len(calls) {
		t.Fatalf("the log has %d rows of %d calls", len(list), len(calls))
	}
	from := monday.Add(-60 * aDay)
	in := args{"time_range": between(from, monday)}
	ask := func(kind, name string) analyticsResult {
		in["metric_type"], in["metric_name"] = kind, name
		return m.analytics(in)
	}
	day := func(ms int64) int64 { return ms / (24 * 60 * 60 * 1000) }
	firstDay, users := map[int64]int64{}, map[int64]map[int64]bool{}
	perWeek := make([]map[int64]bool, 9)
	perDay := map[int64]map[int64]bool{}
	slices.SortFunc(list, func(a, b telemetry.Call) int { return int(a.At - b.At) })
	for _, e := range list {
		if _, seen := firstDay[e.Actor]; !seen {
			firstDay[e.Actor], users[e.Actor] = e.At, map[int64]bool{}
		}
		users[e.Actor][day(e.At)] = true
		if n := day(e.At) - day(from.UnixMilli()); n >= 0 {
			if perWeek[n/7] == nil {
				perWeek[n/7] = map[int64]bool{}
			}
			perWeek[n/7][e.Actor] = true
			if perDay[n] == nil {
				perDay[n] = map[int64]bool{}
			}
			perDay[n][e.Actor] = true
		}
	}
	for name, window := range map[string][2]int64{"day_1_retention": {1, 1}, "week_1_retention": {7, 13}, "month_1_retention": {30, 59}} {
		var back, all float64
		for user, first := range firstDay {
			if first < from.UnixMilli() || day(first)+window[1] >= day(monday.UnixMilli()) {
				continue
			}
			all++
			for n := window[0]; n <= window[1]; n++ {
				if users[user][day(first)+n] {
					back++
					break
				}
			}
		}
		if out := ask("retention", name); out.Numerator != back || out.Denominator != all || all == 0 && name != "month_1_retention" {
			t.Errorf("%s is %v of %v, want %v of %v", name, out.Numerator, out.Denominator, back, all)
		}
	}
	for _, p := range ask("usage", "weekly_active_users").points(t) {
		at, err := time.Parse(time.DateOnly, p.Date)
		if err != nil {
			t.Fatal(err)
		}
		if week := (day(at.UnixMilli()) - day(from.UnixMilli())) / 7; p.Value != float64(len(perWeek[week])) {
			t.Errorf("week %s has %v users, want %d", p.Date, p.Value, len(perWeek[week]))
		}
	}
	total := 0
	for _, active := range perDay {
		total += len(active)
	}
	if out := ask("usage", "daily_active_users"); out.Numerator != float64(total) || len(out.points(t)) != len(perDay) {
		t.Errorf("%v user days on %d days, want %d on %d", out.Numerator, len(out.points(t)), total, len(perDay))
	}
	in["cohort"] = "2026"
	if a, b := ask("usage", "daily_active_users"), total; a.Numerator > float64(b) || a.Numerator == 0 {
		t.Errorf("a cohort of the year has %v user days of %d", a.Numerator, b)
	}
}

func TestCohortsSizeAndStay(t *testing.T) {
	m := newMeasured(t, nil)
	first := monday.Add(-28 * aDay)
	m.record(by("a", first, "read_graph"), by("b", first.Add(aDay), "read_graph"), by("a", first.Add(8*aDay), "read_graph"), by("c", first.Add(9*aDay), "read_graph"), by("b", first.Add(16*aDay), "read_graph"))
	in := args{"metric_type": "cohort", "time_range": between(first, monday)}
	out := m.analytics(in)
	same(t, "sizes", out.points(t), []analyticsPoint{{"2026-02-02", 2, 2, 1}, {"2026-02-09", 1, 1, 1}})
	same(t, "in all", out.Numerator, 3)
	in["metric_name"] = "cohort_retention"
	same(t, "who stays", m.analytics(in).points(t), []analyticsPoint{{"2026-02-02", 1, 3, 3}, {"2026-02-09", 1.0 / 3, 1, 3}, {"2026-02-16", 0.5, 1, 2}, {"2026-02-23", 0, 0, 1}})
}

func FuzzCohort(f *testing.F) {
	for _, seed := range []string{"2025", "2025-01", "2025-W53", "2026-W53", "2025-01-15", "0000-W01", "9999-W52", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, ok := parseCohort(text); ok && (s.from < 0 || s.to <= s.from) {
			t.Errorf("%q is from %d to %d", text, s.from, s.to)
		}
	})
}
