//go:build unix

package storetest_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
)

// cluster is a PostgreSQL of a test's own, which it may kill.
type cluster struct {
	t            testing.TB
	bin          string
	data, socket string
	credential   *syscall.Credential
}

// newCluster makes the folders of one; initialise or copy fills them.
func newCluster(t testing.TB) *cluster {
	t.Helper()
	onServer(t)
	bin := os.Getenv("POSTGRES_BIN")
	if bin == "" {
		t.Skip("POSTGRES_BIN does not say where PostgreSQL's programs are: scripts/postgres.sh does")
	}
	folder, err := os.MkdirTemp("", "pg") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, bin: bin, data: filepath.Join(folder, "data"), socket: filepath.Join(folder, "socket")}
	t.Cleanup(func() {
		c.stop("immediate")
		os.RemoveAll(folder) //nolint:errcheck // a leftover temporary folder harms nobody
	})
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		info, err := os.Stat(strings.TrimPrefix(onServer(t)[strings.Index(onServer(t), "host=")+5:], ""))
		if err != nil {
			t.Fatal(err)
		}
		owner := info.Sys().(*syscall.Stat_t)
		c.credential = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
	for _, path := range []string{folder, c.data, c.socket} {
		mode := os.FileMode(0o700)
		if path == folder {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(path, mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		if c.credential != nil && path != folder {
			if err := os.Chown(path, int(c.credential.Uid), int(c.credential.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

func (c *cluster) try(program string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir = filepath.Dir(c.data)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.credential}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if program == "pg_ctl" { // what it starts would hold the buffer open
		cmd.Stdout, cmd.Stderr = nil, nil
	}
	err := cmd.Run()
	return out.String(), err
}

func (c *cluster) run(program string, args ...string) {
	c.t.Helper()
	if out, err := c.try(program, args...); err != nil {
		c.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

func (c *cluster) initialise() {
	c.t.Helper()
	c.run("initdb", "-D", c.data, "-A", "trust", "-U", "toolkit", "--locale=C", "-E", "UTF8")
	c.start()
	c.run("createdb", "-h", c.socket, "-U", "toolkit", "toolkit")
}

func (c *cluster) start() {
	c.t.Helper()
	c.run("pg_ctl", "-D", c.data, "-w", "-l", filepath.Join(c.data, "log"), "-o", "-k "+c.socket+" -c listen_addresses=''", "start")
}

func (c *cluster) stop(how string) { c.try("pg_ctl", "-D", c.data, "-m", how, "stop") } //nolint:errcheck // it may be down already

// kill ends the server as a power cut would, as far as processes go.
func (c *cluster) kill() {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		c.t.Fatal(err)
	}
	c.try("pg_ctl", "kill", "KILL", strconv.Itoa(pid)) //nolint:errcheck // whether it is gone shows next
	for {
		if _, err := c.try("pg_ctl", "-D", c.data, "status"); err != nil {
			break
		}
	}
}

// writing writes entities until told to stop, and notes what was acknowledged.
type writing struct {
	acknowledged []string
	failed       int
	stop, done   chan struct{}
}

func write(t testing.TB, db *store.DB, prefix string) *writing {
	w := &writing{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for n := 0; ; n++ {
			select {
			case <-w.stop:
				return
			default:
			}
			name := fmt.Sprintf("%s %d", prefix, n)
			if err := add(t, db, name); err != nil {
				w.failed++
				continue
			}
			w.acknowledged = append(w.acknowledged, name)
		}
	}()
	return w
}

func (w *writing) end() { close(w.stop); <-w.done }

func everythingIsThere(t testing.TB, db *store.DB, names []string) {
	t.Helper()
	if len(names) == 0 {
		t.Error("nothing was acknowledged")
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		for _, name := range names {
			if _, found, err := graph.In(tx).EntityID(name); err != nil || !found {
				t.Errorf("%s was acknowledged and is lost: %v", name, err)
			}
		}
		return nil
	})
}

func TestWhatWasAcknowledgedOutlivesAKilledPostgreSQL(t *testing.T) {
	c := newCluster(t)
	c.initialise()
	db, err := store.Open(t.Context(), store.Options{Path: "postgres://toolkit@/toolkit?host=" + c.socket})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	for round := range 3 {
		before := write(t, db, fmt.Sprint("round ", round))
		for n := range 20 {
			if err := add(t, db, fmt.Sprintf("beside %d in %d", n, round)); err == nil {
				break
			}
		}
		c.kill()
		c.start()
		if err := add(t, db, fmt.Sprint("after ", round)); err != nil {
			t.Errorf("the server does not find back: %v", err)
		}
		before.end()
		everythingIsThere(t, db, append(before.acknowledged, fmt.Sprint("after ", round)))
	}
}

// A replica takes over: what it had been sent is there, and the servers go on with it.
func TestServersGoOnWithAReplicaThatWasPromoted(t *testing.T) {
	primary, replica := newCluster(t), newCluster(t)
	primary.initialise()
	primary.run("pg_basebackup", "-h", primary.socket, "-U", "toolkit", "-D", replica.data, "-R", "--checkpoint=fast")
	replica.start()
	// A commit waits for the replica, so that nothing acknowledged is lost with the primary.
	primary.run("psql", "-h", primary.socket, "-U", "toolkit", "-c", "ALTER SYSTEM SET synchronous_standby_names = '*'", "-c", "SELECT pg_reload_conf()")
	if _, err := store.Open(t.Context(), store.Options{Path: "postgres://toolkit@/toolkit?host=" + replica.socket}); err == nil || !strings.Contains(err.Error(), "is a replica") {
		t.Errorf("opening a replica gives %v", err)
	}
	db, err := store.Open(t.Context(), store.Options{Path: "postgres://toolkit@/toolkit?target_session_attrs=read-write&host=" + primary.socket + "," + replica.socket})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	var acknowledged []string
	for n := range 20 {
		name := fmt.Sprint("before ", n)
		if err := add(t, db, name); err != nil {
			t.Fatal(err)
		}
		acknowledged = append(acknowledged, name)
	}
	w := write(t, db, "meanwhile")
	primary.stop("immediate")
	replica.run("pg_ctl", "-D", replica.data, "-w", "promote")
	if err := add(t, db, "after"); err != nil {
		t.Errorf("the server does not go on with the replica: %v", err)
	}
	w.end()
	everythingIsThere(t, db, append(append(acknowledged, w.acknowledged...), "after"))
}
