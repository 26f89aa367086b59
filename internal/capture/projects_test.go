package capture

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
)

// config writes the configuration of a repository, with a remote unless it is empty.
func (b *bench) config(folder, remote string) {
	b.Helper()
	text := "[core]\n"
	if remote != "" {
		text += "[remote \"origin\"]\n\turl = " + remote + "\n"
	}
	git := filepath.Join(b.Home, folder, ".git")
	if err := errors.Join(os.MkdirAll(git, 0o700), os.WriteFile(filepath.Join(git, "config"), []byte(text), 0o600)); err != nil {
		b.Fatal(err)
	}
}

// says captures a session of its own in a folder.
func (b *bench) says(day int, folder, text string) {
	b.Helper()
	b.projects = nil // the folder may have changed since
	session := folder + text
	b.capture(b.put("s.jsonl", talk(day, session, filepath.Join(b.Home, folder), "user", text)))
}

// names are those of the projects that are none's part.
func (b *bench) names() (list []string) {
	b.Helper()
	all := storetest.ReadValue(b, b.Store, func(tx *store.Tx) ([]sessions.ProjectUse, error) { return sessions.In(tx).ListProjectUse() })
	for _, p := range all {
		if p.Joined == 0 {
			list = append(list, p.Name)
		}
	}
	return list
}

func TestAProjectStaysOneWhenItsRepositoryChanges(t *testing.T) {
	for name, change := range map[string]func(b *bench){
		"a remote is added":           func(b *bench) { b.config("shop", "git@example.org:ann/till.git") },
		"a folder becomes repository": func(b *bench) { b.config("plain", "") },
		"a repository with a remote":  func(b *bench) { b.config("plain", "git@example.org:ann/till.git") },
		"the remote is changed":       func(b *bench) { b.config("cloned", "git@example.net:ann/till.git") },
		"the remote is taken away":    func(b *bench) { b.config("cloned", "") },
		"the repository is gone":      func(b *bench) { b.config("shop", ""); _ = os.RemoveAll(filepath.Join(b.Home, "shop")) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, folder := range []string{"shop", "plain", "cloned"} {
				b := newBench(t)
				b.config("shop", "")
				b.config("cloned", "git@example.org:ann/cloned.git")
				b.says(1, folder, "We decided to use SQLite for the billing.")
				change(b)
				b.says(2, folder, "We decided to use SQLite for the billing!")
				if diff := cmp.Diff([]string{folder}, b.names()); diff != "" {
					t.Errorf("%s: %s", folder, diff)
				}
				if diff := cmp.Diff([]string{"We decided to use SQLite for the billing"}, b.insights()); diff != "" {
					t.Errorf("%s: %s", folder, diff)
				}
			}
		})
	}
}

func TestTwoClonesOfOneRemoteAreOneProject(t *testing.T) {
	b := newBench(t)
	b.config("one", "git@example.org:ann/shop.git")
	b.config("two", "https://example.org/ann/shop")
	b.says(1, "one", "We decided to use SQLite for the billing.")
	b.says(2, "two", "We decided to use SQLite for the billing!")
	if diff := cmp.Diff([]string{"shop"}, b.names()); diff != "" || len(b.insights()) != 1 {
		t.Errorf("%s, %q", diff, b.insights())
	}
}

