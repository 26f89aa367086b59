package exchange

import (
	"fmt"
	"maps"
	"strings"
)

// beatDraft is a narrative beat before its place is known.
type beatDraft struct {
	entity    *Entity
	metadata  object
	chart     *chartDraft // the chart it belongs to, or nil
	parent    *beatDraft  // the beat it details, or nil
	reference string      // metadata key that names the chart or the parent beat
	placed    bool
}

// findBeats finds the beats that belong to a chart, directly or below another
// beat. coaia-narrative writes the parent beat into a sub-beat's chartId.
func (a *assembly) findBeats() {
	var drafts []*beatDraft
	byName := map[string]*beatDraft{}
	for i := range a.entities {
		if a.entities[i].EntityType == typeBeat {
			b := &beatDraft{entity: &a.entities[i], metadata: metadataOf(&a.entities[i])}
			drafts = append(drafts, b)
			byName[b.entity.Name] = b
		}
	}
	for _, b := range drafts {
		a.locateBeat(b, byName)
	}
	for b := range findCircles(drafts, func(b *beatDraft) *beatDraft { return b.parent }) {
		b.chart, b.parent = nil, nil
	}
	for _, b := range drafts {
		a.placeBeat(b)
	}
}

// locateBeat finds what the beat itself says about its chart and parent beat:
// in its metadata, else in its name, else by a relation.
func (a *assembly) locateBeat(b *beatDraft, byName map[string]*beatDraft) {
	for _, key := range []string{"chartId", "parentChart", "parentBeat"} {
		if !b.metadata.has(key) {
			delete(b.metadata, key)
		} else if b.reference == "" {
			b.reference = key
		}
	}
	name := b.metadata.text(b.reference)
	if b.reference == "" {
		name = ownerByName(b.entity.Name, beatInfix)
	}
	switch chart, beat := a.byName[name], byName[name]; {
	case chart != nil && b.reference != "parentBeat":
		b.chart, b.parent = chart, byName[b.metadata.text("parentBeat")]
	case beat != nil:
		b.parent = beat
	case b.reference == "":
		b.chart = a.related[b.entity.Name]
	}
}

// placeBeat puts a beat into the document, behind the one it details. Beats
// that have no chart but through themselves stay plain entities.
func (a *assembly) placeBeat(b *beatDraft) {
	if b.placed {
		return
	}
	if b.parent != nil {
		a.placeBeat(b.parent)
		if b.parent.chart == nil {
			b.parent = nil
		} else if b.chart == nil {
			b.chart = b.parent.chart
		}
	}
	b.placed = true
	if b.chart == nil {
		a.report.note(b.entity.Line, "narrative beat %q belongs to no chart of this file; it is kept as a plain entity", b.entity.Name)
		return
	}
	a.used[a.index[b.entity.Name]] = true
	a.document.Beats = append(a.document.Beats, a.readBeat(b))
}

func (a *assembly) readBeat(b *beatDraft) Beat {
	entity, metadata, owner := b.entity, b.metadata, fmt.Sprintf("narrative beat %q", b.entity.Name)
	beat := Beat{Name: entity.Name, ParentChart: b.chart.ID, Observations: entity.Observations, Extra: entity.Extra, Line: entity.Line}
	if b.reference != "parentBeat" {
		delete(metadata, b.reference)
	}
	metadata.removeText("parentChart", beat.ParentChart)
	if b.parent != nil {
		beat.ParentBeat = b.parent.entity.Name
		if other := metadata.text("parentBeat"); other != "" && other != beat.ParentBeat {
			a.report.note(beat.Line, "%s names two parent beats; %q was used", owner, beat.ParentBeat)
		}
		delete(metadata, "parentBeat")
	}
	beat.Title = metadata.takeText("title")
	beat.Act = metadata.takeNumber("act")
	beat.TypeDramatic = metadata.takeText("type_dramatic")
	if metadata.has("universes") {
		beat.Universes = metadata.takeTexts("universes")
	} else {
		// Later files of coaia-narrative call them so; the key is kept as well.
		delete(metadata, "universes")
		beat.Universes, _ = asTexts(metadata["perspective_types"])
	}
	beat.Timestamp = metadata.takeText("timestamp")
	beat.CreatedAt = metadata.takeText("createdAt")
	beat.Narrative = a.readNested(&beat, metadata, "narrative", narrativeKeys)
	beat.RelationalAlignment = a.readNested(&beat, metadata, "relationalAlignment", alignmentKeys)
	beat.FourDirections = a.readNested(&beat, metadata, "fourDirections", directionKeys)
	a.noteMisunderstood(beat.Line, owner, metadata, "title", "type_dramatic", "universes", "timestamp", "createdAt")
	if beat.Act == 0 && string(metadata["act"]) != "0" {
		a.noteMisunderstood(beat.Line, owner, metadata, "act")
	}
	beat.Metadata = metadata.encode()
	if entity.Metadata == nil {
		a.report.note(beat.Line, "%s has no metadata in this file; its act, universes and narrative are read from there only", owner)
	}
	return beat
}

