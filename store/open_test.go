package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store/localfile"
)

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// insertEntity stands for any write: it changes several tables and a topic.
func insertEntity(tx *Tx, name, observation string) error {
	id, err := tx.sql().Insert(`INSERT INTO entities(name, type, created_at, updated_at) VALUES(?, 't', 0, 0)`, name)
	tx.sql().Touch(TopicGraph)
	return errors.Join(err,
		tx.sql().Exec(`INSERT INTO observations(entity_id, content, created_at) VALUES(?, ?, 0)`, id, observation),
		tx.sql().Exec(`INSERT INTO observation_words(rowid, content) SELECT id, content FROM observations WHERE entity_id = ?`, id),
		tx.sql().Exec(`INSERT INTO entity_changes(entity_id) VALUES(?)`, id))
}

func TestANewDatabaseIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "a", "b", "toolkit.db")
	db := open(t, path)
	if err := db.Write(t.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil }); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(file), got, want)
		}
	}
}

func TestAPathWithSpecialCharactersIsOneFile(t *testing.T) {
	for _, name := range []string{"with space.db", "ques?tion=1&x.db", "ha#sh%41.db", "ünï🙂.db"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?") {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		db := open(t, path)
		if err := db.Write(t.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil }); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 {
			t.Errorf("%q was not the file written: %v", name, err)
		}
	}
}

func TestADatabaseThatCannotBeUsedIsExplained(t *testing.T) {
	tests := map[string]struct {
		prepare func(t *testing.T, path string) string // returns the path to open
		want    string
	}{
		"no path":  {func(*testing.T, string) string { return " " }, "--db"},
		"a folder": {func(t *testing.T, path string) string { return filepath.Dir(path) }, "is a folder"},
		"not a database": {func(t *testing.T, path string) string {
			writeFile(t, path, strings.Repeat("this is no database. ", 100))
			return path
		}, "not a SQLite database"},
		"another program's database": {func(t *testing.T, path string) string {
			raw(t, path, `CREATE TABLE theirs(x)`)
			return path
		}, "another program"},
		"another program's empty database": {func(t *testing.T, path string) string {
			raw(t, path, `PRAGMA application_id = 42`)
			return path
		}, "another program"},
		"a newer toolkit's database": {func(t *testing.T, path string) string {
			open(t, path).Close()
			raw(t, path, `INSERT INTO goose_db_version(version_id, is_applied) VALUES(9999, 1)`)
			return path
		}, "newer toolkit"},
		"a damaged database": {func(t *testing.T, path string) string {
			open(t, path).Close()
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteAt([]byte(strings.Repeat("\xff", 4000)), 96); err != nil {
				t.Fatal(err)
			}
			return path
		}, "damaged"},
		"a folder below a file": {func(t *testing.T, path string) string {
			writeFile(t, path, "x")
			return filepath.Join(path, "toolkit.db")
		}, "cannot create"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			path := tc.prepare(t, filepath.Join(t.TempDir(), "toolkit.db"))
			db, err := Open(t.Context(), Options{Path: path})
			if err == nil {
				db.Close()
				t.Fatal("it was opened")
			}
			var known *OpenError
			if !errors.As(err, &known) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want a message with %q", err, tc.want)
			}
		})
	}
}

