package redact

import (
	"strings"
	"testing"
)

// A turn as people write it, with words that start many rules.
func BenchmarkText(b *testing.B) {
	turn := strings.Repeat("Set the API token in the config file, then run the tests of the access layer again.\n", 8)
	b.SetBytes(int64(len(turn)))
	for b.Loop() {
		Text(turn)
	}
}
