package recall

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

func TestAHitCostsAtMostTwiceItsTextAndALittle(t *testing.T) {
	const session = "claude-code/8b6a3c1e-0f52-4a7e-9f43-5e1f1c0a7d21"
	whole := func(kind, text string) ranked {
		return ranked{
			Candidate: tools.Candidate{
				Kind: kind, ID: "1234", Text: text, At: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Covers: []string{"dialogue:77", "dialogue:78"},
				Place: tools.Place{Project: "shop", Session: session, Turn: 12},
				Tool:  "hybrid_search", Arguments: map[string]any{"query_text": "Which port does staging run on?", "session_id": session, "source_types": []string{"l0"}},
			},
			matched: []string{"staging", "port"},
		}
	}
	for name, tc := range map[string]struct {
		kind, text string
		keeps      []string // fields
		drops      []string
	}{
		"a short insight":  {"insight", "Staging runs on port 8443.", []string{"matched", "project"}, []string{"next", "also", "session"}},
		"a short turn":     {"dialogue", "user: Staging runs on port 8443.", []string{"project", "session"}, []string{"next", "also", "matched"}},
		"a very short one": {"insight", "Port 8443", []string{"project"}, []string{"next", "also", "session"}},
		"a longer one":     {"insight", strings.Repeat("Staging runs on port 8443. ", 8), []string{"matched", "project", "session"}, nil},
		"a long one":       {"dialogue", strings.Repeat("Staging runs on port 8443. ", 30), []string{"matched", "project", "session", "also", "next"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := whole(tc.kind, tc.text).hit()
			h.Text = tc.text
			h = h.trimmed()
			shown := toolstest.JSON(h)
			if len(shown) > 2*len(tc.text)+besideText {
				t.Errorf("%d bytes beside a text of %d: %s", len(shown), len(tc.text), shown)
			}
			for _, field := range tc.keeps {
				if !strings.Contains(shown, `"`+field+`":`) {
					t.Errorf("%s is missing in %s", field, shown)
				}
			}
			for _, field := range tc.drops {
				if strings.Contains(shown, `"`+field+`":`) {
					t.Errorf("%s stands in %s", field, shown)
				}
			}
		})
	}
}
