//go:build unix

package localfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesAndDevicesAreRefusedWithoutWaiting(t *testing.T) {
	home := t.TempDir()
	pipe := filepath.Join(home, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	r := Roots{Folders: []string{home, "/dev"}}
	expect(t, r, pipe, ErrNotRegular)
	expect(t, r, "/dev/null", ErrNotRegular)
	expect(t, r, link(t, "/dev/zero", filepath.Join(home, "zeros")), ErrNotRegular)
	// A pipe behind the check opens without a writer, and is refused then.
	f, err := os.OpenFile(pipe, os.O_RDONLY|openFlags, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestAFileThatMayNotBeReadIsSaidToBe(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	home := t.TempDir()
	path := write(t, filepath.Join(home, "closed.txt"), "x")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	expect(t, Roots{Folders: []string{home}}, path, ErrUnreadable)
}
