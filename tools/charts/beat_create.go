package charts

import (
	"context"
	"fmt"
	"strings"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
)

const createBeatName = "create_narrative_beat"

type createBeatInput struct {
	ParentChartID             string   `json:"parentChartId" jsonschema:"required" jsonschema_description:"Chart whose story it tells: id or exact desired outcome"`
	Title                     string   `json:"title" jsonschema:"required,minLength=1" jsonschema_description:"Title of the beat"`
	Act                       int      `json:"act" jsonschema:"required,minimum=1,maximum=3" jsonschema_description:"Dramatic act"`
	TypeDramatic              string   `json:"type_dramatic" jsonschema:"required,minLength=1" jsonschema_description:"Exposition, Rising Action, Climax, Resolution, Discovery, Crisis or Integration; also those of coaia files"`
	Universes                 []string `json:"universes" jsonschema:"required,minItems=1" jsonschema_description:"Perspectives: Engineer World, Ceremony World, Story Engine World or others"`
	Description               string   `json:"description" jsonschema:"required,minLength=1" jsonschema_description:"What happened, technical and factual"`
	Prose                     string   `json:"prose" jsonschema:"required,minLength=1" jsonschema_description:"The same as a story, from within a character"`
	Lessons                   []string `json:"lessons" jsonschema:"required" jsonschema_description:"Specific lessons of this beat; may be empty"`
	AssessRelationalAlignment bool     `json:"assessRelationalAlignment,omitempty" jsonschema_description:"Score relational alignment from 0 to 10"`
}

func (f *family) createBeatTool() tools.Tool[createBeatInput, beatEntity] {
	studio := exampleBeat()
	return tools.Tool[createBeatInput, beatEntity]{
		Name:  createBeatName,
		Title: "Create a narrative beat",
		Description: "Record a turning point of a chart's story: act, dramatic type, facts, prose and lessons, optionally scored for relational alignment. " +
			"Use it when something happened that is worth telling. Returns the beat as a graph entity. Example: the first episode that a listener answered.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: additive,
		Tags: []string{"charts", "narrative"},
		Examples: []tools.Example[createBeatInput, beatEntity]{{
			Description: "A discovery in the first act",
			Setup:       []tools.SetupCall{{Tool: createName, Params: exampleStory}},
			Params:      studio,
			Result: beatEntity{
				Name: "chart_1765629421446_beat_1", EntityType: store.TypeBeat,
				Observations: []string{"Act 1 [Discovery]", "Universe: Engineer World", "Timestamp: 2025-12-13T20:00:00Z"},
				Metadata: beatMetadata{
					ChartID: "chart_1765629421446", Act: 1, TypeDramatic: "Discovery", Universes: studio.Universes, Timestamp: "2025-12-13T20:00:00Z",
					Narrative:           narrative{Description: studio.Description, Prose: studio.Prose, Lessons: studio.Lessons},
					RelationalAlignment: relationalAlignment{Principles: []string{}},
					Title:               studio.Title,
				},
			},
			Varies: []string{"name", "chartId", "timestamp", "observations", "fourDirections"},
		}},
		Handle: f.createBeat,
	}
}

// exampleStory and exampleBeat are shared by the examples of the beat tools.
var exampleStory = createInput{DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone", DueDate: "2025-06-30T00:00:00Z"}

func exampleBeat() createBeatInput {
	return createBeatInput{
		ParentChartID: exampleStory.DesiredOutcome, Title: "The quiet room", Act: 1, TypeDramatic: "Discovery",
		Universes: []string{"Engineer World"}, Description: "The wardrobe records 12 dB quieter than the office.",
		Prose: "Between coats, Ana said one word and the room kept it.", Lessons: []string{"Soft furnishings beat software noise removal"},
	}
}

func (f *family) createBeat(ctx context.Context, in createBeatInput) (tools.Result[beatEntity], error) {
	var none tools.Result[beatEntity]
	err := firstOf(
		notBlank("parentChartId", in.ParentChartID), notBlank("title", in.Title), checkDramatic("type_dramatic", in.TypeDramatic), noneBlank("universes", in.Universes),
		notBlank("description", in.Description), notBlank("prose", in.Prose), lessonsNotWhite("lessons", in.Lessons),
	)
	if err != nil {
		return none, err
	}
	wording := orientedLessons(createBeatName, "lessons", in.Lessons)
	var chart *store.Chart
	b, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (b beatEntity, err error) {
		if chart, err = resolveChart(tx, "parentChartId", in.ParentChartID); err != nil {
			return b, err
		}
		if wording != nil {
			return b, wording
		}
		return insertBeat(tx, store.NewBeat{
			Chart: chart, Title: in.Title, Act: float64(in.Act), Type: in.TypeDramatic, Universes: in.Universes, OccurredAt: timestamp(f.store.Now()),
		}, narrative{in.Description, in.Prose, in.Lessons}, in.AssessRelationalAlignment)
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.Written()).
		Next("telescope_narrative_beat", tools.Low, map[string]any{"parentBeatName": b.Name}, "to tell it in smaller beats").
		Next("list_narrative_beats", tools.Low, map[string]any{"parentChartId": chart.ID}, "read the story of the chart so far").
		Next("update_current_reality", tools.Middle, chartArgs(chart.ID), "if the beat changed what is so, record the fact in the chart").
		Because("a beat tells the story; the chart's reality changes only by facts")
	relateChart(h, chart.ID, chart.Outcome, 1)
	if a := b.Metadata.RelationalAlignment; a.Assessed && len(a.Principles) == 0 {
		h.Assumes(fmt.Sprintf("relational alignment %g: the text shows none of the principles that the rubric looks for", *a.Score))
	}
	if len(in.Lessons) == 0 {
		h.Needs("what was learned in this beat")
	}
	return tools.Result[beatEntity]{Data: b, Hints: h}, nil
}

// checkDramatic refuses what is no dramatic type, in whatever spelling.
func checkDramatic(field, text string) error {
	if fixtures.IsDramaticType(text) {
		return nil
	}
	documented := fixtures.DramaticTypes()
	return tools.Invalid(tools.CodeInvalid, field, "enum "+strings.Join(documented, "|"),
		"%s %q is not known; use one of %s", field, shorten(text), strings.Join(documented, ", "))
}

// lessonsNotWhite refuses lessons of white space. An empty one is left to the
// rules of wording, which say what a lesson is.
func lessonsNotWhite(field string, lessons []string) error {
	for i, l := range lessons {
		if err := notWhite(at(field, i), l); err != nil {
			return err
		}
	}
	return nil
}

// orientedLessons refuses lessons that are empty or could be said of anything.
func orientedLessons(again, field string, lessons []string) error {
	for i, l := range lessons {
		if err := oriented(again, at(field, i), orientation.Lesson(l)); err != nil {
			return err
		}
	}
	return nil
}
