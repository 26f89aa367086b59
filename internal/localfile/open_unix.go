//go:build unix

package localfile

import (
	"errors"
	"syscall"
)

// doNotWait keeps opening from waiting when the file became a pipe.
const doNotWait = syscall.O_NONBLOCK

// isNotFolder reports a name that goes on behind a file.
func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
