//go:build !unix

package clients

import "os/exec"

func ownGroup(cmd *exec.Cmd) { cmd.Cancel = func() error { return cmd.Process.Kill() } }
