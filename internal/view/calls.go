package view

import (
	"context"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/telemetry"
	"toolkit/tools"
	"toolkit/tools/integrations"
)

const (
	// callWindow is how far back the report of calls goes.
	callWindow = 7 * 24 * time.Hour
	// recentCalls is how many single calls are listed.
	recentCalls = 100
)

// callReport is what is known of tool calls. Durations are measured per tool; the log of
// single calls has none.
type callReport struct {
	Tools  []toolCalls  `json:"tools"`  // the most called first
	Recent []recentCall `json:"recent"` // newest first
}

// toolCalls sums up the calls of a tool. Durations are in milliseconds.
type toolCalls struct {
	Tool   string    `json:"tool"`
	Calls  int       `json:"calls"`
	Errors int       `json:"errors"`
	Cached int       `json:"cached"`
	P50    float64   `json:"p50_ms"`
	P95    float64   `json:"p95_ms"`
	Last   time.Time `json:"last"`
}

type recentCall struct {
	At      time.Time `json:"at"`
	Tool    string    `json:"tool"`
	Agent   string    `json:"agent,omitempty"`
	Outcome string    `json:"outcome"` // success, or what kind of error
}

// callOutcomes are the names of what telemetry.Call stores as a number.
var callOutcomes = []string{"success", "validation", "business", "system"}

// reportCalls sums up the calls of the last days and lists the newest of them.
func (s *Server) reportCalls(ctx context.Context, q *query) (any, error) {
	report := callReport{Recent: []recentCall{}}
	now := s.o.Store.Now()
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		newest, err := telemetry.In(tx).NewestCalls(recentCalls)
		if err != nil {
			return err
		}
		for _, c := range newest {
			outcome := "unknown"
			if c.Outcome >= 0 && int(c.Outcome) < len(callOutcomes) {
				outcome = callOutcomes[c.Outcome]
			}
			report.Recent = append(report.Recent, recentCall{At: time.UnixMilli(c.At).UTC(), Tool: c.Tool, Agent: c.Agent, Outcome: outcome})
		}
		report.Tools, err = sumToolCalls(telemetry.In(tx), now.Add(-callWindow).UnixMilli(), now.UnixMilli())
		return err
	})
	report.Tools = tools.OrEmpty(report.Tools)
	return report, err
}

// sumToolCalls sums up the samples of each tool's calls in a range of time.
func sumToolCalls(rows telemetry.Rows, from, to int64) ([]toolCalls, error) {
	series, err := rows.Series()
	if err != nil {
		return nil, err
	}
	known := map[int64]telemetry.Series{}
	var ids []int64
	for _, s := range series {
		if s.Name == "call" {
			known[s.ID] = s
			ids = append(ids, s.ID)
		}
	}
	sums, values := map[string]*toolCalls{}, map[string][]int64{}
	err = rows.EachChunk(ids, from, to, func(c *telemetry.Chunk) error {
		s := known[c.Series]
		sum := sums[s.Tool]
		if sum == nil {
			sum = &toolCalls{Tool: s.Tool}
			sums[s.Tool] = sum
		}
		return c.Each(func(at, value int64) {
			if at < from || at > to {
				return
			}
			sum.Calls++
			if s.Status != "success" {
				sum.Errors++
			}
			if s.Cached {
				sum.Cached++
			}
			if moment := time.UnixMilli(at).UTC(); moment.After(sum.Last) {
				sum.Last = moment
			}
			values[s.Tool] = append(values[s.Tool], value)
		})
	})
	if err != nil {
		return nil, err
	}
	var list []toolCalls
	for tool, sum := range sums {
		if sum.Calls == 0 {
			continue
		}
		sum.P50, sum.P95 = float64(integrations.NearestRank(values[tool], 50))/1000, float64(integrations.NearestRank(values[tool], 95))/1000
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(x, y toolCalls) int {
		if x.Calls != y.Calls {
			return y.Calls - x.Calls
		}
		return strings.Compare(x.Tool, y.Tool)
	})
	return list, nil
}
