package recall

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/tools"
)

func TestWhatIsOnlyNearInMeaningHasNoPercentageAndNoWords(t *testing.T) {
	said := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for name, familyNote := range map[string]string{"without a note": "", "with a note of its family": "extracted"} {
		t.Run(name, func(t *testing.T) {
			r := ranked{Candidate: tools.Candidate{Kind: "insight", ID: "3", Text: "Flour goes by rail", At: said, Note: familyNote}, near: true, shown: 0.2, stated: []string{"flour"}}
			h := r.toHit()
			text := Output{Found: []Hit{h}, Lines: []string{formatLine(r)}}.Text()
			if m := h.ParseNote(); !m.Near || m.Note != familyNote || len(h.Matched) > 0 {
				t.Errorf("%+v of %+v", m, h)
			}
			if strings.Contains(text, "%") || strings.Contains(text, "0.20") || strings.Count(text, nearInMeaning) != 2 || strings.Contains(text, ": flour") {
				t.Error(text)
			}
			if familyNote != "" && !strings.Contains(text, "note: "+familyNote) {
				t.Errorf("its note is not told: %s", text)
			}
		})
	}
}

func TestAWordThatSaysNothingIsNotNear(t *testing.T) {
	q := tools.NewQuestion("globex", "", []string{"dialogue"}, time.Time{})
	q.Scorer = search.NewScorer(q.Query, search.Statistics{})
	turn := func(id, text string) tools.Candidate {
		return tools.Candidate{Kind: "dialogue", ID: id, Text: text, Similarity: 0.2, Turns: []tools.DialogueTurn{{Speaker: user, Text: text}}}
	}
	list := rankCandidates(q, []tools.Candidate{turn("1", "ok"), turn("2", "fine"), turn("3", "Initech delivers the printers.")})
	if len(list) != 1 || list[0].ID != "3" || !list[0].near {
		t.Errorf("%+v", list)
	}
}

func TestMarksTakeANoteApart(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.Local)
	r := ranked{Candidate: tools.Candidate{Note: "extracted"}, near: true, newer: describeLater(search.Later{Ref: "dialogue:3", At: at})}
	want := Marks{Near: true, Later: "dialogue:3", LaterDay: "2026-03-02", Note: "extracted"}
	if got := (Hit{Note: r.formatNote()}).ParseNote(); got != want {
		t.Errorf("%+v of %q, want %+v", got, r.formatNote(), want)
	}
	if got := (Hit{Note: r.newer}).ParseNote(); got != (Marks{Later: "dialogue:3", LaterDay: "2026-03-02"}) {
		t.Errorf("%+v of %q", got, r.newer)
	}
	if got := (Hit{Note: "earlier than that"}).ParseNote(); got != (Marks{Note: "earlier than that"}) {
		t.Errorf("%+v", got)
	}
}
