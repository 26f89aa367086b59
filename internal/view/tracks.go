package view

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/graph"
	"toolkit/store/sessions"
)

// The kinds of what happens.
const (
	kindSessions    = "sessions"
	kindInsights    = "insights"
	kindSteps       = "steps"
	kindDocuments   = "documents"
	kindCorrections = "corrections"
)

var kindsOfDay = []string{kindSessions, kindInsights, kindSteps, kindDocuments, kindCorrections}

// timelineFilter is what of the timeline is asked for.
type timelineFilter struct {
	kind     string // empty: all
	project  int64  // 0: all; or sessions.NoProject
	person   string // empty: all
	speakers []string
	entities []int64 // that documents know by the person's name
}

func (s *Server) readFilter(ctx context.Context, q *query) (timelineFilter, error) {
	c := timelineFilter{kind: q.readText("kind"), project: q.readProject(), person: q.readText("person")}
	if c.kind != "" && !slices.Contains(kindsOfDay, c.kind) {
		q.reject("kind must be one of %s.", strings.Join(kindsOfDay, ", "))
	}
	if c.person == "" {
		return c, nil
	}
	var err error
	c.entities, err = s.findRowsOfEntitiesNamed(ctx, q, c.person)
	return c, err
}

// findRowsOfEntitiesNamed returns the rows of the entities that documents know by exactly this name.
func (s *Server) findRowsOfEntitiesNamed(ctx context.Context, q *query, name string) (rows []int64, err error) {
	var found foundEntities
	if err := s.callInto(ctx, q, "find_entities", arguments{"name": name, "limit": entitiesPage}, &found); err != nil {
		return nil, err
	}
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		for _, e := range found.Entities {
			if len(filterEqualNames([]string{e.Name}, name)) == 0 {
				continue
			}
			entity, _, err := entities.In(tx).ByID(e.ID)
			if err != nil {
				return err
			}
			rows = append(rows, entity.Root)
		}
		return nil
	})
	return rows, err
}

// filterEqualNames returns the names that are one but for case and space.
func filterEqualNames(names []string, name string) (same []string) {
	for _, n := range names {
		if strings.EqualFold(strings.Join(strings.Fields(n), " "), strings.Join(strings.Fields(name), " ")) {
			same = append(same, n)
		}
	}
	return same
}

