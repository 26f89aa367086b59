package entities

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

// findOverruled tells in which fields of a claim the state holds on to another value of more
// weight, in a line for each weight. What the claim says is kept as an observation.
func (a *entityState) findOverruled(c claim) (lines []string) {
	fields := map[int][]string{} // by the priority of what stands
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		top := a.state.currentClaim(name)
		if top == nil || top.Winner.Priority <= c.Priority || c.Fields[name] == nil {
			continue
		}
		var stated fieldClaim
		stated.add(c.Fields[name], rank{Priority: c.Priority, Sequence: math.MaxInt64}, a.policies.strategyFor(name))
		if _, against := stated.conflictWith(name, *top); against {
			fields[top.Winner.Priority] = append(fields[top.Winner.Priority], name)
		}
	}
	for priority, names := range fields {
		stands := "stand"
		if len(names) == 1 {
			stands = "stands"
		}
		lines = append(lines, fmt.Sprintf("%s of the %s %s %s as %s; what this source says instead is kept, see conflicts in %s",
			strings.Join(names, ", "), a.Type, a.ID, stands, priorityReason(priority), snapshotName))
	}
	return lines
}

// distinctLines are lines in order, each once.
func distinctLines(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// priorityReason says whose word has a priority.
func priorityReason(priority int) string {
	if priority >= correctionPriority {
		return "the user corrected it"
	}
	return "it was explicitly updated"
}

// addConflictWarnings puts overruled fields into hints.
func addConflictWarnings(h *tools.Hints, lines []string) {
	for _, line := range lines {
		h.Warn("conflict", tools.PriorityMedium, line, "if the source is right, use "+withdrawName+" or "+correctName)
	}
}

// maxCorrectedWarnings bounds how many records are named whose entities were corrected.
const maxCorrectedWarnings = 10

// correctedWarnings say which of the records that are shown hold another value than
// the user's correction: a record is what its document said.
func correctedWarnings(tx entities.Rows, shown []records.Record) (lines []string, err error) {
	rows := make([]int64, len(shown))
	for i, r := range shown {
		rows[i] = r.Seq
	}
	corrected, err := tx.FilterCorrected(rows)
	if err != nil {
		return nil, err
	}
	for _, row := range corrected {
		if len(lines) == maxCorrectedWarnings {
			return append(lines, "further records may hold corrected fields: "+snapshotName+" of their entities gives the values in force"), nil
		}
		line, err := correctedWarning(tx, shown[slices.Index(rows, row)])
		if err != nil {
			return nil, err
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func correctedWarning(tx entities.Rows, r records.Record) (string, error) {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return "", err
	}
	a, names, err := correctProperties(tx, r, properties)
	if err != nil || len(names) == 0 {
		return "", err
	}
	return fmt.Sprintf("%s of record %s: the user corrected it, and the record shows what its document said; %s of %s gives the value in force",
		strings.Join(names, ", "), r.ID, snapshotName, a.ID), nil
}

// correctProperties puts the user's corrections of an entity into what its record says, and
// returns the entity and the fields that held other values.
func correctProperties(tx entities.Rows, r records.Record, properties object) (a *entityState, names []string, err error) {
	e, err := tx.ByRow(r.Entity)
	if err != nil {
		return nil, nil, err
	}
	if a, err = loadState(tx, e); err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		top := a.state.currentClaim(name)
		if top == nil || top.Winner.Priority < correctionPriority {
			continue
		}
		if inForce := decodeValue(top.value()); string(canonical(inForce, exact)) != string(canonical(properties[name], exact)) {
			properties[name], names = inForce, append(names, name)
		}
	}
	return a, names, nil
}
