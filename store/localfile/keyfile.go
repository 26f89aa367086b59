package localfile

// A random key is kept in a file of its own beside the database, made when it is first
// needed. Small secrets, such as access tokens, stand in the database sealed with AES-GCM
// under such a key, so that a copy of the database alone gives nothing away.

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// KeySize is the length of every key in bytes: that of AES-256, and of SHA-256.
const KeySize = 32

// ErrKeyFileDamaged tells that the file holds no key, or is a link.
var ErrKeyFileDamaged = errors.New("the key file is damaged")

// LoadOrCreateKey reads the key of a file. A file that is not there is made, readable by its
// owner only; of several processes that make it at once one wins, and all get
// its key.
func LoadOrCreateKey(path string) ([]byte, error) {
	key, err := ReadKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := createKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("making the key file: %w", err)
	}
	return ReadKey(path)
}

// ReadKey reads the key of a file that is there. It opens nothing but a key: a link of its
// name may lead to the database, whose locks are lost when it is closed.
func ReadKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("finding the key file: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() != KeySize {
		return nil, ErrKeyFileDamaged
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, fmt.Errorf("protecting the key file: %w", err)
		}
	}
	key, err := os.ReadFile(path)
	if err == nil && len(key) != KeySize { // it changed meanwhile
		err = ErrKeyFileDamaged
	}
	return key, err
}

// createKey writes a complete key under a temporary name and links it to its place,
// which fails when a key is there by then: nobody ever reads half a key.
func createKey(path string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // a leftover name harms nobody
	key := make([]byte, KeySize)
	rand.Read(key) //nolint:errcheck // it never fails
	_, err = temporary.Write(key)
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	err = os.Link(temporary.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// The file system has no links. The name is claimed first, so that only one
	// process puts a key there.
	return WriteNew(path, bytes.NewReader(key))
}

// ErrKey tells that a secret was not sealed with this key, or is damaged.
var ErrKey = errors.New("the secret does not open with the key")

// Key seals and opens secrets.
type Key struct{ aead cipher.AEAD }

// NewKey makes a key of the bytes of a key file.
func NewKey(raw []byte) (*Key, error) {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Key{aead}, err
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
