package view

import (
	"cmp"
	"context"

	"toolkit/internal/search"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/memory"
)

const (
	memoryPage    = 30
	memoryPageMax = 100
	// maxSources is how many turns of dialogue are shown below an insight.
	maxSources = 50
)

type insightRow struct {
	ID        int64   `json:"id"`
	Version   int     `json:"version"`
	Content   string  `json:"content"`
	Fidelity  float64 `json:"fidelity"`
	SourceIDs []int64 `json:"source_ids"`
	Created   string  `json:"created"`
	State     string  `json:"state"` // current, superseded or deleted
	Reason    string  `json:"reason,omitempty"`
	Extracted bool    `json:"extracted,omitempty"` // from captured dialogue, without a model
	Project   string  `json:"project"`             // in which it was said, or holds; empty: in all
	Client    string  `json:"client"`              // the assistant that wrote it; empty: unknown
	Session   string  `json:"session"`             // in which it was; empty: in none
	Title     string  `json:"session_title"`       // of that session, or how it begins

	Later *search.Later `json:"later,omitempty"` // that may replace it

	project int64
}

// listInsights lists insights, of one project if it is named, newest first.
func (s *Server) listInsights(ctx context.Context, q *query) (any, error) {
	retired, of := q.values.Get("retired") == "1", sessions.TurnFilter{Project: q.readProject()}
	return listPage(ctx, s, q, "insights", func(tx *store.Tx, before int64, limit int) ([]insightRow, error) {
		ids, err := sessions.In(tx).ListInsights(of, before, retired, limit)
		if err != nil {
			return nil, err
		}
		list, err := memoryrows.In(tx).InsightsByID(ids)
		if err != nil {
			return nil, err
		}
		return s.describeAndMarkReplaced(ctx, tx, list)
	})
}

// listPage returns the next part of a list that goes back in time, and whether there is more.
func listPage[Shown any](ctx context.Context, s *Server, q *query, name string, find func(tx *store.Tx, before int64, limit int) ([]Shown, error)) (any, error) {
	limit, before := int(q.readNumber("limit", memoryPage, 1, memoryPageMax)), q.readNumber("before", 0, 0, 1<<62)
	list, more := []Shown{}, false
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		found, err := find(tx, before, limit+1)
		more = len(found) > limit
		list = append(list, found[:min(limit, len(found))]...)
		return err
	})
	return map[string]any{name: list, "more": more}, err
}

func describeInsightsByID(tx *store.Tx, ids []int64) ([]insightRow, error) {
	list, err := memoryrows.In(tx).InsightsByID(ids)
	if err != nil {
		return nil, err
	}
	return describeInsights(tx, list)
}

// describeInsights says of insights what they say, and who wrote them where.
func describeInsights(tx *store.Tx, list []memoryrows.Insight) ([]insightRow, error) {
	ids, described := make([]int64, len(list)), make([]insightRow, len(list))
	for i, insight := range list {
		ids[i], described[i] = insight.ID, describeInsight(insight)
	}
	sources, err := sessions.In(tx).SourcesOfInsights(ids)
	for i := range described {
		from := sources[ids[i]]
		described[i].Project, described[i].Client, described[i].Session, described[i].project = from.ProjectName, from.Client, from.Session, from.Project
	}
	if err != nil {
		return nil, err
	}
	return described, addSessionTitles(tx, described)
}

// addSessionTitles says what the sessions of insights are called.
func addSessionTitles(tx *store.Tx, list []insightRow) error {
	titles := map[string]string{}
	for i := range list {
		session := list[i].Session
		if _, known := titles[session]; !known && session != "" {
			summary, _, err := sessions.In(tx).FindSessionSummary(session)
			if err != nil {
				return err
			}
			titles[session] = cmp.Or(summary.Title, summary.Begins)
		}
		list[i].Title = titles[session]
	}
	return nil
}

func describeInsight(i memoryrows.Insight) insightRow {
	state := "current"
	switch {
	case !i.Deleted.IsZero():
		state = "deleted"
	case i.SupersededBy != 0:
		state = "superseded"
	}
	return insightRow{
		ID: i.ID, Version: i.Version, Content: i.Content, Fidelity: i.Fidelity, SourceIDs: tools.OrEmpty(i.SourceIDs),
		Created: timestamp(i.Created), State: state, Reason: i.Reason, Extracted: memory.ExtractedKindOf(&i) != "",
	}
}

// readInsight returns an insight with its history and the dialogue it came from.
func (s *Server) readInsight(ctx context.Context, q *query) (any, error) {
	id := q.readNumber("id", 0, 1, 1<<62)
	if id == 0 {
		q.reject("id is missing.")
	}
	history, err := s.callTool(ctx, q, "get_insight_history", arguments{"id": id})
	if err != nil {
		return nil, err
	}
	var shown insightRow
	var dialogue []turn
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		i, err := memoryrows.In(tx).InsightAt(id)
		if err != nil {
			return err
		}
		if i == nil {
			return notFound("There is no such insight.")
		}
		described, err := s.describeAndMarkReplaced(ctx, tx, []memoryrows.Insight{*i})
		if err != nil {
			return err
		}
		shown = described[0]
		turns, err := memoryrows.In(tx).DialoguesByID(i.SourceIDs[:min(len(i.SourceIDs), maxSources)])
		dialogue = make([]turn, len(turns))
		for i, t := range turns {
			dialogue[i] = describeTurn(t)
		}
		return err
	})
	return map[string]any{"insight": shown, "history": history, "dialogue": dialogue}, err
}

// listEpisodes lists episodes, newest first.
func (s *Server) listEpisodes(ctx context.Context, q *query) (any, error) {
	return listPage(ctx, s, q, "episodes", func(tx *store.Tx, before int64, limit int) ([]memoryrows.Episode, error) {
		return memoryrows.In(tx).EpisodesBefore(before, limit)
	})
}

// listWorkingItems lists working memory, the last used first.
func (s *Server) listWorkingItems(ctx context.Context, q *query) (any, error) {
	var list []memoryrows.WorkingItem
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) (err error) {
		list, err = memoryrows.In(tx).WorkingItems()
		return err
	})
	return map[string]any{"items": tools.OrEmpty(list)}, err
}
