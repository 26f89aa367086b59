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
}

// newSandbox starts an instance of the engine.
func newSandbox(ctx context.Context) (*sandbox, error) {
	started := &sandbox{ctx: ctx, region: &region{}, functions: map[string]api.Function{}}
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return started.region })
	// The instance has no name, as several of one name cannot be; no file system and no network.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	module, err := engine.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, allocator), engine.module, config)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the PDF engine: %w", err), started.region.end())
	}
	started.module = module
	if _, err = started.call("FPDF_InitLibrary"); err == nil {
		started.scratch, err = started.allocate(scratchSize)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the PDF engine: %w", err), module.Close(ctx), started.region.end())
	}
	return started, nil
}

// Close ends the instance; what it took goes back to the machine at once.
func (started *sandbox) Close() error {
	defer func() { <-busy }()
	return errors.Join(started.module.Close(context.WithoutCancel(started.ctx)), started.region.end())
}

// call returns the result of a function of the engine as its bits: those of a number that is
// shorter are the low ones.
func (started *sandbox) call(name string, arguments ...uint64) (uint64, error) {
	function := started.functions[name]
	if function == nil {
		if function = started.module.ExportedFunction(name); function == nil {
			return 0, errEngine
		}
		started.functions[name] = function
	}
	copy(started.stack[:], arguments)
	err := function.CallWithStack(started.ctx, started.stack[:])
	return started.stack[0], err
}

// callInt is call for functions that give a whole number.
func (started *sandbox) callInt(name string, arguments ...uint64) (int, error) {
	result, err := started.call(name, arguments...)
	return int(int32(uint32(result))), err
}

// callHandle is call for functions that give a handle, and false if they give none.
func (started *sandbox) callHandle(name string, arguments ...uint64) (handle uint64, ok bool, err error) {
	result, err := started.call(name, arguments...)
	handle = uint64(uint32(result))
	return handle, err == nil && handle != 0, err
}

// callText returns the text that a function writes, as UTF-16 with a zero at its end. Its
// last two arguments are the address and the size of the room for it.
func (started *sandbox) callText(name string, arguments ...uint64) (string, error) {
	size, err := started.callInt(name, append(arguments, 0, 0)...)
	if err != nil || size <= 2 {
		return "", err
	}
	room, err := started.allocate(size)
	if err != nil {
		return "", err
	}
	defer started.free(room)
	if _, err := started.call(name, append(arguments, room, uint64(size))...); err != nil {
		return "", err
	}
	data, _ := started.module.Memory().Read(uint32(room), uint32(size-2))
	units := make([]uint16, len(data)/2)
	for index := range units {
		units[index] = binary.LittleEndian.Uint16(data[2*index:])
	}
	return string(utf16.Decode(units)), nil
}

// allocate returns the address of room in the memory of the engine.
func (started *sandbox) allocate(size int) (uint64, error) {
	address, ok, err := started.callHandle("malloc", uint64(size))
	if err == nil && !ok {
		err = errors.New("the PDF engine has no memory left")
	}
	return address, err
}

func (started *sandbox) free(address uint64) { _, _ = started.call("free", address) }

// float returns one of the floats that a function wrote to the scratch room.
func (started *sandbox) float(number int) float64 {
	value, _ := started.module.Memory().ReadFloat32Le(uint32(started.scratch) + uint32(number)*4)
	return float64(value)
}

// box returns the rectangle that a function wrote to the scratch room.
func (started *sandbox) box() layout.Box {
	return layout.Box{Left: started.float(0), Top: started.float(1), Right: started.float(2), Bottom: started.float(3)}
}

// double returns one of the doubles that a function wrote to the scratch room.
func (started *sandbox) double(number int) float64 {
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
		data, err := newRegion(memoryPages << 16)
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

func (memory *region) end() error {
	if !memory.mapped {
		return nil
	}
	return endRegion(memory.data)
}
