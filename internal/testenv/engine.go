package testenv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// EngineCache is the folder that keeps the compiled PDF engine for the tests of all packages,
// which take seconds each to compile it; empty where the user has no folder for caches.
func EngineCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "toolkit", "pdfium")
}

// RunWithEngine runs the tests of a package after warm has compiled the PDF engine into the
// folder that all packages share.
func RunWithEngine(m *testing.M, warm func(ctx context.Context, folder string) error) {
	if err := warm(context.Background(), EngineCache()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
