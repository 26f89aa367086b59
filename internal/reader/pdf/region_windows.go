package pdf

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// allocateRegion maps zeroed memory outside the Go heap. A page of it takes room when it is first
// written to.
func allocateRegion(size int) ([]byte, error) {
	address, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The address is the system's, not the collector's, which go vet cannot know.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}

// releaseRegion gives a region back to the system. Nothing may look at it afterwards.
func releaseRegion(region []byte) error {
	return windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(region))), 0, windows.MEM_RELEASE)
}
