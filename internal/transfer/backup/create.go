package backup

import (
	"archive/zip"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// Options say what is copied where. The zero value of every field but Database
// and Target is the default.
type Options struct {
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

// Create writes an archive of a database that others may be using, reads it back
// and puts it in its place only when all of it is right.
func Create(ctx context.Context, o Options) (*Manifest, error) {
	place, err := placeOf(o)
	if err != nil {
		return nil, err
	}
	i, err := store.Inspect(ctx, o.Database) // says best what is wrong with a database that cannot be copied
	if err != nil {
		return nil, err
	}
	if err := i.Close(); err != nil {
		return nil, err
	}
	if err := place.makeFolder(); err != nil {
		return nil, err
	}
	stage, err := os.MkdirTemp(place.folder, ".toolkit-backup-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", o.Target, localfile.Cause(err))
	}
	defer os.RemoveAll(stage) //nolint:errcheck // doctor finds what is left
	m, err := collect(ctx, o, stage)
	if err != nil {
		return nil, err
	}
	part := filepath.Join(stage, "archive.zip")
	if err := pack(ctx, m, stage, part, o.Progress); err != nil {
		return nil, fmt.Errorf("%s was not written: %w", o.Target, localfile.Cause(err))
	}
	if _, err := Verify(ctx, part, o.Progress); err != nil {
		return nil, fmt.Errorf("%s was not written, because it could not be read back: %w", o.Target, err)
	}
	if m.Archive, err = place.take(part); err != nil {
		return nil, err
	}
	if err := store.SyncFolder(place.folder); err != nil {
		return m, err
	}
	if archive, err := filepath.Abs(m.Archive); err == nil {
		noteNewest(o.Database, Newest{Archive: archive, At: m.CreatedAt})
	}
	return m, nil
}

// collect puts what goes into the archive into the stage.
func collect(ctx context.Context, o Options, stage string) (*Manifest, error) {
	for attempt := 1; ; attempt++ {
		m := &Manifest{Format: formatName, Version: formatVersion, Toolkit: o.Toolkit, CreatedAt: o.Now.UTC().Truncate(time.Second),
			Rows: map[string]int{}, Missing: []string{}, Keys: o.Keys}
		copied := filepath.Join(stage, databaseName)
		if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := store.Copy(ctx, o.Database, copied); err != nil {
			return nil, copyError(o.Database, err)
		}
		var files []store.StoredFile
		var err error
		if m.Schema, m.Rows, files, err = describe(ctx, copied); err != nil {
			if damage := (*unsound)(nil); errors.As(err, &damage) {
				err = fmt.Errorf("the copy of the database is not sound, so nothing was backed up; run 'toolkit doctor': %w", damage.error)
			}
			return nil, err
		}
		if err := m.add(stage, databaseName); err != nil {
			return nil, err
		}
		if err := takeFiles(ctx, o.Database, stage, files, m); err != nil {
			return nil, err
		}
		if len(m.Missing) > 0 && attempt < copyAttempts {
			continue
		}
		if o.Keys {
			err = takeKeys(o.Database, stage, m)
		}
		return m, err
	}
}

func copyError(database string, err error) error {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%s is damaged, so it was not backed up; 'toolkit doctor' says where, 'toolkit export --all FILE' saves what can be read: %w", database, err)
	case errors.Is(err, store.ErrFull):
		return errors.New("the disk is full; nothing was backed up: free some space or choose another place")
	}
	return fmt.Errorf("%s could not be copied: %w", database, localfile.Cause(err))
}

// describe checks a database as a whole and says what is in it.
func describe(ctx context.Context, path string) (schema int64, rows map[string]int, files []store.StoredFile, err error) {
	i, err := store.Inspect(ctx, path)
	if err != nil {
		return 0, nil, nil, err
	}
	defer i.Close() //nolint:errcheck // it was only read
	if schema, _, err = i.Schema(ctx); err != nil {
		return 0, nil, nil, err
	}
	faults, err := i.Integrity(ctx, false, 1)
	if err == nil && len(faults) > 0 {
		err = errors.New(strings.Join(faults, "\n"))
	}
	if err != nil {
		return 0, nil, nil, &unsound{err}
	}
	if rows, err = countRows(ctx, i); err == nil {
		files, err = i.ListStoredFiles(ctx)
	}
	return schema, rows, files, err
}

