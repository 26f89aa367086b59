package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/klippa-app/go-pdfium"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memoryPages bounds the sandbox: 8 192 pages of 64 KiB are 512 MiB, room for the
// largest accepted file (copied into the sandbox once) and PDFium's work on it.
const memoryPages = 8192

// sandbox is an instance of the engine, for one document.
type sandbox struct {
	pdfium.Pdfium
	region []byte // the memory it runs in once it has grown; nil: the collector's
}

// newSandbox starts an instance of the engine.
func newSandbox(ctx context.Context, pool pdfium.Pool) (*sandbox, error) {
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the PDF engine: %w", err)
	}
	started := &sandbox{Pdfium: instance}
	// The runtime takes such a hook with the context in which it starts an instance, and the
	// library around the engine has no way to give it one.
	hook := reflect.ValueOf(started.module().Memory()).Elem().FieldByName("expBuffer")
	reflect.NewAt(hook.Type(), hook.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(started))
	return started, nil
}

var _ experimental.LinearMemory = (*sandbox)(nil)

// Reallocate grows the memory. The first time it moves to where it can grow to its limit
// without being copied: copies would be garbage of the collector's, more than twice the limit
// at once. Few documents need more than the engine begins with, and a region's pages cost time
// when they are first written. The runtime's own way, memory with a capacity, is cleared as a
// whole each time the collector hands it out again, and cleared memory is taken. A system that
// has no such region to give costs memory, not the document.
func (started *sandbox) Reallocate(size uint64) []byte {
	if started.region == nil {
		memory := started.module().Memory()
		written, _ := memory.Read(0, memory.Size())
		region, err := newRegion(memoryPages << 16)
		if err != nil {
			return append(written, make([]byte, size-uint64(len(written)))...)
		}
		started.region = region
		copyWritten(region, written)
	}
	return started.region[:size]
}

// Free leaves the region to Close: the runtime calls it when the engine is interrupted, and
// what was under way then may still look at its memory.
func (started *sandbox) Free() {}

// Close ends the instance; what it took goes back to the machine at once.
func (started *sandbox) Close() error {
	err := started.Pdfium.Close()
	if started.region == nil {
		return err
	}
	return errors.Join(err, endRegion(started.region))
}

// copyWritten copies what is not zero, since a zero that is written takes room as well.
func copyWritten(to, from []byte) {
	var zeros [4096]byte
	for at := 0; at < len(from); at += len(zeros) {
		if part := from[at : at+len(zeros)]; !bytes.Equal(part, zeros[:]) {
			copy(to[at:], part)
		}
	}
}

// implementation is the library's record of an instance; it keeps the module public and the
// handles of pages private.
func implementation(instance pdfium.Pdfium) reflect.Value {
	return reflect.Indirect(reflect.ValueOf(instance.(interface{ GetImplementation() any }).GetImplementation()))
}

func (started *sandbox) module() api.Module {
	return implementation(started.Pdfium).FieldByName("Module").Interface().(api.Module)
}
