package pdf

import (
	"context"
	"errors"
	"math"
	"reflect"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/tetratelabs/wazero/api"

	"toolkit/tools/engines/document/layout"
)

// calls asks the engine about single characters. The library around the engine makes a
// stack for every call and takes its results from memory allocated for it in the sandbox:
// three million calls for a hundred pages, nine tenths of the time of reading them. Here the
// functions are looked up once and write to one place.
type calls struct {
	memory  api.Memory
	scratch uint64 // address of room for the largest result
	page    uint64 // handle of the text page

	unicode, unmapped, box, origin, angle, size, matrix api.Function
}

// scratchSize is the room for four doubles or six floats.
const scratchSize = 32

var errEngine = errors.New("the PDF engine is not of the expected build")

// newCalls prepares the calls of an instance.
func newCalls(ctx context.Context, instance pdfium.Pdfium) (*calls, error) {
	module := implementation(instance).FieldByName("Module").Interface().(api.Module)
	room, err := module.ExportedFunction("malloc").Call(ctx, scratchSize)
	if err != nil || room[0] == 0 {
		return nil, errEngine
	}
	prepared := &calls{memory: module.Memory(), scratch: room[0]}
	for name, function := range map[string]*api.Function{
		"GetUnicode": &prepared.unicode, "HasUnicodeMapError": &prepared.unmapped, "GetLooseCharBox": &prepared.box, "GetCharOrigin": &prepared.origin,
		"GetCharAngle": &prepared.angle, "GetFontSize": &prepared.size, "GetMatrix": &prepared.matrix,
	} {
		if *function = module.ExportedFunction("FPDFText_" + name); *function == nil {
			return nil, errEngine
		}
	}
	return prepared, nil
}

// turnTo makes a text page the one that is asked about.
func (prepared *calls) turnTo(instance pdfium.Pdfium, page references.FPDF_TEXTPAGE) {
	kept := implementation(instance).FieldByName("textPageRefs").MapIndex(reflect.ValueOf(page))
	prepared.page = kept.Elem().FieldByName("handle").Elem().Uint()
}

// call returns the result of a function for a character.
func (prepared *calls) call(ctx context.Context, function api.Function, index int, places ...uint64) (uint64, error) {
	var stack [4]uint64
	stack[0], stack[1] = prepared.page, uint64(index)
	copy(stack[2:], places)
	err := function.CallWithStack(ctx, stack[:])
	return stack[0], err
}

func (prepared *calls) charUnicode(ctx context.Context, index int) (rune, error) {
	answer, err := prepared.call(ctx, prepared.unicode, index)
	return rune(uint32(answer)), err
}

// charUnmapped tells that the file does not say which character a glyph stands for: what
// the engine gives is its number in the font.
func (prepared *calls) charUnmapped(ctx context.Context, index int) (bool, error) {
	answer, err := prepared.call(ctx, prepared.unmapped, index)
	return int32(answer) == 1, err
}

func (prepared *calls) charBox(ctx context.Context, index int) (box layout.Box, ok bool, err error) {
	answer, err := prepared.call(ctx, prepared.box, index, prepared.scratch)
	if err != nil || uint32(answer) == 0 {
		return box, false, err
	}
	// In the engine's order, which is another one.
	for number, side := range []*float64{&box.Left, &box.Top, &box.Right, &box.Bottom} {
		*side = prepared.float(number)
	}
	return box, true, nil
}

// charOrigin is where a character was placed.
func (prepared *calls) charOrigin(ctx context.Context, index int) (x, y float64, ok bool, err error) {
	answer, err := prepared.call(ctx, prepared.origin, index, prepared.scratch, prepared.scratch+8)
	if err != nil || uint32(answer) == 0 {
		return 0, 0, false, err
	}
	x, _ = prepared.memory.ReadFloat64Le(uint32(prepared.scratch))
	y, _ = prepared.memory.ReadFloat64Le(uint32(prepared.scratch) + 8)
	return x, y, true, nil
}

// charAngle is the direction of writing in radians.
func (prepared *calls) charAngle(ctx context.Context, index int) (float64, error) {
	answer, err := prepared.call(ctx, prepared.angle, index)
	return float64(math.Float32frombits(uint32(answer))), err
}

// charSize is the font size in page units: a file may set a font of size 1 and scale the
// text. Boxes do not tell it, their height is up to the font.
func (prepared *calls) charSize(ctx context.Context, index int) (float64, error) {
	answer, err := prepared.call(ctx, prepared.size, index)
	if err != nil {
		return 0, err
	}
	size := math.Float64frombits(answer)
	if answer, err = prepared.call(ctx, prepared.matrix, index, prepared.scratch); err != nil || uint32(answer) == 0 {
		return size, err
	}
	return size * math.Hypot(prepared.float(2), prepared.float(3)), nil
}

func (prepared *calls) float(number int) float64 {
	value, _ := prepared.memory.ReadFloat32Le(uint32(prepared.scratch) + uint32(number)*4)
	return float64(value)
}
