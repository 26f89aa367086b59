package integrations

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// NewArchiveDocument is a document in memory.
func NewArchiveDocument(name string, contents []byte) ArchiveDocument {
	return ArchiveDocument{
		Name: name, Shown: name, Size: int64(len(contents)),
		fingerprint: func() (string, error) {
			sum := sha256.Sum256(append([]byte(name+"\x00"), contents...))
			return hex.EncodeToString(sum[:]), nil
		},
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(contents)), nil },
	}
}
