package tools

import (
	"maps"

	"toolkit/store"
	"toolkit/store/kinds"
)

// Deleters remove rows by kind, by their ids, where more goes with them than
// store/kinds says: what only their family knows. They work inside the caller's
// transaction.
type Deleters map[string]func(tx *store.Tx, ids []string) error

// JoinDeleters returns those of several families.
func JoinDeleters(families ...Deleters) Deleters {
	all := Deleters{}
	for _, d := range families {
		maps.Copy(all, d)
	}
	return all
}

// DeleteRows removes rows of all kinds, with everything that search knows of them.
// What depends on them is among the rows.
func (d Deleters) DeleteRows(tx *store.Tx, rows []kinds.Row) error {
	for _, kind := range kinds.Names() {
		ids := kinds.IDs(rows, kind)
		remove, special := d[kind]
		if !special {
			remove = func(tx *store.Tx, ids []string) error { return kinds.In(tx).Delete(kind, ids) }
		}
		if len(ids) == 0 {
			continue
		}
		if err := remove(tx, ids); err != nil {
			return err
		}
	}
	return nil
}
