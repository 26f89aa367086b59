package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"toolkit/internal/reader"
	"toolkit/internal/reader/layout"
	"toolkit/internal/server/fileserver"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/records"
	"toolkit/tools"
	"toolkit/tools/entities"
)

// buildFileServerAndRoots says where uploads come from and how files are handed out. The
// server of files does nothing before the first URL.
func (a *App) buildFileServerAndRoots(s Settings) {
	a.urls = fileserver.New(fileserver.Options{
		KeyFile: filepath.Join(filepath.Dir(a.Store.Path()), store.FilesKey), Open: a.openBlob, Now: s.Now,
	})
	getenv := s.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	roots := buildFileRoots(s.FileRoots, getenv, store.PrivateFiles(a.Store.Path(), getenv))
	a.files = entities.Files{Roots: roots, EngineCache: s.EngineCache, OCR: layout.OCRFromEnvironment(getenv), URLs: a.urls}
}

// buildFileRoots returns the folders that uploads may come from, what names are relative
// to, and what is never opened.
func buildFileRoots(folders []string, getenv func(string) string, private localfile.Private) localfile.Roots {
	r := localfile.Roots{Folders: folders, Private: private}
	if working, err := os.Getwd(); err == nil {
		r.Working = working
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		r.Home = home
	}
	if folders == nil {
		r.Folders = localfile.DefaultFolders(r.Home, r.Working, readUserDirsFile(r.Home, getenv, private), getenv("OneDrive"))
	}
	return r
}

// readUserDirsFile returns the text in which desktops for X name the user's folders.
func readUserDirsFile(home string, getenv func(string) string, private localfile.Private) string {
	folder := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(home, ".config")
	}
	file, err := private.Open(filepath.Join(folder, "user-dirs.dirs"))
	if err != nil {
		return ""
	}
	defer file.Close()                                 //nolint:errcheck // it was only read
	text, _ := io.ReadAll(io.LimitReader(file, 1<<16)) // without it the folders have their English names
	return string(text)
}

// openBlob opens a stored file for the server of files.
func (a *App) openBlob(ctx context.Context, hash string) (fileserver.File, error) {
	var blob records.Blob
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		b, known, err := records.In(tx).BlobByHash(hash)
		if err == nil && !known {
			err = fileserver.ErrNotFound
		}
		blob = b
		return err
	})
	if err != nil {
		return fileserver.File{}, err
	}
	file, err := a.Store.OpenBlob(blob.SHA256, blob.Size)
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

// LoadVectorsAndPDFEngine begins to read the vectors of a model, goes on with those that are missing, and
// compiles the PDF reader ahead of its first use, which takes seconds, when that was never
// done on this machine: later processes load the result in no time and need no warming. It
// returns when that is done or ctx ends.
func (a *App) LoadVectorsAndPDFEngine(ctx context.Context) error {
	a.Search.LoadVectorsInBackground()
	if !a.readOnly {
		resume := time.AfterFunc(warmUpDelay, func() {
			for _, keeper := range a.TableIndexes() {
				keeper.StartInBackground()
			}
		})
		context.AfterFunc(ctx, func() { resume.Stop() })
	}
	cache := a.files.EngineCache
	if cache == "" || !a.canUploadFiles() {
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
	if err := reader.PreparePDFEngine(ctx, cache); err != nil {
		return err
	}
	debug.FreeOSMemory() // compiling takes 150 MB, which an idle process keeps
	return os.WriteFile(mark, nil, 0o600)
}

// canUploadFiles reports whether clients may upload files.
func (a *App) canUploadFiles() bool {
	return slices.ContainsFunc(a.Server.Pipeline.ListVisibleTools(), func(d *tools.Definition) bool { return d.Name == entities.UploadTool })
}
