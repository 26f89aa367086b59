package store

import (
	"encoding/json"
	"errors"

	"toolkit/store/internal/query"
)

// CallEvent is a row of the log of calls.
type CallEvent struct {
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

// AppendCallEvents adds rows to the log of calls.
func (tx *Tx) AppendCallEvents(events []CallEvent) error {
	rows := make([][6]int64, len(events))
	for i, e := range events {
		rows[i] = [6]int64{e.At, e.Actor, e.Agent, e.Session, e.Tool, e.Outcome}
	}
	raw, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO call_events(at, actor, agent, session, tool, outcome)
		SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?)`, string(raw))
}

// EachCallEvent visits the log of calls in the order of arrival, after a row.
func (tx *Tx) EachCallEvent(after int64, limit int, f func(id int64, e CallEvent) error) error {
	return tx.each(func(scan func(...any) error) error {
		var id int64
		var e CallEvent
		if err := scan(&id, &e.At, &e.Actor, &e.Agent, &e.Session, &e.Tool, &e.Outcome); err != nil {
			return err
		}
		return f(id, e)
	}, `SELECT id, at, actor, agent, session, tool, outcome FROM call_events WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
}

// PruneCallEvents removes at most limit of the oldest rows of the log: those
// from before a time, and those beyond the newest most. It returns how many
// went.
func (tx *Tx) PruneCallEvents(before, most int64, limit int) (int64, error) {
	return tx.change(`DELETE FROM call_events WHERE id IN (
		SELECT id FROM (SELECT id, at FROM call_events ORDER BY id LIMIT ?)
		WHERE at < ? OR id <= (SELECT max(id) FROM call_events) - ?)`, limit, before, most)
}

// PruneActors removes at most limit actors that were last seen before a time,
// or longest ago where there are more than most, and the days before it.
func (tx *Tx) PruneActors(before, most int64, limit int) error {
	day := before / millisecondsADay
	return errors.Join(
		tx.exec(`DELETE FROM analytics_actors WHERE (agent, actor) IN (SELECT agent, actor FROM analytics_actors WHERE last_at < ? LIMIT ?)`, before, limit),
		tx.exec(`DELETE FROM analytics_actors WHERE (agent, actor) IN (SELECT agent, actor FROM analytics_actors ORDER BY last_at LIMIT max(0, min(?, (SELECT count(*) FROM analytics_actors) - ?)))`, limit, most),
		tx.exec(`DELETE FROM analytics_activity WHERE (agent, block, actor) IN (SELECT agent, block, actor FROM analytics_activity WHERE block < ? LIMIT ?)`, day/ActivityBlock, limit),
		tx.exec(`DELETE FROM analytics_days WHERE day < ?`, day))
}

const millisecondsADay = 24 * 60 * 60 * 1000

// ActivityBlock is how many days a row of activity covers.
const ActivityBlock = 60

const journeyColumns = `agent, actor, first_at, last_at, session_end, first_upload, first_extraction, first_entity, first_event, first_search, first_query,
	funnel_upload, funnel_extraction, funnel_entity, funnel_timeline, days`

func scanJourney(scan func(...any) error) (j Journey, err error) {
	err = scan(&j.Agent, &j.Actor, &j.FirstAt, &j.LastAt, &j.SessionEnd, &j.First[0], &j.First[1], &j.First[2], &j.First[3], &j.First[4], &j.First[5],
		&j.Funnel[0], &j.Funnel[1], &j.Funnel[2], &j.Funnel[3], &j.Days)
	return j, err
}

// Journey reads what an actor did first; known is false when it was never seen.
func (tx *Tx) Journey(agent, actor int64) (j Journey, known bool, err error) {
	j, err = scanJourney(tx.row(`SELECT `+journeyColumns+` FROM analytics_actors WHERE agent = ? AND actor = ?`, agent, actor).Scan)
	if known, err = query.Found(err); !known {
		j = Journey{Agent: agent, Actor: actor}
	}
	return j, known, err
}

