// Package app puts the parts together: it opens the store, builds the families
// over it, and the server around them. It decides nothing itself.
package app

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture"
	"toolkit/internal/capture/hooks"
	"toolkit/internal/orientation"
	"toolkit/internal/search"
	"toolkit/internal/server/fileserver"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/charts"
	"toolkit/tools/entities"
	"toolkit/tools/forget"
	"toolkit/tools/graph"
	"toolkit/tools/integrations"
	"toolkit/tools/integrations/telemetry"
	"toolkit/tools/memory"
	"toolkit/tools/pockets"
	"toolkit/tools/recall"
	"toolkit/tools/toolset"
)

// Version is the version of the service, set by release builds.
var Version = "0.1.0"

// Settings say what is served and how. The zero value of every field but DB is
// the default.
type Settings struct {
	DB            string // path of the database file
	Space         string // whose data it is, see store.Options; empty: that of the database itself
	Access        tools.Access
	HintsInMeta   bool // agentHints travel in _meta
	MemoryCompat  bool // the graph follows the rules of the official memory server
	Orientation   orientation.Level
	Logger        *slog.Logger
	Now           func() time.Time // the clock; time.Now when nil
	MaxPages      int              // cap of the file in pages, for tests
	TimeoutFactor int              // multiplies the time a call may take, for slow machines; 0 is 1
	// PocketRateLimit makes the tools of pockets share 30 calls a minute.
	PocketRateLimit bool
	RateLimits      tools.RateLimits // changes to the published limits
	MetricsSpace    string           // labels the metrics, on a server that has several spaces
	Notifications   tools.NotifyFunc // how to reach the client; nil: mcp-go's own channel

	// Folder is the working folder of the one client that started this process; empty:
	// clients work elsewhere.
	Folder string
	// FileRoots are the folders that uploads may come from, absolute; nil: the
	// working directory and the user's Documents, Downloads and Desktop.
	FileRoots []string
	// EngineCache is a folder for the PDF reader's compiled code; empty: none.
	EngineCache string

	// Getenv reads what configures embedding models and judges; nil: nothing is
	// configured, which means local vectors and offline judges.
	Getenv func(string) string
	// HTTP reaches the services that are configured for integrations; nil: a
	// client of their own.
	HTTP *http.Client
}

// App is a running toolkit: an open store and the server over it.
type App struct {
	Store  *store.DB
	Server *tools.Server
	Search *memory.Search // of memory
	Memory memory.Deps    // what the memory family works with

	Records  *entities.VectorSearch // of the payload store
	Nodes    *search.RowSearch      // of the graph and of charts
	Passages *search.RowSearch      // of the texts of files
	files    entities.Files
	urls     *fileserver.Server // of stored files; listens from the first URL on
	// Recorder measures the calls. It records nothing on a read-only server.
	Recorder *telemetry.Recorder
	embedder embed.Embedder
	measure  integrations.MeasurementSources
	readOnly bool
}

// Open builds an App. Errors of the database are *store.OpenError.
func Open(ctx context.Context, s Settings) (*App, error) {
	a := &App{readOnly: s.Access.ReadOnly}
	embedder, err := s.newEmbedder() // its files are opened and closed before the database is
	if err != nil {
		return nil, err
	}
	if a.Store, err = store.Open(ctx, store.Options{Path: s.DB, Space: s.Space, Now: s.Now, MaxPages: s.MaxPages}); err != nil {
		return nil, err
	}
	if err = a.buildApp(s, embedder); err != nil {
		a.Close() //nolint:errcheck // the first error is the one to report
		return nil, err
	}
	return a, nil
}

// newEmbedder is the model that the environment asks for.
func (s Settings) newEmbedder() (embed.Embedder, error) {
	if s.Getenv == nil {
		return embed.Off(), nil
	}
	return embed.FromEnvironment(s.Getenv)
}

func (a *App) buildApp(s Settings, embedder embed.Embedder) error {
	if err := a.buildSearchAndMemory(s, embedder); err != nil {
		return err
	}
	a.buildFileServerAndRoots(s)
	if err := a.buildRecorder(s); err != nil {
		return err
	}
	options, err := a.newServerOptions(s)
	if err != nil {
		return err
	}
	a.Server, err = tools.NewServer(options, s.Notifications)
	return err
}

func (a *App) buildSearchAndMemory(s Settings, embedder embed.Embedder) error {
	a.Search = memory.NewSearch(a.Store, embedder)
	a.Records = entities.NewVectorSearch(a.Store, embedder)
	a.Nodes = search.NewNodeSearch(a.Store, embedder)
	a.Passages = search.NewPassageSearch(a.Store, embedder)
	a.embedder = embedder
	a.Memory = memory.Deps{Store: a.Store, Search: a.Search, Folder: s.Folder}
	if s.Getenv == nil {
		return nil
	}
	return a.Memory.ConfigureFidelityAndJudges(s.Getenv)
}

// buildRecorder prepares measuring; nothing is read or written before a call.
func (a *App) buildRecorder(s Settings) error {
	config := telemetry.DefaultConfig()
	if s.Getenv != nil {
		var err error
		if config, err = telemetry.ReadConfig(s.Getenv); err != nil {
			return err
		}
		if err := a.measure.ConfigurePrometheusAndPostHog(s.Getenv); err != nil {
			return err
		}
	}
	a.Recorder = telemetry.NewRecorder(telemetry.Options{Store: a.Store, Config: config, Logger: s.Logger, Space: s.MetricsSpace})
	a.measure.Recorder = a.Recorder
	return nil
}

// TableIndexes keep the vectors of all that has some.
func (a *App) TableIndexes() []*embed.TableIndex {
	return []*embed.TableIndex{a.Search.TableIndex, a.Records.TableIndex, a.Nodes.TableIndex, a.Passages.TableIndex}
}

