package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"toolkit/internal/language"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// DeleteEntitiesInput is the input of delete_entities.
type DeleteEntitiesInput struct {
	EntityNames []string `json:"entityNames" jsonschema:"required,maxLength=1048576" jsonschema_description:"Exact names of the entities to delete"`
}

// DeletedEntities is the result of delete_entities.
type DeletedEntities struct {
	Success     bool     `json:"success"`
	Message     string   `json:"message"`
	Deleted     []string `json:"deleted,omitempty"`
	NotFound    []string `json:"notFound,omitempty" jsonschema_description:"Names that were not there"`
	AlsoDeleted []string `json:"alsoDeleted,omitempty" jsonschema_description:"What lived in deleted charts: steps, sub-charts, beats"`
}

func (f family) deleteEntitiesTool() tools.Tool[DeleteEntitiesInput, DeletedEntities] {
	return tools.Tool[DeleteEntitiesInput, DeletedEntities]{
		Name: "delete_entities", Title: "Delete entities",
		Description: "Deletes entities with their observations and relations, for good; a chart goes with its steps, sub-charts and beats. Use it for what is wrong or no longer wanted. " +
			f.chooseReturnSentence("Returns what was deleted and which names were not there.") + " Example: forget the cancelled project Orchard.",
		Permissions: []tools.Permission{mayDelete}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: shorterVersion,
		Tags: []string{"graph", "entities", "delete"},
		Examples: []tools.Example[DeleteEntitiesInput, DeletedEntities]{{
			Description: "Forget a project and its relations",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Params:      DeleteEntitiesInput{EntityNames: []string{"Orchard"}},
			Result:      DeletedEntities{Success: true, Message: "Entities deleted successfully", Deleted: []string{"Orchard"}},
		}, {
			Description: "Deleting an unknown name succeeds and says so",
			Params:      DeleteEntitiesInput{EntityNames: []string{"Nobody"}},
			Result:      DeletedEntities{Success: true, Message: f.deletedMessage("Entities", "entity", "entities", 0, 1), NotFound: []string{"Nobody"}},
		}},
		Handle: f.handleDeleteEntities,
	}
}

func (f family) handleDeleteEntities(ctx context.Context, in DeleteEntitiesInput) (tools.Result[DeletedEntities], error) {
	if err := checkTextsNotBlank("entityNames", in.EntityNames); err != nil {
		return tools.Result[DeletedEntities]{}, err
	}
	out := DeletedEntities{Success: true}
	var news reality.FactChanges
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) (err error) {
		news, err = deleteEntities(tx, in.EntityNames, &out)
		return err
	})
	if err != nil {
		return tools.Result[DeletedEntities]{}, err
	}
	out.Message = f.deletedMessage("Entities", "entity", "entities", len(out.Deleted), len(out.NotFound))
	h := deletedHints(out.Message, len(out.NotFound))
	if n := len(out.AlsoDeleted); n > 0 {
		h.Warn("conflict", tools.PriorityMedium, language.FormatCount(n, "node that lived in a deleted chart", "nodes that lived in deleted charts")+" went with it", "")
	}
	if len(news.Withdrawn) > 0 {
		h.Warn("conflict", tools.PriorityLow, "the chart of a deleted step does not say any more: "+quoteNames(news.Withdrawn[:min(len(news.Withdrawn), maxCandidates)]), "")
	}
	f.warnUnknownNames(ctx, h, out.NotFound)
	return tools.Result[DeletedEntities]{Data: out, Hints: h, Voice: f.messageIfCompat(out.Message)}, nil
}

// deleteEntities deletes what names mean, with all that lives in it, and notes
// in out what went.
func deleteEntities(tx *store.Tx, names []string, out *DeletedEntities) (news reality.FactChanges, err error) {
	rows := graph.In(tx)
	refs, err := rows.ResolveEntities(names)
	if err != nil {
		return news, err
	}
	loose, err := rows.DanglingRelations(names)
	if err != nil {
		return news, err
	}
	if err := rows.DeleteDanglingRelations(loose); err != nil {
		return news, err
	}
	named := map[int64]bool{}
	for _, name := range removeDuplicates(names) {
		ref, known := refs[name]
		if !known {
			out.NotFound = append(out.NotFound, name)
			continue
		}
		out.Deleted = append(out.Deleted, name)
		if ref.Part != graph.PartReality && ref.Part != graph.PartOutcome {
			named[ref.ID] = true
		}
	}
	for i, name := range names { // outcome and reality of a chart go only with the chart
		if ref, known := refs[name]; known && !named[ref.ID] {
			return news, partOfChartError(i, name)
		}
	}
	if len(named) == 0 {
		return news, nil
	}
	all, err := kinds.In(tx).FindEntitiesInside(slices.Sorted(maps.Keys(named)))
	if err != nil {
		return news, err
	}
	inside := slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return named[id] })
	if out.AlsoDeleted, err = rows.EntityNames(inside); err != nil {
		return news, err
	}
	return reality.DeleteNodesAndFacts(rows, all)
}

