package entities

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/store/records"
	"toolkit/tools"
)

const (
	deleteName = "delete_record"
	forgetName = "forget" // of another family
)

type deleteInput struct {
	ID string `json:"id" jsonschema:"required,minLength=1" jsonschema_description:"Record id; a payload_id is one"`
}

type deleteOutput struct {
	Success   bool   `json:"success"`
	DeletedID string `json:"deleted_id"`
}

func (f *family) deleteRecordTool() tools.Tool[deleteInput, deleteOutput] {
	return tools.Tool[deleteInput, deleteOutput]{
		Name:  deleteName,
		Title: "Delete a record",
		Description: "Deprecated, use forget, which shows first what would go: delete a record, payload or file with all it said. " +
			"Returns the deleted id. Example: a payload submitted by mistake.",
		Permissions: []tools.Permission{mayDeleteRecords}, Category: tools.Mutation, ResponseTime: tools.Slow, Destructive: true, Version: version,
		Tags: []string{"records", "legacy"}, Deprecated: newDeprecation(forgetName),
		Examples: []tools.Example[deleteInput, deleteOutput]{{
			Description: "A payload that should not be there",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      deleteInput{ID: examplePayload},
			Result:      deleteOutput{Success: true, DeletedID: examplePayload},
		}},
		Handle: f.deleteRecord,
	}
}

// removal is what goes with records. The snapshots of the entities they spoke of
// are computed again at the end: each once, however many of the records did.
type removal struct {
	records   int            // that are gone, the items of files with them
	roots     map[int64]bool // rows of the entities whose snapshots they counted for
	origins   map[int64]bool // rows of the entities they were said of
	unrelated []int64        // rows of the entities that their documents were related to
	released  []string       // hashes of files that nobody holds any more

	known, forgotten []string // ids of the entities: still known, no longer known
}

func (f *family) deleteRecord(ctx context.Context, in deleteInput) (tools.Result[deleteOutput], error) {
	if err := checkNotBlank("id", in.ID); err != nil {
		return tools.Result[deleteOutput]{}, err
	}
	d, err := runWrite(ctx, f, codeDeleteFailed, func(tx *store.Tx) (*removal, error) { return deleteRecordAndDependents(tx, in.ID) })
	if err != nil {
		return tools.Result[deleteOutput]{}, err
	}
	// What remains when this fails is harmless, so the call still succeeds.
	sweepErr := f.Store.DeleteUnreferencedBlobs(context.WithoutCancel(ctx), d.released)
	h := tools.NewHints(tools.WriteEvidence()).
		Because(fmt.Sprintf("the record is gone; %d of its entities are known from elsewhere, %d are not known any more", len(d.known), len(d.forgotten)))
	for _, id := range d.known {
		h.AddRelatedResource("entity", id, "known from other documents", 0.5)
	}
	if len(d.known) > 0 {
		h.SuggestCall(snapshotName, tools.PriorityLow, map[string]any{"entity_id": d.known[0]}, "see what is still known")
	} else {
		h.SuggestCall(retrieveName, tools.PriorityLow, nil, "see which records are left")
	}
	if others := d.records - 1; others > 0 {
		h.Assumes(language.FormatCount(others, "other record", "other records") + " went with it: rows or items of its file, or corrections of what is not known any more")
	}
	if sweepErr != nil {
		h.Warn("storage", tools.PriorityLow, "the record is gone, but the bytes of its file could not be removed from the disk yet", "upload the same file and delete its record again")
	}
	return tools.Result[deleteOutput]{Data: deleteOutput{Success: true, DeletedID: in.ID}, Hints: h}, nil
}

// deleteRecordAndDependents removes a record with the items of its file and the corrections of entities of
// which nothing else is known: a correction alone says nothing. The rows of these entities
// stay for when the document comes again.
func deleteRecordAndDependents(tx *store.Tx, id string) (*removal, error) {
	if _, known, err := records.In(tx).ByID(id); err != nil {
		return nil, err
	} else if !known {
		return nil, recordNotFoundError()
	}
	going := []kinds.Row{{Kind: kinds.Record, ID: id}}
	listed := map[string]bool{going[0].Ref(): true}
	for found := 0; found < len(going); {
		found = len(going)
		parts, _, err := kinds.In(tx).Dependents(going)
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			if ref := part.Ref(); !listed[ref] {
				listed[ref] = true
				going = append(going, part)
			}
		}
	}
	return deleteRecordsAndRecompute(tx, kinds.IDs(going, kinds.Record))
}

// deleteRecordsAndRecompute removes records and what they said.
func deleteRecordsAndRecompute(tx *store.Tx, ids []string) (*removal, error) {
	m := newRemoval()
	for _, id := range ids {
		if err := m.deleteRecordWithItems(tx, id); err != nil {
			return m, err
		}
	}
	return m, m.recomputeEntities(entities.In(tx))
}

