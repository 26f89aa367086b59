package backup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// Newest is the newest backup that was made of a database on this machine.
type Newest struct {
	Archive string    `json:"archive"` // absolute path
	At      time.Time `json:"at"`
}

// newestFile lies beside a database, so that it can be read when the database cannot.
func newestFile(database string) string { return database + ".newest-backup" }

// noteNewest remembers a backup. That it was made counts, whether it can be noted or not.
func noteNewest(database string, n Newest) {
	text, err := json.Marshal(n)
	if err != nil {
		return
	}
	part, err := os.CreateTemp(filepath.Dir(database), ".*.part") // mode 0600; doctor finds what is left
	if err != nil {
		return
	}
	_, err = part.Write(text)
	if part.Close() != nil || err != nil || os.Rename(part.Name(), newestFile(database)) != nil {
		os.Remove(part.Name()) //nolint:errcheck // doctor finds it
	}
}

// NewestOf finds the newest backup of a database; false when none was made here or it is
// no longer where it was put.
func NewestOf(database string) (n Newest, found bool) {
	text, err := os.ReadFile(newestFile(database))
	if err != nil || json.Unmarshal(text, &n) != nil {
		return Newest{}, false
	}
	info, err := os.Stat(n.Archive)
	return n, err == nil && info.Mode().IsRegular()
}
