package transfer_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"toolkit/internal/app"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/localfile"
)

// Each copy here says which engine it is of.
func init() { localfile.Redirect = nil }

// spaces counts the spaces that were made in PostgreSQL.
var spaces int

// newSpace is the address of a space in PostgreSQL that goes with the test.
func newSpace(t *testing.T) string {
	t.Helper()
	address := os.Getenv(storetest.Postgres)
	if address == "" {
		t.Skip("there is no PostgreSQL: scripts/postgres.sh runs tests beside one")
	}
	spaces++
	space := fmt.Sprintf("copy%d_%d", os.Getpid(), spaces)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), address)
		if err == nil {
			_, err = conn.Exec(context.Background(), `DROP SCHEMA IF EXISTS toolkit_`+space+` CASCADE`)
			err = errors.Join(err, conn.Close(context.Background()))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return address + "#" + space
}

func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "new", "toolkit.db")
}

// deriveNothing is for rows that mean nothing.
func deriveNothing(*store.Tx) error { return nil }

// doors are the ways in which everything comes into a new database.
var doors = []struct {
	name     string
	place    func(*testing.T) string
	fromFile bool // it takes a database file only
	copy     func(ctx context.Context, from, to string, o options) error
}{
	{"moved to a file", newFile, false, moveTo},
	{"moved to PostgreSQL", newSpace, false, moveTo},
	{"exported to a file", newFile, false, exportTo},
	{"exported to PostgreSQL", newSpace, false, exportTo},
	{"backed up", newFile, true, backUpTo},
}

type options struct {
	derive   func(*store.Tx) error
	progress func(rows, all int)
}

func moveTo(ctx context.Context, from, to string, o options) error {
	_, err := transfer.CopyToNewDatabase(ctx, from, transfer.Target{Database: to, Occupied: "choose another", Now: noon, Derive: o.derive, Progress: o.progress})
	return err
}

func exportTo(ctx context.Context, from, to string, o options) error {
	i, err := store.OpenInspection(ctx, from)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	var file bytes.Buffer
	if _, err := transfer.Export(ctx, i, &file, transfer.ExportOptions{Now: noon}); err != nil {
		return err
	}
	_, err = transfer.Import(ctx, &file, transfer.Target{Database: to, Now: noon, Derive: o.derive, Progress: o.progress})
	return err
}

func backUpTo(ctx context.Context, from, to string, o options) error {
	progress := func(done, all int64) {
		if o.progress != nil {
			o.progress(int(done), int(all))
		}
	}
	folder, err := os.MkdirTemp("", "backup-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is of a test
	archive := filepath.Join(folder, "a.zip")
	if _, err := transfer.Backup(ctx, transfer.BackupOptions{Database: from, Target: archive, Now: noon}); err != nil {
		return err
	}
	_, err = transfer.Restore(ctx, transfer.RestoreOptions{Archive: archive, Database: to, Now: noon, Progress: progress})
	return err
}

// contents stand for every row, id and file of a database on either engine.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	i, err := store.OpenInspection(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	tables, err := i.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, table := range tables {
		if !table.Virtual {
			if all[table.Name], err = i.Fingerprint(t.Context(), table); err != nil {
				t.Fatal(err)
			}
		}
	}
	last, err := i.Sequences(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for table, n := range last {
		if n > 0 { // PostgreSQL does not tell a table that gave none from one that gave 0
			all["last id of "+table] = fmt.Sprint(n)
		}
	}
	files, err := i.ListStoredFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		in, err := i.OpenFile(t.Context(), f.SHA256)
		if errors.Is(err, store.ErrBlobMissing) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, in); err != nil {
			t.Error(err)
		}
		in.Close()
		all["file "+f.SHA256] = "there"
	}
	return all
}

// makeRandom makes a database of random rows in every table, with files.
func makeRandom(t *testing.T, seed uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toolkit.db")
	random := rand.New(rand.NewPCG(seed, 2))
	fillAtRandom(t, path, random, true)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for n := range 5 {
		text := make([]byte, random.IntN(1_000_000))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		hash := sumOf(text)
		if _, err := db.Exec(`INSERT INTO blobs(sha256, size, mime, name, created_at) VALUES(?, ?, 'text/plain', 'a.txt', 0)`, hash, len(text)); err != nil {
			t.Fatal(err)
		}
		if n > 0 { // the bytes of the first are lost
			testenv.Write(t, filepath.Join(filepath.Dir(path), filepath.FromSlash(store.FilePlace(hash))), text)
		}
	}
	return path
}

