package store

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// LitestreamFolder is where Litestream notes what it has copied of the database
// at path, unless its meta-path says otherwise.
func LitestreamFolder(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-litestream")
}

// LastLitestream is when Litestream last took something from the database at
// path; zero where it never did. Whether that has arrived where Litestream sends
// it, only Litestream knows.
func LastLitestream(path string) (last time.Time, err error) {
	err = filepath.WalkDir(LitestreamFolder(path), func(name string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil && filepath.Ext(name) == ".ltx" {
			info, err = entry.Info()
		}
		if info != nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		if errors.Is(err, fs.ErrNotExist) { // of the folder, or of what Litestream has removed since
			return nil
		}
		return err
	})
	return last, err
}

// HasTraces reports whether something forgotten still leaves traces in the file
// or its log. The database has to be of the present schema.
func (i *Inspection) HasTraces(ctx context.Context) (left bool, err error) {
	err = i.conn.QueryRowContext(ctx, `SELECT count(*) > 0 FROM forgetting`).Scan(&left)
	return left, classify(err)
}
