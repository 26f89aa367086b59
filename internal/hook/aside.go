package hook

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

	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools/memory/capture"
)

// What a hook heard and could not store in time is laid aside in a folder beside
// the database, a file for each turn, without secrets. A later run takes it up:
// storing a turn twice stores it once, so that a run may end at any moment.

const (
	// mostAside is how many turns may wait.
	mostAside = 500
	// half is how old a file must be that nobody finished writing.
	half = time.Hour
)

var errAside = errors.New("too much waits to be stored")

// layAside keeps a turn for a later run, which may be the first with a database, unless the user turned capture off for it.
func (r *run) layAside(ctx context.Context, h capture.Heard) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.patient(recording))
	defer cancel()
	h, taken, err := r.Capture(nil, nil).LayAside(ctx, h)
	if err != nil || !taken {
		return err
	}
	folder := beside(r.Database) + store.HeardFolder
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil { // as opening the database makes it
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() || len(aside(r.Database)) >= mostAside {
		return errAside
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return put(folder, "*.part", text, func(part string) string { return fmt.Sprintf("%020d-%s.json", h.At.UnixNano(), part) })
}

// put writes a file of a folder whole or not at all: under another name, from which
// its own follows.
func put(folder, pattern string, text []byte, name func(part string) string) error {
	file, err := os.CreateTemp(folder, pattern) // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(folder, name(filepath.Base(file.Name()))))
	}
	if err != nil {
		erase(file.Name()) // if that fails, the next run or the doctor finds it
	}
	return err
}

// aside are the files of the turns that wait, in order.
func aside(database string) []string { return heardFiles(database, ".json") }

func heardFiles(database, ending string) (files []string) {
	folder := beside(database) + store.HeardFolder
	entries, _ := os.ReadDir(folder) // without one nothing waits
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ending) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files
}

// TakeUp stores what waits beside a database; what cannot be stored now waits on.
func TakeUp(ctx context.Context, database string, heard func(ctx context.Context, h capture.Heard) error) error {
	for _, file := range aside(database) {
		text, err := os.ReadFile(file)
		if err != nil { // another run was faster
			continue
		}
		var h capture.Heard
		if json.Unmarshal(text, &h) == nil { // else another run is erasing it
			if err := heard(ctx, h); err != nil {
				return err
			}
		}
		erase(file)
	}
	return nil
}

// takeUp also removes what a run was killed in writing.
func (r *run) takeUp(ctx context.Context) error {
	for _, part := range heardFiles(r.Database, ".part") {
		if info, err := os.Stat(part); err == nil && r.Now().Sub(info.ModTime()) > half {
			erase(part)
		}
	}
	return TakeUp(ctx, r.Database, func(ctx context.Context, h capture.Heard) error { return r.Heard(ctx, r.capture, h) })
}

// erase removes a file and what it said from the disk, as far as a program can:
// what is forgotten later is to be found nowhere. One that has a second name is
// somebody else's too.
func erase(file string) {
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && !localfile.SecondName(info) {
		if f, err := os.OpenFile(file, os.O_WRONLY, 0); err == nil {
			f.Write(make([]byte, info.Size())) //nolint:errcheck // it is removed in any case
			f.Close()                          //nolint:errcheck // likewise
		}
	}
	os.Remove(file) //nolint:errcheck // the next run tries again
}
