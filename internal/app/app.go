// Package app puts the parts together: it opens the store, builds the families
// over it, and the server around them. It decides nothing itself.
package app

import (
	"context"
	"log/slog"
	"time"

	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/charts"
	"toolkit/tools/graph"
)

// Version is the version of the service, set by release builds.
var Version = "0.1.0"

// Settings say what is served and how. The zero value of every field but DB is
// the default.
type Settings struct {
	DB            string // path of the database file
	Access        tools.Access
	HintsInMeta   bool // agentHints travel in _meta
	MemoryCompat  bool // create_entities skips existing names, like the official memory server
	Orientation   orientation.Level
	Logger        *slog.Logger
	Now           func() time.Time // the clock; time.Now when nil
	MaxPages      int              // cap of the file in pages, for tests
	Notifications tools.NotifyFunc // how to reach the client; nil: mcp-go's own channel
}

// App is a running toolkit: an open store and the server over it.
type App struct {
	Store  *store.DB
	Server *tools.Server
}

// Open builds an App. Errors of the database are *store.OpenError.
func Open(ctx context.Context, s Settings) (*App, error) {
	db, err := store.Open(ctx, store.Options{Path: s.DB, Now: s.Now, MaxPages: s.MaxPages})
	if err != nil {
		return nil, err
	}
	options, err := serverOptions(db, s)
	if err == nil {
		var server *tools.Server
		if server, err = tools.NewServer(options, s.Notifications); err == nil {
			return &App{Store: db, Server: server}, nil
		}
	}
	db.Close() //nolint:errcheck // the first error is the one to report
	return nil, err
}

// Close ends the app's work with its database.
func (a *App) Close() error { return a.Store.Close() }

// Registry lists every tool without a database behind it, for documentation.
func Registry() (*tools.Registry, error) { return tools.NewRegistry(families(nil, Settings{})...) }

func families(db *store.DB, s Settings) []tools.Family {
	return []tools.Family{
		charts.New(charts.Deps{Store: db, Orientation: s.Orientation}),
		graph.New(graph.Deps{Store: db, MemoryCompat: s.MemoryCompat}),
	}
}

func serverOptions(db *store.DB, s Settings) (tools.ServerOptions, error) {
	registry, err := tools.NewRegistry(families(db, s)...)
	if err != nil {
		return tools.ServerOptions{}, err
	}
	return tools.ServerOptions{
		Registry: registry, Access: s.Access, HintsInMeta: s.HintsInMeta,
		Version: Version, Logger: s.Logger, Now: s.Now,
		Sequence: func(ctx context.Context, topics []string) (int64, error) {
			return db.Sequence(ctx, storeTopics(topics)...)
		},
		Classify: tools.StorageError,
	}, nil
}

func storeTopics(names []string) []store.Topic {
	topics := make([]store.Topic, len(names))
	for i, n := range names {
		topics[i] = store.Topic(n)
	}
	return topics
}
