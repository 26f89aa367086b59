package view

import (
	"context"
	"encoding/json"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

const (
	sessionsPage = 50
	turnsPage    = 50
	// maxTurnInsights bounds the insights that are shown beside a page of turns.
	maxTurnInsights = 200
	// maxBrought is how many insights are shown of each session in a list.
	maxBrought = 5
)

type sessionRow struct {
	sessions.SessionSummary
	Brought []insightRow `json:"brought"` // the newest of its insights; in a list alone
}

// listSessions returns a page of the sessions, the last one first, with what each brought, and
// how many there are of each project and client.
func (s *Server) listSessions(ctx context.Context, q *query) (any, error) {
	limit, offset := q.readLimitAndOffset(sessionsPage, pageMax)
	filter := sessions.SessionFilter{Project: q.readProject(), Client: q.readText("client"), Limit: limit, Offset: offset}
	list, groups, total := []sessionRow{}, []sessions.SessionCount{}, 0
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		all, err := sessions.In(tx).CountSessions()
		if err != nil {
			return err
		}
		groups = append(groups, all...)
		for _, g := range all {
			if (filter.Project == 0 || filter.Project == g.Project) && (filter.Client == "" || filter.Client == g.Client) {
				total += g.Sessions
			}
		}
		found, err := sessions.In(tx).ListSessionSummaries(filter)
		list = make([]sessionRow, len(found))
		for i, listed := range found {
			list[i] = sessionRow{SessionSummary: listed}
		}
		if err != nil {
			return err
		}
		return s.addSessionInsights(ctx, tx, list)
	})
	return map[string]any{"sessions": list, "groups": groups, "total": total}, err
}

// addSessionInsights tells the newest insights of each session.
func (s *Server) addSessionInsights(ctx context.Context, tx *store.Tx, list []sessionRow) error {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].ID
	}
	brought, err := sessions.In(tx).InsightsOfSessions(names, maxBrought)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Brought, err = describeInsightsByID(tx, brought[list[i].ID]); err != nil {
			return err
		}
		list[i].Insights = max(list[i].Insights, len(list[i].Brought))
	}
	parts := make([][]insightRow, len(list))
	for i := range list {
		parts[i] = list[i].Brought
	}
	return markReplacedInsights(ctx, tx, s.o.Store.Now(), parts...)
}

// turn is something said, with what an assistant did before it spoke.
type turn struct {
	memory.Dialogue
	turnFacts
}

// turnFacts are the facts that capture keeps with a turn.
type turnFacts struct {
	Files     []string `json:"files,omitempty"`     // changed
	Commands  []string `json:"commands,omitempty"`  // run
	Compacted bool     `json:"compacted,omitempty"` // the assistant went on with a summary of what was said up to here
}

func describeTurn(d memory.Dialogue) turn {
	t := turn{Dialogue: d}
	json.Unmarshal(d.Metadata, &t.turnFacts) //nolint:errcheck // whoever stores dialogue may put anything there
	return t
}

// readSession returns a page of what was said in a session, the first first, with
// the insights that came from it; the page on which a turn stands when it is given. A session
// that was not captured but stored by an assistant has no client and no facts.
func (s *Server) readSession(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	limit, offset := q.readLimitAndOffset(turnsPage, pageMax)
	wanted := q.readNumber("turn", 0, 0, 1<<62)
	turns, learned, total := []turn{}, []insightRow{}, 0
	var about sessionRow
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		found, known, err := sessions.In(tx).FindSessionSummary(id)
		if err != nil {
			return err
		}
		if !known {
			return notFound("There is no such session.")
		}
		about.SessionSummary = found
		rows := memory.In(tx)
		if total, err = rows.CountTurns(id); err != nil {
			return err
		}
		if wanted > 0 {
			before, err := rows.TurnsBefore(id, wanted)
			if err != nil {
				return err
			}
			offset = before / limit * limit
		}
		dialogues, err := rows.Dialogues(memory.DialogueFilter{SessionID: id, Oldest: true, Limit: limit, Offset: offset})
		if err != nil {
			return err
		}
		turns = make([]turn, len(dialogues))
		for i, dialogue := range dialogues {
			turns[i] = describeTurn(dialogue)
		}
		ids := make([]int64, len(turns))
		for i, t := range turns {
			ids[i] = t.ID
		}
		insights, err := rows.InsightsOfTurns(ids, maxTurnInsights)
		if err != nil {
			return err
		}
		learned, err = s.describeAndMarkReplaced(ctx, tx, insights)
		return err
	})
	return map[string]any{"session": about, "turns": turns, "insights": learned, "offset": offset, "total": total}, err
}

// listSessionInsights lists the insights of a whole session, newest first.
func (s *Server) listSessionInsights(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	return listPage(ctx, s, q, "insights", func(tx *store.Tx, before int64, limit int) ([]insightRow, error) {
		list, err := memory.In(tx).InsightsOfSession(id, before, limit)
		if err != nil {
			return nil, err
		}
		return s.describeAndMarkReplaced(ctx, tx, list)
	})
}
