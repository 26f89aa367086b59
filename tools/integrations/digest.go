package integrations

import (
	"crypto/sha256"
	"encoding/binary"
)

// digestOf stands for what a source says of an item. Keys of objects are in
// order, as encoding/json writes them.
func digestOf(kind string, properties []byte) int64 {
	sum := sha256.Sum256(append([]byte(kind+"\x00"), properties...))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
