package graph

import "toolkit/tools"

// The small graph that the examples of the tools start from.
var (
	ada     = Entity{Name: "Ada", EntityType: "person", Observations: []string{"Prefers tea"}}
	orchard = Entity{Name: "Orchard", EntityType: "project", Observations: []string{}}
	leads   = Relation{From: "Ada", To: "Orchard", RelationType: "leads"}

	adaAndOrchard = CreateEntitiesInput{Entities: []NewEntity{
		{Name: ada.Name, EntityType: ada.EntityType, Observations: ada.Observations},
		{Name: orchard.Name, EntityType: orchard.EntityType, Observations: orchard.Observations},
	}}
	exampleEntities  = tools.SetupCall{Tool: "create_entities", Params: adaAndOrchard}
	exampleRelations = tools.SetupCall{Tool: "create_relations", Params: CreateRelationsInput{Relations: []Relation{leads}}}
)