// partOfChartError refuses to delete a chart because a part of it was named.
func partOfChartError(i int, name string) error {
	chart, part := graph.ParseChartPart(name)
	field := fmt.Sprintf("entityNames[%d]", i)
	if part == graph.PartOutcome {
		return tools.Invalid(tools.CodeInvalid, field, "whole entity",
			"%s %s is the desired outcome of the chart %s and goes only with it; nothing was deleted: reword it with update_desired_outcome, or name the chart", field, tools.ShortenForMessage(name), tools.ShortenForMessage(chart))
	}
	return tools.Invalid(tools.CodeInvalid, field, "whole entity",
		"%s %s is the current reality of the chart %s and goes only with it; nothing was deleted: remove facts with delete_observations, or name the chart", field, tools.ShortenForMessage(name), tools.ShortenForMessage(chart)).
		WithHints(tools.NewRefusalHints().Because("a chart and its current reality are one entity here").
			SuggestCall("open_nodes", tools.PriorityHigh, map[string]any{"names": []string{chart}}, "see the facts of the chart"))
}

// Deletion names an entity and observations of it.
type Deletion struct {
	EntityName   string   `json:"entityName" jsonschema:"required,maxLength=1048576" jsonschema_description:"Exact name of the entity"`
	Observations []string `json:"observations" jsonschema:"required,maxLength=1048576" jsonschema_description:"Observations, word for word"`
}

// DeleteObservationsInput is the input of delete_observations.
type DeleteObservationsInput struct {
	Deletions []Deletion `json:"deletions" jsonschema:"required" jsonschema_description:"What to remove from which entity"`
}

// DeletedObservations is the result of delete_observations.
type DeletedObservations struct {
	Success  bool       `json:"success"`
	Message  string     `json:"message"`
	Deleted  []Deletion `json:"deleted,omitempty"`
	NotFound []Deletion `json:"notFound,omitempty" jsonschema_description:"Observations that were not there"`
}

func (f family) deleteObservationsTool() tools.Tool[DeleteObservationsInput, DeletedObservations] {
	tea := []Deletion{{EntityName: "Ada", Observations: []string{"Prefers tea"}}}
	return tools.Tool[DeleteObservationsInput, DeletedObservations]{
		Name: "delete_observations", Title: "Delete observations",
		Description: "Removes single observations, given word for word, from entities that stay; from a chart, facts of its current reality. Use it when a fact is wrong or outdated. " +
			f.chooseReturnSentence("Returns what was deleted and what was not there.") + " Example: Ada no longer prefers tea.",
		Permissions: []tools.Permission{mayDelete}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: shorterVersion,
		Tags: []string{"graph", "observations", "delete"},
		Examples: []tools.Example[DeleteObservationsInput, DeletedObservations]{{
			Description: "Remove an outdated fact",
			Setup:       []tools.SetupCall{exampleEntities},
			Params:      DeleteObservationsInput{Deletions: tea},
			Result:      DeletedObservations{Success: true, Message: "Observations deleted successfully", Deleted: tea},
		}},
		Handle: f.handleDeleteObservations,
	}
}

// removeDuplicates returns the texts of a list, each once.
func removeDuplicates(contents []string) []string {
	seen := map[string]bool{}
	list := []string{}
	for _, content := range contents {
		if !seen[content] {
			seen[content] = true
			list = append(list, content)
		}
	}
	return list
}

// removedObservations is what a deletion of observations did.
type removedObservations struct {
	DeletedObservations
	deleted, notFound int
	computed          bool     // something that a chart, step or beat only shows was named
	unknown           []string // names that nothing has
}

