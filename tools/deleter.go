package tools

import (
	"slices"

	"toolkit/store"
	"toolkit/store/kinds"
)

// Deleter is what a family lends to tools that work across families: the rows it
// keeps, by kind. It works inside the caller's transaction.
type Deleter interface {
	// Kinds are the kinds of rows it keeps.
	Kinds() []string
	// Find returns the rows that a kind and an id, or a name, mean; none when
	// nothing is kept under it. The kind may be one of another keeper.
	Find(tx *store.Tx, kind, id string) ([]kinds.Row, error)
	// Follow returns the rows that go wherever the given ones go (parts), and those
	// that were made from them and can do without (derived).
	Dependents(tx *store.Tx, from []kinds.Row) (parts, derived []kinds.Row, err error)
	// Forget removes those of the rows that it keeps, with everything that search
	// knows of them. It is called within store.DB.Forget.
	Forget(tx *store.Tx, rows []kinds.Row) error
}

// DeletableKinds is the part of a Deleter that most share: rows are found by their ids,
// and nothing goes with them.
type DeletableKinds []string

// Kinds are the kinds themselves.
func (k DeletableKinds) Kinds() []string { return k }

// Find finds the row of a kind and an id.
func (k DeletableKinds) Find(tx *store.Tx, kind, id string) ([]kinds.Row, error) {
	if !slices.Contains(k, kind) {
		return nil, nil
	}
	return kinds.In(tx).ByID(kind, []string{id})
}

// Dependents finds nothing.
func (DeletableKinds) Dependents(*store.Tx, []kinds.Row) (parts, derived []kinds.Row, err error) {
	return nil, nil, nil
}
