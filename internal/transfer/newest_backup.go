package transfer

import (
	"encoding/json"
	"os"
	"time"

	"toolkit/store/localfile"
)

// NewestBackup is the newest backup that was made of a database on this machine.
type NewestBackup struct {
	Archive string    `json:"archive"` // absolute path
	At      time.Time `json:"at"`
}

// newestFile lies beside a database, so that it can be read when the database cannot.
func newestFile(database string) string { return database + ".newest-backup" }

// noteNewest remembers a backup. That it was made counts, whether it can be noted or not.
func noteNewest(database string, n NewestBackup) {
	if text, err := json.Marshal(n); err == nil {
		localfile.Replace(newestFile(database), text, 0o600) //nolint:errcheck // doctor finds what is left
	}
}

// FindNewestBackup finds the newest backup of a database; false when none was made here or it is
// no longer where it was put.
func FindNewestBackup(database string) (n NewestBackup, found bool) {
	text, err := os.ReadFile(newestFile(database))
	if err != nil || json.Unmarshal(text, &n) != nil {
		return NewestBackup{}, false
	}
	info, err := os.Stat(n.Archive)
	return n, err == nil && info.Mode().IsRegular()
}
