//go:build !windows

package backup

import (
	"errors"
	"os"
)

// syncFolder makes a rename survive a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
