package transcripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store/localfile"
)

func put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(folder, name)
		testenv.Write(t, path, content)
	}
}

func TestAFolderBelongsToTheProjectOfItsRepository(t *testing.T) {
	home := localfile.ResolveLinks(t.TempDir())
	in := func(name string) string { return filepath.Join(home, name) }
	put(t, home, map[string]string{
		".git/config":                       "[remote \"origin\"]\n\turl = https://x.org/me/dotfiles\n",
		"shop/.git/config":                  "[core]\n[remote \"up\"]\n\turl = https://x.org/other/shop\n[remote \"origin\"]\n\turl = git@X.org:me/shop.git\n",
		"shop/.git/worktrees/wt/commondir":  "../..\n",
		"wt/.git":                           "gitdir: " + in("shop/.git/worktrees/wt") + "\n",
		"wt/inner/a":                        "",
		"clone/.git/config":                 "[remote \"origin\"]\n url = https://user:secret@x.org/me/shop\n",
		"alone/.git/HEAD":                   "",
		"alone/.git/worktrees/aw/commondir": "../..\n",
		"aw/.git":                           "gitdir: ../alone/.git/worktrees/aw\n",
		"super/.git/modules/sub/config":     "[remote \"origin\"]\n\turl = https://x.org/me/sub.git\n",
		"super/sub/.git":                    "gitdir: ../.git/modules/sub\n",
		"plain/a":                           "",
		"other/plain/a":                     "",
		"broken/.git":                       "nonsense",
	})
	tests := map[string]struct{ folder, key, name string }{
		"a repository is known by its remote":           {in("shop"), "git:x.org/me/shop", "shop"},
		"a folder in it":                                {in("shop/cmd/deep"), "git:x.org/me/shop", "shop"},
		"a worktree":                                    {in("wt"), "git:x.org/me/shop", "shop"},
		"a folder in a worktree":                        {in("wt/inner"), "git:x.org/me/shop", "shop"},
		"another clone, whose address holds a password": {in("clone"), "git:x.org/me/shop", "shop"},
		"a repository without a remote":                 {in("alone"), "folder:" + in("alone/.git"), "alone"},
		"its worktree":                                  {in("aw"), "folder:" + in("alone/.git"), "alone"},
		"a submodule is one of its own":                 {in("super/sub"), "git:x.org/me/sub", "sub"},
		"a folder, although home is a repository":       {in("plain"), "folder:" + in("plain"), "plain"},
		"another folder of that name":                   {in("other/plain"), "folder:" + in("other/plain"), "plain"},
		"a folder that is gone":                         {in("gone/away"), "folder:" + in("gone/away"), "away"},
		"a repository that cannot be read":              {in("broken"), "folder:" + in("broken/.git"), "broken"},
		"home is none":                                  {home, "", ""},
		"the root is none":                              {string(filepath.Separator), "", ""},
		"a relative path is none":                       {"shop", "", ""},
		"nothing is none":                               {"", "", ""},
	}
	for name, tc := range tests {
		p, ok := FindProject(tc.folder, home)
		if p.Key != tc.key || p.Name != tc.name || ok != (tc.key != "") {
			t.Errorf("%s: %+v, %v", name, p, ok)
		}
	}
}

func TestARepositoryOfAnotherNameIsKnownByHowItBegan(t *testing.T) {
	home := localfile.ResolveLinks(t.TempDir())
	in := func(name string) string { return filepath.Join(home, name) }
	began := strings.Repeat("0", 40) + " 6b1f Lena <l@x.org> 1764000000 +0100\tcommit (initial): begin\n"
	put(t, home, map[string]string{
		"old/.git/logs/HEAD": began + "6b1f 7c2e more\n", "old/.git/description": "",
		"twin/.git/logs/HEAD": began, "twin/.git/description": "", // made by the same script in the same second
		"broken/.git/logs/HEAD": "broken\n", "broken/.git/description": "", "bare/.git/logs/HEAD": began,
	})
	if err := os.Chtimes(in("twin/.git/description"), time.Unix(1764000000, 7), time.Unix(1764000000, 7)); err != nil {
		t.Fatal(err)
	}
	known := func(name string) (key string) {
		p, _ := FindProject(in(name), home)
		for _, k := range p.Keys() {
			if strings.HasPrefix(k, ByHistory) {
				key = k
			}
		}
		return key
	}
	old := known("old")
	if err := os.Rename(in("old"), in("new")); err != nil {
		t.Fatal(err)
	}
	if old == "" || known("new") != old {
		t.Errorf("%q became %q under another name", old, known("new"))
	}
	if known("twin") == old || known("broken") != "" || known("bare") != "" {
		t.Errorf("others: %q, %q, %q", known("twin"), known("broken"), known("bare"))
	}
}

func TestAddressesOfOneRepositoryAreOne(t *testing.T) {
	for address, want := range map[string]string{
		"git@github.com:Owner/name.git": "github.com/Owner/name", "https://GitHub.com/Owner/name": "github.com/Owner/name", "ssh://git@github.com:22/Owner/name.git/": "github.com/Owner/name",
		"https://token:x@github.com/Owner/name.git": "github.com/Owner/name", "git://host/deep/er/name": "host/deep/er/name", "host:name": "host/name",
		"/srv/git/name.git": "", "../name": "", "file:///srv/name": "", `C:\repos\name`: "", "": "", "https://": "", "https://host": "", "word": "",
	} {
		if got := NormalizeRepositoryAddress(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