// Whatever is met first, what belongs together is one in the end, and nothing else.
func TestProjectsAreJoinedInAnyOrder(t *testing.T) {
	b := newBench(t)
	met := []struct {
		belongs string
		sessions.Project
		others []string
	}{
		{"shop", sessions.Project{Key: "folder:/a"}, nil},
		{"shop", sessions.Project{Key: "folder:/a/.git"}, []string{"folder:/a"}},
		{"shop", sessions.Project{Key: "git:x/shop", Remote: "x/shop"}, []string{"folder:/a/.git", "folder:/a"}},
		{"shop", sessions.Project{Key: "git:x/shop", Remote: "x/shop"}, []string{"folder:/b/.git", "folder:/b"}},
		{"shop", sessions.Project{Key: "git:y/shop", Remote: "y/shop"}, []string{"folder:/b/.git", "folder:/b"}},
		{"shop", sessions.Project{Key: "git:y/shop", Remote: "y/shop"}, []string{"folder:/c/.git", "folder:/c", "folder:/c-worktree"}},
		{"shop", sessions.Project{Key: "folder:/c-worktree"}, nil},
		{"blog", sessions.Project{Key: "git:x/blog", Remote: "x/blog"}, []string{"folder:/d/.git", "folder:/d"}},
		{"blog", sessions.Project{Key: "folder:/d"}, nil},
		{"notes", sessions.Project{Key: "folder:/notes"}, nil},
	}
	undo := errors.New("back to nothing")
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		random.Shuffle(len(met), func(i, j int) { met[i], met[j] = met[j], met[i] })
		err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
			rows, ids := sessions.In(tx), make([]int64, len(met))
			for i, m := range met {
				id, err := rows.EnsureProject(m.Project, m.others...)
				if err != nil {
					return err
				}
				ids[i] = id
			}
			tops := map[string]int64{}
			for i, m := range met {
				byID, err := rows.TopProject(ids[i])
				byKey, fault := rows.ProjectByKey(append([]string{m.Key}, m.others...)...)
				if err != nil || fault != nil || byID.ID == 0 || byID != byKey {
					t.Fatalf("%+v, %+v, %v, %v", byID, byKey, err, fault)
				}
				if top, known := tops[m.belongs]; known && top != byID.ID {
					t.Fatalf("%s is %d and %d: %+v", m.belongs, top, byID.ID, met)
				}
				tops[m.belongs] = byID.ID
			}
			if tops["shop"] == tops["blog"] || tops["blog"] == tops["notes"] || tops["shop"] == tops["notes"] {
				t.Fatalf("%v: %+v", tops, met)
			}
			return undo
		})
		if !errors.Is(err, undo) {
			t.Fatal(err)
		}
	}
}

