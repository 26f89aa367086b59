package app

import "testing"

// TestForgetShowsTheCurrentVersionOfAnInsight has an insight on papayas, made from a turn in
// session x, that was updated.
func TestForgetShowsTheCurrentVersionOfAnInsight(t *testing.T) {
	for name, c := range map[string]struct {
		sources []int // of the update; nil: those of the old version
		in      map[string]any
		going   string
		line    string // of the insight; empty: it stays
	}{
		"sources that stay": {[]int{2}, map[string]any{"items": []string{"session:x"}, "with_derived": true}, "dialogue 1", ""},
		"the old sources":   {nil, map[string]any{"items": []string{"session:x"}, "with_derived": true}, "dialogue 1, insight 1", "Fruit trees grow"},
		"a source that goes": {[]int{1, 2}, map[string]any{"items": []string{"session:x"}, "with_derived": true},
			"dialogue 1, insight 1", "Fruit trees grow"},
		"a text of the old version": {[]int{2}, map[string]any{"text": "papayas"}, "insight 1", "Papayas grow (an earlier version; now: Fruit trees grow)"},
		"a text of the new version": {[]int{2}, map[string]any{"text": "fruit trees"}, "insight 1", "Fruit trees grow"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			for _, session := range []string{"x", "y"} {
				callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": session, "speaker": "user", "content": "In the yard of " + session})
			}
			old := callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "Papayas grow", "source_ids": []int{1}})
			update := map[string]any{"id": old["id"], "content": "Fruit trees grow", "reason": "more of them"}
			if c.sources != nil {
				update["source_ids"] = c.sources
			}
			current := callTool(t, a, "update_insight", update)["id"]

			preview := forgetWhat(t, a, c.in)
			line := ""
			for _, g := range preview.Going {
				if g.Kind == "insight" {
					line = g.Items[0].Line
				}
			}
			if preview.going() != c.going || line != c.line {
				t.Errorf("the preview lists %s with %q, not %s with %q", preview.going(), line, c.going, c.line)
			}
			kept := !respond(t, a, "get_insight_history", map[string]any{"id": current}).IsError
			if kept != (c.line == "") {
				t.Errorf("the current version stays: %v", kept)
			}
		})
	}
}