// A new file opened by several at once is migrated once.
func TestManyMayOpenANewFileAtOnce(t *testing.T) {
	made := localfile.NewFile
	localfile.NewFile = nil // each makes it
	defer func() { localfile.NewFile = made }()
	path := filepath.Join(t.TempDir(), "toolkit.db")
	errs := make(chan error)
	const openers = 8
	for range openers {
		go func() {
			db, err := Open(context.Background(), Options{Path: path})
			if err == nil {
				err = db.Close()
			}
			errs <- err
		}()
	}
	for range openers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// holding takes the write lock of a file as another process does, until the
// test ends.
func holding(t *testing.T, path string) {
	t.Helper()
	other, err := sql.Open("sqlite", path)
	must(t, err)
	other.SetMaxOpenConns(1)
	t.Cleanup(func() { other.Close() })
	_, err = other.Exec("BEGIN IMMEDIATE")
	must(t, err)
}

// A new file, or one that was put back, has no write-ahead log yet. SQLite does
// not wait for the lock when it gives it one.
func TestOpeningAFileThatAnotherProcessWritesWaits(t *testing.T) {
	for name, prepare := range map[string]func(path string){
		"a new file": func(path string) { writeFile(t, path, "") },
		"a marked file without tables": func(path string) {
			raw(t, path, `PRAGMA application_id=`+strconv.Itoa(applicationID))
		},
		"a file that was put back": func(path string) {
			open(t, path).Close()
			must(t, CheckpointFile(t.Context(), path))
		},
		"a file in use": func(path string) { open(t, path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "toolkit.db")
			prepare(path)
			holding(t, path)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			db, err := Open(ctx, Options{Path: path})
			if err == nil {
				db.Close()
				t.Fatal("it was opened under the lock")
			}
			if ctx.Err() == nil {
				t.Errorf("it did not wait: %v", err)
			}
		})
	}
}

func TestADatabaseOfAnotherProgramIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	raw(t, path, `CREATE TABLE theirs(x)`)
	before, err := os.ReadFile(path)
	must(t, err)
	if db, err := Open(t.Context(), Options{Path: path}); err == nil {
		db.Close()
		t.Fatal("it was opened")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it was changed: %v", err)
	}
}

