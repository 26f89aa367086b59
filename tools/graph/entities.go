package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// NewEntity is an entity to create.
type NewEntity struct {
	Name         string   `json:"name" jsonschema:"required" jsonschema_description:"Unique"`
	EntityType   string   `json:"entityType" jsonschema:"required" jsonschema_description:"Such as person or project"`
	Observations []string `json:"observations" jsonschema:"required,maxLength=1048576" jsonschema_description:"Facts, one each"`
}

// CreateEntitiesInput is the input of create_entities.
type CreateEntitiesInput struct {
	Entities []NewEntity `json:"entities" jsonschema:"required" jsonschema_description:"All or none"`
}

// CreatedEntities is the result of create_entities.
type CreatedEntities struct {
	Entities []Entity `json:"entities" jsonschema_description:"The entities that were added"`
}

func (f family) createEntitiesTool() tools.Tool[CreateEntitiesInput, CreatedEntities] {
	description := "Adds entities to the knowledge graph, each with a unique name, a type and facts. Use it when one worth remembering comes up. " +
		"Returns them; a name that exists refuses the whole batch. Example: Ada, a person who prefers tea."
	if f.MemoryCompat {
		description = "Adds entities to the knowledge graph, each with a unique name, a type and facts. Use it when one worth remembering comes up. " +
			"Returns them; names that exist are skipped. Example: Ada, a person who prefers tea."
	}
	return tools.Tool[CreateEntitiesInput, CreatedEntities]{
		Name: "create_entities", Title: "Create entities", Description: description,
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: "1.0.1",
		Tags: []string{"graph", "entities", "remember"}, Core: true, BareList: "entities", LongNames: f.MemoryCompat,
		Examples: []tools.Example[CreateEntitiesInput, CreatedEntities]{{
			Description: "Remember a person and a project",
			Params:      adaAndOrchard,
			Result:      CreatedEntities{Entities: []Entity{ada, orchard}},
		}},
		Handle: f.handleCreateEntities,
	}
}

func (f family) handleCreateEntities(ctx context.Context, in CreateEntitiesInput) (tools.Result[CreatedEntities], error) {
	var none tools.Result[CreatedEntities]
	for i, e := range in.Entities {
		if err := f.checkEntity(i, e); err != nil {
			return none, err
		}
	}
	if !f.MemoryCompat {
		if err := checkDistinctNames(in.Entities); err != nil {
			return none, err
		}
	}
	var out CreatedEntities
	var respelled []string
	var near nearNames
	err := f.writeOrRefuseMissing(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		names := make([]string, len(in.Entities))
		for i, e := range in.Entities {
			names[i] = e.Name
		}
		taken, err := rows.ResolveEntities(names) // a part of a chart has its name already
		if err != nil {
			return err
		}
		if len(taken) > 0 && !f.MemoryCompat {
			return existingNamesError(in.Entities, taken)
		}
		if out.Entities, respelled, err = insertMissing(rows, in.Entities, taken); err != nil {
			return err
		}
		if !f.MemoryCompat {
			if near, _, err = findNearNames(rows, out.Entities); err != nil {
				return err
			}
		}
		return connectDangling(rows, out.Entities)
	})
	if err != nil {
		return none, err
	}
	h := createdHints(in, out)
	if len(respelled) > 0 {
		h.Warn("duplicate", tools.PriorityMedium, quoteNames(respelled[:min(len(respelled), maxCandidates)])+" is the name of an entity that writes its accents otherwise; that one has the observations now", "open_nodes shows it")
	}
	near = f.warnNearNames(ctx, h, out.Entities, near)
	suggestConnections(h, out.Entities, near)
	return tools.Result[CreatedEntities]{Data: out, Hints: h}, nil
}

// insertMissing adds the entities whose names are not taken. A taken name is skipped, as the
// official server does; for that server another spelling of its accents is another entity, so
// the observations given with one are added to the entity that has the name.
func insertMissing(rows graph.Rows, entities []NewEntity, taken map[string]graph.EntityRef) (added []Entity, respelled []string, err error) {
	added = []Entity{}
	inserted := map[string]string{} // names as they stand, by their composed form
	for _, e := range entities {
		composed := graph.ComposeAccents(e.Name)
		ref, exists := taken[e.Name]
		if earlier, twice := inserted[composed]; twice {
			ref, exists = taken[earlier], true
		}
		if exists {
			isRespelled, err := appendToRespelled(rows, ref, e)
			if err != nil {
				return nil, nil, err
			}
			if isRespelled {
				respelled = append(respelled, e.Name)
			}
			continue
		}
		id, err := rows.InsertEntity(graph.NewEntity{Name: e.Name, Type: e.EntityType, Observations: e.Observations})
		if err != nil {
			return nil, nil, err
		}
		taken[e.Name] = graph.EntityRef{ID: id, Kind: graph.KindPlain}
		inserted[composed] = e.Name
		added = append(added, Entity{Name: e.Name, EntityType: e.EntityType, Observations: append([]string{}, e.Observations...)})
	}
	return added, respelled, nil
}

// appendToRespelled adds the observations of an entity to the stored one whose name is the same
// but for the encoding of its accents; it reports whether there was anything to add.
func appendToRespelled(rows graph.Rows, ref graph.EntityRef, e NewEntity) (bool, error) {
	if ref.Kind != graph.KindPlain {
		return false, nil
	}
	names, err := rows.EntityNames([]int64{ref.ID})
	if err != nil || len(names) == 0 || names[0] == e.Name {
		return false, err
	}
	appended, err := rows.AppendObservations(ref.ID, e.Observations)
	return len(appended) > 0, err
}

