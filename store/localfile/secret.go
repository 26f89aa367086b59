package localfile

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
)

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
