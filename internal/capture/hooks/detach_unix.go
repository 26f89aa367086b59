//go:build !windows

package hooks

import "syscall"

// detachedAttributes makes a process that no signal to the client's reaches.
func detachedAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
