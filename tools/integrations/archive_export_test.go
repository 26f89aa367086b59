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
		Fingerprint: func() (string, error) {
			sum := sha256.Sum256(append([]byte(name+"\x00"), contents...))
			return hex.EncodeToString(sum[:]), nil
		},
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(contents)), nil },
	}
}
