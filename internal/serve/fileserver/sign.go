package fileserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// keySize is the length of the key in bytes, that of the hash.
const keySize = sha256.Size

// signature signs the right to use a method on a path until a moment, in unix
// seconds. A line break cannot be part of a method or of an escaped path.
func signature(key []byte, method, path string, expires int64) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(method + "\n" + path + "\n" + strconv.FormatInt(expires, 10)))
	return mac.Sum(nil)
}

// signed reports, in constant time, whether text is the signature in hexadecimal.
func signed(key []byte, method, path string, expires int64, text string) bool {
	given, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(given, signature(key, method, path, expires))
}

// loadKey reads the key file, or creates it. Of two processes that create it at
// once, one wins and both read the same key.
func loadKey(path string) ([]byte, error) {
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := createKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("creating the key: %w", err)
	}
	return readKey(path)
}

func readKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("finding the key: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() != keySize {
		return nil, errors.New("the key file is no key; remove it, and a new one is made")
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, fmt.Errorf("protecting the key: %w", err)
		}
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the key: %w", err)
	}
	if len(key) != keySize {
		return nil, errors.New("the key file changed while it was read; try again")
	}
	return key, nil
}

// createKey writes a complete key under a temporary name and links it to its
// place, which fails when a key is there by then.
func createKey(path string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // a leftover name harms nobody
	key := make([]byte, keySize)
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
	claim, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = claim.Write(key)
	return errors.Join(err, claim.Sync(), claim.Close())
}
