package pockets

import (
	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/tools"
)

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families. Readings
// and events name outlets, and stand without them. Sealed predictions are not
// among it: nothing removes them.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{kept.PocketOutlet, kept.PocketReading, kept.PocketLedger, kept.PocketAttention}}
}

func (k keeper) Forget(tx *store.Tx, rows []kept.Row) error {
	for _, kind := range k.Kinds() {
		if err := kept.In(tx).ForgetPocketRows(kind, kept.IDsOf(rows, kind)); err != nil {
			return err
		}
	}
	return nil
}
