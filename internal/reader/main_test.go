package reader

import (
	"context"
	"fmt"
	"os"
	"testing"

	"toolkit/internal/testfile"
)

// The tests of all packages share the compiled engine.
func TestMain(m *testing.M) {
	if err := Warm(context.Background(), testfile.EngineCache()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
