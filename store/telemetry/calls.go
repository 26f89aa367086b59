package telemetry

import (
	"encoding/json"
	"errors"
	"strings"

	"toolkit/store/internal/query"
)

// Call is a row of the log of calls.
type Call struct {
	At      int64 // unix milliseconds
	Actor   int64
	Agent   int64 // telemetry name
	Session int64
	Tool    int64 // telemetry name
	Outcome int64 // 0 success, 1 validation, 2 business, 3 system
}

// Journey is what an actor did first, with one agent or (0) with all. Times are
// unix milliseconds; nil: not yet.
type Journey struct {
	Agent, Actor    int64
	FirstAt, LastAt int64
	SessionEnd      int64     // last call of the first session so far
	First           [6]*int64 // upload, extraction, entity, event, search, query
	Funnel          [4]*int64 // upload, extraction, entity, timeline, in order
	Days            int64     // bit n: active n days after the first day
}

// ActivityDay is what happened on one day with one agent or (0) with all.
type ActivityDay struct {
	Agent, Day, Actors, Calls, Failures, Uploads, Searches int64
}

// AppendCalls adds rows to the log of calls.
func (tx Rows) AppendCalls(events []Call) error {
	rows := make([][6]int64, len(events))
	for i, e := range events {
		rows[i] = [6]int64{e.At, e.Actor, e.Agent, e.Session, e.Tool, e.Outcome}
	}
	raw, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO call_events(at, actor, agent, session, tool, outcome)
		SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT), CAST(value ->> 3 AS BIGINT), CAST(value ->> 4 AS BIGINT), CAST(value ->> 5 AS BIGINT) FROM json_each(?)`, string(raw))
}

// EachCall visits the log of calls in the order of arrival, after a row.
func (tx Rows) EachCall(after int64, limit int, f func(id int64, e Call) error) error {
	return tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var e Call
		if err := scan(&id, &e.At, &e.Actor, &e.Agent, &e.Session, &e.Tool, &e.Outcome); err != nil {
			return err
		}
		return f(id, e)
	}, `SELECT id, at, actor, agent, session, tool, outcome FROM call_events WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
}

// PruneCalls removes at most limit of the oldest rows of the log: those
// from before a time, and those beyond the newest most. It returns how many
// went.
func (tx Rows) PruneCalls(before, keep int64, limit int) (int64, error) {
	return tx.sql.ExecAndCountRows(`DELETE FROM call_events WHERE id IN (
		SELECT id FROM (SELECT id, at FROM call_events ORDER BY id LIMIT ?)
		WHERE at < ? OR id <= (SELECT max(id) FROM call_events) - ?)`, limit, before, keep)
}

// PruneActors removes at most limit actors that were last seen before a time,
// or longest ago where there are more than most, and the days before it.
func (tx Rows) PruneActors(before, keep int64, limit int) error {
	day := before / millisecondsADay
	return errors.Join(
		tx.sql.Exec(`DELETE FROM analytics_actors WHERE (agent, actor) IN (SELECT agent, actor FROM analytics_actors WHERE last_at < ? LIMIT ?)`, before, limit),
		tx.sql.Exec(`DELETE FROM analytics_actors WHERE (agent, actor) IN (SELECT agent, actor FROM analytics_actors ORDER BY last_at LIMIT max(0, min(?, (SELECT count(*) FROM analytics_actors) - ?)))`, limit, keep),
		tx.sql.Exec(`DELETE FROM analytics_activity WHERE (agent, block, actor) IN (SELECT agent, block, actor FROM analytics_activity WHERE block < ? LIMIT ?)`, day/ActivityBlock, limit),
		tx.sql.Exec(`DELETE FROM analytics_days WHERE day < ?`, day))
}

const millisecondsADay = 24 * 60 * 60 * 1000

// ActivityBlock is how many days a row of activity covers.
const ActivityBlock = 60

const journeyColumns = `agent, actor, first_at, last_at, session_end, first_upload, first_extraction, first_entity, first_event, first_search, first_query,
	funnel_upload, funnel_extraction, funnel_entity, funnel_timeline, days`

func (j *Journey) fields() []any {
	return []any{&j.Agent, &j.Actor, &j.FirstAt, &j.LastAt, &j.SessionEnd, &j.First[0], &j.First[1], &j.First[2], &j.First[3], &j.First[4], &j.First[5],
		&j.Funnel[0], &j.Funnel[1], &j.Funnel[2], &j.Funnel[3], &j.Days}
}

// Journey reads what an actor did first; known is false when it was never seen.
func (tx Rows) Journey(agent, actor int64) (j Journey, known bool, err error) {
	j, known, err = query.Find(tx.sql, (*Journey).fields, `SELECT `+journeyColumns+` FROM analytics_actors WHERE agent = ? AND actor = ?`, agent, actor)
	j.Agent, j.Actor = agent, actor
	return j, known, err
}

