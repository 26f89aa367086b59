package testfile

import (
	"os"
	"path/filepath"
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