// Whatever a database holds comes through any way and then through any other, and only where nothing is.
func TestRandomDatabasesAreEqualAfterEveryPairOfCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range toolstest.RoundCount(1) {
		source := makeRandom(t, seed)
		want := contents(t, source)
		if len(want) < 80 {
			t.Errorf("only %d tables, ids and files are compared", len(want))
		}
		for _, first := range doors {
			t.Run(first.name, func(t *testing.T) {
				once := first.place(t)
				if err := first.copy(t.Context(), source, once, options{derive: deriveNothing}); err != nil {
					t.Fatal(err)
				}
				// Nothing is copied over rows, not even the same.
				err := first.copy(t.Context(), source, once, options{derive: deriveNothing})
				if err == nil || !strings.Contains(err.Error(), "already") && !strings.Contains(err.Error(), "there is a database") {
					t.Errorf("again it ends with %v", err)
				}
				storetest.RequireSameContents(t, contents(t, once), want)
				for i, second := range doors {
					if second.fromFile && store.IsPostgres(once) || !testenv.Full() && second.name != first.name && i != 0 {
						continue
					}
					t.Run(second.name, func(t *testing.T) {
						twice := second.place(t)
						if err := second.copy(t.Context(), once, twice, options{derive: deriveNothing}); err != nil {
							t.Fatal(err)
						}
						storetest.RequireSameContents(t, contents(t, twice), want)
					})
				}
			})
		}
	}
}

// requireNothingAt requires that a place is as it was before a copy.
func requireNothingAt(t *testing.T, place string) {
	t.Helper()
	if !store.IsPostgres(place) {
		if names, err := os.ReadDir(filepath.Dir(place)); err == nil {
			t.Errorf("left behind: %v", names)
		}
		return
	}
	i, err := store.OpenInspection(context.Background(), place)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if rows, err := i.CountUserRows(context.Background()); err != nil || rows > 0 {
		t.Errorf("%d rows left behind, %v", rows, err)
	}
}

func TestCopyThatIsInterruptedLeavesNothing(t *testing.T) {
	source := makeRandom(t, 1)
	for _, door := range doors {
		for _, at := range []int{1, 1000} { // calls of progress
			t.Run(fmt.Sprintf("%s, at %d", door.name, at), func(t *testing.T) {
				place := door.place(t)
				ctx, cancel := context.WithCancel(t.Context())
				calls := 0
				err := door.copy(ctx, source, place, options{
					progress: func(int, int) {
						if calls++; calls == at {
							cancel()
						}
					},
					derive: func(*store.Tx) error { // there may be fewer calls
						cancel()
						return ctx.Err()
					},
				})
				if calls < at && err == nil {
					return // an archive was restored before
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("it ends with %v", err)
				}
				requireNothingAt(t, place)
			})
		}
	}
}

func TestCopyWhoseIndexesCannotBeDerivedLeavesNothing(t *testing.T) {
	source := makeRandom(t, 1)
	broken := errors.New("broken")
	for _, door := range doors {
		if door.fromFile {
			continue // its indexes are copied
		}
		t.Run(door.name, func(t *testing.T) {
			place := door.place(t)
			err := door.copy(t.Context(), source, place, options{derive: func(*store.Tx) error { return broken }})
			if !errors.Is(err, broken) {
				t.Errorf("it ends with %v", err)
			}
			requireNothingAt(t, place)
			if err := door.copy(t.Context(), source, place, options{derive: deriveNothing}); err != nil {
				t.Errorf("the next one: %v", err)
			}
		})
	}
}

func TestMoveBringsTheKeyOfBanks(t *testing.T) {
	key := strings.Repeat("k", 32)
	source := fillEverything(t, 1, 1)
	testenv.Write(t, filepath.Join(filepath.Dir(source), store.BankKey), key)
	for name, place := range map[string]func(*testing.T) string{"by a file": newFile, "by PostgreSQL": newSpace} {
		t.Run(name, func(t *testing.T) {
			first, second := place(t), newFile(t)
			for _, move := range [][2]string{{source, first}, {first, second}} {
				if err := moveTo(t.Context(), move[0], move[1], options{derive: app.DeriveIndexes}); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join(filepath.Dir(second), store.BankKey)
			if got := testenv.Read(t, file); string(got) != key {
				t.Errorf("the key is %q", got)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}
