package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// CreateRelationsInput is the input of create_relations.
type CreateRelationsInput struct {
	Relations []Relation `json:"relations" jsonschema:"required" jsonschema_description:"All or none"`
}

// CreatedRelations is the result of create_relations.
type CreatedRelations struct {
	Relations []Relation `json:"relations" jsonschema_description:"The relations that were added"`
}

func (f family) createRelationsTool() tools.Tool[CreateRelationsInput, CreatedRelations] {
	both := "; both must exist"
	if f.MemoryCompat {
		both = ""
	}
	return tools.Tool[CreateRelationsInput, CreatedRelations]{
		Name: "create_relations", Title: "Create relations",
		Description: "Connects entities by directed, typed relations. Use it when you learn how two things belong together" + both + ". " +
			"Returns those that are new. Example: Ada leads Orchard.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: "1.0.1",
		Tags: []string{"graph", "relations", "remember"}, Core: true, BareList: "relations", LongNames: f.MemoryCompat,
		Examples: []tools.Example[CreateRelationsInput, CreatedRelations]{{
			Description: "Say who leads a project",
			Setup:       []tools.SetupCall{exampleEntities},
			Params:      CreateRelationsInput{Relations: []Relation{leads}},
			Result:      CreatedRelations{Relations: []Relation{leads}},
		}},
		Handle: f.handleCreateRelations,
	}
}

func (f family) handleCreateRelations(ctx context.Context, in CreateRelationsInput) (tools.Result[CreatedRelations], error) {
	var none tools.Result[CreatedRelations]
	if err := f.checkRelationTexts(in.Relations); err != nil {
		return none, err
	}
	out := CreatedRelations{Relations: []Relation{}}
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) (err error) {
		if in.Relations, err = f.replaceTitles(graph.In(tx), in.Relations); err != nil {
			return err
		}
		out.Relations, err = f.insertRelations(graph.In(tx), in.Relations)
		return err
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.WriteEvidence())
	if skipped := len(in.Relations) - len(out.Relations); skipped > 0 {
		h.Warn("duplicate", tools.PriorityLow, language.FormatCount(skipped, "relation existed already and was", "relations existed already and were")+" skipped", "")
	}
	if len(out.Relations) == 0 {
		h.Because("nothing new was connected")
	} else {
		r := out.Relations[0]
		h.Because(fmt.Sprintf("%s and %s are now found together", tools.ShortenForMessage(r.From), tools.ShortenForMessage(r.To)))
	}
	if len(in.Relations) > 0 {
		r := in.Relations[0]
		h.SuggestCall("open_nodes", tools.PriorityLow, map[string]any{"names": []string{r.From}}, "see all that "+tools.ShortenForMessage(r.From)+" is connected to")
	}
	return tools.Result[CreatedRelations]{Data: out, Hints: h}, nil
}

