package secret

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"toolkit/internal/testfile"
	"toolkit/store/keyfile"
)

// load is a key that lies in a file.
func load(path string) (*Key, error) {
	raw, err := keyfile.Load(path)
	if err != nil {
		return nil, err
	}
	return New(raw)
}

func TestASecretOpensWithItsKeyAndOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.key")
	key, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	sealed := key.Seal("access-token", "item-1")
	if bytes.Contains(sealed, []byte("access-token")) {
		t.Error("the secret is readable")
	}
	again, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := again.Open(sealed, "item-1"); err != nil || plain != "access-token" {
		t.Errorf("it opens as %q, %v", plain, err)
	}
	other, err := load(filepath.Join(t.TempDir(), "b.key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (string, error){
		"another owner": func() (string, error) { return key.Open(sealed, "item-2") },
		"another key":   func() (string, error) { return other.Open(sealed, "item-1") },
		"a cut secret":  func() (string, error) { return key.Open(sealed[:5], "item-1") },
		"a changed one": func() (string, error) { return key.Open(append(bytes.Clone(sealed), 0), "item-1") },
	} {
		if _, err := open(); !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v, want ErrKey", name, err)
		}
	}
}

func TestTheKeyFileIsMadeOnceAndPrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.key")
	keys := make([]*Key, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = load(path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sealed := keys[0].Seal("x", "")
	for _, k := range keys {
		if _, err := k.Open(sealed, ""); err != nil {
			t.Fatal("two processes got different keys")
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left, want the key alone", len(entries))
	}
}

func TestADamagedKeyFileIsReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.key")
	testfile.Write(t, path, "short")
	if _, err := load(path); err == nil {
		t.Error("a damaged key was taken")
	}
}
