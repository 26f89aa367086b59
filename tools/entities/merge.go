package entities

import (
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const (
	mergeName   = "merge_entities"
	unmergeName = "unmerge_entities"
)

type mergeInput struct {
	SourceEntityID entityIDValue `json:"source_entity_id" jsonschema:"required" jsonschema_description:"Entity that goes into the other"`
	TargetEntityID entityIDValue `json:"target_entity_id" jsonschema:"required" jsonschema_description:"Entity that stays"`
}

type mergeOutput struct {
	SourceEntityID   string   `json:"source_entity_id"`
	TargetEntityID   string   `json:"target_entity_id" jsonschema_description:"Entity that now holds what is known of both"`
	MergedEntityIDs  []string `json:"merged_entity_ids" jsonschema_description:"All entities that the target holds"`
	ObservationCount int      `json:"observation_count"`
}

func (f *family) mergeTool() tools.Tool[mergeInput, mergeOutput] {
	return tools.Tool[mergeInput, mergeOutput]{
		Name:  mergeName,
		Title: "Merge two entities",
		Description: "Make one entity of two that are the same: observations and relationships of the source count for the target, and its id leads there. " +
			"Undone by unmerge_entities. Returns what the target holds. Example: Acme Germany and Acme.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, Version: version,
		Tags: []string{"entities"},
		Examples: []tools.Example[mergeInput, mergeOutput]{{
			Description: "A customer that is the vendor",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      mergeInput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme},
			Result:      mergeOutput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme, MergedEntityIDs: []string{exampleOther}, ObservationCount: 2},
		}},
		Handle: f.merge,
	}
}

func (f *family) merge(ctx context.Context, in mergeInput) (r tools.Result[mergeOutput], err error) {
	r.Data, err = write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (mergeOutput, error) {
		// What a split called one of the two goes with it.
		source, target := string(in.SourceEntityID), string(in.TargetEntityID)
		if _, err := removeRecords(tx, []string{splitNameRecord(source, target), splitNameRecord(target, source)}); err != nil {
			return mergeOutput{}, err
		}
		return mergeEntities(entities.In(tx), in)
	})
	r.Hints = tools.NewHints(tools.WriteEvidence()).Because(fmt.Sprintf("the target now rests on %d observation(s)", r.Data.ObservationCount)).
		Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": r.Data.TargetEntityID}, "check what both amount to").
		Next(unmergeName, tools.PriorityLow, map[string]any{"entity_id": r.Data.SourceEntityID}, "part them again").
		Relate("entity", r.Data.TargetEntityID, "target", 1)
	return r, err
}

func mergeEntities(tx entities.Rows, in mergeInput) (out mergeOutput, err error) {
	target, err := resolve(tx, in.TargetEntityID, "target_entity_id")
	if err != nil {
		return out, err
	}
	asked, err := resolve(tx, in.SourceEntityID, "source_entity_id")
	if err != nil {
		return out, err
	}
	source := asked.Asked
	switch {
	case source.ID == target.ID || source.ID == target.Asked.ID:
		err = tools.Invalid(tools.CodeInvalid, "target_entity_id", "two entities", "source_entity_id and target_entity_id are the same entity; name two different ones")
	case source.Type != target.Type:
		err = tools.Invalid(tools.CodeInvalid, "target_entity_id", "same type", "source_entity_id and target_entity_id are of different types (%s, %s); relate them instead", source.Type, target.Type)
	case source.MergedInto != 0 && source.Root != target.Seq:
		err = tools.Invalid(tools.CodeInvalid, "source_entity_id", "not merged", "source_entity_id was merged into another entity; unmerge it first, or merge that one")
	case source.MergedInto == 0:
		err = moveEntity(tx, source, target.Entity)
	}
	if err != nil {
		return out, err
	}
	s, _, err := tx.SnapshotOf(target.Seq)
	if err != nil {
		return out, err
	}
	ids, err := tx.MergedIDs(target.Seq)
	return mergeOutput{source.ID, target.ID, ids, s.Count}, err
}

