package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools/recall"
)

// twoProjects are what one person stated in two projects.
var twoProjects = [][4]string{
	{"/srv/kiosk", "2026-03-02", "user", "We decided to write the kiosk app in Flutter."},
	{"/srv/kiosk", "2026-03-02", "assistant", "Noted, the kiosk app is written in Flutter from now on."},
	{"/srv/kiosk", "2026-03-09", "user", "Mara owns the kiosk and signs off every design."},
	{"/srv/kiosk", "2026-04-01", "user", "We dropped Flutter, the kiosk app is written in Swift now."},
	{"/srv/choir", "2026-03-10", "user", "The choir rehearses on Thursdays at seven in the school."},
}

func TestAQuestionForAllThatIsKnownGetsWhatHoldsOfTheProject(t *testing.T) {
	a := openWith(t, Settings{Getenv: func(string) string { return "" }}) // with the model in the program
	hear(t, a, twoProjects)
	for name, test := range map[string]struct {
		folder, question string
		want, never      []string
	}{
		"the project at hand":      {"/srv/kiosk", "what do you know about this project?", []string{"Swift", "Mara"}, []string{"in Flutter", "choir"}},
		"in German":                {"/srv/choir", "Was weißt du alles über dieses Projekt?", []string{"Thursdays"}, []string{"Mara"}},
		"a project by its name":    {"/srv/choir", "give me a summary of everything we settled in the kiosk project", []string{"Swift", "Mara"}, []string{"in Flutter."}},
		"one thing, not the whole": {"/srv/kiosk", "who signs off the designs?", []string{"Mara"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			out := recalledIn(t, a, test.folder, test.question)
			first := ""
			for _, hit := range out.Found[:min(2, len(out.Found))] {
				first += hit.Text + "\n"
			}
			beside := forPrompt(t, a, recall.PromptRequest{Prompt: test.question, Project: []string{"folder:" + test.folder}}).Text
			for where, text := range map[string]string{"recall": first, "beside the prompt": current(beside)} {
				for _, want := range test.want {
					if !strings.Contains(text, want) {
						t.Errorf("%s lacks %q: %s", where, want, text)
					}
				}
				for _, never := range test.never {
					if strings.Contains(text, never) {
						t.Errorf("%s has %q: %s", where, never, text)
					}
				}
			}
		})
	}
}

func TestAQuestionForOneThingThatLooksLikeOneForAllIsAnsweredFirst(t *testing.T) {
	a := openWith(t, Settings{Getenv: func(string) string { return "" }})
	said := [][4]string{{"/srv/kiosk", "2026-03-01", "user", "Gina's store sells out of hoodies every Friday and earns well."}}
	hear(t, a, append(said, twoProjects...))
	const question = "How is Gina's store doing?" // taken for a question for all
	if out := recalledIn(t, a, "/srv/kiosk", question); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "hoodies") {
		t.Errorf("recall finds %v", out.Found)
	}
	beside := forPrompt(t, a, recall.PromptRequest{Prompt: question, Project: []string{"folder:/srv/kiosk"}}).Text
	if lines := strings.Split(beside, "\n"); len(lines) < 2 || !strings.Contains(lines[1], "hoodies") {
		t.Errorf("beside the prompt stands %s", beside)
	}
}

func TestAnOrderWithTheWordEverythingIsToldNothing(t *testing.T) {
	a := openWith(t, Settings{Getenv: func(string) string { return "" }})
	hear(t, a, twoProjects)
	for _, order := range []string{"commit everything", "rename everything to basket", "explain everything about closures", "alles committen bitte"} {
		if told := forPrompt(t, a, recall.PromptRequest{Prompt: order, Project: []string{"folder:/srv/kiosk"}}).Text; told != "" {
			t.Errorf("%q is told %s", order, told)
		}
	}
}

func TestAQuestionForAWholeIsNoPreference(t *testing.T) {
	a := openWith(t, Settings{Getenv: func(string) string { return "" }})
	hear(t, a, [][4]string{
		{"/srv/kiosk", "2026-03-02", "user", "give me an overview of everything about the kiosk"},
		{"/srv/kiosk", "2026-03-02", "user", "where did we leave off last time?"},
	})
	all := storetest.ReadValue(t, a.Store, func(tx *store.Tx) ([]memory.Insight, error) {
		return memory.In(tx).Insights(memory.InsightFilter{Limit: 10})
	})
	if len(all) != 0 {
		t.Errorf("noticed: %v", all)
	}
}

func TestAServerStartedInAProjectKnowsIt(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := openWith(t, Settings{Folder: folder, Getenv: func(string) string { return "" }})
	hear(t, a, [][4]string{{folder, "2026-03-02", "user", "We decided to write the kiosk app in Flutter."}, twoProjects[4]})
	if out := recalledIn(t, a, "", "what do you know about this project?"); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "Flutter") {
		t.Errorf("%+v", out)
	}
}

func TestASessionInWhichMuchWasSaidIsTheLastOneDespiteShortAnswers(t *testing.T) {
	a := openWith(t, Settings{Getenv: func(string) string { return "" }})
	hear(t, a, [][4]string{
		{"/srv/kiosk", "2026-03-02", "user", "please make the menu of the kiosk app wider"},
		{"/srv/kiosk", "2026-03-02", "assistant", "The menu of the kiosk app is wider now, on every page."},
		{"/srv/kiosk", "2026-03-09", "user", "from now on the kiosk app is written in Swift"},
		{"/srv/kiosk", "2026-03-09", "assistant", "Noted."},
		{"/srv/kiosk", "2026-03-09", "user", "and Mara signs off every design of the app"},
		{"/srv/kiosk", "2026-03-09", "assistant", "Fine."},
	})
	told := forPrompt(t, a, recall.PromptRequest{Prompt: "where did we leave off?", Project: []string{"folder:/srv/kiosk"}}).Text
	if !strings.Contains(told, "2026-03-09") || strings.Contains(told, "2026-03-02") {
		t.Error(told)
	}
}
