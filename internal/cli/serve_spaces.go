package cli

import (
	"context"
	"maps"
	"slices"
	"sync"

	"toolkit/internal/app"
	"toolkit/internal/server/web"
	"toolkit/tools/integrations/telemetry"
)

// openSpaces are the spaces of a database that callers have been led to: the
// metrics tell of all that are open.
type openSpaces struct {
	base *app.App // of the database itself
	mu   sync.Mutex
	open map[string]*app.App // by name
}

// newOpener opens spaces of the database with the settings that it was opened with.
func (s *openSpaces) newOpener(base app.Settings) func(context.Context, string) (web.Space, error) {
	return func(ctx context.Context, name string) (web.Space, error) {
		a, err := app.Open(ctx, base.ForSpace(name))
		if err != nil {
			return web.Space{}, err
		}
		s.setOrRemoveSpace(name, a)
		return web.Space{Tools: a.Server, Watch: a.WatchResources, Close: func() {
			s.setOrRemoveSpace(name, nil)
			a.Close() //nolint:errcheck // every acknowledged write is already on disk
		}}, nil
	}
}

// setOrRemoveSpace notes that a space was opened, or with nil that it is being closed.
func (s *openSpaces) setOrRemoveSpace(name string, a *app.App) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]*app.App{}
	}
	s.open[name] = a
	if a == nil {
		delete(s.open, name)
	}
}

// listRecorders measure the calls of the database itself and of each open space.
func (s *openSpaces) listRecorders() []*telemetry.Recorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []*telemetry.Recorder{s.base.Recorder}
	for _, name := range slices.Sorted(maps.Keys(s.open)) {
		all = append(all, s.open[name].Recorder)
	}
	return all
}
