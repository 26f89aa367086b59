package bank

import (
	"slices"
	"strings"
)

// MovesNoMoney tells whether the state of a booking says that it has not moved money: it is
// still to come, or it failed, was refused or was cancelled.
func MovesNoMoney(state string) bool { return mentionsListedPhrase("void", state) || IsPending(state) }

// IsPending tells whether the state of a booking says that it is still to come.
func IsPending(state string) bool { return mentionsListedPhrase("pending", state) }

// isState tells whether a cell says nothing but that a booking is still to come or never will.
func isState(cell string) bool {
	return len(strings.Fields(cell)) < 7 && !strings.ContainsAny(cell, "0123456789") && MovesNoMoney(cell)
}

// cutVoidRows takes the rows whose state says that they moved no money from the list, before its
// balances are compared: no balance has them.
func (table *Table) cutVoidRows() {
	l := movementList{table: *table, columns: analyzeColumns(*table)}
	assignRolesByName(l.columns)
	l.assignDateAndStatusRoles()
	state := findColumnWithRole(l.columns, Status)
	if state == nil || !l.hasDay() || !slices.ContainsFunc(state.cells, isVoid) {
		return
	}
	table.deleteRows(func(row int, cells []string) bool {
		if isVoid(state.cells[row]) {
			table.void = append(table.void, cells)
		}
		return isVoid(state.cells[row])
	})
}

func isVoid(state string) bool { return mentionsListedPhrase("void", state) }

// warnOfPending tells of movements that are in no balance yet, but for those that another warning counts.
func (statement *Statement) warnOfPending(others int) {
	count := -others
	for _, movement := range statement.Movements {
		if movement.Pending {
			count++
		}
	}
	if count > 0 {
		statement.warn("%d movements are still to come by their state (pending or authorised); they are in no balance", count)
	}
}
