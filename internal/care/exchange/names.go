package exchange

import (
	"encoding/json"
	"strings"
)

// Entity types and relation types that carry meaning in a file.
const (
	typeChart   = "structural_tension_chart"
	typeOutcome = "desired_outcome"
	typeReality = "current_reality"
	typeStep    = "action_step"
	typeBeat    = "narrative_beat"

	relationContains   = "contains"
	relationTension    = "creates_tension_with"
	relationAdvances   = "advances_toward"
	relationTelescopes = "telescopes_into"
	relationDocuments  = "documents"
)

const (
	chartSuffix   = "_chart"
	outcomeSuffix = "_desired_outcome"
	realitySuffix = "_current_reality"
	actionInfix   = "_action_"
	beatInfix     = "_beat_"
)

// ChartEntityName is the name that a chart's own entity has in a file.
func ChartEntityName(chartID string) string { return chartID + chartSuffix }

// OutcomeEntityName is the name of the entity that holds a chart's desired outcome.
func OutcomeEntityName(chartID string) string { return chartID + outcomeSuffix }

// RealityEntityName is the name of the entity that holds a chart's current reality.
func RealityEntityName(chartID string) string { return chartID + realitySuffix }

// reservedNames are the names that no other node may have beside a chart,
// because its file form or its ID uses them.
func reservedNames(chartID string) []string {
	return []string{chartID, ChartEntityName(chartID), OutcomeEntityName(chartID), RealityEntityName(chartID)}
}

// chartByPart is the ID of the chart of which an entity of that name would be a
// part in a file, or empty.
func chartByPart(name string) string {
	for _, suffix := range []string{chartSuffix, outcomeSuffix, realitySuffix} {
		if chart, ok := strings.CutSuffix(name, suffix); ok && chart != "" {
			return chart
		}
	}
	return ""
}

// ownerByName cuts a step or beat name at its last infix: the rest is the name
// of the owner, or empty.
func ownerByName(name, infix string) string {
	if at := strings.LastIndex(name, infix); at > 0 {
		return name[:at]
	}
	return ""
}

// relationKey identifies an edge: two relations of one key are the same edge.
type relationKey struct{ from, to, relationType string }

func (r *Relation) key() relationKey { return relationKey{r.From, r.To, r.RelationType} }

// impliedByChart lists the relations that every file has for such a chart, in
// the order they are written.
func impliedByChart(chart *Chart) []Relation {
	own, outcome, reality := ChartEntityName(chart.ID), OutcomeEntityName(chart.ID), RealityEntityName(chart.ID)
	since := createdAtObject(chart.CreatedAt)
	implied := []Relation{
		{From: own, To: outcome, RelationType: relationContains, Metadata: since},
		{From: own, To: reality, RelationType: relationContains, Metadata: since},
		{From: reality, To: outcome, RelationType: relationTension, Metadata: since},
	}
	for i := range chart.Steps {
		step := &chart.Steps[i]
		stepSince := since
		if step.CreatedAt != "" {
			stepSince = createdAtObject(step.CreatedAt)
		}
		implied = append(implied,
			Relation{From: own, To: step.ID, RelationType: relationContains, Metadata: stepSince},
			Relation{From: step.ID, To: outcome, RelationType: relationAdvances, Metadata: stepSince},
		)
	}
	switch {
	case chart.ParentStep != "":
		implied = append(implied, Relation{From: chart.ParentStep, To: outcome, RelationType: relationTelescopes, Metadata: since})
	case chart.ParentChart != "":
		parent := OutcomeEntityName(chart.ParentChart)
		implied = append(implied, Relation{From: outcome, To: parent, RelationType: relationAdvances, Metadata: since})
	}
	return implied
}

// impliedByBeat is the relation that ties a beat to its chart.
func impliedByBeat(beat *Beat) Relation {
	since := beat.CreatedAt
	if since == "" {
		since = beat.Timestamp
	}
	return Relation{From: beat.Name, To: ChartEntityName(beat.ParentChart), RelationType: relationDocuments, Metadata: createdAtObject(since)}
}

// impliedRelations lists what the charts and beats of a document imply.
func (d *Document) impliedRelations() []Relation {
	var implied []Relation
	for i := range d.Charts {
		implied = append(implied, impliedByChart(&d.Charts[i])...)
	}
	for i := range d.Beats {
		implied = append(implied, impliedByBeat(&d.Beats[i]))
	}
	return implied
}

func createdAtObject(createdAt string) json.RawMessage {
	since := object{}
	since.setText("createdAt", createdAt)
	return since.encode()
}

// chartCreatedObservation is the one observation that coaia-narrative gives a
// new chart entity.
func chartCreatedObservation(createdAt string) string { return "Chart created on " + createdAt }
