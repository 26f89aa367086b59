//go:build !windows

package hook

import "syscall"

// apart makes a process that no signal to the client's reaches.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
