package view

import (
	"context"
	"encoding/json"
	"strings"

	"toolkit/store"
	entitiesrows "toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/store/records"
	"toolkit/tools/entities"
	"toolkit/tools/recall"
)

const (
	recallHits    = 20
	recallHitsMax = 100
	// recallTokens is the most that the tool gives: there is room on a page.
	recallTokens = 20_000
)

// documentedThing is what a result of documents is about, so that the page can say it in a
// sentence.
type documentedThing struct {
	Entity string `json:"entity"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	entities.Figure
}

// recallForQuery asks everything that is remembered, as toolkit recall does in the folder in which
// the view was started, and tells of results, by their kind and id, what their notes say, and of
// those of documents what they are about.
func (s *Server) recallForQuery(ctx context.Context, q *query) (any, error) {
	in := arguments{"query": q.readRequiredSearchText(), "max_tokens": recallTokens, "limit": q.readNumber("limit", recallHits, 1, recallHitsMax)}
	if kinds := q.readText("kinds"); kinds != "" {
		in["kinds"] = strings.Split(kinds, ",")
	}
	answer, err := s.callTool(recall.WithWholeHits(recall.WithProject(ctx, s.o.Project...)), q, recall.Name, in)
	if err != nil {
		return nil, err
	}
	var out recall.Output
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, err
	}
	var things map[string]documentedThing
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) (err error) {
		things, err = findDocumentedThings(tx, out.Found)
		return err
	})
	return map[string]any{"answer": answer, "things": things, "marks": marksByResult(out.Found)}, err
}

// marksByResult returns the notes of results, by their kind and id.
func marksByResult(hits []recall.Hit) map[string]recall.Marks {
	marks := map[string]recall.Marks{}
	for _, h := range hits {
		if h.Note != "" {
			marks[h.Kind+":"+h.ID] = h.ParseNote()
		}
	}
	return marks
}

// findDocumentedThings finds what the results of documents are about.
func findDocumentedThings(tx *store.Tx, hits []recall.Hit) (map[string]documentedThing, error) {
	entityOf, ids := map[string]string{}, []string{}
	for _, h := range hits {
		id := h.ID
		switch h.Kind {
		case kinds.TruthEntity:
		case kinds.Document, kinds.Record:
			var err error
			if id, err = findEntityOfRecord(tx, h.ID); err != nil {
				return nil, err
			}
		default:
			continue
		}
		if id != "" {
			entityOf[h.Kind+":"+h.ID] = id
			ids = append(ids, id)
		}
	}
	names, err := entitiesrows.In(tx).DocumentedNames(ids)
	if err != nil {
		return nil, err
	}
	figures, err := entities.ReadAmountsAndDates(tx, ids)
	things := map[string]documentedThing{}
	for ref, id := range entityOf {
		if n, known := names[id]; known {
			things[ref] = documentedThing{id, n.Name, n.Type, figures[id]}
		}
	}
	return things, err
}

// findEntityOfRecord returns the id of the entity that a record is; empty: it is none.
func findEntityOfRecord(tx *store.Tx, id string) (string, error) {
	r, known, err := records.In(tx).ByID(id)
	if err != nil || !known || r.Entity == 0 {
		return "", err
	}
	e, err := entitiesrows.In(tx).ByRow(r.Entity)
	return e.ID, err
}
