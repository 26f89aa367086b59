package payloads

import (
	"context"
	"fmt"

	"toolkit/internal/language"
	"toolkit/store"
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
		Description: "Deprecated, use forget, which shows first what would go and leaves no traces: delete a record, payload or uploaded file and take back everything it said; entities keep what other documents say. " +
			"Returns the deleted id. Example: a payload submitted by mistake, or a correction to undo.",
		Permissions: []tools.Permission{mayDeleteRecords}, Category: tools.Mutation, ResponseTime: tools.Slow, Destructive: true, Version: version,
		Tags: []string{"records", "legacy"}, Deprecated: legacy(forgetName),
		Examples: []tools.Example[deleteInput, deleteOutput]{{
			Description: "A payload that should not be there",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      deleteInput{ID: examplePayload},
			Result:      deleteOutput{Success: true, DeletedID: examplePayload},
		}},
		Handle: f.deleteRecord,
	}
}

// deletion is what deleting a record left behind.
type deletion struct {
	kept, forgotten []string // entity ids: still known, no longer known

	parts    int      // items of a file that went with its record
	released []string // hashes of files that nobody holds any more
}

func (f *family) deleteRecord(ctx context.Context, in deleteInput) (tools.Result[deleteOutput], error) {
	if err := notBlank("id", in.ID); err != nil {
		return tools.Result[deleteOutput]{}, err
	}
	d, err := write(ctx, f, codeDeleteFailed, func(tx *store.Tx) (deletion, error) { return forget(tx, in.ID) })
	if err != nil {
		return tools.Result[deleteOutput]{}, err
	}
	swept := f.sweep(ctx, d.released)
	h := tools.NewHints(tools.Written()).
		Because(fmt.Sprintf("the record is gone; %d of its entities are known from elsewhere, %d are not known any more", len(d.kept), len(d.forgotten)))
	for _, id := range d.kept {
		h.Relate("entity", id, "known from other documents", 0.5)
	}
	if len(d.kept) > 0 {
		h.Next(snapshotName, tools.Low, map[string]any{"entity_id": d.kept[0]}, "see what is still known")
	} else {
		h.Next(retrieveName, tools.Low, nil, "see which records are left")
	}
	if d.parts > 0 {
		h.Assumes(language.Count(d.parts, "record of the file's rows or items", "records of the file's rows or items") + " went with it")
	}
	if !swept {
		h.Warn("storage", tools.Low, "the record is gone, but the bytes of its file could not be removed from the disk yet", "upload the same file and delete its record again")
	}
	return tools.Result[deleteOutput]{Data: deleteOutput{Success: true, DeletedID: in.ID}, Hints: h}, nil
}

// forget removes a record and what it said.
func forget(tx *store.Tx, id string) (deletion, error) {
	var d deletion
	r, known, err := tx.RecordByID(id)
	if err != nil {
		return d, err
	}
	if !known {
		return d, recordNotFound()
	}
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return d, err
	}
	if err := d.forgetParts(tx, r.Seq); err != nil {
		return d, err
	}
	touched, err := tx.RetractObservations(r.Seq)
	if err != nil {
		return d, err
	}
	released, err := tx.ReleaseBlobs(r.Seq)
	if err != nil {
		return d, err
	}
	d.released = append(d.released, released...)
	if err := tx.DeleteRecord(r, recordIndex(r.Type, properties)); err != nil {
		return d, err
	}
	for _, entity := range touched {
		if err := recompute(tx, entity); err != nil {
			return d, err
		}
		e, err := tx.TruthEntityByRow(entity)
		if err != nil {
			return d, err
		}
		if _, known, err := tx.SnapshotOf(entity); err != nil {
			return d, err
		} else if known {
			d.kept = append(d.kept, e.ID)
		} else {
			d.forgotten = append(d.forgotten, e.ID)
		}
	}
	return d, nil
}

// forgetParts removes the items of a file with its record.
func (d *deletion) forgetParts(tx *store.Tx, parent int64) error {
	parts, err := tx.RecordParts(parent)
	if err != nil {
		return err
	}
	for _, id := range parts {
		one, err := forget(tx, id)
		if err != nil {
			return err
		}
		d.parts += 1 + one.parts
		d.kept, d.forgotten = append(d.kept, one.kept...), append(d.forgotten, one.forgotten...)
		d.released = append(d.released, one.released...)
	}
	return nil
}
