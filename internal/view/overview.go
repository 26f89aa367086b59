package view

import (
	"context"
	"path"

	"toolkit/store"
	"toolkit/store/sessions"
)

const (
	// maxTypes is how many types are told by name.
	maxTypes = 60
	// maxProjects is how many projects can be chosen from.
	maxProjects = 200
)

type overview struct {
	Version  string       `json:"version"`
	Sequence int64        `json:"sequence"` // grows with every change
	Database string       `json:"database"` // name of the file
	Totals   totals       `json:"totals"`
	Types    []typeCount  `json:"types"`    // of the graph, the most frequent first
	Sections []string     `json:"sections"` // beyond those that are always there
	Write    string       `json:"write"`    // no, ask, or yes: whether things can be changed from the page
	Projects []projectTag `json:"projects"` // the last at work first
	Project  int64        `json:"project"`  // that of the folder in which the view was started; 0: none
}

type projectTag struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
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
	Documents      int `json:"documents"`
	Documented     int `json:"documented"` // entities that they speak of
	Sessions       int `json:"sessions"`
}

type typeCount struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
	First int64  `json:"first"` // row of the first that has it
}

func (s *Server) readOverview(ctx context.Context, q *query) (any, error) {
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
		if err != nil {
			return err
		}
		o.Types = typeCounts(types)
		return o.addProjects(sessions.In(tx), s.o.Project)
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
	case s.changes.isAllowed():
		o.Write = "yes"
	default:
		o.Write = "ask"
	}
	if s.o.Calls != nil {
		o.Sections = append(o.Sections, "calls")
	}
	return o, nil
}

// addProjects tells the projects to choose from, and which of them keys find.
func (o *overview) addProjects(rows sessions.Rows, keys []string) error {
	list, err := rows.ListProjects(maxProjects)
	if err != nil {
		return err
	}
	o.Projects = make([]projectTag, len(list))
	for i, p := range list {
		o.Projects[i] = projectTag{p.ID, p.Name}
	}
	current, err := rows.ProjectByKey(keys...)
	o.Project = current.ID
	return err
}

func typeCounts(list []store.TypeCount) []typeCount {
	allTypeCounts := make([]typeCount, len(list))
	for i, t := range list {
		allTypeCounts[i] = typeCount(t)
	}
	return allTypeCounts
}
