package localfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts a text in the place of a file in one step, so that whoever reads
// meanwhile sees the old file or the new one.
func Replace(path string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".toolkit-*")
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
