package telemetry

import (
	"slices"
	"time"

	"toolkit/store/telemetry"
	"toolkit/tools"
)

// SessionGap is the pause that ends a session.
const SessionGap = 30 * time.Minute

// Step is something an actor can do for the first time; it indexes
// telemetry.Journey.First, and up to Entity and at StepEvent the funnel.
type Step int

// Steps in the order of telemetry.Journey.First.
const (
	StepUpload Step = iota
	StepExtraction
	StepEntity
	StepEvent
	StepSearch
	StepQuery
)

// funnel are the steps from signing up to a timeline, in order.
var funnel = [4]Step{StepUpload, StepExtraction, StepEntity, StepEvent}

// commandLine is the agent of calls that a person types.
const commandLine = "toolkit-cli"

// page is the agent of calls that the page of toolkit view makes to show itself.
const page = "toolkit-view"

// stepsOf are the steps that a call of a tool takes when it succeeds. A query is
// any reading call of an assistant.
func stepsOf(c tools.CallRecord) (taken [6]bool) {
	if c.Kind != "" {
		return taken
	}
	taken[StepUpload] = slices.Contains(uploadTools, c.Tool)
	taken[StepExtraction] = slices.Contains(extractionTools, c.Tool)
	taken[StepEntity] = slices.Contains(entityTools, c.Tool)
	taken[StepEvent] = slices.Contains(timelineTools, c.Tool)
	taken[StepSearch] = slices.Contains(searchTools, c.Tool)
	taken[StepQuery] = (c.Category == tools.Query || c.Category == tools.Analysis) && c.AgentID != commandLine
	return taken
}

// millisecondsADay divides unix milliseconds into UTC days.
const millisecondsADay = int64(24 * time.Hour / time.Millisecond)

// DayNumber returns the UTC day of unix milliseconds, counted from 1970.
func DayNumber(ms int64) int64 { return max(ms, 0) / millisecondsADay }

// maxDays is how many days after the first one a journey remembers.
const maxDays = 62

// updateJourney adds a call at a time to a journey. Calls come in the order of time
// but for those of other processes, which may be some seconds late.
func updateJourney(j *telemetry.Journey, known bool, at int64, taken [6]bool) {
	gap := SessionGap.Milliseconds()
	switch {
	case !known:
		j.FirstAt, j.LastAt, j.SessionEnd, j.Days = at, at, at, 1
	case at < j.FirstAt:
		if j.FirstAt-at > gap {
			j.SessionEnd = at
		}
		j.Days = j.Days<<min(DayNumber(j.FirstAt)-DayNumber(at), maxDays+1)&(1<<(maxDays+1)-1) | 1
		j.FirstAt = at
	case at > j.SessionEnd && at-j.SessionEnd <= gap:
		j.SessionEnd = at
	}
	j.LastAt = max(j.LastAt, at)
	if n := DayNumber(at) - DayNumber(j.FirstAt); n <= maxDays {
		j.Days |= 1 << n
	}
	for step, done := range taken {
		if done && (j.First[step] == nil || at < *j.First[step]) {
			j.First[step] = &at
		}
	}
	before := j.FirstAt
	for i, step := range funnel {
		if j.Funnel[i] == nil && taken[step] && at >= before {
			j.Funnel[i] = &at
		}
		if j.Funnel[i] == nil {
			return
		}
		before = *j.Funnel[i]
	}
}
