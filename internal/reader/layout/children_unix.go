//go:build unix

package layout

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes a process end with all that it starts: a script around Tesseract
// is a program too, and would leave Tesseract running.
func endWithChildren(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