func (f family) handleDeleteObservations(ctx context.Context, in DeleteObservationsInput) (tools.Result[DeletedObservations], error) {
	for i, d := range in.Deletions {
		if err := tools.RequireText(itemPath("deletions", i, "entityName"), d.EntityName); err != nil {
			return tools.Result[DeletedObservations]{}, err
		}
	}
	var done removedObservations
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) (err error) {
		done, err = f.deleteNamedObservations(graph.In(tx), in.Deletions)
		return err
	})
	if err != nil {
		return tools.Result[DeletedObservations]{}, err
	}
	out := done.DeletedObservations
	out.Message = f.deletedMessage("Observations", "observation", "observations", done.deleted, done.notFound)
	h := deletedHints(out.Message, done.notFound)
	if done.computed {
		h.Warn("validation", tools.PriorityLow, "what a chart, step or beat shows beyond its recorded facts is computed and cannot be deleted", "delete the single fact, without the others it is joined with")
	}
	known := slices.DeleteFunc(slices.Clone(out.NotFound), func(d Deletion) bool { return slices.Contains(done.unknown, d.EntityName) })
	if len(known) > 0 {
		h.SuggestCall("open_nodes", tools.PriorityMedium, map[string]any{"names": []string{known[0].EntityName}}, "see the exact wording of its observations")
	} else if len(out.NotFound) == 0 && len(out.Deleted) > 0 {
		d := out.Deleted[0]
		h.SuggestCall("add_observations", tools.PriorityLow, map[string]any{"observations": []Addition{{d.EntityName, d.Observations[:min(len(d.Observations), maxCandidates)]}}}, "undo")
	}
	f.warnNearObservations(ctx, h, known)
	f.warnUnknownNames(ctx, h, removeDuplicates(done.unknown))
	return tools.Result[DeletedObservations]{Data: out, Hints: h, Voice: f.messageIfCompat(out.Message)}, nil
}

// deleteNamedObservations deletes what deletions name.
func (f family) deleteNamedObservations(rows graph.Rows, deletions []Deletion) (done removedObservations, err error) {
	done.Success = true
	names := make([]string, len(deletions))
	for i, d := range deletions {
		names[i] = d.EntityName
	}
	stored, refs, err := f.resolveNames(rows, names)
	if err != nil {
		return done, err
	}
	deletions = slices.Clone(deletions)
	for i := range deletions {
		deletions[i].EntityName = stored[i]
	}
	for _, d := range deletions {
		removed := []string{}
		ref, known := refs[d.EntityName]
		if !known {
			done.unknown = append(done.unknown, d.EntityName)
		} else if removed, err = rows.DeleteObservations(ref.ID, removeDuplicates(d.Observations)); err != nil {
			return done, err
		}
		missing := slices.DeleteFunc(removeDuplicates(d.Observations), func(content string) bool { return slices.Contains(removed, content) })
		if len(removed) > 0 {
			done.Deleted = append(done.Deleted, Deletion{d.EntityName, removed})
		}
		if len(missing) > 0 {
			done.NotFound = append(done.NotFound, Deletion{d.EntityName, missing})
		}
		if known && ref.Kind != graph.KindPlain {
			done.computed = done.computed || len(missing) > 0
			if len(removed) > 0 {
				rows.TouchCharts()
			}
		}
		done.deleted, done.notFound = done.deleted+len(removed), done.notFound+len(missing)
	}
	return done, nil
}

// messageIfCompat returns the text of a deletion: in compatibility the sentence alone, as
// the official server has it; else the documented object.
func (f family) messageIfCompat(message string) string {
	if f.MemoryCompat {
		return message
	}
	return ""
}

// chooseReturnSentence returns what a tool's description says of its result: in compatibility the
// official server's sentence, whatever was there.
func (f family) chooseReturnSentence(returns string) string {
	if f.MemoryCompat {
		return "Returns a confirmation, also of what was not there."
	}
	return returns
}

// deletedMessage is the official server's sentence when everything was there; in
// compatibility always.
func (f family) deletedMessage(subject, one, many string, deleted, notFound int) string {
	switch {
	case notFound == 0 || f.MemoryCompat:
		return subject + " deleted successfully"
	case deleted == 0:
		return "No " + many + " deleted: nothing of what was named is there"
	}
	return fmt.Sprintf("%s deleted; %d not there", language.FormatCount(deleted, one, many), notFound)
}

func deletedHints(message string, notFound int) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).Because(message)
	if notFound > 0 {
		h.Assumes("what was not there needed no deleting")
	}
	return h
}
