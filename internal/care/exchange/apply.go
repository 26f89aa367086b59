package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/store/nodes"
)

// importer applies one document in one transaction. It first decides what of
// the document can come in, then writes all nodes, then what connects them.
type importer struct {
	tx       nodes.Rows
	document *Document
	result   *ImportResult
	now      time.Time
	progress func(done, all int)
	done     int
	work     int

	there  map[string]nodes.EntityRef // nodes of the document's names that were stored before
	rows   map[string]int64           // nodes that came in
	charts map[string]*nodes.ChartRecord
	beats  map[string]*nodes.BeatRecord
	byID   map[string]*chartPlan
	byName map[string]*beatPlan

	chartPlans []*chartPlan // of each chart of the document
	beatPlans  []*beatPlan  // of each beat
}

func newImporter(tx nodes.Rows, d *Document, r *ImportResult, now time.Time, progress func(done, all int)) *importer {
	*r = ImportResult{}
	return &importer{
		tx: tx, document: d, result: r, work: work(d), now: now.Truncate(time.Millisecond), progress: progress,
		there: map[string]nodes.EntityRef{}, rows: map[string]int64{},
		charts: map[string]*nodes.ChartRecord{}, beats: map[string]*nodes.BeatRecord{},
		byID: map[string]*chartPlan{}, byName: map[string]*beatPlan{},
	}
}

func (i *importer) run() error {
	for _, stage := range []func() error{
		i.lookUp, i.planCharts, i.planBeats,
		i.addEntities, i.addChartNodes, i.addBeatNodes,
		i.addRelations, i.placeCharts, i.placeBeats, i.keepForeign,
	} {
		if err := stage(); err != nil {
			return err
		}
	}
	i.result.sort()
	return nil
}

// step counts some work as done.
func (i *importer) step(n int) {
	before := i.done / stepInterval
	i.done += n
	if i.progress != nil && i.done/stepInterval > before {
		i.progress(i.done, i.work)
	}
}

// stepInterval is how much work is done between two reports.
const stepInterval = 256

// work is how much there is to do: nodes are first added, then placed.
func work(d *Document) int {
	n := len(d.Entities) + len(d.Relations) + len(d.Foreign) + 2*len(d.Beats)
	for k := range d.Charts {
		n += 2 * (1 + len(d.Charts[k].Steps))
	}
	return n
}

// lookUp finds what is stored under the names of the document.
func (i *importer) lookUp() error {
	if err := i.find(i.names()); err != nil {
		return err
	}
	rows := map[nodes.Kind][]int64{}
	for _, ref := range i.there {
		rows[ref.Kind] = append(rows[ref.Kind], ref.ID)
	}
	charts, err := i.tx.ChartRecords(rows[nodes.KindChart])
	if err != nil {
		return err
	}
	for k := range charts {
		i.charts[charts[k].Name] = &charts[k]
	}
	beats, err := i.tx.BeatRecords(rows[nodes.KindBeat])
	for k := range beats {
		i.beats[beats[k].Name] = &beats[k]
	}
	return err
}

// find adds what is stored under these names to what is there.
func (i *importer) find(names []string) error {
	const batch = 1000
	for part := range slices.Chunk(names, batch) {
		refs, err := i.tx.EntityRefs(part)
		if err != nil {
			return err
		}
		maps.Copy(i.there, refs)
	}
	return nil
}

// names are those of all nodes, and those that nodes reserve or belong to in a
// file.
func (i *importer) names() []string {
	var names []string
	i.document.eachName(func(name, _ string) {
		names = append(names, name)
		if chart := partOf(name); chart != "" {
			names = append(names, chart)
		}
	})
	return names
}

// partOf is the ID of the chart of which an entity of that name would be a
// part in a file, or empty.
func partOf(name string) string {
	for _, suffix := range []string{chartSuffix, outcomeSuffix, realitySuffix} {
		if chart, ok := strings.CutSuffix(name, suffix); ok && chart != "" {
			return chart
		}
	}
	return ""
}

