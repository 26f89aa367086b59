package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toolkit/internal/app"
	"toolkit/internal/server/rpc"
	"toolkit/internal/server/web"
)

func newServe(o *settings) *cobra.Command {
	s := &server{settings: o}
	cmd := newCommand("serve", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		if faults := s.checkServerSettings(); len(faults) > 0 {
			return faults[0]
		}
		return s.serve(cmd.Context())
	})
	s.addFlags(cmd.Flags())
	return cmd
}

// server are the settings of serve.
type server struct {
	*settings
	overStdio bool
	http      httpSettings
	metrics   metricsServer
}

// addFlags adds the flags of serve.
func (o *server) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.overStdio, "stdio", false, "serve on standard input and output")
	o.http.addFlags(o.settings, f)
	f.StringVar(&o.metrics.address, "metrics-addr", o.envOr("TOOLKIT_METRICS_ADDR", ""), "also serve Prometheus metrics over HTTP there, such as 127.0.0.1:9464 ($TOOLKIT_METRICS_ADDR)")
	f.BoolVar(&o.metrics.exposed, "metrics-expose", false, "let other machines read the metrics too")
	o.addServeFlags(f)
}

// parseServerFlags reads flags of serve as serve itself would, without serving. Its
// settings are those of this process, flags aside.
func (o *settings) parseServerFlags(args []string) (s *server, rest []string, err error) {
	s = &server{settings: &settings{streams: o.streams, config: o.config, flags: pflag.NewFlagSet("serve", pflag.ContinueOnError)}}
	s.flags.SetOutput(io.Discard)
	s.flags.Usage = func() {}
	s.addCommonFlags(s.flags)
	s.addFlags(s.flags)
	err = s.flags.Parse(args)
	return s, s.flags.Args(), err
}

// checkServerSettings reports everything that would keep the server from starting, but for
// what only shows when the database or a port is opened.
func (o *server) checkServerSettings() []error {
	var faults []error
	if !o.overStdio && o.http.address == "" {
		faults = append(faults, usagef("say how to serve: toolkit serve --stdio, or toolkit serve --http 127.0.0.1:8765"))
	}
	if err := o.metrics.checkAddress(o.settings); err != nil {
		faults = append(faults, err)
	}
	if o.http.address != "" {
		if _, err := o.http.checkSettingsAndResolve(o.settings); err != nil {
			faults = append(faults, err)
		}
	}
	_, wrong := o.settings.checkSettings()
	return append(faults, wrong...)
}

// serve serves on the ways asked for until one of them ends, or ctx.
func (o *server) serve(ctx context.Context) error {
	var listener net.Listener
	if o.http.address != "" {
		var err error
		if listener, err = o.http.listen(o.settings); err != nil {
			return err
		}
		defer listener.Close() //nolint:errcheck // the server closes it first
	}
	logger, err := o.newLogger(slog.LevelInfo)
	if err != nil {
		return err
	}
	// Opening the database ends before the first message is read, so that a
	// database that cannot be used is reported to the person who can mend it.
	base, err := o.appSettings(slog.LevelInfo, notifyClient)
	if err != nil {
		return err
	}
	if listener == nil { // the client started this process where it works
		base.Folder, _ = os.Getwd() // without one, what is remembered holds everywhere
	}
	a, err := app.Open(ctx, base)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // every acknowledged write is already on disk
	if err := a.DrainSpool(ctx, base); err != nil {
		logger.Debug("what hooks heard waits on", "error", err.Error())
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	go func() {
		if err := a.LoadVectorsAndPDFEngine(ctx); err != nil && ctx.Err() == nil {
			logger.Debug("the reader of PDFs was not prepared", "error", err.Error())
		}
	}()
	spaces := &openSpaces{base: a}
	o.metrics.start(ctx, spaces.listRecorders, logger)
	calls := &rpc.Scheduler{} // of all ways, for one order of effect
	var updated []func(uri string)
	var overHTTP chan error
	if listener != nil {
		options := o.http.webOptions(calls, logger)
		options.Ready = a.Store.CheckReady
		if err := o.http.setAccess(ctx, &options, a.Store, listener.Addr(), logger); err != nil {
			return err
		}
		options.OpenSpace = spaces.newOpener(base)
		s := web.New(a.Server, options)
		updated = append(updated, s.NotifyResourceUpdated)
		overHTTP = make(chan error, 1)
		scheme := "http"
		if options.TLS != nil {
			scheme = "https"
		}
		fmt.Fprintf(o.streams.Err, "toolkit serves %s://%s%s\n", scheme, listener.Addr(), web.PathMCP)
		logger.Info("serving", "transport", "http", "address", listener.Addr().String(), "database", a.Store.Name())
		go func() {
			overHTTP <- s.Serve(ctx, listener)
			end() // without it, the other way ends too
		}()
	}
	if o.overStdio {
		t := rpc.NewStdio(a.Server, calls, logger)
		updated = append(updated, func(uri string) {
			if err := t.NotifyResourceUpdated(uri); err != nil {
				logger.Debug("a resource update was not sent", "error", err.Error())
			}
		})
		go watchResources(ctx, a, updated)
		err = o.serveStdio(ctx, a, t, logger)
		end()
	} else {
		go watchResources(ctx, a, updated)
	}
	if overHTTP != nil {
		err = errors.Join(err, <-overHTTP)
	}
	return err
}

// notifyClient reaches the client of a call, by whichever way it came.
func notifyClient(ctx context.Context, method string, params map[string]any) error {
	return rpc.Notify(ctx, method, params)
}

func watchResources(ctx context.Context, a *app.App, updated []func(uri string)) {
	a.WatchResources(ctx, func(uri string) {
		for _, tell := range updated {
			tell(uri)
		}
	})
}

func (o *settings) serveStdio(ctx context.Context, a *app.App, transport *rpc.Stdio, logger *slog.Logger) error {
	if isTerminal(o.streams.In) {
		fmt.Fprintln(o.streams.Err, "toolkit is waiting for MCP messages on standard input; it is meant to be started by an assistant. Ctrl-D or Ctrl-C ends it; 'toolkit --help' explains the set-up.")
	}
	logger.Info("serving", "transport", "stdio", "database", a.Store.Name())
	err := transport.Serve(ctx, o.streams.In, o.streams.Out)
	if errors.Is(err, rpc.ErrOutputClosed) {
		logger.Info("the client closed its end")
		return nil
	}
	return err
}
