package view

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// Bounds of what is drawn and listed, however large the graph is.
const (
	maxDrawn        = 300  // nodes of a picture
	maxDrawnBefore  = 450  // nodes of a picture that has grown
	maxEdges        = 3000 // relations of a picture
	neighboursPage  = 50
	maxObservations = 200 // of one entity
	searchHits      = 30
	maxMetadata     = 64 << 10 // bytes of metadata that are shown
)

type picture struct {
	Nodes     []graph.Node `json:"nodes"`
	Edges     []graph.Edge `json:"edges"`
	Entities  int          `json:"entities"` // there are in all
	Relations int          `json:"relations"`
	Total     int          `json:"total"` // of entities with charts, steps and beats
	Near      int          `json:"near"`  // relations of the entity in the middle that were followed
}

// readGraphToDraw returns a bounded picture: with around or id, an entity and what it is related
// to; else a sample of what is new. With are rows that were drawn before and stay.
func (s *Server) readGraphToDraw(ctx context.Context, q *query) (any, error) {
	limit := q.readNumber("limit", maxDrawn, 1, maxDrawn)
	around := entityRef{name: q.values.Get("around"), id: q.readNumber("id", 0, 1, math.MaxInt64)}
	drawn := q.readRowIDs("with", maxDrawnBefore)
	out := picture{}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		rows := graph.In(tx)
		t, err := tx.CountInventory()
		if err != nil {
			return err
		}
		out.Entities, out.Relations, out.Total = t.Entities, t.Relations, t.Nodes
		var ids []int64
		if around == (entityRef{}) {
			ids, err = rows.ListNewestLinkedNodes(int(limit))
		} else {
			ids, out.Near, err = readNeighbourhood(rows, around, int(limit))
		}
		if err != nil {
			return err
		}
		ids = tools.Distinct(append(ids, drawn...))
		return fillPicture(rows, ids[:min(len(ids), maxDrawnBefore)], &out)
	})
	return out, err
}

// fillPicture fills in the nodes of ids and the relations among them.
func fillPicture(tx graph.Rows, ids []int64, out *picture) error {
	nodes, err := tx.Nodes(ids)
	if err != nil {
		return err
	}
	edges, err := tx.EdgesAmong(ids, maxEdges)
	out.Nodes, out.Edges = tools.OrEmpty(nodes), tools.OrEmpty(edges)
	return err
}

// readNeighbourhood returns an entity and its first neighbours, and how many relations lead to them.
func readNeighbourhood(tx graph.Rows, around entityRef, limit int) ([]int64, int, error) {
	id, err := around.findRow(tx)
	if err != nil {
		return nil, 0, err
	}
	outward, _, err := tx.CountNeighbours(id)
	if err != nil {
		return nil, 0, err
	}
	ids := []int64{id}
	near, err := tx.Neighbours(id, outward, min(limit, neighboursPage), 0)
	for _, n := range near {
		ids = append(ids, n.ID)
	}
	ids = tools.Distinct(ids)
	return ids[:min(len(ids), limit)], len(near), err
}

