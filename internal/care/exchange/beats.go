package exchange

import "fmt"

// beatDraft is a narrative beat of the file before its place is known.
type beatDraft struct {
	entity   int
	metadata object
	chart    int    // the chart it names itself, or -1
	parent   int    // draft of the beat it details, or -1
	refKey   string // metadata key that named the chart or the parent beat
	root     int    // the chart it belongs to at last, or -1
}

// findBeats finds the beats that belong to a chart, directly or below another
// beat. coaia-narrative writes the parent beat into a sub-beat's chartId.
func (a *assembly) findBeats() {
	drafts, at := a.beatDrafts()
	documented := a.chartsByRelation()
	parent := make([]int, len(drafts))
	for i := range drafts {
		a.placeBeat(&drafts[i], at, documented)
		parent[i] = drafts[i].parent
	}
	settleBeats(drafts, parent)
	for i := range drafts {
		draft := &drafts[i]
		entity := &a.entities[draft.entity]
		if draft.root < 0 {
			a.report.note(entity.Line, "narrative beat %q belongs to no chart of this file; it is kept as a plain entity", entity.Name)
			continue
		}
		a.roles[draft.entity] = roleBeat
		parentName := ""
		if draft.parent >= 0 {
			parentName = a.entities[drafts[draft.parent].entity].Name
		}
		a.document.Beats = append(a.document.Beats, a.liftBeat(draft, parentName))
	}
}

func (a *assembly) beatDrafts() (drafts []beatDraft, at map[string]int) {
	at = map[string]int{}
	for i := range a.entities {
		if a.entities[i].EntityType != typeBeat || !liftable(&a.entities[i]) {
			continue
		}
		at[a.entities[i].Name] = len(drafts)
		drafts = append(drafts, beatDraft{entity: i, metadata: a.metadata(i), chart: -1, parent: -1, root: -1})
	}
	return drafts, at
}

// chartsByRelation collects which chart an entity documents; the first of a
// file counts.
func (a *assembly) chartsByRelation() map[string]int {
	documented := map[string]int{}
	for i := range a.relations {
		relation := &a.relations[i]
		if relation.RelationType != relationDocuments {
			continue
		}
		if chart := a.chartNamed(relation.To); chart >= 0 {
			if _, known := documented[relation.From]; !known {
				documented[relation.From] = chart
			}
		}
	}
	return documented
}

// chartNamed returns the chart of that ID or chart entity name, or -1.
func (a *assembly) chartNamed(name string) int {
	if chart, ok := a.chartAt[name]; ok {
		return chart
	}
	if chart, ok := a.partOf[name]; ok && name == ChartEntityName(a.document.Charts[chart].ID) {
		return chart
	}
	return -1
}

// placeBeat finds what the beat itself says about its chart and parent beat:
// in its metadata, else in its name, else by a relation.
func (a *assembly) placeBeat(draft *beatDraft, at map[string]int, documented map[string]int) {
	name := a.entities[draft.entity].Name
	for _, key := range []string{"chartId", "parentChart", "parentBeat"} {
		if isNull(draft.metadata.value(key)) {
			draft.metadata.remove(key)
		}
		if draft.refKey == "" && draft.metadata.has(key) {
			draft.refKey = key
		}
	}
	reference := draft.metadata.text(draft.refKey)
	if draft.refKey == "" {
		reference = ownerByName(name, beatInfix)
	}
	beat, isBeat := at[reference]
	switch chart := a.chartNamed(reference); {
	case chart >= 0 && draft.refKey != "parentBeat":
		draft.chart = chart
		if beat, ok := at[draft.metadata.text("parentBeat")]; ok {
			draft.parent = beat
		}
	case isBeat:
		draft.parent = beat
	case draft.refKey == "":
		if chart, ok := documented[name]; ok {
			draft.chart = chart
		}
	}
}

// settleBeats finds the chart of every beat. Beats that are their own
// ancestors have none, and neither have those that reach a chart through them.
func settleBeats(drafts []beatDraft, parent []int) {
	settled := onCycle(parent)
	var settle func(at int) (root int)
	settle = func(at int) int {
		draft := &drafts[at]
		if settled[at] {
			return draft.root
		}
		settled[at] = true
		draft.root = draft.chart
		if draft.parent < 0 {
			return draft.root
		}
		if root := settle(draft.parent); root < 0 {
			draft.parent = -1
		} else if draft.chart < 0 {
			draft.root = root
		}
		return draft.root
	}
	for i := range drafts {
		settle(i)
	}
}

