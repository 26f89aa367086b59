package memory

import (
	"slices"
	"strings"
	"testing"

	"toolkit/tools"
)

const answerInDialogue = "The kitchen will get the colour of moss"

func TestEmptyResultNamesUnsearchedSources(t *testing.T) {
	const question = "What colour will the kitchen get?"
	dialogue := func(b *bench) { b.say("s1", "Anna", answerInDialogue) }
	tests := map[string]struct {
		setup     func(*bench)
		in        args
		warning   string // the one warning; empty: none
		reasoning string
	}{
		"an empty memory remembers nothing": {func(*bench) {}, args{}, "", "nothing is remembered that matches"},
		"dialogue was not searched":         {dialogue, args{}, "no match among insights; not searched: dialogue", "no match among insights; not searched: dialogue"},
		"episodes were not searched":        {func(b *bench) { b.episode("which tea", "Problem: a. Lesson: b.") }, args{}, "no match among insights; not searched: episodes", "no match among insights; not searched: episodes"},
		"neither was searched":              {func(b *bench) { dialogue(b); b.episode("which tea", "Problem: a. Lesson: b.") }, args{}, "not searched: episodes, dialogue", "not searched: episodes, dialogue"},
		"insights were not searched":        {func(b *bench) { b.insights(1, answerInDialogue) }, args{"source_types": []string{"l0", "episode"}}, "no match among episodes, dialogue; not searched: insights", ""},
		"a poor insight, dialogue unsearched": {func(b *bench) { dialogue(b); b.insights(1, "The kitchen is on the ground floor") }, args{},
			"among insights nothing fits the question well", "the best match answers"},
		"all three were searched":    {func(b *bench) { b.say("s1", "Anna", "Owls hunt mice") }, args{"source_types": []string{"l0", "l2", "episode"}}, "", "nothing is remembered that matches"},
		"filters hide what there is": {dialogue, args{"source_types": []string{"l0", "l2"}, "created_before": "2001-01-01"}, "", "nothing that passes the filters matches"},
		"an answer needs no other":   {func(b *bench) { dialogue(b); b.insights(1, answerInDialogue) }, args{}, "", "the best match answers"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tc.setup(b)
			tc.in["query_text"] = question
			r := b.CallAccepted(hybridName, tc.in)
			var said []string
			for _, w := range r.Hints.Warnings {
				said = append(said, w.Message)
			}
			if (tc.warning == "") != (len(said) == 0) || len(said) > 1 || !strings.Contains(strings.Join(said, ""), tc.warning) {
				t.Errorf("warns %q, want %q", said, tc.warning)
			}
			if !strings.Contains(r.Hints.Reasoning, tc.reasoning) {
				t.Errorf("says %q, want %q", r.Hints.Reasoning, tc.reasoning)
			}
			if tc.warning != "" && (strings.Contains(r.Hints.Warnings[0].SuggestedFix, "remembered") || !strings.Contains(r.Hints.Warnings[0].SuggestedFix, "source_types")) {
				t.Errorf("advises %q", r.Hints.Warnings[0].SuggestedFix)
			}
		})
	}
}

func TestTheNextCallOfASearchWithoutAMatchFindsTheDialogue(t *testing.T) {
	b := newBench(t)
	b.say("s1", "Anna", answerInDialogue)
	b.say("s2", "Ben", answerInDialogue)
	for _, filter := range []args{{}, {"session_id": "s1"}, {"speaker": "Anna"}} {
		filter["query_text"] = "What colour will the kitchen get?"
		hints := b.CallAccepted(hybridName, filter).Hints
		i := slices.IndexFunc(hints.SuggestedNextActions, func(a tools.Action) bool { return a.Action == "hybrid-search" && a.Data["source_types"] != nil })
		if i != 0 {
			t.Fatalf("%v: the first suggestion does not search elsewhere: %+v", filter, hints.SuggestedNextActions)
		}
		found := b.Call(hybridName, hints.SuggestedNextActions[0].Data)["results"].([]any)
		if len(found) != map[bool]int{true: 2, false: 1}[len(filter) == 1] || found[0].(args)["content"] != answerInDialogue {
			t.Errorf("%v: the next call finds %v", filter, found)
		}
	}
}
