package charts

import (
	"cmp"
	"fmt"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const createBeatName = "create_narrative_beat"

type createBeatInput struct {
	ParentChartID             string   `json:"parentChartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart whose story it tells: id or exact desired outcome"`
	Title                     string   `json:"title" jsonschema:"required,minLength=1" jsonschema_description:"Title of the beat"`
	Act                       int      `json:"act" jsonschema:"required,minimum=1,maximum=3" jsonschema_description:"Dramatic act"`
	TypeDramatic              string   `json:"type_dramatic" jsonschema:"required,minLength=1" jsonschema_description:"Exposition, Rising Action, Climax, Resolution, Discovery, Crisis or Integration; also those of coaia files"`
	Universes                 []string `json:"universes" jsonschema:"required,minItems=1" jsonschema_description:"Perspectives: Engineer World, Ceremony World, Story Engine World or others"`
	Description               string   `json:"description" jsonschema:"required,minLength=1,maxLength=1048576" jsonschema_description:"What happened, technical and factual"`
	Prose                     string   `json:"prose" jsonschema:"required,minLength=1,maxLength=1048576" jsonschema_description:"The same as a story, from within a character"`
	Lessons                   []string `json:"lessons" jsonschema:"required,maxItems=100,maxLength=10000" jsonschema_description:"Specific lessons of this beat; may be empty"`
	AssessRelationalAlignment bool     `json:"assessRelationalAlignment,omitempty" jsonschema_description:"Score relational alignment from 0 to 10"`
}

func (f *family) createBeatTool() *tools.Definition {
	studio := exampleBeat()
	return defineWriter(f, mayCreate, f.createBeat, tools.Tool[createBeatInput, beatEntity]{
		Name:  createBeatName,
		Title: "Create a narrative beat",
		Description: "Record a turning point of a chart's story: act, dramatic type, facts, prose and lessons, optionally scored for relational alignment. " +
			"Use it when something happened that is worth telling. Returns the beat as a graph entity. Example: the first episode that a listener answered.",
		Version: additiveVersion, Tags: []string{"charts", "narrative"},
		Examples: []tools.Example[createBeatInput, beatEntity]{{
			Description: "A discovery in the first act",
			Setup:       exampleChartSetup(),
			Params:      studio,
			Result:      exampleEntity(studio.Title, narrative{studio.Description, studio.Prose, studio.Lessons}),
			Varies:      []string{"name", "chartId", "timestamp", "observations", "fourDirections"},
		}},
	})
}

// exampleOutcome is the outcome of the [podcast] whose story examples tell.
const exampleOutcome = "Create engaging podcast"

func exampleBeat() createBeatInput {
	return createBeatInput{
		ParentChartID: exampleOutcome, Title: "The quiet room", Act: 1, TypeDramatic: "Discovery",
		Universes: []string{"Engineer World"}, Description: "The wardrobe records 12 dB quieter than the office.",
		Prose: "Between coats, Ana said one word and the room kept it.", Lessons: []string{"Soft furnishings beat software noise removal"},
	}
}

// exampleEntity is a beat of that story as it is stored.
func exampleEntity(title string, n narrative) beatEntity {
	return beatEntity{
		Name: "chart_1765629421446_beat_1", EntityType: graph.TypeBeat,
		Observations: []string{"Act 1 [Discovery]", "Universe: Engineer World", "Timestamp: 2025-12-13T20:00:00Z"},
		Metadata: beatMetadata{
			ChartID: "chart_1765629421446", Act: 1, TypeDramatic: "Discovery", Universes: []string{"Engineer World"}, Timestamp: "2025-12-13T20:00:00Z",
			Narrative: n, RelationalAlignment: relationalAlignment{Principles: []string{}}, Title: title,
		},
	}
}

func (f *family) createBeat(tx *store.Tx, in createBeatInput) (b beatEntity, h *tools.Hints, err error) {
	chart, err := resolveOrFirstError(tx, resolveChart, "parentChartId", in.ParentChartID,
		cmp.Or(
			tools.RequireText("title", in.Title), checkDramaticType("type_dramatic", in.TypeDramatic), checkEach(tools.RequireText, "universes", in.Universes),
			tools.RequireText("description", in.Description), tools.RequireText("prose", in.Prose), checkEach(checkLessonNotBlank, "lessons", in.Lessons),
		),
		checkEach(makeWordingCheck(createBeatName, orientation.CheckLesson), "lessons", in.Lessons))
	if err != nil {
		return b, nil, err
	}
	b, err = f.insertBeat(graph.In(tx), graph.Beat{ChartRow: chart.Row, ChartID: chart.ID, Title: in.Title, Act: float64(in.Act), Type: in.TypeDramatic, Universes: in.Universes},
		narrative{in.Description, in.Prose, in.Lessons}, in.AssessRelationalAlignment)
	if err != nil {
		return b, nil, err
	}
	h = tools.NewHints(tools.WriteEvidence()).
		SuggestCall(telescopeBeatName, tools.PriorityLow, parentBeatArgs(b.Name), "to tell it in smaller beats").
		SuggestCall(listBeatsName, tools.PriorityLow, parentArgs(chart.ID), "read the story of the chart so far").
		SuggestCall(realityName, tools.PriorityMedium, chartArgs(chart.ID), "if the beat changed what is so, record the fact in the chart").
		Because("a beat tells the story; the chart's reality changes only by facts")
	relateChart(h, chart.ID, chart.Outcome, 1)
	if a := b.Metadata.RelationalAlignment; a.Assessed && len(a.Principles) == 0 {
		h.Assumes(fmt.Sprintf("relational alignment %g: the text shows none of the principles that the rubric looks for", *a.Score))
	}
	if len(in.Lessons) == 0 {
		h.Needs("what was learned in this beat")
	}
	return b, h, nil
}

// checkDramaticType refuses what is no dramatic type, in whatever spelling.
func checkDramaticType(field, text string) error {
	if fixtures.IsDramaticType(text) {
		return nil
	}
	documented := fixtures.DramaticTypes()
	return tools.Invalid(tools.CodeInvalid, field, "enum "+strings.Join(documented, "|"),
		"%s %q is not known; use one of %s", field, tools.ShortenForMessage(text), strings.Join(documented, ", "))
}

// checkLessonNotBlank refuses a lesson of white space. An empty one is left to the
// rules of wording, which say what a lesson is.
func checkLessonNotBlank(field, lesson string) error {
	return checkOptional(tools.RequireText, field, lesson)
}