// newCallObserver hears of finished calls: vectors wait for what may follow, and what is measured
// is recorded.
func (a *App) newCallObserver(s Settings) func(tools.CallRecord) {
	c, keepers := a.Recorder.Config(), a.TableIndexes()
	recorded := !s.Access.ReadOnly && (c.Metrics || c.Analytics)
	return func(call tools.CallRecord) {
		for _, keeper := range keepers {
			keeper.Postpone()
		}
		if recorded {
			a.Recorder.Record(call)
		}
	}
}

// Close ends the app's work with its database.
func (a *App) Close() error {
	if a.Search != nil {
		a.Search.Close() //nolint:errcheck // it only waits
	}
	if a.Records != nil {
		a.Records.Close()
	}
	if a.Nodes != nil {
		a.Nodes.Close()
	}
	if a.Passages != nil {
		a.Passages.Close()
	}
	if a.urls != nil {
		a.urls.Close() //nolint:errcheck // nothing is lost with a listener
	}
	if a.Recorder != nil {
		a.Recorder.Close() //nolint:errcheck // what is lost is a measurement
	}
	return a.Store.Close()
}

// BuildRegistry lists every tool without a database behind it, for documentation.
func BuildRegistry() (*tools.Registry, error) {
	a := &App{}
	if err := a.buildSearchAndMemory(Settings{}, embed.Off()); err != nil {
		return nil, err
	}
	return tools.NewRegistry(a.newFamilies(Settings{})...)
}

// newFamilies are in the order in which their tools are listed: what is remembered first.
func (a *App) newFamilies(s Settings) []tools.Family {
	return []tools.Family{
		recall.New(recall.Deps{Store: a.Store, SearchProviders: a.searchProviders(), DueListers: []tools.DueLister{charts.ListDue, memory.ListDue, entities.ListDue}, Understand: a.searchByMeaning, WrapUnlistedToolCall: a.reachTool, Remember: a.Memory.Remember, Reachable: a.listReachableTools, Folder: s.Folder}),
		memory.New(a.Memory),
		forget.New(forget.Deps{Store: a.Store, Deleters: tools.JoinDeleters(graph.Deleters(), memory.Deleters(), entities.Deleters()), DrainSpool: a.drainSpool}),
		graph.New(graph.Deps{Store: a.Store, MemoryCompat: s.MemoryCompat, Nearest: a.findNearestNodes}),
		charts.New(charts.Deps{Store: a.Store, Orientation: s.Orientation, Folder: s.Folder}),
		entities.New(entities.Deps{Store: a.Store, Vectors: a.Records, Files: a.files}),
		integrations.New(integrations.Deps{Store: a.Store, Intake: entities.Intake{Vectors: a.Records}, Getenv: s.Getenv, Private: a.files.Roots.Private, HTTP: s.HTTP, Measure: a.measure}),
		pockets.New(pockets.Deps{Store: a.Store, RateLimit: s.PocketRateLimit}),
		toolset.New(toolset.Deps{Reachable: a.listReachableTools, WordsAlone: a.embedder != nil && embed.IsOff(a.embedder)}),
	}
}

// reachTool is the call by which a client makes a call of a tool.
func (a *App) reachTool(tool string, arguments map[string]any) (string, map[string]any) {
	return a.Server.Pipeline.WrapUnlistedToolCall(tool, arguments)
}

// listReachableTools returns the tools that a caller may use.
func (a *App) listReachableTools(ctx context.Context) []*tools.Definition {
	return a.Server.Pipeline.ListCallableTools(ctx)
}

// drainSpool stores what hooks heard and could not store in time.
func (a *App) drainSpool(ctx context.Context) error {
	home, _ := os.UserHomeDir() // without one every folder is a project
	c := &capture.Capture{Store: a.Store, Search: a.Search, Home: home}
	return hooks.DrainSpool(ctx, a.Store.Path(), c.StoreHookTurn)
}

// spoolTimeout bounds how long what hooks spooled may keep a server from starting.
const spoolTimeout = time.Second

// DrainSpool stores what hooks heard and could not store in time, for a server that
// starts: the hooks of the session may have met no database. A server that writes nothing,
// or serves another space than hooks store in, leaves it alone.
func (a *App) DrainSpool(ctx context.Context, s Settings) error {
	if s.Space != "" || s.Access.ReadOnly {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, spoolTimeout)
	defer cancel()
	return a.drainSpool(ctx)
}

// SearchProviders are what the families lend to the search over everything by words.
func SearchProviders() []tools.SearchProvider { return (&App{}).searchProviders() }

func (a *App) searchProviders() []tools.SearchProvider {
	return []tools.SearchProvider{memory.SearchProvider(a.Search), graph.SearchProvider(), entities.SearchProvider()}
}

func (a *App) newServerOptions(s Settings) (tools.ServerOptions, error) {
	registry, err := tools.NewRegistry(a.newFamilies(s)...)
	if err != nil {
		return tools.ServerOptions{}, err
	}
	return tools.ServerOptions{
		Registry: registry, Access: s.Access, HintsInMeta: s.HintsInMeta, TimeoutFactor: s.TimeoutFactor,
		RateLimits: s.RateLimits, Observe: a.newCallObserver(s),
		Version: Version, Logger: s.Logger, Now: s.Now,
		Sequence: func(ctx context.Context, topics []string) (int64, error) {
			return a.Store.SumSequences(ctx, convertTopics(topics)...)
		},
		Classify: tools.ToStorageError,
	}, nil
}

func convertTopics(names []string) []store.Topic {
	topics := make([]store.Topic, len(names))
	for i, n := range names {
		topics[i] = store.Topic(n)
	}
	return topics
}
