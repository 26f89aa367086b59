package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
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
	Reason           string          `json:"reason,omitempty" jsonschema_description:"Why it was corrected, as it was given"`
}

func (f *family) observationsTool() tools.Tool[observationsInput, observationsOutput] {
	return tools.Tool[observationsInput, observationsOutput]{
		Name:  observationsName,
		Title: "List an entity's observations",
		Description: "List what each source said about an entity and when, newest first. Use it where sources disagree. " +
			"Returns observations and their total. Example: all addresses a vendor ever had.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.1.0",
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

func (f *family) observations(ctx context.Context, in observationsInput) (tools.Result[observationsOutput], error) {
	in.Limit = cmp.Or(in.Limit, defaultPage)
	return read(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[observationsOutput], err error) {
		s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return r, err
		}
		list, err := entities.In(tx).Observations(s.Seq, in.Limit, in.Offset)
		if err != nil {
			return r, err
		}
		reasons, err := correctionReasons(tx, list)
		r.Data = observationsOutput{Observations: make([]observationOutput, len(list)), Total: s.Snapshot.Count, Limit: in.Limit, Offset: in.Offset}
		for i, o := range list {
			r.Data.Observations[i] = showObservation(o, s.Type)
			r.Data.Observations[i].Reason = reasons[o.RecordID]
		}
		h := tools.NewHints(tools.ReadEvidence(len(list)).OutOf(r.Data.Total)).Because(fmt.Sprintf("%d of %s, newest first", len(list), language.Pluralize(r.Data.Total, "observation", "observations")))
		hintNextPage(h, observationsName, in.Limit, in.Offset, len(list), r.Data.Total, map[string]any{"entity_id": s.ID}, "read on")
		h.Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "see what they amount to").
			Relate(s.Type, s.ID, s.Name, 1)
		s.hintRedirection(h)
		r.Hints = h
		return r, err
	})
}

// correctionReasons are the reasons that were given for corrections, by record.
func correctionReasons(tx *store.Tx, list []entities.Observation) (map[string]string, error) {
	var rows []int64
	for _, o := range list {
		if o.Source == fromCorrection {
			rows = append(rows, o.Record)
		}
	}
	corrections, err := records.In(tx).ByRows(rows)
	reasons := map[string]string{}
	for _, r := range corrections {
		reasons[r.ID] = reasonOf(r)
	}
	return reasons, err
}

// hintNextPage says how to read on in a list of which a page is shown.
func hintNextPage(h *tools.Hints, tool string, limit, offset, shown, total int, arguments map[string]any, why string) {
	if next := offset + shown; shown > 0 && next < total {
		arguments["offset"], arguments["limit"] = next, limit
		h.Next(tool, tools.PriorityLow, arguments, why)
	}
}

func showObservation(o entities.Observation, entityType string) observationOutput {
	return observationOutput{
		ID: o.ID, EntityID: o.OriginID, EntityType: entityType, SchemaVersion: schemaVersion(), SourceRecordID: o.RecordID, SourcePayloadID: payloadOf(o),
		ObservedAt: tools.Timestamp(o.ObservedAt), SpecificityScore: o.SpecificityScore, SourcePriority: o.SourcePriority, Fields: o.Fields, CreatedAt: tools.Timestamp(o.CreatedAt),
	}
}

// payloadOf is the id of the payload that an observation comes from; nil: it comes from none.
func payloadOf(o entities.Observation) *string {
	if o.Source != fromPayload {
		return nil
	}
	return &o.RecordID
}
