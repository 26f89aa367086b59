//go:build !windows

package pdf

import "golang.org/x/sys/unix"

// allocateRegion maps zeroed memory outside the Go heap. A page of it takes room when it is first
// written to.
func allocateRegion(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// releaseRegion gives a region back to the system. Nothing may look at it afterwards.
func releaseRegion(region []byte) error { return unix.Munmap(region) }
