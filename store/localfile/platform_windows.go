package localfile

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// openFlags: names of pipes are outside of every folder here.
const openFlags = 0

func isNotFolder(error) bool { return false }

// HasSecondName: how many names a file has is not told without opening it.
func HasSecondName(fs.FileInfo) bool { return false }

// hasOtherNames: how many names a file has is not told without opening it.
func hasOtherNames(fs.FileInfo) bool { return true }

// FreeBytes returns how many bytes may still be written to the disk that holds a folder.
func FreeBytes(folder string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
