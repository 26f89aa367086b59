package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/toolstest"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// heard stores what hooks heard: the folder, the day, the speaker, the text.
func heard(t *testing.T, turns [][4]string) *App {
	t.Helper()
	a := newApp(t)
	hear(t, a, turns)
	return a
}

// hear tells an app turns.
func hear(t *testing.T, a *App, turns [][4]string) {
	t.Helper()
	c := &capture.Capture{Store: a.Store, Search: a.Search, Home: "/home/ann"}
	for i, turn := range turns {
		day, err := time.Parse(time.DateOnly, turn[1])
		if err != nil {
			t.Fatal(err)
		}
		h := capture.HookTurn{Client: transcripts.ClaudeCode, Session: turn[0] + turn[1], Folder: turn[0], Speaker: turn[2], Text: turn[3], At: day.Add(time.Duration(600+i) * time.Minute)}
		if err := c.StoreHookTurn(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
}

// 2026-03-05 is a Thursday.
var threeProjects = [][4]string{
	{"/srv/atelier", "2026-03-05", "user", "On a choisi Infomaniak pour l'hébergement du site."},
	{"/srv/atelier", "2026-03-05", "assistant", "C'est noté."},
	{"/srv/atelier", "2026-03-05", "user", "Les photos du catalogue sont au format AVIF, largeur 1600."},
	{"/srv/miete", "2026-03-05", "user", "Wir haben entschieden: das Portal läuft auf MariaDB, nicht auf Oracle."},
	{"/srv/miete", "2026-03-05", "assistant", "Notiert."},
	{"/srv/miete", "2026-03-06", "user", "Wir deployen immer mittwochs um zehn Uhr."},
	{"/srv/miete", "2026-03-06", "assistant", "Notiert."},
	{"/srv/miete", "2026-03-09", "user", "Trag den Deploy-Tag in die README ein."},
	{"/srv/miete", "2026-03-09", "assistant", "Erledigt."},
	{"/srv/miete", "2026-03-09", "user", "ping whoever maintains the meter import"},
	{"/srv/miete", "2026-03-06", "user", "The meter import is maintained by Jonas and runs at 02:30."},
	{"/srv/privat", "2026-03-06", "user", "Ich muss den Reisepass bis zum 15. Dezember verlängern."},
	{"/srv/privat", "2026-03-06", "user", "Ich habe Tobias versprochen, ihm am Samstag, 28. November beim Umzug zu helfen."},
	{"/srv/privat", "2026-03-06", "user", "lance le serveur de la maquette"},
	{"/srv/privat", "2026-03-06", "user", "I am allergic to hazelnuts."},
}

func recalledIn(t *testing.T, a *App, folder, question string) (out recall.Output) {
	t.Helper()
	raw := []byte(toolstest.EncodeJSON(map[string]any{"query": question}))
	ctx := context.Context(t.Context())
	if folder != "" {
		ctx = recall.WithProject(ctx, "folder:"+folder)
	}
	r, err := a.Server.Pipeline.Call(ctx, tools.Request{Tool: recall.Name, Arguments: raw})
	if err != nil || r.IsError {
		t.Fatalf("%v %+v", err, r)
	}
	toolstest.Decode(t, r.Data, &out)
	return out
}

// Questions are asked today, whatever the year: seasons and months have their names.
func TestRecallFindsSeasonsAndMonthsByTheirNames(t *testing.T) {
	a := heard(t, [][4]string{
		{"/srv/garden", "2025-04-10", "user", "The tulips are in the bed by the gate."},
		{"/srv/roof", "2025-07-31", "user", "The roofers came at last."},
		{"/srv/shed", "2025-01-20", "user", "Snow was cleared off the shed."},
	})
	for question, want := range map[string]string{
		"what did I plant in spring?":           "tulips",
		"Was haben wir im Frühling gepflanzt?":  "tulips",
		"qu'est-ce qu'on a fait au printemps ?": "tulips",
		"¿qué hicimos en primavera?":            "tulips",
		"what did we do in the winter?":         "Snow",
		"qu'est-ce qu'on a fait en juillet ?":   "roofers",
		"qui est venu le 31 juillet 2025 ?":     "roofers",
		"¿qué hicimos en enero?":                "Snow",
	} {
		if out := recalledIn(t, a, "", question); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, want) {
			t.Errorf("%q is answered by %+v", question, out.Found)
		}
	}
}

func TestADayMatchesWhatWasSaidOnItOnlyWhereDaysAreAskedFor(t *testing.T) {
	a := heard(t, threeProjects)
	for _, query := range []string{"Thursday", "Donnerstag", "March 2026", "Wir deployen immer donnerstags", "Move the standup to Thursday"} {
		for _, hit := range recalledIn(t, a, "", query).Found {
			if strings.Contains(hit.Text, "Infomaniak") || strings.Contains(hit.Text, "AVIF") {
				t.Errorf("%q is answered by what was said on such a day: %+v", query, hit)
			}
		}
	}
	if out := recalledIn(t, a, "/srv/atelier", "what did we say on Thursday?"); len(out.Found) == 0 || out.NothingFits {
		t.Errorf("what was said on a day is not found by it: %+v", out)
	}
	for _, prompt := range []string{"Give me a pasta recipe for Thursday", "schedule the cron job for Thursday night", "Add a column for 2026 to the chart", "write the March report header", "Rezept für Donnerstag", "ajoute une colonne pour 2026"} {
		for _, project := range [][]string{nil, {"folder:/srv/miete"}} {
			if told := forPrompt(t, a, recall.PromptRequest{Prompt: prompt, Project: project}); strings.Contains(told.Text, "Infomaniak") || strings.Contains(told.Text, "AVIF") {
				t.Errorf("beside %q in %v stands\n%s", prompt, project, told.Text)
			}
		}
	}
}

func TestRecallRanksFactsBeforeOrders(t *testing.T) {
	a := heard(t, threeProjects)
	for question, want := range map[string]string{
		"An welchem Tag deployen wir?":           "mittwochs",
		"who maintains the meter import?":        "Jonas",
		"which format are the catalogue photos?": "AVIF",
		"Muss ich den Reisepass verlängern?":     "15. Dezember",
	} {
		if out := recalledIn(t, a, "", question); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, want) {
			t.Errorf("%q: %q is not first in %+v", question, want, out.Found)
		}
	}
	for _, prompt := range []string{"lance le serveur", "trag das in die README ein"} {
		if told := forPrompt(t, a, recall.PromptRequest{Prompt: prompt, Project: []string{"folder:/srv/privat"}}); told.Text != "" {
			t.Errorf("beside %q stands\n%s", prompt, told.Text)
		}
	}
}

