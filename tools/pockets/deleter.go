package pockets

import (
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families. Readings
// and events name outlets, and stand without them. Sealed predictions are not
// among it: nothing removes them.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kinds.PocketOutlet, kinds.PocketReading, kinds.PocketLedger, kinds.PocketAttention}}
}

func (k deleter) Forget(tx *store.Tx, rows []kinds.Row) error {
	for _, kind := range k.Kinds() {
		if err := kinds.In(tx).ForgetPocketRows(kind, kinds.IDs(rows, kind)); err != nil {
			return err
		}
	}
	return nil
}
