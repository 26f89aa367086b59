package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/store/plainjson"
)

// Format is a file format that Export can write.
type Format string

const (
	// Memory is the format of the official memory server: entity and relation
	// lines with nothing but their own fields. Charts, steps and beats become
	// plain entities whose observations hold all their text, and due dates and
	// completion; metadata, unknown members and foreign lines have no place in it.
	Memory Format = "memory"
	// Coaia is the format of coaia-narrative. It holds everything.
	Coaia Format = "coaia"
)

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	switch format := Format(name); format {
	case Memory, Coaia:
		return format, nil
	}
	return "", fmt.Errorf("unknown format %q: use %q or %q", name, Memory, Coaia)
}

// Counts tell how much an export holds.
type Counts struct{ Entities, Relations, Charts, Steps, Beats, Foreign int }

// Export writes all entities, charts, beats, relations and foreign lines as of
// one moment, each kind in the order of its creation. It returns how much that
// is. If two nodes need one name in a file, it writes nothing and returns an
// error that names them.
func Export(ctx context.Context, db *store.DB, destination io.Writer, format Format) (Counts, error) {
	e := &exporter{format: format, written: map[string]bool{}, charts: map[string]bool{}, relations: map[relationKey]*Relation{}}
	err := db.Read(ctx, func(tx *store.Tx) error { return e.exportAll(nodes.In(tx)) })
	if err == nil {
		_, err = destination.Write(e.out.Bytes())
	}
	if err != nil {
		return Counts{}, fmt.Errorf("export: %w", err)
	}
	return e.counts, nil
}

// exporter writes lines and collects the relations, which come last.
type exporter struct {
	format    Format
	out       bytes.Buffer
	counts    Counts
	written   map[string]bool // names of entities
	charts    map[string]bool // IDs
	ties      []*Relation     // of imported charts and beats
	relations map[relationKey]*Relation
}

func (e *exporter) exportAll(tx nodes.Rows) error {
	entities, err := tx.PlainNodes()
	if err != nil {
		return err
	}
	for _, n := range entities {
		if err := e.writeEntity(entityOf(&n)); err != nil {
			return err
		}
	}
	charts, err := tx.AllCharts()
	if err != nil {
		return err
	}
	for k := range charts {
		e.charts[charts[k].Name] = true
		if err := e.writeChart(&charts[k]); err != nil {
			return err
		}
	}
	beats, err := tx.AllBeats()
	if err != nil {
		return err
	}
	for k := range beats {
		if err := e.writeBeat(&beats[k]); err != nil {
			return err
		}
	}
	e.counts.Entities, e.counts.Charts, e.counts.Beats = len(entities), len(charts), len(beats)
	return e.writeRelations(tx)
}

func entityOf(n *nodes.NodeRecord) *Entity {
	return &Entity{Name: n.Name, Type: n.Type, Observations: n.Observations, Metadata: decodeObject(n.Metadata).clone(), Extra: decodeObject(n.Extra)}
}

// writeEntity writes a line for an entity and behind its own members the unknown
// ones.
func (e *exporter) writeEntity(x *Entity) error {
	if e.written[x.Name] {
		return fmt.Errorf("two nodes need the name %q in a file; rename or delete one of them and export again", x.Name)
	}
	e.written[x.Name] = true
	line := struct {
		Type         string   `json:"type"`
		Name         string   `json:"name"`
		EntityType   string   `json:"entityType"`
		Observations []string `json:"observations"`
		Metadata     object   `json:"metadata,omitempty"`
	}{"entity", x.Name, x.Type, append([]string{}, x.Observations...), x.Metadata}
	if e.format == Memory {
		line.Metadata = nil
		return e.writeLine(encodeLine(line, nil))
	}
	return e.writeLine(encodeLine(line, x.Extra))
}

func (e *exporter) writeRelation(r *Relation) error {
	if e.format == Memory {
		r = &Relation{From: r.From, To: r.To, Type: r.Type}
	}
	return e.writeLine(encodeRelation(r))
}

// encodeRelation is the line that a relation has in a file.
func encodeRelation(r *Relation) (json.RawMessage, error) {
	return encodeLine(struct {
		Type         string `json:"type"`
		From         string `json:"from"`
		To           string `json:"to"`
		RelationType string `json:"relationType"`
		Metadata     object `json:"metadata,omitempty"`
	}{"relation", r.From, r.To, r.Type, r.Metadata}, r.Extra)
}