// replacedJourney sets every column but the key.
var replacedJourney = func() string {
	columns := strings.Fields(strings.ReplaceAll(journeyColumns, ",", " "))[2:]
	for i, c := range columns {
		columns[i] = c + " = excluded." + c
	}
	return strings.Join(columns, ", ")
}()

// SaveJourney keeps what an actor did first.
func (tx Rows) SaveJourney(j Journey) error {
	return tx.sql.Exec(`INSERT INTO analytics_actors(`+journeyColumns+`) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(agent, actor) DO UPDATE SET `+replacedJourney,
		j.Agent, j.Actor, j.FirstAt, j.LastAt, j.SessionEnd, j.First[0], j.First[1], j.First[2], j.First[3], j.First[4], j.First[5],
		j.Funnel[0], j.Funnel[1], j.Funnel[2], j.Funnel[3], j.Days)
}

// MarkActive notes that an actor was active on a day; fresh tells that it was
// not known yet.
func (tx Rows) MarkActive(agent, actor, day int64) (fresh bool, err error) {
	block, bit := day/ActivityBlock, int64(1)<<(day%ActivityBlock)
	n, err := tx.sql.ExecAndCountRows(`INSERT INTO analytics_activity(agent, block, actor, days) VALUES(?, ?, ?, ?)
		ON CONFLICT(agent, block, actor) DO UPDATE SET days = analytics_activity.days | excluded.days WHERE analytics_activity.days & excluded.days = 0`, agent, block, actor, bit)
	return n > 0, err
}

// Activity is the days of a block on which an actor was active.
type Activity struct{ Block, Actor, Days int64 }

// EachActivity visits the blocks that hold the days from first to last, actors
// of each in order. With a cohort, only actors first seen from the time
// cohortFrom to the time cohortTo count.
func (tx Rows) EachActivity(agent, first, last, cohortFrom, cohortTo int64, f func(Activity) error) error {
	fields := func(a *Activity) []any { return []any{&a.Block, &a.Actor, &a.Days} }
	if cohortFrom <= 0 && cohortTo <= 0 {
		return query.EachRow(tx.sql, fields, f, `SELECT block, actor, days FROM analytics_activity WHERE agent = ? AND block BETWEEN ? AND ? ORDER BY block, actor`,
			agent, first/ActivityBlock, last/ActivityBlock)
	}
	return query.EachRow(tx.sql, fields, f, `SELECT a.block, a.actor, a.days FROM analytics_activity a JOIN analytics_actors u ON u.agent = a.agent AND u.actor = a.actor
		WHERE a.agent = ? AND a.block BETWEEN ? AND ? AND u.first_at >= ? AND u.first_at <= ? ORDER BY a.block, a.actor`,
		agent, first/ActivityBlock, last/ActivityBlock, cohortFrom, cohortTo)
}

// AddToActivityDay adds to the sums of a day.
func (tx Rows) AddToActivityDay(d ActivityDay) error {
	return tx.sql.Exec(`INSERT INTO analytics_days(agent, day, actors, calls, failures, uploads, searches) VALUES(?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(agent, day) DO UPDATE SET actors = analytics_days.actors + excluded.actors, calls = analytics_days.calls + excluded.calls, failures = analytics_days.failures + excluded.failures,
		uploads = analytics_days.uploads + excluded.uploads, searches = analytics_days.searches + excluded.searches`,
		d.Agent, d.Day, d.Actors, d.Calls, d.Failures, d.Uploads, d.Searches)
}

// ActivityDays lists the sums of the days from first to last that have any.
func (tx Rows) ActivityDays(agent, first, last int64) ([]ActivityDay, error) {
	return query.Select(tx.sql, func(d *ActivityDay) []any {
		return []any{&d.Agent, &d.Day, &d.Actors, &d.Calls, &d.Failures, &d.Uploads, &d.Searches}
	}, `SELECT agent, day, actors, calls, failures, uploads, searches FROM analytics_days WHERE agent = ? AND day BETWEEN ? AND ? ORDER BY day`, agent, first, last)
}

// LoggedCall is a row of the log of calls with its names.
type LoggedCall struct {
	At          int64 // unix milliseconds
	Tool, Agent string
	Outcome     int64 // as in Call
}

// NewestCalls returns the newest rows of the log of calls, newest first.
func (tx Rows) NewestCalls(limit int) ([]LoggedCall, error) {
	return query.Select(tx.sql, func(c *LoggedCall) []any { return []any{&c.At, &c.Tool, &c.Agent, &c.Outcome} }, `SELECT e.at, t.name, coalesce(a.name, ''), e.outcome FROM (SELECT * FROM call_events ORDER BY id DESC LIMIT ?) e
		JOIN telemetry_names t ON t.id = e.tool LEFT JOIN telemetry_names a ON a.id = e.agent ORDER BY e.id DESC`, limit)
}
