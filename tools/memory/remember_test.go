package memory

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// repository is a folder with a repository in it.
func repository(t *testing.T, name string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Join(folder, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func (b *bench) remember(n tools.Note) tools.Remembered {
	b.T.Helper()
	out, err := b.deps.Remember(b.T.Context(), n)
	if err != nil {
		b.T.Fatal(err)
	}
	return out
}

func (b *bench) insightAt(id int64) *memory.Insight {
	b.T.Helper()
	i, err := store.ReadValue(b.T.Context(), b.Store, func(tx *store.Tx) (*memory.Insight, error) { return memory.In(tx).InsightAt(id) })
	if err != nil || i == nil {
		b.T.Fatal(i, err)
	}
	return i
}

func TestRememberStoresTheSameTextOnce(t *testing.T) {
	b := newBench(t)
	const text = "We deploy on Tuesdays"
	first := b.remember(tools.Note{Text: text})
	if first.Already || first.ID != 1 || first.Project != "" || first.Text != text {
		t.Errorf("%+v", first)
	}
	for _, again := range []string{text, "we deploy on tuesdays.", "Remember that we deploy on Tuesdays", "  We deploy on Tuesdays!\n"} {
		if out := b.remember(tools.Note{Text: again}); !out.Already || out.ID != first.ID {
			t.Errorf("%q: %+v", again, out)
		}
	}
	if out := b.remember(tools.Note{Text: text, Project: "shop"}); !out.Already || out.Project != "" {
		t.Errorf("what holds everywhere is stored for a project too: %+v", out)
	}
	b.Call(deleteName, args{"id": first.ID, "reason": "a test"})
	if out := b.remember(tools.Note{Text: text}); out.Already || out.ID == first.ID {
		t.Errorf("what was deleted is not remembered anew: %+v", out)
	}
}

func TestRememberAddsNothingForATextSaidAgain(t *testing.T) {
	shop, bakery := repository(t, "shop"), repository(t, "bakery")
	const text = "The oven is lit at four"
	for name, tc := range map[string]struct {
		folder, project, kind string // of the second time; the first is in the shop
		forAll                bool
		added                 bool
		in                    string
	}{
		"without a project":                       {in: "shop"},
		"in the same folder":                      {folder: shop, in: "shop"},
		"in the same project, by name":            {project: "shop", in: "shop"},
		"in the same folder, as a preference":     {folder: shop, kind: "preference", in: "shop"},
		"in another project":                      {folder: bakery, added: true, in: "bakery"},
		"in another project, by name":             {project: "bakery", added: true, in: "bakery"},
		"without a project, expressly everywhere": {forAll: true, added: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.deps.Folder = shop
			first := b.remember(tools.Note{Text: text})
			b.deps.Folder = tc.folder
			ctx := b.T.Context()
			if tc.forAll {
				ctx = WithAllProjects(ctx)
			}
			again, err := b.deps.Remember(ctx, tools.Note{Text: text + ".", Project: tc.project, Kind: tc.kind})
			if err != nil || again.Already == tc.added || again.Project != tc.in || (again.ID != first.ID) != tc.added {
				t.Errorf("%+v, %v", again, err)
			}
		})
	}
}

func TestRememberHoldsInTheProjectThatIsMeant(t *testing.T) {
	shop, bakery, plain := repository(t, "shop"), repository(t, "bakery"), t.TempDir()
	for name, tc := range map[string]struct {
		folder, project, kind, want string
	}{
		"no folder":                       {},
		"a folder that is no repository":  {folder: plain},
		"a repository":                    {folder: shop, want: "shop"},
		"a preference in a repository":    {folder: shop, kind: "preference"},
		"a person in a repository":        {folder: shop, kind: "person"},
		"a decision in a repository":      {folder: shop, kind: "decision", want: "shop"},
		"another folder":                  {folder: shop, project: bakery, want: "bakery"},
		"a new name":                      {folder: shop, project: "Orchard", want: "Orchard"},
		"a preference in a named project": {project: "Orchard", kind: "preference", want: "Orchard"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(d *Deps) { d.Folder = tc.folder })
			in := tools.Note{Text: "Dough rests for six hours", Project: tc.project, Kind: tc.kind}
			out := b.remember(in)
			if out.Project != tc.want {
				t.Errorf("it holds in %q: %+v", out.Project, out)
			}
			if again := b.remember(in); !again.Already || again.ID != out.ID || again.Project != tc.want {
				t.Errorf("again: %+v", again)
			}
			if got := parseMetadata(b.insightAt(out.ID)); got.Kind != tc.kind || (got.Project == "") != (tc.want == "") {
				t.Errorf("stored is %+v", got)
			}
		})
	}
}

