package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// Addition names an entity and the observations to add to it.
type Addition struct {
	EntityName string   `json:"entityName" jsonschema:"required,maxLength=1048576" jsonschema_description:"Exact name of an entity or chart"`
	Contents   []string `json:"contents" jsonschema:"required,maxLength=1048576" jsonschema_description:"Facts, one each"`
}

// AddObservationsInput is the input of add_observations.
type AddObservationsInput struct {
	Observations []Addition `json:"observations" jsonschema:"required" jsonschema_description:"All or none"`
}

// Added says which observations of an entity are new.
type Added struct {
	EntityName        string   `json:"entityName"`
	AddedObservations []string `json:"addedObservations" jsonschema_description:"Without those it had already"`
}

// AddedObservations is the result of add_observations.
type AddedObservations struct {
	Results []Added `json:"results"`
}

func (f family) addObservationsTool() tools.Tool[AddObservationsInput, AddedObservations] {
	return tools.Tool[AddObservationsInput, AddedObservations]{
		Name: "add_observations", Title: "Add observations",
		Description: "Adds facts to entities that exist, or to the current reality of a chart; those they have are skipped. " +
			"Returns what was added to each. Example: Ada moved to Lisbon.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: "1.0.1",
		Tags: []string{"graph", "observations", "remember"}, Core: true, BareList: "results",
		Examples: []tools.Example[AddObservationsInput, AddedObservations]{{
			Description: "Record a new fact and one that is known",
			Setup:       []tools.SetupCall{exampleEntities},
			Params:      AddObservationsInput{Observations: []Addition{{EntityName: "Ada", Contents: []string{"Prefers tea", "Moved to Lisbon"}}}},
			Result:      AddedObservations{Results: []Added{{EntityName: "Ada", AddedObservations: []string{"Moved to Lisbon"}}}},
		}},
		Handle: f.handleAddObservations,
	}
}

func (f family) handleAddObservations(ctx context.Context, in AddObservationsInput) (tools.Result[AddedObservations], error) {
	var none tools.Result[AddedObservations]
	names := make([]string, len(in.Observations))
	for i, a := range in.Observations {
		names[i] = a.EntityName
		if err := f.checkAddition(i, a); err != nil {
			return none, err
		}
	}
	out := AddedObservations{Results: []Added{}}
	charts := 0
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		stored, refs, err := f.resolveNames(rows, names)
		if err != nil {
			return err
		}
		in.Observations = slices.Clone(in.Observations)
		for i := range in.Observations {
			in.Observations[i].EntityName = stored[i]
		}
		if err := checkAdditionTargets(in.Observations, refs); err != nil {
			return err
		}
		for _, a := range in.Observations {
			ref := refs[a.EntityName]
			contents := a.Contents
			if ref.Kind != graph.KindPlain { // facts are compared without surrounding space
				contents = trimTexts(contents)
			}
			added, err := rows.AppendObservations(ref.ID, contents)
			if err != nil {
				return err
			}
			if ref.Kind != graph.KindPlain && len(added) > 0 {
				charts++
				rows.TouchCharts()
			}
			out.Results = append(out.Results, Added{EntityName: a.EntityName, AddedObservations: added})
		}
		return nil
	})
	if err != nil {
		return none, err
	}
	return tools.Result[AddedObservations]{Data: out, Hints: addedHints(in, out, charts)}, nil
}

func trimTexts(texts []string) []string {
	trimmed := make([]string, len(texts))
	for i, text := range texts {
		trimmed[i] = strings.TrimSpace(text)
	}
	return trimmed
}

// checkAddition refuses blank texts.
func (f family) checkAddition(i int, a Addition) error {
	return cmp.Or(tools.RequireText(itemPath("observations", i, "entityName"), a.EntityName), f.ignoreInCompat(checkTextsNotBlank(itemPath("observations", i, "contents"), a.Contents)))
}

// checkAdditionTargets enforces the documented order: references before orientation.
func checkAdditionTargets(additions []Addition, refs map[string]graph.EntityRef) error {
	for i, a := range additions {
		if _, known := refs[a.EntityName]; !known {
			return &missingEntity{itemPath("observations", i, "entityName"), a.EntityName}
		}
	}
	for i, a := range additions {
		if refs[a.EntityName].Part == graph.PartOutcome {
			chart, _ := graph.ParseChartPart(a.EntityName)
			return tools.Invalid(tools.CodeInvalid, itemPath("observations", i, "entityName"), "facts",
				"%s is the desired outcome of the chart %s, which holds one sentence and no facts; reword it with update_desired_outcome, or add what is so to the chart itself", tools.ShortenForMessage(a.EntityName), tools.ShortenForMessage(chart))
		}
		if refs[a.EntityName].Kind != graph.KindChart {
			continue
		}
		for k, c := range a.Contents {
			if finding := orientation.CheckReality(c); finding != nil {
				return aspirationError(itemPath("observations", i, fmt.Sprintf("contents[%d]", k)), finding)
			}
		}
	}
	return nil
}

// aspirationError refuses an aspiration as a fact of a chart's current reality.
func aspirationError(field string, finding *orientation.Finding) error {
	return tools.WordingError(field, finding).
		WithHints(tools.NewRefusalHints().Because("observations of a chart are its current reality, which must be factual").
			SuggestCall("add_observations", tools.PriorityHigh, nil, "call again with "+field+" said as the message asks"))
}

func addedHints(in AddObservationsInput, out AddedObservations, charts int) *tools.Hints {
	requested, added := 0, 0
	names := []string{}
	h := tools.NewHints(tools.WriteEvidence())
	for i, r := range out.Results {
		requested += len(in.Observations[i].Contents)
		added += len(r.AddedObservations)
		if len(names) < maxCandidates {
			names = append(names, r.EntityName)
		}
	}
	if skipped := requested - added; skipped > 0 {
		h.Warn("duplicate", tools.PriorityLow, language.FormatCount(skipped, "observation was known and", "observations were known and")+" skipped", "")
	}
	h.Because(language.FormatCount(added, "new fact", "new facts") + " recorded")
	if charts > 0 {
		h.Assumes("observations of a chart are facts of its current reality; those of a step are progress")
	}
	if len(names) > 0 {
		h.SuggestCall("open_nodes", tools.PriorityLow, map[string]any{"names": names}, "read all that is known now")
	}
	return h
}
