package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store"
)

// fillForCopies makes a database that takes a moment to copy.
func fillForCopies(t *testing.T) string {
	t.Helper()
	var lines strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&lines, `{"type":"entity","name":"n%d","entityType":"thing","observations":["likes tea and alpacas %d"]}`+"\n", i, i)
	}
	memory, db := filepath.Join(t.TempDir(), "memory.jsonl"), database(t)
	testenv.Write(t, memory, lines.String())
	succeed(t, "import", memory, "--db", db)
	return db
}

// exportLines is everything that a database holds, without when it was exported.
func exportLines(t *testing.T, db string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(succeed(t, "export", "--db", db)), "\n")
	return strings.Join(lines[1:len(lines)-1], "\n")
}

// killAtMoments runs a command to its end, then several times until it is killed, at moments
// that are spread over the time that it takes, and checks its destination each time.
func killAtMoments(t *testing.T, command func(place string) []string, newPlace func() string, check func(place string)) {
	t.Helper()
	began := time.Now()
	succeed(t, command(newPlace())...)
	whole, copies := time.Since(began), testenv.Choose(2, 6)
	for n := range copies {
		place := newPlace()
		cmd := program(t, command(place)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(whole*time.Duration(n+1)/time.Duration(copies+1), func() { cmd.Process.Kill() }) //nolint:errcheck // it may have ended
		cmd.Wait()                                                                                              //nolint:errcheck // it was killed
		kill.Stop()
		check(place)
	}
}

func TestCopyToAFileThatIsKilledLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	source := fillForCopies(t)
	want := exportLines(t, source)
	all, archive := filepath.Join(t.TempDir(), "all.jsonl"), filepath.Join(t.TempDir(), "a.zip")
	succeed(t, "export", all, "--db", source)
	succeed(t, "backup", archive, "--db", source)
	newPlace := func() string { return filepath.Join(t.TempDir(), "copy", "toolkit.db") }
	for name, command := range map[string]func(place string) []string{
		"import":  func(place string) []string { return []string{"import", all, "--db", place} },
		"move":    func(place string) []string { return []string{"move", source, place} },
		"restore": func(place string) []string { return []string{"restore", archive, "--db", place} },
	} {
		t.Run(name, func(t *testing.T) {
			killAtMoments(t, command, newPlace, func(place string) {
				if _, err := os.Stat(place); errors.Is(err, fs.ErrNotExist) {
					succeed(t, command(place)...) // what is left does not stand in its way
				}
				if exportLines(t, place) != want {
					t.Errorf("%s is not a copy", place)
				}
			})
		})
	}
	t.Run("export", func(t *testing.T) {
		newPlace := func() string { return filepath.Join(t.TempDir(), "all.jsonl") }
		command := func(place string) []string { return []string{"export", place, "--db", source} }
		killAtMoments(t, command, newPlace, func(place string) {
			if _, err := os.Stat(place); errors.Is(err, fs.ErrNotExist) {
				return
			}
			succeed(t, "import", place, "--dry-run", "--db", filepath.Join(t.TempDir(), "new.db"))
		})
	})
}

func TestMoveToPostgresThatIsKilledLeavesAllOrNothing(t *testing.T) {
	server, source, spaces := onPostgres(t), fillForCopies(t), 0
	want := exportLines(t, source)
	command := func(place string) []string { return []string{"move", source, place} }
	newPlace := func() string {
		spaces++
		return fmt.Sprintf("%s#killed%d", server, spaces)
	}
	killAtMoments(t, command, newPlace, func(place string) {
		i, err := store.OpenInspection(t.Context(), place)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			succeed(t, command(place)...)
		case err != nil:
			t.Fatal(err)
		default:
			rows, err := i.CountUserRows(t.Context())
			if err = errors.Join(err, i.Close()); err != nil {
				t.Fatal(err)
			}
			if rows == 0 {
				succeed(t, command(place)...)
			}
		}
		if exportLines(t, place) != want {
			t.Errorf("%s is not a copy", store.DisplayName(place))
		}
	})
}
