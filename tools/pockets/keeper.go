package pockets

import (
	"toolkit/store"
	"toolkit/tools"
)

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families. Readings
// and events name outlets, and stand without them. Sealed predictions are not
// among it: nothing removes them.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{store.KeptPocketOutlet, store.KeptPocketReading, store.KeptPocketLedger, store.KeptPocketAttention}}
}

func (k keeper) Forget(tx *store.Tx, rows []store.Kept) error {
	for _, kind := range k.Kinds() {
		if err := tx.ForgetPocketRows(kind, store.IDsOf(rows, kind)); err != nil {
			return err
		}
	}
	return nil
}
