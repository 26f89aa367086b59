package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
)

// attack tries to have the server open its own database, its log or its index.
type attack func(t *testing.T, c *client, db string)

// A process loses its locks on a file when it closes any descriptor of it. What
// leads to the database by whatever name must not be opened: the next process to
// end would remove the log that holds what was acknowledged.
func TestNoPathToTheDatabaseCostsAcknowledgedWrites(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]attack{
		"uploaded by its path":        uploads(func(_ *testing.T, real, _ string) string { return real }),
		"uploaded by a relative path": uploads(func(_ *testing.T, real, _ string) string { return "./x/../" + filepath.Base(real) }),
		"uploaded by a symbolic link": uploads(func(t *testing.T, real, name string) string { return linked(t, os.Symlink, real, name) }),
		"uploaded by a hard link":     uploads(func(t *testing.T, real, name string) string { return linked(t, os.Link, real, name) }),
		"uploaded by a linked folder": uploads(func(t *testing.T, real, name string) string {
			return filepath.Join(linked(t, os.Symlink, filepath.Dir(real), name), filepath.Base(real))
		}),
		"in the archive of a provider": func(t *testing.T, c *client, db string) {
			folder := filepath.Join(filepath.Dir(db), "imports", "google_calendar")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			for i, ending := range []string{"", "-wal", "-shm"} {
				linked(t, os.Link, db+ending, filepath.Join(folder, fmt.Sprintf("export%d.zip", i)))
				linked(t, os.Link, db+ending, filepath.Join(folder, fmt.Sprintf("export%d.ics", i)))
			}
			c.tries("sync_provider_imports", map[string]any{"provider": "google_calendar"})
		},
		"in the place of a stored file": func(t *testing.T, c *client, db string) {
			for i, ending := range []string{"", "-wal", "-shm"} {
				url := c.uploadNote(filepath.Join(filepath.Dir(db), fmt.Sprintf("note%d.txt", i)))
				hash := url[strings.LastIndex(url, "/")+1:]
				place := filepath.Join(filepath.Dir(db), "files", "sha256", hash[:2], hash)
				if err := os.Remove(place); err != nil {
					t.Fatal(err)
				}
				linked(t, os.Link, db+ending, place)
				c.tries("get_file_url", map[string]any{"file_path": url})
			}
		},
		"in the place of a note about stored files": func(t *testing.T, c *client, db string) {
			owners := filepath.Join(filepath.Dir(db), "files", "databases")
			if err := os.MkdirAll(owners, 0o700); err != nil {
				t.Fatal(err)
			}
			linked(t, os.Link, db+"-shm", filepath.Join(owners, filepath.Base(db)))
			c.uploadNote(filepath.Join(filepath.Dir(db), "note.txt"))
		},
	} {
		t.Run(name, func(t *testing.T) { survives(t, try) })
	}
}

