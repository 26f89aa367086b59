package transfer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/store/graph"
	"toolkit/store/plainjson"
)

const (
	// maxExchangeBytes bounds what is held in memory of one file.
	maxExchangeBytes = 1 << 30
	// metadataLabel begins the observation that holds metadata in the format Memory.
	metadataLabel    = "toolkit metadata: "
	typeOutcome      = "desired_outcome"
	typeReality      = "current_reality"
	relationTension  = "creates_tension_with"
	relationAdvances = "advances_toward"
)

// ReadExchange reads one memory file. Lines that cannot be read are reported in its Problems.
// An error means that reading failed or that the input is too large.
func ReadExchange(source io.Reader) (*ExchangeFile, error) {
	text, err := io.ReadAll(io.LimitReader(source, maxExchangeBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read memory file: line %d: %w", 1+bytes.Count(text, []byte{'\n'}), err)
	}
	if len(text) > maxExchangeBytes {
		return nil, fmt.Errorf("the file is larger than %d MiB; split it between two lines and import each part", maxExchangeBytes>>20)
	}
	r := &exchangeReader{
		file: &ExchangeFile{}, byName: map[string]*ExchangeEntity{}, owners: map[string]string{}, used: map[*ExchangeEntity]bool{},
		charts: map[string]*ExchangeChart{}, parts: map[string]*ExchangeChart{}, placed: map[*ExchangeChart]bool{}, beats: map[string]*ExchangeBeat{},
	}
	if !r.readWholeGraph(text) {
		for line := range bytes.Lines(text) {
			r.file.Lines++
			if err := r.readLine(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))); err != nil {
				r.file.addSkipped(r.file.Lines, "%v", err)
			}
		}
	}
	r.assembleChartsAndBeats()
	return r.file, nil
}

// exchangeReader collects the records of an input as they come and then sorts them.
type exchangeReader struct {
	file      *ExchangeFile
	entities  []*ExchangeEntity
	relations []*ExchangeRelation
	byName    map[string]*ExchangeEntity
	owners    map[string]string         // of parts of charts without metadata, by name
	used      map[*ExchangeEntity]bool  // entities that are in a chart or beat
	charts    map[string]*ExchangeChart // by ID
	parts     map[string]*ExchangeChart // by the names of outcome and reality
	placed    map[*ExchangeChart]bool   // false while the parents of a chart are looked for
	beats     map[string]*ExchangeBeat  // nil for an entity that is none, or not yet
}

// readLine takes in one record. The error says why the line cannot be read.
func (r *exchangeReader) readLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	members, err := parseRecord(text)
	if err != nil {
		return err
	}
	return r.readRecord(members)
}

// parseRecord returns the members of a record, without the space in them.
func parseRecord(text []byte) (jsonObject, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	members := decodeJSONObject(compact.Bytes())
	if members == nil {
		return nil, errors.New("not a JSON object")
	}
	return members, nil
}

// readRecord takes in the members of a record.
func (r *exchangeReader) readRecord(members jsonObject) error {
	switch members.text("type") {
	case "":
		return errors.New(`an object without a "type" is no record`)
	case "entity":
		return r.readEntity(members)
	case "relation":
		relation, err := parseExchangeRelation(members)
		if err != nil {
			return err
		}
		relation.Line = r.file.Lines
		r.relations = append(r.relations, relation)
	case graph.TypeBeat:
		return r.readEntity(convertBeatLine(members))
	default:
		r.file.Foreign = append(r.file.Foreign, members.encode())
	}
	return nil
}

// readEntity takes in an entity, or what a further line adds to it.
func (r *exchangeReader) readEntity(members jsonObject) error {
	hasName := members["name"] != nil
	e := &ExchangeEntity{
		Name: takeMember[string](members, "name"), Type: takeMember[string](members, "entityType"),
		Observations: takeMember[[]string](members, "observations"), Line: r.file.Lines,
	}
	switch {
	case e.Name == "" && members["name"] == nil && hasName:
		return errors.New(`an entity without a name: "name" is empty`)
	case e.Name == "":
		return errors.New(`an entity without a name: "name" must be a text`)
	}
	var err error
	if e.extraMembers, err = parseExtraMembers(members, "entityType", "observations"); err != nil {
		return fmt.Errorf("entity %q: %w", e.Name, err)
	}
	k := slices.IndexFunc(e.Observations, func(text string) bool { return strings.HasPrefix(text, metadataLabel) })
	if e.Metadata == nil && k >= 0 {
		if e.Metadata = decodeJSONObject([]byte(e.Observations[k][len(metadataLabel):])); len(e.Metadata) > 0 {
			e.Observations = slices.Delete(e.Observations, k, k+1)
		}
	}
	if first := r.byName[graph.ComposeAccents(e.Name)]; first != nil {
		if first.Name != e.Name {
			r.file.addProblem(e.Line, "entity %q: line %d writes the accents of this name otherwise; both are one entity", e.Name, first.Line)
		}
		r.mergeEntity(first, e)
		r.file.Joined++
		return nil
	}
	r.byName[graph.ComposeAccents(e.Name)] = e
	r.entities = append(r.entities, e)
	return nil
}

