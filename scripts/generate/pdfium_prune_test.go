package main

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// smallHead begins a module of five functions of its own: 0 is imported, 1 is exported as "a" and calls 2, 3 is in
// the table, 4 is exported as "b" and calls 5, which nothing else calls.
var smallHead = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" + // one type: no arguments, no results
	"\x02\x07\x01\x01m\x01f\x00\x00" +
	"\x03\x06\x05\x00\x00\x00\x00\x00" +
	"\x04\x04\x01\x70\x00\x02" +
	"\x07\x09\x02\x01a\x00\x01\x01b\x00\x04" +
	"\x09\x07\x01\x00\x41\x01\x0b\x01\x03")

var smallBodies = []string{
	"\x01\x01\x7f\x41\xe4\x00\x1a\x10\x02\x0b", // a local; 100, which is no call; call 2
	"\x00\x0b",
	"\x00\x41\x10\x1a\x0b", // 16, which is no call either
	"\x00\x10\x05\x0b",
	"\x00\x01\x0b",
}

const behindCode = "\x0b\x01\x00" // a section behind the code

// smallModule is the module with its code.
func smallModule() []byte {
	code := []byte{byte(len(smallBodies))}
	for _, body := range smallBodies {
		code = append(append(code, byte(len(body))), body...)
	}
	module := append(bytes.Clone(smallHead), sectionCode, byte(len(code)))
	return append(append(module, code...), behindCode...)
}

func TestPruneEmptiesWhatOnlyUnusedEntriesReach(t *testing.T) {
	for name, test := range map[string]struct {
		unused []string
		empty  []int // functions of the module itself
	}{
		"nothing is unused":                          {nil, nil},
		"an entry takes the function it calls along": {[]string{"b"}, []int{4, 5}},
		"what the table holds stays":                 {[]string{"a", "b"}, []int{1, 2, 4, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			pruned, err := pruneModule(smallModule(), func(export string) bool { return !slices.Contains(test.unused, export) })
			if err != nil {
				t.Fatal(err)
			}
			want := bytes.Clone(smallHead)
			var code []byte
			for i, body := range smallBodies {
				if slices.Contains(test.empty, i+1) {
					body = "\x00\x00\x0b"
				}
				code = append(append(code, byte(len(body))), body...)
			}
			want = append(append(want, sectionCode, byte(len(code)+1), byte(len(smallBodies))), code...)
			if want = append(want, behindCode...); !bytes.Equal(pruned, want) {
				t.Errorf("%x, not %x", pruned, want)
			}
		})
	}
}

func TestPruneRefusesWhatItDoesNotKnow(t *testing.T) {
	for name, module := range map[string][]byte{
		"a module without code":              smallHead,
		"a module that is cut short":         smallModule()[:len(smallModule())-9],
		"an instruction of a later standard": bytes.Replace(smallModule(), []byte("\x41\xe4"), []byte("\xfd\xe4"), 1),
		"an import that is no function":      bytes.Replace(smallModule(), []byte("\x01f\x00"), []byte("\x01f\x02"), 1),
	} {
		if _, err := pruneModule(module, func(string) bool { return true }); !errors.Is(err, errModule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