// survives runs an attack on a server while another has the same database open,
// and requires that everything acknowledged after the other's end is stored.
func survives(t *testing.T, try attack) {
	t.Helper()
	db := database(t)
	folder := filepath.Dir(db)
	if err := os.Mkdir(filepath.Join(folder, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "serve", "--stdio", "--db", db, "--log-level", "error", "--file-root", folder)
	cmd.Dir = folder
	c, other := attach(t, cmd), serve(t, db)
	c.call("create_entities", oneEntity("first"))
	other.call("create_entities", oneEntity("second"))
	try(t, c, db)
	other.end()
	for i := range 20 {
		c.call("create_entities", oneEntity(fmt.Sprintf("n%d", i)))
	}
	c.cmd.Process.Kill() //nolint:errcheck // nobody else ends it
	dropOtherNames(t, db)
	if stored := names(t, db); len(stored) != 22 {
		t.Errorf("%d of 22 acknowledged entities are stored", len(stored))
	}
}

// dropOtherNames removes what attacks linked: a database with a second name is not
// opened.
func dropOtherNames(t *testing.T, db string) {
	t.Helper()
	real, err := os.Stat(db)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Dir(db), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == db || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil && os.SameFile(info, real) {
			err = os.Remove(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// uploads tries to upload the database and what lies beside it by other names.
func uploads(alias func(t *testing.T, real, name string) string) attack {
	return func(t *testing.T, c *client, db string) {
		for i, ending := range []string{"", "-wal", "-shm"} {
			path := alias(t, db+ending, filepath.Join(filepath.Dir(db), fmt.Sprintf("alias%d.txt", i)))
			if a := c.tries("upload_file", map[string]any{"file_path": path}); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "toolkit keeps for itself") {
				t.Errorf("%s: %+v", ending, a.Result)
			}
		}
	}
}

// Whatever leads to what toolkit keeps for itself is refused, and what lies beside
// it in a folder of the user's is taken.
func TestOnlyTheUsersOwnFilesAreUploaded(t *testing.T) {
	t.Parallel()
	db := database(t)
	folder := filepath.Dir(db)
	home := t.TempDir()
	cmd := program(t, "serve", "--stdio", "--db", db, "--log-level", "error", "--file-root", folder, "--file-root", home)
	cmd.Env = append(cmd.Env, "HOME="+home, "USERPROFILE="+home, "TOOLKIT_RATE_LIMITS=upload_file=100/1m")
	c := attach(t, cmd)
	url := c.uploadNote(filepath.Join(folder, "note.txt"))
	hash := url[strings.LastIndex(url, "/")+1:]
	blob := filepath.Join(folder, "files", "sha256", hash[:2], hash)
	write := func(parts ...string) string {
		path := filepath.Join(parts...)
		testenv.Write(t, path, "What was said at the meeting of "+filepath.Base(path))
		return path
	}
	key := filepath.Join(folder, "files.key") // made with the first address of a file
	c.call("get_file_url", map[string]any{"file_path": url})
	mac := write(home, "Library", "Application Support", "toolkit", "old.txt")
	for name, path := range map[string]string{
		"a stored file":                      blob,
		"a hard link to a stored file":       linked(t, os.Link, blob, filepath.Join(folder, "linked.txt")),
		"a link to the folder of files":      filepath.Join(linked(t, os.Symlink, filepath.Join(folder, "files"), filepath.Join(folder, "store")), "sha256", hash[:2], hash),
		"a key":                              key,
		"a link to a key":                    linked(t, os.Symlink, key, filepath.Join(folder, "key.txt")),
		"the data folder of macOS":           mac,
		"a hard link into the data folder":   linked(t, os.Link, mac, filepath.Join(home, "old.txt")),
		"the data folder of Windows":         write(home, "AppData", "Local", "toolkit", "toolkit.txt"),
		"a database that was there before":   write(home, "Library", "Application Support", "toolkit", "toolkit.db.before-20260101-000000"),
		"the database of a space":            write(folder, "spaces", "anna", "toolkit.db"),
		"a folder of files under the folder": write(folder, "files", "deep", "er", "text.txt"),
	} {
		if a := c.tries("upload_file", map[string]any{"file_path": path}); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "toolkit keeps for itself") {
			t.Errorf("%s: %+v", name, a.Result)
		}
	}
	for name, path := range map[string]string{
		"a file beside the database":                write(folder, "letter.txt"),
		"one of a similar name":                     write(folder, "toolkit.db.txt"),
		"an archive that is to be imported":         write(folder, "imports", "mail.txt"),
		"a presentation":                            write(folder, "talk.key"),
		"a file in a folder that is called toolkit": write(home, "toolkit", "plan.txt"),
	} {
		if a := c.tries("upload_file", map[string]any{"file_path": path}); a.Result.IsError && strings.Contains(a.Result.Content[0].Text, "toolkit keeps") {
			t.Errorf("%s: %+v", name, a.Result)
		}
	}
}

// Commands neither read nor replace what toolkit keeps for itself.
func TestNoCommandReadsOrReplacesTheDatabaseAsAFile(t *testing.T) {
	t.Parallel()
	db := emptyDatabase(t)
	folder := filepath.Dir(db)
	c := serve(t, db) // its log and index are there
	c.call("create_entities", oneEntity("first"))
	alias := linked(t, os.Link, db+"-shm", filepath.Join(folder, "alias.jsonl"))
	for _, path := range []string{db, db + "-wal", db + "-shm", db + "-journal", alias} {
		for _, args := range [][]string{
			{"import", path}, {"pockets", "import", path}, {"golden", "import", path}, {"restore", path}, {"backup", "--verify", path},
			{"backup", "--force", path}, {"export", "--force", path}, {"export", "--all", "--force", path}, {"golden", "export", path}, {"pockets", "export", path},
		} {
			_, stderr, code := run(t, "", append(args, "--db", db)...)
			if code != exitFailure || !strings.Contains(stderr, "toolkit's own") && !strings.Contains(stderr, "no labelled") {
				t.Errorf("%v: %d, %s", args, code, stderr)
			}
		}
	}
	c.call("create_entities", oneEntity("second"))
}

func linked(t *testing.T, link func(old, name string) error, real, name string) string {
	t.Helper()
	if err := link(real, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return name
}

// tries makes a call that may be refused.
func (c *client) tries(tool string, arguments any) answer {
	c.t.Helper()
	if err := c.send(tool, arguments); err != nil {
		c.t.Fatal(err)
	}
	a, err := c.read()
	if err != nil || a.Error != nil {
		c.t.Fatalf("%s: %v %+v", tool, err, a)
	}
	return a
}

// uploadNote writes a note, uploads it and returns its address.
func (c *client) uploadNote(path string) string {
	c.t.Helper()
	testenv.Write(c.t, path, "A note: "+filepath.Base(path))
	var uploaded struct {
		URL string `json:"file_url"`
	}
	toolstest.Decode(c.t, c.call("upload_file", map[string]any{"file_path": path}), &uploaded)
	return uploaded.URL
}

// end closes the input of a process and waits until it is gone.
func (c *client) end() {
	c.in.Close() //nolint:errcheck // it ends either way
	c.cmd.Wait() //nolint:errcheck // its exit code is not the question
}
