package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/localfile"
)

// asToolkit makes the test binary behave as the program, so that tests drive
// real processes, with the race detector when it is on.
const asToolkit = "TOOLKIT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asToolkit) == "1" {
		asProgram()
	}
	// Scripts find the program on their path.
	testscript.Main(m, map[string]func(){"toolkit": asProgram})
}

// asProgram makes databases as the program does: a process opens one or two, for which no
// template is worth making.
func asProgram() {
	localfile.NewFile = nil
	os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
}

// asProgramEnv are variables of a process that is the program: however loaded the machine is,
// it waits, and it collects garbage as often as the tests do.
func asProgramEnv() []string {
	return []string{asToolkit + "=1", "TOOLKIT_PATIENCE=60", "GOGC=" + os.Getenv("GOGC")}
}

// program prepares a run of toolkit with a clean environment.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(asProgramEnv(), "HOME="+t.TempDir(), "PATH="+os.Getenv("PATH"))
	if cache, err := os.UserCacheDir(); err == nil { // with the PDF engine, which takes seconds to compile
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache)
	}
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		cmd.Env = append(cmd.Env, "GOCOVERDIR="+dir)
	}
	return cmd
}

// run starts toolkit, feeds it input and waits.
func run(t *testing.T, input string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := program(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func database(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "toolkit.db")
}

// emptyDatabase is a database in which nothing is stored.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	return emptyAt(t, database(t))
}

// emptyAt makes a database in which nothing is stored.
func emptyAt(t *testing.T, path string) string {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Path: path})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// client speaks to one serving process.
type client struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

// serve starts `toolkit serve --stdio` on a database.
func serve(t *testing.T, db string, args ...string) *client {
	t.Helper()
	return attach(t, program(t, append([]string{"serve", "--stdio", "--db", db, "--log-level", "error"}, args...)...))
}

// attach starts a serving process and speaks to it.
func attach(t *testing.T, cmd *exec.Cmd) *client {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() }) //nolint:errcheck // it may be gone already
	return c
}

// untilKilled makes calls of a tool until the process is gone, which is killed at
// one of them, and notes the names of those that were acknowledged; call makes up
// the name and the arguments of each.
func (c *client) untilKilled(at int, acknowledged map[string]bool, tool string, call func(i int) (name string, arguments any)) {
	c.t.Helper()
	killed := make(chan struct{})
	for i := range 2000 {
		name, arguments := call(i)
		if err := c.send(tool, arguments); err != nil {
			break
		}
		if i == at {
			go func() { defer close(killed); c.cmd.Process.Kill() }() //nolint:errcheck // the read below notices
		}
		a, err := c.read()
		if err != nil {
			break
		}
		if a.Result.IsError {
			c.t.Fatalf("%+v", a)
		}
		acknowledged[name] = true
	}
	<-killed
}

// firstLine starts a process that ends with the test, and returns the first line
// of its standard error, and what follows.
func firstLine(t *testing.T, cmd *exec.Cmd) (string, *bufio.Reader) {
	t.Helper()
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() }) //nolint:errcheck // it may be gone already
	lines := bufio.NewReader(errs)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("it says %q, then %v", first, err)
	}
	return first, lines
}

type answer struct {
	ID    json.RawMessage
	Error *struct {
		Code    int
		Message string
	}
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
}

func callLine(id int, tool string, arguments any) string {
	raw, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, raw)
}

// send writes a call without waiting for its answer.
func (c *client) send(tool string, arguments any) error {
	c.next++
	_, err := io.WriteString(c.in, callLine(c.next, tool, arguments))
	return err
}

// read takes the next answer.
func (c *client) read() (answer, error) {
	var a answer
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(line, &a)
}

// call waits for the answer and requires success.
func (c *client) call(tool string, arguments any) json.RawMessage {
	c.t.Helper()
	if err := c.send(tool, arguments); err != nil {
		c.t.Fatal(err)
	}
	a, err := c.read()
	if err != nil || a.Error != nil || a.Result.IsError {
		c.t.Fatalf("%s: %v %+v", tool, err, a)
	}
	return a.Result.StructuredContent
}

func oneEntity(name string) map[string]any {
	return map[string]any{"entities": []any{map[string]any{"name": name, "entityType": "note", "observations": []string{"seen"}}}}
}

// names returns the names of all entities in a database, through a new process.
func names(t *testing.T, db string) map[string]bool {
	t.Helper()
	var graph struct{ Entities []struct{ Name string } }
	toolstest.Decode(t, serve(t, db).call("read_graph", map[string]any{}), &graph)
	set := map[string]bool{}
	for _, e := range graph.Entities {
		set[e.Name] = true
	}
	return set
}

// inParallel runs n functions and waits for them.
func inParallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}
