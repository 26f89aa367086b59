// Package graph is the family of knowledge graph tools: entities with
// observations, and relations between them.
//
// Names, inputs and results equal those of the official MCP memory server, so
// its clients keep working; what is added is optional. The rules that differ
// are: an existing name refuses the whole batch (Deps.MemoryCompat brings the
// official rules back), a relation needs both ends, deletions report what was
// not there, and search is ranked and finds words as well as substrings.
//
// Structural tension charts, action steps and narrative beats are entities of
// the same graph. Their observations are computed; adding one to a chart adds a
// fact to its current reality, deleting one deletes all that lives in it.
//
// One file holds a tool or two: entities.go, relations.go, observations.go,
// delete.go, read.go, search.go. The ranking of a search is in rank.go.
package graph

import (
	"context"

	"toolkit/store"
	"toolkit/tools"
)

// Deps are what the family needs.
type Deps struct {
	Store *store.DB
	// MemoryCompat makes create_entities skip existing names, create_relations
	// keep a relation of which an end is missing, deletions confirm in a sentence
	// and search_nodes find substrings only, like the official memory server.
	MemoryCompat bool
	// Nearest returns the likeness in meaning of the nodes nearest to a text, by their
	// rows; complete is false where some could not be compared yet. nil: nothing is found
	// by its meaning.
	Nearest func(ctx context.Context, text string) (near map[int64]float64, complete bool, err error)
}

// Permissions of the family.
const (
	mayCreate tools.Permission = "graph:create"
	mayRead   tools.Permission = "graph:read"
	mayUpdate tools.Permission = "graph:update"
	mayDelete tools.Permission = "graph:delete"
)

// version of the tools.
const version = "1.0.0"

// shorterVersion is that of tools that leave empty lists out of their results.
const shorterVersion = "1.1.0"

type family struct{ Deps }

// New builds the family. It does not touch the store before the first call.
func New(d Deps) tools.Family {
	f := family{d}
	return tools.Family{
		Name:    "graph",
		Subject: "a knowledge graph",
		Dialect: tools.FormatStandardError,
		Tools: []*tools.Definition{
			tools.Define(f.createEntitiesTool()),
			tools.Define(f.createRelationsTool()),
			tools.Define(f.addObservationsTool()),
			tools.Define(f.searchNodesTool()),
			tools.Define(f.openNodesTool()),
			tools.Define(f.deleteEntitiesTool()),
			tools.Define(f.deleteRelationsTool()),
			tools.Define(f.deleteObservationsTool()),
			tools.Define(f.readGraphTool()),
		},
		Resources: []tools.ServedResource{f.knowledgeGraphResource()},
	}
}