// fault tells why a new node cannot have that name, or nothing.
func (i *importer) fault(name string) string {
	if ref, taken := i.there[name]; taken {
		return fmt.Sprintf("the name %q belongs to a stored %s", name, kindNames[ref.Kind])
	}
	if chart := partOf(name); chart != "" && i.there[chart].Kind == nodes.KindChart {
		return fmt.Sprintf("the name %q is that of a part of the stored chart %q", name, chart)
	}
	return ""
}

var kindNames = map[nodes.Kind]string{
	nodes.KindPlain: "entity", nodes.KindStep: "action step", nodes.KindBeat: "narrative beat", nodes.KindChart: "chart",
}

// node returns the row of a node that is stored by now.
func (i *importer) node(name string) (int64, bool) {
	if row, ok := i.rows[name]; ok {
		return row, true
	}
	ref, ok := i.there[name]
	return ref.ID, ok
}

func (i *importer) insert(n nodes.NewEntity, err error) error {
	if err != nil {
		return err
	}
	row, err := i.tx.InsertEntity(n)
	if err != nil {
		return fmt.Errorf("%q: %w", n.Name, err)
	}
	i.rows[n.Name] = row
	i.step(1)
	return nil
}

func (i *importer) addEntities() error {
	for k := range i.document.Entities {
		e := &i.document.Entities[k]
		if ref, known := i.there[e.Name]; known && ref.Kind == nodes.KindPlain {
			if err := i.merge(ref.ID, e); err != nil {
				return err
			}
			continue
		}
		if fault := i.fault(e.Name); fault != "" {
			i.result.skip(e.Line, "entity %q: %s; rename one of them to import it", e.Name, fault)
			i.result.Entities.Skipped++
			continue
		}
		if err := i.insert(nodeOfEntity(e, i.now), nil); err != nil {
			return err
		}
		i.result.Entities.New++
	}
	return nil
}

// merge adds what the stored entity does not have yet and changes nothing that
// it has.
func (i *importer) merge(row int64, e *Entity) error {
	i.step(1)
	stored, err := i.tx.PlainNode(row)
	if err != nil {
		return err
	}
	added, err := i.tx.AppendObservations(row, e.Observations)
	if err != nil {
		return err
	}
	i.result.Observations += len(added)
	metadata, differing := addKeys(stored.Metadata, e.Metadata)
	extra, more := addKeys(stored.Extra, e.Extra)
	changed := len(added) > 0 || metadata != nil || extra != nil
	if metadata != nil || extra != nil {
		if metadata == nil {
			metadata = stored.Metadata
		}
		if extra == nil {
			extra = stored.Extra
		}
		if err := i.tx.SetNodeRest(row, metadata, extra); err != nil {
			return err
		}
	}
	if e.EntityType != "" && e.EntityType != stored.Type {
		differing = append(differing, "entityType")
	}
	if differing = append(differing, more...); len(differing) > 0 {
		i.result.note(e.Line, "entity %q is stored with another %s, which was kept", e.Name, strings.Join(differing, ", "))
	}
	if changed {
		i.result.Entities.Merged++
	} else {
		i.result.Entities.Unchanged++
	}
	return nil
}

func (i *importer) addRelations() error {
	for k := range i.document.Relations {
		if err := i.addRelation(&i.document.Relations[k]); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) addRelation(r *Relation) error {
	i.step(1)
	from, fromKnown := i.node(r.From)
	to, toKnown := i.node(r.To)
	if !fromKnown || !toKnown {
		missing := r.From
		if fromKnown {
			missing = r.To
		}
		i.result.skip(r.Line, "the relation %q from %q to %q: %q did not come in", r.RelationType, r.From, r.To, missing)
		i.result.Relations.Skipped++
		return nil
	}
	created, err := i.tx.InsertRelation(from, to, r.RelationType, false, r.Metadata, r.Extra)
	if created {
		i.result.Relations.New++
	} else {
		i.result.Relations.Unchanged++
	}
	return err
}
