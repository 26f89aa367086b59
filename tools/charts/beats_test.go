package charts

import (
	"encoding/json"
	"testing"
	"time"
)

func beatArgs(chart, title string) args {
	return args{
		"parentChartId": chart, "title": title, "act": 1, "type_dramatic": "Discovery", "universes": []string{"Engineer World", "Ceremony World"},
		"description": "The wardrobe records 12 dB quieter.", "prose": "She whispered and the room kept it.", "lessons": []string{"Coats absorb more than foam"},
	}
}

func TestABeatIsTheDocumentedEntity(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	out := b.Call(createBeatName, beatArgs("create a podcast", "The quiet room"))
	same(t, "name and type", []any{out["name"], out["entityType"]}, []any{id + "_beat_1", "narrative_beat"})
	same(t, "observations", out["observations"], "[Act 1 [Discovery] Universe: Engineer World, Ceremony World Timestamp: 2026-01-01T12:00:00Z]")
	m := out["metadata"].(args)
	directions := m["fourDirections"].(args)
	same(t, "number of directions", len(directions), 4)
	delete(m, "fourDirections")
	same(t, "metadata", m, args{
		"chartId": id, "act": 1, "type_dramatic": "Discovery", "universes": []string{"Engineer World", "Ceremony World"}, "timestamp": "2026-01-01T12:00:00Z",
		"narrative":           args{"description": "The wardrobe records 12 dB quieter.", "prose": "She whispered and the room kept it.", "lessons": []string{"Coats absorb more than foam"}},
		"relationalAlignment": args{"assessed": false, "score": nil, "principles": []string{}},
		"title":               "The quiet room", "parentBeat": nil,
	})
	same(t, "reality of the chart", b.realityOf(id), "Have a desk")
}

func TestDramaticTypesOfOtherServersAreTaken(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	for _, kind := range []string{"Rising Action", "rising_action", "Crisis/Antagonist Force", "Advancement / Progress Made", "turning_point", "setup", "mmot_evaluation"} {
		in := exampleBeat()
		in.ParentChartID, in.TypeDramatic = id, kind
		out := b.Call(createBeatName, in)
		same(t, "type as given", out["metadata"].(args)["type_dramatic"], kind)
	}
}

func TestBeatRefusals(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	edit := func(key string, value any) args {
		in := beatArgs(id, "The quiet room")
		if in[key] = value; value == "absent" {
			delete(in, key)
		}
		return in
	}
	cases := []refusedCall{
		{"no lessons", edit("lessons", "absent"), "MISSING_REQUIRED", "lessons"},
		{"act 4", edit("act", 4), "VALIDATION_ERROR", "act"},
		{"act 1.5", edit("act", 1.5), "VALIDATION_ERROR", "act"},
		{"act as text", edit("act", "1"), "VALIDATION_ERROR", "act"},
		{"a type of its own", edit("type_dramatic", "Comedy"), "VALIDATION_ERROR", "type_dramatic"},
		{"no universe", edit("universes", []string{}), "VALIDATION_ERROR", "universes"},
		{"a blank universe", edit("universes", []string{"A", " "}), "VALIDATION_ERROR", "universes[1]"},
		{"a blank title", edit("title", " "), "VALIDATION_ERROR", "title"},
		{"an empty description", edit("description", ""), "VALIDATION_ERROR", "description"},
		{"blank prose", edit("prose", "\n"), "VALIDATION_ERROR", "prose"},
		{"a blank lesson", edit("lessons", []string{" "}), "VALIDATION_ERROR", "lessons[0]"},
		{"an unknown chart", edit("parentChartId", "chart_9"), "NOT_FOUND", "parentChartId"},
		{"a plain step", edit("parentChartId", id+"_action_1"), "NOT_FOUND", "parentChartId"},
		{"an empty lesson", edit("lessons", []string{""}), "CREATIVE_ORIENTATION_ERROR", "lessons[0]"},
		{"a vague lesson", edit("lessons", []string{"Coats absorb more than foam", "Be better"}), "CREATIVE_ORIENTATION_ERROR", "lessons[1]"},
	}
	b.refuseAll(t, createBeatName, cases)
}

