package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"toolkit/store/plainjson"
)

// Format is a file format that Write can print.
type Format string

const (
	// Memory is the format of the official memory server: entity and relation
	// lines with nothing but their own fields. Charts, steps and beats become
	// plain entities whose observations hold all their text, and due dates and
	// completion; metadata, unknown members and foreign lines have no place in it.
	Memory Format = "memory"
	// Coaia is the format of coaia-narrative. It holds everything a Document
	// holds.
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

// Write prints a document: entities, charts, beats, relations, foreign lines,
// each in the order of the document. Equal documents give equal bytes. A
// document that no file could hold is an error, and then nothing is written:
// two nodes of one name, a node without a name, metadata that is no JSON.
func Write(destination io.Writer, document *Document, format Format) error {
	if _, err := ParseFormat(string(format)); err != nil {
		return err
	}
	if err := checkNames(document); err != nil {
		return fmt.Errorf("write %s file: %w", format, err)
	}
	p := &printer{format: format, charts: map[string]bool{}}
	p.printDocument(document)
	if p.err == nil {
		_, p.err = destination.Write(p.out.Bytes())
	}
	if p.err != nil {
		return fmt.Errorf("write %s file: %w", format, p.err)
	}
	return nil
}

// checkNames refuses names that would be one node when read again.
func checkNames(document *Document) error {
	for i := range document.Charts {
		if document.Charts[i].ID == "" {
			return fmt.Errorf("chart number %d has no ID", i+1)
		}
	}
	taken := make(map[string]string, len(document.Entities))
	var fault error
	document.eachName(func(name, owner string) {
		other, used := taken[name]
		switch {
		case fault != nil:
		case name == "":
			fault = fmt.Errorf("%s has no name", owner)
		case used:
			fault = fmt.Errorf("%s and %s both need the name %q; rename or delete one of them and export again", other, owner, name)
		}
		taken[name] = owner
	})
	return fault
}

// printer prints lines until one fails.
type printer struct {
	out    bytes.Buffer
	format Format
	charts map[string]bool // IDs
	err    error
}

func (p *printer) printDocument(document *Document) {
	for i := range document.Charts {
		p.charts[document.Charts[i].ID] = true
	}
	for i := range document.Entities {
		p.printEntity(&document.Entities[i])
	}
	for i := range document.Charts {
		p.printChart(&document.Charts[i])
	}
	for i := range document.Beats {
		p.printBeat(&document.Beats[i])
	}
	p.printRelations(document)
	for _, foreign := range document.Foreign {
		if p.format == Coaia {
			p.printLine(foreign, nil)
		}
	}
}

// printRelations prints those that charts and beats imply, as they are stated if
// they are, and behind them all others that are stated.
func (p *printer) printRelations(document *Document) {
	var stated []Relation
	for i := range document.Charts {
		stated = append(stated, document.Charts[i].Ties...)
	}
	for _, relation := range document.Relations {
		stated = append(stated, p.inFileNames(relation))
	}
	left := make(map[relationKey]*Relation, len(stated))
	for i := range stated {
		left[stated[i].key()] = &stated[i]
	}
	for _, relation := range document.impliedRelations() {
		key := relation.key()
		if left[key] != nil {
			relation = *left[key]
			delete(left, key)
		}
		p.printRelation(&relation)
	}
	for i := range stated {
		if left[stated[i].key()] != nil {
			p.printRelation(&stated[i])
		}
	}
}

// inFileNames names charts by their entity.
func (p *printer) inFileNames(relation Relation) Relation {
	if p.charts[relation.From] {
		relation.From = ChartEntityName(relation.From)
	}
	if p.charts[relation.To] {
		relation.To = ChartEntityName(relation.To)
	}
	return relation
}

type entityLine struct {
	Type         string          `json:"type"`
	Name         string          `json:"name"`
	EntityType   string          `json:"entityType"`
	Observations []string        `json:"observations"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
}

type relationLine struct {
	Type         string          `json:"type"`
	From         string          `json:"from"`
	To           string          `json:"to"`
	RelationType string          `json:"relationType"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
}

// printLine prints a record and behind its own members the unknown ones.
func (p *printer) printLine(record any, extra json.RawMessage) {
	line, err := plainjson.Encode(record)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("a record that is no JSON: %w", err)
	}
	if p.err != nil {
		return
	}
	if more := decodeObject(extra).encode(); more != nil && p.format == Coaia {
		line = append(append(line[:len(line)-1], ','), more[1:]...)
	}
	p.out.Write(line)
	p.out.WriteByte('\n')
}

func (p *printer) printEntity(entity *Entity) {
	line := entityLine{"entity", entity.Name, entity.EntityType, append([]string{}, entity.Observations...), entity.Metadata}
	if p.format == Memory {
		line.Metadata = nil
	}
	p.printLine(line, entity.Extra)
}

func (p *printer) printRelation(relation *Relation) {
	line := relationLine{"relation", relation.From, relation.To, relation.RelationType, relation.Metadata}
	if p.format == Memory {
		line.Metadata = nil
	}
	p.printLine(line, relation.Extra)
}

// printPart prints an entity of a chart. The fields of fallback give way to
// what is left of the metadata, and that to the other fields.
func (p *printer) printPart(name, entityType string, observations []string, rest Part, fallback, fields object) {
	metadata := maps.Clone(fallback)
	maps.Copy(metadata, decodeObject(rest.Metadata))
	maps.Copy(metadata, fields)
	p.printEntity(&Entity{Name: name, EntityType: entityType, Observations: observations, Metadata: metadata.encode(), Extra: rest.Extra})
}

