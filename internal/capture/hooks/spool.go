package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolkit/internal/capture"
	"toolkit/store"
	"toolkit/store/localfile"
)

// What a hook heard and could not store in time is laid aside in a folder beside
// the database, a file for each turn, without secrets. A later run takes it up:
// storing a turn twice stores it once, so that a run may end at any moment.

const (
	// maxSpooledTurns is how many turns may wait.
	maxSpooledTurns = 500
	// maxPartAge is how old a file must be that nobody finished writing.
	maxPartAge = time.Hour
)

var errSpoolFull = errors.New("too much waits to be stored")

// spoolTurn keeps a turn for a later run, which may be the first with a database, unless the user turned capture off for it.
func (r *run) spoolTurn(ctx context.Context, h capture.HookTurn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.scaleTimeout(recordTimeout))
	defer cancel()
	h, taken, err := r.Capture(nil, nil).RedactForSpool(ctx, h)
	if err != nil || !taken {
		return err
	}
	folder := localBasePath(r.Database) + store.SpoolFolder
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil { // as opening the database makes it
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() || len(listSpooledTurns(r.Database)) >= maxSpooledTurns {
		return errSpoolFull
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return writeAtomically(folder, "*.part", text, func(part string) string { return fmt.Sprintf("%020d-%s.json", h.At.UnixNano(), part) })
}

// writeAtomically writes a file of a folder whole or not at all: under another name, from which
// its own follows.
func writeAtomically(folder, pattern string, text []byte, finalName func(part string) string) error {
	file, err := os.CreateTemp(folder, pattern) // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(folder, finalName(filepath.Base(file.Name()))))
	}
	if err != nil {
		overwriteAndRemove(file.Name()) // if that fails, the next run or the doctor finds it
	}
	return err
}

// listSpooledTurns returns the files of the turns that wait, in order.
func listSpooledTurns(database string) []string { return listSpoolFiles(database, ".json") }

func listSpoolFiles(database, ending string) (files []string) {
	folder := localBasePath(database) + store.SpoolFolder
	entries, _ := os.ReadDir(folder) // without one nothing waits
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ending) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files
}

// DrainSpool stores what waits beside a database; what cannot be stored now waits on.
func DrainSpool(ctx context.Context, database string, storeTurn func(ctx context.Context, h capture.HookTurn) error) error {
	for _, file := range listSpooledTurns(database) {
		text, err := os.ReadFile(file)
		if err != nil { // another run was faster
			continue
		}
		var h capture.HookTurn
		if json.Unmarshal(text, &h) == nil { // else another run is erasing it
			if err := storeTurn(ctx, h); err != nil {
				return err
			}
		}
		overwriteAndRemove(file)
	}
	return nil
}

// drainSpool also removes what a run was killed in writing.
func (r *run) drainSpool(ctx context.Context) error {
	for _, part := range listSpoolFiles(r.Database, ".part") {
		if info, err := os.Stat(part); err == nil && r.Now().Sub(info.ModTime()) > maxPartAge {
			overwriteAndRemove(part)
		}
	}
	return DrainSpool(ctx, r.Database, func(ctx context.Context, h capture.HookTurn) error { return r.StoreTurn(ctx, r.capture, h) })
}

// overwriteAndRemove removes a file and what it said from the disk, as far as a program can:
// what is forgotten later is to be found nowhere. One that has a second name is
// somebody else's too.
func overwriteAndRemove(file string) {
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && !localfile.HasSecondName(info) {
		if f, err := os.OpenFile(file, os.O_WRONLY, 0); err == nil {
			f.Write(make([]byte, info.Size())) //nolint:errcheck // it is removed in any case
			f.Close()                          //nolint:errcheck // likewise
		}
	}
	os.Remove(file) //nolint:errcheck // the next run tries again
}