func newRemoval() *removal { return &removal{roots: map[int64]bool{}, origins: map[int64]bool{}} }

// deleteRecordWithItems takes out a record, the items of its file and what they said; one that is not there,
// for it went with another, is passed over.
func (m *removal) deleteRecordWithItems(tx *store.Tx, id string) error {
	rows := records.In(tx)
	r, known, err := rows.ByID(id)
	if err != nil || !known {
		return err
	}
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return err
	}
	parts, err := rows.Parts(r.Seq)
	if err != nil {
		return err
	}
	for _, part := range parts {
		passed, err := moveItemToOtherFile(rows, part, r)
		if err == nil && !passed {
			err = m.deleteRecordWithItems(tx, part)
		}
		if err != nil {
			return err
		}
	}
	if r.Entity != 0 {
		apart, err := entities.In(tx).WithdrawRelationshipSource(r.Seq, r.Entity)
		if err != nil {
			return err
		}
		m.unrelated = append(m.unrelated, apart...)
	}
	if err := entities.In(tx).DeleteObservationsOfRecord(r.Seq, m.roots, m.origins); err != nil {
		return err
	}
	released, err := rows.DeleteUnsharedBlobs(r.Seq)
	if err != nil {
		return err
	}
	m.records, m.released = m.records+1, append(m.released, released...)
	return rows.Delete(r, buildRecordIndex(r.Type, properties))
}

// moveItemToOtherFile leaves an item of a file to another file that says the same.
func moveItemToOtherFile(rows records.Rows, part string, of records.Record) (bool, error) {
	r, known, err := rows.ByID(part)
	if err != nil || !known || r.Type != transactionType {
		return false, err
	}
	return rows.MovePartToOtherParent(r.Seq, of.Seq)
}

// recomputeEntities computes what the entities amount to now.
func (m *removal) recomputeEntities(tx entities.Rows) error {
	for _, root := range slices.Sorted(maps.Keys(m.roots)) {
		if err := recomputeAndSaveSnapshot(tx, root); err != nil {
			return err
		}
		e, err := tx.ByRow(root)
		if err != nil {
			return err
		}
		if _, known, err := tx.SnapshotOf(root); err != nil {
			return err
		} else if known {
			m.known = append(m.known, e.ID)
		} else {
			m.forgotten = append(m.forgotten, e.ID)
		}
	}
	return updateInvoiceStatuses(tx, m.unrelated)
}

// Deleters remove records with what they said, entities and relationships. The snapshots
// of others are computed again from what is left.
func Deleters() tools.Deleters {
	return tools.Deleters{kinds.Record: deleteRecordsAndOrphans, kinds.TruthEntity: deleteEntities, kinds.Relationship: deleteRelationships}
}

func deleteRecordsAndOrphans(tx *store.Tx, ids []string) error {
	gone, err := deleteRecordsAndRecompute(tx, ids)
	if err != nil {
		return err
	}
	return gone.deleteOrphans(tx)
}

func deleteEntities(tx *store.Tx, ids []string) error {
	gone, rows := newRemoval(), entities.In(tx)
	var going []int64
	for _, id := range ids {
		e, known, err := rows.ByID(id)
		if err != nil {
			return err
		}
		if known { // else it went with its last record
			going = append(going, e.Seq)
			gone.roots[e.Root], gone.origins[e.Seq] = true, true
		}
	}
	holders, err := rows.MoveMergedOutOfDeleted(going)
	if err != nil {
		return err
	}
	for _, row := range holders {
		gone.roots[row] = true
	}
	if err := rows.DeleteObservations(going); err != nil {
		return err
	}
	if err := gone.recomputeEntities(rows); err != nil {
		return err
	}
	return gone.deleteOrphans(tx)
}

// deleteOrphans removes the files that nobody holds any more, and the entities of which nothing is left.
func (m *removal) deleteOrphans(tx *store.Tx) error {
	if err := tx.ForgetFiles(m.released); err != nil {
		return err
	}
	maps.Copy(m.origins, m.roots)
	return entities.In(tx).DeleteUnobservedEntities(slices.Sorted(maps.Keys(m.origins)))
}

func deleteRelationships(tx *store.Tx, ids []string) error {
	ends, err := entities.In(tx).DeleteRelationships(ids)
	if err != nil {
		return err
	}
	for _, source := range ends {
		if err := updateTargetInvoiceStatus(entities.In(tx), source, settlesType); err != nil {
			return err
		}
	}
	return updateInvoiceStatuses(entities.In(tx), ends)
}
