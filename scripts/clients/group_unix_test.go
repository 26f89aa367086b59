//go:build unix

package clients

import (
	"os/exec"
	"syscall"
)

// ownGroup starts a client with what it starts in a group, so that all of it ends
// when it is ended.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
