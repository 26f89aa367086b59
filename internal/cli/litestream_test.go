package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// litestreamBinary finds Litestream, as `make litestream` builds it.
func litestreamBinary(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the configuration of Litestream is for a POSIX system")
	}
	built, err := filepath.Abs(filepath.Join("..", "..", "bin", "litestream", "litestream"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(built); err == nil {
		return built
	}
	t.Skip("there is no Litestream to test beside; 'make litestream' builds one and runs this test")
	return ""
}

// copier is a Litestream that copies a database with the configuration of this repository.
type copier struct {
	t                    *testing.T
	binary, config       string
	db, replica, control string
	cmd                  *exec.Cmd
}

func newCopier(t *testing.T, db string) *copier {
	t.Helper()
	config, err := filepath.Abs(filepath.Join("..", "..", "deploy", "litestream.yml"))
	if err != nil {
		t.Fatal(err)
	}
	// The path of a socket must be short.
	folder, err := os.MkdirTemp("", "copy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return &copier{t: t, binary: litestreamBinary(t), config: config, db: db, replica: filepath.Join(folder, "replica"), control: filepath.Join(folder, "s")}
}

// command is a run of Litestream.
func (c *copier) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.t.Context(), c.binary, args...)
	cmd.Env = append(os.Environ(), "TOOLKIT_DB="+c.db, "LITESTREAM_REPLICA="+c.replica, "LITESTREAM_SOCKET="+c.control)
	return cmd
}

// start copies until the test ends, or stop.
func (c *copier) start() {
	c.t.Helper()
	var log bytes.Buffer
	c.cmd = c.command("replicate", "-config", c.config)
	c.cmd.Stdout, c.cmd.Stderr = &log, &log
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		c.stop()
		if c.t.Failed() {
			c.t.Logf("Litestream says\n%s", log.String())
		}
	})
	until(c.t, "Litestream copies", func(context.Context) bool { return c.sync() == nil })
}

// stop ends it as a power cut would.
func (c *copier) stop() {
	c.cmd.Process.Kill() //nolint:errcheck // it may be gone already
	c.cmd.Wait()         //nolint:errcheck // it was killed
}

// sync waits until everything written has arrived.
func (c *copier) sync() error {
	out, err := c.command("sync", "-wait", "-socket", c.control, c.db).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// restored brings the database back, to a moment if there is one, and returns its rows.
func (c *copier) restored(moment string) []byte {
	c.t.Helper()
	target := filepath.Join(c.t.TempDir(), "restored.db")
	args := []string{"restore", "-config", c.config, "-o", target}
	if moment != "" {
		args = append(args, "-timestamp", moment)
	}
	if out, err := c.command(append(args, c.db)...).CombinedOutput(); err != nil {
		c.t.Fatalf("%v: %s", err, out)
	}
	if err := os.Chmod(target, 0o600); err != nil {
		c.t.Fatal(err)
	}
	if out, errs, code := run(c.t, "", "doctor", "--deep", "--db", target); code != exitOK {
		c.t.Errorf("what was restored is not sound: %s%s", out, errs)
	}
	return exported(c.t, target)
}

// saysAll lets callers speak at the same time, each its lines in order, until all have said n or one of them finds no
// server. It returns how many lines of each were answered.
func saysAll(t *testing.T, callers []*caller, phase string, n int, heard func()) []int {
	t.Helper()
	answered, failed := make([]int, len(callers)), make([]error, len(callers))
	var all sync.WaitGroup
	for k, c := range callers {
		all.Go(func() {
			for answered[k] < n {
				ok, err := c.try(answered[k]+1, line(phase, k, answered[k]))
				if failed[k] = err; err != nil || !ok {
					return
				}
				answered[k]++
				heard()
			}
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	return answered
}

func line(phase string, caller, i int) string {
	return fmt.Sprintf("%s line %d of caller %d.", phase, i, caller)
}

func holds(rows []byte, content string) bool { return bytes.Contains(rows, []byte(`"`+content+`"`)) }

func TestWhatLitestreamHasCopiedComesBackWholeAfterBothWereKilled(t *testing.T) {
	db := database(t)
	c := newCopier(t, db)
	s := serveHTTP(t, "", "--db", db, "--http-rate-limit", "0")
	c.start()
	const writers, each = 4, 25
	callers := make([]*caller, writers)
	for i := range callers {
		callers[i] = &caller{url: s.url}
	}
	write := func(phase string) {
		t.Helper()
		for k, n := range saysAll(t, callers, phase, each, func() {}) {
			if n != each {
				t.Fatalf("caller %d was answered %d times", k, n)
			}
		}
		if err := c.sync(); err != nil {
			t.Fatal(err)
		}
	}
	write("early")
	moment := time.Now().UTC().Format(time.RFC3339Nano)
	out, errs, code := run(t, "", "forget", line("early", 0, 0), "--yes", "--db", db) // rewrites the file
	if code != exitOK || !strings.Contains(out, "Litestream has copied the database") || !strings.Contains(out, "toolkit forget --finish") {
		t.Errorf("forgetting says %s%s", out, errs)
	}
	write("late")
	if out, _, code := run(t, "", "doctor", "--db", db); code != exitOK || !strings.Contains(out, "note     litestream            the log still holds what was forgotten") {
		t.Errorf("doctor says %s", out)
	}

	// Now both go down while the callers speak.
	var once sync.Once
	var heard int
	var mu sync.Mutex
	killed := saysAll(t, callers, "last", 1000, func() {
		mu.Lock()
		defer mu.Unlock()
		if heard++; heard == 60 {
			once.Do(func() { s.cmd.Process.Kill(); c.stop() }) //nolint:errcheck // the calls fail then
		}
	})

	newest, early := c.restored(""), c.restored(moment)
	for k := range callers {
		for i := range each {
			forgotten := k == 0 && i == 0
			if !holds(early, line("early", k, i)) || holds(early, line("late", k, i)) {
				t.Errorf("as of %s, line %d of caller %d is wrong", moment, i, k)
			}
			if holds(newest, line("early", k, i)) == forgotten || !holds(newest, line("late", k, i)) {
				t.Errorf("in the newest copy, line %d of caller %d is wrong", i, k)
			}
		}
		gap := false // what comes back is what stood there at one moment
		for i := range killed[k] + 1 {
			there := holds(newest, line("last", k, i))
			if there && gap {
				t.Errorf("line %d of caller %d came back without those before it", i, k)
			}
			gap = gap || !there
		}
	}
}

func TestLitestreamKeepsTheDatabaseFromBeingReplacedUnderIt(t *testing.T) {
	db := emptyDatabase(t)
	archive := filepath.Join(t.TempDir(), "toolkit.zip")
	c := newCopier(t, db)
	c.start()
	if _, errs, code := run(t, "", "backup", archive, "--db", db); code != exitOK {
		t.Fatal(errs)
	}
	if _, errs, code := run(t, "", "restore", archive, "--force", "--db", db); code != exitFailure || !strings.Contains(errs, "another process has the database open") {
		t.Errorf("restore: %d %s", code, errs)
	}
	c.stop()
	if _, errs, code := run(t, "", "restore", archive, "--force", "--db", db); code != exitOK {
		t.Fatal(errs)
	}
	if _, errs, code := run(t, "", "remember", "After the restore", "--db", db); code != exitOK {
		t.Fatal(errs)
	}
	c.start() // goes on with the same copies
	if rows := c.restored(""); !bytes.Contains(rows, []byte("After the restore")) {
		t.Errorf("Litestream does not copy what was restored: %s", rows)
	}
}
