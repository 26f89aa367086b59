package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// handleSignals returns a context that the first SIGTERM or SIGINT cancels, so that a server finishes what is under
// way. A second one ends the process at once. SIGPIPE no longer ends the process: a write to a closed output fails
// instead, and the program can close its database.
//
// The function stop ends the handling of both and cancels the context.
func handleSignals(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(parent, syscall.SIGTERM, os.Interrupt)
	context.AfterFunc(ctx, cancel) // the second signal does what it does by default
	// Asked for and never read. Ignoring it instead would be inherited by the programs that this one starts.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return ctx, cancel
}
