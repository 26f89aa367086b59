package view

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
)

// Bounds of a search for paths.
const (
	longestPath   = 6
	pathRelations = 150_000 // read from indexes, in less than a second
	mostPaths     = 8
	pathPatience  = 3 * time.Second
)

type pathsFound struct {
	picture
	Paths   [][]int64 `json:"paths"`         // rows from end to end
	More    bool      `json:"more"`          // there are others as short, or may be
	End     string    `json:"end,omitempty"` // why there is none: unconnected, far, many or time
	Met     int       `json:"met"`           // entities that the search came by
	Longest int       `json:"longest"`
}

// graphPaths returns the shortest paths between two entities, and their picture;
// with are rows that were drawn before and stay.
func (s *Server) graphPaths(ctx context.Context, q *query) (any, error) {
	return s.paths(ctx, q, pathPatience)
}

func (s *Server) paths(ctx context.Context, q *query, patience time.Duration) (any, error) {
	var ends []int64
	named := map[string]wanted{"From": q.end("from"), "To": q.end("to")}
	kept := q.rows("with", maxKept)
	out := pathsFound{Longest: longestPath, Paths: [][]int64{}}
	err := s.read(ctx, q, func(tx *store.Tx) (err error) {
		rows := nodes.In(tx)
		t, err := tx.Inventory()
		if err != nil {
			return err
		}
		out.Entities, out.Relations = t.Nodes, t.Relations // as the graph counts them, charts and steps among them
		for _, field := range []string{"From", "To"} {
			id, err := named[field].row(rows)
			if known := (*apiError)(nil); errors.As(err, &known) && known.Status == http.StatusNotFound {
				return notFound("%s: there is no entity of this name. Choose one of those that are suggested.", field)
			}
			if err != nil {
				return err
			}
			ends = append(ends, id)
		}
		alreadySeen := map[int64]bool{}
		ids := []int64{}
		for _, end := range ends {
			if !alreadySeen[end] {
				alreadySeen[end] = true
				ids = append(ids, end)
			}
		}
		return draw(rows, ids, &out.picture)
	})
	if err != nil {
		return nil, err
	}
	brief, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = s.read(brief, q, func(tx *store.Tx) error { return findPaths(nodes.In(tx), ends[0], ends[1], kept, &out) })
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		out.End, err = "time", nil
	}
	return out, err
}

// end is one end of a path: from=Anna, or from_id=12 where the name is too long.
func (q *query) end(name string) wanted {
	return wanted{name: q.values.Get(name), id: q.number(name+"_id", 0, 1, math.MaxInt64)}
}

func findPaths(rows nodes.Rows, from, to int64, kept []int64, out *pathsFound) error {
	found, err := rows.Paths(from, to, nodes.PathBounds{Longest: longestPath, Relations: pathRelations, Paths: mostPaths})
	if err != nil {
		return err
	}
	ids := []int64{from, to}
	for _, chain := range found.Chains {
		ids = append(ids, chain...)
	}
	alreadySeen := map[int64]bool{}
	distinct := []int64{}
	for _, id := range append(ids, kept...) {
		if !alreadySeen[id] {
			alreadySeen[id] = true
			distinct = append(distinct, id)
		}
	}
	ids = distinct
	if err := draw(rows, ids[:min(len(ids), maxKept)], &out.picture); err != nil {
		return err
	}
	out.Paths, out.More, out.End, out.Met = found.Chains, found.More, string(found.End), found.Entities
	return nil
}
