package entities

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
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
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      mergeInput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme},
			Result:      mergeOutput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme, MergedEntityIDs: []string{exampleOther}, ObservationCount: 2},
		}},
		Handle: f.merge,
	}
}

func (f *family) merge(ctx context.Context, in mergeInput) (r tools.Result[mergeOutput], err error) {
	r.Data, err = runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (mergeOutput, error) {
		// What a split called one of the two goes with it.
		source, target := string(in.SourceEntityID), string(in.TargetEntityID)
		if _, err := deleteRecordsAndRecompute(tx, []string{splitNameRecordID(source, target), splitNameRecordID(target, source)}); err != nil {
			return mergeOutput{}, err
		}
		return mergeEntities(entities.In(tx), in)
	})
	r.Hints = tools.NewHints(tools.WriteEvidence()).Because(fmt.Sprintf("the target now rests on %d observation(s)", r.Data.ObservationCount)).
		SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": r.Data.TargetEntityID}, "check what both amount to").
		SuggestCall(unmergeName, tools.PriorityLow, map[string]any{"entity_id": r.Data.SourceEntityID}, "part them again").
		AddRelatedResource("entity", r.Data.TargetEntityID, "target", 1)
	return r, err
}

func mergeEntities(tx entities.Rows, in mergeInput) (out mergeOutput, err error) {
	target, err := resolveEntity(tx, in.TargetEntityID, "target_entity_id")
	if err != nil {
		return out, err
	}
	asked, err := resolveEntity(tx, in.SourceEntityID, "source_entity_id")
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
	if err := tx.SetMergedInto(source.Seq, target.Seq); err != nil {
		return err
	}
	if err := checkMergeForCycle(tx, target); err != nil {
		return err
	}
	if err := recomputeAndSaveSnapshot(tx, source.Seq); err != nil {
		return err
	}
	return recomputeAndSaveSnapshot(tx, target.Seq)
}

// checkMergeForCycle refuses a merge that ties the relationships of both into a
// cycle. Relationships between the two are none: they are one now.
func checkMergeForCycle(tx entities.Rows, target entities.Entity) error {
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
			return cycleError(ids, "as one entity the two would close a cycle of "+t+"; details.cycle is the way round")
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
			Setup: []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()},
				{Tool: mergeName, Params: mergeInput{SourceEntityID: exampleOther, TargetEntityID: exampleAcme}}},
			Params: unmergeInput{EntityID: exampleOther},
			Result: unmergeOutput{EntityID: exampleOther, FormerEntityID: exampleAcme, ObservationCount: 1},
		}},
		Handle: f.unmerge,
	}
}

func (f *family) unmerge(ctx context.Context, in unmergeInput) (r tools.Result[unmergeOutput], err error) {
	r.Data, err = runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (unmergeOutput, error) { return unmergeEntity(entities.In(tx), in.EntityID) })
	r.Hints = tools.NewHints(tools.WriteEvidence()).Because("the two entities are apart again").
		SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": r.Data.EntityID}, "check what is known of it alone").
		SuggestCall(snapshotName, tools.PriorityLow, map[string]any{"entity_id": r.Data.FormerEntityID}, "check what is left of the other").
		AddRelatedResource("entity", r.Data.FormerEntityID, "former target", 0.8)
	return r, err
}

func unmergeEntity(tx entities.Rows, id entityIDValue) (out unmergeOutput, err error) {
	e, known, err := tx.ByID(string(id))
	switch {
	case err != nil:
		return out, err
	case !known:
		return out, entityNotFoundError("entity_id")
	case e.MergedInto == 0:
		return out, tools.Invalid(tools.CodeInvalid, "entity_id", "merged entity", "entity_id was not merged into another entity; give the source of a merge")
	}
	former, err := tx.ByRow(e.Root)
	if err != nil {
		return out, err
	}
	if err := tx.SetMergedInto(e.Seq, 0); err != nil {
		return out, err
	}
	for _, row := range []int64{e.Seq, former.Seq} {
		if err := recomputeAndSaveSnapshot(tx, row); err != nil {
			return out, err
		}
	}
	s, _, err := tx.SnapshotOf(e.Seq)
	return unmergeOutput{e.ID, former.ID, s.Count}, err
}

const splitName = "split_entity"

type splitInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity that holds what is of two"`
	Sources  []string      `json:"sources" jsonschema:"required,minItems=1,maxItems=1000,maxLength=200" jsonschema_description:"Records, payloads or observations of the other"`
	Name     string        `json:"name" jsonschema:"required,minLength=1,maxLength=500" jsonschema_description:"Name of the other, its own"`
}

type splitOutput struct {
	EntityID         string `json:"entity_id" jsonschema_description:"Entity of the sources from now on"`
	CanonicalName    string `json:"canonical_name"`
	FormerEntityID   string `json:"former_entity_id"`
	MovedCount       int    `json:"moved_count" jsonschema_description:"Observations that went to it"`
	ObservationCount int    `json:"observation_count" jsonschema_description:"Observations that the former keeps"`

	words int // by which later documents find it
}

func (f *family) splitTool() tools.Tool[splitInput, splitOutput] {
	beta := exampleSubmission()
	beta.Body = []byte(`{"invoice_number":"INV-002","amount":90,"vendor_name":"ACME, Inc.","date":"2025-02-15"}`)
	id := entityID(companyType, "acme berlin")
	return tools.Tool[splitInput, splitOutput]{
		Name:  splitName,
		Title: "Split an entity",
		Description: "Part what was joined wrongly: what some sources say of an entity goes to another, with a name of its own, and with it their relationships. " +
			"Undone by merge_entities. Returns both ids. Example: two firms called Acme.",
		Permissions: []tools.Permission{mayUpdateEntities}, Category: tools.Mutation, ResponseTime: tools.Slow, Version: version,
		Tags: []string{"entities"},
		Examples: []tools.Example[splitInput, splitOutput]{{
			Description: "The vendor of one invoice is another firm of the name",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}, {Tool: submitName, Params: beta}},
			Params:      splitInput{EntityID: exampleAcme, Sources: []string{examplePayload}, Name: "Acme Berlin"},
			Result:      splitOutput{EntityID: id, CanonicalName: "Acme Berlin", FormerEntityID: exampleAcme, MovedCount: 1, ObservationCount: 1},
		}},
		Handle: f.split,
	}
}

