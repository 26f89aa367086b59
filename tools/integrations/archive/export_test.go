package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// NewDocument is a document in memory.
func NewDocument(name string, contents []byte) Document {
	return Document{
		Name: name, Shown: name, Size: int64(len(contents)),
		fingerprint: func() (string, error) {
			sum := sha256.Sum256(append([]byte(name+"\x00"), contents...))
			return hex.EncodeToString(sum[:]), nil
		},
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(contents)), nil },
	}
}