// memberForms is what the members of a record must be.
var memberForms = map[string]string{
	"entityType": "a text", "relationType": "a text", "observations": `a list of texts, such as ["likes tea"]`, "metadata": "an object",
}

// parseExtraMembers returns what a line has left. A field of another type was not taken.
func parseExtraMembers(members jsonObject, fields ...string) (extraMembers, error) {
	f := extraMembers{Metadata: takeMember[jsonObject](members, "metadata"), Extra: members}
	for _, field := range append(fields, "metadata") {
		if members[field] != nil {
			return f, fmt.Errorf("the value of %q is of the wrong type: it must be %s", field, memberForms[field])
		}
	}
	delete(members, "type")
	return f, nil
}

// mergeEntity adds what another line says of an entity, and reports what differs.
func (r *exchangeReader) mergeEntity(e, again *ExchangeEntity) {
	e.Type, again.Type = cmp.Or(e.Type, again.Type), cmp.Or(again.Type, e.Type)
	r.noteConflicts(again, jsonObject{"entityType": encodeExchangeValue(e.Type)}, jsonObject{"entityType": encodeExchangeValue(again.Type)})
	e.extraMembers, _ = e.merge(again.extraMembers)
	r.noteConflicts(again, e.Metadata, again.Metadata)
	r.noteConflicts(again, e.Extra, again.Extra)
	for _, text := range again.Observations {
		if !slices.Contains(e.Observations, text) {
			e.Observations = append(e.Observations, text)
		}
	}
}

func (r *exchangeReader) noteConflicts(e *ExchangeEntity, earlier, later jsonObject) {
	for _, key := range slices.Sorted(maps.Keys(later)) {
		var a, b any
		if plainjson.Decode(earlier[key], &a) != nil || plainjson.Decode(later[key], &b) != nil || !reflect.DeepEqual(a, b) {
			r.file.addProblem(e.Line, "entity %q: an earlier line has another value of %q, which stays", e.Name, key)
		}
	}
}

// parseExchangeRelation returns the relation that a line is, or why it is none.
func parseExchangeRelation(members jsonObject) (r *ExchangeRelation, err error) {
	r = &ExchangeRelation{From: takeMember[string](members, "from"), To: takeMember[string](members, "to"), Type: takeMember[string](members, "relationType")}
	if members.text("type") != "relation" || r.From == "" || r.To == "" {
		return nil, errors.New(`a relation without both ends: "from" and "to" must be texts`)
	}
	if r.extraMembers, err = parseExtraMembers(members, "relationType"); err != nil {
		return nil, fmt.Errorf("the relation from %q to %q: %w", r.From, r.To, err)
	}
	return r, nil
}

// assembleChartsAndBeats finds charts, steps and beats. What fits nowhere is a plain entity.
func (r *exchangeReader) assembleChartsAndBeats() {
	for _, x := range r.relations { // they may write a name with its accents apart
		for _, end := range []*string{&x.From, &x.To} {
			if e := r.byName[graph.ComposeAccents(*end)]; e != nil {
				*end = e.Name
			}
		}
	}
	r.findOwnersByRelations()
	charts := r.assembleCharts()
	r.assignStepsToCharts()
	for _, c := range charts {
		r.addChartAfterParent(c)
	}
	for _, e := range r.entities {
		if e.Type == graph.TypeBeat && r.addBeatWithParents(e) == nil {
			r.file.addProblem(e.Line, "narrative beat %q belongs to no chart of this file; it is kept as a plain entity", e.Name)
		}
		if !r.used[e] {
			r.file.Entities = append(r.file.Entities, e)
		}
	}
	for _, x := range r.relations {
		if c := cmp.Or(r.parts[x.From], r.parts[x.To]); c != nil && r.isNode(x.From) && r.isNode(x.To) {
			c.Ties = append(c.Ties, x)
		} else {
			r.file.Relations = append(r.file.Relations, x)
		}
	}
}

func (r *exchangeReader) isNode(name string) bool {
	return r.byName[graph.ComposeAccents(name)] != nil || r.charts[name] != nil
}

