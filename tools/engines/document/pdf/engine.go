package pdf

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// engine is the one compiled PDFium of the process. Compiling costs seconds of processor
// time and tens of megabytes, so it happens on first use and never twice.
var engine struct {
	sync.Once
	done chan struct{} // closed when pool and err are final
	pool pdfium.Pool
	err  error
}

// acquire returns a fresh sandbox, compiling the engine if it is the first.
// cacheFolder, when not empty, keeps the compiled code between processes; only the
// first call's folder counts. An unusable folder costs speed, not the document.
func acquire(ctx context.Context, cacheFolder string) (*sandbox, error) {
	engine.Do(func() {
		engine.done = make(chan struct{})
		// Compiling cannot be interrupted: a caller that gives up leaves it running for
		// the next one.
		go func() {
			defer close(engine.done)
			engine.pool, engine.err = compile(cacheFolder)
		}()
	})
	select {
	case <-engine.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if engine.err != nil {
		return nil, engine.err
	}
	return newSandbox(ctx, engine.pool)
}

func compile(cacheFolder string) (pdfium.Pool, error) {
	// WithCloseOnContextDone makes running WebAssembly code stop when the context of the
	// call ends; without it a pathological page could not be interrupted.
	runtime := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true)
	if cacheFolder != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(cacheFolder); err == nil {
			runtime = runtime.WithCompilationCache(cache)
		}
	}
	pool, err := webassembly.Init(webassembly.Config{
		// One document at a time: memory stays bounded, and instances are never
		// reused, so that no document can disturb the next.
		MaxTotal: 1,
		// An empty file system instead of the default, which would be the root.
		FSConfig:      wazero.NewFSConfig(),
		RuntimeConfig: runtime,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("compile the PDF engine: %w", err)
	}
	return pool, nil
}

// Warm compiles the engine, or loads it from the cache folder, ahead of its first use.
func Warm(ctx context.Context, cacheFolder string) error {
	instance, err := acquire(ctx, cacheFolder)
	if err != nil {
		return err
	}
	return instance.Close()
}
