// Package testenv is what tests find around them: files that fail the test where writing or
// reading fails, the engine and the size that the run asks for. A test that imports it has
// its temporary folders in memory, where there is enough.
package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// Write makes a file for its owner alone, with the folders that it needs.
func Write[Text string | []byte](t testing.TB, path string, text Text) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Read returns what a file holds.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
