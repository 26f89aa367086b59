package app

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/tools/recall"
)

func TestWhatIsOutdatedIsSoWhereverItIsTold(t *testing.T) {
	a := heard(t, [][4]string{
		{"/srv/api", "2026-03-02", "user", "Tomasz is our product owner and signs off every API change."},
		{"/srv/api", "2026-03-02", "assistant", "Understood, Tomasz is the product owner and signs off API changes."},
		{"/srv/api", "2026-03-02", "user", "We release on Fridays."},
		{"/srv/api", "2026-03-02", "assistant", "Noted: releases on Fridays."},
		{"/srv/api", "2026-03-04", "user", "I was wrong: Priya is the product owner, not Tomasz."},
		{"/srv/api", "2026-03-04", "assistant", "Understood, Priya is the product owner."},
		{"/srv/api", "2026-03-04", "user", "We moved the releases from Friday to Tuesday"},
	})
	outdated := map[string]bool{}
	storetest.Read(t, a.Store, func(tx *store.Tx) error {
		list, err := memoryrows.In(tx).Insights(memoryrows.InsightFilter{Limit: 100})
		var ids []int64
		for _, i := range list {
			ids = append(ids, i.ID)
		}
		if err != nil {
			return err
		}
		untrue, err := search.FindOutdatedInsights(t.Context(), tx, ids, time.Now())
		for _, i := range list {
			_, outdated[i.Content] = untrue[i.ID]
		}
		return err
	})
	for text, want := range map[string]bool{
		"Tomasz is our product owner and signs off every API change.": true, "We release on Fridays.": true,
		"I was wrong: Priya is the product owner, not Tomasz.": false, "We moved the releases from Friday to Tuesday": false,
	} {
		if outdated[text] != want {
			t.Errorf("%q is outdated: %v", text, outdated[text])
		}
	}
	for _, question := range []string{"who is the product owner?", "who signs off API changes?", "when do we release?"} {
		for _, hit := range recalledIn(t, a, "/srv/api", question).Found {
			if untrue, known := outdated[strings.TrimPrefix(hit.Text, "user: ")]; known && untrue != strings.Contains(hit.Note, "earlier; insight:") {
				t.Errorf("recalled for %q: %q has the note %q", question, hit.Text, hit.Note)
			}
		}
		checkMarks(t, outdated, "beside "+question, forPrompt(t, a, recall.PromptRequest{Prompt: question, Project: []string{"folder:/srv/api"}}).Text)
	}
	briefing, _, _ := strings.Cut(strings.ReplaceAll(briefingOf(t, a.Store.Path(), "/srv/api"), `\n`, "\n"), "Last session")
	checkMarks(t, outdated, "in the briefing", briefing)
}

// checkMarks expects that lines which tell statements call those earlier that are outdated, and no
// others, that each is told once, and that no line holds what two speakers said.
func checkMarks(t *testing.T, outdated map[string]bool, where, told string) {
	t.Helper()
	if told == "" {
		t.Error("nothing is told " + where)
	}
	for text, untrue := range outdated {
		for line := range strings.Lines(told) {
			if strings.Contains(line, text) && untrue != strings.Contains(line, "earlier, ") {
				t.Errorf("%s: %q, outdated %v", where, line, untrue)
			}
		}
		if strings.Count(told, text) > 1 {
			t.Errorf("%s: %q is told twice in %s", where, text, told)
		}
	}
	if strings.Contains(told, " user: ") || strings.Contains(told, " assistant: ") {
		t.Errorf("%s: two speakers in one quotation: %s", where, told)
	}
}
