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
// is never overwritten. When it fails, nothing was written.
func Import(ctx context.Context, db *store.DB, document *Document, o ImportOptions) (*ImportResult, error) {
	var result *ImportResult
	err := db.WriteMany(ctx, store.StagedGraph, countRecords(document), func(tx *store.Tx) error {
		i := &importer{
			tx: nodes.In(tx), document: document, result: &ImportResult{}, now: db.Now().Truncate(time.Millisecond), progress: o.Progress,
			stored: map[string]nodes.EntityRef{}, rows: map[string]int64{},
			charts: map[string]*importedChart{}, beats: map[string]*nodes.BeatRecord{}, completed: map[string]string{}, stepOwner: map[string]string{}, skipped: map[string]bool{},
		}
		result = i.result
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

// importer applies one document in one transaction.
type importer struct {
	tx       nodes.Rows
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
}

func (i *importer) run() error {
	for _, stage := range []func() error{i.lookUp, i.importEntities, i.importCharts, i.importBeats, i.importRelations, i.keepForeign} {
		if err := stage(); err != nil {
			return err
		}
	}
	i.result.sort()
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

// lookUp finds what is stored under the names of the document.
func (i *importer) lookUp() error {
	var names []string
	add := func(name string) { names = append(names, name, chartByPart(name)) }
	i.document.eachName(func(name, _ string) { add(name) })
	for _, r := range i.document.Relations {
		add(r.From)
		add(r.To)
	}
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		if r := relationOfLine(line.Raw); r != nil {
			add(r.From)
			add(r.To)
		}
	}
	const batch = 1000
	for part := range slices.Chunk(names, batch) {
		refs, err := i.tx.EntityRefs(part)
		if err != nil {
			return err
		}
		maps.Copy(i.stored, refs)
	}
	return i.lookUpRecords()
}

func (i *importer) lookUpRecords() error {
	rows := map[nodes.Kind][]int64{}
	for _, ref := range i.stored {
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

func (i *importer) importEntities() error {
	for k := range i.document.Entities {
		e := &i.document.Entities[k]
		if ref, known := i.stored[e.Name]; known && ref.Kind == nodes.KindPlain {
			if err := i.mergeEntity(ref.ID, e); err != nil {
				return err
			}
			continue
		}
		if fault := i.findFault(e.Name); fault != "" {
			i.result.skip(e.Line, "entity %q: %s; rename one of them to import it", e.Name, fault)
			i.result.Entities.Skipped++
			i.skipped[e.Name] = true
			continue
		}
		if _, err := i.insert(nodeOfEntity(e, i.now)); err != nil {
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

// importRelations adds the relations whose ends are stored by now: first those
// that earlier imports kept. The others are kept until their ends come.
func (i *importer) importRelations() error {
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	kept := map[relationKey]keptRelation{}
	for _, line := range lines {
		relation := relationOfLine(line.Raw)
		if relation == nil {
			continue
		}
		connected, err := i.connect(relation)
		if err != nil {
			return err
		}
		if !connected {
			kept[relation.key()] = keptRelation{line.Row, relation}
		} else if err := i.tx.DeleteForeignLine(line.Row); err != nil {
			return err
		}
	}
	for k := range i.document.Relations {
		r := &i.document.Relations[k]
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
			if err := i.keepRelation(r, kept[r.key()]); err != nil {
				return err
			}
		}
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

// keepForeign keeps the lines that mean nothing here.
func (i *importer) keepForeign() error {
	lines, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	known := map[string]int{} // how often each line is kept
	for _, line := range lines {
		known[string(sortKeys(line.Raw))]++
	}
	for _, raw := range i.document.Foreign {
		i.countDone()
		if known[string(raw)] > 0 {
			known[string(raw)]--
			i.result.Kept.Unchanged++
			continue
		}
		i.result.Kept.New++
		if err := i.tx.InsertForeignLine(raw); err != nil {
			return err
		}
	}
	return nil
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
