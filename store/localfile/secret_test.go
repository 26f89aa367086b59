package localfile

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
)

// load is a key that lies in a file.
func load(path string) (*Key, error) {
	raw, err := LoadOrCreateKey(path)
	if err != nil {
		return nil, err
	}
	return NewKey(raw)
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