func TestAWriteWaitsForTheLockUntilItsTimeIsUpAndSaysSo(t *testing.T) {
	nothing := func(*Tx) error { return nil }
	path := filepath.Join(t.TempDir(), "toolkit.db")
	for name, hold := range map[string]func(t *testing.T, db *DB, then func()){
		"another process writes": func(t *testing.T, _ *DB, then func()) {
			holding(t, path)
			then()
		},
		"this process writes": func(t *testing.T, db *DB, then func()) {
			must(t, db.Write(t.Context(), func(*Tx) error { then(); return nil }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, path)
			hold(t, db, func() {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				if err := db.Write(ctx, nothing); !errors.Is(err, ErrBusy) || ctx.Err() == nil {
					t.Errorf("out of time: %v", err)
				}
				ctx, cancel = context.WithCancel(t.Context())
				time.AfterFunc(50*time.Millisecond, cancel)
				if err := db.Write(ctx, nothing); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBusy) {
					t.Errorf("cancelled: %v", err)
				}
			})
		})
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	refused := errors.New("refused")
	err := db.Write(t.Context(), func(tx *Tx) error {
		return errors.Join(insertEntity(tx, "a", "c"), refused)
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if n := count(t, db, `SELECT (SELECT count(*) FROM entities) + (SELECT count(*) FROM observations) + (SELECT count(*) FROM entity_changes) + (SELECT count(*) FROM change_sequence)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestWriteAdvancesTopicSequenceInOtherProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	a, b := open(t, path), open(t, path)
	var heard []Topic
	a.OnCommit(func(topics []Topic) { heard = append(heard, topics...) })
	for want := int64(1); want <= 3; want++ {
		if err := a.Write(t.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil }); err != nil {
			t.Fatal(err)
		}
		got, err := b.SumSequences(t.Context(), TopicGraph)
		if err != nil || got != want {
			t.Errorf("the other handle sees %d, %v, want %d", got, err, want)
		}
	}
	if other, err := b.SumSequences(t.Context(), TopicCharts); err != nil || other != 0 {
		t.Errorf("an untouched topic is at %d, %v", other, err)
	}
	if len(heard) != 3 {
		t.Errorf("%d commits were announced", len(heard))
	}
}

// MaxPages stands in for a full disk.
func TestAFullDiskIsReportedAndLosesNothing(t *testing.T) {
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "toolkit.db"), MaxPages: 400})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored := 0
	for err == nil {
		err = db.Write(t.Context(), func(tx *Tx) error {
			return insertEntity(tx, strings.Repeat("n", stored+1), strings.Repeat("word ", 500))
		})
		if err == nil {
			stored++
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("got %v", err)
	}
	if n := count(t, db, `SELECT count(*) FROM entities`); n != stored || stored == 0 {
		t.Errorf("%d acknowledged, %d stored", stored, n)
	}
	if n := count(t, db, `SELECT count(*) FROM observations`); n != stored {
		t.Errorf("%d acknowledged, %d observations", stored, n)
	}
}

func TestAReadCannotWrite(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	err := db.Read(t.Context(), func(tx *Tx) error { return tx.sql().Exec(`DELETE FROM entities`) })
	if !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}

func TestTheClockIsInjectedAndUTC(t *testing.T) {
	at := time.Date(2026, 5, 6, 7, 8, 9, 0, time.FixedZone("x", 3600))
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "toolkit.db"), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := db.Now(); !got.Equal(at) || got.Location() != time.UTC {
		t.Errorf("got %v", got)
	}
}

func TestTheDefaultPathFollowsTheEnvironment(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	data := t.TempDir()
	for _, tc := range []struct {
		getenv func(string) string
		want   string
	}{
		{env("TOOLKIT_DB", "x.db", "XDG_DATA_HOME", data), "x.db"},
		{env("XDG_DATA_HOME", data), filepath.Join(data, "toolkit", "toolkit.db")},
	} {
		if got, err := DefaultPath(tc.getenv); err != nil || got != tc.want {
			t.Errorf("got %q, %v, want %q", got, err, tc.want)
		}
	}
	if got, err := DefaultPath(env("XDG_DATA_HOME", "relative")); err != nil || strings.HasPrefix(got, "relative") {
		t.Errorf("a relative XDG_DATA_HOME must be ignored, got %q, %v", got, err)
	}
}

func count(t *testing.T, db *DB, query string) int {
	t.Helper()
	var n int
	if err := db.Read(t.Context(), func(tx *Tx) error { return tx.sql().Row(query).Scan(&n) }); err != nil {
		t.Fatal(err)
	}
	return n
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	testenv.Write(t, path, text)
}

// raw runs SQL on a file as another program would.
func raw(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// What is written to a file that nobody finds any more must not be acknowledged.
func TestAFileThatIsTakenAwayIsNoticed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be moved there")
	}
	for name, take := range map[string]func(t *testing.T, path string){
		"deleted": func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"moved":   func(t *testing.T, path string) { must(t, os.Rename(path, path+".old")) },
		"replaced": func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".old"))
			must(t, os.WriteFile(path, []byte("another"), 0o600))
		},
		"its log deleted":   func(t *testing.T, path string) { must(t, os.Remove(path+"-wal")) },
		"its log moved":     func(t *testing.T, path string) { must(t, os.Rename(path+"-wal", path+".old-wal")) },
		"its index deleted": func(t *testing.T, path string) { must(t, os.Remove(path+"-shm")) },
		"its log replaced": func(t *testing.T, path string) {
			must(t, os.Remove(path+"-wal"))
			must(t, os.WriteFile(path+"-wal", nil, 0o600))
		},
		"overwritten by another": func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "other.db")
			must(t, open(t, other).Close())
			overwrite(t, other, path)
		},
		"overwritten by something else": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, bytes.Repeat([]byte("text "), 2000), 0o600))
		},
		"emptied":         func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
		"its log emptied": func(t *testing.T, path string) { must(t, os.Truncate(path+"-wal", 0)) },
		"its log cut":     func(t *testing.T, path string) { must(t, os.Truncate(path+"-wal", 100)) },
	} {
		noticed := func(t *testing.T, seen bool) {
			path := filepath.Join(t.TempDir(), "toolkit.db")
			writeFile(t, path, "") // the log then holds how the database was made
			db := open(t, path)
			if seen {
				must(t, db.Read(t.Context(), func(*Tx) error { return nil }))
			}
			take(t, path)
			insert := func(tx *Tx) error { return insertEntity(tx, "Ada", "a") }
			if err := db.Write(t.Context(), insert); !errors.Is(err, ErrMoved) {
				t.Errorf("a write: %v", err)
			}
			if err := db.Read(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrMoved) {
				t.Errorf("a read: %v", err)
			}
			switch name {
			case "moved":
				must(t, os.Rename(path+".old", path))
			case "its log moved":
				must(t, os.Rename(path+".old-wal", path+"-wal"))
			default:
				return
			}
			if err := db.Write(t.Context(), insert); err != nil {
				t.Errorf("put back: %v", err)
			}
			if n := count(t, db, `SELECT count(*) FROM entities`); n != 1 {
				t.Errorf("%d entities: the refused write left something", n)
			}
		}
		t.Run(name, func(t *testing.T) { noticed(t, false) })
		t.Run(name+", seen whole before", func(t *testing.T) { noticed(t, true) })
	}
}

// Each name would have a log of its own.
func TestDatabaseIsWritableAfterTemporaryReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-shm", nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(t.Context(), Options{Path: path}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if info, err := os.Stat(path + "-shm"); err != nil || info.Mode().Perm()&0o200 == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestADatabaseWithASecondNameIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	must(t, open(t, path).Close())
	other := filepath.Join(filepath.Dir(path), "other.db")
	if err := os.Link(path, other); err != nil {
		t.Skip("no hard links here")
	}
	if runtime.GOOS == "windows" {
		t.Skip("how many names a file has is not told there")
	}
	for _, name := range []string{path, other} {
		if _, err := Open(t.Context(), Options{Path: name}); err == nil || !strings.Contains(err.Error(), "second name") {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	must(t, os.Remove(other))
	must(t, open(t, path).Close())
}

// overwrite puts the contents of a file into another one, as cp does.
func overwrite(t *testing.T, source, target string) {
	t.Helper()
	content, err := os.ReadFile(source)
	must(t, err)
	must(t, os.WriteFile(target, content, 0o600))
}

// An older copy of a database is most like it, and what was written since would
// be gone.
func TestReplacingFileWithOlderCopyReturnsErrMoved(t *testing.T) {
	for name, copyOf := range map[string]func(t *testing.T, db *DB, target string){
		"a copy of the file": func(t *testing.T, db *DB, target string) { overwrite(t, db.Path(), target) },
		"a backup":           func(t *testing.T, db *DB, target string) { must(t, Copy(t.Context(), db.Path(), target)) },
	} {
		t.Run(name, func(t *testing.T) {
			path, older := filepath.Join(t.TempDir(), "toolkit.db"), filepath.Join(t.TempDir(), "older.db")
			db := open(t, path)
			add := func(name string) error {
				return db.Write(t.Context(), func(tx *Tx) error { return insertEntity(tx, name, "a") })
			}
			settle := func() {
				if _, err := db.Checkpoint(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			must(t, add("Ada"))
			settle()
			copyOf(t, db, older)
			must(t, add("Grace"))
			settle()
			must(t, add("Joan"))
			overwrite(t, older, path)
			if err := add("Mary"); !errors.Is(err, ErrMoved) {
				t.Errorf("a write: %v", err)
			}
			if err := db.Read(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrMoved) {
				t.Errorf("a read: %v", err)
			}
		})
	}
}

// What happens to a database that is in its place is no reason to refuse it.
func TestUnmovedDatabasePassesIdentityCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	first, second := open(t, path), open(t, path)
	both := []*DB{first, second}
	for i := range 30 {
		for n, db := range both {
			must(t, db.Write(t.Context(), func(tx *Tx) error { return insertEntity(tx, fmt.Sprintf("n%d of %d", i, n), "a") }))
		}
		switch i % 5 {
		case 0:
			_, err := both[i%2].Checkpoint(t.Context())
			must(t, err)
		case 1:
			must(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Duration(i)*time.Minute)))
		case 2:
			must(t, open(t, path).Close())
		case 3:
			raw(t, path, `VACUUM`)
		case 4: // a checkpoint that was cut short wrote the first page only, which tells a size
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			must(t, err)
			t.Cleanup(func() { file.Close() })
			_, err = file.WriteAt([]byte{0, 0, 0xff, 0xff}, 28)
			must(t, err)
		}
		for _, db := range both {
			if n := count(t, db, `SELECT count(*) FROM entities`); n != 2*(i+1) {
				t.Fatalf("%d entities after %d rounds", n, i+1)
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