func (a *assembly) liftBeat(draft *beatDraft, parentName string) Beat {
	entity, metadata := &a.entities[draft.entity], &draft.metadata
	beat := Beat{
		Name:         entity.Name,
		ParentChart:  a.document.Charts[draft.root].ID,
		ParentBeat:   parentName,
		Observations: entity.Observations,
		Extra:        entity.Extra,
		Line:         entity.Line,
	}
	a.liftPlace(&beat, draft)
	beat.Title = metadata.takeText("title")
	if act, ok := metadata.number("act"); ok && act != 0 {
		beat.Act = act
		metadata.remove("act")
	} else if act, ok := spelledNumber(metadata.value("act")); ok {
		beat.Act = act
	}
	beat.TypeDramatic = metadata.takeText("type_dramatic")
	if metadata.has("universes") {
		beat.Universes = metadata.readTexts("universes")
	} else if perspectives, ok := decodeStrings(metadata.value("perspective_types")); ok {
		// Later files of coaia-narrative call them so; the key is kept as well.
		beat.Universes = perspectives
	}
	beat.Timestamp = metadata.takeText("timestamp")
	beat.CreatedAt = metadata.takeText("createdAt")
	beat.Narrative = a.liftNarrative(&beat, metadata.takeObject("narrative"))
	beat.RelationalAlignment = a.liftAlignment(&beat, metadata.takeObject("relationalAlignment"))
	beat.FourDirections = a.liftDirections(&beat, metadata.takeObject("fourDirections"))
	beat.Metadata = metadata.raw()
	a.noteMisunderstood(beat.Line, beat.owner(), *metadata, "title", "act", "type_dramatic", "universes", "timestamp", "createdAt",
		"narrative", "relationalAlignment", "fourDirections")
	if entity.Metadata == nil {
		a.report.note(beat.Line, "%s has no metadata in this file; its act, universes and narrative are read from there only", beat.owner())
	}
	return beat
}

// liftPlace removes the keys that named the beat's place, and those that would
// contradict it.
func (a *assembly) liftPlace(beat *Beat, draft *beatDraft) {
	metadata := &draft.metadata
	if draft.refKey == "chartId" || draft.refKey == "parentChart" {
		metadata.remove(draft.refKey)
	}
	metadata.removeText("parentChart", beat.ParentChart)
	if beat.ParentBeat == "" || !metadata.has("parentBeat") {
		return
	}
	if metadata.text("parentBeat") != beat.ParentBeat {
		a.report.note(beat.Line, "narrative beat %q names two parent beats; %q was used", beat.Name, beat.ParentBeat)
	}
	metadata.remove("parentBeat")
}

func (b *Beat) owner() string { return fmt.Sprintf("narrative beat %q", b.Name) }

// takeObject removes key and returns its value when that is an object.
func (o *object) takeObject(key string) object {
	value := o.value(key)
	if !isObject(value) {
		return nil
	}
	o.remove(key)
	return splitObject(value)
}

func (a *assembly) liftNarrative(beat *Beat, fields object) Narrative {
	narrative := Narrative{
		Description: fields.takeString("description"),
		Prose:       fields.takeString("prose"),
		Lessons:     fields.readTexts("lessons"),
	}
	a.noteMisunderstood(beat.Line, beat.owner(), fields, "description", "prose", "lessons")
	narrative.Extra = fields.raw()
	return narrative
}

func (a *assembly) liftAlignment(beat *Beat, fields object) RelationalAlignment {
	alignment := RelationalAlignment{
		Assessed:   fields.readBool("assessed"),
		Principles: fields.readTexts("principles"),
	}
	score, exact := fields.number("score")
	if exact {
		alignment.Score = &score
	}
	if exact || isNull(fields.value("score")) {
		fields.remove("score")
	} else if score, ok := spelledNumber(fields.value("score")); ok {
		alignment.Score = &score
	}
	a.noteMisunderstood(beat.Line, beat.owner(), fields, "assessed", "score", "principles")
	alignment.Extra = fields.raw()
	return alignment
}

func (a *assembly) liftDirections(beat *Beat, fields object) FourDirections {
	direction := func(key string) *string {
		if isNull(fields.value(key)) {
			fields.remove(key)
		}
		if !isString(fields.value(key)) {
			return nil
		}
		text := fields.takeString(key)
		return &text
	}
	directions := FourDirections{
		NorthVision:       direction("north_vision"),
		EastIntention:     direction("east_intention"),
		SouthEmotion:      direction("south_emotion"),
		WestIntrospection: direction("west_introspection"),
	}
	a.noteMisunderstood(beat.Line, beat.owner(), fields, "north_vision", "east_intention", "south_emotion", "west_introspection")
	directions.Extra = fields.raw()
	return directions
}