func encodeLine(record any, extra object) (json.RawMessage, error) {
	line, err := plainjson.Encode(record)
	if err != nil || len(extra) == 0 {
		return line, err
	}
	more, err := plainjson.Encode(extra)
	if err != nil {
		return nil, err
	}
	return slices.Concat(line[:len(line)-1], []byte{','}, more[1:]), nil
}

func (e *exporter) writeLine(line json.RawMessage, err error) error {
	e.out.Write(line)
	e.out.WriteByte('\n')
	return err
}

// writeChart writes the entities that a chart consists of in a file.
func (e *exporter) writeChart(r *nodes.ChartRecord) error {
	o, err := decodeOrigin(r.Name, r.Origin)
	if err != nil {
		return err
	}
	reality := &Entity{Name: r.Name + nodes.PartReality, Type: typeReality, Observations: r.Observations, Metadata: o.Reality.Metadata.clone(), Extra: o.Reality.Extra}
	for _, x := range []*Entity{chartEntity(r, o.Own), outcomeEntity(r, &o), reality} {
		x.Metadata.fill("chartId", r.Name)
		if err := e.writeChartPart(x, &r.NodeRecord); err != nil {
			return err
		}
	}
	var steps []string
	for k := range r.Steps {
		step := &r.Steps[k]
		steps = append(steps, step.Name)
		x := entityOf(&step.NodeRecord)
		x.Observations = slices.Concat([]string{step.Title}, step.Observations)
		x.Metadata.fill("chartId", r.Name)
		x.Metadata.setText("dueDate", step.DueDate)
		x.Metadata.setCompletion(step.CompletedAt)
		x.Metadata.fill("completionStatus", false)
		if err := e.writeChartPart(x, &step.NodeRecord); err != nil {
			return err
		}
	}
	e.counts.Steps += len(steps)
	parentStep := r.ParentStep
	if r.IsStep() {
		parentStep = ""
	}
	e.imply(r.Created, impliedByChart(r.Name, r.ParentChart, parentStep, steps)...)
	e.ties = append(e.ties, o.Ties...)
	return nil
}

// writeChartPart writes an entity of a chart with the dates of its node.
func (e *exporter) writeChartPart(x *Entity, n *nodes.NodeRecord) error {
	x.Metadata.fill("createdAt", formatDate(n.Created))
	x.Metadata.fill("updatedAt", formatDate(n.Updated))
	if e.format == Memory {
		x.Observations = withPlainLabels(x.Observations, x.Metadata)
	}
	return e.writeEntity(x)
}

func chartEntity(r *nodes.ChartRecord, observations []string) *Entity {
	x := entityOf(&r.NodeRecord)
	x.Name, x.Observations = r.Name+nodes.PartChart, observations
	if len(observations) == 0 {
		x.Observations = []string{"Chart created on " + formatDate(r.Created)}
	}
	x.Metadata["level"] = encodeValue(r.Level)
	x.Metadata.setText("dueDate", r.DueDate)
	x.Metadata.setText("parentChart", r.ParentChart)
	if !r.IsStep() {
		x.Metadata.setText("parentActionStep", r.ParentStep)
	}
	if r.Status != nodes.ChartActive {
		x.Metadata.setText("status", r.Status)
		x.Metadata.setText("closedAt", r.ClosedAt)
	}
	return x
}

func outcomeEntity(r *nodes.ChartRecord, o *origin) *Entity {
	m := o.Outcome.Metadata.clone()
	if r.DueDate != "" {
		m.fill("dueDate", r.DueDate)
	}
	m.setCompletion(r.CompletedAt)
	if o.Completion.File.Done && r.ParentStep == "" {
		m.setCompletion(o.Completion.File.At)
	}
	return &Entity{
		Name: r.Name + nodes.PartOutcome, Type: typeOutcome, Metadata: m, Extra: o.Outcome.Extra,
		Observations: slices.Concat([]string{r.Title}, o.Outcome.Observations),
	}
}

// setCompletion marks a step or outcome as complete, unless the date is empty.
func (o object) setCompletion(at string) {
	if at != "" {
		o["completionStatus"] = encodeValue(true)
		o["completedAt"] = encodeValue(at)
	}
}