func (f *family) split(ctx context.Context, in splitInput) (tools.Result[splitOutput], error) {
	if err := checkNotBlank("name", in.Name); err != nil {
		return tools.Result[splitOutput]{}, err
	}
	out, err := runWrite(ctx, f, codeUpdateFailed, func(tx *store.Tx) (splitOutput, error) { return f.splitEntity(tx, in) })
	if err != nil {
		return tools.Result[splitOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).Because(fmt.Sprintf("%d observation(s) went to the other entity", out.MovedCount)).
		SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": out.EntityID}, "check what is known of it").
		SuggestCall(mergeName, tools.PriorityLow, map[string]any{"source_entity_id": out.EntityID, "target_entity_id": out.FormerEntityID}, "make one of the two again").
		AddRelatedResource("entity", out.FormerEntityID, "split from", 0.8)
	h.Assumes("relationships that a caller made stay where they are")
	if out.words == 0 {
		h.Warn("completeness", tools.PriorityLow, "the sources call it by the same words as others that stay: later documents go to the former entity", "split them again when they come, or give the two different names in documents")
	}
	return tools.Result[splitOutput]{Data: out, Hints: h}, nil
}

// splitPlan is what goes from one entity to another.
type splitPlan struct {
	observations []int64
	records      []int64 // all that they say of the entity goes
	keys         []string
	words        int
}

func (f *family) splitEntity(tx *store.Tx, in splitInput) (splitOutput, error) {
	rows := entities.In(tx)
	from, err := resolveEntity(rows, in.EntityID, "entity_id")
	if err != nil {
		return splitOutput{}, err
	}
	to, err := ensureSplitTarget(rows, from, in.Name)
	if err != nil {
		return splitOutput{}, err
	}
	p, err := planSplit(rows, from, in.Sources)
	if err != nil {
		return splitOutput{}, err
	}
	documents, err := records.In(tx).ByRows(p.records)
	if err != nil {
		return splitOutput{}, err
	}
	for _, r := range documents {
		if _, err := rows.WithdrawRelationshipSource(r.Seq, r.Entity); err != nil {
			return splitOutput{}, err
		}
	}
	if err := rows.SplitEntity(from.Seq, p.observations, p.records, p.keys, to); err != nil {
		return splitOutput{}, err
	}
	for _, row := range []int64{from.Seq, to.Root} {
		if err := recomputeAndSaveSnapshot(rows, row); err != nil {
			return splitOutput{}, err
		}
	}
	if err := f.nameSplitEntity(tx, from.Entity, to, in.Name); err != nil {
		return splitOutput{}, err
	}
	if err := relinkRecords(tx, p.records); err != nil {
		return splitOutput{}, err
	}
	left, _, err := rows.SnapshotOf(from.Seq)
	if err != nil {
		return splitOutput{}, err
	}
	to, err = rows.ByRow(to.Root)
	return splitOutput{EntityID: to.ID, CanonicalName: to.Name, FormerEntityID: from.ID, MovedCount: len(p.observations), ObservationCount: left.Count, words: p.words}, err
}

// ensureSplitTarget returns the entity of a name, which is made if there is none. It must not be the
// one that is split.
func ensureSplitTarget(tx entities.Rows, from *entityState, name string) (entities.Entity, error) {
	to, err := tx.EnsureEntity(entityID(from.Type, normalizeEntityName(from.Type, name)), from.Type)
	if err == nil && to.Root == from.Seq {
		err = tools.Invalid(tools.CodeInvalid, "name", "another name", "name is one that the entity goes by already; add what tells the two apart, such as a place")
	}
	return to, err
}

func planSplit(tx entities.Rows, from *entityState, sources []string) (splitPlan, error) {
	var p splitPlan
	moved, left, err := tx.ObservationsFromSources(from.Seq, sources)
	if err != nil {
		return p, err
	}
	if len(moved) == 0 {
		return p, tools.Invalid(tools.CodeInvalid, "sources", "sources of the entity", "sources names nothing that speaks of the entity; %s lists its observations with their records", observationsName)
	}
	if !left {
		return p, tools.Invalid(tools.CodeInvalid, "sources", "not all sources", "sources names all that is known of the entity, so nothing would be left; set its name right with %s", correctName)
	}
	documents, words := map[int64]string{}, map[string]bool{}
	for _, o := range moved {
		p.observations, documents[o.Record] = append(p.observations, o.Seq), o.RecordID
		if name := nameInObservation(from.Type, o); name != "" {
			words[splitKeyOfName(name)] = true
		}
	}
	err = tx.EachObservation(from.Seq, unboundedWindow, func(o entities.Observation) error {
		if !slices.Contains(p.observations, o.Seq) {
			delete(documents, o.Record)
			delete(words, splitKeyOfName(nameInObservation(from.Type, o)))
		}
		return nil
	})
	p.records, p.words = slices.Sorted(maps.Keys(documents)), len(words)
	for _, record := range p.records {
		p.keys = append(p.keys, splitKeyOfDocument(documents[record]))
	}
	p.keys = append(p.keys, slices.Sorted(maps.Keys(words))...)
	return p, err
}

// nameInObservation is what an observation calls its entity; empty: nothing.
func nameInObservation(entityType string, o entities.Observation) string {
	fields, err := decodeObject(o.Fields)
	if err != nil {
		return ""
	}
	return documentName(capabilityForType(entityType).Title, fields, "")
}

// nameSplitEntity gives an entity the name under which it was parted, as the user's word, where
// its documents call it something else.
func (f *family) nameSplitEntity(tx *store.Tx, from, to entities.Entity, name string) error {
	to, err := entities.In(tx).ByRow(to.Root)
	field := capabilityForType(to.Type).Title[0]
	if err != nil || foldName(to.Name) == foldName(name) || field != "name" && field != "title" {
		return err
	}
	a, err := loadEntityState(entities.In(tx), to)
	if err != nil {
		return err
	}
	name = strings.TrimSpace(name)
	properties := object{"entity_id": to.ID, "field": field, "value": name}
	_, err = f.storeCorrection(tx, splitNameRecordID(from.ID, to.ID), a, to, properties, "split from "+from.ID, name, "")
	return err
}

// splitNameRecordID returns the record of the name that a split gave.
func splitNameRecordID(from, to string) string {
	return uuid.NewSHA1(payloadSpace, []byte("split:"+from+":"+to)).String()
}
