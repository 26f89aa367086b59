package testenv

import (
	"os"
	"syscall"
)

const (
	shared  = "/dev/shm"
	minRoom = 4 << 30
	noExec  = 0x8 // ST_NOEXEC of statvfs(3)
)

// Every committed transaction waits for the disk, which is most of the time of a test of a
// database. Where there is room in memory, temporary folders lie there, unless TMPDIR says
// otherwise. A folder in which nothing can be executed is of no use to tests that start programs.
func init() {
	var there syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(shared, &there) == nil && there.Flags&noExec == 0 && there.Bavail*uint64(there.Bsize) >= minRoom {
		os.Setenv("TMPDIR", shared) //nolint:errcheck // the usual folder does as well
	}
}
