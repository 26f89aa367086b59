package pdf

import (
	"context"
	_ "embed"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// pdfiumWasm is PDFium with the functions that this package calls, by their names in its
// source, and what these need. scripts/generate makes it; docs/third-party.md has its licences.
//
//go:embed pdfium.wasm
var pdfiumWasm []byte

// maxWorkers bounds the compilation: each worker takes memory of its own.
const maxWorkers = 4

// engine is the one compiled PDFium of the process. Compiling costs seconds of processor
// time and tens of megabytes, so it happens on first use and never twice.
var engine struct {
	sync.Once
	done    chan struct{} // closed when the rest is final
	runtime wazero.Runtime
	module  wazero.CompiledModule
	err     error
}

// busy holds the document that is read: one at a time, so that memory stays bounded.
var busy = make(chan struct{}, 1)

// compileAndAcquireSandbox returns a fresh sandbox, compiling the engine if it is the first.
// cacheFolder, when not empty, keeps the compiled code between processes; only the
// first call's folder counts. An unusable folder costs speed, not the document.
func compileAndAcquireSandbox(ctx context.Context, cacheFolder string) (*sandbox, error) {
	engine.Do(func() {
		engine.done = make(chan struct{})
		// Compiling cannot be interrupted: a caller that gives up leaves it running for
		// the next one.
		go func() {
			defer close(engine.done)
			engine.err = compileEngine(cacheFolder)
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
	select {
	case busy <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	started, err := newSandbox(ctx)
	if err == nil {
		return started, nil
	}
	<-busy
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, err
}

func compileEngine(cacheFolder string) error {
	cache := wazero.NewCompilationCache()
	if cacheFolder != "" {
		if kept, err := wazero.NewCompilationCacheWithDir(cacheFolder); err == nil {
			cache = kept
		}
	}
	// WithCloseOnContextDone makes running WebAssembly code stop when the context of the
	// call ends; without it a pathological page could not be interrupted.
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true).WithCompilationCache(cache)
	ctx := experimental.WithCompilationWorkers(context.Background(), min(runtime.GOMAXPROCS(0), maxWorkers))
	engine.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	var err error
	if engine.module, err = engine.runtime.CompileModule(ctx, pdfiumWasm); err != nil {
		return fmt.Errorf("compile the PDF engine: %w", err)
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, engine.runtime); err != nil {
		return fmt.Errorf("prepare the PDF engine: %w", err)
	}
	if err := instantiateHost(ctx, engine.runtime, engine.module); err != nil {
		return fmt.Errorf("prepare the PDF engine: %w", err)
	}
	return nil
}

// instantiateHost gives the module what it imports: the functions of its compiler, and those
// by which it tells a window what happens. There is no window, so these do nothing.
func instantiateHost(ctx context.Context, runtime wazero.Runtime, module wazero.CompiledModule) error {
	const host = "env"
	builder := runtime.NewHostModuleBuilder(host)
	for _, function := range module.ImportedFunctions() {
		from, name, _ := function.Import()
		if from != host {
			continue
		}
		results := function.ResultTypes()
		nothing := api.GoFunc(func(_ context.Context, stack []uint64) { clear(stack[:len(results)]) })
		builder.NewFunctionBuilder().WithGoFunction(nothing, function.ParamTypes(), results).Export(name)
	}
	exporter, err := emscripten.NewFunctionExporterForModule(module)
	if err != nil {
		return err
	}
	exporter.ExportFunctions(builder) // in place of those that do nothing
	_, err = builder.Instantiate(ctx)
	return err
}

// Warm compiles the engine, or loads it from the cache folder, ahead of its first use.
func Warm(ctx context.Context, cacheFolder string) error {
	instance, err := compileAndAcquireSandbox(ctx, cacheFolder)
	if err != nil {
		return err
	}
	return instance.Close()
}
