package localfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"toolkit/internal/testenv"
)

func TestTheKeyIsMadeOnceAndForItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "files.key")
	keys := make([][]byte, 16)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			key, err := LoadOrCreateKey(path)
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	wg.Wait()
	for _, key := range keys {
		if len(key) != KeySize || !bytes.Equal(key, keys[0]) {
			t.Fatalf("keys differ: %x and %x", keys[0], key)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("%d files are left, want the key alone", len(entries))
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadOrCreateKey(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestAFileThatIsNoKeyIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	short, link := filepath.Join(dir, "short"), filepath.Join(dir, "link")
	testenv.Write(t, short, "short")
	for _, path := range []string{short, link} {
		if path == link && os.Symlink(filepath.Join(dir, "elsewhere"), link) != nil {
			continue // a system without links
		}
		if _, err := LoadOrCreateKey(path); !errors.Is(err, ErrKeyFileDamaged) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}
