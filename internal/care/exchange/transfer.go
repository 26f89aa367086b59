package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"

	"toolkit/store"
	"toolkit/store/nodes"
)

// Import and export move whole documents between files and the store. A
// document becomes visible in one transaction: records come in as they are, without
// the rules that tools apply, and what the store has no place for is kept for
// the way back. What is stored already is never overwritten.

// ImportOptions say how to import. The zero value writes, in silence.
type ImportOptions struct {
	// DryRun does everything and takes it back, so that the result is what
	// the import would have had.
	DryRun bool
	// Progress hears now and then how much of all work is done.
	Progress func(done, all int)
}

// ImportResult tells what became of the records of a document.
type ImportResult struct {
	Entities  Tally `json:"entities"`
	Relations Tally `json:"relations"` // those that charts imply not counted
	Charts    Tally `json:"charts"`
	Steps     Tally `json:"steps"`
	Beats     Tally `json:"beats"`
	Kept      Tally `json:"kept"` // lines that mean nothing here, kept for export
	// Observations were added to entities that were there already.
	Observations int `json:"observations"`
	// Problems are the records that were skipped or need a remark.
	Remarks
}

// Tally counts what became of the records of one kind.
type Tally struct {
	New       int `json:"new"`
	Merged    int `json:"merged"`    // there already, and something was added
	Unchanged int `json:"unchanged"` // there already
	Skipped   int `json:"skipped"`   // each has its problem
}

// errTakeBack ends a dry run.
var errTakeBack = errors.New("dry run")

// Import adds the records of a document to the store. When it fails, nothing
// was written.
func Import(ctx context.Context, db *store.DB, document *Document, o ImportOptions) (*ImportResult, error) {
	result := &ImportResult{}
	err := db.WriteMany(ctx, store.StagedGraph, work(document), func(tx *store.Tx) error {
		i := newImporter(nodes.In(tx), document, result, db.Now(), o.Progress)
		if err := i.run(); err != nil {
			return err
		}
		if o.DryRun {
			return errTakeBack
		}
		return nil
	})
	if err != nil && !errors.Is(err, errTakeBack) {
		return nil, fmt.Errorf("import: %w", err)
	}
	return result, nil
}

// Export writes all charts, beats, entities and relations as of one moment.
// Equal content gives equal bytes. It returns how much that is.
func Export(ctx context.Context, db *store.DB, destination io.Writer, format Format) (Counts, error) {
	var document *Document
	err := db.Read(ctx, func(tx *store.Tx) (err error) {
		document, err = readDocument(nodes.In(tx))
		return err
	})
	if err != nil {
		return Counts{}, fmt.Errorf("export: %w", err)
	}
	if err := Write(destination, document, format); err != nil {
		return Counts{}, fmt.Errorf("export: %w", err)
	}
	return document.counts(), nil
}
