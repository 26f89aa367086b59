package transfer

import (
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
	if err := refuseDatabase(o.Database, o.Force); err != nil {
		return nil, err
	}
	stage, err := newStage(o.Database)
	if err != nil {
		return nil, err
	}
	defer stage.remove()
	m, err := eachMember(ctx, o.Archive, o.Progress, func(m *Manifest) error { return checkRoom(stage.folder, m) }, func(member Member, in io.Reader) error {
		name := strings.TrimPrefix(member.Name, "keys/")
		return localfile.WriteNew(filepath.Join(stage.folder, filepath.FromSlash(name)), in)
	})
	if err != nil {
		return nil, fmt.Errorf("nothing was restored: %w", err)
	}
	if err := checkUnpacked(ctx, stage.database(), m); err != nil {
		return nil, fmt.Errorf("nothing was restored: %s cannot be used: %w", o.Archive, err)
	}
	aside, err := stage.replaceDatabase(ctx, o.Force, o.Now)
	return &Restored{Manifest: m, Aside: aside}, err
}

func checkRoom(folder string, m *Manifest) error {
	free, err := localfile.Free(folder)
	if err == nil && uint64(m.Size()) > free {
		return fmt.Errorf("it takes %d MB unpacked and there are %d MB free in %s", m.Size()>>20, free>>20, filepath.Dir(folder))
	}
	return nil // where free space cannot be asked, writing tells
}

// checkUnpacked opens the unpacked database as a whole.
func checkUnpacked(ctx context.Context, path string, m *Manifest) error {
	i, err := store.Inspect(ctx, path)
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