func TestFactsOfPeopleHoldEverywhereAndThoseOfTheWorkInTheirProject(t *testing.T) {
	for name, tc := range map[string]struct {
		first, second string
		want          []string
	}{
		"a person":   {"Remember: my sister Anna lives in Bern.", "Remember: my sister Anna lives in Bern.", []string{"my sister Anna lives in Bern"}},
		"the work":   {"Remember: the server is called kiwi.", "Remember: the server is called kiwi.", []string{"the server is called kiwi", "the server is called kiwi"}},
		"a decision": {"We decided to use SQLite for the billing.", "We decided to use SQLite for the billing.", []string{"We decided to use SQLite for the billing", "We decided to use SQLite for the billing"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.says(1, "shop", tc.first)
			b.says(2, "bakery", tc.second)
			if diff := cmp.Diff(tc.want, b.insights()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// in is a line of Claude Code in a folder.
func (b *bench) in(folder string, second int, speaker, text string) string {
	line := saidAt(time.Duration(second)*time.Second, fmt.Sprint(second), speaker, text)
	return strings.Replace(line, `"/srv/shop"`, strconv.Quote(filepath.Join(b.Home, folder)), 1)
}

func TestTurnBelongsToTheProjectInWhichItWasSaid(t *testing.T) {
	type said struct{ folder, speaker, text string }
	shop, blog := said{"shop", "user", "We decided to use SQLite for the billing."}, said{"blog", "user", "The blog is deployed to Netlify, its staging address is blog.example.org."}
	home := said{"", "user", "What is for dinner tonight?"}
	for name, tc := range map[string]struct {
		turns []said
		want  map[string][]string // by project
	}{
		"one repository":              {[]said{shop, {"shop", "assistant", "Done."}}, map[string][]string{"shop": {shop.text, "Done."}}},
		"it moves":                    {[]said{shop, blog, {"blog", "assistant", "Done."}}, map[string][]string{"shop": {shop.text}, "blog": {blog.text, "Done."}}},
		"it moves and comes back":     {[]said{shop, blog, {"shop", "assistant", "Done."}}, map[string][]string{"shop": {shop.text, "Done."}, "blog": {blog.text}}},
		"it begins in no project":     {[]said{home, blog}, map[string][]string{"": {home.text}, "blog": {blog.text}}},
		"it goes to where no project": {[]said{shop, home}, map[string][]string{"": {home.text}, "shop": {shop.text}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, way := range []string{"read", "heard", "heard and read"} {
				b := newBench(t)
				b.config("shop", "")
				b.config("blog", "")
				var content string
				for i, s := range tc.turns {
					content += b.in(s.folder, i, s.speaker, s.text)
					if way == "read" {
						continue
					}
					err := b.StoreHookTurn(t.Context(), HookTurn{Client: transcripts.ClaudeCode, Session: "s", Folder: filepath.Join(b.Home, s.folder), Speaker: s.speaker, Text: s.text, At: ten.Add(time.Duration(i) * time.Second)})
					if err != nil {
						t.Fatal(err)
					}
				}
				if way != "heard" {
					b.capture(b.put("s.jsonl", content))
				}
				if diff := cmp.Diff(tc.want, b.byProject()); diff != "" {
					t.Errorf("%s: %s", way, diff)
				}
			}
		})
	}
}

// byProject is what was said in each project, as every way to ask for it tells.
func (b *bench) byProject() map[string][]string {
	b.Helper()
	texts := map[string][]string{}
	storetest.Read(b, b.Store, func(tx *store.Tx) error {
		rows := sessions.In(tx)
		list, err := memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Oldest: true, Limit: 100})
		if err != nil {
			return err
		}
		uses, err := rows.ListProjectUse()
		if err != nil {
			return err
		}
		names := map[int64]string{}
		for _, p := range uses {
			names[p.ID] = p.Name
		}
		var ids []int64
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		of, err := rows.ProjectsOfTurns(ids)
		if err != nil {
			return err
		}
		for _, d := range list {
			texts[names[of[d.ID]]] = append(texts[names[of[d.ID]]], d.Content)
		}
		for id, name := range names {
			spoken, _, err := rows.FindSessionSpans(sessions.TurnFilter{Project: id}, ten.Add(-time.Hour), ten.Add(time.Hour))
			if err != nil {
				return err
			}
			last, err := rows.LastTurnTime(sessions.TurnFilter{Project: id}, ten.Add(time.Hour))
			if err != nil || last.IsZero() {
				b.Errorf("%s was never spoken of, %v", name, err)
			}
			if len(spoken) != 1 || spoken[0].Turns != len(texts[name]) {
				b.Errorf("of %s: %+v, not %d turns", name, spoken, len(texts[name]))
			}
			learned, err := rows.ListInsightsOfProject(id, "", notice.Style, 10)
			if err != nil || len(learned) != 1 {
				b.Errorf("%s learned %+v, %v", name, learned, err)
			}
		}
		for _, p := range uses {
			if p.Turns != len(texts[p.Name]) {
				b.Errorf("%s has %d turns, not %d", p.Name, p.Turns, len(texts[p.Name]))
			}
		}
		return nil
	})
	return texts
}

func TestSearchInAProjectFindsWhatWasSaidThere(t *testing.T) {
	b := newBench(t)
	b.config("shop", "")
	b.config("blog", "")
	b.capture(b.put("s.jsonl", b.in("shop", 0, "user", "Which library tests the till?")+b.in("blog", 1, "user", "Which library tests the pages?")))
	for name, want := range map[string]string{"shop": "Which library tests the till?", "blog": "Which library tests the pages?"} {
		id := storetest.ReadValue(t, b.Store, func(tx *store.Tx) (int64, error) {
			list, err := sessions.In(tx).FindProjects(name)
			if err != nil || len(list) != 1 {
				return 0, fmt.Errorf("%v, %w", list, err)
			}
			return list[0].ID, nil
		})
		found, err := b.search.Search(t.Context(), memory.Query{Text: "library tests", TopK: 5, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceDialogue}, Filter: memoryrows.Filter{Project: id}})
		if err != nil || len(found.Hits) != 1 || found.Hits[0].Row.Content != want {
			t.Errorf("%s: %+v, %v", name, found.Hits, err)
		}
	}
}
