package storetest

import "golang.org/x/sys/unix"

// renameNew gives a file a name that no other has.
func renameNew(from, to string) error {
	return unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
}
