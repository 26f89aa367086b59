package localfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheUsualFoldersAreNeverTheWholeHome(t *testing.T) {
	outer := t.TempDir()
	home, project, other := filepath.Join(outer, "anna"), filepath.Join(outer, "anna", "project"), filepath.Join(outer, "other")
	for _, folder := range []string{project, other} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	alias := link(t, home, filepath.Join(outer, "alias"))
	in := func(names ...string) []string {
		for i, n := range names {
			names[i] = filepath.Join(home, n)
		}
		return names
	}
	own := in("Documents", "Downloads", "Desktop")
	root := filepath.VolumeName(outer) + string(filepath.Separator)
	for name, c := range map[string]struct {
		home, working, userDirs, oneDrive string
		want                              []string
	}{
		"a project in the home":                {home, project, "", "", append([]string{project}, own...)},
		"a folder elsewhere":                   {home, other, "", "", append([]string{other}, own...)},
		"the home itself":                      {home, home, "", "", own},
		"the home with a slash":                {home, home + string(filepath.Separator), "", "", own},
		"the home by a link":                   {home, alias, "", "", own},
		"a home that is a link":                {alias, home, "", "", []string{filepath.Join(alias, "Documents"), filepath.Join(alias, "Downloads"), filepath.Join(alias, "Desktop")}},
		"the folder of all homes":              {home, outer, "", "", own},
		"the root":                             {home, root, "", "", own},
		"the root of a service without a home": {"", root, "", "", nil},
		"a working folder that is not known":   {home, "", "", "", own},
		"a service without a home":             {"", other, "", "", []string{other}},
		"folders with other names":             {home, home, "# comment\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\nXDG_DOWNLOAD_DIR=\"/" + filepath.ToSlash(filepath.Base(other)) + "\"\n", "", []string{filepath.Join(home, "Documents"), string(filepath.Separator) + filepath.Base(other), filepath.Join(home, "Schreibtisch")}},
		"folders that are switched off":        {home, home, "XDG_DOCUMENTS_DIR=\"$HOME/\"\nXDG_DOWNLOAD_DIR=\"$HOME\"\nXDG_DESKTOP_DIR=\"/\"\n", "", nil},
		"a relative folder":                    {home, home, `XDG_DOCUMENTS_DIR="papers"`, "", in("Downloads", "Desktop")},
		"folders that OneDrive took":           {home, home, "", filepath.Join(home, "OneDrive"), in("Documents", "OneDrive/Documents", "Downloads", "OneDrive/Downloads", "Desktop", "OneDrive/Desktop")},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, DefaultFolders(c.home, c.working, c.userDirs, c.oneDrive)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if slices.Contains(DefaultFolders(home, home, "", ""), home) {
		t.Error("the home is a usual folder")
	}
}
