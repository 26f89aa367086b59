package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/localfile"
)

// RestoreOptions say what is brought back where. The zero value of every field
// but Archive and Database is the default.
type RestoreOptions struct {
	Archive  string
	Database string // path of the database to be
	Force    bool   // when there is one, keep it aside
	Now      time.Time
	Progress func(done, all int64) // bytes; may be nil
}

// Restored is what Restore did.
type Restored struct {
	Manifest *Manifest
	Aside    []string // what was kept aside of an earlier database
}

// Restore brings an archive back. Everything is unpacked beside the database,
// compared and checked first; then files are added, and the database changes
// place last. Until then nothing that was there is touched.
func Restore(ctx context.Context, o RestoreOptions) (*Restored, error) {
	if _, missing := os.Stat(o.Archive); errors.Is(missing, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", o.Archive)
	}
	if err := checkDatabaseIsReplaceable(o.Database, o.Force); err != nil {
		return nil, err
	}
	stage, err := makeStage(o.Database)
	if err != nil {
		return nil, err
	}
	defer stage.remove()
	m, err := readAndVerifyMembers(ctx, o.Archive, o.Progress, func(m *Manifest) error { return checkFreeSpace(stage.folder, m) }, func(member Member, in io.Reader) error {
		name := strings.TrimPrefix(member.Name, "keys/")
		return localfile.WriteNew(filepath.Join(stage.folder, filepath.FromSlash(name)), in)
	})
	if err != nil {
		return nil, fmt.Errorf("nothing was restored: %w", err)
	}
	if err := checkUnpackedDatabase(ctx, stage.database(), m); err != nil {
		return nil, fmt.Errorf("nothing was restored: %s cannot be used: %w", o.Archive, err)
	}
	oldFiles, err := stage.replaceDatabase(ctx, o.Force, o.Now)
	return &Restored{Manifest: m, Aside: oldFiles}, err
}

func checkFreeSpace(folder string, m *Manifest) error {
	free, err := localfile.FreeBytes(folder)
	if err == nil && uint64(m.Size()) > free {
		return fmt.Errorf("it takes %d MB unpacked and there are %d MB free in %s", m.Size()>>20, free>>20, filepath.Dir(folder))
	}
	return nil // where free space cannot be asked, writing tells
}

// checkUnpackedDatabase opens the unpacked database as a whole.
func checkUnpackedDatabase(ctx context.Context, path string, m *Manifest) error {
	i, err := store.OpenInspection(ctx, path)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	version, _, err := i.Schema(ctx)
	if err != nil {
		return err
	}
	if err := checkIntegrity(ctx, i); err != nil {
		return err
	}
	if version != m.Schema {
		return fmt.Errorf("its database has schema %d, its manifest says %d", version, m.Schema)
	}
	rows, err := i.CountRows(ctx)
	if err == nil && !maps.Equal(rows, m.Rows) {
		err = errors.New("its tables do not have as many rows as its manifest says")
	}
	return err
}

const databaseName = "toolkit.db"

// StagePattern is how the folder is called in which an import or a restore makes a database
// before that takes its place.
const StagePattern = ".toolkit-restore-*"

// stage is a folder beside the place of a database, in which another is made with its
// files and keys until it is whole.
type stage struct {
	folder string
	place  string // path of the database to be
	made   bool   // the folder of the place, too
}

func makeStage(place string) (*stage, error) {
	s := &stage{place: place}
	folder := filepath.Dir(place)
	_, err := os.Stat(folder)
	s.made = errors.Is(err, fs.ErrNotExist)
	if err = os.MkdirAll(folder, 0o700); err == nil {
		s.folder, err = os.MkdirTemp(folder, StagePattern)
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

func checkDatabaseIsReplaceable(path string, force bool) error {
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
func (s *stage) replaceDatabase(ctx context.Context, force bool, now time.Time) (oldFiles []string, err error) {
	if err := checkDatabaseIsReplaceable(s.place, force); err != nil {
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
	if err := s.moveFilesIntoPlace(); err != nil {
		return nil, err
	}
	suffix := ".before-" + now.UTC().Format("20060102-150405")
	moved, err := s.moveKeysIntoPlace(suffix)
	if err != nil {
		return moved, err
	}
	// A log that outlived its database must not meet the new one.
	for _, ending := range []string{"-wal", "-shm", "-journal", ""} {
		old := s.place + ending
		if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		name, err := findFreeName(s.place+suffix, ending)
		if err == nil {
			err = moveOldFile(old, name, ending == "")
		}
		if err != nil {
			return moved, fmt.Errorf("%s could not be kept aside: %w", old, localfile.Cause(err))
		}
		moved = append(moved, name)
		if ending == "" {
			if err := store.RegisterFilesSharer(name); err != nil { // its files stay for it
				return moved, err
			}
		}
	}
	if err := store.RegisterFilesSharer(s.place); err != nil {
		return moved, err
	}
	if err := os.Rename(s.database(), s.place); err != nil {
		return moved, fmt.Errorf("%s could not be put in place: %w", s.place, localfile.Cause(err))
	}
	return moved, store.SyncFolder(filepath.Dir(s.place))
}

// moveOldFile gives the database a second name where it can, so that at no moment
// there is none under its own.
func moveOldFile(old, name string, database bool) error {
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

// moveFilesIntoPlace moves files of records to where they belong. A file is what its name
// says, so one that is there already is the same, or damaged and replaced.
func (s *stage) moveFilesIntoPlace() error {
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

// moveKeysIntoPlace puts keys beside the database and keeps differing ones aside.
func (s *stage) moveKeysIntoPlace(suffix string) (moved []string, err error) {
	for _, name := range KeyFiles(s.database()) {
		target, staged := filepath.Join(filepath.Dir(s.place), name), filepath.Join(s.folder, name)
		if _, err := os.Lstat(target); err == nil {
			old, oldErr := os.ReadFile(target)
			fresh, err := os.ReadFile(staged)
			if err != nil {
				return moved, err
			}
			if oldErr == nil && bytes.Equal(old, fresh) {
				continue
			}
			freeName, err := findFreeName(target+suffix, "")
			if err == nil {
				err = os.Rename(target, freeName)
			}
			if err != nil {
				return moved, err
			}
			moved = append(moved, freeName)
		}
		if err := os.Rename(staged, target); err != nil {
			return moved, err
		}
	}
	return moved, nil
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
