package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/stdio"
	"toolkit/internal/tracing"
)

func newServe(o *settings) *cobra.Command {
	var overStdio bool
	var metrics metricsServer
	cmd := &cobra.Command{
		Use:   "serve --stdio",
		Short: "Serve MCP to an assistant over standard input and output",
		Long: `serve speaks the Model Context Protocol over standard input and output, one
JSON-RPC message a line. An MCP client starts it as a subprocess; logs go to
standard error. It ends when its input ends or on SIGTERM, after the calls under
way have been answered; a second SIGTERM ends it at once.`,
		Example: `  toolkit serve --stdio
  toolkit serve --stdio --families charts
  toolkit serve --stdio --read-only --db ~/shared/team.db`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !overStdio {
				return usagef("say how to serve: toolkit serve --stdio")
			}
			if err := metrics.check(); err != nil {
				return err
			}
			return o.serveStdio(cmd.Context(), metrics)
		},
	}
	cmd.Flags().BoolVar(&overStdio, "stdio", false, "serve on standard input and output")
	cmd.Flags().StringVar(&metrics.address, "metrics-addr", o.env("TOOLKIT_METRICS_ADDR", ""), "also serve Prometheus metrics over HTTP there, such as 127.0.0.1:9464 ($TOOLKIT_METRICS_ADDR)")
	cmd.Flags().BoolVar(&metrics.exposed, "metrics-expose", false, "let other machines read the metrics too")
	o.serving(cmd.Flags())
	return cmd
}

func (o *settings) serveStdio(ctx context.Context, metrics metricsServer) error {
	notify := func(ctx context.Context, method string, params map[string]any) error {
		return stdio.Notify(ctx, method, params)
	}
	// Opening the database ends before the first message is read, so that a
	// database that cannot be used is reported to the person who can mend it.
	logger, err := o.logger(slog.LevelInfo)
	if err != nil {
		return err
	}
	traces, err := tracing.New(ctx, o.streams.Getenv, app.Version, logger)
	if err != nil {
		return err
	}
	defer traces.Close() //nolint:errcheck // a lost trace is logged
	o.tracing = traces.Tracing()
	a, logger, err := o.open(ctx, slog.LevelInfo, notify)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // every acknowledged write is already on disk
	if terminal(o.streams.In) {
		fmt.Fprintln(o.streams.Err, "toolkit is waiting for MCP messages on standard input; it is meant to be started by an assistant. Ctrl-D or Ctrl-C ends it; 'toolkit --help' explains the set-up.")
	}
	transport := stdio.New(a.Server.MCP, stdio.Options{Handler: a.Server, Exclusive: a.Server.Writes, Logger: logger})
	watchCtx, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	metrics.start(watchCtx, a.Recorder, logger)
	go a.Watch(watchCtx, func(uri string) {
		if err := transport.ResourceUpdated(uri); err != nil {
			logger.Debug("a resource update was not sent", "error", err.Error())
		}
	})
	logger.Info("serving", "transport", "stdio", "database", a.Store.Path())
	err = transport.Serve(ctx, o.streams.In, o.streams.Out)
	if errors.Is(err, stdio.ErrOutputClosed) {
		logger.Info("the client closed its end")
		return nil
	}
	return err
}
