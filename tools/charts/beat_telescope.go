package charts

import (
	"context"
	"fmt"
	"strings"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
)

const telescopeBeatName = "telescope_narrative_beat"

type telescopeBeatInput struct {
	ParentBeatName    string    `json:"parentBeatName" jsonschema:"required" jsonschema_description:"Beat to break down: name or exact title"`
	NewCurrentReality string    `json:"newCurrentReality" jsonschema:"required" jsonschema_description:"What is so at this point of the story"`
	InitialSubBeats   []subBeat `json:"initialSubBeats,omitempty" jsonschema_description:"Smaller beats within it, in order"`
}

type subBeat struct {
	Title        string   `json:"title,omitempty" jsonschema_description:"Title; numbered after the parent's if absent"`
	TypeDramatic string   `json:"type_dramatic,omitempty" jsonschema_description:"Any dramatic type; the parent's if absent"`
	Description  string   `json:"description,omitempty" jsonschema_description:"What happened"`
	Prose        string   `json:"prose,omitempty" jsonschema_description:"The same as a story"`
	Lessons      []string `json:"lessons,omitempty" jsonschema_description:"Specific lessons"`
}

type telescopeBeatOutput struct {
	ParentBeat        string       `json:"parentBeat"`
	NewCurrentReality string       `json:"newCurrentReality"`
	SubBeats          []beatEntity `json:"subBeats"`
}

func (f *family) telescopeBeatTool() tools.Tool[telescopeBeatInput, telescopeBeatOutput] {
	parent := "chart_1765629421446_beat_1"
	return tools.Tool[telescopeBeatInput, telescopeBeatOutput]{
		Name:  telescopeBeatName,
		Title: "Telescope a narrative beat",
		Description: "Break a narrative beat into smaller ones that inherit its act, universes and dramatic type, and note what is so at that point. " +
			"Use it when one beat holds several moments. Returns the new sub-beats as graph entities. Example: split a crisis into the outage and the repair.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"charts", "narrative"},
		Examples: []tools.Example[telescopeBeatInput, telescopeBeatOutput]{{
			Description: "One moment inside a beat",
			Setup:       []tools.SetupCall{{Tool: createName, Params: exampleStory}, {Tool: createBeatName, Params: exampleBeat()}},
			Params: telescopeBeatInput{
				ParentBeatName: "The quiet room", NewCurrentReality: "The wardrobe is the studio",
				InitialSubBeats: []subBeat{{Title: "First take", Description: "One sentence was recorded."}},
			},
			Result: telescopeBeatOutput{ParentBeat: parent, NewCurrentReality: "The wardrobe is the studio", SubBeats: []beatEntity{{
				Name: parent + "_beat_1", EntityType: store.TypeBeat,
				Observations: []string{"Act 1 [Discovery]", "Universe: Engineer World", "Timestamp: 2025-12-13T20:00:00Z"},
				Metadata: beatMetadata{
					ChartID: "chart_1765629421446", Act: 1, TypeDramatic: "Discovery", Universes: []string{"Engineer World"}, Timestamp: "2025-12-13T20:00:00Z",
					Narrative:           narrative{Description: "One sentence was recorded.", Lessons: []string{}},
					RelationalAlignment: relationalAlignment{Principles: []string{}},
					Title:               "First take", ParentBeat: &parent,
				},
			}}},
			Varies: []string{"parentBeat", "name", "chartId", "timestamp", "observations"},
		}},
		Handle: f.telescopeBeat,
	}
}

func (f *family) telescopeBeat(ctx context.Context, in telescopeBeatInput) (tools.Result[telescopeBeatOutput], error) {
	var none tools.Result[telescopeBeatOutput]
	in.NewCurrentReality = trimmed(in.NewCurrentReality)
	err := firstOf(notBlank("parentBeatName", in.ParentBeatName), notBlank("newCurrentReality", in.NewCurrentReality))
	for i, s := range in.InitialSubBeats {
		err = firstOf(err, s.check(at("initialSubBeats", i)))
	}
	if err != nil {
		return none, err
	}
	wording := oriented(telescopeBeatName, "newCurrentReality", orientation.Reality(in.NewCurrentReality))
	for i, s := range in.InitialSubBeats {
		wording = firstOf(wording, orientedLessons(telescopeBeatName, at("initialSubBeats", i)+".lessons", s.Lessons))
	}
	out, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (out telescopeBeatOutput, err error) {
		parent, err := resolveBeat(tx, "parentBeatName", in.ParentBeatName)
		if err != nil {
			return out, err
		}
		if wording != nil {
			return out, wording
		}
		out = telescopeBeatOutput{ParentBeat: parent.Name, NewCurrentReality: in.NewCurrentReality, SubBeats: []beatEntity{}}
		if _, err := tx.AppendFacts(parent.Row, []string{in.NewCurrentReality}); err != nil {
			return out, err
		}
		for i, s := range in.InitialSubBeats {
			b, err := f.insertSubBeat(tx, parent, s, i+1)
			if err != nil {
				return out, err
			}
			out.SubBeats = append(out.SubBeats, b)
		}
		return out, nil
	})
	if err != nil {
		return none, err
	}
	return tools.Result[telescopeBeatOutput]{Data: out, Hints: telescopeBeatHints(out)}, nil
}

// check refuses parts that are there and say nothing. Absent ones are
// inherited.
func (s subBeat) check(path string) error {
	return firstOf(
		notWhite(path+".title", s.Title), notWhite(path+".type_dramatic", s.TypeDramatic),
		notWhite(path+".description", s.Description), notWhite(path+".prose", s.Prose),
		lessonsNotWhite(path+".lessons", s.Lessons),
	)
}

// insertSubBeat adds a beat below another, whose act, universes and, unless it
// has its own, dramatic type it inherits.
func (f *family) insertSubBeat(tx *store.Tx, parent *store.Beat, s subBeat, number int) (beatEntity, error) {
	if s.Title == "" {
		s.Title = fmt.Sprintf("%s, part %d", parent.Title, number)
	}
	if s.TypeDramatic == "" {
		s.TypeDramatic = parent.Type
	}
	return insertBeat(tx, store.NewBeat{
		Parent: parent, Title: s.Title, Act: parent.Act, Type: s.TypeDramatic, Universes: parent.Universes, OccurredAt: timestamp(f.store.Now()),
	}, narrative{s.Description, s.Prose, s.Lessons}, false)
}

func telescopeBeatHints(out telescopeBeatOutput) *tools.Hints {
	h := tools.NewHints(tools.Written()).Relate("narrative_beat", out.ParentBeat, "the beat that was broken down", 1)
	if len(out.SubBeats) == 0 {
		return h.Next(telescopeBeatName, tools.Middle, map[string]any{"parentBeatName": out.ParentBeat}, "add sub-beats with initialSubBeats").
			Needs("the moments within the beat").Because("the reality was noted; no sub-beats were given")
	}
	last := out.SubBeats[len(out.SubBeats)-1]
	if id := last.Metadata.ChartID; id != "" {
		h.Next("list_narrative_beats", tools.Low, map[string]any{"parentChartId": id}, "read the story of the chart so far")
	}
	var bare []string
	for _, b := range out.SubBeats {
		if b.Metadata.Narrative.Prose == "" {
			bare = append(bare, b.Name)
		}
	}
	if len(bare) > 0 {
		h.Needs("prose for " + strings.Join(bare[:min(len(bare), 3)], ", "))
	}
	return h.Because(fmt.Sprintf("%d sub-beat(s) added", len(out.SubBeats)))
}
