package exchange

import (
	"strconv"
	"strings"

	"toolkit/store/nodes"
)

// Entity types and relation types that carry meaning in a file, beside those of
// the store.
const (
	typeOutcome = "desired_outcome"
	typeReality = "current_reality"

	relationTension  = "creates_tension_with"
	relationAdvances = "advances_toward"
)

const (
	actionInfix = "_action_"
	beatInfix   = "_beat_"
)

// maxNumber bounds the numbers taken over from names of steps and beats:
// coaia-narrative numbers some by the clock, and no tool should go on from there.
const maxNumber = 999_999

// ownerByName cuts a step or beat name at its last infix: the rest is the name
// of the owner, or empty.
func ownerByName(name, infix string) string {
	return name[:max(strings.LastIndex(name, infix), 0)]
}

// numberInName is N in a name like <owner>_action_N, or 0.
func numberInName(owner, infix, name string) int {
	digits, found := strings.CutPrefix(name, owner+infix)
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n > maxNumber {
		return 0
	}
	return n
}

// relationKey identifies an edge: two relations of one key are the same edge.
type relationKey struct{ from, to, relationType string }

func (r *Relation) key() relationKey { return relationKey{r.From, r.To, r.Type} }

// impliedByChart lists the relations that every file has for such a chart.
func impliedByChart(chartID, parentChart, parentStep string, steps []string) []relationKey {
	entity, outcome, reality := chartID+nodes.PartChart, chartID+nodes.PartOutcome, chartID+nodes.PartReality
	implied := []relationKey{
		{entity, outcome, nodes.RelationContains},
		{entity, reality, nodes.RelationContains},
		{reality, outcome, relationTension},
	}
	for _, step := range steps {
		implied = append(implied, relationKey{entity, step, nodes.RelationContains}, relationKey{step, outcome, relationAdvances})
	}
	if parentStep != "" {
		return append(implied, relationKey{parentStep, outcome, nodes.RelationTelescopes})
	}
	if parentChart != "" {
		return append(implied, relationKey{outcome, parentChart + nodes.PartOutcome, relationAdvances})
	}
	return implied
}

// impliedByBeat is the relation that ties a beat to its chart.
func impliedByBeat(beat, chartID string) relationKey {
	return relationKey{beat, chartID + nodes.PartChart, nodes.RelationDocuments}
}
