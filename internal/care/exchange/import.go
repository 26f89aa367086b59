package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// Import adds the records of a document to the store, without the rules that
// tools apply, and keeps what the store has no place for. What is stored already
// is never overwritten. Other programs write while a large document comes in; when the
// import fails, what came before stays, and importing again adds the rest.
func Import(ctx context.Context, db *store.DB, document *Document, o ImportOptions) (*ImportResult, error) {
	i := &importer{
		document: document, result: &ImportResult{}, now: db.Now().Truncate(time.Millisecond), progress: o.Progress,
		stored: map[string]nodes.EntityRef{}, rows: map[string]int64{}, kept: map[relationKey]keptRelation{}, foreign: map[string]int{},
		charts: map[string]*importedChart{}, beats: map[string]*nodes.BeatRecord{}, completed: map[string]string{}, stepOwner: map[string]string{}, skipped: map[string]bool{},
	}
	err := db.Read(ctx, i.prepare)
	if err == nil && o.DryRun {
		err = db.Write(ctx, func(tx *store.Tx) error {
			if err := i.importRecords(tx, i.records()); err != nil {
				return err
			}
			return errTakeBack
		})
	} else if err == nil {
		err = store.WriteMany(ctx, db, i.records(), i.importRecords)
	}
	if err != nil && !errors.Is(err, errTakeBack) {
		return nil, fmt.Errorf("import: %w", err)
	}
	i.result.sort()
	return i.result, nil
}

// importer applies one document.
type importer struct {
	tx       nodes.Rows // of the records that are coming in
	document *Document
	result   *ImportResult
	now      time.Time
	progress func(done, all int)
	done     int

	stored    map[string]nodes.EntityRef   // nodes of the document's names that were stored before
	rows      map[string]int64             // nodes that came in
	charts    map[string]*importedChart    // charts of the document that are stored by now
	beats     map[string]*nodes.BeatRecord // beats of the document that were stored before
	completed map[string]string            // when a step of the document was completed, by its ID
	stepOwner map[string]string            // the chart of each step of the document
	skipped   map[string]bool              // nodes of the document that did not come in
	kept      map[relationKey]keptRelation // relations without an end that earlier imports kept
	foreign   map[string]int               // how often each line that means nothing is kept
}

// record is a part of the document, with the names that it is about.
type record struct {
	names []string
	add   func() error
}

