// Package pdf turns the bytes of a PDF into positioned text.
//
// Reading is done by PDFium, the engine of Chrome, compiled to WebAssembly and run
// inside the process by wazero: no C toolchain, the same code on every platform, and a
// hostile file can at worst exhaust the memory its sandbox was given. The engine sees
// no files and no network; each document gets a fresh instance, which a cancelled
// context stops in mid-flight.
//
// Nothing happens at start-up. The first document compiles the engine (a second or
// two); with a compilation cache folder later processes start in a fraction of that.
package pdf