// unsound is a database whose structure is damaged.
type unsound struct{ error }

func (u *unsound) Unwrap() error { return u.error }

func countRows(ctx context.Context, i *store.Inspection) (map[string]int, error) {
	tables, err := i.Tables(ctx)
	if err != nil {
		return nil, err
	}
	rows := map[string]int{}
	for _, t := range tables {
		if t.Virtual {
			continue
		}
		if rows[t.Name], err = i.Count(ctx, t.Name); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// takeFiles brings the files of records into the stage: by a second name where
// the file system can, so that a file that is let go meanwhile stays.
func takeFiles(ctx context.Context, database, stage string, files []store.StoredFile, m *Manifest) error {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !f.WellFormed() {
			m.Missing = append(m.Missing, f.SHA256)
			continue
		}
		place := filepath.FromSlash(store.FilePlace(f.SHA256))
		target := filepath.Join(stage, place)
		if _, err := os.Lstat(target); err == nil {
			os.Remove(target) //nolint:errcheck // of an earlier attempt; the link below fails if it stays
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		err := linkOrCopy(filepath.Join(filepath.Dir(database), place), target)
		if err == nil {
			var member Member
			if member, err = measure(stage, store.FilePlace(f.SHA256)); err == nil && member.SHA256 == f.SHA256 {
				m.Members = append(m.Members, member)
				continue
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		m.Missing = append(m.Missing, f.SHA256)
	}
	return nil
}

func linkOrCopy(source, target string) error {
	info, err := os.Lstat(source)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fs.ErrNotExist // a link could lead anywhere
	}
	if os.Link(source, target) == nil {
		return nil
	}
	return copyFile(source, target)
}

func copyFile(source, target string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	return writeNew(target, in)
}

// writeNew writes a file that is not there yet and waits until it is on the disk.
func writeNew(target string, in io.Reader) error {
	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
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

func takeKeys(database, stage string, m *Manifest) error {
	if err := os.MkdirAll(filepath.Join(stage, "keys"), 0o700); err != nil {
		return err
	}
	for _, name := range KeyFiles(database) {
		if err := copyFile(filepath.Join(filepath.Dir(database), name), filepath.Join(stage, "keys", name)); err != nil {
			return err
		}
		if err := m.add(stage, "keys/"+name); err != nil {
			return err
		}
	}
	return nil
}

func (m *Manifest) add(stage, name string) error {
	member, err := measure(stage, name)
	m.Members = append(m.Members, member)
	return err
}

func measure(stage, name string) (Member, error) {
	file, err := os.Open(filepath.Join(stage, filepath.FromSlash(name)))
	if err != nil {
		return Member{}, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum, size, err := Sum(file)
	return Member{Name: name, Size: size, SHA256: sum}, err
}

// Sum reads all that is left of a file and returns its SHA-256 and size.
func Sum(in io.Reader) (sum string, size int64, err error) {
	hash := sha256.New()
	size, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// pack writes the stage into a zip file and waits until it is on the disk.
func pack(ctx context.Context, m *Manifest, stage, part string, progress func(done, all int64)) error {
	out, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // closed below when all went well
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	head, err := w.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: m.CreatedAt})
	if err != nil {
		return err
	}
	if _, err := head.Write(raw); err != nil {
		return err
	}
	meter := &meter{ctx: ctx, all: 2 * m.Size(), progress: progress} // written, then read back
	for _, member := range m.Members {
		if err := packOne(w, m, member, stage, meter); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), out.Sync(), out.Close())
}

func packOne(w *zip.Writer, m *Manifest, member Member, stage string, meter *meter) error {
	in, err := os.Open(filepath.Join(stage, filepath.FromSlash(member.Name)))
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	method := zip.Deflate
	if member.Name != databaseName {
		method = zip.Store // pictures and documents are compressed already
	}
	out, err := w.CreateHeader(&zip.FileHeader{Name: member.Name, Method: method, Modified: m.CreatedAt})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(out, meter), in)
	return err
}

// meter counts bytes and ends the work when it is interrupted.
type meter struct {
	ctx       context.Context
	done, all int64
	progress  func(done, all int64)
}

func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	if m.progress != nil {
		m.progress(m.done, m.all)
	}
	return len(p), m.ctx.Err()
}
