package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

const snapshotName = "get_entity_snapshot"

type snapshotInput struct {
	EntityID   entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id, from submit_payload or find_entities"`
	At         string        `json:"at,omitempty" jsonschema_description:"What was known to hold then, ISO 8601; absent: now"`
	AtIngested string        `json:"at_ingested,omitempty" jsonschema_description:"Only what had been ingested by then, ISO 8601"`
}

type snapshotOutput struct {
	EntityID          string                     `json:"entity_id"`
	EntityType        string                     `json:"entity_type"`
	SchemaVersion     string                     `json:"schema_version"`
	Snapshot          map[string]json.RawMessage `json:"snapshot"`
	Provenance        map[string]string          `json:"provenance" jsonschema_description:"Observation id by field; ids of a merged array are joined by commas"`
	Conflicts         []conflict                 `json:"conflicts,omitempty" jsonschema_description:"What came in later with less weight and says something else: documents since the user's correction or update"`
	ComputedAt        string                     `json:"computed_at"`
	ObservationCount  int                        `json:"observation_count"`
	LastObservationAt string                     `json:"last_observation_at"`
}

func (f *family) snapshotTool() tools.Tool[snapshotInput, snapshotOutput] {
	return tools.Tool[snapshotInput, snapshotOutput]{
		Name:  snapshotName,
		Title: "Get an entity's snapshot",
		Description: "Get the current truth about an entity, reduced from all that documents say, with the observation behind each field; with at, as of a moment. " +
			"Use it before you state facts. Returns snapshot and provenance. Example: a vendor's address last year.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"entities", "truth"},
		Examples: []tools.Example[snapshotInput, snapshotOutput]{{
			Description: "The vendor of an invoice",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      snapshotInput{EntityID: exampleAcme},
			Result: snapshotOutput{
				EntityID: exampleAcme, EntityType: "company", SchemaVersion: "1.0", Snapshot: map[string]json.RawMessage{"name": json.RawMessage(`"Acme Corp"`)},
				Provenance: map[string]string{"name": exampleAcmeObservation}, ObservationCount: 1, LastObservationAt: "2025-01-15T10:30:00Z",
			},
			Varies: []string{"computed_at"},
		}},
		Handle: f.getSnapshot,
	}
}

func (f *family) getSnapshot(ctx context.Context, in snapshotInput) (r tools.Result[snapshotOutput], err error) {
	at, err := parseTimeField("at", in.At, math.MaxInt64)
	if err != nil {
		return r, err
	}
	ingested, err := parseTimeField("at_ingested", in.AtIngested, math.MaxInt64)
	if err != nil {
		return r, err
	}
	return runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[snapshotOutput], err error) {
		s, err := resolveEntity(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return r, err
		}
		w := entities.ObservationWindow{ObservedUntil: at, CreatedUntil: ingested}
		// A moment before anything was ingested asks what the documents say of that time.
		if ingested == math.MaxInt64 && at >= s.Snapshot.FirstCreatedAt {
			w.CreatedUntil = at
		}
		known, totals, err := resolveFieldsAt(entities.In(tx), s, w)
		if err != nil {
			return r, err
		}
		r.Data = snapshotOutput{
			EntityID: s.ID, EntityType: s.Type, SchemaVersion: schemaVersion(), Snapshot: known.Values, Provenance: known.Provenance, Conflicts: known.Conflicts,
			ComputedAt: tools.FormatTimestamp(totals.LastCreatedAt), ObservationCount: totals.Count, LastObservationAt: tools.FormatTimestamp(totals.LastObservedAt),
		}
		r.Hints = snapshotHints(s, w != unboundedWindow, r.Data)
		return r, nil
	})
}

// resolveFieldsAt gives what was known of an entity by what was observed and ingested by a time.
func resolveFieldsAt(tx entities.Rows, s *entityState, w entities.ObservationWindow) (resolvedFields, entities.ObservationTotals, error) {
	if w == unboundedWindow {
		return s.state.resolveFields(), entities.ObservationTotals{Count: s.Snapshot.Count, LastObservedAt: s.Snapshot.LastObservedAt, LastCreatedAt: s.Snapshot.LastCreatedAt}, nil
	}
	totals, err := tx.SummarizeObservations(s.Seq, w)
	if err == nil && totals.Count == 0 {
		err = notYetKnownError(tx, s)
	}
	if err != nil {
		return resolvedFields{}, totals, err
	}
	past, err := replayObservations(tx, s.Seq, w, s.policies)
	return past.resolveFields(), totals, err
}

