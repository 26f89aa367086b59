package layout

import "golang.org/x/sys/unix"

// limitMemory bounds what a process may take.
func limitMemory(process int, bytes uint64) {
	_ = unix.Prlimit(process, unix.RLIMIT_AS, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
}
