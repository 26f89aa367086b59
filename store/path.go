package store

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"toolkit/store/localfile"
)

// ImportsFolder is where users put archives of other services, beside the
// database; what lies there is theirs.
const ImportsFolder = "imports"

// Names of the keys beside a database.
const (
	FilesKey = "files.key" // signs addresses of stored files
	BankKey  = "plaid.key" // opens the access tokens of banks
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

// PrivateFiles is what nobody may have opened or replaced by a path that he names:
// the database in use and that of $TOOLKIT_DB, with their logs, keys, stored files
// and spaces, and the data folder that toolkit has by default on any platform.
func PrivateFiles(database string, getenv func(string) string) localfile.Private {
	p := localfile.Private{Except: ImportsFolder}
	for _, path := range []string{database, getenv("TOOLKIT_DB")} {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			p.Files = append(p.Files, listDatabaseFiles(abs)...)
			p.Folders = append(p.Folders, FilesFolder(abs), abs+SpoolFolder, filepath.Join(filepath.Dir(abs), spacesFolder))
		}
	}
	home, _ := os.UserHomeDir() // without one the folders below it are no absolute paths
	for _, data := range []string{
		getenv("XDG_DATA_HOME"), getenv("LocalAppData"), filepath.Join(home, ".local", "share"),
		filepath.Join(home, "Library", "Application Support"), filepath.Join(home, "AppData", "Local"),
	} {
		if folder := filepath.Join(data, "toolkit"); filepath.IsAbs(folder) && !slices.Contains(p.Folders, folder) {
			p.Folders = append(p.Folders, folder)
		}
	}
	return p
}

// HooksLog ends the name of the log beside a database in which hooks write what
// the database cannot hold at that moment.
const HooksLog = "-hooks.log"

// SpoolFolder ends the name of the folder beside a database in which waits what
// hooks heard and could not store in time.
const SpoolFolder = "-heard"

// listDatabaseFiles are a database, what SQLite and hooks keep beside it, and the keys. SQLite
// goes by the name behind all links.
func listDatabaseFiles(database string) []string {
	var files []string
	for _, name := range slices.Compact([]string{database, localfile.ResolveLinks(database)}) {
		for _, ending := range []string{"", "-wal", "-shm", "-journal", HooksLog} {
			files = append(files, name+ending)
		}
	}
	for _, key := range []string{FilesKey, BankKey} {
		files = append(files, filepath.Join(filepath.Dir(database), key))
	}
	return files
}
