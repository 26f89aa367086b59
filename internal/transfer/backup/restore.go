package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
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
func Restore(ctx context.Context, o RestoreOptions) (_ *Restored, err error) {
	if _, missing := os.Stat(o.Archive); errors.Is(missing, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", o.Archive)
	}
	if err := refuseDatabase(o.Database, o.Force); err != nil {
		return nil, err
	}
	folder := filepath.Dir(o.Database)
	if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				os.Remove(folder) //nolint:errcheck // it goes only when nothing came into it
			}
		}()
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", folder, localfile.Cause(err))
	}
	stage, err := os.MkdirTemp(folder, ".toolkit-restore-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", folder, localfile.Cause(err))
	}
	defer os.RemoveAll(stage) //nolint:errcheck // doctor finds what is left
	m, err := extract(ctx, o.Archive, stage, o.Progress, func(m *Manifest) error { return fits(folder, m) })
	if err != nil {
		return nil, fmt.Errorf("nothing was restored: %w", err)
	}
	if err := check(ctx, filepath.Join(stage, databaseName), m); err != nil {
		return nil, fmt.Errorf("nothing was restored: %s cannot be used: %w", o.Archive, err)
	}
	aside, err := Replace(ctx, Replacement{Database: o.Database, Stage: stage, Force: o.Force, Now: o.Now})
	return &Restored{Manifest: m, Aside: aside}, err
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

func fits(folder string, m *Manifest) error {
	free, err := localfile.Free(folder)
	if err == nil && uint64(m.Size()) > free {
		return fmt.Errorf("it takes %d MB unpacked and there are %d MB free in %s", m.Size()>>20, free>>20, folder)
	}
	return nil // where free space cannot be asked, writing tells
}

// check opens the unpacked database as a whole.
func check(ctx context.Context, path string, m *Manifest) error {
	version, rows, _, err := describe(ctx, path)
	if err != nil {
		return err
	}
	if version != m.Schema {
		return fmt.Errorf("its database has schema %d, its manifest says %d", version, m.Schema)
	}
	if !maps.Equal(rows, m.Rows) {
		return errors.New("its tables do not have as many rows as its manifest says")
	}
	return nil
}

// Replacement puts the database of a stage in the place of another one, with its
// files and keys.
type Replacement struct {
	Database string // place
	Stage    string // a folder beside it that holds what an archive does
	Force    bool   // keep an existing database aside
	Now      time.Time
}

// Replace does it and returns what it kept aside. It refuses while another
// process has the old database open (store.ErrInUse).
func Replace(ctx context.Context, r Replacement) (aside []string, err error) {
	if err := refuseDatabase(r.Database, r.Force); err != nil {
		return nil, err
	}
	if _, err := os.Stat(r.Database); err == nil {
		err := store.CheckpointFile(ctx, r.Database)
		if errors.Is(err, store.ErrInUse) {
			return nil, fmt.Errorf("%s is in use; end the programs that serve it (assistants, IDEs) and try again: %w", r.Database, err)
		}
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return nil, fmt.Errorf("%s cannot be replaced: %w", r.Database, err)
		}
	}
	if err := addFiles(r.Stage, filepath.Dir(r.Database)); err != nil {
		return nil, err
	}
	suffix := ".before-" + r.Now.UTC().Format("20060102-150405")
	kept, err := addKeys(r.Stage, filepath.Dir(r.Database), suffix)
	if err != nil {
		return kept, err
	}
	// A log that outlived its database must not meet the new one.
	for _, ending := range []string{"-wal", "-shm", "-journal", ""} {
		old := r.Database + ending
		if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		name, err := free(r.Database+suffix, ending)
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
	if err := store.ShareFiles(r.Database); err != nil {
		return kept, err
	}
	if err := os.Rename(filepath.Join(r.Stage, databaseName), r.Database); err != nil {
		return kept, fmt.Errorf("%s could not be put in place: %w", r.Database, localfile.Cause(err))
	}
	return kept, store.SyncFolder(filepath.Dir(r.Database))
}

// moveAside gives the database a second name where it can, so that at no moment
// there is none under its own.
func moveAside(old, name string, database bool) error {
	if database && os.Link(old, name) == nil {
		return nil
	}
	return os.Rename(old, name)
}

// free finds a name that nothing has.
func free(base, ending string) (string, error) {
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
func addFiles(stage, folder string) error {
	root := filepath.Join(stage, "files")
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		place, err := filepath.Rel(stage, path)
		if err != nil {
			return err
		}
		target := filepath.Join(folder, place)
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
func addKeys(stage, folder, suffix string) (kept []string, err error) {
	names, err := os.ReadDir(filepath.Join(stage, "keys"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range names {
		target := filepath.Join(folder, entry.Name())
		staged := filepath.Join(stage, "keys", entry.Name())
		if _, err := os.Lstat(target); err == nil {
			old, oldErr := os.ReadFile(target)
			fresh, err := os.ReadFile(staged)
			if err != nil {
				return kept, err
			}
			if oldErr == nil && bytes.Equal(old, fresh) {
				continue
			}
			name, err := free(target+suffix, "")
			if err == nil {
				err = os.Rename(target, name)
			}
			if err != nil {
				return kept, err
			}
			kept = append(kept, name)
		}
		if err := os.Rename(staged, target); err != nil {
			return kept, err
		}
	}
	return kept, err
}