// omittedKinds are the kinds that cannot be told apart by what is chosen: what documents say
// belongs to no project, and a step is nobody's.
func (c timelineFilter) omittedKinds() (kinds []string) {
	for _, kind := range kindsOfDay {
		apart := kind == kindSessions || kind == kindInsights || c.project == 0 && (c.person == "" || kind != kindSteps)
		if !apart && (c.kind == "" || c.kind == kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// listTracks are the kinds that are asked for and can be told apart.
func (c timelineFilter) listTracks(tx *store.Tx) []track {
	all := []track{c.sessionTrack(tx), c.insightTrack(tx), stepTrack(tx)}
	if c.person == "" || len(c.entities) > 0 { // else no document knows anybody of the name
		all = append(all, c.documentTrack(tx), c.correctionTrack(tx))
	}
	return slices.DeleteFunc(all, func(s track) bool {
		return c.kind != "" && c.kind != s.kind || slices.Contains(c.omittedKinds(), s.kind)
	})
}

func (c timelineFilter) dialogueFilter() sessions.TurnFilter {
	return sessions.TurnFilter{Project: c.project, Speakers: c.speakers}
}

type sessionSpanRow struct {
	sessions.SessionName
	Turns int       `json:"turns"` // of the day
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

func (c timelineFilter) sessionTrack(tx *store.Tx) track {
	rows := sessions.In(tx)
	return track{kindSessions,
		func(until time.Time) (time.Time, error) { return rows.LastTurnTime(c.dialogueFilter(), until) },
		newPartFinder(func(from, until time.Time) ([]sessions.SessionSpan, bool, error) {
			return rows.FindSessionSpans(c.dialogueFilter(), from, until)
		},
			func(list []sessions.SessionSpan) ([]sessionSpanRow, error) { return describeSessionSpans(rows, list) })}
}

func describeSessionSpans(tx sessions.Rows, list []sessions.SessionSpan) ([]sessionSpanRow, error) {
	ids := make([]string, len(list))
	for i, s := range list {
		ids[i] = s.Session
	}
	names, err := tx.FindSessionNames(ids)
	rows := make([]sessionSpanRow, len(list))
	for i, s := range list {
		rows[i] = sessionSpanRow{names[s.Session], s.Turns, s.First, s.Last}
		rows[i].ID = s.Session
	}
	return rows, err
}

func (c timelineFilter) insightTrack(tx *store.Tx) track {
	rows := sessions.In(tx)
	return track{kindInsights,
		func(until time.Time) (time.Time, error) { return rows.LastInsightTime(c.dialogueFilter(), until) },
		newPartFinder(func(from, until time.Time) ([]int64, bool, error) {
			return rows.FindInsights(c.dialogueFilter(), from, until)
		},
			func(ids []int64) ([]insightRow, error) { return describeInsightsByID(tx, ids) })}
}

type doneRow struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Chart   string `json:"chart"`
	Outcome string `json:"outcome"`
	At      string `json:"at"`
}

// maxCompletedSteps is how many completed steps are read at once.
const maxCompletedSteps = 5000

func stepTrack(tx *store.Tx) track {
	rows, read := graph.In(tx), doneSteps{}
	return track{kindSteps,
		func(until time.Time) (time.Time, error) {
			list, err := read.completedBefore(rows, until)
			if err != nil || len(list) == 0 {
				return time.Time{}, err
			}
			return list[0].At, nil
		},
		newPartFinder(func(from, until time.Time) ([]graph.StepCompletion, bool, error) {
			list, err := read.completedBefore(rows, until)
			n := indexOfFirstBefore(list, from)
			return list[:n], read.cut && n == len(list), err
		}, func(list []graph.StepCompletion) ([]doneRow, error) { return describeCompletedSteps(rows, list) })}
}

// doneSteps are the last steps completed before a moment. No index has steps in that
// order, so they are read once for many days.
type doneSteps struct {
	list []graph.StepCompletion
	read bool
	cut  bool // there are earlier ones
}

// completedBefore returns those before a moment that is no later than that of the last time.
func (d *doneSteps) completedBefore(rows graph.Rows, until time.Time) (list []graph.StepCompletion, err error) {
	d.list = d.list[indexOfFirstBefore(d.list, until):]
	if !d.read || len(d.list) == 0 && d.cut {
		d.list, err = rows.StepsCompletedBefore(until, maxCompletedSteps)
		d.read, d.cut = true, len(d.list) == maxCompletedSteps
	}
	return d.list, err
}

// indexOfFirstBefore returns the place of the first step in a list that was completed before a moment.
func indexOfFirstBefore(list []graph.StepCompletion, moment time.Time) int {
	i := 0
	for i < len(list) && !list[i].At.Before(moment) {
		i++
	}
	return i
}

func describeCompletedSteps(rows graph.Rows, list []graph.StepCompletion) ([]doneRow, error) {
	allRows := make([]int64, len(list))
	for i, s := range list {
		allRows[i] = s.Row
	}
	steps, err := rows.CompletedSteps(allRows)
	shown := make([]doneRow, len(steps))
	for i, s := range steps {
		shown[i] = doneRow{s.ID, s.Title, s.ChartID, s.Outcome, timestamp(list[i].At)}
	}
	return shown, err
}

type arrivedRow struct {
	Type   string `json:"type"`
	Name   string `json:"name"` // of the entity that it is
	File   string `json:"file"`
	Entity string `json:"entity"` // empty: it speaks of none
	At     string `json:"at"`
}

func (c timelineFilter) documentTrack(tx *store.Tx) track {
	rows := entities.In(tx)
	return track{kindDocuments,
		func(until time.Time) (time.Time, error) {
			return timeFromMillis(rows.LastArrivalTime(c.entities, until.UnixMilli()))
		},
		newPartFinder(func(from, until time.Time) ([]int64, bool, error) {
			return rows.FindArrivals(c.entities, from.UnixMilli(), until.UnixMilli())
		}, func(found []int64) ([]arrivedRow, error) {
			list, err := rows.ListArrivals(found)
			described := make([]arrivedRow, len(list))
			for i, a := range list {
				described[i] = arrivedRow{a.Type, a.Entity.Name, a.File, a.Entity.ID, milliTimestamp(a.At)}
			}
			return described, err
		})}
}

type correctedRow struct {
	Entity    string          `json:"entity"` // empty: it is gone
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	Field     string          `json:"field"`
	Value     json.RawMessage `json:"value"` // null when withdrawn
	Reason    string          `json:"reason"`
	Withdrawn bool            `json:"withdrawn"`
	At        string          `json:"at"`
}

func (c timelineFilter) correctionTrack(tx *store.Tx) track {
	rows := entities.In(tx)
	return track{kindCorrections,
		func(until time.Time) (time.Time, error) {
			return timeFromMillis(rows.LastCorrectionTime(until.UnixMilli()))
		},
		newPartFinder(func(from, until time.Time) ([]int64, bool, error) {
			return rows.FindCorrections(c.entities, from.UnixMilli(), until.UnixMilli())
		}, func(found []int64) ([]correctedRow, error) {
			list, err := rows.ListCorrections(found)
			described := make([]correctedRow, len(list))
			for i, a := range list {
				described[i] = correctedRow{a.Entity.ID, a.Entity.Name, a.Entity.Type, a.Field, a.Value, a.Reason, a.Withdrawn, milliTimestamp(a.At)}
			}
			return described, err
		})}
}

// timeFromMillis is a moment in unix milliseconds, of which 0 is none.
func timeFromMillis(ms int64, err error) (time.Time, error) {
	if ms == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(ms), err
}
