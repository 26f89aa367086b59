package localfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts a text in the place of a file in one step, so that whoever reads
// meanwhile sees the old file or the new one.
func Replace(path string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".toolkit-*.part")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) //nolint:errcheck // gone after the rename
	_, err = file.Write(text)
	if err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// WriteNew writes a file that is not there yet, for its owner alone, in a folder that is
// made if need be, and waits until it is on the disk.
func WriteNew(path string, in io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// CreateNumberedFile makes the first file of base and ending, base-2 and ending, and so on, that is not
// there yet.
func CreateNumberedFile(base, ending string, mode fs.FileMode) (*os.File, error) {
	name := base + ending
	for n := 2; ; n++ {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
		name = fmt.Sprintf("%s-%d%s", base, n, ending)
	}
}

// Cause drops the name of the system call and of the file, which messages have.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
