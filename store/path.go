package store

import (
	"os"
	"path/filepath"
	"runtime"
)

// DefaultPath is where the database lives when nobody says otherwise:
// $TOOLKIT_DB, else toolkit/toolkit.db in the platform's data directory
// ($XDG_DATA_HOME or ~/.local/share, ~/Library/Application Support, %LocalAppData%).
func DefaultPath(getenv func(string) string) (string, error) {
	if path := getenv("TOOLKIT_DB"); path != "" {
		return path, nil
	}
	dir, err := dataDir(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "toolkit", "toolkit.db"), nil
}

func dataDir(getenv func(string) string) (string, error) {
	// The XDG specification wants relative values ignored.
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if runtime.GOOS == "windows" {
		if dir := getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &OpenError{Message: "no home folder is known here; pass --db FILE or set TOOLKIT_DB", Err: err}
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support"), nil
	case "windows":
		return filepath.Join(home, "AppData", "Local"), nil
	}
	return filepath.Join(home, ".local", "share"), nil
}
