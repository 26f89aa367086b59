package integrations

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"toolkit/store/localfile"
)

// Bounds of a folder.
const (
	maxArchiveDocuments = 300_000
	maxArchiveDepth     = 24
	// sampledFileBytes is the size from which a file's fingerprint is made of parts of it,
	// so that the first look at a huge mailbox takes no minutes.
	sampledFileBytes = 64 << 20
	samplesPerFile   = 64
	sampleBytes      = 64 << 10
)

// ArchiveDocument is one file of an export.
type ArchiveDocument struct {
	Name  string // slash path inside its archive, or inside the folder
	Shown string // slash path for people, from the folder; a ZIP's member follows its archive
	Size  int64

	Fingerprint func() (string, error)        // stands for name and contents
	Open        func() (io.ReadCloser, error) // what is opened can seek unless it is packed

	modified int64 // unix seconds, of its file or its ZIP archive
}

// RefusedFile is a file that was not looked into.
type RefusedFile struct {
	Shown string
	Err   error
}

// ArchiveFolder is an open folder of exports.
type ArchiveFolder struct {
	Documents []ArchiveDocument // in the order of their names
	Refused   []RefusedFile

	root    *os.Root
	private *localfile.PrivateSnapshot
	closes  []io.Closer
}

// Close ends the use of all documents.
func (f *ArchiveFolder) Close() error {
	var errs []error
	for _, c := range slices.Backward(f.closes) {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// CheckArchiveFolder reports whether a folder is one: fs.ErrNotExist when nothing is there,
// ErrLink when it is a link.
func CheckArchiveFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("looking at the folder: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return ErrArchiveLink
	case !info.IsDir():
		return fs.ErrNotExist
	}
	return nil
}

// OpenArchiveFolder lists what lies in a folder and, packed, in its ZIP archives, as far as
// the format reads it. A folder that is not there is fs.ErrNotExist. What is
// private is not opened, by whatever name it lies there.
func OpenArchiveFolder(dir string, format ArchiveFormat, private *localfile.PrivateSnapshot) (*ArchiveFolder, error) {
	if err := CheckArchiveFolder(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	f := &ArchiveFolder{root: root, private: private, closes: []io.Closer{root}}
	if err := fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		return f.addOrRefuseEntry(name, entry, err, format)
	}); err != nil {
		f.Close() //nolint:errcheck // the first error is the one to report
		return nil, err
	}
	// Of several exports the newest is read last, so that it has the last word.
	slices.SortFunc(f.Documents, func(a, b ArchiveDocument) int {
		return cmp.Or(cmp.Compare(a.modified, b.modified), strings.Compare(a.Shown, b.Shown))
	})
	return f, nil
}

func (f *ArchiveFolder) addRefused(shown string, err error) {
	f.Refused = append(f.Refused, RefusedFile{shown, err})
}

// addOrRefuseEntry looks at one entry of the folder. Hidden entries are the system's, not
// the export's.
func (f *ArchiveFolder) addOrRefuseEntry(name string, entry fs.DirEntry, err error, format ArchiveFormat) error {
	switch {
	case err != nil && name == ".":
		return err
	case err != nil:
		f.addRefused(name, errors.New("it cannot be opened"))
		if entry != nil && entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	case f.isPrivate(entry):
		f.addRefused(name, localfile.ErrPrivate)
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	case name == ".":
		return nil
	case strings.HasPrefix(path.Base(name), ".") || path.Base(name) == "__MACOSX":
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	case entry.IsDir():
		if strings.Count(name, "/") >= maxArchiveDepth {
			f.addRefused(name, errors.New("it lies too deep"))
			return fs.SkipDir
		}
		return nil
	case entry.Type()&fs.ModeSymlink != 0:
		f.addRefused(name, ErrArchiveLink)
		return nil
	case !entry.Type().IsRegular():
		f.addRefused(name, errors.New("it is no regular file"))
		return nil
	case len(f.Documents) >= maxArchiveDocuments:
		return fmt.Errorf("the folder holds more than %d files", maxArchiveDocuments)
	case strings.EqualFold(path.Ext(name), ".zip"):
		f.addZipMembers(name, format)
	case format.Reader(name) != nil:
		f.addFile(name)
	}
	return nil
}

func (f *ArchiveFolder) isPrivate(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && f.private.IsPrivate(info)
}

// openFile opens a file of the folder that was looked at before.
func (f *ArchiveFolder) openFile(name string) (*os.File, fs.FileInfo, error) {
	file, err := f.root.Open(name)
	if err == nil {
		err = f.private.CheckOpenedNotPrivate(file)
	}
	if err != nil {
		return nil, nil, errors.New("it cannot be opened")
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close() //nolint:errcheck // nothing was read
		return nil, nil, errors.New("it is no regular file")
	}
	return file, info, nil
}

func (f *ArchiveFolder) addFile(name string) {
	info, err := f.root.Lstat(name)
	if err != nil {
		f.addRefused(name, errors.New("it cannot be opened"))
		return
	}
	f.Documents = append(f.Documents, f.makeDocument(name, info))
}

func (f *ArchiveFolder) makeDocument(name string, info fs.FileInfo) ArchiveDocument {
	open := func() (io.ReadCloser, error) {
		file, now, err := f.openFile(name)
		if err != nil {
			return nil, err
		}
		// Between the listing and now it may have become something else.
		if !os.SameFile(now, info) {
			file.Close() //nolint:errcheck // nothing was read
			return nil, errors.New("it changed while it was read")
		}
		return plainArchiveFile{file}, nil
	}
	return ArchiveDocument{
		Name: name, Shown: name, Size: info.Size(), modified: info.ModTime().Unix(), Open: open,
		Fingerprint: func() (string, error) { return fileFingerprint(name, info, open) },
	}
}

// plainArchiveFile is a file whose failures name no path of the machine.
type plainArchiveFile struct{ file *os.File }

var errArchiveUnreadable = errors.New("it cannot be read")

func (f plainArchiveFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errArchiveUnreadable
	}
	return n, err
}

func (f plainArchiveFile) ReadAt(p []byte, at int64) (int, error) { return f.file.ReadAt(p, at) }

func (f plainArchiveFile) Seek(offset int64, whence int) (int64, error) {
	n, err := f.file.Seek(offset, whence)
	if err != nil {
		err = errArchiveUnreadable
	}
	return n, err
}

func (f plainArchiveFile) Close() error { return f.file.Close() }

// fileFingerprint is a hash of name and contents; of a large file, of its size,
// its time and parts spread over it.
func fileFingerprint(name string, info fs.FileInfo, open func() (io.ReadCloser, error)) (string, error) {
	file, err := open()
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	h := sha256.New()
	io.WriteString(h, name+"\x00"+strconv.FormatInt(info.Size(), 10)+"\x00") //nolint:errcheck // a hash takes everything
	at, random := file.(io.ReaderAt)
	if info.Size() <= sampledFileBytes || !random {
		if _, err := io.Copy(h, file); err != nil {
			return "", errArchiveUnreadable
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	io.WriteString(h, info.ModTime().UTC().String()) //nolint:errcheck // a hash takes everything
	part := make([]byte, sampleBytes)
	for i := range int64(samplesPerFile) {
		if n, err := at.ReadAt(part, (info.Size()-sampleBytes)/(samplesPerFile-1)*i); err != nil && n == 0 {
			return "", errArchiveUnreadable
		}
		h.Write(part) //nolint:errcheck // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