// nestedKey is a key of a nested object of a beat, with what it holds where the
// file says nothing.
type nestedKey struct{ name, nothing string }

var (
	narrativeKeys = []nestedKey{{"description", `""`}, {"prose", `""`}, {"lessons", "[]"}}
	alignmentKeys = []nestedKey{{"assessed", "false"}, {"score", "null"}, {"principles", "[]"}}
	directionKeys = []nestedKey{{"north_vision", "null"}, {"east_intention", "null"}, {"south_emotion", "null"}, {"west_introspection", "null"}}
)

// encodeNested writes a nested object: its own keys in their order, then the
// unknown ones.
func encodeNested(keys []nestedKey, values object) []byte {
	rest := maps.Clone(values)
	text := []byte{'{'}
	for _, key := range keys {
		value := values[key.name]
		if value == nil {
			value = []byte(key.nothing)
		}
		text = fmt.Appendf(text, "%q:%s,", key.name, value)
		delete(rest, key.name)
	}
	if len(rest) > 0 {
		return append(text, rest.encode()[1:]...)
	}
	text[len(text)-1] = '}'
	return text
}

// readNested reads a nested object of a beat. If something in it is not
// understood, the whole of it stays in the metadata as well, where an export
// finds it.
func (a *assembly) readNested(beat *Beat, metadata object, name string, keys []nestedKey) []byte {
	owner := fmt.Sprintf("narrative beat %q", beat.Name)
	given := decodeObject(metadata[name])
	if given == nil {
		a.noteMisunderstood(beat.Line, owner, metadata, name)
		return encodeNested(keys, nil)
	}
	read := maps.Clone(given)
	for _, key := range keys {
		value, known := given[key.name]
		if known {
			delete(read, key.name)
			if value = key.read(value); value != nil {
				read[key.name] = value
			} else {
				a.noteMisunderstood(beat.Line, owner, given, key.name)
			}
		}
		for other := range given { // decoders would take it for the known key
			if other != key.name && strings.EqualFold(other, key.name) {
				delete(read, other)
			}
		}
	}
	if len(read) == len(given) {
		delete(metadata, name)
	}
	return encodeNested(keys, read)
}

// read reads a value for the key: a list of texts, true or false, a number, or a
// text, which may be null where it is missing. Nil means that it is none.
func (k nestedKey) read(value []byte) []byte {
	texts, isTexts := asTexts(value)
	yes, isBool := asBool(value)
	number, isNumber := asNumber(value)
	_, isText := asText(value)
	switch {
	case string(value) == "null":
		return []byte(k.nothing)
	case k.nothing == "[]" && isTexts:
		return encodeValue(append([]string{}, texts...))
	case k.nothing == "false" && isBool:
		return encodeValue(yes)
	case k.name == "score" && isNumber:
		return encodeValue(number)
	case k.name != "score" && k.nothing != "[]" && k.nothing != "false" && isText:
		return value
	}
	return nil
}
