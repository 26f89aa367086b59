package charts

import (
	"context"
	"fmt"
	"slices"

	"toolkit/store"
	"toolkit/tools"
)

type listBeatsInput struct {
	ParentChartID string `json:"parentChartId,omitempty" jsonschema_description:"Chart to list beats for: id or exact desired outcome; all charts if absent"`
	Universe      string `json:"universe,omitempty" jsonschema_description:"Only beats of this universe, however it is spelled"`
	Limit         int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"At most this many beats, 1000 if absent"`
	Offset        int    `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many beats"`
}

type listBeatsOutput struct {
	Beats []beatEntity `json:"beats"`
}

func (f *family) listBeatsTool() tools.Tool[listBeatsInput, listBeatsOutput] {
	b := exampleBeat()
	return tools.Tool[listBeatsInput, listBeatsOutput]{
		Name:  "list_narrative_beats",
		Title: "List narrative beats",
		Description: "List the narrative beats of a chart, or of all charts, by act and then time, sub-beats included; optionally of one universe. " +
			"Use it to retell how something came to be. Returns an array of graph entities. Example: before writing the closing scene.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"charts", "narrative"}, BareList: "beats",
		Examples: []tools.Example[listBeatsInput, listBeatsOutput]{{
			Description: "The beats of one chart",
			Setup:       []tools.SetupCall{{Tool: createName, Params: exampleStory}, {Tool: createBeatName, Params: b}},
			Params:      listBeatsInput{ParentChartID: exampleStory.DesiredOutcome},
			Result: listBeatsOutput{Beats: []beatEntity{{
				Name: "chart_1765629421446_beat_1", EntityType: store.TypeBeat,
				Observations: []string{"Act 1 [Discovery]", "Universe: Engineer World", "Timestamp: 2025-12-13T20:00:00Z"},
				Metadata: beatMetadata{
					ChartID: "chart_1765629421446", Act: 1, TypeDramatic: "Discovery", Universes: b.Universes, Timestamp: "2025-12-13T20:00:00Z",
					Narrative:           narrative{Description: b.Description, Prose: b.Prose, Lessons: b.Lessons},
					RelationalAlignment: relationalAlignment{Principles: []string{}},
					Title:               b.Title,
				},
			}}},
			Varies: []string{"name", "chartId", "timestamp", "observations", "fourDirections"},
		}},
		Handle: f.listBeats,
	}
}

// story is what one read of the beats found.
type story struct {
	chart *store.Chart // nil for all charts
	beats []beatEntity
	more  bool
}

func (f *family) listBeats(ctx context.Context, in listBeatsInput) (tools.Result[listBeatsOutput], error) {
	var none tools.Result[listBeatsOutput]
	err := firstOf(notWhite("parentChartId", in.ParentChartID), notWhite("universe", in.Universe))
	if err != nil {
		return none, err
	}
	if in.Limit == 0 {
		in.Limit = defaultLimit
	}
	s, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (story, error) { return readStory(tx, in) })
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.Read(len(s.beats))).Because(fmt.Sprintf("%d beat(s)", len(s.beats)))
	args := map[string]any{}
	if s.chart != nil {
		relateChart(h, s.chart.ID, s.chart.Outcome, 1)
		args["parentChartId"] = s.chart.ID
	}
	switch {
	case len(s.beats) == 0:
		h.Next(createBeatName, tools.Middle, args, "record the first turning point")
	case s.more:
		next := in.Offset + len(s.beats)
		h.Warn("performance", tools.Middle, fmt.Sprintf("the list was cut after %d beats; more follow", len(s.beats)), fmt.Sprintf("call again with offset %d", next))
		args["offset"], args["limit"] = next, in.Limit
		h.Next("list_narrative_beats", tools.Low, args, "read on")
	default:
		last := s.beats[len(s.beats)-1]
		h.Next("telescope_narrative_beat", tools.Low, map[string]any{"parentBeatName": last.Name}, "to tell "+last.Name+" in smaller beats")
	}
	return tools.Result[listBeatsOutput]{Data: listBeatsOutput{Beats: s.beats}, Hints: h}, nil
}

func readStory(tx *store.Tx, in listBeatsInput) (s story, err error) {
	filter := store.BeatFilter{Limit: in.Limit, Offset: in.Offset}
	if in.ParentChartID != "" {
		if s.chart, err = resolveChart(tx, "parentChartId", in.ParentChartID); err != nil {
			return s, err
		}
		filter.Chart = s.chart.Row
	}
	if in.Universe != "" {
		wanted := foldUniverse(in.Universe)
		filter.Universes = func(universes []string) bool {
			return slices.ContainsFunc(universes, func(u string) bool { return foldUniverse(u) == wanted })
		}
	}
	beats, more, err := tx.Beats(filter)
	if err != nil {
		return s, err
	}
	rows := make([]int64, len(beats))
	for i, b := range beats {
		rows[i] = b.Row
	}
	further, err := tx.ObservationsOf(rows)
	s.more, s.beats = more, make([]beatEntity, 0, len(beats))
	for _, b := range beats {
		s.beats = append(s.beats, describeBeat(b, further[b.Row]))
	}
	return s, err
}
