package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"toolkit/internal/reader/layout"
)

// memoryPages bounds the sandbox: 8 192 pages of 64 KiB are 512 MiB, room for the
// largest accepted file (copied into the sandbox once) and PDFium's work on it.
const memoryPages = 8192

// scratchSize is the room for the largest result of a function: four doubles or six floats.
const scratchSize = 32

var errEngine = errors.New("the PDF engine is not of the expected build")

// sandbox is an instance of the engine, for one document. It runs under the context of the
// reading, and stops wherever it is when that ends.
type sandbox struct {
	ctx       context.Context
	module    api.Module
	region    *region
	functions map[string]api.Function // that were called before
	stack     [8]uint64
	scratch   uint64 // address of room for results
	err       error  // of the first call that failed; those behind it are not made
}

// newSandbox starts an instance of the engine.
func newSandbox(ctx context.Context) (*sandbox, error) {
	started := &sandbox{ctx: ctx, region: &region{}, functions: map[string]api.Function{}}
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return started.region })
	// The instance has no name, as several of one name cannot be; no file system and no network.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	module, err := engine.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, allocator), engine.module, config)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the PDF engine: %w", err), started.region.unmapMemory())
	}
	started.module = module
	started.call("FPDF_InitLibrary")
	started.scratch = started.allocate(scratchSize)
	if err := started.takeError(); err != nil {
		return nil, errors.Join(fmt.Errorf("start the PDF engine: %w", err), module.Close(ctx), started.region.unmapMemory())
	}
	return started, nil
}

// Close ends the instance; what it took goes back to the machine at once.
func (started *sandbox) Close() error {
	defer func() { <-busy }()
	return errors.Join(started.module.Close(context.WithoutCancel(started.ctx)), started.region.unmapMemory())
}

// call returns the result of a function of the engine as its bits: those of a number that is
// shorter are the low ones. Once a call has failed it gives 0 and calls nothing, until failure
// is asked.
func (started *sandbox) call(name string, arguments ...uint64) uint64 {
	if started.err != nil {
		return 0
	}
	function := started.functions[name]
	if function == nil {
		if function = started.module.ExportedFunction(name); function == nil {
			started.err = errEngine
			return 0
		}
		started.functions[name] = function
	}
	copy(started.stack[:], arguments)
	if started.err = function.CallWithStack(started.ctx, started.stack[:]); started.err != nil {
		return 0
	}
	return started.stack[0]
}

// takeError returns why the calls since it was last asked failed, nil when they did not.
func (started *sandbox) takeError() error {
	err := started.err
	started.err = nil
	return err
}

// callInt is call for functions that give a whole number.
func (started *sandbox) callInt(name string, arguments ...uint64) int {
	return int(int32(uint32(started.call(name, arguments...))))
}

// callHandle is call for functions that give a handle, 0 for none.
func (started *sandbox) callHandle(name string, arguments ...uint64) uint64 {
	return uint64(uint32(started.call(name, arguments...)))
}

// callText returns the text that a function writes, as UTF-16 with a zero at its end. Its
// last two arguments are the address and the size of the room for it.
func (started *sandbox) callText(name string, arguments ...uint64) string {
	size := started.callInt(name, append(arguments, 0, 0)...)
	if size <= 2 {
		return ""
	}
	room := started.allocate(size)
	defer started.free(room)
	if started.call(name, append(arguments, room, uint64(size))...); started.err != nil {
		return ""
	}
	data, _ := started.module.Memory().Read(uint32(room), uint32(size-2))
	units := make([]uint16, len(data)/2)
	for index := range units {
		units[index] = binary.LittleEndian.Uint16(data[2*index:])
	}
	return string(utf16.Decode(units))
}

// allocate returns the address of room in the memory of the engine.
func (started *sandbox) allocate(size int) uint64 {
	address := started.callHandle("malloc", uint64(size))
	if address == 0 && started.err == nil {
		started.err = errors.New("the PDF engine has no memory left")
	}
	return address
}

func (started *sandbox) free(address uint64) { started.call("free", address) }

// readScratchFloat returns one of the floats that a function wrote to the scratch room.
func (started *sandbox) readScratchFloat(number int) float64 {
	value, _ := started.module.Memory().ReadFloat32Le(uint32(started.scratch) + uint32(number)*4)
	return float64(value)
}

// readScratchBox returns the rectangle that a function wrote to the scratch room.
func (started *sandbox) readScratchBox() layout.Box {
	return layout.Box{Left: started.readScratchFloat(0), Top: started.readScratchFloat(1), Right: started.readScratchFloat(2), Bottom: started.readScratchFloat(3)}
}

// readScratchDouble returns one of the doubles that a function wrote to the scratch room.
func (started *sandbox) readScratchDouble(number int) float64 {
	value, _ := started.module.Memory().ReadFloat64Le(uint32(started.scratch) + uint32(number)*8)
	return value
}

// region is the memory of an instance, outside the Go heap: it grows to its limit where it
// is, and goes back to the system when the document was read. In the heap every step would
// be a copy and garbage of the collector's, more than twice the limit at once.
type region struct {
	data   []byte
	mapped bool // and not of the heap
}

var _ experimental.LinearMemory = (*region)(nil)

// Reallocate grows the memory. A system that has no such region to give costs memory, not the
// document.
func (memory *region) Reallocate(size uint64) []byte {
	if memory.data == nil {
		data, err := allocateRegion(memoryPages << 16)
		memory.data, memory.mapped = data, err == nil
	}
	if !memory.mapped {
		memory.data = append(memory.data, make([]byte, size-uint64(len(memory.data)))...)
	}
	return memory.data[:size]
}

// Free leaves the memory to the end of the sandbox: the runtime calls it when the engine is
// interrupted, and what was under way then may still look at its memory.
func (memory *region) Free() {}

func (memory *region) unmapMemory() error {
	if !memory.mapped {
		return nil
	}
	return releaseRegion(memory.data)
}
