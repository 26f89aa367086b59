package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/view"
)

func newView(o *settings) *cobra.Command {
	var show, write bool
	var port int
	cmd := newCommand("view", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		return o.view(cmd.Context(), port, show, write)
	})
	cmd.Flags().BoolVar(&show, "open", false, "open the page in the default browser")
	cmd.Flags().BoolVar(&write, "write", false, "let the page correct, complete and forget things, once you allow it there")
	addWholeNumber(cmd.Flags(), &port, "port", 0, 65535, "port to serve on (default: a free one)")
	return cmd
}

func (o *settings) view(ctx context.Context, port int, show, write bool) error {
	o.access.ReadOnly = o.access.ReadOnly || !write
	logger, err := o.newLogger(slog.LevelError)
	if err != nil {
		return err
	}
	return o.withExistingDatabase(ctx, func(a *app.App) error { return o.serveView(ctx, a, port, show, logger) })
}

func (o *settings) serveView(ctx context.Context, a *app.App, port int, show bool, logger *slog.Logger) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("the view cannot be served: %w; choose another port with --port, or leave it out", err)
	}
	options, err := a.ViewOptions()
	if err != nil {
		return err
	}
	options.Logger = logger
	if at, ok := currentProject(); ok {
		options.Project = at.Keys()
	}
	server := view.New(options)
	address := server.Address(listener)
	fmt.Fprintf(o.streams.Err, "toolkit view: open %s\nThe address works once. Ctrl-C ends the view.\n", address)
	if show {
		if err := openBrowser(ctx, address); err != nil {
			fmt.Fprintf(o.streams.Err, "toolkit view: the browser could not be opened (%v); open the address yourself\n", err)
		}
	}
	return server.Serve(ctx, listener)
}

// openBrowser asks the desktop to show an address.
func openBrowser(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() //nolint:errcheck // the browser goes its own way
	return nil
}
