//go:build !windows

package localfile

import "golang.org/x/sys/unix"

// Free is how many bytes may still be written to the disk that holds a folder.
func Free(folder string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
