package capture

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/store/sessions"
)

func TestFindMovedFolderNamesOnlyAFolderThatMayBeTheSame(t *testing.T) {
	for name, tc := range map[string]struct {
		said  []string // folders in which something was said
		stays []string // those of them that are there
		at    string   // the working folder
		old   bool     // what it holds is older than what was said
		git   bool     // it is a repository
		want  string
	}{
		"it was moved":                           {said: []string{"a/notes"}, at: "b/notes", want: "a/notes"},
		"it was renamed":                         {said: []string{"a/notes"}, at: "a/diary", old: true, want: "a/notes"},
		"it was moved under another name":        {said: []string{"a/notes"}, at: "b/diary", old: true},
		"a folder was made where another was":    {said: []string{"a/notes"}, at: "a/diary"},
		"the other folder is there":              {said: []string{"a/notes"}, stays: []string{"a/notes"}, at: "b/notes"},
		"two of the name are gone":               {said: []string{"a/notes", "c/notes"}, at: "b/notes"},
		"two were in the folder":                 {said: []string{"a/notes", "a/recipes"}, at: "a/diary", old: true},
		"one of the name before one beside it":   {said: []string{"c/diary", "a/notes"}, at: "a/diary", old: true, want: "c/diary"},
		"a few sessions since":                   {said: []string{"a/notes", "b/notes", "b/notes"}, at: "b/notes", want: "a/notes"},
		"many sessions since":                    {said: []string{"a/notes", "b/notes", "b/notes", "b/notes", "b/notes"}, at: "b/notes"},
		"a repository, which is known by itself": {said: []string{"a/shop"}, at: "b/shop", git: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.Home = localfile.ResolveLinks(b.Home)
			for i, folder := range tc.said {
				b.capture(b.put("s.jsonl", talk(i+1, folder+string(rune('a'+i)), filepath.Join(b.Home, folder), "user", "We use rye")))
			}
			if tc.git {
				b.config(tc.at, "")
			}
			for _, folder := range tc.stays {
				testenv.Write(b, filepath.Join(b.Home, folder, "x"), "x")
			}
			file := filepath.Join(b.Home, tc.at, "file")
			testenv.Write(b, file, "x")
			if tc.old {
				before := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
				if err := os.Chtimes(file, before, before); err != nil {
					t.Fatal(err)
				}
			}
			at, _ := transcripts.FindProject(filepath.Join(b.Home, tc.at), b.Home)
			found := storetest.ReadValue(b, b.Store, func(tx *store.Tx) (sessions.Project, error) { return FindMovedProject(tx, &at) })
			want := tc.want
			if want != "" {
				want = filepath.Join(b.Home, want)
			}
			if found.Root != want {
				t.Errorf("found %q instead of %q", found.Root, want)
			}
		})
	}
}
