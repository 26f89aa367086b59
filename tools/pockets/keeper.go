package pockets

import (
	"slices"

	"toolkit/store"
	"toolkit/tools"
)

type keeper struct{}

// Keeper is what the family keeps, for tools that work across families. Sealed
// predictions are not among it: nothing removes them.
func Keeper() tools.Keeper { return keeper{} }

func (keeper) Kinds() []string {
	return []string{store.KeptPocketOutlet, store.KeptPocketReading, store.KeptPocketLedger, store.KeptPocketAttention}
}

func (k keeper) Find(tx *store.Tx, kind, id string) ([]store.Kept, error) {
	if !slices.Contains(k.Kinds(), kind) {
		return nil, nil
	}
	return tx.KeptByID(kind, []string{id})
}

// Follow finds nothing: readings and events name outlets, and stand without them.
func (keeper) Follow(*store.Tx, []store.Kept) (parts, derived []store.Kept, err error) {
	return nil, nil, nil
}

func (k keeper) Forget(tx *store.Tx, rows []store.Kept) error {
	for _, kind := range k.Kinds() {
		if err := tx.ForgetPocketRows(kind, store.IDsOf(rows, kind)); err != nil {
			return err
		}
	}
	return nil
}
