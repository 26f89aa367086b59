package pdf

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfiumWasm is the module of the library around the engine, which hands it to nobody.
//
//go:linkname pdfiumWasm github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumWasm []byte

// maxWorkers bounds the compilation: each worker takes memory of its own.
const maxWorkers = 4

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
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true)
	module, err := prune(pdfiumWasm, unused)
	if err != nil {
		module = pdfiumWasm // of another form than was known: it takes longer, and does the same
	}
	config = config.WithCompilationCache(compiledIn(cacheFolder, config, module))
	pool, err := webassembly.Init(webassembly.Config{
		WASM: module,
		// One document at a time: memory stays bounded, and instances are never
		// reused, so that no document can disturb the next.
		MaxTotal: 1,
		// An empty file system instead of the default, which would be the root.
		FSConfig:      wazero.NewFSConfig(),
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("compile the PDF engine: %w", err)
	}
	return pool, nil
}

// compiledIn returns the compiled code that a folder keeps. What is not there yet is compiled by
// as many workers as there are processors: the library around the engine knows of one alone, and
// finds the work done. A folder that cannot be used costs speed in the next process.
func compiledIn(folder string, config wazero.RuntimeConfig, module []byte) wazero.CompilationCache {
	cache := wazero.NewCompilationCache()
	if folder != "" {
		if kept, err := wazero.NewCompilationCacheWithDir(folder); err == nil {
			cache = kept
		}
		if found, err := filepath.Glob(filepath.Join(folder, "wazero-*", "*")); err == nil && len(found) > 0 {
			return cache
		}
	}
	ctx := experimental.WithCompilationWorkers(context.Background(), min(runtime.GOMAXPROCS(0), maxWorkers))
	// An error shows again, and is told, where the library asks for the same.
	_, _ = wazero.NewRuntimeWithConfig(ctx, config.WithCompilationCache(cache)).CompileModule(ctx, module)
	return cache
}

// Warm compiles the engine, or loads it from the cache folder, ahead of its first use.
func Warm(ctx context.Context, cacheFolder string) error {
	instance, err := acquire(ctx, cacheFolder)
	if err != nil {
		return err
	}
	return instance.Close()
}
