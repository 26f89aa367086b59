//go:build unix

package localfile

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags keeps opening from waiting when the file became a pipe.
const openFlags = syscall.O_NONBLOCK

// isNotFolder reports a name that goes on behind a file.
func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// HasSecondName reports whether a file is known to have more than one name.
func HasSecondName(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && stat.Nlink > 1
}

// hasOtherNames reports whether a file may have more than one name.
func hasOtherNames(info fs.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return !known || stat.Nlink > 1
}

// FreeBytes returns how many bytes may still be written to the disk that holds a folder.
func FreeBytes(folder string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
