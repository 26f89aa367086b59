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

// moment is the time a snapshot is asked for.
type moment struct {
	at, ingested int64 // unix milliseconds; MaxInt64: not asked for
}

func (m moment) past() bool { return m.at != math.MaxInt64 || m.ingested != math.MaxInt64 }

func readMoment(in snapshotInput) (m moment, err error) {
	if m.at, err = parseTimeField("at", in.At, math.MaxInt64); err == nil {
		m.ingested, err = parseTimeField("at_ingested", in.AtIngested, math.MaxInt64)
	}
	return m, err
}

// window is what was visible at the moment: what had been observed, and, unless
// the moment is before anything was ingested at all, what had been ingested. A
// moment before that asks what the documents say of that time.
func (m moment) window(s entities.Snapshot) entities.ObservationWindow {
	w := entities.ObservationWindow{ObservedUntil: m.at, CreatedUntil: m.ingested}
	if m.ingested == math.MaxInt64 && m.at >= s.FirstCreatedAt {
		w.CreatedUntil = m.at
	}
	return w
}

func (f *family) snapshot(ctx context.Context, in snapshotInput) (r tools.Result[snapshotOutput], err error) {
	m, err := readMoment(in)
	if err != nil {
		return r, err
	}
	return read(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[snapshotOutput], err error) {
		s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return r, err
		}
		known, totals, err := resolveFieldsAt(entities.In(tx), s, m)
		if err != nil {
			return r, err
		}
		r.Data = snapshotOutput{
			EntityID: s.ID, EntityType: s.Type, SchemaVersion: schemaVersion(), Snapshot: known.Values, Provenance: known.Provenance, Conflicts: known.Conflicts,
			ComputedAt: tools.Timestamp(totals.LastCreatedAt), ObservationCount: totals.Count, LastObservationAt: tools.Timestamp(totals.LastObservedAt),
		}
		r.Hints = snapshotHints(s, m, r.Data)
		return r, nil
	})
}

// resolveFieldsAt gives what was known of an entity at a moment.
func resolveFieldsAt(tx entities.Rows, s *entityState, m moment) (resolvedFields, entities.ObservationTotals, error) {
	if !m.past() {
		return s.state.resolveFields(), entities.ObservationTotals{Count: s.Snapshot.Count, LastObservedAt: s.Snapshot.LastObservedAt, LastCreatedAt: s.Snapshot.LastCreatedAt}, nil
	}
	w := m.window(s.Snapshot)
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

func snapshotHints(s *entityState, m moment, out snapshotOutput) *tools.Hints {
	h := tools.NewHints(tools.ReadEvidence(out.ObservationCount)).
		Because(fmt.Sprintf("%d field(s) reduced from %d observation(s)", len(out.Snapshot), out.ObservationCount))
	id := map[string]any{"entity_id": s.ID}
	if m.past() {
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
