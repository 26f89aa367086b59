package pockets

import (
	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families. Readings
// and events name outlets, and stand without them. Sealed predictions are not
// among it: nothing removes them.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kept.PocketOutlet, kept.PocketReading, kept.PocketLedger, kept.PocketAttention}}
}

func (k deleter) Forget(tx *store.Tx, rows []kept.Row) error {
	for _, kind := range k.Kinds() {
		if err := kept.In(tx).ForgetPocketRows(kind, kept.IDs(rows, kind)); err != nil {
			return err
		}
	}
	return nil
}
