package capture

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/sessions"
)

// privateTalk is a session whose user tells something private, and what is stored of it.
type privateTalk struct{ folder, prompt, answer, stored, answered string }

// Two projects, whose folders have the names that something private tells.
var privateTalks = map[string][2]privateTalk{
	"everyday words": {
		{"backend", "<private>my boss Ulla wants to rewrite the backend alone</private> the api talks json only, no xml", "The backend talks JSON.",
			"[redacted: private] the api talks json only, no xml", "The backend talks JSON."},
		{"website", "<private>I earn 4.000 a month with the website</private> the header stays green", "The website stays green.",
			"[redacted: private] the header stays green", "The website stays green."},
	},
	"names in capitals": {
		{"BLUEHERON", "<private>the codename is BLUEHERON</private> make it", "Made BLUEHERON.", "[redacted: private] make it", "Made [redacted: repeated]."},
		{"REDKESTREL", "<private>the codename is REDKESTREL</private> make it too", "Made REDKESTREL.", "[redacted: private] make it too", "Made [redacted: repeated]."},
	},
	"passwords": {
		{"apfelbaumzwerg", "password: apfelbaumzwerg", "Set apfelbaumzwerg.", "password: [redacted: password]", "Set [redacted: repeated]."},
		{"birnenbaumzwerg", "the password: birnenbaumzwerg", "Set birnenbaumzwerg.", "the password: [redacted: password]", "Set [redacted: repeated]."},
	},
}

// tellTalk takes a session in, in one of the ways in which capture hears of it.
func (b *bench) tellTalk(way string, talk privateTalk) {
	b.Helper()
	folder, content := filepath.Join(b.Home, talk.folder), ""
	for i, text := range []string{talk.prompt, talk.answer} {
		speaker, after := []string{transcripts.User, transcripts.Assistant}[i], time.Duration(i)*time.Second
		line := strings.Replace(said(talk.folder+speaker, talk.folder, speaker, text), "2026-03-01T10:00:00Z", clock(after), 1)
		content += strings.Replace(line, `"cwd":"/srv/shop"`, `"gitBranch":"fix/`+talk.folder+`","cwd":"`+filepath.ToSlash(folder)+`"`, 1)
		if way == "read" {
			continue
		}
		h := HookTurn{Client: transcripts.ClaudeCode, Session: talk.folder, Folder: folder, Speaker: speaker, Text: text, At: ten.Add(after)}
		var err error
		if way == "waited" {
			h, _, err = b.RedactForSpool(b.Context(), h)
		}
		if err == nil {
			err = b.StoreHookTurn(b.Context(), h)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if way == "read" || way == "heard and read" {
		b.capture(b.put(talk.folder+".jsonl", content))
	}
}

// textsByRoot is what is stored, by the folder of the project that it belongs to.
func (b *bench) textsByRoot() map[string][]string {
	b.Helper()
	rows, texts := b.rows(), map[string][]string{}
	storetest.Read(b, b.Store, func(tx *store.Tx) error {
		for _, d := range rows {
			of, err := sessions.In(tx).ProjectsOfTurns([]int64{d.ID})
			if err != nil {
				return err
			}
			p, err := sessions.In(tx).TopProject(of[d.ID])
			if err != nil {
				return err
			}
			texts[filepath.Base(p.Root)] = append(texts[filepath.Base(p.Root)], d.Content)
		}
		return nil
	})
	return texts
}

func TestPrivateWordsAndSecretsLeaveTheProjectOfTheirFolder(t *testing.T) {
	for name, talks := range privateTalks {
		for _, remote := range []string{"no repository", "", "git@example.org:ann/"} {
			for _, way := range []string{"read", "heard", "heard and read", "waited"} {
				b := newBench(t)
				want := map[string][]string{}
				for _, talk := range talks {
					switch remote {
					case "no repository":
					case "":
						b.config(talk.folder, "")
					default:
						b.config(talk.folder, remote+talk.folder+".git")
					}
					b.tellTalk(way, talk)
					want[talk.folder] = []string{talk.stored, talk.answered}
				}
				if diff := cmp.Diff(want, b.textsByRoot()); diff != "" {
					t.Errorf("%s, %q, %s: %s", name, remote, way, diff)
				}
				if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(slices.Values(b.names()))); diff != "" {
					t.Errorf("%s, %q, %s: projects: %s", name, remote, way, diff)
				}
			}
		}
	}
}

func TestPrivateWordsAndSecretsStayInTheBranch(t *testing.T) {
	for name, talks := range privateTalks {
		b := newBench(t)
		b.tellTalk("read", talks[0])
		for _, d := range b.rows() {
			var known facts
			if err := json.Unmarshal(d.Metadata, &known); err != nil || known.Branch != "fix/"+talks[0].folder || known.Project != talks[0].folder {
				t.Errorf("%s: %+v, %v", name, known, err)
			}
		}
	}
}

// Earlier, both were joined to a project of a redacted name.
func TestSeparatedProjectsAreNotJoinedAgainByPrivateWords(t *testing.T) {
	b := newBench(t)
	talks := privateTalks["names in capitals"]
	root := filepath.Join(b.Home, "[redacted: repeated]")
	storetest.Write(t, b.Store, func(tx *store.Tx) error {
		rows := sessions.In(tx)
		redacted, err := rows.EnsureProject(sessions.Project{Key: transcripts.InFolder + root, Name: filepath.Base(root), Root: root})
		if err != nil {
			return err
		}
		for _, talk := range talks {
			p, _ := transcripts.FindProject(filepath.Join(b.Home, talk.folder), b.Home)
			id, err := rows.EnsureProject(sessions.Project{Key: p.Key, Name: p.Name, Root: p.Root})
			if err != nil {
				return err
			}
			if err := rows.JoinProject(id, redacted); err != nil {
				return err
			}
			if err := rows.JoinProject(id, 0); err != nil { // toolkit projects separate
				return err
			}
		}
		return nil
	})
	want := map[string][]string{}
	for _, talk := range talks {
		b.tellTalk("heard and read", talk)
		want[talk.folder] = []string{talk.stored, talk.answered}
	}
	if diff := cmp.Diff(want, b.textsByRoot()); diff != "" {
		t.Error(diff)
	}
}