func TestActsAreComparedAsNumbersAndLessonsMayBeEmpty(t *testing.T) {
	b := newBench(t)
	in := beatArgs(b.chart("Create a podcast"), "The quiet room")
	in["lessons"] = []string{}
	for _, act := range []any{2, 2.0, "raw"} {
		if act == "raw" { // 2.0 as a client may write it
			b.CallAccepted(createBeatName, json.RawMessage(`{"parentChartId":"Create a podcast","title":"x","act":2.0,"type_dramatic":"Crisis","universes":["A"],"description":"d","prose":"p","lessons":[]}`))
			continue
		}
		in["act"] = act
		same(t, "act", b.Call(createBeatName, in)["metadata"].(args)["act"], 2)
	}
}

func TestAlignmentIsAssessedOnlyWhenAskedFor(t *testing.T) {
	b := newBench(t)
	in := beatArgs(b.chart("Create a podcast"), "The circle")
	in["description"] = "The elders were asked permission and thanked."
	in["prose"] = "We listened together, grateful for the river."
	in["assessRelationalAlignment"] = true
	a := b.Call(createBeatName, in)["metadata"].(args)["relationalAlignment"].(args)
	same(t, "assessed", a["assessed"], true)
	if score, ok := a["score"].(float64); !ok || score <= 0 || score > 10 || len(a["principles"].([]any)) == 0 {
		t.Errorf("the alignment is %v", a)
	}
	in["description"], in["prose"], in["lessons"] = "A cable.", "It was grey.", []string{}
	a = b.Call(createBeatName, in)["metadata"].(args)["relationalAlignment"].(args)
	same(t, "an assessment that finds nothing", a, args{"assessed": true, "score": 0, "principles": []string{}})
}

func TestSubBeatsInheritAndBelongToTheRootChart(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	in := beatArgs(id, "The quiet room")
	in["act"] = 3
	b.Call(createBeatName, in)
	out := b.Call(telescopeBeatName, args{"parentBeatName": "the QUIET room", "newCurrentReality": "The wardrobe is the studio", "initialSubBeats": []args{
		{"title": "First take", "type_dramatic": "Comedy", "description": "d", "prose": "p", "lessons": []string{"Doors closed first"}},
		{},
	}})
	same(t, "parent and reality", []any{out["parentBeat"], out["newCurrentReality"]}, []any{id + "_beat_1", "The wardrobe is the studio"})
	subs := out["subBeats"].([]any)
	first, second := subs[0].(args), subs[1].(args)
	same(t, "names", []any{first["name"], second["name"]}, []any{id + "_beat_1_beat_1", id + "_beat_1_beat_2"})
	m := second["metadata"].(args)
	same(t, "inherited", []any{m["chartId"], m["act"], m["type_dramatic"], m["universes"], m["parentBeat"], m["title"]},
		[]any{id, 3, "Discovery", []string{"Engineer World", "Ceremony World"}, id + "_beat_1", "The quiet room, part 2"})
	same(t, "its own type", first["metadata"].(args)["type_dramatic"], "Comedy")

	// of a sub-beat, and without any sub-beats
	out = b.Call(telescopeBeatName, args{"parentBeatName": id + "_beat_1_beat_1", "newCurrentReality": "The door is closed", "initialSubBeats": []args{{"title": "Silence"}}})
	deep := out["subBeats"].([]any)[0].(args)
	same(t, "depth two", []any{deep["name"], deep["metadata"].(args)["chartId"]}, []any{id + "_beat_1_beat_1_beat_1", id})
	out = b.Call(telescopeBeatName, args{"parentBeatName": id + "_beat_1", "newCurrentReality": "The wardrobe is the studio"})
	same(t, "no sub-beats", out["subBeats"], "[]")
	same(t, "the reality of the beat, once", b.facts(id+"_beat_1"), "[The wardrobe is the studio]")
	same(t, "the list of the chart", len(b.Call("list_narrative_beats", args{"parentChartId": id})["beats"].([]any)), 4)

	before := b.contents()
	b.refuse(telescopeBeatName, args{"parentBeatName": id + "_beat_1"}, "MISSING_REQUIRED", "newCurrentReality")
	b.refuse(telescopeBeatName, args{"parentBeatName": id + "_beat_1", "newCurrentReality": " "}, "VALIDATION_ERROR", "newCurrentReality")
	b.refuse(telescopeBeatName, args{"parentBeatName": id + "_beat_1", "newCurrentReality": "x", "initialSubBeats": []args{{"title": " "}}}, "VALIDATION_ERROR", "initialSubBeats[0].title")
	b.refuse(telescopeBeatName, args{"parentBeatName": id + "_beat_1", "newCurrentReality": "x", "initialSubBeats": []args{{}, {"lessons": []string{"good"}}}}, "CREATIVE_ORIENTATION_ERROR", "initialSubBeats[1].lessons[0]")
	b.refuse(telescopeBeatName, args{"parentBeatName": "The quiet rooom", "newCurrentReality": "x"}, "NOT_FOUND", "parentBeatName")
	b.unchanged(before)
}

