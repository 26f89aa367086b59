package pdf

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// memoryPages bounds the sandbox: 8 192 pages of 64 KiB are 512 MiB, room for the
// largest accepted file (copied into the sandbox once) and PDFium's work on it.
const memoryPages = 8192

// muchMemory is what a sandbox may have grown to without being given back at once.
const muchMemory = 64 << 20

// engine is the one compiled PDFium of the process. Compiling costs seconds of processor
// time and tens of megabytes, so it happens on first use and never twice.
var engine struct {
	sync.Once
	done chan struct{} // closed when pool and err are final
	pool pdfium.Pool
	err  error
}

// acquire returns a fresh PDFium instance, compiling the engine if it is the first.
// cacheFolder, when not empty, keeps the compiled code between processes; only the
// first call's folder counts. An unusable folder costs speed, not the document.
func acquire(ctx context.Context, cacheFolder string) (pdfium.Pdfium, error) {
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
	instance, err := engine.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	return instance, nil
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

// sparing makes the collector run early while a document is read, and returns what undoes
// it: each time the sandbox grows its memory is copied, and what was copied from would stay
// until the process has doubled.
func sparing() (undo func()) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, int64(now.Sys-now.HeapReleased)+memoryPages<<16))
	return func() { debug.SetMemoryLimit(before) }
}

// release ends an instance. What a big document took goes back to the machine now: an idle
// process would keep it for minutes.
func release(instance pdfium.Pdfium) {
	grown := memoryOf(instance) > muchMemory
	_ = instance.Close()
	if grown {
		debug.FreeOSMemory()
	}
}

// Warm compiles the engine, or loads it from the cache folder, ahead of its first use.
func Warm(ctx context.Context, cacheFolder string) error {
	instance, err := acquire(ctx, cacheFolder)
	if err != nil {
		return err
	}
	return instance.Close()
}
