package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
)

// ImportOptions say how to import. The zero value writes, in silence.
type ImportOptions struct {
	// DryRun does everything and takes it back, so that the result is what
	// the import would have had.
	DryRun bool
	// Progress hears now and then how much of all work is done.
	Progress func(done, all int)
}

// ImportResult tells what became of the records of a file.
type ImportResult struct {
	Entities  Tally `json:"entities"`
	Relations Tally `json:"relations"` // those that belong to charts and beats not counted
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

// countStored counts a record that was there already.
func (t *Tally) countStored(merged bool) {
	if merged {
		t.Merged++
	} else {
		t.Unchanged++
	}
}

// errDryRun ends a dry run.
var errDryRun = errors.New("dry run")

// Import adds the records of a file to the store, without the rules that tools
// apply, and keeps what the store has no place for. An entity or relation that is
// stored gets what it lacks; a stored chart or beat stays as it is. When Import
// fails, nothing was written.
func Import(ctx context.Context, db *store.DB, file *File, o ImportOptions) (*ImportResult, error) {
	var result *ImportResult
	count := file.countRecords()
	err := db.WriteMany(ctx, store.StagedGraph, count, func(tx *store.Tx) error {
		i := &importer{
			tx: nodes.In(tx), file: file, result: &ImportResult{}, now: db.Now().Truncate(time.Millisecond), progress: o.Progress, count: count,
			stored: map[string]nodes.EntityRef{}, rows: map[string]int64{}, charts: map[string]*importedChart{}, completed: map[string]string{},
		}
		result = i.result
		for _, stage := range []func() error{i.lookUp, i.importEntities, i.importCharts, i.importBeats, i.connectForeign, i.importRelations} {
			if err := stage(); err != nil {
				return err
			}
		}
		if o.DryRun {
			return errDryRun
		}
		return nil
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, fmt.Errorf("import: %w", err)
	}
	result.sort()
	return result, nil
}

// importer applies one file in one transaction.
type importer struct {
	tx       nodes.Rows
	file     *File
	result   *ImportResult
	now      time.Time
	progress func(done, all int)
	done     int
	count    int // of all records

	stored    map[string]nodes.EntityRef // nodes of these names that were stored before
	rows      map[string]int64           // nodes that came in
	charts    map[string]*importedChart  // charts of the file that are stored by now
	completed map[string]string          // when a step was completed, by its name
}

// countDone tells of the progress now and then.
func (i *importer) countDone() {
	const interval = 256
	i.done++
	if i.progress != nil && i.done%interval == 0 {
		i.progress(i.done, i.count)
	}
}

// lookUp finds what is stored under the names of the file.
func (i *importer) lookUp() error {
	var names []string
	for _, e := range i.file.Entities {
		names = append(names, e.Name)
	}
	for _, c := range i.file.Charts {
		names = append(names, c.names()...)
	}
	for _, b := range i.file.Beats {
		names = append(names, b.Name)
	}
	const batch = 1000
	for part := range slices.Chunk(names, batch) {
		refs, err := i.tx.EntitiesMeant(part)
		if err != nil {
			return err
		}
		maps.Copy(i.stored, refs)
	}
	return nil
}

// findConflict tells why a new node cannot have one of the names, or nothing.
func (i *importer) findConflict(names ...string) string {
	for _, name := range names {
		switch ref, taken := i.stored[name]; {
		case taken && ref.Part != "":
			return fmt.Sprintf("the name %q is that of a part of a stored chart", name)
		case taken:
			return fmt.Sprintf("the name %q belongs to a stored node of kind %s", name, ref.Kind)
		}
	}
	return ""
}

// findRow returns the row of a node that is stored by now, or 0. Charts also go by
// the name of their entity in files.
func (i *importer) findRow(name string) (int64, error) {
	if row, added := i.rows[name]; added {
		return row, nil
	}
	ref, known := i.stored[name]
	if !known {
		refs, err := i.tx.EntitiesMeant([]string{name})
		if err != nil {
			return 0, err
		}
		ref = refs[name]
		i.stored[name] = ref
	}
	if ref.Part == nodes.PartOutcome || ref.Part == nodes.PartReality {
		return 0, nil
	}
	return ref.ID, nil
}

func (i *importer) insert(n nodes.NewEntity) (int64, error) {
	row, err := i.tx.InsertEntity(n)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", n.Name, err)
	}
	i.rows[n.Name] = row
	i.countDone()
	return row, nil
}

func (i *importer) importEntities() error {
	for _, e := range i.file.Entities {
		if ref, known := i.stored[e.Name]; known && ref.Kind == nodes.KindPlain {
			if err := i.mergeEntity(ref.ID, e); err != nil {
				return err
			}
			continue
		}
		if conflict := i.findConflict(e.Name); conflict != "" {
			i.result.skip(e.Line, "entity %q: %s; rename one of them to import it", e.Name, conflict)
			i.result.Entities.Skipped++
			continue
		}
		_, err := i.insert(nodes.NewEntity{
			Name: e.Name, Type: e.Type, Kind: nodes.KindPlain, Observations: e.Observations,
			Metadata: e.Metadata.encode(), Extra: e.Extra.encode(), Created: i.now, Updated: i.now,
		})
		if err != nil {
			return err
		}
		i.result.Entities.New++
	}
	return nil
}

// mergeEntity adds what the stored entity does not have yet and changes nothing
// that it has.
func (i *importer) mergeEntity(row int64, e *Entity) error {
	i.countDone()
	stored, err := i.tx.PlainNode(row)
	if err != nil {
		return err
	}
	texts, err := i.tx.AppendObservations(row, e.Observations)
	if err != nil {
		return err
	}
	i.result.Observations += len(texts)
	metadata, addedMetadata := decodeObject(stored.Metadata).merge(e.Metadata)
	extra, addedExtra := decodeObject(stored.Extra).merge(e.Extra)
	i.result.Entities.countStored(addedMetadata || addedExtra || len(texts) > 0)
	if addedMetadata || addedExtra {
		return i.tx.SetNodeRest(row, metadata.encode(), extra.encode())
	}
	return nil
}

// connectForeign connects the relations that earlier imports kept as foreign
// lines and whose ends came.
func (i *importer) connectForeign() error {
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		r := parseForeignRelation(line.Raw)
		if r == nil {
			continue
		}
		connected, err := i.connect(r)
		if err == nil && connected {
			err = i.tx.DeleteForeignLine(line.Row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// importRelations adds the relations whose ends are stored by now. The others
// become foreign lines, which wait for their ends.
func (i *importer) importRelations() error {
	foreign := slices.Clone(i.file.Foreign)
	for _, r := range i.file.Relations {
		i.countDone()
		connected, err := i.connect(r)
		if err != nil {
			return err
		}
		if connected {
			continue
		}
		i.result.note(r.Line, "the relation %q from %q to %q lacks an end here, so it waits for one", r.Type, r.From, r.To)
		line, err := encodeRelation(r)
		if err != nil {
			return err
		}
		foreign = append(foreign, line)
	}
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	known := map[string]int{} // how often each line is kept
	for _, line := range lines {
		known[string(decodeObject(line.Raw).encode())]++
	}
	for _, line := range foreign {
		i.countDone()
		text := string(decodeObject(line).encode())
		if known[text] > 0 {
			known[text]--
			i.result.Kept.Unchanged++
			continue
		}
		i.result.Kept.New++
		if err := i.tx.InsertForeignLine(line); err != nil {
			return err
		}
	}
	return nil
}

// connect adds a relation, or what a stored one lacks, if both ends are stored.
func (i *importer) connect(r *Relation) (connected bool, err error) {
	from, err := i.findRow(r.From)
	if err != nil || from == 0 {
		return false, err
	}
	to, err := i.findRow(r.To)
	if err != nil || to == 0 {
		return false, err
	}
	created, err := i.tx.InsertRelation(from, to, r.Type, false, r.Metadata.encode(), r.Extra.encode())
	if err != nil || created {
		i.result.Relations.New++
		return true, err
	}
	stored, structural, err := i.tx.RelationRest(from, to, r.Type)
	if err != nil {
		return true, err
	}
	metadata, addedMetadata := decodeObject(stored.Metadata).merge(r.Metadata)
	extra, addedExtra := decodeObject(stored.Extra).merge(r.Extra)
	if !structural {
		i.result.Relations.countStored(addedMetadata || addedExtra)
	}
	if addedMetadata || addedExtra {
		stored.Metadata, stored.Extra = metadata.encode(), extra.encode()
		err = i.tx.SetRelationRest(from, to, stored)
	}
	return true, err
}