func TestRememberLeavesSecretsOut(t *testing.T) {
	b := newBench(t)
	const secret = "hunter2xyz"
	out := b.remember(tools.Note{Text: "The staging password is " + secret + " for now"})
	stored := b.insightAt(out.ID).Content
	if strings.Contains(stored, secret) || !slices.Equal(out.LeftOut, []string{"password"}) || out.Text != stored {
		t.Errorf("%+v stores %q", out, stored)
	}
	if _, err := b.deps.Remember(t.Context(), tools.Note{Text: " \n"}); err == nil {
		t.Error("a blank text is remembered")
	}
}

func TestRememberNamesTheClientAndTheOnlySessionThatRuns(t *testing.T) {
	at := func(client string, ago time.Duration) sessions.Session {
		return sessions.Session{ID: client + "/" + ago.String(), Client: client, Started: noon.Add(-ago), Ended: noon.Add(-ago)}
	}
	for name, tc := range map[string]struct {
		sessions []sessions.Session
		want     string
	}{
		"none":                    {},
		"one":                     {[]sessions.Session{at("claude-code", time.Minute)}, "claude-code/1m0s"},
		"one of yesterday":        {[]sessions.Session{at("claude-code", 24*time.Hour)}, ""},
		"one of another client":   {[]sessions.Session{at("codex", time.Minute)}, ""},
		"two of them":             {[]sessions.Session{at("claude-code", time.Minute), at("claude-code", 2*time.Minute)}, ""},
		"one of now and one past": {[]sessions.Session{at("claude-code", time.Minute), at("claude-code", 3*time.Hour)}, "claude-code/1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			storetest.Write(t, b.Store, func(tx *store.Tx) error {
				for _, s := range tc.sessions {
					if err := sessions.In(tx).SaveSession(s); err != nil {
						return err
					}
				}
				return nil
			})
			ctx := tools.WithCall(t.Context(), tools.Call{AgentID: "claude-code"})
			if _, err := b.deps.Remember(ctx, tools.Note{Text: "We bake on Sundays"}); err != nil {
				t.Fatal(err)
			}
			if got := parseMetadata(b.insightAt(1)); got.Client != "claude-code" || got.Session != tc.want {
				t.Errorf("its source is %q, %q", got.Client, got.Session)
			}
		})
	}
}

func TestAPlanThatIsRememberedIsDueOnItsDay(t *testing.T) {
	b := newBench(t)
	out := b.remember(tools.Note{Text: "Send the offer to the bakery by 2026-01-20", Kind: "plan"})
	if due := DueDayOf(b.insightAt(out.ID)); due != "2026-01-20" {
		t.Errorf("it is due on %q", due)
	}
	moved := b.id(updateName, args{"id": out.ID, "content": "Send the offer to the bakery by 2026-01-22", "reason": "they moved it"})
	if due := DueDayOf(b.insightAt(moved)); due != "2026-01-22" {
		t.Errorf("moved, it is due on %q", due)
	}
}

// A sign may change all that a text says.
func TestRememberStoresTextsThatDifferInSigns(t *testing.T) {
	for first, other := range map[string]string{
		"The limit is 15": "The limit is -15", "Budget: +15 EUR": "Budget: -15 EUR", "We use x=1": "We use x!=1", "price 5 €": "price 5 $",
		"a -> b": "a <- b", "resume": "résumé", "Ada is the lead.": "Ada is the lead?", "...": "->",
	} {
		b := newBench(t)
		if one, two := b.remember(tools.Note{Text: first}), b.remember(tools.Note{Text: other}); two.Already || one.ID == two.ID {
			t.Errorf("%q after %q: %+v", other, first, two)
		}
		if again := b.remember(tools.Note{Text: other}); !again.Already {
			t.Errorf("%q is stored twice: %+v", other, again)
		}
	}
}