// checkEntity refuses blank texts.
func (f family) checkEntity(i int, e NewEntity) error {
	return cmp.Or(
		tools.RequireText(itemPath("entities", i, "name"), e.Name),
		f.ignoreInCompat(tools.RequireText(itemPath("entities", i, "entityType"), e.EntityType)),
		f.ignoreInCompat(checkTextsNotBlank(itemPath("entities", i, "observations"), e.Observations)),
	)
}

// checkDistinctNames enforces within one call: entity names are unique in the graph.
func checkDistinctNames(entities []NewEntity) error {
	first := make(map[string]int, len(entities))
	for i, e := range entities {
		name := graph.ComposeAccents(e.Name)
		if earlier, taken := first[name]; taken {
			return tools.Refused(tools.CodeDuplicate, itemPath("entities", i, "name"), "unique name",
				"%s repeats %s, %q; nothing was written: give each entity its own name, or merge their observations", itemPath("entities", i, "name"), itemPath("entities", earlier, "name"), tools.ShortenForMessage(e.Name)).
				WithDetail("duplicateOf", itemPath("entities", earlier, "name"))
		}
		first[name] = i
	}
	return nil
}

// existingNamesError refuses a batch in which names are taken and says how to add to those
// entities instead.
func existingNamesError(entities []NewEntity, taken map[string]graph.EntityRef) error {
	field := ""
	var names []string
	var additions []Addition
	for i, e := range entities {
		if _, exists := taken[e.Name]; !exists {
			continue
		}
		if field == "" {
			field = itemPath("entities", i, "name")
		}
		if len(names) < maxCandidates {
			names = append(names, e.Name)
			if len(e.Observations) > 0 && len(e.Observations) <= maxCandidates {
				additions = append(additions, Addition{e.Name, e.Observations})
			}
		}
	}
	var addition map[string]any
	if len(additions) > 0 {
		addition = map[string]any{"observations": additions}
	}
	h := tools.NewRefusalHints().Because("entity names are unique, and a batch is written whole or not at all").
		SuggestCall("add_observations", tools.PriorityHigh, addition, "add the new facts to the entities that exist").
		SuggestCall("open_nodes", tools.PriorityMedium, map[string]any{"names": names}, "see what is known of them already")
	if len(entities) > len(taken) {
		h.SuggestCall("create_entities", tools.PriorityMedium, nil, "call again with the new names only")
	}
	return tools.Refused(tools.CodeDuplicate, field, "unique name", "%s: an entity named %q exists already; nothing was written: leave it out and use add_observations for new facts about it", field, tools.ShortenForMessage(names[0])).
		WithDetail("existing", names).WithHints(h)
}

func createdHints(in CreateEntitiesInput, out CreatedEntities) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence())
	chartLike := []string{}
	for _, e := range out.Entities {
		if slices.Contains([]string{graph.TypeChart, graph.TypeStep, graph.TypeBeat}, e.EntityType) {
			chartLike = append(chartLike, e.Name)
		}
	}
	if len(chartLike) > 0 {
		h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("%s only the type of a chart part; chart tools do not know it", language.FormatCount(len(chartLike), "entity has", "entities have")), "make charts with create_structural_tension_chart")
	}
	if skipped := len(in.Entities) - len(out.Entities); skipped > 0 {
		h.Warn("duplicate", tools.PriorityLow, language.FormatCount(skipped, "name exists already and was", "names exist already and were")+" skipped", "use add_observations for new facts about them")
	}
	return h
}

// suggestConnections says what to do with new entities. Those that have nearly the name of
// another may be the same, and are looked at before they are connected.
func suggestConnections(h *tools.Hints, added []Entity, near nearNames) {
	if len(added) == 0 {
		h.Because("nothing was added").SuggestCall("read_graph", tools.PriorityLow, map[string]any{"limit": 20, "includeObservations": false}, "see what is there")
		return
	}
	for _, e := range added {
		if names := near[e.Name]; len(names) > 0 {
			h.Because("a new entity may be one that exists already").
				SuggestCall("open_nodes", tools.PriorityMedium, map[string]any{"names": append([]string{e.Name}, names...)}, "see whether they are the same")
			return
		}
	}
	name := tools.ShortenForMessage(added[0].Name)
	if len(added) == 1 {
		h.Because("the new entity is not connected to anything yet").
			SuggestCall("search_nodes", tools.PriorityMedium, map[string]any{"query": added[0].Name}, "find what mentions it already").
			SuggestCall("create_relations", tools.PriorityMedium, nil, "connect "+name)
	} else {
		h.Because(fmt.Sprintf("%d new entities are not connected yet", len(added))).
			SuggestCall("create_relations", tools.PriorityMedium, nil, "say how "+name+" and "+tools.ShortenForMessage(added[1].Name)+" relate")
	}
	if i := slices.IndexFunc(added, func(e Entity) bool { return len(e.Observations) == 0 }); i >= 0 {
		h.SuggestCall("add_observations", tools.PriorityLow, nil, "nothing is recorded about "+tools.ShortenForMessage(added[i].Name)+" yet")
	}
}
