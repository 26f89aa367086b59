package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"toolkit/store"
	"toolkit/store/entities"
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
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      snapshotInput{EntityID: exampleAcme},
			Result: snapshotOutput{
				EntityID: exampleAcme, EntityType: "company", SchemaVersion: "1.0", Snapshot: map[string]json.RawMessage{"name": json.RawMessage(`"Acme Corp"`)},
				Provenance: map[string]string{"name": exampleAcmeObservation}, ObservationCount: 1, LastObservationAt: "2025-01-15T10:30:00Z",
			},
			Varies: []string{"computed_at"},
		}},
		Handle: f.snapshot,
	}
}

func (f *family) snapshot(ctx context.Context, in snapshotInput) (r tools.Result[snapshotOutput], err error) {
	at, err := parseTimeField("at", in.At, math.MaxInt64)
	if err != nil {
		return r, err
	}
	ingested, err := parseTimeField("at_ingested", in.AtIngested, math.MaxInt64)
	if err != nil {
		return r, err
	}
	return read(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[snapshotOutput], err error) {
		s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
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
			ComputedAt: tools.Timestamp(totals.LastCreatedAt), ObservationCount: totals.Count, LastObservationAt: tools.Timestamp(totals.LastObservedAt),
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
	totals, err := tx.TotalObservations(s.Seq, w)
	if err == nil && totals.Count == 0 {
		err = notYetKnown(tx, s)
	}
	if err != nil {
		return resolvedFields{}, totals, err
	}
	past, err := replayObservations(tx, s.Seq, w, s.policies)
	return past.resolveFields(), totals, err
}

// notYetKnown says that an entity was not known at a moment, and since when it
// is.
func notYetKnown(tx entities.Rows, s *entityState) error {
	all, err := tx.TotalObservations(s.Seq, unboundedWindow)
	if err != nil {
		return err
	}
	first := tools.Timestamp(all.FirstObservedAt)
	return tools.Refused(codeEntityNotFound, "at", "observed by then", "nothing was known of the entity at that time; ask for a time from first_observation_at on").
		With("reason", "nothing was known by then").With("first_observation_at", first).
		WithHints(tools.RefusalHints().Because("the first observation of the entity is later than the time asked for").
			Next(snapshotName, tools.PriorityHigh, map[string]any{"entity_id": s.ID, "at": first}, "the earliest state").
			Next(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": s.ID}, "the current state"))
}

func snapshotHints(s *entityState, isPast bool, out snapshotOutput) *tools.Hints {
	h := tools.NewHints(tools.ReadEvidence(out.ObservationCount)).
		Because(fmt.Sprintf("%d field(s) reduced from %d observation(s)", len(out.Snapshot), out.ObservationCount))
	id := map[string]any{"entity_id": s.ID}
	if isPast {
		h.Next(snapshotName, tools.PriorityMedium, id, "compare with the current state").Assumes("at counts what had been observed and ingested by then")
	}
	if out.ObservationCount > 1 {
		h.Next(observationsName, tools.PriorityLow, id, "see where documents differ")
	}
	for _, c := range out.Conflicts[:min(3, len(out.Conflicts))] {
		h.Warn("conflict", tools.PriorityMedium, c.Field+": a later source says something else than what stands; see conflicts", "tell the user; "+correctName+" or "+withdrawName+" settles it")
	}
	h.Next(relationshipsName, tools.PriorityLow, id, "see what it is connected to")
	s.hintRedirection(h)
	return h
}
