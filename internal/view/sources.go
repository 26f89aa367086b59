package view

import (
	"context"
	"time"
)

// Pockets is where the section about pockets gets its readings.
type Pockets interface {
	// Pockets lists the pockets that have readings, the last one read first.
	Pockets(ctx context.Context) ([]Pocket, error)
	// Day returns the readings of a pocket within a day of 24 hours that begins
	// at from, in the order of time.
	Day(ctx context.Context, pocket string, from time.Time) ([]PocketReading, error)
}

// Pocket is a place with readings.
type Pocket struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	LastReading time.Time `json:"last_reading"`
	Source      string    `json:"source,omitempty"` // the data set the readings came with
}

// PocketReading is what was measured at a time. What was not measured is nil.
type PocketReading struct {
	At     time.Time `json:"at"`
	Calm   *float64  `json:"calm"`
	Stress *float64  `json:"stress"`
	MQS    *float64  `json:"mqs"`
}

// Calls is where the section about tool calls gets its figures.
type Calls interface {
	// Report sums up the calls since a time and lists the newest of them, at most
	// recent.
	Report(ctx context.Context, since time.Time, recent int) (CallReport, error)
}

// CallReport is what is known of tool calls.
type CallReport struct {
	Tools  []ToolCalls  `json:"tools"`  // the most called first
	Recent []RecentCall `json:"recent"` // newest first
}

// ToolCalls sums up the calls of a tool. Durations are in milliseconds.
type ToolCalls struct {
	Tool   string    `json:"tool"`
	Calls  int       `json:"calls"`
	Errors int       `json:"errors"`
	Cached int       `json:"cached"`
	P50    float64   `json:"p50_ms"`
	P95    float64   `json:"p95_ms"`
	Last   time.Time `json:"last"`
}

// RecentCall is one call.
type RecentCall struct {
	At       time.Time `json:"at"`
	Tool     string    `json:"tool"`
	Agent    string    `json:"agent,omitempty"`
	Duration *float64  `json:"duration_ms"` // nil: not recorded
	Outcome  string    `json:"outcome"`     // success, or what kind of error
}

const (
	// callWindow is how far back the report of calls goes.
	callWindow = 7 * 24 * time.Hour
	// recentCalls is how many single calls are listed.
	recentCalls = 100
	// maxReadings bounds a day of readings: one a minute.
	maxReadings = 24 * 60
)

func (s *Server) listPockets(ctx context.Context, _ *query) (any, error) {
	list, err := s.o.Pockets.Pockets(ctx)
	return map[string]any{"pockets": orEmpty(list)}, err
}

func (s *Server) readPocketDay(ctx context.Context, q *query) (any, error) {
	pocket, from := q.requiredText("pocket"), q.requiredText("from")
	start, err := time.Parse(time.RFC3339, from)
	if err != nil {
		q.reject("from must be a time such as 2026-01-31T00:00:00Z.")
	}
	if q.fault != nil {
		return nil, q.fault
	}
	list, err := s.o.Pockets.Day(ctx, pocket, start)
	return map[string]any{"pocket": pocket, "from": start, "readings": orEmpty(list[:min(len(list), maxReadings)])}, err
}

func (s *Server) reportCalls(ctx context.Context, _ *query) (any, error) {
	report, err := s.o.Calls.Report(ctx, time.Now().Add(-callWindow), recentCalls)
	report.Tools, report.Recent = orEmpty(report.Tools), orEmpty(report.Recent[:min(len(report.Recent), recentCalls)])
	return report, err
}

// orEmpty keeps a list from becoming null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
