package view

import (
	"context"
	"path"

	"toolkit/store"
)

// maxTypes is how many types are told by name.
const maxTypes = 50

type overview struct {
	Version  string      `json:"version"`
	Sequence int64       `json:"sequence"` // grows with every change
	Database string      `json:"database"` // name of the file
	Totals   totals      `json:"totals"`
	Types    []typeCount `json:"types"`    // of the graph, the most frequent first
	Sections []string    `json:"sections"` // beyond those that are always there
	Write    string      `json:"write"`    // no, ask, or yes: whether things can be changed from the page
}

type totals struct {
	Nodes          int `json:"nodes"` // of the graph
	Relations      int `json:"relations"`
	Observations   int `json:"observations"`
	Entities       int `json:"entities"` // nodes that are no charts, steps or beats
	Charts         int `json:"charts"`
	Steps          int `json:"steps"`
	CompletedSteps int `json:"completed_steps"`
	Beats          int `json:"beats"`
	Dialogue       int `json:"dialogue"`
	Insights       int `json:"insights"`
	Episodes       int `json:"episodes"`
	Working        int `json:"working"`
	Documented     int `json:"documented"`
	Payloads       int `json:"payloads"`
	Records        int `json:"records"`
	Sessions       int `json:"sessions"`
}

type typeCount struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

func (s *Server) overview(ctx context.Context, q *query) (any, error) {
	o := overview{Version: s.o.Version, Database: path.Base(s.o.Store.Name()), Sections: []string{}}
	sequences, err := s.o.Store.Sequences(ctx)
	if err != nil {
		return nil, err
	}
	o.Sequence = sumSequences(sequences)
	err = s.read(ctx, q, func(tx *store.Tx) error {
		t, err := tx.Inventory()
		if err != nil {
			return err
		}
		o.Totals = totals(t)
		types, err := tx.EntityTypeCounts(maxTypes)
		o.Types = typeCounts(types)
		return err
	})
	if err != nil {
		return nil, err
	}
	// A section without anything to show stays out of sight. That it cannot be
	// read is told when it is opened.
	if s.o.Pockets != nil {
		if list, err := s.o.Pockets.Pockets(ctx); err != nil || len(list) > 0 {
			o.Sections = append(o.Sections, "pockets")
		}
	}
	switch {
	case s.o.Writer == nil:
		o.Write = "no"
	case s.changes.allowed():
		o.Write = "yes"
	default:
		o.Write = "ask"
	}
	if s.o.Calls != nil {
		o.Sections = append(o.Sections, "calls")
	}
	return o, nil
}

func typeCounts(list []store.TypeCount) []typeCount {
	allTypeCounts := make([]typeCount, len(list))
	for i, t := range list {
		allTypeCounts[i] = typeCount(t)
	}
	return allTypeCounts
}