// texts makes an object of keys and texts; empty texts are left out.
func texts(pairs ...string) object {
	o := object{}
	for i := 0; i < len(pairs); i += 2 {
		o.setText(pairs[i], pairs[i+1])
	}
	return o
}

// printChart prints the entities that a chart consists of in a file.
func (p *printer) printChart(chart *Chart) {
	observations := chart.ChartEntity.Observations
	if len(observations) == 0 && chart.CreatedAt != "" {
		observations = []string{chartCreatedObservation(chart.CreatedAt)}
	}
	if p.format == Memory {
		observations = withState(observations, state{chart.DueDate, chart.Completed, chart.CompletedAt})
	}
	level := texts("chartId", chart.ID)
	level["level"] = encodeValue(chart.Level)
	p.printPart(ChartEntityName(chart.ID), typeChart, observations, chart.ChartEntity, level,
		texts("dueDate", chart.DueDate, "createdAt", chart.CreatedAt, "updatedAt", chart.UpdatedAt, "parentChart", chart.ParentChart, "parentActionStep", chart.ParentStep))

	dates := texts("chartId", chart.ID, "dueDate", chart.DueDate, "createdAt", chart.CreatedAt, "updatedAt", chart.UpdatedAt)
	completion := texts("completedAt", chart.CompletedAt)
	if chart.Completed {
		completion["completionStatus"] = encodeValue(true)
	}
	outcome := append([]string{chart.DesiredOutcome}, chart.OutcomeEntity.Observations...)
	p.printPart(OutcomeEntityName(chart.ID), typeOutcome, outcome, chart.OutcomeEntity, dates, completion)

	delete(dates, "dueDate")
	p.printPart(RealityEntityName(chart.ID), typeReality, chart.CurrentReality, chart.RealityEntity, dates, nil)
	for i := range chart.Steps {
		p.printStep(&chart.Steps[i], chart.ID)
	}
}

func (p *printer) printStep(step *Step, chartID string) {
	observations := step.Observations
	if p.format == Memory {
		observations = withState(observations, state{step.DueDate, step.Completed, step.CompletedAt})
	}
	fallback := texts("chartId", chartID)
	fallback["completionStatus"] = encodeValue(false)
	fields := texts("dueDate", step.DueDate, "completedAt", step.CompletedAt, "createdAt", step.CreatedAt, "updatedAt", step.UpdatedAt)
	if step.Completed {
		fields["completionStatus"] = encodeValue(true)
	}
	p.printPart(step.ID, typeStep, append([]string{step.Title}, observations...), Part{Metadata: step.Metadata, Extra: step.Extra}, fallback, fields)
}

// printBeat prints a beat in the form of an entity.
func (p *printer) printBeat(beat *Beat) {
	observations := beat.Observations
	if p.format == Memory {
		observations = withBeatText(observations, beat)
	}
	fallback := object{"universes": []byte("[]"), "narrative": beat.Narrative, "relationalAlignment": beat.RelationalAlignment, "fourDirections": beat.FourDirections}
	fields := texts("chartId", beat.ParentChart, "parentBeat", beat.ParentBeat, "title", beat.Title,
		"type_dramatic", beat.TypeDramatic, "timestamp", beat.Timestamp, "createdAt", beat.CreatedAt)
	if beat.Act != 0 {
		fields["act"] = encodeValue(beat.Act)
	}
	if len(beat.Universes) > 0 {
		fields["universes"] = encodeValue(beat.Universes)
	}
	p.printPart(beat.Name, typeBeat, observations, Part{Metadata: beat.Metadata, Extra: beat.Extra}, fallback, fields)
}

// The official format has nothing but observations, so what beats hold elsewhere
// is appended there as labelled text, once.

// labelled collects observations and adds text that is not among them yet.
type labelled struct {
	observations []string
	known        map[string]bool
}

func newLabelled(observations []string) *labelled {
	l := &labelled{observations: append([]string{}, observations...), known: map[string]bool{}}
	for _, text := range observations {
		l.known[text] = true
	}
	return l
}

func (l *labelled) add(label, text string) {
	observation := label + ": " + text
	if text != "" && !l.known[observation] {
		l.known[observation] = true
		l.observations = append(l.observations, observation)
	}
}

func withBeatText(observations []string, beat *Beat) []string {
	l := newLabelled(observations)
	if len(observations) == 0 {
		act := ""
		if beat.Act != 0 {
			act = "Act " + string(encodeValue(beat.Act))
		}
		if text := strings.TrimSpace(act + " " + beat.TypeDramatic); text != "" {
			l.observations = append(l.observations, text)
		}
		l.add("Universe", strings.Join(beat.Universes, ", "))
		l.add("Timestamp", beat.Timestamp)
	}
	l.add("Title", beat.Title)
	narrative, alignment, directions := decodeObject(beat.Narrative), decodeObject(beat.RelationalAlignment), decodeObject(beat.FourDirections)
	l.add("Description", narrative.text("description"))
	l.add("Prose", narrative.text("prose"))
	for _, lesson := range narrative.takeTexts("lessons") {
		l.add("Lesson", lesson)
	}
	for _, principle := range alignment.takeTexts("principles") {
		l.add("Principle", principle)
	}
	l.add("Vision", directions.text("north_vision"))
	l.add("Intention", directions.text("east_intention"))
	l.add("Emotion", directions.text("south_emotion"))
	l.add("Introspection", directions.text("west_introspection"))
	return l.observations
}
