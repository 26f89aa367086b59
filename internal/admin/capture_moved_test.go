package admin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/capture/transcripts"
	"toolkit/internal/testenv"
	"toolkit/store/localfile"
)

// house is a home with repositories and folders in it.
type house struct {
	*testing.T
	home string
}

func (h house) in(path string) string { return filepath.Join(h.home, path) }

func (h house) write(path, text string) {
	h.Helper()
	testenv.Write(h, h.in(path), text)
}

func (h house) remote(repository, address string) {
	h.write(repository+"/.git/config", "[remote \"origin\"]\n\turl = "+address+"\n")
}

func (h house) remove(path string) {
	if err := os.RemoveAll(h.in(path)); err != nil {
		h.Fatal(err)
	}
}

func (h house) link(to, name string) {
	if err := os.Symlink(h.in(to), h.in(name)); err != nil {
		h.Skip(err)
	}
}

func (h house) off(s CaptureSwitches, folder string) bool {
	p, ok := transcripts.FindProject(h.in(folder), h.home)
	return ok && s.IsOff(transcripts.Codex, &p)
}

// switchedOff are the switches after a folder was switched off.
func (h house) switchedOff(folder string) CaptureSwitches {
	h.Helper()
	p, ok := transcripts.FindProject(h.in(folder), h.home)
	if !ok {
		h.Fatalf("%s is no project", folder)
	}
	return h.read(FoldersOfProjectKeys(p.Keys())...)
}

func (h house) read(off ...string) CaptureSwitches {
	h.Helper()
	s, err := ReadCaptureSwitches(func(name string) string {
		return map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": strings.Join(off, ",")}[name]
	})
	if err != nil {
		h.Fatal(err)
	}
	return s
}

func TestAProjectThatWasSwitchedOffStaysOff(t *testing.T) {
	for name, tc := range map[string]struct {
		folder string // that is switched off
		then   func(h house)
		worked string // where a session was at work
	}{
		"nothing changes":                       {"diary", nil, "diary"},
		"a folder in it":                        {"diary", nil, "diary/2026/may"},
		"it was named by a folder in it":        {"diary/2026", nil, "diary"},
		"through a link":                        {"diary", func(h house) { h.link("diary", "link") }, "link/2026"},
		"named through a link":                  {"linked", nil, "diary"},
		"named through a link that is gone":     {"linked", func(h house) { h.remove("linked") }, "diary"},
		"a remote is added":                     {"diary", func(h house) { h.remote("diary", "git@example.org:ann/d.git") }, "diary"},
		"its remote is changed":                 {"shop", func(h house) { h.remote("shop", "git@example.net:ann/s.git") }, "shop"},
		"another clone of its remote":           {"shop", func(h house) { h.remote("clone", "https://example.org/ann/shop") }, "clone/src"},
		"its folder is gone":                    {"shop", func(h house) { h.remove("shop") }, "shop/src"},
		"its folder is gone and was linked":     {"diary", func(h house) { h.link(".", "all"); h.remove("diary") }, "all/diary/gone/away"},
		"a folder in it is gone and was linked": {"diary", func(h house) { h.link("diary", "link") }, "link/gone/away"},
		"its worktree":                          {"shop", nil, "tree/src"},
		"its worktree that is gone":             {"shop", func(h house) { h.remove("tree") }, "tree/src"},
		"all is gone and it was the worktree":   {"shop", func(h house) { h.remove("tree"); h.remove("shop") }, "tree"},
		"named by its worktree":                 {"tree", func(h house) { h.remove("tree") }, "shop"},
		"a repository inside it":                {"shop", func(h house) { h.remote("shop/vendor/lib", "git@example.org:bob/lib.git") }, "shop/vendor/lib"},
		"a folder without a repository":         {"plain", nil, "plain/deep"},
		"which becomes a repository":            {"plain", func(h house) { h.remote("plain", "git@example.org:ann/p.git") }, "plain/deep"},
		"a folder that does not exist yet":      {"later", func(h house) { h.remote("later", "git@example.org:ann/l.git") }, "later"},
	} {
		t.Run(name, func(t *testing.T) {
			h := house{t, localfile.ResolveLinks(t.TempDir())}
			h.write("diary/.git/config", "[core]\n")
			h.write("diary/2026/may/1.txt", "")
			h.remote("shop", "git@example.org:ann/shop.git")
			h.write("shop/.git/worktrees/tree/commondir", "../..\n")
			h.write("shop/.git/worktrees/tree/gitdir", h.in("tree/.git")+"\n")
			h.write("tree/.git", "gitdir: "+h.in("shop/.git/worktrees/tree")+"\n")
			h.write("plain/a.txt", "")
			h.write("bakery/.git/config", "[core]\n")
			h.link("diary", "linked")
			s := h.switchedOff(tc.folder)
			if tc.then != nil {
				tc.then(h)
			}
			if !h.off(s, tc.worked) {
				t.Errorf("%s is captured although %v is off", tc.worked, s.Projects)
			}
			for _, other := range []string{"bakery", "diary2", "shopping/list", "plainer", "other"} {
				if h.off(s, other) {
					t.Errorf("%s is not captured although only %v is off", other, s.Projects)
				}
			}
		})
	}
}

// What was switched off before folders were kept, and what a person wrote.
func TestEntriesOfOldAndByHandHold(t *testing.T) {
	h := house{t, localfile.ResolveLinks(t.TempDir())}
	h.remote("diary", "git@example.org:ann/diary.git")
	h.write("real/a.txt", "")
	h.link("real", "link")
	for entry, worked := range map[string]string{
		"folder:" + h.in("diary/.git"): "diary/2026", "git:example.org/ann/diary": "diary", h.in("link"): "real/deep", h.in("diary") + "/": "diary/gone", "DIARY": "diary",
	} {
		if !h.off(h.read(entry), worked) {
			t.Errorf("%s is captured although %s is off", worked, entry)
		}
	}
	if got := FoldersOfProjectKeys([]string{"git:x/y", "folder:/srv/a/.git", "folder:/srv/a", "folder:/srv/bare.git"}); !slices.Equal(got, []string{"git:x/y", "/srv/a", "/srv/bare.git"}) {
		t.Errorf("%q", got)
	}
}
