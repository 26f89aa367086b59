package telemetry

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"toolkit/store/telemetry"
	"toolkit/tools"
)

// Bounds are the upper ends of the ranges that durations are counted in, in
// milliseconds; what is longer falls into a last range without an end.
var Bounds = []float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000}

// callSeries is the name of all series that are made of calls.
const callSeries = "call"

// maxAgentName bounds what a client says of itself.
const maxAgentName = 64

// sums are the samples of a series on their way into the database.
type sums struct {
	samples []telemetry.Sample
	totals  telemetry.Totals
}

// batch is what one write brings.
type batch struct {
	config Config
	series map[telemetry.SeriesKey]*sums
	calls  []tools.CallRecord
	read   int64 // when the gauges of the database were read; 0: not for this write
}

func newBatch(c Config) *batch {
	return &batch{config: c, series: map[telemetry.SeriesKey]*sums{}}
}

// addCall counts a call; sampled tells whether its duration is kept.
func (b *batch) addCall(c tools.CallRecord, sampled bool) {
	if b.config.Analytics {
		b.calls = append(b.calls, c)
	}
	if !b.config.Metrics {
		return
	}
	key := telemetry.SeriesKey{Name: callSeries, Tool: c.Tool, Status: "success", ErrorCode: c.Code, Cached: c.Cached}
	if c.Kind != "" {
		key.Status = "error"
	}
	value := max(c.Duration.Microseconds(), 0)
	s := b.ensureSeriesSums(key)
	if s.totals.Buckets == nil {
		s.totals.Buckets = make([]int64, len(Bounds)+1)
	}
	s.totals.Count++
	s.totals.Sum += value
	s.totals.Buckets[sort.SearchFloat64s(Bounds, float64(value)/1000)]++
	if sampled {
		s.samples = append(s.samples, telemetry.Sample{At: c.Started.UnixMilli(), Value: value})
	}
}

// addGauge adds a reading.
func (b *batch) addGauge(name string, at int64, value float64) {
	if !b.config.Metrics {
		return
	}
	s := b.ensureSeriesSums(telemetry.SeriesKey{Name: name})
	s.samples = append(s.samples, telemetry.Sample{At: at, Value: int64(value * 1000)})
}

func (b *batch) ensureSeriesSums(key telemetry.SeriesKey) *sums {
	s := b.series[key]
	if s == nil {
		s = &sums{}
		b.series[key] = s
	}
	return s
}

func (b *batch) write(tx telemetry.Rows) error {
	order := slices.SortedFunc(maps.Keys(b.series), func(x, y telemetry.SeriesKey) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.Tool, y.Tool), strings.Compare(x.Status, y.Status), strings.Compare(x.ErrorCode, y.ErrorCode))
	})
	for _, key := range order {
		s := b.series[key]
		slices.SortStableFunc(s.samples, func(x, y telemetry.Sample) int { return cmp.Compare(x.At, y.At) })
		if err := tx.AppendSamples(key, s.samples, s.totals); err != nil {
			return err
		}
	}
	if b.read != 0 {
		if err := tx.SetState(gaugesRead, b.read); err != nil {
			return err
		}
	}
	return b.writeCalls(tx)
}

// outcomes are the numbers of call_events.outcome.
var outcomes = map[tools.Kind]int64{"": 0, tools.Validation: 1, tools.Business: 2, tools.System: 3}

// writeCalls keeps the log of calls, and what follows from it, in step.
func (b *batch) writeCalls(tx telemetry.Rows) error {
	if len(b.calls) == 0 {
		return nil
	}
	slices.SortStableFunc(b.calls, func(x, y tools.CallRecord) int { return x.Started.Compare(y.Started) })
	names := map[string]int64{}
	name := func(text string) (int64, error) {
		if id, known := names[text]; known {
			return id, nil
		}
		id, err := tx.FindOrAddName(text)
		names[text] = id
		return id, err
	}
	list := make([]telemetry.Call, 0, len(b.calls))
	activity := newActivity()
	for _, c := range b.calls {
		agent, err := name(truncateAgentName(c.AgentID))
		if err != nil {
			return err
		}
		tool, err := name(c.Tool)
		if err != nil {
			return err
		}
		e := telemetry.Call{At: max(c.Started.UnixMilli(), 0), Actor: hashUser(c.UserID), Agent: agent, Session: hashTextToPositive(c.SessionID), Tool: tool, Outcome: outcomes[c.Kind]}
		list = append(list, e)
		for _, agent := range []int64{0, agent} {
			if err := activity.addCallAndMarkActive(tx, agent, e, stepsOf(c)); err != nil {
				return err
			}
		}
	}
	if err := tx.AppendCalls(list); err != nil {
		return err
	}
	return activity.write(tx)
}

// truncateAgentName bounds the name of an agent, without cutting a character in two.
func truncateAgentName(agent string) string {
	if len(agent) > maxAgentName {
		agent = strings.ToValidUTF8(agent[:maxAgentName], "")
	}
	return agent
}

// activity is what a batch adds to journeys and days.
type activity struct {
	journeys map[[2]int64]*telemetry.Journey
	days     map[[2]int64]*telemetry.ActivityDay
	seen     map[[3]int64]bool
}

func newActivity() *activity {
	return &activity{journeys: map[[2]int64]*telemetry.Journey{}, days: map[[2]int64]*telemetry.ActivityDay{}, seen: map[[3]int64]bool{}}
}

func (a *activity) addCallAndMarkActive(tx telemetry.Rows, agent int64, e telemetry.Call, taken [6]bool) error {
	j, known := a.journeys[[2]int64{agent, e.Actor}]
	if !known {
		stored, before, err := tx.Journey(agent, e.Actor)
		if err != nil {
			return err
		}
		j, known = &stored, before
		a.journeys[[2]int64{agent, e.Actor}] = j
	}
	updateJourney(j, known, e.At, taken)
	day := DayNumber(e.At)
	d := a.days[[2]int64{agent, day}]
	if d == nil {
		d = &telemetry.ActivityDay{Agent: agent, Day: day}
		a.days[[2]int64{agent, day}] = d
	}
	if !a.seen[[3]int64{agent, day, e.Actor}] {
		a.seen[[3]int64{agent, day, e.Actor}] = true
		fresh, err := tx.MarkActive(agent, e.Actor, day)
		if err != nil {
			return err
		}
		d.Actors += boolToInt(fresh)
	}
	d.Calls++
	d.Failures += boolToInt(e.Outcome != 0)
	d.Uploads += boolToInt(taken[StepUpload])
	d.Searches += boolToInt(taken[StepSearch])
	return nil
}

func boolToInt(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func (a *activity) write(tx telemetry.Rows) error {
	for _, j := range a.journeys {
		if err := tx.SaveJourney(*j); err != nil {
			return err
		}
	}
	for _, d := range a.days {
		if err := tx.AddToActivityDay(*d); err != nil {
			return err
		}
	}
	return nil
}