// checkRelationTexts refuses blank names and types.
func (f family) checkRelationTexts(relations []Relation) error {
	for i, r := range relations {
		err := cmp.Or(
			tools.RequireText(itemPath("relations", i, "from"), r.From),
			tools.RequireText(itemPath("relations", i, "to"), r.To),
			f.ignoreInCompat(tools.RequireText(itemPath("relations", i, "relationType"), r.RelationType)),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// resolveNames finds the entities of names, and returns the names by which they are stored: a chart or step
// may be named by its title. What is the name of an entity stays it, and so does a title of several. The
// official server knows no titles.
func (f family) resolveNames(tx graph.Rows, names []string) (stored []string, refs map[string]graph.EntityRef, err error) {
	refs, err = tx.ResolveEntities(names)
	if err != nil || f.MemoryCompat {
		return names, refs, err
	}
	idsByTitle := map[string]string{}
	for _, name := range removeDuplicates(names) {
		if _, known := refs[name]; known {
			continue
		}
		ids, err := findChartOrStepIDsByTitle(tx, name)
		if err != nil {
			return nil, nil, err
		}
		if len(ids) == 1 {
			idsByTitle[name] = ids[0]
		}
	}
	for _, name := range names {
		stored = append(stored, cmp.Or(idsByTitle[name], name))
	}
	titled, err := tx.ResolveEntities(slices.Collect(maps.Values(idsByTitle)))
	maps.Copy(refs, titled)
	return stored, refs, err
}

// replaceTitles gives charts and steps that relations name by their titles their ids.
func (f family) replaceTitles(tx graph.Rows, relations []Relation) ([]Relation, error) {
	var ends []string
	for _, r := range relations {
		ends = append(ends, r.From, r.To)
	}
	stored, _, err := f.resolveNames(tx, ends)
	if err != nil {
		return nil, err
	}
	replaced := slices.Clone(relations)
	for i := range replaced {
		replaced[i].From, replaced[i].To = stored[2*i], stored[2*i+1]
	}
	return replaced, nil
}

// findChartOrStepIDsByTitle returns the ids of the charts of a title, else of the steps: a step that became a
// chart has its title.
func findChartOrStepIDsByTitle(tx graph.Rows, title string) (ids []string, err error) {
	charts, err := tx.ChartsByTitle(title, maxCandidates)
	for _, c := range charts {
		ids = append(ids, c.ID)
	}
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	steps, err := tx.StepsByTitle(title, maxCandidates)
	for _, s := range steps {
		ids = append(ids, s.ID)
	}
	return ids, err
}

// insertRelations adds relations and returns those that are new. One that lacks an end
// ends the write; in compatibility it is kept as it is.
func (f family) insertRelations(tx graph.Rows, relations []Relation) ([]Relation, error) {
	names := listEndNames(relations)
	ends, err := tx.ResolveEntities(names)
	if err != nil {
		return nil, err
	}
	known := map[Relation]bool{}
	if f.MemoryCompat {
		if known, err = findDangling(tx, names); err != nil {
			return nil, err
		}
	}
	added := []Relation{}
	for i, r := range relations {
		from, fromKnown := ends[r.From]
		to, toKnown := ends[r.To]
		created := !known[r]
		switch {
		case fromKnown && toKnown && from.ID == to.ID && r.From != r.To:
			created = false // two parts of one chart, which is one entity here
		case fromKnown && toKnown:
			created, err = tx.InsertRelation(from.ID, to.ID, r.RelationType, false, nil, nil)
		case !f.MemoryCompat && !fromKnown:
			err = &missingEntity{itemPath("relations", i, "from"), r.From}
		case !f.MemoryCompat:
			err = &missingEntity{itemPath("relations", i, "to"), r.To}
		case created:
			known[r] = true
			err = tx.InsertDanglingRelation(graph.Relation{From: r.From, To: r.To, Type: r.RelationType})
		}
		if err != nil {
			return nil, err
		}
		if created {
			added = append(added, r)
		}
	}
	return added, nil
}

// findDangling returns the relations of names of which an end is missing.
func findDangling(tx graph.Rows, names []string) (map[Relation]bool, error) {
	loose, err := tx.DanglingRelations(names)
	known := make(map[Relation]bool, len(loose))
	for _, l := range loose {
		known[Relation{From: l.From, To: l.To, RelationType: l.Type}] = true
	}
	return known, err
}

// connectDangling connects the relations that waited for the new entities.
func connectDangling(tx graph.Rows, entities []Entity) error {
	if len(entities) == 0 {
		return nil
	}
	names := make([]string, len(entities))
	for i, e := range entities {
		names[i] = e.Name
	}
	loose, err := tx.DanglingRelations(names)
	if err != nil || len(loose) == 0 {
		return err
	}
	relations := make([]Relation, len(loose))
	for i, l := range loose {
		relations[i] = Relation{From: l.From, To: l.To}
	}
	ends, err := tx.EntityRefs(listEndNames(relations))
	if err != nil {
		return err
	}
	for _, l := range loose {
		from, fromKnown := ends[l.From]
		to, toKnown := ends[l.To]
		if !l.Plain || !fromKnown || !toKnown {
			continue
		}
		if err := tx.ConnectDanglingRelation(l, from.ID, to.ID); err != nil {
			return err
		}
	}
	return nil
}

// listEndNames returns the names at the ends of relations, each once.
func listEndNames(relations []Relation) []string {
	names := make([]string, 0, 2*len(relations))
	for _, r := range relations {
		names = append(names, r.From, r.To)
	}
	return removeDuplicates(names)
}

// DeleteRelationsInput is the input of delete_relations.
type DeleteRelationsInput struct {
	Relations []storedRelation `json:"relations" jsonschema:"required" jsonschema_description:"Relations to remove, given exactly"`
}

// storedRelation is a Relation as it may have been stored before names were bounded.
type storedRelation struct {
	From         string `json:"from" jsonschema:"required,maxLength=1048576" jsonschema_description:"Source entity name"`
	To           string `json:"to" jsonschema:"required,maxLength=1048576" jsonschema_description:"Target entity name"`
	RelationType string `json:"relationType" jsonschema:"required,maxLength=1048576" jsonschema_description:"Type of relationship, in active voice"`
}

// DeletedRelations is the result of delete_relations.
type DeletedRelations struct {
	Success  bool       `json:"success"`
	Message  string     `json:"message"`
	Deleted  []Relation `json:"deleted,omitempty"`
	NotFound []Relation `json:"notFound,omitempty" jsonschema_description:"Relations that were not there"`
}

func (f family) deleteRelationsTool() tools.Tool[DeleteRelationsInput, DeletedRelations] {
	return tools.Tool[DeleteRelationsInput, DeletedRelations]{
		Name: "delete_relations", Title: "Delete relations",
		Description: "Removes relations from the knowledge graph; the entities stay. Use it when a connection no longer holds. " +
			f.chooseReturnSentence("Returns what was deleted and what was not there.") + " Relations inside a chart cannot be removed. Example: Ada no longer leads Orchard.",
		Permissions: []tools.Permission{mayDelete}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: shorterVersion,
		Tags: []string{"graph", "relations", "delete"},
		Examples: []tools.Example[DeleteRelationsInput, DeletedRelations]{{
			Description: "Forget who led a project",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Params:      DeleteRelationsInput{Relations: []storedRelation{storedRelation(leads)}},
			Result:      DeletedRelations{Success: true, Message: "Relations deleted successfully", Deleted: []Relation{leads}},
		}},
		Handle: f.handleDeleteRelations,
	}
}

func (f family) handleDeleteRelations(ctx context.Context, in DeleteRelationsInput) (tools.Result[DeletedRelations], error) {
	relations := make([]Relation, len(in.Relations))
	for i, r := range in.Relations {
		relations[i] = Relation(r)
	}
	if err := f.checkRelationTexts(relations); err != nil {
		return tools.Result[DeletedRelations]{}, err
	}
	out := DeletedRelations{Success: true}
	var unknown []string
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) (err error) {
		out.Deleted, out.NotFound, unknown, err = deleteRelations(tx, relations)
		return err
	})
	if err != nil {
		return tools.Result[DeletedRelations]{}, err
	}
	out.Message = f.deletedMessage("Relations", "relation", "relations", len(out.Deleted), len(out.NotFound))
	h := deletedHints(out.Message, len(out.NotFound))
	if i := slices.IndexFunc(out.NotFound, func(r Relation) bool { return !slices.Contains(unknown, r.From) }); i >= 0 {
		from := out.NotFound[i].From
		h.SuggestCall("open_nodes", tools.PriorityMedium, map[string]any{"names": []string{from}}, "see the relations that "+tools.ShortenForMessage(from)+" has")
	} else if len(out.NotFound) == 0 && len(out.Deleted) > 0 {
		h.SuggestCall("create_relations", tools.PriorityLow, map[string]any{"relations": out.Deleted[:min(len(out.Deleted), maxCandidates)]}, "undo")
	}
	f.warnUnknownNames(ctx, h, removeDuplicates(unknown))
	return tools.Result[DeletedRelations]{Data: out, Hints: h, Voice: f.messageIfCompat(out.Message)}, nil
}

// deleteRelations deletes relations, also those that wait for an end, and says which were
// there, and which ends of the others nothing is named.
func deleteRelations(tx *store.Tx, relations []Relation) (deleted, notFound []Relation, unknown []string, err error) {
	rows := graph.In(tx)
	ends, err := rows.ResolveEntities(listEndNames(relations))
	if err != nil {
		return nil, nil, nil, err
	}
	loose, err := rows.DanglingRelations(listEndNames(relations))
	if err != nil {
		return nil, nil, nil, err
	}
	var ids []string
	seen := make(map[Relation]bool, len(relations))
	for i, r := range relations {
		if seen[r] {
			continue
		}
		seen[r] = true
		waiting := slices.DeleteFunc(slices.Clone(loose), func(l graph.DanglingRelation) bool {
			return Relation{From: l.From, To: l.To, RelationType: l.Type} != r
		})
		ref, found, err := rows.FindRelation(ends[r.From].ID, ends[r.To].ID, r.RelationType)
		switch {
		case err != nil:
			return nil, nil, nil, err
		case !found && len(waiting) > 0:
			if err := rows.DeleteDanglingRelations(waiting); err != nil {
				return nil, nil, nil, err
			}
			deleted = append(deleted, r)
		case !found:
			notFound = append(notFound, r)
			for _, name := range []string{r.From, r.To} {
				if _, known := ends[name]; !known {
					unknown = append(unknown, name)
				}
			}
		case ref.Structural:
			return nil, nil, nil, structuralRelationError(i, r)
		default:
			ids = append(ids, strconv.FormatInt(ref.ID, 10))
			deleted = append(deleted, r)
		}
	}
	return deleted, notFound, unknown, kinds.In(tx).Delete(kinds.Relation, ids)
}

// structuralRelationError refuses to take a chart apart edge by edge.
func structuralRelationError(i int, r Relation) error {
	field := fmt.Sprintf("relations[%d]", i)
	part := r.To
	if r.RelationType == graph.RelationDocuments {
		part = r.From // a beat points to its chart
	}
	return tools.Invalid(tools.CodeInvalid, field, "structural relation",
		"%s (%s %s %s) holds a chart together and goes only with its step, beat or chart; nothing was deleted: delete that with delete_entities instead",
		field, tools.ShortenForMessage(r.From), tools.ShortenForMessage(r.RelationType), tools.ShortenForMessage(r.To)).
		WithHints(tools.NewRefusalHints().Because("charts, steps and beats are connected by relations of their own").
			SuggestCall("open_nodes", tools.PriorityHigh, map[string]any{"names": []string{r.From, r.To}}, "see what the relation connects").
			SuggestCall("delete_entities", tools.PriorityLow, map[string]any{"entityNames": []string{part}}, "remove "+tools.ShortenForMessage(part)+" and all that lives in it, if that is meant"))
}
