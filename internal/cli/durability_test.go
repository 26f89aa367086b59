package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"toolkit/internal/toolstest"
)

func TestThreeProcessesOnOneFileLoseNothingAndSeeEverything(t *testing.T) {
	const processes, writes = 3, 30
	db := database(t)
	clients := make([]*client, processes)
	for i := range clients {
		clients[i] = serve(t, db) // all start on a file that does not exist yet
	}
	inParallel(processes, func(p int) {
		for i := range writes {
			if err := clients[p].send("create_entities", oneEntity(fmt.Sprintf("p%d-n%d", p, i))); err != nil {
				t.Error(err)
				return
			}
			if a, err := clients[p].read(); err != nil || a.Result.IsError {
				t.Errorf("%v %+v", err, a)
				return
			}
		}
	})
	for p, c := range clients {
		var graph struct{ Entities []json.RawMessage }
		if err := json.Unmarshal(c.call("read_graph", map[string]any{}), &graph); err != nil || len(graph.Entities) != processes*writes {
			t.Errorf("process %d sees %d entities, %v", p, len(graph.Entities), err)
		}
		if err := json.Unmarshal(c.call("search_nodes", map[string]any{"query": "p2-n29"}), &graph); err != nil || len(graph.Entities) != 1 {
			t.Errorf("process %d finds %d, %v", p, len(graph.Entities), err)
		}
	}
}

func TestEveryAcknowledgedWriteSurvivesKill(t *testing.T) {
	db := database(t)
	acknowledged := map[string]bool{}
	for round := range 3 {
		serve(t, db).untilKilled(20+5*round, acknowledged, "create_entities", func(i int) (string, any) {
			name := fmt.Sprintf("r%d-n%d", round, i)
			return name, oneEntity(name)
		})
	}
	stored := names(t, db)
	for name := range acknowledged {
		if !stored[name] {
			t.Errorf("%s was acknowledged and is gone", name)
		}
	}
	if len(acknowledged) < 3*20 || len(stored) > len(acknowledged)+3 {
		t.Errorf("%d acknowledged, %d stored", len(acknowledged), len(stored))
	}
}

func TestPipedCallsAreAnsweredAndStoredBeforeTheEnd(t *testing.T) {
	var input strings.Builder
	for i := range 100 {
		input.WriteString(callLine(i+1, "create_entities", oneEntity(fmt.Sprintf("n%d", i))))
	}
	db := database(t)
	stdout, stderr, code := run(t, strings.TrimSuffix(input.String(), "\n"), "serve", "--stdio", "--db", db, "--log-level", "error")
	if lines := strings.Count(stdout, "\n"); lines != 100 || code != 0 {
		t.Errorf("%d answers, exit code %d, %s", lines, code, stderr)
	}
	if stored := names(t, db); len(stored) != 100 {
		t.Errorf("%d stored", len(stored))
	}
}

func TestPipelinedWritesOfOneClientAreAppliedInOrder(t *testing.T) {
	c := serve(t, database(t))
	c.call("create_entities", oneEntity("log"))
	for i := range 100 {
		if err := c.send("add_observations", map[string]any{"observations": []any{map[string]any{"entityName": "log", "contents": []string{fmt.Sprint(i)}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.send("open_nodes", map[string]any{"names": []string{"log"}}); err != nil {
		t.Fatal(err)
	}
	var last answer
	for range 101 {
		a, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if string(a.ID) == fmt.Sprint(c.next) {
			last = a
		}
	}
	var graph struct {
		Entities []struct{ Observations []string }
	}
	toolstest.Decode(t, last.Result.StructuredContent, &graph)
	for i, o := range graph.Entities[0].Observations[1:] {
		if o != fmt.Sprint(i) {
			t.Fatalf("observation %d is %q", i, o)
		}
	}
	if n := len(graph.Entities[0].Observations); n != 101 {
		t.Errorf("%d observations", n)
	}
}

func TestSIGTERMInTheMiddleOfWritesAnswersWhatWasReadAndExitsCleanly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM on Windows")
	}
	db := database(t)
	c := serve(t, db)
	for i := range 100 {
		if err := c.send("create_entities", oneEntity(fmt.Sprintf("n%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.read(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	answered := 1
	for {
		_, err := c.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		answered++
	}
	var exit *exec.ExitError
	if err := c.cmd.Wait(); errors.As(err, &exit) {
		t.Errorf("exit code %d", exit.ExitCode())
	}
	if stored := names(t, db); len(stored) != answered {
		t.Errorf("%d answered, %d stored", answered, len(stored))
	}
}

func TestAClientThatStopsReadingDoesNotKeepTheProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM on Windows")
	}
	c := serve(t, database(t))
	big := map[string]any{"entities": []any{map[string]any{"name": "big", "entityType": "note", "observations": []string{strings.Repeat("x", 1<<20)}}}}
	if err := c.send("create_entities", big); err != nil {
		t.Fatal(err)
	}
	// The answer fills the pipe and nobody reads it. A second signal ends the
	// process at once; signals that come too close count as one, so they are
	// repeated until it is gone.
	if _, err := c.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
				t.Errorf("it ended with %v", err)
			}
			return
		default:
			c.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may be gone already
			runtime.Gosched()
		}
	}
}
