package charts

import (
	"cmp"
	"fmt"
	"slices"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const listBeatsName = "list_narrative_beats"

type listBeatsInput struct {
	ParentChartID string `json:"parentChartId,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Chart to list beats for: id or exact desired outcome; all charts if absent"`
	Universe      string `json:"universe,omitempty" jsonschema_description:"Only beats of this universe, however it is spelled"`
	Limit         int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"At most this many beats, 1000 if absent"`
	Offset        int    `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many beats"`
}

type listBeatsOutput struct {
	Beats []beatEntity `json:"beats"`
}

func (f *family) listBeatsTool() *tools.Definition {
	b := exampleBeat()
	return defineReader(f, mayRead, f.listBeats, tools.Tool[listBeatsInput, listBeatsOutput]{
		Name:  listBeatsName,
		Title: "List narrative beats",
		Description: "List the narrative beats of a chart, or of all charts, by act and then time, sub-beats included; optionally of one universe. " +
			"Use it to retell how something came to be. Returns an array of graph entities. Example: before writing the closing scene.",
		Idempotent: true, Version: version, Tags: []string{"charts", "narrative"}, BareList: "beats",
		Examples: []tools.Example[listBeatsInput, listBeatsOutput]{{
			Description: "The beats of one chart",
			Setup:       append(exampleChartSetup(), tools.SetupCall{Tool: createBeatName, Params: b}),
			Params:      listBeatsInput{ParentChartID: exampleOutcome},
			Result:      listBeatsOutput{Beats: []beatEntity{exampleEntity(b.Title, narrative{b.Description, b.Prose, b.Lessons})}},
			Varies:      []string{"name", "chartId", "timestamp", "observations", "fourDirections"},
		}},
	})
}

func (f *family) listBeats(tx *store.Tx, in listBeatsInput) (out listBeatsOutput, h *tools.Hints, err error) {
	err = cmp.Or(checkOptional(tools.RequireText, "parentChartId", in.ParentChartID), checkOptional(tools.RequireText, "universe", in.Universe))
	if err != nil {
		return out, nil, err
	}
	filter := graph.BeatFilter{Limit: cmp.Or(in.Limit, defaultLimit), Offset: in.Offset, Universes: matchUniverse(in.Universe)}
	args, chart := map[string]any{}, (*graph.Chart)(nil)
	if in.ParentChartID != "" {
		if chart, err = resolveChart(tx, "parentChartId", in.ParentChartID); err != nil {
			return out, nil, err
		}
		filter.Chart, args = chart.Row, parentArgs(chart.ID)
	}
	more, err := out.readBeats(graph.In(tx), filter)
	h = tools.NewHints(tools.NewReadEvidence(len(out.Beats))).Because(fmt.Sprintf("%d beat(s)", len(out.Beats)))
	if chart != nil {
		relateChart(h, chart.ID, chart.Outcome, 1)
	}
	switch {
	case len(out.Beats) == 0:
		h.SuggestCall(createBeatName, tools.PriorityMedium, args, "record the first turning point")
	case more:
		args["limit"] = filter.Limit
		warnListCut(h, listBeatsName, "beats", len(out.Beats), in.Offset, args)
	default:
		last := out.Beats[len(out.Beats)-1].Name
		h.SuggestCall(telescopeBeatName, tools.PriorityLow, parentBeatArgs(last), "to tell "+last+" in smaller beats")
	}
	return out, h, err
}

// matchUniverse filters beats by a universe, however it is spelled; nil for any.
func matchUniverse(wanted string) func(universes []string) bool {
	if wanted == "" {
		return nil
	}
	wanted = foldUniverse(wanted)
	return func(universes []string) bool {
		return slices.ContainsFunc(universes, func(u string) bool { return foldUniverse(u) == wanted })
	}
}

func (out *listBeatsOutput) readBeats(tx graph.Rows, filter graph.BeatFilter) (more bool, err error) {
	beats, more, err := tx.Beats(filter)
	if err != nil {
		return false, err
	}
	rows := make([]int64, len(beats))
	for i, b := range beats {
		rows[i] = b.Row
	}
	further, err := tx.ObservationsOf(rows)
	out.Beats = make([]beatEntity, len(beats))
	for i, b := range beats {
		out.Beats[i] = describeBeat(b, further[b.Row])
	}
	return more, err
}