func TestBeatsAreListedByActThenTime(t *testing.T) {
	b := newBench(t)
	one, two := b.chart("Create a podcast"), b.chart("Create a book")
	same(t, "an empty list", b.CallAllowingRefusal("list_narrative_beats", args{}).Text, "[]")
	beat := func(chart, title string, act int, universes ...string) {
		in := beatArgs(chart, title)
		in["act"], in["universes"] = act, universes
		b.Call(createBeatName, in)
		b.Clock.Advance(time.Minute)
	}
	beat(one, "three", 3, "Engineer World")
	beat(two, "two", 2, "ENGINEER-WORLD", "Ceremony World")
	beat(one, "one late", 1, "Story Engine World")
	beat(one, "one later", 1, "engineer_world")
	titles := func(in args) []string {
		list := []string{}
		for _, x := range b.Call("list_narrative_beats", in)["beats"].([]any) {
			list = append(list, x.(args)["metadata"].(args)["title"].(string))
		}
		return list
	}
	same(t, "all", titles(args{}), []string{"one late", "one later", "two", "three"})
	same(t, "of a chart", titles(args{"parentChartId": "create a podcast"}), []string{"one late", "one later", "three"})
	same(t, "of a universe", titles(args{"universe": "engineer world"}), []string{"one later", "two", "three"})
	same(t, "a page", titles(args{"limit": 2, "offset": 1}), []string{"one later", "two"})
	same(t, "a page of a chart", titles(args{"parentChartId": "create a podcast", "limit": 1}), []string{"one late"})
	same(t, "a page of a universe", titles(args{"universe": "Engineer World", "limit": 1, "offset": 2}), []string{"three"})
	same(t, "the original spelling is kept", b.Call("list_narrative_beats", args{"parentChartId": two})["beats"].([]any)[0].(args)["metadata"].(args)["universes"], "[ENGINEER-WORLD Ceremony World]")
	b.refuse("list_narrative_beats", args{"parentChartId": "nope"}, "NOT_FOUND", "parentChartId")
	b.refuse("list_narrative_beats", args{"parentChartId": " "}, "VALIDATION_ERROR", "parentChartId")
}

func TestBeatsDocumentChartsOfAnyLevel(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x"})["chartId"].(string)
	same(t, "name", b.Call(createBeatName, beatArgs(sub, "a"))["name"], sub+"_beat_1")
	same(t, "name", b.Call(createBeatName, beatArgs(id, "b"))["name"], id+"_beat_1")
	same(t, "beats of the sub-chart", len(b.Call("list_narrative_beats", args{"parentChartId": sub})["beats"].([]any)), 1)
}