func (r *exchangeReader) assembleCharts() (charts []*ExchangeChart) {
	for _, e := range r.entities {
		if e.Type != graph.TypeChart {
			continue
		}
		id := strings.TrimSuffix(e.Name, graph.PartChart)
		outcome, reality := r.byName[graph.ComposeAccents(id+graph.PartOutcome)], r.byName[graph.ComposeAccents(id+graph.PartReality)]
		if id == "" || r.byName[graph.ComposeAccents(id)] != nil || !outcome.hasType(typeOutcome) || !reality.hasType(typeReality) || len(outcome.Observations) == 0 {
			r.file.addProblem(e.Line, "chart entity %q lacks its desired outcome or current reality, or something else has its ID as name; it is kept as a plain entity", e.Name)
			continue
		}
		c := &ExchangeChart{ID: id, Entity: e, Outcome: outcome, Reality: reality, names: []string{id, e.Name, outcome.Name, reality.Name}}
		charts = append(charts, c)
		r.charts[id] = c
		r.parts[outcome.Name], r.parts[reality.Name] = c, c
		r.used[e], r.used[outcome], r.used[reality] = true, true, true
		e.parseMetadataFromLabels(dateLabels)
		outcome.parseMetadataFromLabels(dateLabels)
	}
	return charts
}

func (e *ExchangeEntity) hasType(entityType string) bool { return e != nil && e.Type == entityType }

// assignStepsToCharts gives the action steps of the file to their charts.
func (r *exchangeReader) assignStepsToCharts() {
	for _, e := range r.entities {
		if e.Type != graph.TypeStep {
			continue
		}
		c := r.charts[cmp.Or(e.Metadata.text("chartId"), r.owners[e.Name])]
		if c == nil || len(e.Observations) == 0 {
			r.file.addProblem(e.Line, "action step %q has no title, or belongs to no complete chart of this file; it is kept as a plain entity", e.Name)
			continue
		}
		r.used[e] = true
		e.parseMetadataFromLabels(dateLabels)
		c.Steps, c.names = append(c.Steps, e), append(c.names, e.Name)
	}
}

// addChartAfterParent puts a chart into the file, behind the parent that its metadata names.
func (r *exchangeReader) addChartAfterParent(c *ExchangeChart) {
	if _, isKnown := r.placed[c]; isKnown {
		return
	}
	r.placed[c] = false
	name, step := c.Entity.Metadata.text("parentChart"), c.Entity.Metadata.text("parentActionStep")
	if owner := r.owners[c.Outcome.Name]; name == "" && owner != "" {
		name, step = cmp.Or(r.owners[owner], owner), owner
	}
	parent := r.charts[name]
	if parent != nil {
		r.addChartAfterParent(parent)
	}
	if r.placed[parent] {
		c.ParentChart = name
		c.setParentStep(parent, step)
	} else if name != "" {
		r.file.addProblem(c.Entity.Line, "the parent %q of chart %q is not in this file, or the chart is above it; it is kept without a parent", name, c.ID)
	}
	r.placed[c] = true
	r.file.Charts = append(r.file.Charts, c)
}

// setParentStep finds the step that a chart details, by its name or title, and
// completes it when the chart is complete. A chart without one is a step itself.
func (c *ExchangeChart) setParentStep(parent *ExchangeChart, name string) {
	outcome := c.Outcome.Metadata
	for _, step := range parent.Steps {
		if step.Name != name && !strings.EqualFold(step.Observations[0], name) {
			continue
		}
		c.ParentStep = step.Name
		if string(outcome["completionStatus"]) == "true" && string(step.Metadata["completionStatus"]) != "true" {
			step.Metadata["completionStatus"] = outcome["completionStatus"]
			step.Metadata.setText("completedAt", cmp.Or(outcome.text("completedAt"), outcome.text("updatedAt")))
		}
		return
	}
}

// addBeatWithParents puts a beat into the file, behind the one it details, which its chartId
// may name. It returns nil if no chart has the beat, directly or by its parents.
func (r *exchangeReader) addBeatWithParents(e *ExchangeEntity) *ExchangeBeat {
	if b, isKnown := r.beats[e.Name]; isKnown {
		return b
	}
	r.beats[e.Name] = nil // for beats that detail each other
	b := &ExchangeBeat{ExchangeEntity: e}
	byName := e.Name[:max(strings.LastIndex(e.Name, "_beat_"), 0)]
	for _, owner := range []string{byName, r.owners[e.Name], e.Metadata.text("chartId"), e.Metadata.text("parentChart"), e.Metadata.text("parentBeat")} {
		if r.charts[owner] != nil {
			b.Chart = owner
		} else if parent := r.byName[graph.ComposeAccents(owner)]; parent.hasType(graph.TypeBeat) {
			if above := r.addBeatWithParents(parent); above != nil {
				b.Chart, b.Parent = above.Chart, above.Name
			}
		}
	}
	if b.Chart == "" {
		return nil
	}
	r.beats[e.Name] = b
	r.used[e] = true
	e.parseMetadataFromLabels(beatLabels)
	r.file.Beats = append(r.file.Beats, b)
	return b
}
