package localfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

func write(t *testing.T, path, content string) string {
	t.Helper()
	testenv.Write(t, path, content)
	return path
}

func link(t *testing.T, target, name string) string {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return name
}

func expect(t *testing.T, r Roots, name string, want error) {
	t.Helper()
	f, err := r.Open(name)
	if err == nil {
		f.Close()
	}
	if !errors.Is(err, want) {
		t.Errorf("opening %q: %v, want %v", name, err, want)
	}
}

func TestFilesAreOpenedInsideTheFoldersOnly(t *testing.T) {
	home, working, outside := t.TempDir(), t.TempDir(), t.TempDir()
	r := Roots{Folders: []string{home, working, filepath.Join(home, "gone")}, Working: working, Home: home}
	in := write(t, filepath.Join(home, "a", "in.txt"), "in")
	write(t, filepath.Join(working, "here.txt"), "here")
	out := write(t, filepath.Join(outside, "out.txt"), "out")
	secret := write(t, filepath.Join(home, ".ssh", "id"), "secret")
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"a whole path":                {in, nil},
		"a relative one":              {"here.txt", nil},
		"one from the home":           {"~/a/in.txt", nil},
		"dots that stay inside":       {filepath.Join(home, "a") + "/../a/in.txt", nil},
		"dots that leave":             {filepath.Join(home, "a") + "/../../" + filepath.Base(outside) + "/out.txt", ErrOutside},
		"outside":                     {out, ErrOutside},
		"outside and missing":         {out + "x", ErrOutside},
		"a tilde of somebody else":    {"~root/x", ErrNotFound},
		"missing":                     {filepath.Join(home, "none"), ErrNotFound},
		"below a file":                {filepath.Join(in, "x"), ErrNotFound},
		"a folder":                    {home, ErrNotRegular},
		"a folder inside":             {filepath.Join(home, "a"), ErrNotRegular},
		"hidden":                      {secret, ErrOutside},
		"a folder of a similar name":  {home + "x", ErrOutside},
		"a link inside":               {link(t, in, filepath.Join(home, "link")), nil},
		"a link to the other folder":  {link(t, filepath.Join(working, "here.txt"), filepath.Join(home, "cross")), nil},
		"a link that leads out":       {link(t, out, filepath.Join(home, "leak")), ErrOutside},
		"a folder link that does":     {link(t, outside, filepath.Join(home, "dir")) + "/out.txt", ErrOutside},
		"a link to something hidden":  {link(t, secret, filepath.Join(home, "key")), ErrOutside},
		"a link to nothing":           {link(t, filepath.Join(home, "nothing"), filepath.Join(home, "dangling")), ErrNotFound},
		"a link to itself":            {link(t, filepath.Join(home, "loop"), filepath.Join(home, "loop")), ErrNotFound},
		"a link from outside, inward": {link(t, in, filepath.Join(outside, "inward")), nil},
	} {
		t.Run(name, func(t *testing.T) { expect(t, r, c.path, c.want) })
	}
	expect(t, Roots{Folders: []string{filepath.Join(home, ".ssh")}}, secret, nil)
	expect(t, Roots{}, in, ErrOutside)
	f, err := r.Open("~/a/in.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if content, err := io.ReadAll(f); string(content) != "in" || err != nil || f.Name != "in.txt" || f.Size() != 2 {
		t.Errorf("%q %v %q %d", content, err, f.Name, f.Size())
	}
}

// What is checked first may be another thing when it is opened.
func TestLinkAddedAfterCheckCannotEscapeFolder(t *testing.T) {
	home, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "out.txt"), "out")
	link(t, outside, filepath.Join(home, "dir"))
	if f, err := openIn(home, filepath.Join("dir", "out.txt"), Private{}.Snapshot()); !errors.Is(err, ErrOutside) {
		t.Errorf("opened %v, %v", f, err)
	}
	link(t, filepath.Join(outside, "out.txt"), filepath.Join(home, "file"))
	if f, err := openIn(home, "file", Private{}.Snapshot()); !errors.Is(err, ErrNotRegular) {
		t.Errorf("opened %v, %v", f, err)
	}
}

func TestAFileThatChangesIsNoticed(t *testing.T) {
	home := t.TempDir()
	r := Roots{Folders: []string{home}}
	for name, change := range map[string]func(path string) error{
		"grown":     func(path string) error { return os.WriteFile(path, []byte("longer than before"), 0o600) },
		"shrunk":    func(path string) error { return os.Truncate(path, 1) },
		"rewritten": func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute)) },
	} {
		path := write(t, filepath.Join(home, name), "before")
		f, err := r.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.CheckUnchanged(6); err != nil {
			t.Errorf("%s: %v before it changed", name, err)
		}
		if err := f.CheckUnchanged(5); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v after reading less", name, err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		if err := f.CheckUnchanged(6); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
