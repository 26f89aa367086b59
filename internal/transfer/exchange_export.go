package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/graph"
)

// ExchangeFormat is a file format that ExportExchange can write.
type ExchangeFormat string

const (
	// ExchangeMemory is the format of the official memory server: the metadata of an entity
	// becomes an observation; unknown members and foreign lines have no place.
	ExchangeMemory ExchangeFormat = "memory"
	// ExchangeCoaia is the format of coaia-narrative. It holds everything.
	ExchangeCoaia ExchangeFormat = "coaia"
)

// ParseExchangeFormat returns the format of that name.
func ParseExchangeFormat(name string) (ExchangeFormat, error) {
	if format := ExchangeFormat(name); format == ExchangeMemory || format == ExchangeCoaia {
		return format, nil
	}
	return "", fmt.Errorf("unknown format %q: use %q or %q", name, ExchangeMemory, ExchangeCoaia)
}

// ExchangeCounts tell how much an export holds, and what its format had no place for.
type ExchangeCounts struct {
	Entities, Relations, Charts, Steps, Beats, Foreign int

	Converted int // entities whose metadata became an observation
	Shortened int // lines without their unknown members, or the metadata of a relation
	Dropped   int // foreign lines that were left out
}

// ExportExchange writes the graph as of one moment, each kind of record in the order of its
// creation. If two nodes need one name in a file, it writes nothing and returns an
// error that names them.
func ExportExchange(ctx context.Context, db *store.DB, destination io.Writer, format ExchangeFormat) (ExchangeCounts, error) {
	e := &exchangeExporter{format: format, written: map[string]bool{}, relations: map[exchangeRelationLine]extraMembers{}}
	err := db.Read(ctx, func(tx *store.Tx) error { return e.exportAll(graph.In(tx)) })
	if err == nil {
		_, err = destination.Write(e.out.Bytes())
	}
	if err != nil {
		return ExchangeCounts{}, fmt.Errorf("export: %w", err)
	}
	return e.counts, nil
}

// exchangeExporter writes lines and collects the relations, which come last.
type exchangeExporter struct {
	format    ExchangeFormat
	out       bytes.Buffer
	err       error // the first one
	counts    ExchangeCounts
	written   map[string]bool     // names of entities
	ties      []*ExchangeRelation // of imported charts
	relations map[exchangeRelationLine]extraMembers
}

func (e *exchangeExporter) exportAll(tx graph.Rows) error {
	entities, err := tx.PlainNodes()
	if err != nil {
		return err
	}
	for k := range entities {
		e.writeEntity(exchangeEntityOf(&entities[k]))
	}
	charts, err := tx.AllCharts()
	if err != nil {
		return err
	}
	for k := range charts {
		e.writeChart(&charts[k])
	}
	beats, err := tx.AllBeats()
	if err != nil {
		return err
	}
	for k := range beats {
		e.writeBeat(&beats[k])
	}
	e.counts.Entities, e.counts.Charts, e.counts.Beats = len(entities), len(charts), len(beats)
	return cmp.Or(e.writeRelationsAndForeign(tx), e.err)
}

func exchangeEntityOf(n *graph.NodeRecord) *ExchangeEntity {
	return &ExchangeEntity{Name: n.Name, Type: n.Type, Observations: n.Observations, extraMembers: decodeExtraMembers(n.Metadata, n.Extra)}
}

