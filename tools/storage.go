package tools

import (
	"context"
	"errors"

	"toolkit/store"
)

// ToStorageError turns a failure of the store into an error for callers, or
// returns nil when err is none. Paths, SQL and codes stay in the log.
func ToStorageError(err error) *Error {
	switch {
	case errors.Is(err, store.ErrBusy):
		return Failed(CodeBusy, true, err, "another write held the database for too long; nothing was changed: try again")
	case errors.Is(err, store.ErrFull):
		return Failed(CodeStorage, false, err, "the disk is full; nothing was changed: ask the user to free some space, then try again")
	case errors.Is(err, store.ErrReadOnly):
		return Failed(CodeStorage, false, err, "the database file may no longer be written; nothing was changed: ask the user to check its permissions")
	case errors.Is(err, store.ErrDamaged):
		return Failed(CodeStorage, false, err, "the database file is damaged; ask the user to run toolkit doctor, and to restore a backup")
	case errors.Is(err, store.ErrUnreachable):
		return Failed(CodeStorage, true, err, "the database server cannot be reached, or ended the connection; what was asked may not have been done: look, then try again, or ask the user to check PostgreSQL")
	case errors.Is(err, store.ErrUnfit):
		return Failed(CodeStorage, false, err, "PostgreSQL cannot keep this: a name or key is longer than about 2,700 bytes; nothing was changed: shorten it")
	case errors.Is(err, store.ErrMoved):
		return Failed(CodeStorage, false, err, "the database file was moved, replaced or deleted while this server runs; nothing was changed: ask the user to put it back, or to restart the server with the file in use now")
	case errors.Is(err, store.ErrUnreadable):
		return Failed(CodeStorage, false, err, "the database file cannot be read or written any more; ask the user to check its disk and permissions, and to run toolkit doctor")
	}
	return nil
}

// WrapFailure gives a failure of the machine the code of what was being done. An [*Error] stays
// as it is, and that the caller gave up is no failure.
func WrapFailure(ctx context.Context, code string, err error) error {
	if err == nil || asError(err) != nil || ctx.Err() != nil {
		return err
	}
	reason := "the database did not answer as it should: try again"
	if e := ToStorageError(err); e != nil {
		reason = e.Message
	}
	return Failed(code, true, err, "%s", reason)
}
