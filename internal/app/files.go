package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"toolkit/internal/document"
	"toolkit/internal/fileserver"
	"toolkit/internal/localfile"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/payloads"
)

// keyFile is the name of the key that signs URLs, beside the database.
const keyFile = "files.key"

// buildFiles says where uploads come from and how files are handed out. The
// server of files does nothing before the first URL.
func (a *App) buildFiles(s Settings) {
	a.urls = fileserver.New(fileserver.Options{
		KeyFile: filepath.Join(filepath.Dir(a.Store.Path()), keyFile), Open: a.openBlob, Now: s.Now,
	})
	a.files = payloads.Files{Roots: fileRoots(s.FileRoots), EngineCache: s.EngineCache, URLs: a.urls}
}

// fileRoots are the folders that uploads may come from, and what names are
// relative to.
func fileRoots(folders []string) localfile.Roots {
	r := localfile.Roots{Folders: folders}
	if working, err := os.Getwd(); err == nil {
		r.Working = working
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		r.Home = home
	}
	if folders != nil {
		return r
	}
	for _, folder := range []string{r.Home, r.Working} {
		// The root of the file system is nobody's folder, though services have it
		// as their home or working directory.
		if folder != "" && filepath.Dir(folder) != folder {
			r.Folders = append(r.Folders, folder)
		}
	}
	return r
}

// openBlob opens a stored file for the server of files.
func (a *App) openBlob(ctx context.Context, hash string) (fileserver.File, error) {
	var blob store.Blob
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		b, known, err := tx.BlobByHash(hash)
		if err == nil && !known {
			err = fileserver.ErrNotFound
		}
		blob = b
		return err
	})
	if err != nil {
		return fileserver.File{}, err
	}
	file, err := a.Store.OpenBlob(blob)
	if errors.Is(err, store.ErrBlobMissing) {
		err = fileserver.ErrNotFound
	}
	if err != nil {
		return fileserver.File{}, err
	}
	return fileserver.File{ReadSeekCloser: file, Name: blob.Name, MIME: blob.MIME, Modified: time.UnixMilli(blob.CreatedAt)}, nil
}

// warmUpDelay lets a session begin in peace, and one that ends at once cost
// nothing.
const warmUpDelay = 5 * time.Second

// WarmUp compiles the PDF reader ahead of its first use, which takes seconds,
// when that was never done on this machine: later processes load the result in
// no time and need no warming. It returns when that is done or ctx ends.
func (a *App) WarmUp(ctx context.Context) error {
	cache := a.files.EngineCache
	if cache == "" || !a.takesFiles() {
		return nil
	}
	mark := filepath.Join(cache, "compiled-"+Version+"-"+runtime.GOARCH)
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(warmUpDelay):
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	if err := document.Warm(ctx, cache); err != nil {
		return err
	}
	return os.WriteFile(mark, nil, 0o600)
}

// takesFiles reports whether clients may upload files.
func (a *App) takesFiles() bool {
	return slices.ContainsFunc(a.Server.Pipeline.Listed(), func(d *tools.Definition) bool { return d.Name == payloads.UploadTool })
}
