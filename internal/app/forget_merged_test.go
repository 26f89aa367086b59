package app

import (
	"slices"
	"strings"
	"testing"

	"toolkit/tools/entities"
)

// TestForgettingAMergedEntityTakesOnlyWhatIsNamed has three companies of an invoice each,
// of which Zonkers was merged into Acme and Acme into Third. Third has a telephone number that
// somebody gave by hand.
func TestForgettingAMergedEntityTakesOnlyWhatIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		in       map[string]any // ids of companies and records by name, after @
		going    string
		lines    []string // some of the preview
		left     []string // companies
		observed map[string]int
	}{
		"the text of the innermost": {map[string]any{"text": "Zonkers"}, "record 1, truth_entity 2",
			[]string{"Zonkers (company, merged into Third)", "I-Zonkers (invoice)"}, []string{"Third"}, map[string]int{"Third": 3}},
		"the record of the innermost": {map[string]any{"items": []string{"record:@I-Zonkers"}}, "record 1, truth_entity 2",
			[]string{"Zonkers (company, merged into Third)", "I-Zonkers (invoice)"}, []string{"Third"}, map[string]int{"Third": 3}},
		"the text of the one in the middle": {map[string]any{"text": "Acme"}, "record 1, truth_entity 2",
			[]string{"Acme (company, merged into Third)"}, []string{"Third"}, map[string]int{"Third": 3}},
		"the text of the outermost": {map[string]any{"text": "Third"}, "record 2, truth_entity 2",
			[]string{"Third (company)"}, []string{"Acme"}, map[string]int{"Acme": 2}},
		// Its name goes with the record: of what is left nothing but the others has one.
		"the record of the outermost": {map[string]any{"items": []string{"record:@I-Third"}}, "record 1, truth_entity 1",
			nil, []string{"Zonkers"}, map[string]int{"Third": 3}},
		"the innermost by its id": {map[string]any{"items": []string{"entity:@Zonkers"}}, "truth_entity 1",
			[]string{"Zonkers (company, merged into Third)"}, []string{"Third"}, map[string]int{"Third": 3}},
		"the one in the middle by its name": {map[string]any{"items": []string{"truth_entity:acme"}}, "truth_entity 2",
			[]string{"Acme (company, merged into Third)", "Zonkers (company, merged into Third)"}, []string{"Third"}, map[string]int{"Third": 2}},
		"the outermost by its name": {map[string]any{"items": []string{"entity:Third"}}, "truth_entity 3, record 1",
			[]string{"Third (company)", "Acme (company, merged into Third)", "Zonkers (company, merged into Third)"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			ids := map[string]string{}
			for i, vendor := range []string{"Acme", "Zonkers", "Third"} {
				out := callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1",
					"body":       map[string]any{"invoice_number": "I-" + vendor, "amount": 10 + i, "vendor_name": vendor},
					"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-01-01", "extractor_version": "test:v1"}})
				ids["I-"+vendor] = out["payload_id"].(string)
				ids[vendor] = out["entities"].([]any)[1].(map[string]any)["entity_id"].(string)
			}
			callTool(t, a, "correct_field", map[string]any{"entity_id": ids["Third"], "field": "phone", "value": "555"})
			callTool(t, a, "merge_entities", map[string]any{"source_entity_id": ids["Zonkers"], "target_entity_id": ids["Acme"]})
			callTool(t, a, "merge_entities", map[string]any{"source_entity_id": ids["Acme"], "target_entity_id": ids["Third"]})

			if items, given := c.in["items"].([]string); given {
				if kind, named, found := strings.Cut(items[0], "@"); found {
					items[0] = kind + ids[named]
				}
			}
			preview := forgetWhat(t, a, c.in)
			var lines []string
			for _, g := range preview.Going {
				for _, item := range g.Items {
					lines = append(lines, item.Line)
				}
			}
			if preview.going() != c.going {
				t.Errorf("the preview lists %s, not %s: %q", preview.going(), c.going, lines)
			}
			for _, line := range c.lines {
				if !slices.Contains(lines, line) {
					t.Errorf("%q is missing in %q", line, lines)
				}
			}
			list, _ := callTool(t, a, "find_entities", map[string]any{"type": "company"})["entities"].([]any)
			var left []string
			for _, e := range list {
				left = append(left, e.(map[string]any)["canonical_name"].(string))
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("there are left %q, not %q", left, c.left)
			}
			for company, count := range c.observed {
				s := callTool(t, a, "get_entity_snapshot", map[string]any{"entity_id": ids[company]})
				if s["observation_count"] != float64(count) {
					t.Errorf("of %s %v observations are left, not %d", company, s["observation_count"], count)
				}
			}
			if r, err := entities.RebuildSnapshots(t.Context(), a.Store, true, nil); err != nil || r.Differing > 0 {
				t.Errorf("snapshots differ from their observations: %+v, %v", r, err)
			}
		})
	}
}
