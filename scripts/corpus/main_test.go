package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsPackedIsUnpackedAlike(t *testing.T) {
	from, to, name := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "corpus.tar.gz")
	write(t, filepath.Join(from, "tools", "FuzzValidate", "a1"), "go test fuzz v1\nstring(\"x\")\n")
	write(t, filepath.Join(from, "store", "FuzzSamples", "b2"), "go test fuzz v1\nint(3)\n")
	write(t, filepath.Join(from, "store", "FuzzSamples", "large"), strings.Repeat("x", largest+1))
	if n, err := pack(from, name); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := unpack(name, to); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := pack(to, name); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	again, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the archive changed with the machine it was made on: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(to, "store", "FuzzSamples", "b2"))
	if err != nil || string(text) != "go test fuzz v1\nint(3)\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// The archive names targets that there are.
func TestTheArchiveIsOfThisModule(t *testing.T) {
	to := t.TempDir()
	n, err := unpack(filepath.Join("..", "..", archive), to)
	if err != nil || n < 1000 {
		t.Fatal(n, err)
	}
	targets, err := filepath.Glob(filepath.Join(to, "tools", "Fuzz*"))
	if err != nil || len(targets) == 0 {
		t.Fatal(targets, err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
