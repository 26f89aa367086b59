package view

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"toolkit/internal/connections"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/entities"
)

// Limits of the server. The page asks for little; whoever asks for more is not
// the page.
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 10 * time.Second
	writeTimeout   = 90 * time.Second // longer than the slowest tool may take
	idleTimeout    = 2 * time.Minute
	shutdownGrace  = 3 * time.Second // for answers under way when the server stops
	maxHeaderBytes = 16 << 10
	maxConnections = 64
	maxQueryBytes  = 8 << 10
	requestTimeout = 60 * time.Second
)

// Options are what a Server shows.
type Options struct {
	Store *store.DB
	// Pipeline calls tools. Give it tools.Access{ReadOnly: true}: the view only
	// ever calls tools that read, and so nothing can make it do otherwise.
	Pipeline *tools.Pipeline
	Writer   *tools.Pipeline // calls tools that change; nil: the page only shows
	Logger   *slog.Logger    // nil: nothing is logged
	Version  string
	Files    entities.Files // how files are read
	Project  []string       // keys of the project at hand: what was said in it comes first
}

// Server serves the page. It is safe for concurrent use.
type Server struct {
	o       Options
	session *session
	routes  *http.ServeMux
	changes changes
	closing chan struct{} // closed when the server ends, so that streams do
}

// New builds a server with a fresh token.
func New(o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, session: newSession(), routes: http.NewServeMux(), closing: make(chan struct{})}
	s.routes.HandleFunc("GET /{$}", s.servePage)
	s.routes.HandleFunc("GET /assets/{file...}", serveAsset)
	answers := map[string]endpoint{
		"overview":           s.readOverview,
		"next":               s.listDueThings,
		"charts":             s.listCharts,
		"charts/beats":       s.listBeats,
		"charts/next":        s.listNextSteps,
		"graph":              s.readGraphToDraw,
		"graph/search":       s.searchGraph,
		"graph/entity":       s.readGraphEntity,
		"graph/neighbours":   s.listGraphNeighbours,
		"recall":             s.recallForQuery,
		"sessions":           s.listSessions,
		"session":            s.readSession,
		"session/insights":   s.listSessionInsights,
		"timeline":           s.readTimeline,
		"memory/insights":    s.listInsights,
		"memory/insight":     s.readInsight,
		"memory/episodes":    s.listEpisodes,
		"memory/working":     s.listWorkingItems,
		"entities":           s.findEntities,
		"entity":             s.readEntity,
		"entity/history":     s.entityHistory,
		"entity/provenance":  s.readFieldProvenance,
		"entity/at":          s.readEntityAt,
		"entity/connections": s.listEntityConnections,
		"entity/about":       s.findMentionsOfEntity,
		"entity/named":       s.listEntitiesNamed,
		"file/page":          s.readFilePage,
		"pockets":            s.listPockets,
		"pockets/day":        s.readPocketDay,
		"calls":              s.reportCalls,
	}
	if o.Writer != nil {
		answers["changes"] = s.listSessionChanges
		for path, f := range map[string]func(context.Context, *request) (any, error){
			"allow": s.allowChanges, "form": s.openForm, "change": s.submitForm, "undo": s.undoChange,
		} {
			s.routes.HandleFunc("POST /api/"+path, s.newChangeHandler(f))
		}
	}
	s.routes.HandleFunc("GET /api/live", s.streamChanges)
	for path, answer := range answers {
		s.routes.HandleFunc("GET /api/"+path, s.newJSONHandler(answer))
	}
	s.routes.HandleFunc("GET /api/", s.newJSONHandler(func(context.Context, *query) (any, error) {
		return nil, &apiError{Status: http.StatusNotFound, Message: "There is nothing at this address."}
	}))
	return s
}

// Address is what to open in a browser: it holds the token and works once.
func (s *Server) Address(l net.Listener) string {
	return "http://" + l.Addr().String() + "/?token=" + s.session.token
}

// Serve answers requests until ctx ends, then lets those under way finish. The
// listener must be on a loopback address.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsLoopback() {
		return errors.New("the view is served on loopback addresses only")
	}
	return connections.Serve(ctx, s.newHTTPServer(address), l, maxConnections, func() { close(s.closing) }, shutdownGrace)
}

// newHTTPServer gives no caller more time or room than the page needs.
func (s *Server) newHTTPServer(address *net.TCPAddr) *http.Server {
	return &http.Server{
		Handler:           s.guardRequests(address),
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:       slog.NewLogLogger(s.o.Logger.Handler(), slog.LevelDebug),
	}
}
