// Package localfile opens files that a caller names, and nothing else on the machine:
// regular files inside the folders that were allowed, reached without leaving them through
// a link, and not hidden ones. It also replaces files, and tells how much room is left on
// a disk and why it refused something.
package localfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Why a file is not opened. Test with errors.Is.
var (
	// ErrOutside tells that the file is in no allowed folder, or hidden in one.
	ErrOutside = errors.New("the file is in no allowed folder")
	// ErrNotFound tells that there is no file of this name.
	ErrNotFound = errors.New("there is no such file")
	// ErrNotRegular tells that the name is a folder, a device, a pipe or a socket.
	ErrNotRegular = errors.New("it is no regular file")
	// ErrUnreadable tells that this user may not read the file.
	ErrUnreadable = errors.New("the file may not be read")
	// ErrChanged tells that the file was written to while it was read.
	ErrChanged = errors.New("the file changed while it was read")
)

// Roots are the folders that files may be taken from.
type Roots struct {
	// Folders are absolute paths. A folder that does not exist allows nothing.
	Folders []string
	// Working is what relative names are relative to, an absolute path.
	Working string
	// Home is what a leading "~" stands for; empty: it is a name like others.
	Home string
	// Private is opened for nobody, also inside the folders.
	Private Private
}

// File is an open regular file.
type File struct {
	*os.File
	Name string // last part of the name that the caller gave
	size int64
	time time.Time
}

// Size is how many bytes the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// CheckUnchanged returns ErrChanged when the file is not what it was when it was
// opened, or when another number of bytes was read of it.
func (f *File) CheckUnchanged(read int64) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("looking at the file again: %w", err)
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.time) || read != f.size {
		return ErrChanged
	}
	return nil
}

// Open opens the file of a name. It never waits for the other end of a pipe.
// Whether a file outside of the folders exists is not told.
func (r Roots) Open(name string) (*File, error) {
	path := r.makeAbsolute(name)
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		if _, _, inside := r.findAllowedFolder(path); !inside {
			return nil, ErrOutside
		}
		return nil, describeOpenError(err)
	}
	folder, rest, inside := r.findAllowedFolder(real)
	if !inside {
		return nil, ErrOutside
	}
	look := r.Private.Snapshot()
	if look.leadsToPrivate(real) {
		return nil, ErrPrivate
	}
	f, err := openIn(folder, rest, look)
	if err != nil {
		return nil, err
	}
	f.Name = filepath.Base(path)
	return f, nil
}

func (r Roots) makeAbsolute(name string) string {
	if rest, ok := strings.CutPrefix(name, "~"); ok && r.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(r.Home, rest)
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.Working, name)
}

// findAllowedFolder returns the folder that allows a path, and the rest of the path in it.
// What is hidden, or in a hidden folder, is allowed only by a folder inside.
func (r Roots) findAllowedFolder(path string) (folder, rest string, ok bool) {
	for _, folder := range r.Folders {
		for _, form := range []string{folder, ResolveLinks(folder)} {
			rest, err := filepath.Rel(form, path)
			if err == nil && filepath.IsLocal(rest) && !isHidden(rest) {
				return form, rest, true
			}
		}
	}
	return "", "", false
}

// ResolveLinks resolves the links of a path as far as it exists.
func ResolveLinks(path string) string {
	path = filepath.Clean(path)
	for known := path; ; known = filepath.Dir(known) {
		if resolved, err := filepath.EvalSymlinks(known); err == nil {
			return filepath.Join(resolved, strings.TrimPrefix(path, known))
		}
		if known == filepath.Dir(known) {
			return path
		}
	}
}

func isHidden(path string) bool {
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

// openIn opens a file below a folder; the system refuses links that lead out of
// it, also one that was put there a moment ago.
func openIn(folder, rest string, private *PrivateSnapshot) (*File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, describeOpenError(err)
	}
	defer root.Close()
	// Opening a device can do something to it, so its kind is looked at before.
	seen, err := root.Lstat(rest)
	if err != nil {
		return nil, describeOpenError(err)
	}
	if !seen.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	file, err := root.OpenFile(rest, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, describeOpenError(err)
	}
	if err := private.CheckOpenedNotPrivate(file); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err == nil && !os.SameFile(seen, info) {
		err = ErrChanged
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &File{File: file, size: info.Size(), time: info.ModTime()}, nil
}

// describeOpenError names the cause of a failure to open.
func describeOpenError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotFolder(err):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case strings.Contains(err.Error(), "escapes"): // os.Root has no error value for it
		return fmt.Errorf("%w: %w", ErrOutside, err)
	}
	return fmt.Errorf("%w: %w", ErrNotFound, err)
}
