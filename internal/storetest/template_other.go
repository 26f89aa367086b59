//go:build !linux

package storetest

import "errors"

// renameNew is not known here.
func renameNew(string, string) error { return errors.ErrUnsupported }
