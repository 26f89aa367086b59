package localfile

import "golang.org/x/sys/windows"

// Free is how many bytes may still be written to the disk that holds a folder.
func Free(folder string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
