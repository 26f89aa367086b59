package localfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func hardLink(t *testing.T, target, name string) string {
	t.Helper()
	if err := os.Link(target, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return name
}

func TestWhatIsPrivateIsRefusedByEveryName(t *testing.T) {
	data, home := t.TempDir(), t.TempDir()
	p := Private{Files: []string{filepath.Join(data, "toolkit.db"), filepath.Join(data, "toolkit.db-wal")}, Folders: []string{filepath.Join(data, "files"), filepath.Join(data, "nowhere")}, Except: "imports"}
	db := write(t, p.Files[0], "a database")
	deep := write(t, filepath.Join(data, "files", "a", "b", "deep.txt"), "stored")
	user := write(t, filepath.Join(data, "files", "imports", "mail.txt"), "a mail")
	beside := write(t, filepath.Join(data, "letter.txt"), "a letter")
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"the file":                          {db, ErrPrivate},
		"by dots":                           {filepath.Join(data, "files") + "/../toolkit.db", ErrPrivate},
		"by a symbolic link":                {link(t, db, filepath.Join(home, "soft")), ErrPrivate},
		"by a link to that":                 {link(t, filepath.Join(home, "soft"), filepath.Join(home, "softer")), ErrPrivate},
		"by a hard link":                    {hardLink(t, db, filepath.Join(home, "hard")), ErrPrivate},
		"by a linked folder":                {filepath.Join(link(t, data, filepath.Join(home, "folder")), "toolkit.db"), ErrPrivate},
		"deep in a folder":                  {deep, ErrPrivate},
		"the folder itself":                 {filepath.Join(data, "files"), ErrPrivate},
		"a hard link to what lies there":    {hardLink(t, deep, filepath.Join(home, "deep.txt")), ErrPrivate},
		"a part of the folder by a link":    {filepath.Join(link(t, filepath.Dir(deep), filepath.Join(home, "part")), "deep.txt"), ErrPrivate},
		"a file that could be made there":   {filepath.Join(data, "files", "new.txt"), ErrPrivate},
		"a log that could be made":          {filepath.Join(data, "toolkit.db-wal"), ErrPrivate},
		"a log in capitals":                 {filepath.Join(data, "TOOLKIT.DB-WAL"), ErrPrivate},
		"what is excepted, by the folder":   {user, ErrPrivate},
		"a hard link to what is excepted":   {hardLink(t, user, filepath.Join(home, "mail.txt")), nil},
		"a file beside":                     {beside, nil},
		"a new file beside":                 {filepath.Join(data, "new.txt"), nil},
		"a file of a similar name":          {write(t, filepath.Join(data, "toolkit.db.txt"), "x"), nil},
		"a file of the same name elsewhere": {write(t, filepath.Join(home, "toolkit.db"), "x"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if err := p.CheckNotPrivate(c.path); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, err := os.Stat(c.path); err != nil {
				return
			}
			if info, _ := os.Stat(c.path); info.IsDir() {
				return
			}
			f, err := p.Open(c.path)
			if err == nil {
				f.Close()
			}
			if !errors.Is(err, c.want) {
				t.Errorf("opened with %v, want %v", err, c.want)
			}
			expect(t, Roots{Folders: []string{data, home}, Private: p}, c.path, c.want)
		})
	}
}

// A file that was put in the place of another one after the look is not read, and
// not closed: that would take the locks on it.
func TestPrivateFileOpenedByRaceStaysOpen(t *testing.T) {
	data := t.TempDir()
	db := write(t, filepath.Join(data, "toolkit.db"), "a database")
	p := Private{Files: []string{db}}
	f, err := os.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := p.Snapshot().CheckOpenedNotPrivate(f); !errors.Is(err, ErrPrivate) {
		t.Errorf("admitted: %v", err)
	}
	if _, err := f.Stat(); err != nil {
		t.Errorf("it was closed: %v", err)
	}
	other, err := os.Open(write(t, filepath.Join(data, "letter.txt"), "a letter"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := p.Snapshot().CheckOpenedNotPrivate(other); err != nil {
		t.Errorf("a letter: %v", err)
	}
}
