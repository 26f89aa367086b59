//go:build unix

package transcripts

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identity stays when a file is renamed.
func identity(path string, info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
	}
	return path
}
