package capture

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/store"
	"toolkit/store/captures"
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
	all, err := store.ReadValue(b.Context(), b.Store, func(tx *store.Tx) ([]captures.ProjectUse, error) { return captures.In(tx).Projects() })
	if err != nil {
		b.Fatal(err)
	}
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
				b.says(1, folder, "We decided to use vitest for the tests.")
				change(b)
				b.says(2, folder, "We decided to use jest for the tests.")
				if diff := cmp.Diff([]string{folder}, b.names()); diff != "" {
					t.Errorf("%s: %s", folder, diff)
				}
				if diff := cmp.Diff([]string{"decision: We decided to use jest for the tests"}, b.insights()); diff != "" {
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
	b.says(1, "one", "We decided to use vitest for the tests.")
	b.says(2, "two", "We decided to use jest for the tests.")
	if diff := cmp.Diff([]string{"shop"}, b.names()); diff != "" || len(b.insights()) != 1 {
		t.Errorf("%s, %q", diff, b.insights())
	}
}

// Whatever is met first, what belongs together is one in the end, and nothing else.
func TestTheOrderInWhichProjectsAreMetDoesNotMatter(t *testing.T) {
	b := newBench(t)
	met := []struct {
		belongs string
		captures.Project
		others []string
	}{
		{"shop", captures.Project{Key: "folder:/a"}, nil},
		{"shop", captures.Project{Key: "folder:/a/.git"}, []string{"folder:/a"}},
		{"shop", captures.Project{Key: "git:x/shop", Remote: "x/shop"}, []string{"folder:/a/.git", "folder:/a"}},
		{"shop", captures.Project{Key: "git:x/shop", Remote: "x/shop"}, []string{"folder:/b/.git", "folder:/b"}},
		{"shop", captures.Project{Key: "git:y/shop", Remote: "y/shop"}, []string{"folder:/b/.git", "folder:/b"}},
		{"shop", captures.Project{Key: "git:y/shop", Remote: "y/shop"}, []string{"folder:/c/.git", "folder:/c", "folder:/c-worktree"}},
		{"shop", captures.Project{Key: "folder:/c-worktree"}, nil},
		{"blog", captures.Project{Key: "git:x/blog", Remote: "x/blog"}, []string{"folder:/d/.git", "folder:/d"}},
		{"blog", captures.Project{Key: "folder:/d"}, nil},
		{"notes", captures.Project{Key: "folder:/notes"}, nil},
	}
	undo := errors.New("back to nothing")
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		random.Shuffle(len(met), func(i, j int) { met[i], met[j] = met[j], met[i] })
		err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
			rows, ids := captures.In(tx), make([]int64, len(met))
			for i, m := range met {
				id, err := rows.Project(m.Project, m.others...)
				if err != nil {
					return err
				}
				ids[i] = id
			}
			tops := map[string]int64{}
			for i, m := range met {
				byID, err := rows.Top(ids[i])
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
		"a person":             {"Remember: my sister Anna lives in Bern.", "Remember: my sister Anna lives in Genf.", []string{"fact: my sister Anna lives in Genf"}},
		"a person, in German":  {"Merke dir: mein Geburtstag ist im Mai.", "Merke dir: mein Geburtstag ist im Juni.", []string{"fact: mein Geburtstag ist im Juni"}},
		"the work":             {"Remember: the server is called kiwi.", "Remember: the server is called mango.", []string{"fact: the server is called kiwi", "fact: the server is called mango"}},
		"a decision":           {"We decided to use vitest for the tests.", "We decided to use jest for the tests.", []string{"decision: We decided to use vitest for the tests", "decision: We decided to use jest for the tests"}},
		"a lasting order":      {"Always use tabs for indentation.", "Never use tabs for indentation.", []string{"preference: Always use tabs for indentation", "preference: Never use tabs for indentation"}},
		"the same two folders": {"Remember: my name is Ann.", "Remember: my name is Ann.", []string{"fact: my name is Ann"}},
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