// notYetKnownError says that an entity was not known at a moment, and since when it
// is.
func notYetKnownError(tx entities.Rows, s *entityState) error {
	all, err := tx.SummarizeObservations(s.Seq, unboundedWindow)
	if err != nil {
		return err
	}
	first := tools.FormatTimestamp(all.FirstObservedAt)
	return tools.Refused(codeEntityNotFound, "at", "observed by then", "nothing was known of the entity at that time; ask for a time from first_observation_at on").
		WithDetail("reason", "nothing was known by then").WithDetail("first_observation_at", first).
		WithHints(tools.NewRefusalHints().Because("the first observation of the entity is later than the time asked for").
			SuggestCall(snapshotName, tools.PriorityHigh, map[string]any{"entity_id": s.ID, "at": first}, "the earliest state").
			SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "the current state"))
}

func snapshotHints(s *entityState, isPast bool, out snapshotOutput) *tools.Hints {
	h := tools.NewHints(tools.NewReadEvidence(out.ObservationCount)).
		Because(fmt.Sprintf("%d field(s) reduced from %d observation(s)", len(out.Snapshot), out.ObservationCount))
	id := map[string]any{"entity_id": s.ID}
	if isPast {
		h.SuggestCall(snapshotName, tools.PriorityMedium, id, "compare with the current state").Assumes("at counts what had been observed and ingested by then")
	}
	if out.ObservationCount > 1 {
		h.SuggestCall(observationsName, tools.PriorityLow, id, "see where documents differ")
	}
	for _, c := range out.Conflicts[:min(3, len(out.Conflicts))] {
		h.Warn("conflict", tools.PriorityMedium, c.Field+": a later source says something else than what stands; see conflicts", "tell the user; "+correctName+" or "+withdrawName+" settles it")
	}
	h.SuggestCall(relationshipsName, tools.PriorityLow, id, "see what it is connected to")
	s.warnOfMerge(h)
	return h
}

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
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      observationsInput{EntityID: exampleAcme},
			Result: observationsOutput{Observations: []observationOutput{{
				ID: exampleAcmeObservation, EntityID: exampleAcme, EntityType: "company", SchemaVersion: "1.0", ObservedAt: "2025-01-15T10:30:00Z",
				SpecificityScore: documentSpecificity, Fields: json.RawMessage(`{"name":"Acme Corp"}`),
			}}, Total: 1, Limit: defaultPage},
			Varies: []string{"source_record_id", "source_payload_id", "created_at"},
		}},
		Handle: f.listObservations,
	}
}

func (f *family) listObservations(ctx context.Context, in observationsInput) (tools.Result[observationsOutput], error) {
	in.Limit = cmp.Or(in.Limit, defaultPage)
	return runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[observationsOutput], err error) {
		s, err := resolveEntity(entities.In(tx), in.EntityID, "entity_id")
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
			r.Data.Observations[i] = toObservationOutput(o, s.Type)
			r.Data.Observations[i].Reason = reasons[o.RecordID]
		}
		h := tools.NewHints(tools.NewReadEvidence(len(list)).WithTotal(r.Data.Total)).Because(fmt.Sprintf("%d of %s, newest first", len(list), language.FormatCount(r.Data.Total, "observation", "observations")))
		hintNextPage(h, observationsName, in.Limit, in.Offset, len(list), r.Data.Total, map[string]any{"entity_id": s.ID}, "read on")
		h.SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "see what they amount to").
			AddRelatedResource(s.Type, s.ID, s.Name, 1)
		s.warnOfMerge(h)
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
		reasons[r.ID] = correctionReason(r)
	}
	return reasons, err
}

// hintNextPage says how to read on in a list of which a page is shown.
func hintNextPage(h *tools.Hints, tool string, limit, offset, shown, total int, arguments map[string]any, why string) {
	if next := offset + shown; shown > 0 && next < total {
		arguments["offset"], arguments["limit"] = next, limit
		h.SuggestCall(tool, tools.PriorityLow, arguments, why)
	}
}

func toObservationOutput(o entities.Observation, entityType string) observationOutput {
	return observationOutput{
		ID: o.ID, EntityID: o.OriginID, EntityType: entityType, SchemaVersion: schemaVersion(), SourceRecordID: o.RecordID, SourcePayloadID: payloadIDOf(o),
		ObservedAt: tools.FormatTimestamp(o.ObservedAt), SpecificityScore: o.SpecificityScore, SourcePriority: o.SourcePriority, Fields: o.Fields, CreatedAt: tools.FormatTimestamp(o.CreatedAt),
	}
}

// payloadIDOf is the id of the payload that an observation comes from; nil: it comes from none.
func payloadIDOf(o entities.Observation) *string {
	if o.Source != fromPayload {
		return nil
	}
	return &o.RecordID
}
