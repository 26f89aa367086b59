package localfile

import (
	"errors"
	"io/fs"
	"os"
)

// Cause drops the name of the system call and of the file, which messages have.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
