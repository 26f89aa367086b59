package hooks

import "syscall"

const detachedProcess = 0x00000008 // without a console, so that none flashes

// detachedAttributes makes a process that no signal to the client's reaches.
func detachedAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}