func TestRecallOmitsRepliesWithoutWordsOfTheQuestion(t *testing.T) {
	a := heard(t, threeProjects)
	for _, question := range []string{"AVIF photos", "Wann deployen wir das Portal?", "Oracle oder MariaDB?", "who is Jonas?"} {
		for _, hit := range recalledIn(t, a, "", question).Found {
			for _, empty := range []string{"C'est noté", "Notiert", "Erledigt"} {
				if strings.HasSuffix(hit.Text, empty+".") && !strings.Contains(hit.Text, "\n") {
					t.Errorf("%q is answered by %+v", question, hit)
				}
			}
		}
	}
	told := forPrompt(t, a, recall.PromptRequest{Prompt: "Was habe ich Tobias für Samstag versprochen?", Project: []string{"folder:/srv/privat"}})
	if !strings.Contains(told.Text, "28. November") {
		t.Errorf("a day is cut:\n%s", told.Text)
	}
}

func TestRecallMarksAPoorMatch(t *testing.T) {
	a := heard(t, threeProjects)
	for question, want := range map[string]string{
		"Auf welchem Amt wird ein Reisepass mit Ausweis verlängert?":            "Reisepass",
		"Quelles photos du catalogue faut-il imprimer sur toile avant samedi ?": "AVIF",
	} {
		out := recalledIn(t, a, "", question)
		if !out.NothingFits || len(out.Found) == 0 || !strings.Contains(fmt.Sprint(out.Found), want) || !strings.Contains(out.Message, "well") || !strings.Contains(out.Text(), out.Message) {
			t.Errorf("%q gets %+v", question, out)
		}
	}
}

func TestAPromptGetsDecisionsOfItsProjectAndFactsOfThePerson(t *testing.T) {
	a := heard(t, threeProjects)
	for name, c := range map[string]struct {
		prompt, project, want, never string
	}{
		"a decision in its project":             {"Läuft das Portal noch auf Oracle oder wie stellt man die Datenbank ein?", "folder:/srv/miete", "MariaDB", ""},
		"a decision in another project":         {"Schreib ein Portal auf Oracle für die Vereinsmitglieder mit Kalender und Kasse", "folder:/srv/atelier", "", "MariaDB"},
		"a decision in no project, as at home":  {"Schreib ein Portal auf Oracle für die Vereinsmitglieder mit Kalender und Kasse", "", "", "MariaDB"},
		"what is said of a person, at home too": {"suggest cookies for somebody allergic to hazelnuts", "", "hazelnuts", ""},
		"what is said of a person, elsewhere":   {"suggest cookies for somebody allergic to hazelnuts", "folder:/srv/atelier", "hazelnuts", ""},
	} {
		t.Run(name, func(t *testing.T) {
			ask := recall.PromptRequest{Prompt: c.prompt}
			if c.project != "" {
				ask.Project = []string{c.project}
			}
			told := forPrompt(t, a, ask).Text
			if !strings.Contains(told, c.want) || c.never != "" && strings.Contains(told, c.never) {
				t.Errorf("beside %q stands\n%s", c.prompt, told)
			}
		})
	}
}
