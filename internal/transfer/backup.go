package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/localfile"
)

// BackupOptions say what is copied where. The zero value of every field but Database
// and Target is the default.
type BackupOptions struct {
	Database string // path of the database file
	Target   string // path of the archive, or of a folder for it
	Force    bool   // replace Target
	Keys     bool   // take key files in
	Toolkit  string // version of this program, for the manifest
	Now      time.Time
	Progress func(done, all int64) // bytes; may be nil
}

// copyAttempts bounds how often the copy starts again because a file was let go
// between the copy of the database and that of its files.
const copyAttempts = 3

// Backup writes an archive of a database that others may be using, reads it back
// and puts it in its place only when all of it is right.
func Backup(ctx context.Context, o BackupOptions) (*Manifest, error) {
	place, err := findArchivePlace(o)
	if err != nil {
		return nil, err
	}
	from, err := store.OpenInspection(ctx, o.Database) // says best what is wrong with a database that cannot be copied
	if err != nil {
		return nil, err
	}
	defer from.Close() //nolint:errcheck // it was only read
	if err := place.makeFolder(); err != nil {
		return nil, err
	}
	stage, err := os.MkdirTemp(place.folder, ".toolkit-backup-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", o.Target, localfile.Cause(err))
	}
	defer os.RemoveAll(stage) //nolint:errcheck // doctor finds what is left
	part := filepath.Join(stage, "archive.zip")
	m, err := o.copyAndWriteArchive(ctx, from, stage, part)
	for attempt := 1; err == nil && len(m.Missing) > 0 && attempt < copyAttempts; attempt++ {
		m, err = o.copyAndWriteArchive(ctx, from, stage, part)
	}
	if err != nil {
		return nil, err
	}
	if _, err := Verify(ctx, part, o.Progress); err != nil {
		return nil, fmt.Errorf("%s was not written, because it could not be read back: %w", o.Target, err)
	}
	if m.Archive, err = place.renameToFinalName(part); err != nil {
		return nil, err
	}
	if err := store.SyncFolder(place.folder); err != nil {
		return m, err
	}
	if archive, err := filepath.Abs(m.Archive); err == nil {
		rememberNewestBackup(o.Database, NewestBackup{Archive: archive, At: m.CreatedAt})
	}
	return m, nil
}

// copyAndWriteArchive copies the database into the stage and writes an archive of the copy with
// its files, anew if there is one.
func (o BackupOptions) copyAndWriteArchive(ctx context.Context, from *store.Inspection, stage, part string) (*Manifest, error) {
	copied := filepath.Join(stage, databaseName)
	for _, earlier := range []string{copied, part} {
		if err := os.Remove(earlier); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := store.Copy(ctx, o.Database, copied); err != nil {
		return nil, describeCopyError(o.Database, err)
	}
	i, err := store.OpenInspection(ctx, copied)
	if err != nil {
		return nil, err
	}
	defer i.Close() //nolint:errcheck // it was only read
	if err := checkIntegrity(ctx, i); err != nil {
		return nil, fmt.Errorf("the copy of the database is not sound, so nothing was backed up; run 'toolkit doctor': %w", err)
	}
	m := &Manifest{Format: archiveFormat, Version: archiveVersion, Toolkit: o.Toolkit, CreatedAt: o.Now.UTC().Truncate(time.Second), Keys: o.Keys}
	if m.Schema, _, err = i.Schema(ctx); err != nil {
		return nil, err
	}
	if m.Rows, err = i.CountRows(ctx); err != nil {
		return nil, err
	}
	files, err := i.ListStoredFiles(ctx)
	if err != nil {
		return nil, err
	}
	if err := o.writeZip(ctx, m, from, files, copied, part); err != nil {
		return nil, fmt.Errorf("%s was not written: %w", o.Target, localfile.Cause(err))
	}
	return m, nil
}

// writeZip writes the archive and waits until it is on the disk. Files come first, before
// they are let go.
func (o BackupOptions) writeZip(ctx context.Context, m *Manifest, from *store.Inspection, files []store.StoredFile, copied, part string) error {
	out, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // closed below when all went well
	info, err := os.Stat(copied)
	if err != nil {
		return err
	}
	all := info.Size()
	for _, f := range files {
		all += f.Size
	}
	w := newArchiveWriter(out, m, &meter{ctx: ctx, all: 2 * all, progress: o.Progress}) // written, then read back
	m.Missing, err = eachFile(ctx, from, files, func(f store.StoredFile, in io.Reader) error { return w.addMember(store.FilePlace(f.SHA256), in) })
	if err != nil {
		return err
	}
	if o.Keys {
		for _, name := range KeyFiles(o.Database) {
			if err := w.addMemberFromFile("keys/"+name, filepath.Join(filepath.Dir(o.Database), name)); err != nil {
				return err
			}
		}
	}
	if err := w.addMemberFromFile(databaseName, copied); err != nil {
		return err
	}
	return errors.Join(w.writeManifestAndClose(), out.Sync(), out.Close())
}

func describeCopyError(database string, err error) error {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%s is damaged, so it was not backed up; 'toolkit doctor' says where, 'toolkit export --all FILE' saves what can be read: %w", database, err)
	case errors.Is(err, store.ErrFull):
		return errors.New("the disk is full; nothing was backed up: free some space or choose another place")
	}
	return fmt.Errorf("%s could not be copied: %w", database, localfile.Cause(err))
}

func checkIntegrity(ctx context.Context, i *store.Inspection) error {
	faults, err := i.FindIntegrityFaults(ctx, false, 1)
	if err == nil && len(faults) > 0 {
		err = errors.New(strings.Join(faults, "\n"))
	}
	return err
}

// NewestBackup is the newest backup that was made of a database on this machine.
type NewestBackup struct {
	Archive string    `json:"archive"` // absolute path
	At      time.Time `json:"at"`
}

// newestBackupPath lies beside a database, so that it can be read when the database cannot.
func newestBackupPath(database string) string { return database + ".newest-backup" }

// rememberNewestBackup remembers a backup. That it was made counts, whether it can be noted or not.
func rememberNewestBackup(database string, n NewestBackup) {
	if text, err := json.Marshal(n); err == nil {
		localfile.Replace(newestBackupPath(database), text, 0o600) //nolint:errcheck // doctor finds what is left
	}
}

// FindNewestBackup finds the newest backup of a database; false when none was made here or it is
// no longer where it was put.
func FindNewestBackup(database string) (n NewestBackup, found bool) {
	text, err := os.ReadFile(newestBackupPath(database))
	if err != nil || json.Unmarshal(text, &n) != nil {
		return NewestBackup{}, false
	}
	info, err := os.Stat(n.Archive)
	return n, err == nil && info.Mode().IsRegular()
}