// moveEntity puts one entity into another and reduces what they amount to.
func moveEntity(tx entities.Rows, source, target entities.Entity) error {
	if err := tx.MoveEntity(source.Seq, target.Seq); err != nil {
		return err
	}
	if err := refuseMergedCycle(tx, target); err != nil {
		return err
	}
	if err := recompute(tx, source.Seq); err != nil {
		return err
	}
	return recompute(tx, target.Seq)
}

// refuseMergedCycle refuses a merge that ties the relationships of both into a
// cycle. Relationships between the two are none: they are one now.
func refuseMergedCycle(tx entities.Rows, target entities.Entity) error {
	types, err := tx.RelationshipTypesOf(target.Seq)
	if err != nil {
		return err
	}
	for _, t := range types {
		if t == refersToType {
			continue
		}
		path, err := tx.RelationshipPath(t, target.Seq, target.Seq)
		if err != nil {
			return err
		}
		if path != nil {
			ids, err := tx.EntityIDs(path)
			if err != nil {
				return err
			}
			return cycle(ids, "as one entity the two would close a cycle of "+t+"; details.cycle is the way round")
		}
	}
	return nil
}

type unmergeInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity that was merged into another"`
}

type unmergeOutput struct {
	EntityID         string `json:"entity_id"`
	FormerEntityID   string `json:"former_entity_id" jsonschema_description:"Entity it was part of"`
	ObservationCount int    `json:"observation_count"`
}

func (f *family) unmergeTool() tools.Tool[unmergeInput, unmergeOutput] {
	return tools.Tool[unmergeInput, unmergeOutput]{
		Name:  unmergeName,
		Title: "Part merged entities",
		Description: "Take an entity out of the one it was merged into: its observations and relationships, also later ones, are its own again. " +
			"Returns both ids. Example: the two Acmes are different firms after all.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Slow, Version: version,
		Tags: []string{"entities"},
		Examples: []tools.Example[unmergeInput, unmergeOutput]{{
			Description: "Undo a merge",
			Setup: []tools.SetupCall{{Tool: submitName, Params: sourceExample()},
				{Tool: mergeName, Params: mergeInput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme}}},
			Params: unmergeInput{EntityID: exampleOther},
			Result: unmergeOutput{EntityID: exampleOther, FormerEntityID: exampleAcme, ObservationCount: 1},
		}},
		Handle: f.unmerge,
	}
}

func (f *family) unmerge(ctx context.Context, in unmergeInput) (r tools.Result[unmergeOutput], err error) {
	r.Data, err = write(ctx, f, codeUpdateFailed, func(tx *store.Tx) (unmergeOutput, error) { return unmergeEntity(entities.In(tx), in.EntityID) })
	r.Hints = tools.NewHints(tools.WriteEvidence()).Because("the two entities are apart again").
		Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": r.Data.EntityID}, "check what is known of it alone").
		Next(snapshotName, tools.PriorityLow, map[string]any{"entity_id": r.Data.FormerEntityID}, "check what is left of the other").
		Relate("entity", r.Data.FormerEntityID, "former target", 0.8)
	return r, err
}

func unmergeEntity(tx entities.Rows, id entityIDValue) (out unmergeOutput, err error) {
	e, known, err := tx.ByID(string(id))
	switch {
	case err != nil:
		return out, err
	case !known:
		return out, entityNotFound("entity_id")
	case e.MergedInto == 0:
		return out, tools.Invalid(tools.CodeInvalid, "entity_id", "merged entity", "entity_id was not merged into another entity; give the source of a merge")
	}
	former, err := tx.ByRow(e.Root)
	if err != nil {
		return out, err
	}
	if err := tx.MoveEntity(e.Seq, 0); err != nil {
		return out, err
	}
	for _, row := range []int64{e.Seq, former.Seq} {
		if err := recompute(tx, row); err != nil {
			return out, err
		}
	}
	s, _, err := tx.SnapshotOf(e.Seq)
	return unmergeOutput{e.ID, former.ID, s.Count}, err
}
