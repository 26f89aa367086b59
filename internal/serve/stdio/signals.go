package stdio

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Signals returns a context that the first SIGTERM or SIGINT cancels, so that [Transport.Serve] finishes what is under
// way. A second one ends the process at once, with exit code 1. SIGPIPE no longer ends the process: a write to a closed
// output fails instead, and the program can close its database.
//
// The function stop ends all this and cancels the context.
func Signals(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	return signals(parent, os.Exit)
}

func signals(parent context.Context, exit func(code int)) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	received := make(chan os.Signal, 2)
	signal.Notify(received, syscall.SIGTERM, os.Interrupt)
	// Asked for and never read. Ignoring it instead would be inherited by the programs that this one starts.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)

	var once sync.Once
	stopped := make(chan struct{})
	go func() {
		select {
		case <-received:
			cancel()
		case <-stopped:
			return
		}
		select {
		case <-received:
			exit(1)
		case <-stopped:
		}
	}()
	return ctx, func() {
		cancel()
		signal.Stop(received)
		signal.Stop(pipe)
		once.Do(func() { close(stopped) })
	}
}