func (e *exporter) writeBeat(r *nodes.BeatRecord) error {
	o, err := decodeOrigin(r.Name, r.Node.Origin)
	if err != nil {
		return err
	}
	x := entityOf(&r.Node)
	if !o.Verbatim || e.format == Memory && len(x.Observations) == 0 {
		x.Observations = r.Beat.Observations(x.Observations)
	}
	x.Metadata.fill("chartId", r.ChartID)
	x.Metadata.setText("parentBeat", r.ParentBeat)
	x.Metadata.setText("title", r.Title)
	x.Metadata.setText("type_dramatic", r.Type)
	x.Metadata.setText("timestamp", r.OccurredAt)
	x.Metadata.fill("act", r.Act)
	x.Metadata.fill("universes", append([]string{}, r.Universes...))
	x.Metadata.fill("narrative", r.Narrative)
	x.Metadata.fill("relationalAlignment", r.Alignment)
	x.Metadata.fill("fourDirections", r.Directions)
	if r.ChartID != "" {
		e.imply(r.Node.Created, relationKey{r.Name, r.ChartID + nodes.PartChart, nodes.RelationDocuments})
	}
	e.ties = append(e.ties, o.Ties...)
	return e.writeChartPart(x, &r.Node)
}

// impliedByChart lists the relations that every file has for such a chart.
func impliedByChart(chartID, parentChart, parentStep string, steps []string) []relationKey {
	entity, outcome, reality := chartID+nodes.PartChart, chartID+nodes.PartOutcome, chartID+nodes.PartReality
	implied := []relationKey{
		{entity, outcome, nodes.RelationContains},
		{entity, reality, nodes.RelationContains},
		{reality, outcome, relationTension},
	}
	for _, step := range steps {
		implied = append(implied, relationKey{entity, step, nodes.RelationContains}, relationKey{step, outcome, relationAdvances})
	}
	if parentStep != "" {
		return append(implied, relationKey{parentStep, outcome, nodes.RelationTelescopes})
	}
	if parentChart != "" {
		return append(implied, relationKey{outcome, parentChart + nodes.PartOutcome, relationAdvances})
	}
	return implied
}

func (e *exporter) imply(created time.Time, keys ...relationKey) {
	for _, key := range keys {
		since := object{"createdAt": encodeValue(formatDate(created))}
		e.state(&Relation{From: key.from, To: key.to, Type: key.relationType, Metadata: since})
	}
}

// state collects a relation. One that is stated again gets what it lacks.
func (e *exporter) state(r *Relation) {
	for _, end := range []*string{&r.From, &r.To} {
		if e.charts[*end] {
			*end += nodes.PartChart
		}
	}
	if known := e.relations[r.key()]; known != nil {
		r.Metadata, _ = r.Metadata.merge(known.Metadata)
		r.Extra, _ = r.Extra.merge(known.Extra)
	}
	e.relations[r.key()] = r
}

// writeRelations writes the relations, sorted by their ends, and the foreign lines.
func (e *exporter) writeRelations(tx nodes.Rows) error {
	for _, r := range e.ties {
		if e.written[r.From] && e.written[r.To] { // else an end was deleted since the import
			e.state(r)
		}
	}
	records, err := tx.StatedRelations()
	if err != nil {
		return err
	}
	for _, r := range records {
		e.state(&Relation{From: r.From, To: r.To, Type: r.Type, Metadata: decodeObject(r.Metadata), Extra: decodeObject(r.Extra)})
	}
	e.counts.Relations = len(records)
	lines, err := tx.ForeignLines()
	if err != nil {
		return err
	}
	var foreign []object
	for _, line := range lines {
		if r := parseForeignRelation(line.Raw); r != nil {
			e.counts.Relations++
			e.state(r)
		} else {
			foreign = append(foreign, decodeObject(line.Raw))
		}
	}
	e.counts.Foreign = len(foreign)
	byEnds := func(a, b *Relation) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Type, b.Type))
	}
	for _, r := range slices.SortedFunc(maps.Values(e.relations), byEnds) {
		if err := e.writeRelation(r); err != nil {
			return err
		}
	}
	if e.format == Memory {
		return nil
	}
	for _, line := range foreign {
		if err := e.writeLine(line.encode(), nil); err != nil {
			return err
		}
	}
	return nil
}