// exchangeRelationLine is what the line of a relation has in both formats.
type exchangeRelationLine struct {
	Type         string `json:"type"`
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

func (e *exchangeExporter) writeEntity(x *ExchangeEntity) {
	if e.written[x.Name] && e.err == nil {
		e.err = fmt.Errorf("two nodes need the name %q in a file; rename or delete one of them and export again", x.Name)
	}
	e.written[x.Name] = true
	line := struct {
		Type         string   `json:"type"`
		Name         string   `json:"name"`
		EntityType   string   `json:"entityType"`
		Observations []string `json:"observations"`
	}{"entity", x.Name, x.Type, append([]string{}, x.Observations...)}
	if e.format == ExchangeMemory && len(x.Metadata) > 0 {
		line.Observations = append(line.Observations, metadataLabel+string(x.Metadata.encode()))
		e.counts.Converted++
		x = &ExchangeEntity{extraMembers: extraMembers{Extra: x.Extra}}
	}
	e.writeLine(line, x.extraMembers)
}

func (e *exchangeExporter) writeLine(fields any, f extraMembers) {
	if e.format == ExchangeMemory {
		if len(f.Metadata)+len(f.Extra) > 0 {
			e.counts.Shortened++
		}
		f = extraMembers{}
	}
	e.out.Write(encodeExchangeLine(fields, f))
	e.out.WriteByte('\n')
}

// encodeExchangeLine encodes a line: its fields, its metadata, and the unknown members.
func encodeExchangeLine(fields any, f extraMembers) json.RawMessage {
	line := encodeExchangeValue(fields)
	if len(f.Metadata) > 0 {
		line = slices.Concat(line[:len(line)-1], []byte(`,"metadata":`), f.Metadata.encode(), []byte{'}'})
	}
	if len(f.Extra) > 0 {
		line = slices.Concat(line[:len(line)-1], []byte{','}, f.Extra.encode()[1:])
	}
	return line
}

// writeChart writes the entities that a chart consists of in a file.
func (e *exchangeExporter) writeChart(r *graph.ChartRecord) {
	var o exchangeOrigin
	if err := json.Unmarshal(r.Node.Origin, &o); err != nil && r.Node.Origin != nil {
		e.err = fmt.Errorf("what was kept of the file of %q: %w", r.ID, err)
	}
	e.writeEntityOfNode(chartExchangeEntity(r, o), r.ID, &r.Node)
	outcome := &ExchangeEntity{Name: r.ID + graph.PartOutcome, Type: typeOutcome, Observations: append([]string{r.Outcome}, o.Outcome.Observations...), extraMembers: o.Outcome.extraMembers}
	outcome.Metadata = outcome.Metadata.clone()
	if r.DueDate != "" {
		outcome.Metadata.setIfMissing("dueDate", r.DueDate)
	}
	outcome.Metadata.setCompletion(r.CompletedAt)
	e.writeEntityOfNode(outcome, r.ID, &r.Node)
	reality := &ExchangeEntity{Name: r.ID + graph.PartReality, Type: typeReality, Observations: r.Facts, extraMembers: o.Reality.extraMembers}
	e.writeEntityOfNode(reality, r.ID, &r.Node)
	for _, step := range r.StepRecords {
		x := exchangeEntityOf(&step.Node)
		x.Observations = append([]string{step.Title}, x.Observations...)
		x.Metadata.setText("dueDate", step.DueDate)
		x.Metadata.setCompletion(step.CompletedAt)
		x.Metadata.setIfMissing("completionStatus", false)
		e.writeEntityOfNode(x, r.ID, &step.Node)
	}
	e.counts.Steps += len(r.StepRecords)
	e.ties = append(e.ties, o.Ties...)
	e.addChartRelations(r)
}

// writeEntityOfNode writes an entity of a chart with the dates of its node.
func (e *exchangeExporter) writeEntityOfNode(x *ExchangeEntity, chartID string, n *graph.NodeRecord) {
	x.Metadata = x.Metadata.clone()
	x.Metadata.setIfMissing("chartId", chartID)
	x.Metadata.setIfMissing("createdAt", formatExchangeDate(n.Created))
	x.Metadata.setIfMissing("updatedAt", formatExchangeDate(n.Updated))
	e.writeEntity(x)
}

func chartExchangeEntity(r *graph.ChartRecord, o exchangeOrigin) *ExchangeEntity {
	x := exchangeEntityOf(&r.Node)
	x.Name, x.Observations = r.ID+graph.PartChart, o.Own
	x.Metadata["level"] = encodeExchangeValue(r.Level)
	x.Metadata.setText("dueDate", r.DueDate)
	x.Metadata.setText("parentChart", r.ParentChart)
	if !r.IsStep() {
		x.Metadata.setText("parentActionStep", r.ParentStep)
	}
	if r.Status != graph.ChartActive {
		x.Metadata.setText("status", r.Status)
		x.Metadata.setText("closedAt", r.ClosedAt)
	}
	return x
}

// setCompletion marks a step or outcome as complete, unless the date is empty.
func (o jsonObject) setCompletion(at string) {
	if at != "" {
		o["completionStatus"] = encodeExchangeValue(true)
		o["completedAt"] = encodeExchangeValue(at)
	}
}

func (e *exchangeExporter) writeBeat(r *graph.BeatRecord) {
	x := exchangeEntityOf(&r.Node)
	if r.Node.Origin == nil { // it did not come from a file
		x.Observations = r.Beat.Observations(x.Observations)
	}
	x.Metadata.setText("parentBeat", r.ParentBeat)
	x.Metadata.setText("title", r.Title)
	x.Metadata.setText("type_dramatic", r.Type)
	x.Metadata.setText("timestamp", r.OccurredAt)
	x.Metadata.setIfMissing("act", r.Act)
	x.Metadata.setIfMissing("universes", append([]string{}, r.Universes...))
	x.Metadata.setIfMissing("narrative", r.Narrative)
	x.Metadata.setIfMissing("relationalAlignment", r.Alignment)
	x.Metadata.setIfMissing("fourDirections", r.Directions)
	e.writeEntityOfNode(x, r.ChartID, &r.Node)
	if r.ChartID != "" {
		e.addRelation(r.Name, r.ChartID, graph.RelationDocuments, extraMembers{})
	}
}

// addChartRelations states the relations that every file has for such a chart.
func (e *exchangeExporter) addChartRelations(r *graph.ChartRecord) {
	outcome, reality := r.ID+graph.PartOutcome, r.ID+graph.PartReality
	e.addRelation(r.ID, outcome, graph.RelationContains, extraMembers{})
	e.addRelation(r.ID, reality, graph.RelationContains, extraMembers{})
	e.addRelation(reality, outcome, relationTension, extraMembers{})
	for _, step := range r.StepRecords {
		e.addRelation(r.ID, step.ID, graph.RelationContains, extraMembers{})
		e.addRelation(step.ID, outcome, relationAdvances, extraMembers{})
	}
	if r.IsStep() {
		e.addRelation(outcome, r.ParentChart+graph.PartOutcome, relationAdvances, extraMembers{})
	} else if r.ParentStep != "" {
		e.addRelation(r.ParentStep, outcome, graph.RelationTelescopes, extraMembers{})
	}
}

// addRelation collects a relation. One that is stated again gets what it lacks.
func (e *exchangeExporter) addRelation(from, to, relationType string, f extraMembers) {
	line := exchangeRelationLine{"relation", e.nameInFile(from), e.nameInFile(to), relationType}
	e.relations[line], _ = f.merge(e.relations[line])
}

// nameInFile returns the name that a node has in a file: that of its entity for a chart.
func (e *exchangeExporter) nameInFile(name string) string {
	if !e.written[name] && e.written[name+graph.PartChart] {
		return name + graph.PartChart
	}
	return name
}

// writeRelationsAndForeign writes the relations, sorted by their ends, and the foreign lines.
func (e *exchangeExporter) writeRelationsAndForeign(tx graph.Rows) error {
	for _, r := range e.ties {
		if e.written[e.nameInFile(r.From)] && e.written[e.nameInFile(r.To)] { // else an end was deleted since the import
			e.addRelation(r.From, r.To, r.Type, r.extraMembers)
		}
	}
	stated, err := tx.RelationsToExport()
	if err != nil {
		return err
	}
	for _, r := range stated {
		e.addRelation(r.From, r.To, r.Type, decodeExtraMembers(r.Metadata, r.Extra))
	}
	lines, err := tx.ForeignLines()
	if err != nil {
		return err
	}
	var foreign []json.RawMessage
	for _, line := range lines {
		if r, err := parseExchangeRelation(decodeJSONObject(line.Raw)); err == nil {
			e.addRelation(r.From, r.To, r.Type, r.extraMembers)
		} else {
			foreign = append(foreign, line.Raw)
		}
	}
	byEnds := func(a, b exchangeRelationLine) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.RelationType, b.RelationType))
	}
	for _, line := range slices.SortedFunc(maps.Keys(e.relations), byEnds) {
		e.writeLine(line, e.relations[line])
	}
	e.counts.Relations = len(e.relations)
	if e.format == ExchangeMemory {
		e.counts.Dropped = len(foreign)
		return nil
	}
	for _, line := range foreign {
		e.writeLine(line, extraMembers{})
	}
	e.counts.Foreign = len(foreign)
	return nil
}
