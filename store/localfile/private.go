package localfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrPrivate tells that a name leads to something that toolkit keeps for itself.
var ErrPrivate = errors.New("it is a file of toolkit itself")

// Private are files and folders that are opened for nobody, whatever leads to
// them: closing any descriptor of a file drops every POSIX lock that the process
// holds on it, so reading an open SQLite database takes it from under SQLite.
// They are told by device and inode, before anything is opened.
type Private struct {
	Files   []string // absolute; they need not exist
	Folders []string // absolute, with all that lies below them
	// Except names a folder right in them whose files are the user's: they are not
	// private where another name or an importer leads to them.
	Except string
}

// PrivateSnapshot is what was private at one moment.
type PrivateSnapshot struct {
	private  Private
	files    []fs.FileInfo
	folders  []fs.FileInfo
	contents []fs.FileInfo // of the folders; nil: not asked for yet
}

// Snapshot finds what is private now.
func (p Private) Snapshot() *PrivateSnapshot {
	l := &PrivateSnapshot{private: p}
	for _, name := range p.Files {
		if info, err := os.Stat(name); err == nil {
			l.files = append(l.files, info)
		}
	}
	l.walkFolders(func(depth int, entry fs.DirEntry) error {
		if !entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			l.folders = append(l.folders, info)
		}
		if depth == maxFolderDepth {
			return fs.SkipDir // there may be many thousands
		}
		return nil
	})
	return l
}

// maxFolderDepth is how deep below the folder of stored files those lie which hold
// them: sha256/ab.
const maxFolderDepth = 2

// walkFolders goes through the folders. What cannot be read can be opened by no name.
func (l *PrivateSnapshot) walkFolders(f func(depth int, entry fs.DirEntry) error) {
	for _, folder := range l.private.Folders {
		root := ResolveLinks(folder)
		filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error { //nolint:errcheck // no error is returned
			switch {
			case err != nil:
				return nil
			case l.private.Except != "" && path == filepath.Join(root, l.private.Except):
				return fs.SkipDir
			}
			return f(strings.Count(path[len(root):], string(filepath.Separator)), entry)
		})
	}
}

// IsPrivate reports whether a file or folder is private.
func (l *PrivateSnapshot) IsPrivate(info fs.FileInfo) bool {
	if info.IsDir() {
		return containsFile(l.folders, info)
	}
	// A file that has one name only is found by the folder it lies in.
	return containsFile(l.files, info) || hasOtherNames(info) && containsFile(l.listFiles(), info)
}

func containsFile(list []fs.FileInfo, info fs.FileInfo) bool {
	return slices.ContainsFunc(list, func(known fs.FileInfo) bool { return os.SameFile(known, info) })
}

// listFiles returns the files in the folders.
func (l *PrivateSnapshot) listFiles() []fs.FileInfo {
	if l.contents != nil {
		return l.contents
	}
	l.contents = []fs.FileInfo{}
	l.walkFolders(func(_ int, entry fs.DirEntry) error {
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			l.contents = append(l.contents, info)
		}
		return nil
	})
	return l.contents
}

// CheckOpenedNotPrivate returns ErrPrivate for an open file that is private, because it took the
// place of another one after that was looked at. The file is then kept open until
// the process ends: the caller must not close it.
func (l *PrivateSnapshot) CheckOpenedNotPrivate(file *os.File) error {
	info, err := file.Stat()
	if err == nil && l.IsPrivate(info) {
		retainedFiles.Lock()
		defer retainedFiles.Unlock()
		retainedFiles.files = append(retainedFiles.files, file)
		return ErrPrivate
	}
	return err
}

var retainedFiles struct {
	sync.Mutex
	files []*os.File
}

// leadsToPrivate reports whether a name leads to something private, or would when a file
// of that name were made.
func (l *PrivateSnapshot) leadsToPrivate(name string) bool {
	if info, err := os.Stat(name); err == nil && l.IsPrivate(info) {
		return true
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	folder := ResolveLinks(filepath.Dir(path))
	if real, err := filepath.EvalSymlinks(path); err == nil {
		folder = filepath.Dir(real)
	} else if l.isPrivateName(folder, filepath.Base(path)) {
		return true
	}
	for {
		if info, err := os.Stat(folder); err == nil && l.IsPrivate(info) {
			return true
		}
		if filepath.Dir(folder) == folder {
			return false
		}
		folder = filepath.Dir(folder)
	}
}

// isPrivateName reports whether a file that does not exist yet would be a private one.
func (l *PrivateSnapshot) isPrivateName(folder, base string) bool {
	info, err := os.Stat(folder)
	return err == nil && slices.ContainsFunc(l.private.Files, func(name string) bool {
		theirs, err := os.Stat(filepath.Dir(name))
		return err == nil && strings.EqualFold(filepath.Base(name), base) && os.SameFile(theirs, info)
	})
}

// CheckNotPrivate returns ErrPrivate when a name leads to something private, or would when
// a file were made there. It opens nothing.
func (p Private) CheckNotPrivate(name string) error {
	if p.Snapshot().leadsToPrivate(name) {
		return ErrPrivate
	}
	return nil
}

// Open opens a file for reading that somebody named, unless it is private.
func (p Private) Open(name string) (*os.File, error) {
	look := p.Snapshot()
	if look.leadsToPrivate(name) {
		return nil, ErrPrivate
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := look.CheckOpenedNotPrivate(file); err != nil {
		return nil, err
	}
	return file, nil
}
