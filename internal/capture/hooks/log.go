package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"toolkit/store"
	"toolkit/store/sessions"
)

// maxLogBytes is how large the log may grow, in bytes; then its older half goes.
const maxLogBytes = 64 << 10

// appendLog adds a run to the log of a database whose folder exists. Where that
// cannot be written nothing can be kept.
func appendLog(database string, r sessions.Run) {
	path := localBasePath(database) + store.HooksLog
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil || !info.Mode().IsRegular():
		return
	case info.Size() > maxLogBytes:
		trimLog(path)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer file.Close()             //nolint:errcheck // there is nowhere left to report it
	file.Write(append(text, '\n')) //nolint:errcheck // likewise
}

// trimLog keeps the newer lines. What another hook adds meanwhile may be lost.
func trimLog(path string) {
	text, err := os.ReadFile(path)
	if err != nil || len(text) < maxLogBytes {
		return
	}
	text = text[len(text)-maxLogBytes/2:]
	text = text[bytes.IndexByte(text, '\n')+1:]
	writeAtomically(filepath.Dir(path), ".toolkit-hooks-*.part", text, func(string) string { return filepath.Base(path) }) //nolint:errcheck // the next run tries again
}

// readLog returns the runs in the log, in order.
func readLog(database string) (runs []sessions.Run) {
	path := localBasePath(database) + store.HooksLog
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() { // opening a pipe would wait
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r sessions.Run
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			runs = append(runs, r)
		}
	}
	return runs
}