// records are the parts of the document in the order in which they come in.
func (i *importer) records() []record {
	d := i.document
	var all []record
	for k := range d.Entities {
		e := &d.Entities[k]
		all = append(all, record{[]string{e.Name}, func() error { return i.importEntity(e) }})
	}
	for k := range d.Charts {
		c := &d.Charts[k]
		names := append(reservedNames(c.ID), c.ParentChart, c.ParentStep)
		for _, step := range c.Steps {
			names = append(names, step.ID)
		}
		all = append(all, record{names, func() error { return i.importChart(c) }})
	}
	for k := range d.Beats {
		b := &d.Beats[k]
		all = append(all, record{[]string{b.Name, b.ParentChart, b.ParentBeat}, func() error { return i.importBeat(b) }})
	}
	all = append(all, record{nil, i.readForeign})
	for k := range d.Relations {
		r := &d.Relations[k]
		all = append(all, record{[]string{r.From, r.To}, func() error { return i.importRelation(r) }})
	}
	for _, raw := range d.Foreign {
		all = append(all, record{nil, func() error { return i.keepForeign(raw) }})
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

// prepare finds what is stored of everything that the document names.
func (i *importer) prepare(tx *store.Tx) error {
	i.tx = nodes.In(tx)
	var names []string
	i.document.eachName(func(name, _ string) { names = append(names, name) })
	for _, r := range i.document.Relations {
		names = append(names, r.From, r.To)
	}
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		if r := relationOfLine(line.Raw); r != nil {
			names = append(names, r.From, r.To)
		}
	}
	if err := i.lookUp(names); err != nil {
		return err
	}
	i.completeSteps()
	return nil
}

func countRecords(d *Document) int {
	c := d.counts()
	return c.Entities + c.Relations + c.Charts + c.Steps + c.Beats + c.Foreign
}

// countDone tells of the progress now and then.
func (i *importer) countDone() {
	const interval = 256
	i.done++
	if i.progress != nil && i.done%interval == 0 {
		i.progress(i.done, countRecords(i.document))
	}
}

// lookUp finds what is stored under names, but for what came in with this import.
func (i *importer) lookUp(names []string) error {
	found := map[string]nodes.EntityRef{}
	const batch = 1000
	for part := range slices.Chunk(names, batch) {
		var unknown []string
		for _, name := range part {
			for _, name := range []string{name, chartByPart(name)} {
				if _, ours := i.rows[name]; name != "" && !ours {
					delete(i.stored, name)
					unknown = append(unknown, name)
				}
			}
		}
		refs, err := i.tx.EntityRefs(unknown)
		if err != nil {
			return err
		}
		maps.Copy(found, refs)
	}
	maps.Copy(i.stored, found)
	return i.lookUpRecords(found)
}

func (i *importer) lookUpRecords(refs map[string]nodes.EntityRef) error {
	rows := map[nodes.Kind][]int64{}
	for _, ref := range refs {
		rows[ref.Kind] = append(rows[ref.Kind], ref.ID)
	}
	charts, err := i.tx.ChartRecords(rows[nodes.KindChart])
	if err != nil {
		return err
	}
	for k := range charts {
		c := &charts[k]
		i.charts[c.Name] = &importedChart{row: c.Row, level: c.Level, lastStep: c.NextStep - 1, record: c}
		for _, step := range c.Steps {
			i.completed[step.Name] = step.CompletedAt
		}
	}
	beats, err := i.tx.BeatRecords(rows[nodes.KindBeat])
	for k := range beats {
		i.beats[beats[k].Name] = &beats[k]
	}
	return err
}

// findFault tells why a new node cannot have that name, or nothing.
func (i *importer) findFault(name string) string {
	if ref, taken := i.stored[name]; taken {
		return fmt.Sprintf("the name %q belongs to a stored %s", name, kindNames[ref.Kind])
	}
	if chart := chartByPart(name); chart != "" && i.stored[chart].Kind == nodes.KindChart {
		return fmt.Sprintf("the name %q is that of a part of the stored chart %q", name, chart)
	}
	return ""
}

var kindNames = map[nodes.Kind]string{
	nodes.KindPlain: "entity", nodes.KindStep: "action step", nodes.KindBeat: "narrative beat", nodes.KindChart: "chart",
}

// findNode returns the row of a node that is stored by now. Charts go by the
// name of their entity in files.
func (i *importer) findNode(name string) (int64, bool) {
	chart, isChart := strings.CutSuffix(name, chartSuffix)
	if row, ok := i.rows[name]; ok {
		return row, true
	}
	if ref, ok := i.stored[name]; ok {
		return ref.ID, true
	}
	if c := i.charts[chart]; isChart && c != nil {
		return c.row, true
	}
	return 0, false
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
	if fault := i.findFault(e.Name); fault != "" {
		i.result.skip(e.Line, "entity %q: %s; rename one of them to import it", e.Name, fault)
		i.result.Entities.Skipped++
		i.skipped[e.Name] = true
		return nil
	}
	i.result.Entities.New++
	_, err := i.insert(nodeOfEntity(e, i.now))
	return err
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
	added, differing := mergeRest(&stored.Metadata, &stored.Extra, e.Metadata, e.Extra)
	if added {
		if err := i.tx.SetNodeRest(row, stored.Metadata, stored.Extra); err != nil {
			return err
		}
	}
	if e.EntityType != "" && e.EntityType != stored.Type {
		differing = append(differing, "entityType")
	}
	if len(differing) > 0 {
		i.result.note(e.Line, "entity %q is stored with another %s, which was kept", e.Name, strings.Join(differing, ", "))
	}
	i.result.Entities.count(added || len(texts) > 0)
	return nil
}

// count counts a record that was there already.
func (t *Tally) count(merged bool) {
	if merged {
		t.Merged++
	} else {
		t.Unchanged++
	}
}

// readForeign reads the lines that earlier imports kept, and adds the relations among
// them whose ends are stored by now.
func (i *importer) readForeign() error {
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		i.foreign[string(sortKeys(line.Raw))]++
		relation := relationOfLine(line.Raw)
		if relation == nil {
			continue
		}
		connected, err := i.connect(relation)
		if err != nil {
			return err
		}
		if !connected {
			i.kept[relation.key()] = keptRelation{line.Row, relation}
		} else if err := i.tx.DeleteForeignLine(line.Row); err != nil {
			return err
		}
	}
	return nil
}

