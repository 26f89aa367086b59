package store

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

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

// HooksLock ends the name of the file beside a database that the one process behind hooks
// holds which reads and embeds for it; others wait.
const HooksLock = "-hooks.lock"

// SpoolFolder ends the name of the folder beside a database in which waits what
// hooks heard and could not store in time.
const SpoolFolder = "-heard"

// listDatabaseFiles returns a database, what SQLite and hooks keep beside it, and the keys. SQLite
// goes by the name behind all links.
func listDatabaseFiles(database string) []string {
	var files []string
	for _, name := range slices.Compact([]string{database, localfile.ResolveLinks(database)}) {
		for _, ending := range []string{"", "-wal", "-shm", "-journal", HooksLog, HooksLock} {
			files = append(files, name+ending)
		}
	}
	for _, key := range []string{FilesKey, BankKey} {
		files = append(files, filepath.Join(filepath.Dir(database), key))
	}
	return files
}

// spacesFolder holds the files of spaces, beside the database.
const spacesFolder = "spaces"

var spaceNames = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// checkSpaceName refuses names that are no names of spaces, which end up in paths and in
// names of schemas. Empty is the database itself.
func checkSpaceName(name string) error {
	if name == "" || spaceNames.MatchString(name) {
		return nil
	}
	return &OpenError{Message: fmt.Sprintf("%q is no name of a space: it begins with a letter from a to z and goes on with such letters, digits and _, 40 at most", name)}
}

// SpacePath is the path of a space of the database at a path: a file, or the address of
// the database with the space behind a #.
func SpacePath(path, space string) string {
	if space == "" {
		return path
	}
	if IsPostgres(path) {
		plain, _ := splitSpace(path, "")
		return plain + "#" + space
	}
	return filepath.Join(filepath.Dir(path), spacesFolder, space, filepath.Base(path))
}

// splitSpace takes an address of PostgreSQL apart, see SpacePath; a space that is given
// beside it counts more.
func splitSpace(address, space string) (plain, spaceName string) {
	plain, spaceName, _ = strings.Cut(address, "#")
	return plain, cmp.Or(space, spaceName)
}

// ValidSpace reports whether a space can have a name.
func ValidSpace(name string) bool { return spaceNames.MatchString(name) }
