package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const observationsName = "list_observations"

// defaultPage is how many items a list shows when nobody says.
const defaultPage = 100

// exampleAcmeObservation is what the example's invoice says about its vendor.
const exampleAcmeObservation = "obs_d4f960b303a053bd8dceaf59"

type observationsInput struct {
	EntityID entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Limit    int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"100 if absent"`
	Offset   int           `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many"`
}

type observationsOutput struct {
	Observations []observationOutput `json:"observations"`
	Total        int                 `json:"total"`
	Limit        int                 `json:"limit"`
	Offset       int                 `json:"offset"`
}

type observationOutput struct {
	ID               string          `json:"id"`
	EntityID         string          `json:"entity_id"`
	EntityType       string          `json:"entity_type"`
	SchemaVersion    string          `json:"schema_version"`
	SourceRecordID   string          `json:"source_record_id"`
	SourcePayloadID  *string         `json:"source_payload_id" jsonschema:"oneof_type=string;null" jsonschema_description:"null when the source is no payload"`
	ObservedAt       string          `json:"observed_at"`
	SpecificityScore float64         `json:"specificity_score"`
	SourcePriority   int             `json:"source_priority"`
	Fields           json.RawMessage `json:"fields"`
	CreatedAt        string          `json:"created_at"`
}

func (f *family) observationsTool() tools.Tool[observationsInput, observationsOutput] {
	return tools.Tool[observationsInput, observationsOutput]{
		Name:  observationsName,
		Title: "List an entity's observations",
		Description: "List what each source said about an entity and when, newest first. Use it where sources disagree. " +
			"Returns observations and their total. Example: all addresses a vendor ever had.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[observationsInput, observationsOutput]{{
			Description: "What one invoice says of its vendor",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      observationsInput{EntityID: exampleAcme},
			Result: observationsOutput{Observations: []observationOutput{{
				ID: exampleAcmeObservation, EntityID: exampleAcme, EntityType: "company", SchemaVersion: "1.0", ObservedAt: "2025-01-15T10:30:00Z",
				SpecificityScore: documentSpecificity, Fields: json.RawMessage(`{"name":"Acme Corp"}`),
			}}, Total: 1, Limit: defaultPage},
			Varies: []string{"source_record_id", "source_payload_id", "created_at"},
		}},
		Handle: f.observations,
	}
}

// observed is a page of observations with their subject.
type observed struct {
	subject
	list []entities.Observation
}

func (f *family) observations(ctx context.Context, in observationsInput) (tools.Result[observationsOutput], error) {
	in.Limit = cmp.Or(in.Limit, defaultPage)
	found, err := read(ctx, f, codeQueryFailed, func(tx *store.Tx) (observed, error) {
		s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return observed{}, err
		}
		list, err := entities.In(tx).Observations(s.Seq, in.Limit, in.Offset)
		return observed{s, list}, err
	})
	if err != nil {
		return tools.Result[observationsOutput]{}, err
	}
	shown := make([]observationOutput, len(found.list))
	for i, o := range found.list {
		shown[i] = showObservation(o, found.Type)
	}
	out := observationsOutput{Observations: shown, Total: found.Snapshot.Count, Limit: in.Limit, Offset: in.Offset}
	h := tools.NewHints(tools.ReadEvidence(len(found.list)).OutOf(found.Snapshot.Count)).Because(fmt.Sprintf("%d of %s, newest first", len(found.list), language.Pluralize(found.Snapshot.Count, "observation", "observations")))
	if next := in.Offset + len(found.list); next < found.Snapshot.Count && len(found.list) > 0 {
		h.Next(observationsName, tools.PriorityLow, map[string]any{"entity_id": found.ID, "offset": next, "limit": in.Limit}, "read on")
	}
	h.Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": found.ID}, "see what they amount to").
		Relate(found.Type, found.ID, found.Name, 1)
	found.redirected(h)
	return tools.Result[observationsOutput]{Data: out, Hints: h}, nil
}

func showObservation(o entities.Observation, entityType string) observationOutput {
	out := observationOutput{
		ID: o.ID, EntityID: o.OriginID, EntityType: entityType, SchemaVersion: schemaVersion(), SourceRecordID: o.RecordID,
		ObservedAt: tools.Timestamp(o.ObservedAt), SpecificityScore: o.SpecificityScore, SourcePriority: o.SourcePriority, Fields: o.Fields, CreatedAt: tools.Timestamp(o.CreatedAt),
	}
	if o.Source == fromPayload {
		out.SourcePayloadID = &o.RecordID
	}
	return out
}