// readRowIDs returns a list of row ids, separated by commas.
func (q *query) readRowIDs(name string, maximum int) []int64 {
	var ids []int64
	for text := range strings.SplitSeq(q.values.Get(name), ",") {
		id, err := strconv.ParseInt(text, 10, 64)
		switch {
		case text == "":
		case err != nil || len(ids) == maximum:
			q.reject("%s must be at most %d numbers, separated by commas.", name, maximum)
			return nil
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

// entityRef is an entity as a request names it: by its name, or by its row, since a
// name may be longer than an address can be.
type entityRef struct {
	name string
	id   int64
}

func (q *query) readEntityRef() entityRef {
	if id := q.readNumber("id", 0, 1, math.MaxInt64); id != 0 {
		return entityRef{id: id}
	}
	return entityRef{name: q.readRequiredText("name")}
}

func (w entityRef) findRow(tx graph.Rows) (int64, error) {
	exists, id, err := false, w.id, error(nil)
	if id == 0 {
		id, exists, err = tx.EntityID(w.name)
	} else {
		var nodes []graph.Node
		nodes, err = tx.Nodes([]int64{id})
		exists = len(nodes) == 1
	}
	if err != nil {
		return 0, err
	}
	if !exists {
		return 0, notFound("There is no entity of this name any more.")
	}
	return id, nil
}

// searchGraph finds entities as search_nodes does.
func (s *Server) searchGraph(ctx context.Context, q *query) (any, error) {
	var found struct {
		Entities []struct{ Name string } `json:"entities"`
	}
	err := s.callInto(ctx, q, "search_nodes", arguments{"query": q.readRequiredSearchText(), "limit": searchHits + 1, "observationLimit": 1}, &found)
	if err != nil {
		return nil, err
	}
	more := len(found.Entities) > searchHits
	names := make([]string, 0, searchHits)
	for _, e := range found.Entities[:min(len(found.Entities), searchHits)] {
		names = append(names, e.Name)
	}
	out := map[string]any{"more": more}
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		refs, err := graph.In(tx).EntityRefs(names)
		if err != nil {
			return err
		}
		ids := make([]int64, 0, len(names))
		for _, name := range names {
			if ref, known := refs[name]; known {
				ids = append(ids, ref.ID)
			}
		}
		nodes, err := graph.In(tx).Nodes(ids)
		out["nodes"] = tools.OrEmpty(nodes)
		return err
	})
	return out, err
}

type entityDetail struct {
	graph.Node
	Observations []string        `json:"observations"`
	Hidden       int             `json:"hidden_observations"`
	Metadata     json.RawMessage `json:"metadata"` // null when there is none or it is too long
	Outward      int             `json:"outward"`
	Dangling     []danglingEnd   `json:"dangling"` // relations to what no entity has the name of
}

// danglingEnd is the missing end of a relation.
type danglingEnd struct {
	Name     string `json:"name"`
	Relation string `json:"relation"`
	Outward  bool   `json:"outward"`
}

// readGraphEntity returns what is known of an entity.
func (s *Server) readGraphEntity(ctx context.Context, q *query) (any, error) {
	which := q.readEntityRef()
	var out entityDetail
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		rows := graph.In(tx)
		id, err := which.findRow(rows)
		if err != nil {
			return err
		}
		nodes, err := rows.Nodes([]int64{id})
		if err != nil || len(nodes) == 0 {
			return err
		}
		known, err := rows.ReadEntities([]int64{id}, maxObservations)
		if err != nil || len(known) == 0 {
			return err
		}
		e := known[0]
		out.Node, out.Observations, out.Hidden = nodes[0], e.Observations, e.Hidden
		if len(e.Metadata) <= maxMetadata && json.Valid(e.Metadata) {
			out.Metadata = e.Metadata
		}
		if out.Outward, _, err = rows.CountNeighbours(id); err != nil {
			return err
		}
		out.Dangling, err = listDanglingEnds(rows, e.Name)
		return err
	})
	return out, err
}

// listDanglingEnds returns the missing ends of the relations of an entity, oldest first.
func listDanglingEnds(rows graph.Rows, name string) ([]danglingEnd, error) {
	list, err := rows.DanglingRelations([]string{name})
	ends := []danglingEnd{}
	for _, r := range list[:min(len(list), neighboursPage)] {
		end := danglingEnd{Name: r.To, Relation: r.Type, Outward: true}
		if graph.ComposeAccents(r.From) != graph.ComposeAccents(name) {
			end.Name, end.Outward = r.From, false
		}
		ends = append(ends, end)
	}
	return ends, err
}

// listGraphNeighbours returns a page of what an entity is related to, with the
// relations among that page, so that a picture can grow.
func (s *Server) listGraphNeighbours(ctx context.Context, q *query) (any, error) {
	which := q.readEntityRef()
	limit, offset := q.readLimitAndOffset(neighboursPage, neighboursPage)
	var list []graph.Neighbour
	var total int
	var drawn picture
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		rows := graph.In(tx)
		id, err := which.findRow(rows)
		if err != nil {
			return err
		}
		outward, inward, err := rows.CountNeighbours(id)
		if err != nil {
			return err
		}
		total = outward + inward
		if list, err = rows.Neighbours(id, outward, limit, offset); err != nil {
			return err
		}
		ids := []int64{id}
		for _, n := range list {
			ids = append(ids, n.ID)
		}
		return fillPicture(rows, tools.Distinct(ids), &drawn)
	})
	return map[string]any{"neighbours": tools.OrEmpty(list), "total": total, "offset": offset, "edges": drawn.Edges}, err
}

// timestamp is how times are sent.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// milliTimestamp is timestamp for times in unix milliseconds.
func milliTimestamp(ms int64) string { return timestamp(time.UnixMilli(ms)) }
