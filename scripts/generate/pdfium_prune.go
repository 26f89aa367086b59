package main

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Sections of a WebAssembly module, by their numbers in it.
const (
	sectionImport  = 2
	sectionExport  = 7
	sectionStart   = 8
	sectionElement = 9
	sectionCode    = 10
)

// emptyBody is a function without locals that traps when it is called.
var emptyBody = []byte{3, 0, 0x00, 0x0b}

var errModule = errors.New("the PDF engine is a module of an unknown form")

// pruneModule empties the functions of a WebAssembly module that can only be reached through
// the exports that are not used: nothing of the rest can call them, so compiling them is
// waste. Numbers of functions stay as they are, and so does everything outside of bodies.
func pruneModule(module []byte, isUsed func(export string) bool) (pruned []byte, err error) {
	defer func() {
		if recover() != nil { // cut short: the reader below ran over the end
			pruned, err = nil, errModule
		}
	}()
	code := wasmReader{module, 8} // behind magic number and version
	var imported uint64
	var roots []uint64
	for code.at < len(module) {
		start := code.at
		kind := code.byte()
		section := wasmReader{code.bytes(code.readNumber()), 0}
		switch kind {
		case sectionImport:
			imported = section.countImportedFunctions()
		case sectionExport:
			roots = append(roots, section.listUsedExports(isUsed)...)
		case sectionStart:
			roots = append(roots, section.readNumber())
		case sectionElement:
			roots = append(roots, section.listElementFunctions()...)
		case sectionCode:
			body := emptyUnreachedFunctions(&section, imported, roots)
			pruned = slices.Grow(pruned, len(module))
			pruned = append(append(pruned, module[:start]...), sectionCode)
			pruned = append(binary.AppendUvarint(pruned, uint64(len(body))), body...)
			return append(pruned, module[code.at:]...), nil // sections of data come behind
		}
	}
	return nil, errModule
}

// emptyUnreachedFunctions returns the section of code with the bodies that cannot be reached emptied.
func emptyUnreachedFunctions(section *wasmReader, imported uint64, roots []uint64) []byte {
	bodies := make([][]byte, section.readNumber())
	for index := range bodies {
		bodies[index] = section.bytes(section.readNumber())
	}
	reached := make([]bool, len(bodies))
	for len(roots) > 0 {
		function := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if function >= imported && !reached[function-imported] {
			reached[function-imported] = true
			roots = (&wasmReader{bodies[function-imported], 0}).appendCalledFunctions(roots)
		}
	}
	code := make([]byte, 0, len(section.data))
	code = binary.AppendUvarint(code, uint64(len(bodies)))
	for index, body := range bodies {
		if !reached[index] {
			code = append(code, emptyBody...)
			continue
		}
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	return code
}

// wasmReader reads the binary form of WebAssembly. It panics at what it does not know and at
// the end; prune turns that into an error.
type wasmReader struct {
	data []byte
	at   int
}

func (r *wasmReader) byte() byte {
	r.at++
	return r.data[r.at-1]
}

func (r *wasmReader) bytes(length uint64) []byte {
	r.at += int(length)
	return r.data[r.at-int(length) : r.at]
}

// readNumber reads an unsigned number; of a signed one the bytes that it takes.
func (r *wasmReader) readNumber() (value uint64) {
	for shift := 0; ; shift += 7 {
		part := r.byte()
		value |= uint64(part&0x7f) << shift
		if part < 0x80 {
			return value
		}
	}
}

func (r *wasmReader) skip(numbers int) {
	for range numbers {
		r.readNumber()
	}
}

func (r *wasmReader) countImportedFunctions() (count uint64) {
	for range r.readNumber() {
		r.bytes(r.readNumber()) // module
		r.bytes(r.readNumber()) // name
		if r.byte() != 0 {
			panic(errModule) // memories, tables and globals have descriptions of their own
		}
		r.readNumber()
		count++
	}
	return count
}

func (r *wasmReader) listUsedExports(isUsed func(string) bool) (functions []uint64) {
	for range r.readNumber() {
		name := string(r.bytes(r.readNumber()))
		kind, index := r.byte(), r.readNumber()
		if kind == 0 && isUsed(name) {
			functions = append(functions, index)
		}
	}
	return functions
}

// listElementFunctions are the functions of the table for calls through pointers.
func (r *wasmReader) listElementFunctions() (functions []uint64) {
	for range r.readNumber() {
		if r.readNumber() != 0 || r.byte() != 0x41 { // only "at a constant place of the table: functions"
			panic(errModule)
		}
		r.readNumber()
		if r.byte() != 0x0b {
			panic(errModule)
		}
		for range r.readNumber() {
			functions = append(functions, r.readNumber())
		}
	}
	return functions
}

// appendCalledFunctions appends the functions that a body calls by their numbers.
func (r *wasmReader) appendCalledFunctions(to []uint64) []uint64 {
	for range r.readNumber() { // groups of locals: how many, of which type
		r.skip(2)
	}
	for r.at < len(r.data) {
		switch op := r.byte(); {
		case op == 0x10, op == 0xd2: // call, ref.func
			to = append(to, r.readNumber())
		case op == 0x0e: // br_table
			r.skip(int(r.readNumber()) + 1)
		case op >= 0x02 && op <= 0x04, op == 0x0c, op == 0x0d, op >= 0x20 && op <= 0x26, op >= 0x3f && op <= 0x42, op == 0xd0:
			r.skip(1) // blocks, branches, variables, sizes of memory, whole numbers
		case op == 0x11, op >= 0x28 && op <= 0x3e: // calls through the table, loads and stores
			r.skip(2)
		case op == 0x43: // numbers with a fraction
			r.bytes(4)
		case op == 0x44:
			r.bytes(8)
		case op == 0xfc:
			r.skip(countLongImmediates(r.readNumber()))
		case op > 0x05 && op != 0x0b && op != 0x0f && op != 0x1a && op != 0x1b && (op < 0x45 || op > 0xc4):
			panic(errModule)
		}
	}
	return to
}

// countLongImmediates is how many numbers follow an instruction of two parts.
func countLongImmediates(op uint64) int {
	switch {
	case op <= 7: // conversions
		return 0
	case op == 9, op == 11, op == 13: // data.drop, memory.fill, elem.drop
		return 1
	case op <= 14: // memory.init, memory.copy, table.init, table.copy
		return 2
	}
	panic(errModule)
}
