package exchange

import (
	"context"
	"encoding/json"
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
// stored gets what it lacks; a stored chart or beat stays as it is. Other programs
// write while a large file comes in; when Import fails, what came before stays, and
// importing again adds the rest.
func Import(ctx context.Context, db *store.DB, file *File, o ImportOptions) (*ImportResult, error) {
	i := &importer{
		file: file, result: &ImportResult{}, now: db.Now().Truncate(time.Millisecond), progress: o.Progress, count: file.countRecords(),
		stored: map[string]nodes.EntityRef{}, rows: map[string]int64{}, charts: map[string]*importedChart{}, completed: map[string]string{},
	}
	i.findCompletedSteps()
	var err error
	if o.DryRun {
		err = db.Write(ctx, func(tx *store.Tx) error {
			if err := i.importRecords(tx, i.records()); err != nil {
				return err
			}
			return errDryRun
		})
	} else {
		err = store.WriteMany(ctx, db, i.records(), i.importRecords)
	}
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, fmt.Errorf("import: %w", err)
	}
	i.result.sort()
	return i.result, nil
}

// importer applies one file.
type importer struct {
	tx       nodes.Rows // of the records that are coming in
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
	foreign   map[string]int             // how often each foreign line was kept before; nil: not read yet
}

// record is a part of the file, with the names of its nodes.
type record struct {
	names []string
	add   func() error
}

// records are the parts of the file in the order in which they come in.
func (i *importer) records() []record {
	var all []record
	for _, e := range i.file.Entities {
		all = append(all, record{[]string{e.Name}, func() error { return i.importEntity(e) }})
	}
	for _, c := range i.file.Charts {
		all = append(all, record{append(c.names(), c.ParentChart), func() error { return i.importChart(c) }})
	}
	for _, b := range i.file.Beats {
		all = append(all, record{[]string{b.Name}, func() error { return i.importBeat(b) }})
	}
	all = append(all, record{nil, i.connectForeign})
	for _, r := range i.file.Relations {
		all = append(all, record{nil, func() error { return i.importRelation(r) }})
	}
	for _, line := range i.file.Foreign {
		all = append(all, record{nil, func() error { return i.keepForeign(line) }})
	}
	return all
}

// importRecords adds records in a transaction, after looking up again what others may
// have changed since the last one.
func (i *importer) importRecords(tx *store.Tx, records []record) error {
	i.tx = nodes.In(tx)
	var names []string
	for _, r := range records {
		names = append(names, r.names...)
	}
	if err := i.lookUp(names); err != nil {
		return err
	}
	for _, r := range records {
		if err := r.add(); err != nil {
			return err
		}
	}
	return nil
}

// countDone tells of the progress now and then.
func (i *importer) countDone() {
	const interval = 256
	i.done++
	if i.progress != nil && i.done%interval == 0 {
		i.progress(i.done, i.count)
	}
}

// lookUp finds what is stored under names, but for what came in with this import.
func (i *importer) lookUp(names []string) error {
	for name := range i.stored { // as it was before the last transaction
		delete(i.stored, name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" || i.rows[name] != 0 })
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

func (i *importer) importEntity(e *Entity) error {
	if ref, known := i.stored[e.Name]; known && ref.Kind == nodes.KindPlain {
		return i.mergeEntity(ref.ID, e)
	}
	if conflict := i.findConflict(e.Name); conflict != "" {
		i.result.skip(e.Line, "entity %q: %s; rename one of them to import it", e.Name, conflict)
		i.result.Entities.Skipped++
		return nil
	}
	_, err := i.insert(nodes.NewEntity{
		Name: e.Name, Type: e.Type, Kind: nodes.KindPlain, Observations: e.Observations,
		Metadata: e.Metadata.encode(), Extra: e.Extra.encode(), Created: i.now, Updated: i.now,
	})
	if err != nil {
		return err
	}
	i.result.Entities.New++
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

// importRelation adds a relation whose ends are stored by now. Any other becomes a
// foreign line, which waits for its ends.
func (i *importer) importRelation(r *Relation) error {
	i.countDone()
	connected, err := i.connect(r)
	if err != nil || connected {
		return err
	}
	i.result.note(r.Line, "the relation %q from %q to %q lacks an end here, so it waits for one", r.Type, r.From, r.To)
	line, err := encodeRelation(r)
	if err != nil {
		return err
	}
	return i.keepForeign(line)
}

// keepForeign keeps a line that means nothing here for an export, unless it is kept.
func (i *importer) keepForeign(line json.RawMessage) error {
	i.countDone()
	if err := i.readForeign(); err != nil {
		return err
	}
	text := string(decodeObject(line).encode())
	if i.foreign[text] > 0 {
		i.foreign[text]--
		i.result.Kept.Unchanged++
		return nil
	}
	i.result.Kept.New++
	return i.tx.InsertForeignLine(line)
}

// readForeign counts the foreign lines that are kept, without those of this import.
func (i *importer) readForeign() error {
	if i.foreign != nil {
		return nil
	}
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	i.foreign = map[string]int{}
	for _, line := range lines {
		i.foreign[string(decodeObject(line.Raw).encode())]++
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
