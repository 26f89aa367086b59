package storetest

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"database/sql"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"toolkit/store"
	"toolkit/store/localfile"
)

// Making a schema takes longer than most tests, and much longer under the race detector:
// the first new database of a process is made, and the others begin as copies of it.
func init() {
	if os.Getenv(Postgres) != "" {
		return
	}
	var first sync.Once
	var made template
	localfile.NewFile = func(path string) bool {
		if _, err := os.Lstat(path); err == nil || filepath.Base(filepath.Dir(path)) == templateFolder {
			return false
		}
		first.Do(func() { made.makeTemplate() })
		return made.copyTemplate(path)
	}
}

const templateFolder = "toolkit-template"

// template is a database file, with what in it no two have in common.
type template struct{ file, key []byte }

func (m *template) makeTemplate() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system's temporary folder is emptied anyway
	path := filepath.Join(folder, templateFolder, "toolkit.db")
	db, err := store.Open(context.Background(), store.Options{Path: path})
	if err != nil || db.Close() != nil {
		return
	}
	load, err := sql.Open("sqlite", path)
	if err != nil {
		return
	}
	defer load.Close() //nolint:errcheck // it is only read
	if load.QueryRow(`SELECT key FROM capture_key`).Scan(&m.key) == nil {
		m.file, _ = os.ReadFile(path)
	}
}

// markAt is where SQLite keeps user_version, the mark by which a process knows a file.
const markAt = 60

// copyTemplate puts a new database where there is none, at once, as several may do so.
func (m *template) copyTemplate(path string) bool {
	if len(m.key) == 0 || bytes.Count(m.file, m.key) != 1 {
		return false
	}
	file, key := bytes.Clone(m.file), make([]byte, len(m.key))
	crand.Read(key) //nolint:errcheck // never fails
	copy(file[bytes.Index(file, m.key):], key)
	binary.BigEndian.PutUint32(file[markAt:], 1+rand.Uint32N(1<<31-1))
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with the permissions 0600
	if err != nil {
		return false
	}
	_, err = f.Write(file)
	if closed := f.Close(); err == nil && closed == nil && renameNew(f.Name(), path) == nil {
		return true
	}
	os.Remove(f.Name()) //nolint:errcheck // nothing more can be done
	return false
}
