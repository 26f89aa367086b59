//go:build unix

package hooks

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"toolkit/store"
)

func TestNamedPipeInsteadOfLogDoesNotBlock(t *testing.T) {
	b := newBench(t)
	b.remember()
	folder := t.TempDir()
	for _, pipe := range []string{b.Database + store.HooksLog, filepath.Join(folder, ".git")} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip("no pipes here: ", err)
		}
	}
	if text := b.send(strings.Replace(start("s2", "startup"), "/srv/bakery", folder, 1)); !strings.Contains(text, "Salt last.") {
		t.Errorf("it says %q", text)
	}
}