// SaveJourney keeps what an actor did first.
func (tx *Tx) SaveJourney(j Journey) error {
	return tx.exec(`INSERT OR REPLACE INTO analytics_actors(`+journeyColumns+`) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		j.Agent, j.Actor, j.FirstAt, j.LastAt, j.SessionEnd, j.First[0], j.First[1], j.First[2], j.First[3], j.First[4], j.First[5],
		j.Funnel[0], j.Funnel[1], j.Funnel[2], j.Funnel[3], j.Days)
}

// MarkActive notes that an actor was active on a day; fresh tells that it was
// not known yet.
func (tx *Tx) MarkActive(agent, actor, day int64) (fresh bool, err error) {
	block, bit := day/ActivityBlock, int64(1)<<(day%ActivityBlock)
	n, err := tx.change(`INSERT INTO analytics_activity(agent, block, actor, days) VALUES(?, ?, ?, ?)
		ON CONFLICT(agent, block, actor) DO UPDATE SET days = days | excluded.days WHERE days & excluded.days = 0`, agent, block, actor, bit)
	return n > 0, err
}

// Activity is the days of a block on which an actor was active.
type Activity struct{ Block, Actor, Days int64 }

// EachActivity visits the blocks that hold the days from first to last, actors
// of each in order. With a cohort, only actors first seen from the time
// cohortFrom to the time cohortTo count.
func (tx *Tx) EachActivity(agent, first, last, cohortFrom, cohortTo int64, f func(Activity) error) error {
	visit := func(scan func(...any) error) error {
		var a Activity
		if err := scan(&a.Block, &a.Actor, &a.Days); err != nil {
			return err
		}
		return f(a)
	}
	if cohortFrom <= 0 && cohortTo <= 0 {
		return tx.each(visit, `SELECT block, actor, days FROM analytics_activity WHERE agent = ? AND block BETWEEN ? AND ? ORDER BY block, actor`,
			agent, first/ActivityBlock, last/ActivityBlock)
	}
	return tx.each(visit, `SELECT a.block, a.actor, a.days FROM analytics_activity a JOIN analytics_actors u ON u.agent = a.agent AND u.actor = a.actor
		WHERE a.agent = ? AND a.block BETWEEN ? AND ? AND u.first_at >= ? AND u.first_at <= ? ORDER BY a.block, a.actor`,
		agent, first/ActivityBlock, last/ActivityBlock, cohortFrom, cohortTo)
}

// AddActivity adds to the sums of a day.
func (tx *Tx) AddActivity(d ActivityDay) error {
	return tx.exec(`INSERT INTO analytics_days(agent, day, actors, calls, failures, uploads, searches) VALUES(?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(agent, day) DO UPDATE SET actors = actors + excluded.actors, calls = calls + excluded.calls, failures = failures + excluded.failures,
		uploads = uploads + excluded.uploads, searches = searches + excluded.searches`,
		d.Agent, d.Day, d.Actors, d.Calls, d.Failures, d.Uploads, d.Searches)
}

// ActivityDays lists the sums of the days from first to last that have any.
func (tx *Tx) ActivityDays(agent, first, last int64) ([]ActivityDay, error) {
	var list []ActivityDay
	err := tx.each(func(scan func(...any) error) error {
		d := ActivityDay{Agent: agent}
		if err := scan(&d.Day, &d.Actors, &d.Calls, &d.Failures, &d.Uploads, &d.Searches); err != nil {
			return err
		}
		list = append(list, d)
		return nil
	}, `SELECT day, actors, calls, failures, uploads, searches FROM analytics_days WHERE agent = ? AND day BETWEEN ? AND ? ORDER BY day`, agent, first, last)
	return list, err
}

// LoggedCall is a row of the log of calls with its names.
type LoggedCall struct {
	At          int64 // unix milliseconds
	Tool, Agent string
	Outcome     int64 // as in CallEvent
}

// NewestCalls returns the newest rows of the log of calls, newest first.
func (tx *Tx) NewestCalls(limit int) ([]LoggedCall, error) {
	var list []LoggedCall
	err := tx.each(func(scan func(...any) error) error {
		var c LoggedCall
		err := scan(&c.At, &c.Tool, &c.Agent, &c.Outcome)
		list = append(list, c)
		return err
	}, `SELECT e.at, t.name, coalesce(a.name, ''), e.outcome FROM (SELECT * FROM call_events ORDER BY id DESC LIMIT ?) e
		JOIN telemetry_names t ON t.id = e.tool LEFT JOIN telemetry_names a ON a.id = e.agent ORDER BY e.id DESC`, limit)
	return list, err
}
