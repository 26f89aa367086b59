package store

import "context"

type guardKey struct{}

// WithGuard returns a context whose first [DB.Write] begins with check, inside its
// transaction: what check refuses is not written. So a caller that shows something
// before it is changed can make sure that it is still what was shown.
func WithGuard(ctx context.Context, check func(*Tx) error) context.Context {
	return context.WithValue(ctx, guardKey{}, &check)
}

// runGuard runs the check that a context carries, if no write did so before.
func runGuard(ctx context.Context, tx *Tx) error {
	check, guarded := ctx.Value(guardKey{}).(*func(*Tx) error)
	if !guarded || *check == nil {
		return nil
	}
	err := (*check)(tx)
	if err == nil {
		*check = nil // a write that is part of the same change finds it changed
	}
	return err
}
