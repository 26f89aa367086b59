// Package secret keeps small secrets, such as access tokens, unreadable in the
// database: sealed with AES-GCM under a key that lies in a file of its own. A
// copy of the database alone gives nothing away.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// keySize is that of AES-256.
const keySize = 32

// ErrKey tells that a secret was not sealed with this key, or is damaged.
var ErrKey = errors.New("the secret does not open with the key")

// Key seals and opens secrets.
type Key struct{ aead cipher.AEAD }

// Load reads the key of a file. A file that is not there is made, readable by its
// owner only; of several processes that make it at once one wins, and all get
// its key.
func Load(path string) (*Key, error) {
	raw, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(path); err != nil {
			return nil, fmt.Errorf("making the key file: %w", err)
		}
		raw, err = read(path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the key file: %w", err)
	}
	return newKey(raw)
}

// read opens nothing but a key: a link of its name may lead to the database, whose
// locks are lost when it is closed.
func read(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() != keySize {
		return nil, errors.New("it is damaged")
	}
	return os.ReadFile(path)
}

func newKey(raw []byte) (*Key, error) {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Key{aead}, err
}

// create writes a fresh key beside its place and links it there whole, so that
// nobody ever reads half a key.
func create(path string) (err error) {
	raw := make([]byte, keySize)
	rand.Read(raw)                                                       //nolint:errcheck // it never fails
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it may have become the key file
	_, err = f.Write(raw)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	err = os.Link(f.Name(), path)
	switch {
	case err == nil || errors.Is(err, fs.ErrExist):
		return nil
	default: // a file system without links
		return os.Rename(f.Name(), path)
	}
}

// Seal encrypts a secret. owner must be given again to open it, so that one
// row's secret is of no use in another.
func (k *Key) Seal(plain, owner string) []byte {
	nonce := make([]byte, k.aead.NonceSize())
	rand.Read(nonce) //nolint:errcheck // it never fails
	return k.aead.Seal(nonce, nonce, []byte(plain), []byte(owner))
}

// Open decrypts what Seal made; otherwise it returns ErrKey.
func (k *Key) Open(sealed []byte, owner string) (string, error) {
	n := k.aead.NonceSize()
	if len(sealed) < n {
		return "", ErrKey
	}
	plain, err := k.aead.Open(nil, sealed[:n], sealed[n:], []byte(owner))
	if err != nil {
		return "", ErrKey
	}
	return string(plain), nil
}