// importRelation adds a relation whose ends are stored by now. Another one is kept until
// its ends come.
func (i *importer) importRelation(r *Relation) error {
	i.countDone()
	connected, err := i.connect(r)
	switch {
	case err != nil:
		return err
	case connected:
	case i.skipped[r.From]:
		i.skipRelation(r, r.From)
	case i.skipped[r.To]:
		i.skipRelation(r, r.To)
	default:
		return i.keepRelation(r, i.kept[r.key()])
	}
	return nil
}

// keptRelation is a relation without an end and the row of its line.
type keptRelation struct {
	row      int64
	relation *Relation
}

// keepRelation keeps a relation until its ends come.
func (i *importer) keepRelation(r *Relation, kept keptRelation) error {
	if kept.relation == nil {
		i.result.Kept.New++
		return i.tx.InsertForeignLine(lineOfRelation(r))
	}
	added, differing := mergeRest(&kept.relation.Metadata, &kept.relation.Extra, r.Metadata, r.Extra)
	i.noteDiffering(r, differing)
	i.result.Kept.count(added)
	if !added {
		return nil
	}
	if err := i.tx.DeleteForeignLine(kept.row); err != nil {
		return err
	}
	return i.tx.InsertForeignLine(lineOfRelation(kept.relation))
}

func (i *importer) noteDiffering(r *Relation, differing []string) {
	if len(differing) > 0 {
		i.result.note(r.Line, "the relation %q from %q to %q is stored with another %s, which was kept", r.RelationType, r.From, r.To, strings.Join(differing, ", "))
	}
}

func (i *importer) skipRelation(r *Relation, missing string) {
	i.result.skip(r.Line, "the relation %q from %q to %q: %q did not come in", r.RelationType, r.From, r.To, missing)
	i.result.Relations.Skipped++
}

// connect adds a relation if both ends are stored.
func (i *importer) connect(r *Relation) (connected bool, err error) {
	from, fromKnown := i.findNode(r.From)
	to, toKnown := i.findNode(r.To)
	if !fromKnown || !toKnown {
		return false, nil
	}
	created, err := i.tx.InsertRelation(from, to, r.RelationType, false, r.Metadata, r.Extra)
	if err != nil || created {
		i.result.Relations.New++
		return true, err
	}
	stored, structural, err := i.tx.RelationRest(from, to, r.RelationType)
	if err != nil {
		return true, err
	}
	added, differing := mergeRest(&stored.Metadata, &stored.Extra, r.Metadata, r.Extra)
	i.noteDiffering(r, differing)
	if !structural {
		i.result.Relations.count(added)
	}
	if added {
		err = i.tx.SetRelationRest(from, to, stored)
	}
	return true, err
}

// keepForeign keeps a line that means nothing here.
func (i *importer) keepForeign(raw json.RawMessage) error {
	i.countDone()
	if i.foreign[string(raw)] > 0 {
		i.foreign[string(raw)]--
		i.result.Kept.Unchanged++
		return nil
	}
	i.result.Kept.New++
	return i.tx.InsertForeignLine(raw)
}

// sortKeys gives an object the form in which documents hold it.
func sortKeys(raw json.RawMessage) json.RawMessage { return decodeObject(raw).encode() }

// relationOfLine returns the relation that a kept line is, or nil.
func relationOfLine(raw json.RawMessage) *Relation {
	members := decodeObject(raw)
	if members.text("type") != "relation" || members.text("from") == "" || members.text("to") == "" {
		return nil
	}
	r := &reader{report: &Report{}}
	r.readRelation(members, 0)
	return &r.relations[0]
}

// lineOfRelation is the line that keeps a relation without an end.
func lineOfRelation(r *Relation) json.RawMessage {
	p := &printer{format: Coaia}
	p.printRelation(r)
	return p.out.Bytes()[:p.out.Len()-1]
}
