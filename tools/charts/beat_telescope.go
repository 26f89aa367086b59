package charts

import (
	"cmp"
	"fmt"
	"strings"

	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const telescopeBeatName = "telescope_narrative_beat"

type telescopeBeatInput struct {
	ParentBeatName    string    `json:"parentBeatName" jsonschema:"required" jsonschema_description:"Beat to break down: name or exact title"`
	NewCurrentReality string    `json:"newCurrentReality" jsonschema:"required,maxLength=10000" jsonschema_description:"What is so at this point of the story"`
	InitialSubBeats   []subBeat `json:"initialSubBeats,omitempty" jsonschema_description:"Smaller beats within it, in order"`
}

type subBeat struct {
	Title        string   `json:"title,omitempty" jsonschema_description:"Title; numbered after the parent's if absent"`
	TypeDramatic string   `json:"type_dramatic,omitempty" jsonschema_description:"Any dramatic type; the parent's if absent"`
	Description  string   `json:"description,omitempty" jsonschema:"maxLength=1048576" jsonschema_description:"What happened"`
	Prose        string   `json:"prose,omitempty" jsonschema:"maxLength=1048576" jsonschema_description:"The same as a story"`
	Lessons      []string `json:"lessons,omitempty" jsonschema:"maxItems=100,maxLength=10000" jsonschema_description:"Specific lessons"`
}

type telescopeBeatOutput struct {
	ParentBeat        string       `json:"parentBeat"`
	NewCurrentReality string       `json:"newCurrentReality"`
	SubBeats          []beatEntity `json:"subBeats"`
}

func (f *family) telescopeBeatTool() *tools.Definition {
	first := exampleEntity("First take", narrative{Description: "One sentence was recorded.", Lessons: []string{}})
	parent := first.Name
	first.Name, first.Metadata.ParentBeat = parent+"_beat_1", &parent
	return defineWriter(f, mayCreate, f.telescopeBeat, tools.Tool[telescopeBeatInput, telescopeBeatOutput]{
		Name:  telescopeBeatName,
		Title: "Telescope a narrative beat",
		Description: "Break a narrative beat into smaller ones that inherit its act, universes and dramatic type, and note what is so at that point. " +
			"Use it when one beat holds several moments. Returns the new sub-beats as graph entities. Example: split a crisis into the outage and the repair.",
		Version: version, Tags: []string{"charts", "narrative"},
		Examples: []tools.Example[telescopeBeatInput, telescopeBeatOutput]{{
			Description: "One moment inside a beat",
			Setup:       append(exampleChartSetup(), tools.SetupCall{Tool: createBeatName, Params: exampleBeat()}),
			Params: telescopeBeatInput{
				ParentBeatName: "The quiet room", NewCurrentReality: "The wardrobe is the studio",
				InitialSubBeats: []subBeat{{Title: "First take", Description: "One sentence was recorded."}},
			},
			Result: telescopeBeatOutput{ParentBeat: parent, NewCurrentReality: "The wardrobe is the studio", SubBeats: []beatEntity{first}},
			Varies: []string{"parentBeat", "name", "chartId", "timestamp", "observations"},
		}},
	})
}

func (f *family) telescopeBeat(tx *store.Tx, in telescopeBeatInput) (out telescopeBeatOutput, h *tools.Hints, err error) {
	in.NewCurrentReality = trimFact(in.NewCurrentReality)
	form := tools.RequireText("newCurrentReality", in.NewCurrentReality)
	wording := makeWordingCheck(telescopeBeatName, orientation.CheckReality)("newCurrentReality", in.NewCurrentReality)
	for i, s := range in.InitialSubBeats {
		path := itemPath("initialSubBeats", i)
		form = cmp.Or(form, s.check(path))
		wording = cmp.Or(wording, checkEach(makeWordingCheck(telescopeBeatName, orientation.CheckLesson), path+".lessons", s.Lessons))
	}
	parent, err := resolveOrFirstError(tx, resolveBeat, "parentBeatName", in.ParentBeatName, form, wording)
	if err != nil {
		return out, nil, err
	}
	out = telescopeBeatOutput{ParentBeat: parent.Name, NewCurrentReality: in.NewCurrentReality, SubBeats: []beatEntity{}}
	if _, err := graph.In(tx).AppendFacts(parent.Row, []string{in.NewCurrentReality}); err != nil {
		return out, nil, err
	}
	for i, s := range in.InitialSubBeats {
		b, err := f.insertSubBeat(graph.In(tx), parent, s, i+1)
		if err != nil {
			return out, nil, err
		}
		out.SubBeats = append(out.SubBeats, b)
	}
	return out, telescopeBeatHints(out), nil
}

// check refuses parts that are there and say nothing. Absent ones are
// inherited.
func (s subBeat) check(path string) error {
	return cmp.Or(
		checkOptional(tools.RequireText, path+".title", s.Title), checkOptional(tools.RequireText, path+".type_dramatic", s.TypeDramatic),
		checkOptional(tools.RequireText, path+".description", s.Description), checkOptional(tools.RequireText, path+".prose", s.Prose),
		checkEach(checkLessonNotBlank, path+".lessons", s.Lessons),
	)
}

// insertSubBeat adds a beat below another, whose act, universes and, unless it
// has its own, dramatic type it inherits.
func (f *family) insertSubBeat(tx graph.Rows, parent *graph.Beat, s subBeat, number int) (beatEntity, error) {
	return f.insertBeat(tx, graph.Beat{
		ChartRow: parent.ChartRow, ChartID: parent.ChartID, ParentRow: parent.Row, ParentBeat: parent.Name, Act: parent.Act, Type: cmp.Or(s.TypeDramatic, parent.Type), Universes: parent.Universes,
		Title: cmp.Or(s.Title, fmt.Sprintf("%s, part %d", parent.Title, number)),
	}, narrative{s.Description, s.Prose, s.Lessons}, false)
}

func telescopeBeatHints(out telescopeBeatOutput) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).AddRelatedResource("narrative_beat", out.ParentBeat, "the beat that was broken down", 1)
	if len(out.SubBeats) == 0 {
		return h.SuggestCall(telescopeBeatName, tools.PriorityMedium, parentBeatArgs(out.ParentBeat), "add sub-beats with initialSubBeats").
			Needs("the moments within the beat").Because("the reality was noted; no sub-beats were given")
	}
	last := out.SubBeats[len(out.SubBeats)-1]
	if id := last.Metadata.ChartID; id != "" {
		h.SuggestCall(listBeatsName, tools.PriorityLow, parentArgs(id), "read the story of the chart so far")
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
