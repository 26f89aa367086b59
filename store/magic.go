package store

import (
	"bytes"
	"io"
	"os"
)

// Magic is what every SQLite database begins with.
var Magic = []byte("SQLite format 3\x00")

// IsDatabase reports whether a file is a SQLite database, ours or another's, or
// the write-ahead log of one: something that no copy may take the place of.
func IsDatabase(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	start := make([]byte, len(Magic))
	n, _ := io.ReadFull(file, start) // a short file shows by what it lacks
	start = start[:n]
	return bytes.Equal(start, Magic) || bytes.HasPrefix(start, []byte{0x37, 0x7f, 0x06, 0x82}) || bytes.HasPrefix(start, []byte{0x37, 0x7f, 0x06, 0x83})
}