func TestRememberAndRecallMeanOneProjectByOneText(t *testing.T) {
	b := newBench(t)
	folder := filepath.Join(t.TempDir(), "shop")
	for stored, asked := range map[string]string{folder + "/": folder + "//", " café ": "cafe\u0301", "Bakery": "bakery "} {
		b.remember(tools.Note{Text: "what holds in " + stored, Project: stored})
		p, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) (sessions.Project, error) { return tools.FindProject(tx, "project", asked) })
		if err != nil || p.ID == 0 {
			t.Errorf("%q does not name the project of %q: %v", asked, stored, err)
		}
	}
	if _, err := b.deps.Remember(t.Context(), tools.Note{Text: "nowhere", Project: "  "}); err == nil {
		t.Error("a blank project was taken")
	}
}

func TestRememberRefusesTextsOfWhichOnlyPlaceholdersAreLeft(t *testing.T) {
	b := newBench(t)
	_, err := b.deps.Remember(t.Context(), tools.Note{Text: "<private>all of it</private>"})
	if err == nil || !strings.Contains(err.Error(), "no word to remember") {
		t.Errorf("it was stored: %v", err)
	}
}

// Said on Sunday, 29 November 2026.
func TestAStatementIsDueOnTheDayThatItNames(t *testing.T) {
	said := time.Date(2026, 11, 29, 12, 0, 0, 0, time.Local)
	for name, test := range map[string]struct{ kind, text, due string }{
		"a plan on a weekday":                {"plan", "Call the plumber on Thursday", "2026-12-03"},
		"a plan of a week":                   {"plan", "Move the server next week", "2026-12-06"},
		"a promise that counts as a person":  {"person", "I promised Karin the report by Wednesday, December 2nd", "2026-12-02"},
		"a text of no kind, by a weekday":    {"", "Bis Freitag brauche ich die Belege", "2026-12-04"},
		"a fact on a weekday":                {"fact", "The market is on Thursday", ""},
		"a fact of a year":                   {"fact", "The lease ends in 2027", ""},
		"a fact of a day that is past":       {"fact", "We opened on November 2, 2026", ""},
		"a rule":                             {"convention", "From December 1, 2026 on prices are gross", ""},
		"a decision from one day to another": {"decision", "We moved the releases from Friday to Tuesday", ""},
		"a plan that changes a rule":         {"plan", "We moved the releases from Friday to Tuesday", ""},
		"a decision by the end of a month":   {"decision", "The customer pays by the end of the month", "2026-11-30"},
		"a lesson by a day":                  {"lesson", "Send the price list to Ana by 3 December", "2026-12-03"},
		"a correction of a day":              {"correction", "The deadline is now December 18, not December 11", "2026-12-18"},
		"a fact of what comes next":          {"fact", "I continue on Monday", "2026-11-30"},
	} {
		if due := FindDueDay(test.kind, test.text, said); due != test.due {
			t.Errorf("%s: due %q, not %q", name, due, test.due)
		}
	}
}

func TestWhatIsPastIsDueOnlyWhereWorkIsLeft(t *testing.T) {
	for name, test := range map[string]struct {
		text, due string
		want      bool
	}{
		"an appointment to come":  {"I have a dentist appointment on Thursday at 10", "2026-11-30", true},
		"one that is past":        {"I have a dentist appointment on Thursday at 10", "2026-11-26", false},
		"a letter not sent":       {"Send the price list to Ana by Thursday", "2026-11-26", true},
		"a promise":               {"I'll call Jonas on Thursday", "2026-11-26", true},
		"a promise of long ago":   {"I'll call Jonas on Thursday", "2026-09-26", false},
		"a fair that took place":  {"The fair in Bonn is on November 26", "2026-11-26", false},
		"what has to be prepared": {"Wir müssen den Antrag am Donnerstag abgeben", "2026-11-26", true},
	} {
		if got := IsStillDue(test.text, test.due, "2026-11-30"); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is stored stays acknowledged when the look for what it makes untrue fails after it:
// here the caller gives up in the moment of the commit.
func TestANoteIsAcknowledgedThoughTheLookAfterItFails(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.Store.OnCommit(func([]store.Topic) { cancel() })
	out, err := b.deps.Remember(ctx, tools.Note{Text: "We deploy on Tuesdays"})
	if err != nil || !out.Unchecked || b.insightAt(out.ID).Content != "We deploy on Tuesdays" {
		t.Errorf("%+v, %v", out, err)
	}
}
