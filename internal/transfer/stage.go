package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"toolkit/store"
	"toolkit/store/localfile"
)

const databaseName = "toolkit.db"

// stage is a folder beside the place of a database, in which another is made with its
// files and keys until it is whole.
type stage struct {
	folder string
	place  string // path of the database to be
	made   bool   // the folder of the place, too
}

func newStage(place string) (*stage, error) {
	s := &stage{place: place}
	folder := filepath.Dir(place)
	_, err := os.Stat(folder)
	s.made = errors.Is(err, fs.ErrNotExist)
	if err = os.MkdirAll(folder, 0o700); err == nil {
		s.folder, err = os.MkdirTemp(folder, ".toolkit-restore-*")
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", folder, localfile.Cause(err))
	}
	return s, nil
}

// database is the path of the database in the stage.
func (s *stage) database() string { return filepath.Join(s.folder, databaseName) }

// remove ends the stage, and with it a folder into which nothing came.
func (s *stage) remove() {
	os.RemoveAll(s.folder) //nolint:errcheck // doctor finds what is left
	if s.made {
		os.Remove(filepath.Dir(s.place)) //nolint:errcheck // it stays when something is in it
	}
}

func refuseDatabase(path string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", path, localfile.Cause(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	case !force:
		return fmt.Errorf("there is a database at %s; restore into another file with --db, or replace it with --force, which keeps it under another name", path)
	}
	return nil
}

// replaceDatabase puts the database of the stage in its place: files and keys are added,
// and the database changes place last. It returns what it kept aside of an earlier one,
// and refuses while another process has that open (store.ErrInUse).
func (s *stage) replaceDatabase(ctx context.Context, force bool, now time.Time) (aside []string, err error) {
	if err := refuseDatabase(s.place, force); err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.place); err == nil {
		err := store.CheckpointFile(ctx, s.place)
		if errors.Is(err, store.ErrInUse) {
			return nil, fmt.Errorf("%s is in use; end the programs that serve it (assistants, IDEs) and try again: %w", s.place, err)
		}
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return nil, fmt.Errorf("%s cannot be replaced: %w", s.place, err)
		}
	}
	if err := s.addFiles(); err != nil {
		return nil, err
	}
	suffix := ".before-" + now.UTC().Format("20060102-150405")
	kept, err := s.addKeys(suffix)
	if err != nil {
		return kept, err
	}
	// A log that outlived its database must not meet the new one.
	for _, ending := range []string{"-wal", "-shm", "-journal", ""} {
		old := s.place + ending
		if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		name, err := findFreeName(s.place+suffix, ending)
		if err == nil {
			err = moveAside(old, name, ending == "")
		}
		if err != nil {
			return kept, fmt.Errorf("%s could not be kept aside: %w", old, localfile.Cause(err))
		}
		kept = append(kept, name)
		if ending == "" {
			if err := store.ShareFiles(name); err != nil { // its files stay for it
				return kept, err
			}
		}
	}
	if err := store.ShareFiles(s.place); err != nil {
		return kept, err
	}
	if err := os.Rename(s.database(), s.place); err != nil {
		return kept, fmt.Errorf("%s could not be put in place: %w", s.place, localfile.Cause(err))
	}
	return kept, store.SyncFolder(filepath.Dir(s.place))
}

// moveAside gives the database a second name where it can, so that at no moment
// there is none under its own.
func moveAside(old, name string, database bool) error {
	if database && os.Link(old, name) == nil {
		return nil
	}
	return os.Rename(old, name)
}

// findFreeName finds a name that nothing has.
func findFreeName(base, ending string) (string, error) {
	for n := 1; n < 1000; n++ {
		name := base + ending
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", base, n, ending)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s has too many names already", base)
}

// addFiles moves files of records to where they belong. A file is what its name
// says, so one that is there already is the same, or damaged and replaced.
func (s *stage) addFiles() error {
	root := filepath.Join(store.FilesFolder(s.database()), "sha256")
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.folder, path)
		if err != nil {
			return err
		}
		target := filepath.Join(filepath.Dir(s.place), name)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := os.Rename(path, target); err != nil {
			return err
		}
		return store.SyncFolder(filepath.Dir(target))
	})
}

// addKeys puts keys beside the database and keeps differing ones aside.
func (s *stage) addKeys(suffix string) (kept []string, err error) {
	for _, name := range KeyFiles(s.database()) {
		target, staged := filepath.Join(filepath.Dir(s.place), name), filepath.Join(s.folder, name)
		if _, err := os.Lstat(target); err == nil {
			old, oldErr := os.ReadFile(target)
			fresh, err := os.ReadFile(staged)
			if err != nil {
				return kept, err
			}
			if oldErr == nil && bytes.Equal(old, fresh) {
				continue
			}
			aside, err := findFreeName(target+suffix, "")
			if err == nil {
				err = os.Rename(target, aside)
			}
			if err != nil {
				return kept, err
			}
			kept = append(kept, aside)
		}
		if err := os.Rename(staged, target); err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// KeyFiles are the key files beside a database, by name.
func KeyFiles(database string) []string {
	entries, _ := os.ReadDir(filepath.Dir(database)) // what cannot be listed cannot be read either
	names := []string{}
	for _, entry := range entries {
		if entry.Type().IsRegular() && filepath.Ext(entry.Name()) == ".key" {
			names = append(names, entry.Name())
		}
	}
	return names
}
