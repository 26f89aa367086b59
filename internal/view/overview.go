package view

import (
	"context"
	"path"

	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
)

const (
	// maxTypes is how many types are told by name.
	maxTypes = 60
	// maxProjects is how many projects can be chosen from.
	maxProjects = 200
)

type overview struct {
	Version  string            `json:"version"`
	Sequence int64             `json:"sequence"` // grows with every change
	Database string            `json:"database"` // name of the file
	Totals   store.Inventory   `json:"totals"`
	Types    []store.TypeCount `json:"types"`    // of the graph, the most frequent first
	Sections []string          `json:"sections"` // beyond those that are always there
	Write    string            `json:"write"`    // no, ask, or yes: whether things can be changed from the page
	Projects []projectTag      `json:"projects"` // the last at work first
	Project  int64             `json:"project"`  // that of the folder in which the view was started; 0: none
}

type projectTag struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func (s *Server) readOverview(ctx context.Context, q *query) (any, error) {
	o := overview{Version: s.o.Version, Database: path.Base(s.o.Store.Name()), Sections: []string{}}
	sequences, err := s.o.Store.Sequences(ctx)
	if err != nil {
		return nil, err
	}
	o.Sequence = sumSequences(sequences)
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		if o.Totals, err = tx.CountInventory(); err != nil {
			return err
		}
		types, err := tx.EntityTypeCounts(maxTypes)
		if err != nil {
			return err
		}
		o.Types = tools.OrEmpty(types)
		pockets, err := readPockets(tx, s.o.Store.Now())
		if err != nil {
			return err
		}
		if len(pockets) > 0 { // a section without anything to show stays out of sight
			o.Sections = append(o.Sections, "pockets")
		}
		o.Sections = append(o.Sections, "calls")
		return o.addProjects(sessions.In(tx), s.o.Project)
	})
	if err != nil {
		return nil, err
	}
	switch {
	case s.o.Writer == nil:
		o.Write = "no"
	case s.changes.allowed.Load():
		o.Write = "yes"
	default:
		o.Write = "ask"
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
